import { dirname } from 'node:path';
import { PrunError } from '../platform/errors.ts';
import { missingFlag, missingFlagText, takesFlag } from './codex-flags.ts';
import { traceFilter } from './codex-trace.ts';
import { pinnedStore } from './pnpm-pins.ts';
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

/** What prun sets so that the user may set it otherwise. */
function defaultSettings(request: CommandRequest): string[] {
  const list: string[] = [];
  if (request.reasoningEffort !== undefined) list.push(`model_reasoning_effort=${request.reasoningEffort}`);
  // Nobody answers a worker's question. A name that the binary does not know is ignored with an error item that
  // ends nothing (`--disable` would exit 1), so it needs no probe.
  list.push('features.default_mode_request_user_input=false');
  // Without the user's config their choice about analytics is not known: then the answer is no. It also saves
  // the 5 s that codex waits at its end when offline (FACTS-codex.md, Install and start).
  if (request.isolate) list.push('analytics.enabled=false');
  if (request.sandbox === 'workspace-write' && request.network === true) list.push(`${NETWORK}=true`);
  return list;
}

const NETWORK = 'sandbox_workspace_write.network_access';

/** What holds whatever else is set: codex takes the last of several values. */
function lastSettings(request: CommandRequest): string[] {
  const list = [`shell_environment_policy.set.PRUN_UNIT=${tomlString(request.marker)}`];
  // A policy of the user's may let no variable through to commands: these are for them.
  for (const [name, value] of Object.entries(toldBy(request))) {
    list.push(`shell_environment_policy.set.${name}=${tomlString(value)}`);
  }
  const policy = (request.options?.config ?? []).some((setting) =>
    /^\s*"?shell_environment_policy\b/.test(setting),
  );
  list.push(hiddenTrace(request.isolate && !policy, readVariable(request.environment, 'RUST_LOG')));
  if (request.sandbox === 'workspace-write' && request.network === false) list.push(`${NETWORK}=false`);
  return list;
}

/** What the worker finds in its environment beside the caller's. */
function toldBy({ told, options }: CommandRequest): Record<string, string> {
  return { ...told, ...(options?.pnpmStore === undefined ? {} : pinnedStore(options.pnpmStore)) };
}

/** Folders beside the workspace that a sandbox lets it write to. */
function granted(request: CommandRequest): string[] {
  if (request.sandbox !== 'workspace-write') return [];
  const { pnpmStore } = request.options ?? {};
  const folders = [dirname(request.resultFile), ...(pnpmStore === undefined ? [] : [pnpmStore])];
  if (takesFlag(request, '--add-dir')) return folders.flatMap((folder) => ['--add-dir', folder]);
  return ['-c', `sandbox_workspace_write.writable_roots=[${folders.map(tomlString).join(',')}]`];
}

/** Flags that prun can live without: an older codex is not given those that it does not take. */
function optionalFlags(request: CommandRequest): string[] {
  const flags: string[] = [];
  // The last message is in the events as well.
  if (takesFlag(request, '--output-last-message')) flags.push('-o', request.lastMessageFile);
  flags.push('--sandbox', request.sandbox);
  if (takesFlag(request, '--skip-git-repo-check')) flags.push('--skip-git-repo-check');
  if (request.isolate && takesFlag(request, '--ignore-user-config')) flags.push('--ignore-user-config');
  return flags;
}

/** What the unit itself asked for. */
function wishes({ model, resume, options = {} }: CommandRequest): string[] {
  const flags: string[] = [];
  // As one word: `--image` takes all words that follow up to the next flag. A session that goes on has seen them.
  if (resume === undefined) flags.push(...(options.images ?? []).map((file) => `--image=${file}`));
  if (model !== undefined) flags.push('-m', model);
  if (options.outputSchema !== undefined) flags.push('--output-schema', options.outputSchema);
  if (options.ephemeral) flags.push('--ephemeral');
  return flags;
}

/**
 * The command line of `codex exec` and its environment; the program is `argv[0]`, the prompt goes to stdin byte
 * for byte. No file is touched and nothing is run (flags: FACTS-codex.md, Flags). Throws PrunError where the codex at
 * hand lacks a flag that is needed for what was asked.
 */
export function codexCommand(request: CommandRequest): WorkerCommand {
  const missing = missingFlag(request);
  if (missing && request.probe) {
    const [what, next] = missingFlagText(missing, request.probe);
    throw new PrunError('E_CODEX_FLAG', what, next);
  }
  const argv = [request.binary, 'exec', '--json', ...optionalFlags(request), ...wishes(request)];
  const config = [...defaultSettings(request), ...(request.options?.config ?? []), ...lastSettings(request)];
  argv.push(...config.flatMap((setting) => ['-c', setting]), ...granted(request));
  // `exec resume` takes the sandbox and the folders only before its own name (FACTS-codex.md, Flags).
  if (request.resume !== undefined) argv.push('resume', request.resume);
  argv.push('-');
  const environment = scrubEnvironment(request.environment, request.passEnv, {
    ...toldBy(request),
    PRUN_UNIT: request.marker,
    RUST_LOG: traceFilter(readVariable(request.environment, 'RUST_LOG')),
  });
  return { argv, environment, stderr: 'own' };
}
