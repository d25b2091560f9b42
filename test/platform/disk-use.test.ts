import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { diskUse } from '../../scripts-src/platform/disk-use.ts';
import { scratch } from '../helpers/unit-run.ts';

const MIB = 2 ** 20;

it('counts every file once, however many links it has, and follows no links', async () => {
  const folder = scratch();
  const [a, b] = [path.join(folder, 'a'), path.join(folder, 'b')];
  mkdirSync(a);
  mkdirSync(b);
  writeFileSync(path.join(a, 'big'), Buffer.alloc(MIB, 1));
  linkSync(path.join(a, 'big'), path.join(b, 'same'));
  symlinkSync('../a', path.join(b, 'link'), 'junction');
  const whole = await diskUse(folder);
  expect(whole.files).toBe(2);
  expect(whole.bytes).toBeGreaterThanOrEqual(MIB);
  expect(whole.bytes).toBeLessThan(1.2 * MIB);
  const [first, second, both] = [await diskUse(a), await diskUse(b), await diskUse(a, b)];
  expect(first.bytes).toBeGreaterThanOrEqual(MIB);
  expect(second.bytes).toBeGreaterThanOrEqual(MIB);
  expect(both.bytes).toBeLessThan(1.2 * MIB);
});

it.runIf(process.platform === 'linux')('counts what is allocated, and names that are no UTF-8', async () => {
  const folder = scratch();
  const odd = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]);
  mkdirSync(odd);
  writeFileSync(Buffer.concat([odd, Buffer.from('/f')]), Buffer.alloc(64 * 1024, 1));
  const { bytes, files } = await diskUse(folder);
  expect(files).toBe(1);
  expect(bytes).toBeGreaterThanOrEqual(64 * 1024);
});

it('a folder that is not there takes nothing', async () => {
  expect(await diskUse(path.join(scratch(), 'none'))).toEqual({ bytes: 0, files: 0 });
});
