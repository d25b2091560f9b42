import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { scrubEnvironment } from '../executor/scrub-environment.ts';
import { EXIT, PrunError } from '../platform/errors.ts';
import { PRIVATE_FILE, readEnd } from '../platform/files.ts';
import type { ProcessHost } from '../process/types.ts';
import { openRequests } from './requests.ts';
import { type Run, runFile } from './run-folder.ts';
import { viewRun } from './run-view.ts';
import { liveSupervisor } from './supervisor-state.ts';

/** A supervisor must be there within this time, ms: Node's start takes a tenth of a second, on a loaded machine more. */
const START_LIMIT_MS = 20_000;
const LOOK_MS = 10;

/**
 * Whether the run needs a supervisor: something was started and the last word, `all-done`, is missing, which one that
 * was killed at its end has not said, or a request is open.
 */
export function needsSupervisor(run: Run): boolean {
  if (openRequests(run).length > 0) return true;
  const { units, isAllDone } = viewRun(run);
  return !isAllDone && [...units.values()].some(({ state }) => state !== 'created');
}

/**
 * Starts a supervisor where one is needed and nobody is there; resolves when one is elected, or has done its work
 * already. Throws PrunError (exit 34) where it cannot be started. Does nothing for a run that was moved or copied: its
 * units belong to the folder where it was made.
 */
export async function ensureSupervisor(
  host: ProcessHost,
  run: Run,
): Promise<'alive' | 'started' | 'not-needed'> {
  if (!run.isHome) return 'not-needed';
  if (liveSupervisor(host, run) !== undefined) return 'alive';
  if (!needsSupervisor(run)) return 'not-needed';
  await startSupervisor(host, run);
  return 'started';
}

async function startSupervisor(host: ProcessHost, run: Run): Promise<void> {
  const log = openSync(runFile(run, 'supervisorLog'), 'a', PRIVATE_FILE);
  let end: { code: number | null; signal: NodeJS.Signals | null } | undefined;
  try {
    // The caller may be another script than prun itself: they lie side by side.
    const prun = path.join(__dirname, 'prun.cjs');
    const child = spawn(process.execPath, [prun, 'supervise', '--run-dir', run.folder], {
      cwd: run.folder,
      env: supervisorEnvironment(process.env),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', log],
    });
    child.once('exit', (code, signal) => {
      end = { code, signal };
    });
    child.once('error', () => {
      end = { code: null, signal: null };
    });
    child.unref();
  } finally {
    closeSync(log);
  }
  for (let waited = 0; waited < START_LIMIT_MS; waited += LOOK_MS) {
    if (liveSupervisor(host, run) !== undefined) return;
    // It may have been so quick that it has done everything, or another one was.
    if (end?.code === 0) return;
    if (end) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  const said = readEnd(runFile(run, 'supervisorLog'), 2048).trim().split('\n').at(-1) ?? '';
  throw new PrunError(
    'E_SUPERVISOR',
    `the supervisor of run ${run.record.id} could not be started${said === '' ? '' : ` (${said.slice(0, 400)})`}`,
    `see ${runFile(run, 'supervisorLog')}; workers that run go on, and every prun command for this run tries again`,
    EXIT.supervisorLost,
  );
}

/** Not the host session's keys, which it needs for nothing; but what steers prun itself. */
function supervisorEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const own = Object.keys(environment).filter((name) => /^PRUN_/i.test(name) && !/^PRUN_UNIT$/i.test(name));
  return scrubEnvironment(environment, own, {});
}
