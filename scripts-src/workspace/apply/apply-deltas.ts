import path from 'node:path';
import { PrunError, usageError } from '../../platform/errors.ts';
import { sizeOf } from '../../platform/files.ts';
import { type LoadedDelta, loadDelta } from '../delta/load-delta.ts';
import { readPatchHeader } from '../delta/patch-file.ts';

/** A patch that is to be applied: by its trees, or, where there are none, by its text. */
export type ApplyInput =
  | { kind: 'delta'; unit: string; delta: LoadedDelta }
  | { kind: 'text'; unit: string; patchFile: string; mayBeEmpty: boolean };

/** Faults of a delta's store; the patch itself is whole, and its text can be tried. */
const WITHOUT_TREES = ['E_STORE_GONE', 'E_STORE_DAMAGED', 'E_TREE_MISSING'];

/** Loads patches in their order. Throws a usage error for one that is missing, damaged or given twice. */
export async function loadInputs(patches: readonly string[]): Promise<ApplyInput[]> {
  const inputs: ApplyInput[] = [];
  for (const patch of patches) inputs.push(await loadInput(path.resolve(patch)));
  return withDistinctNames(inputs);
}

async function loadInput(patchFile: string): Promise<ApplyInput> {
  const header = readPatchHeader(patchFile);
  if (header === undefined) {
    // What git diff prints where nothing differs. Any other text without a patch in it is a mistake.
    const mayBeEmpty = sizeOf(patchFile) === 0;
    return { kind: 'text', unit: path.basename(patchFile), patchFile, mayBeEmpty };
  }
  try {
    return { kind: 'delta', unit: header.unit, delta: await loadDelta(patchFile) };
  } catch (error) {
    if (!(error instanceof PrunError && WITHOUT_TREES.includes(error.code))) throw error;
    return { kind: 'text', unit: header.unit, patchFile, mayBeEmpty: true };
  }
}

function withDistinctNames(inputs: readonly ApplyInput[]): ApplyInput[] {
  const files = inputs.map(fileOf);
  const twice = files.find((file, at) => files.indexOf(file) !== at);
  if (twice !== undefined) throw usageError(`patch ${twice} is given twice`, 'give each patch once');
  const names = inputs.map(({ unit }) => unit);
  return inputs.map((input) => {
    // Units of the same name from two runs are told apart by their patches.
    const isShared = names.filter((name) => name === input.unit).length > 1;
    return isShared ? { ...input, unit: `${input.unit} (${fileOf(input)})` } : input;
  });
}

function fileOf(input: ApplyInput): string {
  return input.kind === 'delta' ? input.delta.patchFile : input.patchFile;
}
