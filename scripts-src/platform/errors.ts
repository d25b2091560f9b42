/** Exit codes that mean the same everywhere in prun (DESIGN.md §5 and §6). */
export const EXIT = {
  ok: 0,
  usage: 2,
  attention: 3,
  unitFailed: 30,
  conflict: 35,
  tripwire: 37,
  noResult: 74,
  reaped: 124,
  notExecutable: 126,
  notFound: 127,
} as const;

/**
 * A fault that the user can act on: what is wrong (with the value), what to do, and the exit code.
 * Printed as `<program>: <message>: <next step>`, never with a stack trace.
 */
export class PrunError extends Error {
  readonly code: string;
  readonly next: string;
  readonly exitCode: number;

  constructor(code: string, message: string, next: string, exitCode: number = EXIT.usage) {
    super(message);
    this.name = 'PrunError';
    this.code = code;
    this.next = next;
    this.exitCode = exitCode;
  }
}

/** A mistake in how a command was called: exit code 2. */
export function usageError(message: string, next: string): PrunError {
  return new PrunError('E_USAGE', message, next, EXIT.usage);
}

/** The errno name of a system error (`ENOENT`, `ENOSPC`), or undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}

/** The one-line text of any thrown value, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isCwdGone(error: unknown): boolean {
  return (
    errnoOf(error) === 'ENOENT' && error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd'
  );
}

/** Nobody reads any more (`| head`): the work goes on to its end, and its exit code stays true. */
function ignoreClosedPipe(error: Error): void {
  if (errnoOf(error) !== 'EPIPE') throw error;
}

/** Runs a program's main function; a PrunError becomes one line on stderr and its exit code. */
export async function runMain(program: string, main: () => Promise<number> | number): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  try {
    process.exitCode = await main();
  } catch (thrown) {
    const error = isCwdGone(thrown)
      ? usageError('the current folder does not exist any more', 'change to one that does')
      : thrown;
    if (!(error instanceof PrunError)) throw error;
    // One line, whatever path with a newline in it stands in the message.
    process.stderr.write(
      `${program}: ${error.message}: ${error.next}`.replace(/\s*[\r\n]+\s*/g, ' ').concat('\n'),
    );
    process.exitCode = error.exitCode;
  }
}
