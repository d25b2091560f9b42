/** Exit codes that mean the same everywhere in prun (DESIGN.md §5 and §6). */
export const EXIT = {
  ok: 0,
  usage: 2,
  attention: 3,
  unitFailed: 30,
  stalled: 31,
  breakerOpen: 32,
  deadline: 33,
  supervisorLost: 34,
  conflict: 35,
  notReconciled: 36,
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

/** A system error (ENOSPC, EACCES, …) as one that a person can act on; a PrunError as it is; undefined for a bug. */
export function plainError(thrown: unknown): PrunError | undefined {
  if (thrown instanceof PrunError) return thrown;
  const code = errnoOf(thrown);
  if (code === undefined || !(thrown instanceof Error && 'syscall' in thrown)) return undefined;
  const { syscall } = thrown;
  if (typeof syscall !== 'string') return undefined;
  if (code === 'ENOENT' && syscall === 'uv_cwd') {
    return usageError('the current folder does not exist any more', 'change to one that does');
  }
  const where = 'path' in thrown && typeof thrown.path === 'string' ? ` for ${thrown.path}` : '';
  return new PrunError(code, `${syscall} failed${where} (${code})`, stepAfter(code), 1);
}

/** What is wrong and what to do, as one line, whatever path with a newline in it stands in the message. */
export function lineOf(error: PrunError): string {
  return `${error.message}: ${error.next}`.replace(/\s*[\r\n]+\s*/g, ' ');
}

function stepAfter(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'make room on the disk, and run the command again';
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'make it readable and writable, or give another folder';
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open: raise the limit (ulimit -n), and run the command again';
    default:
      return 'look at the path, and run the command again';
  }
}

/** Nobody reads any more (`| head`): the work goes on to its end, and its exit code stays true. */
function ignoreClosedPipe(error: Error): void {
  if (errnoOf(error) !== 'EPIPE') throw error;
}

/**
 * Runs a program's main function; a PrunError or a system error becomes one line on stderr and its exit code. A bug
 * keeps its stack.
 */
export async function runMain(program: string, main: () => Promise<number> | number): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  try {
    process.exitCode = await main();
  } catch (thrown) {
    const error = plainError(thrown);
    if (error === undefined) throw thrown;
    process.stderr.write(`${program}: ${lineOf(error)}\n`);
    process.exitCode = error.exitCode;
  }
}
