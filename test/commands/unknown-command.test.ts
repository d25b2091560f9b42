import { expect, it } from 'vitest';
import { openPrun } from '../helpers/prun-cli.ts';
import { scratch } from '../helpers/unit-run.ts';

it.each([
  ['stat', 'is status meant? see prun --help'],
  ['recon', 'is reconcile meant? see prun --help'],
  ['aply', 'is apply meant? see prun --help'],
  ['sttaus', 'is status meant? see prun --help'],
  // What prun calls itself is nothing to type, and two letters begin too many words.
  ['superv', 'see prun --help'],
  ['st', 'see prun --help'],
  ['toString', 'see prun --help'],
])('%s is no command: %s', async (name, next) => {
  const { stdout, stderr } = await openPrun(scratch()).run([name], { code: 2 });
  expect([stdout, stderr]).toEqual(['', `prun: there is no command ${JSON.stringify(name)}: ${next}\n`]);
});
