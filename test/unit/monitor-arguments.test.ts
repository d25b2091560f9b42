import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secondsFrom, wholeSeconds } from '../../scripts-src/platform/whole-seconds.ts';
import { parseMonitor } from '../../scripts-src/unit/monitor-arguments.ts';
import { printedName } from '../../scripts-src/unit/printed-name.ts';

let dir: string;
beforeAll(() => {
  dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun-test-arguments-')));
  mkdirSync(path.join(dir, 'a b'));
  mkdirSync(path.join(dir, 'c'));
  symlinkSync(path.join(dir, 'c'), path.join(dir, 'link'));
  writeFileSync(path.join(dir, 'file'), '');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('wholeSeconds', () => {
  it.each([
    ['0', 0],
    ['600', 600],
    ['007', 7],
    ['4294967296', 4_294_967_296],
  ])('%s is %d', (text, seconds) => expect(wholeSeconds(text, '--poll')).toBe(seconds));

  it.each(['10m', '1.5', '-1', '+1', '1e3', '0x10', '', ' 5', '9007199254740991', 'Infinity'])(
    '%j is a usage error that names the value',
    (text) => {
      expect(() => wholeSeconds(text, 'PRUN_X')).toThrow(
        expect.objectContaining({ code: 'E_USAGE', exitCode: 2, message: expect.stringContaining('PRUN_X') }),
      );
      expect(() => wholeSeconds(text, 'PRUN_X')).toThrow(JSON.stringify(text));
    },
  );

  it('prefers the flag, then a variable that is not empty', () => {
    const setting = { flag: '--poll', variable: 'V', fallback: 15 };
    expect(secondsFrom(setting, '0', { V: '9' })).toBe(0);
    expect(secondsFrom(setting, undefined, { V: '9' })).toBe(9);
    expect(secondsFrom(setting, undefined, { V: '' })).toBe(15);
    expect(secondsFrom(setting, undefined, {})).toBe(15);
    expect(() => secondsFrom(setting, undefined, { V: '10m' })).toThrow('V is "10m"');
    expect(() => secondsFrom(setting, '10m', {})).toThrow('--poll is "10m"');
  });
});

describe('parseMonitor', () => {
  const parse = (argv: string[], environment = {}) => parseMonitor(argv, environment);

  it('has the defaults of the contract', () => {
    expect(parse([`${dir}/c`])).toEqual({
      help: false,
      stateDirs: [`${dir}/c`],
      stallThresholdSeconds: 600,
      pollSeconds: 15,
      timeoutSeconds: 3600,
      stableWindowSeconds: 10,
    });
  });

  it('reads the variables, and a flag wins', () => {
    const environment = {
      PRUN_STALL_THRESHOLD: '1',
      PRUN_MONITOR_POLL: '2',
      PRUN_MONITOR_TIMEOUT: '0',
      PRUN_MONITOR_STABLE_WINDOW: '4',
    };
    expect(parse([`${dir}/c`, '--poll', '9'], environment)).toMatchObject({
      stallThresholdSeconds: 1,
      pollSeconds: 9,
      timeoutSeconds: 0,
      stableWindowSeconds: 4,
    });
  });

  it('counts a state dir once, whatever leads to it', () => {
    expect(parse([`${dir}/c/`, `${dir}/link`, `${dir}/a b`, `${dir}/a b/../c`]).stateDirs).toEqual([
      `${dir}/c`,
      `${dir}/a b`,
    ]);
  });

  it.each([[[]], [['']], [['nope']], [['FILE']]])('%j is a usage error', (argv) => {
    const operands = argv.map((one) => (one === 'FILE' ? path.join(dir, 'file') : one));
    expect(() => parse(operands)).toThrow(expect.objectContaining({ exitCode: 2 }));
  });

  it('helps without state dirs', () => expect(parse(['--help']).help).toBe(true));
});

describe('printedName', () => {
  it.each([
    ['/a b/ü.md', '/a b/ü.md'],
    ['/a\nDONE /b', '"/a\\nDONE /b"'],
    ['"x"', '"\\"x\\""'],
    ['C:\\x', 'C:\\x'],
    ['/a\u2028b', '"/a\\u2028b"'],
    ['/a\u007fb', '"/a\\u007fb"'],
  ])('%j is printed as %s', (name, printed) => {
    expect(printedName(name)).toBe(printed);
    if (printed !== name) expect(JSON.parse(printed)).toBe(name);
  });
});
