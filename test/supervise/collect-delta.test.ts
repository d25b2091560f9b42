import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomHex } from '../../scripts-src/platform/random.ts';
import { currentHost } from '../../scripts-src/process/host.ts';
import { type Collection, collectDelta } from '../../scripts-src/supervise/collect-delta.ts';
import { readDelta } from '../../scripts-src/supervise/delta-facts.ts';
import { processesOf } from '../helpers/process-table.ts';
import { scratch } from '../helpers/unit-run.ts';

/** Runs a collection by a `prun` of that text. */
async function collect(script: string, change: Partial<Collection> = {}) {
  const stateDir = scratch();
  const prun = path.join(stateDir, 'prun.cjs');
  writeFileSync(prun, script);
  const host = await currentHost();
  const marker = `unit-${randomHex(16)}`;
  const since = host.entry(process.pid)?.startOrder ?? 0;
  const from = performance.now();
  const collected = await collectDelta({ host, prun, clone: '/clone', stateDir, marker, since, ...change });
  const left = process.platform === 'linux' ? processesOf({ marker, rssMark: null }) : [];
  return { collected, left, tookMs: performance.now() - from };
}

const DEAF =
  "for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});" +
  "require('node:child_process').spawn('sleep', ['300'], { stdio: 'inherit', detached: true });" +
  'setInterval(() => {}, 1000);';

describe('a collection', () => {
  it('gives what was printed, whole', async () => {
    const { collected } = await collect("process.stdout.write('x'.repeat(3_000_000))");
    expect(collected).toEqual({ kind: 'printed', text: 'x'.repeat(3_000_000) });
  });

  it('that takes too long is ended with all that it started, and named', async () => {
    const { collected, left, tookMs } = await collect(DEAF, { limitMs: 500 });
    expect(collected).toEqual({ kind: 'failed', detail: 'prun collect took more than 0.5 s and was ended' });
    expect(left).toEqual([]);
    expect(tookMs).toBeLessThan(3000);
  });

  it('ends when its supervisor is to end', async () => {
    const stop = new Promise((resolve) => setTimeout(resolve, 200));
    const { collected, left } = await collect(DEAF, { stop });
    expect(collected).toEqual({ kind: 'stopped' });
    expect(left).toEqual([]);
  });

  it('cannot be started in a folder that has gone', async () => {
    const { collected } = await collect('', { stateDir: '/none/at all' });
    expect(collected).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('could not be started'),
    });
  });
});

describe('the record of a delta', () => {
  const record = {
    base: 'a',
    result: 'b',
    files: [
      { status: 'type-changed', path: { base64: Buffer.from('x\xff', 'latin1').toString('base64') } },
      { status: 'added', path: 'y' },
    ],
    moves: [{ path: 'sub' }],
    commits: [],
    problems: Array.from({ length: 40 }, (_, number) => ({
      path: `p${number}`,
      what: 'is\na pipe '.repeat(60),
      lost: number > 1,
    })),
    ignored: ['dist'],
    outside: [],
    patch: { path: '/p' },
  };

  it('is short in an outcome, and whole for the check of claims', () => {
    const delta = readDelta(JSON.stringify(record), '/clone', '/state/delta.patch');
    expect(delta?.summary).toMatchObject({
      files: 2,
      added: 1,
      modified: 1,
      deleted: 0,
      moves: 1,
      problems: 40,
    });
    expect(delta?.summary.lost).toHaveLength(10);
    for (const line of delta?.summary.lost ?? []) expect(line).toMatch(/^p\d+: is a pipe .{0,190}$/);
    expect(delta?.facts).toMatchObject({ changed: ['x\xff', 'y', 'sub'], ignored: ['dist'] });
    expect(delta?.facts.lost).toHaveLength(38);
  });

  it.each(['', '{', '[]', 'null', '{"base":"a"}', JSON.stringify({ ...record, files: 3 })])(
    '%j is none',
    (text) => {
      expect(readDelta(text, '/clone', '/patch')).toBeUndefined();
    },
  );
});
