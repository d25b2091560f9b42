import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANSWER, atLimit, eventsOf, idsOf, limitedCodex, unitOf, wakes } from '../helpers/limited-codex.ts';
import { runRoom } from '../helpers/run-room.ts';
import { killSupervisors } from '../helpers/supervisor-kill.ts';
import { waitFor } from '../helpers/wait-for.ts';

// Accounts that meet a limit with a reset, with the real codex.

const codex = limitedCodex();

describe('a usage limit', () => {
  it('that hits on the third of 30 units: one wake, nothing is started before its reset, and all go on where they were', async () => {
    const seen = new Set<string>();
    let limit: ReturnType<typeof atLimit> | undefined;
    codex.instead((request) => {
      seen.add(unitOf(request));
      if ([...seen].indexOf(unitOf(request)) < 2) return undefined;
      limit ??= atLimit(8);
      return Date.now() < limit.resetMs ? limit.answer : undefined;
    });
    const room = runRoom();
    const jobs = 6;
    const run = await codex.start(room, idsOf(30), { settings: { jobs }, params: { wait: '300' } });
    const first = await room.cli.run(['wait', '--run', run.id], { code: 32 });
    expect(first.stdout).toMatch(/^WAIT-EVENT breaker run=\S+ events=\d+-\d+ /);
    expect(first.stdout).toMatch(
      /^BREAKER codex open\(usage-limit\) until .*\d\d:\d\d:\d\d local time \(in \d+\.\ds\); /m,
    );
    expect(first.stdout).toContain(`NEXT prun wait --run ${run.id} (it goes on by itself after the reset`);
    const status = await room.cli.run(['status', '--run', run.id]);
    expect(status.stdout).toMatch(/^UNIT u\d+ queued attempt 2 \(the breaker of codex is open until /m);
    expect(status.stdout).toMatch(/^UNIT u30 queued \(the breaker of codex is open until /m);
    const doubts = await room.cli.run(['reconcile', '--run', run.id], { code: 36 });
    expect(doubts.stdout).toContain('the breaker of codex is open until');
    const ledger = path.join(run.folder, 'agent-io/ledger.md');
    await waitFor('the ledger to name the breaker', () =>
      readFileSync(ledger, 'utf8').includes('- Breaker: codex is open (usage-limit) until '),
    );
    const resetMs = limit?.resetMs ?? 0;
    const { breakers } = JSON.parse((await room.cli.run(['status', '--run', run.id, '--json'])).stdout);
    expect(breakers).toMatchObject([
      { executor: 'codex', reason: 'usage-limit', until: new Date(resetMs).toISOString() },
    ]);

    // Told once: it sleeps over the reset to the end.
    await room.cli.run(['wait', '--run', run.id]);
    const ends = await run.done();
    expect(wakes(run)).toHaveLength(1);
    expect([...ends.values()].filter(({ status: state }) => state === 'succeeded')).toHaveLength(30);
    const opened = Date.parse(eventsOf(run, 'breaker')[0]?.at ?? '');
    const starts = eventsOf(run, 'dispatching').map(({ n, unit, at }) => ({ n, unit, at: Date.parse(at) }));
    expect(starts.filter(({ at }) => at <= opened).length).toBeLessThanOrEqual(3 + jobs);
    expect(starts.filter(({ at }) => at > opened && at < resetMs)).toEqual([]);
    const parked = eventsOf(run, 'ended').filter(({ isFinal }) => !isFinal);
    expect(parked.length).toBeGreaterThan(0);
    // One of those that had begun is tried first.
    const [, closed] = eventsOf(run, 'breaker');
    expect(closed).toMatchObject({ state: 'closed', wakes: false });
    const probes = starts.filter(({ n, at }) => at > opened && n < (closed?.n ?? 0));
    expect(probes).toHaveLength(1);
    expect(parked.map(({ unit }) => unit)).toContain(probes[0]?.unit);
    for (const { unit, sessionId } of parked) {
      expect(ends.get(unit)).toMatchObject({ attempt: 2, sessionId });
      expect(run.attempts(unit)[1]?.record.resumed).toMatchObject({ sessionId });
    }
    // Whatever was not parked was begun once.
    expect(eventsOf(run, 'running')).toHaveLength(30 + parked.length);
  });

  it('that is not over at its reset is news; a successor knows when it is to be tried', async () => {
    const limited = new Set(['u1', 'u2']);
    codex.instead((request) => (limited.has(unitOf(request)) ? atLimit(4).answer : undefined));
    const room = runRoom();
    const run = await codex.start(room, idsOf(4), { settings: { jobs: 1 } });
    await room.cli.run(['wait', '--run', run.id], { code: 32 });
    await killSupervisors(run);
    const before = eventsOf(run, 'dispatching').length;

    await room.cli.run(['wait', '--run', run.id], { code: 32 });
    const [probe, ...more] = eventsOf(run, 'dispatching').slice(before);
    expect([probe?.unit, more]).toEqual(['u1', []]);
    const opened = eventsOf(run, 'breaker');
    expect(opened.map(({ state, wakes: isNews }) => [state, isNews])).toEqual([
      ['open', true],
      ['open', true],
    ]);
    expect(Date.parse(probe?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(opened[0]?.until ?? ''));
    // However near the reset is that the server names.
    expect(Date.parse(opened[1]?.until ?? '') - Date.parse(opened[1]?.at ?? '')).toBeGreaterThan(29_000);

    limited.clear();
    await room.cli.run(['resume', '--run', run.id]);
    const ends = await run.done(60_000);
    expect([...ends.values()].map(({ status }) => status)).toEqual(Array(4).fill('succeeded'));
    expect(new Set(run.attempts('u1').map(({ outcome }) => outcome?.sessionId)).size).toBe(1);
  });

  it('keeps the others back until the unit that is tried first was answered, over a successor, too', async () => {
    let isMet = false;
    codex.instead((request) => {
      if (unitOf(request) !== 'u1') return undefined;
      if (isMet) return { case: 'plain', params: { text: ANSWER, wait: '4000' } };
      isMet = true;
      return atLimit(2).answer;
    });
    const room = runRoom();
    const run = await codex.start(room, idsOf(3), { settings: { jobs: 3, delay: 3 } });
    await run.event('running', 'u1', 2);
    await killSupervisors(run);
    await room.cli.run(['status', '--run', run.id]);
    const ends = await run.done(60_000);
    expect([...ends.values()].map(({ status }) => status)).toEqual(Array(3).fill('succeeded'));
    const order = run.events().flatMap((event) => {
      if (event.type === 'breaker') return [event.state];
      return event.type === 'dispatching' ? [event.unit] : [];
    });
    expect(order.slice(order.indexOf('open'))).toEqual(['open', 'u1', 'closed', 'u2', 'u3']);
  });
});
