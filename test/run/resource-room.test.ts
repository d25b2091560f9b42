import { expect, it } from 'vitest';
import { lackedResource, type ResourceUser } from '../../scripts-src/run/resource-room.ts';

const inPlace = (wish: Partial<ResourceUser> = {}): ResourceUser => ({
  ...{ mode: 'inplace', executor: 'codex', resources: [] },
  ...wish,
});

it.each([
  ['two in place', inPlace(), [inPlace()], 'another unit is in the working tree'],
  ['one in place beside a clone', inPlace(), [inPlace({ mode: 'clone' })], undefined],
  ['one in place beside a subagent', inPlace(), [inPlace({ executor: 'session' })], undefined],
  ['two that share the tree', inPlace({ sharesTree: true }), [inPlace({ sharesTree: true })], undefined],
  [
    'a resource of its own',
    inPlace({ sharesTree: true, resources: ['db'] }),
    [inPlace({ resources: ['db'] })],
    '1 of 1 db in use',
  ],
  [
    'a slot of the machine',
    inPlace({ mode: 'clone', resources: ['heavy'] }),
    [inPlace({ resources: ['heavy'] })],
    undefined,
  ],
] as const)('who waits for whom: %s', (_, unit, active, wanted) => {
  expect(lackedResource(unit, active, {}, (name) => name === 'heavy')).toBe(wanted);
});
