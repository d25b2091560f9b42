import { existsSync, realpathSync } from 'node:fs';
import { EXIT, usageError } from '../platform/errors.ts';
import { conflictJson, conflictLinesOf } from '../render/conflict-table.ts';
import { loadDeltas } from '../workspace/delta/load-delta.ts';
import { refuseChangedPatches } from '../workspace/delta/verify-patch.ts';
import { conflictMatrix } from '../workspace/merge/conflict-matrix.ts';
import { CONFLICTS_HELP, type ConflictsRequest, parseConflicts } from './conflicts-arguments.ts';
import { deltaNotes } from './delta-notes.ts';
import { deltasOfRun, type RunDeltas } from './run-deltas.ts';

export { CONFLICTS_HELP } from './conflicts-arguments.ts';

/**
 * `prun conflicts`: prints how deltas go together; 0 where they do, 35 where they do not. A file outside what its
 * unit owns counts too: `prun conflicts … && prun apply …` must not put in what the split had forbidden, unless
 * somebody looked and says `--allow-outside`.
 */
export async function conflicts(argv: readonly string[]): Promise<number> {
  const request = parseConflicts(argv, process.env);
  if (request.help) {
    process.stdout.write(CONFLICTS_HELP);
    return EXIT.ok;
  }
  const { patches, notes: ofRun } = deltasFor(request);
  const deltas = await loadDeltas(patches);
  await refuseChangedPatches(patches);
  const notes = [...ofRun, ...deltaNotes(patches)];
  for (const note of notes) process.stderr.write(`prun conflicts: note: ${note}\n`);
  const matrix = await conflictMatrix(deltas);
  const text = request.json
    ? `${JSON.stringify(conflictJson(matrix), null, 2)}\n`
    : conflictLinesOf(matrix)
        .map((line) => `${line}\n`)
        .join('');
  process.stdout.write(text);
  const isOutside = matrix.outside.length > 0 && !request.allowOutside;
  const isAll = matrix.order.leftOut.length === 0;
  return matrix.pairs.length === 0 && isAll && !isOutside ? EXIT.ok : EXIT.conflict;
}

function deltasFor({ run, units, patches, stateHome }: ConflictsRequest): RunDeltas {
  if (run === undefined) return { patches: distinct(patches), notes: [] };
  return deltasOfRun({ stateHome, run, units });
}

/** The same file twice, also by a link, would clash with nothing and stand twice in every list. */
function distinct(patches: readonly string[]): string[] {
  const seen = new Set<string>();
  for (const file of patches) {
    const real = existsSync(file) ? realpathSync(file) : file;
    if (seen.has(real)) throw usageError(`patch ${file} is given twice`, 'give each patch once');
    seen.add(real);
  }
  return [...patches];
}
