import { expect, it } from 'vitest';
import type { UnitWish } from '../../scripts-src/run/manifest/new-spec.ts';
import { validationWish } from '../../scripts-src/run/validation-unit.ts';
import type { Job } from '../../scripts-src/validate/job.ts';

const JOB: Job = {
  file: '/jobs/job.json',
  sha256: '',
  worktree: '/jobs',
  commit: '0000000',
  environment: {},
  inheritEnvironment: ['CLAUDE_TOKEN'],
  stepTimeoutSeconds: 1800,
  commands: { smoke: ['true'], test: ['true'] },
  leftAside: [],
};

function unit(id: string, mode: UnitWish['mode'], more: Partial<UnitWish> = {}): UnitWish {
  return { id, executor: 'codex', mode, prompt: id, ...more };
}

it('comes after all units that change code, and gets what they get for a workspace', () => {
  const npm = { warm: ['node_modules'], setup: 'npm ci' };
  const units = [
    unit('a', 'clone', npm),
    unit('look', 'scratch'),
    unit('b', 'worktree', { ...npm, warm: ['.venv'] }),
  ];
  const wish = validationWish(units, JOB, '/prun.cjs');
  expect(wish).toMatchObject({
    ...{ id: 'validation', executor: 'command', mode: 'clone', after: ['a', 'b'], resources: ['heavy'] },
    ...{ warm: ['node_modules', '.venv'], setup: 'npm ci', passEnv: ['CLAUDE_TOKEN'] },
    // Steps have a limit of their own: nobody ends a silent one before, and nobody is woken by it.
    ...{ stallThreshold: 0, stallNotice: 0, timeout: 0 },
  });
});

it('takes no setup where units have several, and lets somebody hear of a silent step that has no limit', () => {
  const units = [unit('a', 'clone', { setup: 'npm ci' }), unit('b', 'clone', { setup: 'make deps' })];
  const wish = validationWish(units, { ...JOB, stepTimeoutSeconds: 0 }, '/prun.cjs');
  expect(wish.setup).toBeUndefined();
  expect(wish.stallNotice).toBeUndefined();
});
