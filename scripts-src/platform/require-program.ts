import { EXIT, PrunError } from './errors.ts';
import { resolveProgram } from './resolve-program.ts';

/**
 * The absolute path of the program that `name` means, as execvp(3) would find it with this PATH in this folder. Throws
 * a PrunError with a shell's own code: 127 where there is none, 126 where it cannot be executed.
 */
export function requireProgram(
  name: string,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const program = resolveProgram(name, cwd, environment);
  if (program.kind === 'found') return program.path;
  if (program.kind === 'missing') {
    const next = 'give a program that is on PATH, or its path';
    throw new PrunError('E_COMMAND', `${program.tried} was not found`, next, EXIT.notFound);
  }
  const next = 'make it executable, or start it by its interpreter';
  throw new PrunError('E_COMMAND', `${program.path} is not executable`, next, EXIT.notExecutable);
}
