/** Exit codes of a process that a signal ended, as shells give them (signal(7)). */
const SIGNAL_EXITS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Makes a watcher end as its callers expect: 128+n on a signal, and without a word when nobody reads stdout any
 * more (the exit code is then that of its event, or 141 as SIGPIPE gives). It holds nothing that would have to be
 * put away.
 */
export function endQuietly(): void {
  for (const [signal, code] of Object.entries(SIGNAL_EXITS)) process.on(signal, () => process.exit(code));
  process.stdout.on('error', () => process.exit(process.exitCode ?? 141));
  // Nobody is told of a warning that cannot be written.
  process.stderr.on('error', () => {});
}

/** Prints whole lines on stdout. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
