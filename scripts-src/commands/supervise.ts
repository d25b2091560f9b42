import { EXIT, usageError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { readRun } from '../run/run-folder.ts';
import { superviseRun } from '../run/supervisor/supervise-run.ts';

/**
 * The supervisor of a run. Other commands start it, detached, and its guardian does when it was killed; nobody needs to
 * call it. Ends with 0 when the run is done, or somebody else supervises it.
 */
export async function supervise(argv: readonly string[], prun: string): Promise<number> {
  // A terminal that closes is no reason to end. SIGTERM is: the guardian then starts a successor.
  process.on('SIGHUP', () => {});
  process.on('SIGINT', () => {});
  // Its log may be on a disk that is full: no reason to end either.
  process.stderr.removeAllListeners('error').on('error', () => {});
  const flags = readFlags(argv, { values: ['--run-dir'] });
  const folder = lastValue(flags, '--run-dir');
  const run = folder === undefined ? undefined : readRun(folder);
  if (!run) throw usageError(`there is no run in ${JSON.stringify(folder ?? '')}`, 'see prun list');
  await superviseRun(run, await currentHost(), prun);
  // Pipes and watchers may still be open: the run is done, and so is this.
  process.exit(EXIT.ok);
}
