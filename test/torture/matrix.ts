import { afterAll, beforeAll, describe, it } from 'vitest';
import { type CodexServer, startCodexServer } from '../helpers/codex-server.ts';
import { isRoot, ORDINARY_UID } from '../helpers/unit-run.ts';
import { seededRandom } from './random.ts';
import { TREES } from './trees.ts';
import { ENDS, runUnitCase, type UnitCase } from './unit-case.ts';

/** Every tree with every end under every worker, `repeats` times; as root every second repeat is somebody else's. */
export function wholeMatrix(repeats: number): UnitCase[] {
  const cases: UnitCase[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const worker of ['plain', 'codex'] as const) {
      for (const end of ENDS) {
        for (const tree of TREES) {
          const asOther = isRoot && repeat % 2 === 1;
          const hasText = end === 'normal' || (repeat + TREES.indexOf(tree)) % 2 === 0;
          cases.push({ tree, end, worker, hasText, ...(asOther ? { uid: ORDINARY_UID } : {}) });
        }
      }
    }
  }
  return cases;
}

/** Defines the tests of some cases; the real codex talks to a loopback stand-in of this file's own. */
export function describeCases(title: string, cases: readonly UnitCase[]): void {
  describe(title, () => {
    let server: CodexServer;
    beforeAll(async () => {
      server = await startCodexServer();
    });
    afterAll(async () => {
      await server.close();
    });
    it.each(cases.map((unit) => ({ ...unit, name: nameOf(unit) })))('$name', async (unit) => {
      await runUnitCase(unit, server.port);
    });
  });
}

function nameOf({ tree, end, worker, hasText, uid }: UnitCase): string {
  const who = uid === undefined ? '' : ' as another user';
  return `${tree.name} below a ${worker} worker${hasText ? ' with a result' : ''}${who}: nothing is left after ${end}`;
}

/** One of several files' share of the whole matrix. */
export function describeShard(shard: number, shards: number): void {
  const repeats = Number(process.env.PRUN_TORTURE_REPEATS ?? 5);
  // Shuffled by a fixed seed, so that slow and fast cases are spread over the files.
  const cases = seededRandom(1).shuffled(wholeMatrix(repeats));
  describeCases(
    `the torture matrix, part ${shard} of ${shards}`,
    cases.filter((_, at) => at % shards === shard - 1),
  );
}
