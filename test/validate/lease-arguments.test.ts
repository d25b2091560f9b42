import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseLease } from '../../scripts-src/validate/lease-arguments.ts';
import { readSlots } from '../../scripts-src/validate/lease-slots.ts';

const messageOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Error && 'next' in error) return `${error.message}: ${error.next}`;
  }
  return 'accepted';
};

it.each([
  ['nothing', '', '--resource is missing: name what to hold, as in --resource heavy'],
  ['no command', '--resource heavy', 'there is no command: give it after --'],
  ['an empty command', '--resource heavy --', 'there is no command'],
  ['a command without --', '--resource heavy true', 'unexpected word "true": give the command after --'],
  ['a command and a hold', '--resource heavy --hold x -- true', '--hold and a command were both given'],
  ['a time with a unit', '--resource heavy --timeout 10m -- true', '--timeout is "10m"'],
  ['a flag that is none', '--ressource heavy -- true', 'unknown flag --ressource'],
  ['a list with a command', '--list -- true', '--list goes with --json'],
  ['json without a list', '--json --resource heavy -- true', '--json goes with --list'],
  ['an empty home', '--list --resource-home=', '--resource-home is empty'],
])('refuses %s', (_, words, message) => {
  expect(messageOf(() => parseLease(words === '' ? [] : words.split(' '), '/here'))).toContain(message);
});

it('takes names in order, each once, and leaves the command alone', () => {
  const words =
    '--resource b --resource a --resource=b --timeout 0 --resource-home r -- cmd --help --resource x';
  expect(parseLease(words.split(' '), '/here')).toEqual({
    kind: 'run',
    home: '/here/r',
    resources: ['a', 'b'],
    timeoutSeconds: 0,
    argv: ['cmd', '--help', '--resource', 'x'],
    folder: '',
  });
  expect(parseLease(['--resource', 'heavy', '--hold', 'd'], '/here')).toMatchObject({
    kind: 'hold',
    folder: '/here/d',
    timeoutSeconds: 3600,
  });
});

it.each([
  ['{"heavy": "two"}', 'gives heavy "two" slots, not a whole number from 1 to 1000'],
  ['{"heavy": 0}', 'gives heavy 0 slots'],
  ['{"heavy": 1.5}', 'gives heavy 1.5 slots'],
  ['{"a b": 1}', 'names "a b"'],
  ['[1]', 'holds no object of names and numbers'],
  ['{"heavy": ', 'is no JSON'],
  ['{"heavy": 3, "gpu": 1}', 'accepted'],
  ['\uFEFF{"heavy": 3}', 'accepted'],
])('settings %s', (text, message) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'prun-slots-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(path.join(home, 'slots.json'), text);
  const said = messageOf(() => readSlots(home));
  expect(said).toContain(message === 'accepted' ? message : `${home}/slots.json ${message}`);
});

it.skipIf(process.platform === 'win32')(
  'settings that are no file are refused, and nobody waits for a text',
  () => {
    const home = mkdtempSync(path.join(os.tmpdir(), 'prun-slots-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const file = path.join(home, 'slots.json');
    execFileSync('mkfifo', [file]);
    expect(messageOf(() => readSlots(home))).toContain(`${file} is no file`);
    rmSync(file);
    mkdirSync(file);
    expect(messageOf(() => readSlots(home))).toContain(`${file} is no file`);
  },
);
