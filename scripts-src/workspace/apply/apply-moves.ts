import path from 'node:path';
import * as z from 'zod/mini';
import { type BytePath, pathFromJson, textOf } from '../../platform/byte-path.ts';
import { readOptional } from '../read-optional.ts';
import { UNIT_FILES } from '../workspace-set.ts';
import type { ApplyInput } from './apply-deltas.ts';
import type { SkippedMove } from './apply-records.ts';

const jsonPath = z.union([z.string(), z.object({ base64: z.string() })]);
const deltaMoves = z.object({
  base: z.string(),
  result: z.string(),
  moves: z.array(z.object({ path: jsonPath, base: z.string(), result: z.nullable(z.string()) })),
});

/** Submodules that the units left on other commits, from the records beside their stores. */
export function movesOf(root: string, inputs: readonly ApplyInput[]): SkippedMove[] {
  return inputs.flatMap((input) => {
    if (input.kind !== 'delta') return [];
    const { unit, store, base, result } = input.delta;
    const set = path.dirname(store);
    const record = deltaMoves.safeParse(
      parseJson(readOptional(path.join(set, 'units', unit, UNIT_FILES.delta)).toString('utf8')),
    );
    // The record is that of the last collect; an older patch of the unit says nothing of it.
    if (!record.success || record.data.base !== base || record.data.result !== result) return [];
    return record.data.moves.map((move): SkippedMove => {
      const where = pathFromJson(move.path);
      return {
        path: where,
        unit: input.unit,
        base: move.base,
        result: move.result,
        commands: commandsFor(root, path.join(set, 'clones', unit), where, move.result),
      };
    });
  });
}

/** A mixed reset moves the submodule's HEAD and index and leaves its files, which are applied already. */
function commandsFor(root: string, clone: string, where: BytePath, result: string | null): string[] {
  const here = path.join(root, textOf(where));
  if (result === null) return [`git -C ${quoted(root)} rm --cached ${quoted(textOf(where))}`];
  return [
    `git -C ${quoted(here)} fetch ${quoted(path.join(clone, textOf(where)))} ${result}`,
    `git -C ${quoted(here)} reset ${result}`,
  ];
}

/** One word for a shell. */
export function quoted(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No record, or a damaged one: then nobody knows of moves.
    return undefined;
  }
}
