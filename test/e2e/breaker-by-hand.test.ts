import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf, idsOf, limitedCodex, taskOf, wakes } from '../helpers/limited-codex.ts';
import { runRoom } from '../helpers/run-room.ts';
import { killSupervisors } from '../helpers/supervisor-kill.ts';

// Accounts that somebody must see to, with the real codex.

const codex = limitedCodex();

describe('an account that somebody must see to', () => {
  it('holds its units until prun resume; other units go on, and a successor knows', async () => {
    codex.instead(() => 'h401');
    const room = runRoom();
    const codexBin = codex.bin(room);
    // Without its own tries, which take 7 s.
    const config = [
      'model_providers.mock.request_max_retries=0',
      'model_providers.mock.stream_max_retries=0',
    ];
    const unit = (id: string) => ({ ...taskOf(id, codexBin), config });
    const run = await room.start(
      [unit('u1'), unit('u2'), unit('u3'), { id: 'other', sh: 'sleep 3; echo other' }],
      { jobs: 2 },
    );
    const told = await room.cli.run(['wait', '--run', run.id], { code: 32 });
    expect(told.stdout).toMatch(/^BREAKER codex open\(auth\) until prun resume; /m);
    expect(told.stdout).toContain(`NEXT prun resume --run ${run.id}`);
    await run.event('ended', 'other');
    expect(eventsOf(run, 'ended').find((event) => event.unit === 'other')).toMatchObject({
      status: 'succeeded',
    });

    await killSupervisors(run);
    const starts = eventsOf(run, 'dispatching').length;
    // Told before, and nothing will come by itself.
    const again = await room.cli.run(['wait', '--run', run.id], { code: 32 });
    expect(again.stdout).toMatch(/^WAIT-EVENT breaker run=\S+ events=none /);
    expect(await room.cli.run(['wait', '--run', run.id, '--unit', 'u2'], { code: 32 })).toBeDefined();
    expect(eventsOf(run, 'dispatching').length).toBe(starts);
    const cancelled = await room.cli.run(['cancel', '--run', run.id, '--unit', 'u3']);
    expect(cancelled.stdout).toContain('UNIT u3 cancelled');

    codex.instead(undefined);
    const resume = () => room.cli.run(['resume', '--run', run.id], { environment: { NEW_LOGIN: 'yes' } });
    const resumed = await Promise.all([resume(), resume()]);
    expect(resumed.map(({ stdout }) => stdout.includes('UNIT u2 ')).sort()).toContain(true);
    const ends = await run.done(60_000);
    expect(['u1', 'u2', 'u3'].map((id) => ends.get(id)?.status)).toEqual([
      'succeeded',
      'succeeded',
      'cancelled',
    ]);
    const sessions = run.attempts('u1').map(({ outcome }) => outcome?.sessionId);
    expect(sessions).toHaveLength(2);
    expect(new Set(sessions).size).toBe(1);
    const queued = eventsOf(run, 'queued').filter(({ unit: id }) => id === 'u2');
    expect(new Set(queued.map(({ environment }) => environment)).size).toBe(2);
    const nothing = await room.cli.run(['resume', '--run', run.id], { code: 'any' });
    expect(`${nothing.stdout}${nothing.stderr}`).toContain('no account is held');
  });

  it('lets a unit begin anew whose session has been lost meanwhile', async () => {
    codex.instead(() => 'quota');
    const room = runRoom();
    const run = await codex.start(room, ['u1']);
    await room.cli.run(['wait', '--run', run.id], { code: 32 });
    rmSync(path.join(room.folder, 'codex/codex-home/sessions'), { recursive: true });
    codex.instead(undefined);
    await room.cli.run(['resume', '--run', run.id]);
    const ends = await run.done(60_000);
    expect(eventsOf(run, 'ended').map(({ reason, isFinal }) => [reason, isFinal])).toEqual([
      ['quota', false],
      ['session-lost', false],
      ['ok', true],
    ]);
    expect(ends.get('u1')).toMatchObject({ status: 'succeeded', attempt: 3 });
  });

  it('to which nobody is logged in: no attempt is begun, and the login is looked for again after prun resume', async () => {
    const room = runRoom();
    const real = codex.bin(room);
    const login = path.join(room.folder, 'login');
    const codexBin = path.join(room.folder, 'asks-login');
    const refusal = `case "$*" in *'login status'*) [ -e '${login}' ] || { echo 'Not logged in' >&2; exit 1; };; esac`;
    writeFileSync(codexBin, `#!/bin/sh\n${refusal}\nexec '${real}' "$@"\n`, { mode: 0o755 });
    const run = await room.start([
      ...idsOf(2).map((id) => ({ id, prompt: `Task of ${id}.\n`, codexBin })),
      { id: 'bad', sh: `until [ -e '${login}.said' ]; do sleep 0.1; done; exit 3` },
    ]);
    const told = await room.cli.run(['wait', '--run', run.id], { code: 32 });
    expect(told.stdout).toMatch(
      /^BREAKER codex open\(login\) until prun resume; 2 units queued: codex is not /m,
    );
    // Another unit's failure is told, and that the others wait for somebody.
    writeFileSync(`${login}.said`, '');
    const failed = await room.cli.run(['wait', '--run', run.id], { code: 30 });
    expect(failed.stdout).toMatch(
      new RegExp(`^NEXT prun resume --run ${run.id} .*; a fresh attempt: prun retry .* --unit bad$`, 'm'),
    );
    writeFileSync(login, '');
    await room.cli.run(['resume', '--run', run.id]);
    const ends = await run.done(60_000);
    expect(idsOf(2).map((id) => [ends.get(id)?.status, ends.get(id)?.attempt])).toEqual([
      ['succeeded', 1],
      ['succeeded', 1],
    ]);
    expect(wakes(run).map(({ type }) => type)).toEqual(['breaker', 'ended']);
  });
});
