import { EXIT, messageOf, PrunError } from '../platform/errors.ts';
import { moveFile, resultStateOf } from '../unit/result-file.ts';
import { stateFile } from '../unit/state-dir.ts';

/**
 * Moves an older result into the state dir: it is not this unit's, and its place is empty when the worker starts
 * (promise P3). Throws PrunError where it cannot be moved; then it is where it was.
 */
export function setPreviousResultAside(resultFile: string, stateDir: string): void {
  if (resultStateOf(resultFile) === 'missing') return;
  try {
    moveFile(resultFile, stateFile(stateDir, 'previousResult'));
  } catch (error) {
    throw new PrunError(
      'E_PREVIOUS_RESULT',
      `the older result ${resultFile} cannot be moved out of the way (${messageOf(error)})`,
      'make its folder writable, or give this unit another --result-file',
      EXIT.usage,
    );
  }
}
