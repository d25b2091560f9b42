/**
 * The worker's parent on POSIX: a few lines of sh that outlive any dispatcher.
 *
 * - `trap :` and never `trap ''`: the latter is inherited by the worker and cannot be undone there.
 * - The soft RSS limit marks every descendant; Linux ignores it as a limit, and it survives `env -i`.
 * - `set -C` claims the start: whoever creates the file runs the worker, nobody else does.
 * - The worker runs in the foreground: in the background dash would start it with SIGINT ignored.
 * - The exit code is written even when nobody is left to wait; an empty file means not yet written.
 * (FACTS-processes.md, A shim that keeps the exit code)
 *
 * Arguments: started file, exit file, RSS mark in KiB or empty, then the worker's argv.
 */
export const SHIM = `trap : TERM INT HUP
started=$1 exit=$2 mark=$3
shift 3
[ -z "$mark" ] || ulimit -S -m "$mark" 2>/dev/null
( umask 077; set -C; echo $$ >"$started" ) 2>/dev/null || exit 125
"$@"
code=$?
umask 077
echo $code >"$exit"
exit $code`;

/** `$0` of the shim: its complaints about a program that cannot be started begin with it. */
export const SHIM_NAME = 'prun-shim';

/** argv of a shim that runs `worker`. Paths are absolute. */
export function shimArgv(
  startedFile: string,
  exitFile: string,
  rssMarkKib: string,
  worker: string[],
): string[] {
  return ['-c', SHIM, SHIM_NAME, startedFile, exitFile, rssMarkKib, ...worker];
}
