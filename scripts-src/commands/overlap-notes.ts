import type { UnitSpec } from '../run/records.ts';
import { shortLine } from '../run/views/unit-text.ts';
import { type SharedOwns, sharedOwns } from '../workspace/delta/shared-owns.ts';

const NOTES = 5;
const GLOB_CHARS = 100;

/** One line for each pair of units that surely own the same files, at most five and one that says there are more. */
export function overlapNotes(specs: readonly UnitSpec[]): string[] {
  // Units without files of the repository own nothing; `after` hands files on, and both may change them in turn.
  const owners = specs.filter(({ mode, owns }) => mode !== 'scratch' && owns.length > 0);
  const found = sharedOwns(owners, NOTES + 1);
  const notes = found.slice(0, NOTES).map(noteOf);
  return found.length > NOTES ? [...notes, 'more units share what they own'] : notes;
}

function noteOf({ units: [one, other], globs: [glob, otherGlob] }: SharedOwns): string {
  const [mine, theirs] = [glob, otherGlob].map((text) => shortLine(text, GLOB_CHARS));
  return mine === theirs
    ? `units ${one} and ${other} both own ${mine}: their changes may clash; let each own files of its own`
    : `units ${one} and ${other} share what they own (${mine} and ${theirs}): their changes may clash; let each own files of its own`;
}
