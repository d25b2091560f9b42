import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../scripts-src/run/records.ts';
import { codexHome, writeCodexBin } from '../helpers/codex-bin.ts';
import {
  type CodexCase,
  type CodexRequest,
  type CodexServer,
  type Instead,
  startCodexServer,
} from '../helpers/codex-server.ts';
import { type RunRoom, runRoom, type StartedRun } from '../helpers/run-room.ts';
import { killSupervisors } from '../helpers/supervisor-kill.ts';
import { waitFor } from '../helpers/wait-for.ts';

// Accounts that meet a limit, with the real codex against a loopback stand-in for its API.

let running: CodexServer | undefined;
beforeAll(async () => {
  running = await startCodexServer();
});
afterAll(() => running?.close());
beforeEach(() => server().instead(undefined));

function server(): CodexServer {
  if (!running) throw new Error('the stand-in is not running yet');
  return running;
}

const ANSWER =
  '# a result\nConclusion: done\nFiles: none (read-only)\nOpen items: none\nVerification: none\n';

/** A codex for all units of a room: one home, one account. */
function codexOf(room: RunRoom, name: CodexCase = 'plain', params: Record<string, string> = {}): string {
  const folder = path.join(room.folder, `codex-${name}`);
  mkdirSync(folder, { recursive: true });
  return writeCodexBin(folder, { port: server().port, case: name, params: { text: ANSWER, ...params } });
}

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `u${at + 1}`);

/** The unit that a request belongs to, by its prompt. */
function unitOf({ body }: CodexRequest): string {
  return /Task of (u\d+)\./.exec(JSON.stringify(body?.input ?? []))?.[1] ?? '';
}

function startUnits(
  room: RunRoom,
  units: readonly string[],
  settings: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
  params: Record<string, string> = {},
): Promise<StartedRun> {
  const codexBin = codexOf(room, 'plain', params);
  return room.start(
    units.map((id) => ({ id, prompt: `Task of ${id}.\n`, codexBin, ...more })),
    settings,
    // In codex's own record of the session stands the reset to the second.
    { environment: { CODEX_HOME: codexHome(path.dirname(codexBin)) } },
  );
}

/** The answer to a request of an account at its limit, whose reset is that many seconds away. */
function atLimit(seconds: number): Instead {
  return { case: 'usage', params: { resets: String(Math.ceil(Date.now() / 1000) + seconds) } };
}

const of = <T extends RunEvent['type']>(run: StartedRun, type: T): Extract<RunEvent, { type: T }>[] =>
  run.events().filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);

/** Events that wake, but for the end of all. */
const wakes = (run: StartedRun): RunEvent[] =>
  run.events().filter((event) => 'wakes' in event && event.wakes);

describe('a usage limit', () => {
  it('that hits on the third of 30 units: one wake, nothing is started before its reset, and all go on where they were', async () => {
    const seen = new Set<string>();
    let limit: Instead | undefined;
    let resetMs = Number.POSITIVE_INFINITY;
    server().instead((request) => {
      seen.add(unitOf(request));
      if (seen.size < 3 || [...seen].indexOf(unitOf(request)) < 2 || Date.now() >= resetMs) return undefined;
      limit ??= atLimit(8);
      if (typeof limit !== 'string') resetMs = Number(limit.params.resets) * 1000;
      return limit;
    });
    const room = runRoom();
    const jobs = 6;
    const run = await startUnits(room, idsOf(30), { jobs }, {}, { wait: '300' });
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
    const { breakers } = JSON.parse((await room.cli.run(['status', '--run', run.id, '--json'])).stdout);
    expect(breakers).toMatchObject([
      { executor: 'codex', reason: 'usage-limit', until: new Date(resetMs).toISOString() },
    ]);

    // Told once: it sleeps over the reset to the end.
    await room.cli.run(['wait', '--run', run.id]);
    const ends = await run.done();
    expect(wakes(run)).toHaveLength(1);
    expect([...ends.values()].filter(({ status: state }) => state === 'succeeded')).toHaveLength(30);
    const opened = Date.parse(of(run, 'breaker')[0]?.at ?? '');
    const starts = of(run, 'dispatching').map(({ n, unit, at }) => ({ n, unit, at: Date.parse(at) }));
    expect(starts.filter(({ at }) => at <= opened).length).toBeLessThanOrEqual(3 + jobs);
    expect(starts.filter(({ at }) => at > opened && at < resetMs)).toEqual([]);
    const parked = of(run, 'ended').filter(({ isFinal }) => !isFinal);
    expect(parked.length).toBeGreaterThan(0);
    // One of those that had begun is tried first.
    const [, closed] = of(run, 'breaker');
    expect(closed).toMatchObject({ state: 'closed', wakes: false });
    const probes = starts.filter(({ n, at }) => at > opened && n < (closed?.n ?? 0));
    expect(probes).toHaveLength(1);
    expect(parked.map(({ unit }) => unit)).toContain(probes[0]?.unit);
    for (const { unit, sessionId } of parked) {
      expect(ends.get(unit)).toMatchObject({ attempt: 2, sessionId });
      expect(run.attempts(unit)[1]?.record.resumed).toMatchObject({ sessionId });
    }
    // Whatever was not parked was begun once.
    expect(of(run, 'running')).toHaveLength(30 + parked.length);
  });

  it('that is not over at its reset is news; a successor knows when it is to be tried', async () => {
    const limited = new Set(['u1', 'u2']);
    server().instead((request) => (limited.has(unitOf(request)) ? atLimit(4) : undefined));
    const room = runRoom();
    const run = await startUnits(room, idsOf(4), { jobs: 1 });
    await room.cli.run(['wait', '--run', run.id], { code: 32 });
    await killSupervisors(run);
    const before = of(run, 'dispatching').length;

    await room.cli.run(['wait', '--run', run.id], { code: 32 });
    const [probe, ...more] = of(run, 'dispatching').slice(before);
    expect([probe?.unit, more]).toEqual(['u1', []]);
    const opened = of(run, 'breaker');
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
    server().instead((request) => {
      if (unitOf(request) !== 'u1') return undefined;
      if (isMet) return { case: 'plain', params: { text: ANSWER, wait: '4000' } };
      isMet = true;
      return atLimit(2);
    });
    const room = runRoom();
    const run = await startUnits(room, idsOf(3), { jobs: 3, delay: 3 });
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

describe('an account that somebody must see to', () => {
  it('holds its units until prun resume; other units go on, and a successor knows', async () => {
    server().instead(() => 'quota');
    const room = runRoom();
    const codexBin = codexOf(room);
    const unit = (id: string) => ({ id, prompt: `Task of ${id}.\n`, codexBin });
    const run = await room.start(
      [unit('u1'), unit('u2'), unit('u3'), { id: 'other', sh: 'sleep 2; echo other' }],
      { jobs: 2 },
    );
    const told = await room.cli.run(['wait', '--run', run.id], { code: 32 });
    expect(told.stdout).toMatch(/^BREAKER codex open\(quota\) until prun resume; /m);
    expect(told.stdout).toContain(`NEXT prun resume --run ${run.id}`);
    await run.event('ended', 'other');
    expect(of(run, 'ended').find((event) => event.unit === 'other')).toMatchObject({ status: 'succeeded' });

    await killSupervisors(run);
    const starts = of(run, 'dispatching').length;
    // Told before, and nothing will come by itself.
    const again = await room.cli.run(['wait', '--run', run.id], { code: 32 });
    expect(again.stdout).toMatch(/^WAIT-EVENT breaker run=\S+ events=none /);
    expect(await room.cli.run(['wait', '--run', run.id, '--unit', 'u2'], { code: 32 })).toBeDefined();
    expect(of(run, 'dispatching').length).toBe(starts);
    const cancelled = await room.cli.run(['cancel', '--run', run.id, '--unit', 'u3']);
    expect(cancelled.stdout).toContain('UNIT u3 cancelled');

    server().instead(undefined);
    const resumed = await room.cli.run(['resume', '--run', run.id], { environment: { NEW_LOGIN: 'yes' } });
    expect(resumed.stdout).toContain('u2');
    const ends = await run.done(60_000);
    expect(['u1', 'u2', 'u3'].map((id) => ends.get(id)?.status)).toEqual([
      'succeeded',
      'succeeded',
      'cancelled',
    ]);
    const sessions = run.attempts('u1').map(({ outcome }) => outcome?.sessionId);
    expect(sessions).toHaveLength(2);
    expect(new Set(sessions).size).toBe(1);
    const queued = of(run, 'queued').filter(({ unit: id }) => id === 'u2');
    expect(new Set(queued.map(({ environment }) => environment)).size).toBe(2);
    const nothing = await room.cli.run(['resume', '--run', run.id], { code: 'any' });
    expect(`${nothing.stdout}${nothing.stderr}`).toContain('no account is held');
  });

  it('lets a unit begin anew whose session has been lost meanwhile', async () => {
    server().instead(() => 'quota');
    const room = runRoom();
    const run = await startUnits(room, ['u1']);
    await room.cli.run(['wait', '--run', run.id], { code: 32 });
    rmSync(path.join(room.folder, 'codex-plain/codex-home/sessions'), { recursive: true });
    server().instead(undefined);
    await room.cli.run(['resume', '--run', run.id]);
    const ends = await run.done(60_000);
    expect(of(run, 'ended').map(({ reason, isFinal }) => [reason, isFinal])).toEqual([
      ['quota', false],
      ['session-lost', false],
      ['ok', true],
    ]);
    expect(ends.get('u1')).toMatchObject({ status: 'succeeded', attempt: 3 });
  });

  it('that is refused its login, too', async () => {
    server().instead(() => 'h401');
    const room = runRoom();
    const run = await startUnits(room, ['u1', 'u2'], { jobs: 1 });
    const told = await room.cli.run(['wait', '--run', run.id], { code: 32 });
    expect(told.stdout).toMatch(/^BREAKER codex open\(auth\) until prun resume; 2 units queued: /m);
    expect(wakes(run)).toHaveLength(1);
  });

  it('to which nobody is logged in: no attempt is begun, and the login is looked for again after prun resume', async () => {
    const room = runRoom();
    const real = codexOf(room);
    const login = path.join(room.folder, 'login');
    const codexBin = path.join(room.folder, 'codex');
    const refusal = `case "$*" in *'login status'*) [ -e '${login}' ] || { echo 'Not logged in' >&2; exit 1; };; esac`;
    writeFileSync(codexBin, `#!/bin/sh\n${refusal}\nexec '${real}' "$@"\n`, { mode: 0o755 });
    const run = await room.start(idsOf(2).map((id) => ({ id, prompt: `Task of ${id}.\n`, codexBin })));
    const told = await room.cli.run(['wait', '--run', run.id], { code: 32 });
    expect(told.stdout).toMatch(
      /^BREAKER codex open\(login\) until prun resume; 2 units queued: codex is not /m,
    );
    writeFileSync(login, '');
    await room.cli.run(['resume', '--run', run.id]);
    const ends = await run.done(60_000);
    expect([...ends.values()].map(({ status, attempt }) => [status, attempt])).toEqual([
      ['succeeded', 1],
      ['succeeded', 1],
    ]);
    expect(wakes(run)).toHaveLength(1);
  });
});

describe('a failure that may be over soon', () => {
  it('is tried again after a pause in the same session, and wakes nobody', async () => {
    const failed = new Set<string>();
    server().instead((request) => {
      const unit = unitOf(request);
      if (failed.has(unit)) return undefined;
      failed.add(unit);
      return 'overloaded';
    });
    const room = runRoom();
    const run = await startUnits(room, ['u1'], { jobs: 2, backoff: 2 });
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
    const start = of(run, 'dispatching')[1]?.at ?? '';
    expect(Date.parse(start)).toBeGreaterThanOrEqual(Date.parse(queued.notBefore ?? ''));
    expect(wakes(run)).toEqual([]);
  });

  it('fails for good when its tries are used up, those before a successor counted, and its retries', async () => {
    server().instead(() => 'overloaded');
    const room = runRoom();
    const run = await startUnits(room, ['u1'], { backoff: 2, transientRetries: 1 });
    await run.event('queued', 'u1', 2);
    await killSupervisors(run);
    const told = await room.cli.run(['wait', '--run', run.id], { code: 30 });
    expect(told.stdout).toContain('UNIT u1 failed(overloaded)');
    expect(of(run, 'ended').map(({ isFinal }) => isFinal)).toEqual([false, true]);
  });

  it('lowers the jobs of its account, and units that end well raise them', async () => {
    const failed = new Set<string>();
    server().instead((request) => {
      const unit = unitOf(request);
      if (failed.has(unit) || failed.size >= 4) return undefined;
      failed.add(unit);
      return 'overloaded';
    });
    const room = runRoom();
    const run = await startUnits(room, idsOf(8), { jobs: 4, backoff: 1 }, {}, { wait: '1500' });
    await run.event('note');
    const held = path.join(run.folder, 'held');
    await waitFor(
      'lowered jobs that hold a unit',
      () => existsSync(held) && / lowered to /.test(readFileSync(held, 'utf8')),
    );
    const { stdout } = await room.cli.run(['status', '--run', run.id]);
    expect(stdout).toMatch(/ queued .*\(jobs of codex lowered to [12] by rate limits\)/);
    const ends = await run.done(90_000);
    expect([...ends.values()].map(({ status }) => status)).toEqual(Array(8).fill('succeeded'));
    expect(of(run, 'note').map(({ text }) => text)[0]).toMatch(
      /^jobs of codex lowered to [12]: a unit met overloaded$/,
    );
  });
});

describe('a limit of tokens', () => {
  it('of the run stops new work, wakes once, and lets it go on when it is raised', async () => {
    const room = runRoom();
    const run = await startUnits(room, idsOf(4), { jobs: 1, runTokenLimit: 200 });
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
    const run = await startUnits(room, ['u1'], {}, { retries: 3, tokenLimit: 200 }, { text });
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
    server().instead(() => ({ case: 'steps', params: { n: '60', cmd: 'sleep 0.5; echo {i}' } }));
    const room = runRoom();
    const wishes = { retries: 3, tokenLimit: 300, stallThreshold: 10 };
    const run = await startUnits(room, ['u1'], {}, wishes);
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
