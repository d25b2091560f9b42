import { expect, it } from 'vitest';
import { lastValue, readFlags } from '../../scripts-src/platform/read-flags.ts';

const read = (argv: string[]) => readFlags(argv, { values: ['--poll'], switches: ['--now'] });
const NOTHING = { help: false, values: [], switches: [], operands: [] };

it.each([
  [['--poll', '5', 'a'], { values: [['--poll', ['5']]], operands: ['a'] }],
  [['a', '--poll=5', 'b'], { values: [['--poll', ['5']]], operands: ['a', 'b'] }],
  [['--poll=a=b'], { values: [['--poll', ['a=b']]] }],
  [['--poll='], { values: [['--poll', ['']]] }],
  [['--poll', '-1'], { values: [['--poll', ['-1']]] }],
  [['--poll=1', '--poll', '2'], { values: [['--poll', ['1', '2']]] }],
  [['--now', 'a'], { switches: ['--now'], operands: ['a'] }],
  [['--', '--poll', '-x'], { operands: ['--poll', '-x'] }],
  [['-h', '-'], { help: true, operands: ['-'] }],
])('%j', (argv, expected) => {
  const { help, values, switches, operands } = read(argv);
  expect({ help, values: [...values], switches: [...switches], operands }).toEqual({
    ...NOTHING,
    ...expected,
  });
});

it.each([
  [['--bogus', '1'], 'unknown flag --bogus'],
  [['--bogus=1'], 'unknown flag --bogus'],
  [['-p'], 'unknown flag -p'],
  [['a', '--poll'], '--poll has no value'],
  [['--now=1'], '--now takes no value'],
])('%j: %s', (argv, message) => expect(() => read(argv)).toThrow(message));

it('the last of several values wins', () => {
  expect(lastValue(read(['--poll=1', '--poll=2']), '--poll')).toBe('2');
  expect(lastValue(read([]), '--poll')).toBeUndefined();
});
