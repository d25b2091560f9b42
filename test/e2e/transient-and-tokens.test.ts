import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf, idsOf, limitedCodex, unitOf, wakes } from '../helpers/limited-codex.ts';
import { runRoom } from '../helpers/run-room.ts';
import { killSupervisors } from '../helpers/supervisor-kill.ts';
import { waitFor } from '../helpers/wait-for.ts';

// Failures that may be over soon, rate limits and limits of tokens, with the real codex.

const codex = limitedCodex();

describe('a failure that may be over soon', () => {
  it('is tried again after a pause in the same session, and wakes nobody', async () => {
    const failed = new Set<string>();
    codex.instead((request) => {
      const unit = unitOf(request);
      if (failed.has(unit)) return undefined;
      failed.add(unit);
      return 'overloaded';
    });
    const room = runRoom();
    const run = await codex.start(room, ['u1'], { settings: { backoff: 2 } });
    const queued = await run.event('queued', 'u1', 2);
    expect(queued).toMatchObject({ why: 'transient', resume: { sessionId: expect.any(String) } });
    const { stdout } = await room.cli.run(['status', '--run', run.id]);
    expect(stdout).toMatch(/^UNIT u1 queued attempt 2 \(again at \d\d:\d\d:\d\d\)/m);
    const ends = await run.done(60_000);
    expect(ends.get('u1')).toMatchObject({
      status: 'succeeded',
      attempt: 2,
      sessionId: queued.resume?.sessionId,
    });
    const start = eventsOf(run, 'dispatching')[1]?.at ?? '';
    expect(Date.parse(start)).toBeGreaterThanOrEqual(Date.parse(queued.notBefore ?? ''));
    expect(wakes(run)).toEqual([]);
  });

  it('fails for good when its tries are used up, those before a successor counted, and its retries', async () => {
    codex.instead(() => 'overloaded');
    const room = runRoom();
    const run = await codex.start(room, ['u1'], { settings: { backoff: 2, transientRetries: 1 } });
    await run.event('queued', 'u1', 2);
    await killSupervisors(run);
    const told = await room.cli.run(['wait', '--run', run.id], { code: 30 });
    expect(told.stdout).toContain('UNIT u1 failed(overloaded)');
    expect(eventsOf(run, 'ended').map(({ isFinal }) => isFinal)).toEqual([false, true]);
  });

  it('lowers the jobs of its account, and units that end well raise them', async () => {
    const failed = new Set<string>();
    codex.instead((request) => {
      const unit = unitOf(request);
      if (failed.has(unit) || failed.size >= 4) return undefined;
      failed.add(unit);
      return 'overloaded';
    });
    const room = runRoom();
    const run = await codex.start(room, idsOf(6), {
      settings: { jobs: 4, backoff: 1 },
      params: { wait: '1200' },
    });
    await run.event('note');
    const held = path.join(run.folder, 'held');
    await waitFor(
      'lowered jobs that hold a unit',
      () => existsSync(held) && / lowered to /.test(readFileSync(held, 'utf8')),
    );
    const { stdout } = await room.cli.run(['status', '--run', run.id]);
    expect(stdout).toMatch(/ queued .*\(jobs of codex lowered to [12] by rate limits\)/);
    const ends = await run.done(90_000);
    expect([...ends.values()].map(({ status }) => status)).toEqual(Array(6).fill('succeeded'));
    expect(eventsOf(run, 'note').map(({ text }) => text)[0]).toMatch(
      /^jobs of codex lowered to [12]: a unit met overloaded$/,
    );
  });
});

describe('a limit of tokens', () => {
  it('of the run stops new work, wakes once, and lets it go on when it is raised', async () => {
    const room = runRoom();
    const run = await codex.start(room, idsOf(4), { settings: { jobs: 1, runTokenLimit: 200 } });
    const told = await room.cli.run(['wait', '--run', run.id], { code: 32 });
    expect(told.stdout).toMatch(
      /^BREAKER run open\(token-limit\) until the limit is raised; 2 units queued: token limit of the run reached \(240 of 200\)$/m,
    );
    expect(told.stdout).toContain(`NEXT prun start --run ${run.id} --token-limit N`);
    const { stdout } = await room.cli.run(['status', '--run', run.id]);
    expect(stdout).toMatch(/^UNIT u3 queued \(token limit of the run reached \(240 of 200\)\)/m);
    expect(await room.cli.run(['wait', '--run', run.id], { code: 32 })).toBeDefined();
    await room.cli.run(['start', '--run', run.id, '--token-limit', '10000']);
    const ends = await run.done(60_000);
    expect([...ends.values()].map(({ status }) => status)).toEqual(Array(4).fill('succeeded'));
    expect(wakes(run)).toHaveLength(1);
  });

  it('of a unit leaves it no further attempt', async () => {
    const room = runRoom();
    const text = 'No result in this.';
    const run = await codex.start(room, ['u1'], { unit: { retries: 3, tokenLimit: 200 }, params: { text } });
    const ends = await run.done(60_000);
    expect(ends.get('u1')).toMatchObject({
      status: 'failed',
      reason: 'no-result',
      attempt: 2,
      isFinal: true,
    });
    expect(ends.get('u1')?.detail).toMatch(
      /^token limit of the unit reached \(240 of 200\), not tried again: /,
    );
  });

  it('of a unit ends its worker while it runs, and nothing follows by itself', async () => {
    codex.instead(() => ({ case: 'steps', params: { n: '60', cmd: 'sleep 0.5; echo {i}' } }));
    const room = runRoom();
    const wishes = { retries: 3, tokenLimit: 300, stallThreshold: 10 };
    const run = await codex.start(room, ['u1'], { unit: wishes });
    const ends = await run.done(60_000);
    expect(ends.get('u1')).toMatchObject({
      status: 'failed',
      reason: 'token-limit',
      attempt: 1,
      isFinal: true,
    });
    expect(ends.get('u1')?.detail).toMatch(/^more than the 300 tokens that were left to it /);
    expect(ends.get('u1')?.tokens).toBeGreaterThan(300);
  });
});
