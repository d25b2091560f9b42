import { stateFile } from '../unit/state-dir.ts';

/**
 * The worker's parent on POSIX: a few lines of sh that outlive any dispatcher.
 *
 * - `trap :` and never `trap ''`: the latter is inherited by the worker and cannot be undone there.
 * - The soft RSS limit marks every descendant; Linux ignores it as a limit, and it survives `env -i`.
 * - Nothing is started that nobody would reap: it waits (up to 5 s) until the guardian has left its pid.
 * - The user's PATH may lack the system's folders: then a failing `sleep` made this wait no wait.
 * - `set -C` claims the start: whoever creates the file runs the worker, nobody else does.
 * - The worker runs in the foreground: in the background dash would start it with SIGINT ignored.
 * - The exit code is written even when nobody is left to wait; an empty file means not yet written.
 * (FACTS-processes.md, A shim that keeps the exit code)
 *
 * Arguments: started file, exit file, guardian pid file, RSS mark in KiB or empty, the worker's umask, then
 * its argv.
 */
export const SHIM = `trap : TERM INT HUP
started=$1 exit=$2 guardian=$3 mark=$4 mask=$5
shift 5
tries=0
while [ ! -s "$guardian" ]; do
  tries=$((tries + 1))
  [ $tries -lt 500 ] || exit 125
  PATH=/usr/bin:/bin:$PATH sleep 0.01
done
[ -z "$mark" ] || ulimit -S -m "$mark" 2>/dev/null
umask 077
set -C
{ echo $$ >"$started"; } 2>/dev/null || exit 125
set +C
umask "$mask"
"$@"
code=$?
umask 077
echo $code >"$exit"
exit $code`;

/** `$0` of the shim: its complaints about a program that cannot be started begin with it. */
export const SHIM_NAME = 'prun-shim';

/** Exit code of a shim that did not run the worker: no guardian, or the start was claimed by somebody else. */
export const SHIM_REFUSED = 125;

/** Whose worker a shim runs. Paths are absolute. */
export interface ShimPlace {
  stateDir: string;
  /** Soft RSS limit in KiB, or empty. */
  rssMarkKib: string;
  /** The state dir's own file by default. */
  guardianPidFile?: string;
}

/** argv of a shim that runs `worker` for an attempt. */
export function shimArgv({ stateDir, rssMarkKib, guardianPidFile }: ShimPlace, worker: string[]): string[] {
  const files = [stateFile(stateDir, 'started'), stateFile(stateDir, 'exit')];
  const guardian = guardianPidFile ?? stateFile(stateDir, 'guardianPid');
  const mask = process.umask().toString(8);
  return ['-c', SHIM, SHIM_NAME, ...files, guardian, rssMarkKib, mask, ...worker];
}
