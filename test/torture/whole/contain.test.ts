import { spawnSync } from 'node:child_process';
import { describe, it } from 'vitest';
import { TREES } from '../trees.ts';
import { runUnitCase } from '../unit-case.ts';

const probe = ['--user', '--map-current-user', '--pid', '--fork', '--kill-child=KILL', 'true'];
const works = spawnSync('unshare', probe).status === 0;

describe.skipIf(!works)('units that are contained in a pid namespace', () => {
  const cases = TREES.flatMap((tree) => (['TERM', 'KILL', 'normal'] as const).map((end) => ({ tree, end })));
  it.each(cases.map((unit) => ({ ...unit, name: unit.tree.name })))(
    '$name: nothing is left after $end',
    async ({ tree, end }) => {
      await runUnitCase({ tree, end, worker: 'plain', hasText: true, contain: true });
    },
  );
});
