import { tmpdir } from 'node:os';
import { askProgram, type ProgramAnswer } from '../process/ask-program.ts';
import { flagsInHelp, hasCommandInHelp, versionOf } from './codex-flags.ts';
import { keepProbe, readProbe } from './codex-probe-cache.ts';
import { scrubEnvironment } from './scrub-environment.ts';
import type { ProgramProbe } from './types.ts';

/** Longest answer to one question, ms; codex needs some 15. */
const LIMIT_MS = 10_000;
/** A help text with fewer flags is none of codex's. */
const LEAST_FLAGS = 5;

/** Which program is asked, and how. */
export interface ProbeRequest {
  /** Absolute. */
  program: string;
  /** Where probes are kept. */
  stateHome: string;
  environment: NodeJS.ProcessEnv;
  /** See AskOptions. */
  mark?: string | undefined;
  limitMs?: number;
  /** Where it runs, absolute; the temp folder by default. */
  cwd?: string;
  /** Nothing is kept of what was found out. */
  isReadOnly?: boolean;
}

/**
 * Asks a codex for its version and, once for each version of a program file, for its flags. undefined where it gives no
 * answer that codex would give: then nothing is known, and the caller assumes the tested version. Never throws.
 *
 * A wrapper's file stays the same when the codex behind it is another one: so the version is asked each time.
 */
export async function probeCodex(request: ProbeRequest): Promise<ProgramProbe | undefined> {
  const { program, stateHome } = request;
  const version = versionOf(textOf(await ask(request, ['--version'])));
  if (version === undefined) return undefined;
  const kept = readProbe(stateHome, program);
  if (kept?.version === version) return kept;
  const help = textOf(await ask(request, ['exec', '--help']));
  const flags = flagsInHelp(help);
  if (flags.length < LEAST_FLAGS) return undefined;
  const canResume = hasCommandInHelp(help, 'resume');
  const resumeHelp = canResume ? textOf(await ask(request, ['exec', 'resume', '--help'])) : undefined;
  const probe = { version, flags, resumeFlags: resumeHelp === undefined ? null : flagsInHelp(resumeHelp) };
  if (!request.isReadOnly) keepProbe(stateHome, program, probe);
  return probe;
}

/** Asks codex something that it answers without a session. */
export function ask(
  { program, environment, mark, limitMs = LIMIT_MS, cwd = tmpdir() }: Omit<ProbeRequest, 'stateHome'>,
  words: readonly string[],
): Promise<ProgramAnswer> {
  return askProgram([program, ...words], {
    environment: scrubEnvironment(environment, [], {}),
    cwd,
    limitMs,
    mark,
  });
}

function textOf({ exitCode, stdout }: ProgramAnswer): string {
  return exitCode === 0 ? stdout : '';
}
