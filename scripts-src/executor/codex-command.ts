import { dirname } from 'node:path';
import { traceFilter } from './codex-trace.ts';
import { readVariable, scrubEnvironment } from './scrub-environment.ts';
import type { CommandRequest, WorkerCommand } from './types.ts';

/** A TOML basic string, for `-c key=<value>`. JSON's escapes are TOML's, but JSON leaves DEL as it is. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

/**
 * What codex's commands see of RUST_LOG: the user's own value, never the trace's. Without the user's config their
 * policy is empty and may be replaced; with it an `exclude` of ours would replace theirs, so the value is emptied.
 */
function hiddenTrace(isolate: boolean, userValue: string | undefined): string {
  if (userValue === undefined && isolate) return 'shell_environment_policy.exclude=["RUST_LOG"]';
  return `shell_environment_policy.set.RUST_LOG=${tomlString(userValue ?? '')}`;
}

function settings(request: CommandRequest): string[] {
  const list: string[] = [];
  if (request.reasoningEffort !== undefined) list.push(`model_reasoning_effort=${request.reasoningEffort}`);
  // Nobody answers a worker's question. A name that the binary does not know is ignored with an error item that
  // ends nothing (`--disable` would exit 1), so it needs no probe.
  list.push('features.default_mode_request_user_input=false');
  // Without the user's config their choice about analytics is not known: then the answer is no. It also saves
  // the 5 s that codex waits at its end when offline (FACTS-codex.md, Install and start).
  if (request.isolate) list.push('analytics.enabled=false');
  list.push(`shell_environment_policy.set.PRUN_UNIT=${tomlString(request.marker)}`);
  // A policy of the user's may let no variable through to commands: these are for them.
  for (const [name, value] of Object.entries(request.told ?? {})) {
    list.push(`shell_environment_policy.set.${name}=${tomlString(value)}`);
  }
  list.push(hiddenTrace(request.isolate, readVariable(request.environment, 'RUST_LOG')));
  if (request.sandbox === 'workspace-write' && request.network !== undefined) {
    list.push(`sandbox_workspace_write.network_access=${request.network}`);
  }
  return list;
}

/**
 * The command line of `codex exec` and its environment; the program is `argv[0]`, the prompt goes to stdin byte
 * for byte. No file is touched and nothing is run (flags: FACTS-codex.md, Flags).
 */
export function codexCommand(request: CommandRequest): WorkerCommand {
  const argv = [request.binary, 'exec', '--json', '-o', request.lastMessageFile];
  argv.push('--sandbox', request.sandbox, '--skip-git-repo-check');
  if (request.isolate) argv.push('--ignore-user-config');
  if (request.model !== undefined) argv.push('-m', request.model);
  for (const setting of settings(request)) argv.push('-c', setting);
  if (request.sandbox === 'workspace-write') argv.push('--add-dir', dirname(request.resultFile));
  // `exec resume` takes the sandbox and the folders only before its own name (FACTS-codex.md, Flags).
  if (request.resume !== undefined) argv.push('resume', request.resume);
  argv.push('-');
  const environment = scrubEnvironment(request.environment, request.passEnv, {
    ...request.told,
    PRUN_UNIT: request.marker,
    RUST_LOG: traceFilter(readVariable(request.environment, 'RUST_LOG')),
  });
  return { argv, environment, stderr: 'own' };
}
