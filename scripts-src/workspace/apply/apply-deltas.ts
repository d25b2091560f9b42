import path from 'node:path';
import { PrunError, usageError } from '../../platform/errors.ts';
import { sizeOf } from '../../platform/files.ts';
import { type LoadedDelta, loadDelta } from '../delta/load-delta.ts';
import { readPatchHeader } from '../delta/patch-file.ts';

/** A patch that is to be applied: by its trees, or, where there are none, by its text. */
export type ApplyInput =
  | { kind: 'delta'; unit: string; delta: LoadedDelta }
  | { kind: 'text'; unit: string; patchFile: string; mayBeEmpty: boolean; delta: DeltaName | null };

/** What one delta is known by: a retried unit's next one has other trees. */
export interface DeltaName {
  /** Name of its set, which is that of its run. */
  set: string;
  unit: string;
  base: string;
  result: string;
}

/** The delta that an input is, null for a patch of other origin. */
export function deltaNameOf(input: ApplyInput): DeltaName | null {
  if (input.kind === 'text') return input.delta;
  const { unit, base, result, store } = input.delta;
  return { set: path.basename(path.dirname(store)), unit, base, result };
}

/** Whether an input changes any file. */
export function holdsFiles(input: ApplyInput): boolean {
  if (input.kind === 'delta') return input.delta.files.length > 0;
  return input.delta ? input.delta.base !== input.delta.result : !input.mayBeEmpty;
}

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
    return { kind: 'text', unit: path.basename(patchFile), patchFile, mayBeEmpty, delta: null };
  }
  try {
    return { kind: 'delta', unit: header.unit, delta: await loadDelta(patchFile) };
  } catch (error) {
    if (!(error instanceof PrunError && WITHOUT_TREES.includes(error.code))) throw error;
    const { unit, set, base, result } = header;
    return { kind: 'text', unit, patchFile, mayBeEmpty: true, delta: { unit, set, base, result } };
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
