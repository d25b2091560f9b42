import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandTextFor } from '../../scripts-src/run/command-text.ts';
import { type Decisions, readDecisions, recordDecisions } from '../../scripts-src/run/decisions.ts';
import { type Reconciled, reconcileRun } from '../../scripts-src/run/reconcile.ts';
import { openRun, type Run } from '../../scripts-src/run/run-folder.ts';
import { viewRun } from '../../scripts-src/run/run-view.ts';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { unitSpec, type WrittenRun, writeResult, writtenRun } from '../helpers/run-fixture.ts';
import { writeOutcome } from '../helpers/state-dir-fixture.ts';
import { scratch } from '../helpers/unit-run.ts';

/** A run whose supervisor is the test, and the state home that it lies in. */
async function written(...units: Parameters<typeof writtenRun>[2]): Promise<WrittenRun> {
  const home = path.join(scratch('prun reconcile'), 'state');
  mkdirSync(home);
  return writtenRun(home, 'x', units);
}

/** A unit that has ended well: events, outcome and result. */
function succeed(
  { run, start, end }: WrittenRun,
  unit: string,
  outcome: Partial<OutcomeRecord> = {},
): string {
  const stateDir = start(unit);
  const result = writeResult(run, unit, 'done');
  writeOutcome(stateDir, {
    unit,
    result: { path: result, origin: 'worker', bytes: statSync(result).size },
    stateDir,
    ...outcome,
  });
  end(unit);
  return result;
}

function reconciled(run: Run, decisions: { accept?: string[]; without?: string[] } = {}): Reconciled {
  const { accept = [], without = [] } = decisions;
  const wish: Decisions = { accept: new Set(accept), without: new Set(without) };
  return reconcileRun(viewRun(run), commandTextFor(run, run.stateHome), wish);
}

/** `unit: kinds of doubts` of all that is in doubt. */
const inDoubt = ({ units }: Reconciled): string[] =>
  units.flatMap(({ id, doubts }) =>
    doubts.length > 0 ? [`${id}: ${doubts.map(({ kind }) => kind).join(' ')}`] : [],
  );

describe('a run reconciles', () => {
  it('when every unit that was started has its outcome and its whole result; the others are named', async () => {
    const x = await written('api', 'ui', 'later');
    succeed(x, 'api');
    succeed(x, 'ui');
    const found = reconciled(x.run);
    expect(inDoubt(found)).toEqual([]);
    expect(found).toMatchObject({ reconciled: true, neverStarted: ['later'], leftOut: [] });
  });

  it('not when nothing was started', async () => {
    const x = await written('api');
    expect(reconciled(x.run)).toMatchObject({ reconciled: false, units: [], neverStarted: ['api'] });
  });

  it('not while a unit runs or waits', async () => {
    const x = await written('api', 'ui');
    succeed(x, 'api');
    x.start('ui');
    const found = reconciled(x.run, { accept: ['ui'] });
    expect(found.reconciled).toBe(false);
    expect(inDoubt(found)).toEqual(['ui: running']);
  });

  it('with a unit whose outcome is there, and whose supervisor died before it told the log', async () => {
    const x = await written('api');
    const stateDir = x.start('api');
    const result = writeResult(x.run, 'api', 'done');
    writeOutcome(stateDir, {
      unit: 'api',
      result: { path: result, origin: 'worker', bytes: statSync(result).size },
    });
    expect(reconciled(x.run)).toMatchObject({ reconciled: true, units: [{ id: 'api', state: 'succeeded' }] });
  });

  it('without a unit that was cancelled before it was started, and not without one that was cancelled later', async () => {
    const x = await written('api', 'never', 'ran');
    succeed(x, 'api');
    x.write({ type: 'queued', unit: 'never', attempt: 1, why: 'start', environment: null });
    x.end('never', 'cancelled', { stateDir: null, resultFile: null });
    expect(reconciled(x.run)).toMatchObject({ reconciled: true, neverStarted: ['never', 'ran'] });
    writeOutcome(x.start('ran'), { unit: 'ran', status: 'cancelled', reason: 'cancelled', result: null });
    x.end('ran', 'cancelled', { reason: 'cancelled' });
    expect(inDoubt(reconciled(x.run))).toEqual(['ran: failed']);
    expect(reconciled(x.run, { without: ['ran'] })).toMatchObject({ reconciled: true, leftOut: ['ran'] });
  });

  it.each<[string, (x: WrittenRun, result: string) => void, string]>([
    ['its result was removed', (_, result) => rmSync(result), 'no-result'],
    ['its result is white space', (_, result) => writeFileSync(result, ' \n'), 'no-result'],
    ['its result was edited', (_, result) => writeFileSync(result, 'short\n'), 'changed-result'],
    ['its outcome has gone', (x) => rmSync(path.join(x.stateDir('api'), 'outcome.json')), 'outcome'],
    [
      'its outcome is torn',
      (x) => writeFileSync(path.join(x.stateDir('api'), 'outcome.json'), '{"schema":1,'),
      'outcome',
    ],
    [
      'its outcome is by a newer prun',
      (x) => writeFileSync(path.join(x.stateDir('api'), 'outcome.json'), '{"schema":99}'),
      'outcome',
    ],
    ['its state dir has gone', (x) => rmSync(x.stateDir('api'), { recursive: true }), 'outcome'],
  ])('not when %s, whatever the log says', async (_, spoil, kind) => {
    const x = await written('api', 'ui');
    succeed(x, 'ui');
    spoil(x, succeed(x, 'api'));
    const found = reconciled(x.run);
    expect(found.reconciled).toBe(false);
    expect(inDoubt(found)).toEqual([`api: ${kind}`]);
  });

  it('not with a FALLBACK, until somebody has read it and accepts it', async () => {
    const x = await written('api');
    const stateDir = x.start('api');
    const result = writeResult(x.run, 'api', 'done');
    writeFileSync(
      result,
      readFileSync(result, 'utf8').replace(/^.*\n/, '# api result (FALLBACK, worker wrote no result file)\n'),
    );
    const bytes = statSync(result).size;
    writeOutcome(stateDir, {
      unit: 'api',
      status: 'failed',
      reason: 'no-result',
      result: { path: result, origin: 'tail', bytes },
    });
    x.end('api', 'failed');
    expect(inDoubt(reconciled(x.run))).toEqual(['api: failed']);
    expect(reconciled(x.run, { accept: ['api'] })).toMatchObject({
      reconciled: true,
      units: [{ accepted: true }],
    });
  });

  it('not with a doubt that came up after somebody had accepted another one', async () => {
    const x = await written('db', unitSpec('api', { after: ['db'] }));
    succeed(x, 'db');
    const result = succeed(x, 'api');
    writeFileSync(result, 'edited\n');
    recordDecisions(x.run, [{ unit: 'api', attempt: 1, decision: 'accept', doubts: ['changed-result'] }]);
    const decided = (): Reconciled => {
      const view = viewRun(x.run);
      return reconcileRun(view, commandTextFor(x.run, x.run.stateHome), readDecisions(view));
    };
    expect(decided()).toMatchObject({ reconciled: true, units: [{}, { accepted: true }] });
    x.write({ type: 'stale', unit: 'api', parent: 'db' });
    expect(decided()).toMatchObject({ reconciled: false, units: [{}, { accepted: false }] });
  });

  it('not by accepting what is not there', async () => {
    const x = await written('api');
    rmSync(succeed(x, 'api'));
    expect(reconciled(x.run, { accept: ['api'] }).reconciled).toBe(false);
  });

  it.each<[string, string, string[]]>([
    ['worker', 'just a text\n', ['api: contract']],
    ['stdout', 'just a text\n', []],
    ['last-message', '# api result\nConclusion: ok\nFiles: none\nOpen items: none\nVerification: none\n', []],
    [
      'worker',
      '## The api **result**\n\n**Conclusion:** ok\n- Files: none\n**Open items**: none\n\nVerification:\n- ran it\n',
      [],
    ],
    [
      'worker',
      '# api result\nConclusion: ok\nFiles:\nOpen items: none\nVerification: none\n',
      ['api: contract'],
    ],
  ])('a %s result by its contract: %j', async (origin, text, doubts) => {
    const x = await written('api');
    const result = succeed(x, 'api');
    writeFileSync(result, text);
    rmSync(path.join(x.stateDir('api'), 'outcome.json'));
    const { size: bytes } = statSync(result);
    writeOutcome(x.stateDir('api'), {
      unit: 'api',
      // Origins of a newer prun are let through as well.
      result: { path: result, origin: origin as 'worker', bytes },
    });
    expect(inDoubt(reconciled(x.run))).toEqual(doubts);
  });

  it('not with a unit that was built on an older result', async () => {
    const x = await written('db', unitSpec('api', { after: ['db'] }));
    succeed(x, 'db');
    succeed(x, 'api');
    x.write({ type: 'stale', unit: 'api', parent: 'db' });
    const found = reconciled(x.run);
    expect(inDoubt(found)).toEqual(['api: stale']);
    expect(found.units[1]?.doubts[0]?.next).toBe('prun retry --run x --unit api');
  });

  it('not with a delta that could not be collected, and with the command that collects it', async () => {
    const x = await written(unitSpec('api', { mode: 'clone' }));
    const workspace = x.run.folder;
    succeed(x, 'api', {
      delta: { state: 'failed', workspace, detail: 'git failed', next: `prun collect ${workspace}` },
    });
    const found = reconciled(x.run);
    expect(inDoubt(found)).toEqual(['api: delta']);
    expect(found.units[0]?.doubts[0]).toMatchObject({ next: 'prun collect --run x --unit api' });
  });

  it('not with a workspace that has gone before its delta was collected', async () => {
    const x = await written(unitSpec('api', { mode: 'worktree' }), unitSpec('ask'));
    succeed(x, 'api');
    succeed(x, 'ask');
    expect(inDoubt(reconciled(x.run))).toEqual(['api: delta']);
    mkdirSync(path.join(x.run.folder, 'patches'));
    writeFileSync(path.join(x.run.folder, 'patches/api.patch'), 'patch\n');
    expect(reconciled(x.run).reconciled).toBe(true);
  });

  it('not with a patch that has gone, and with one that is still in its state dir', async () => {
    const x = await written(unitSpec('api', { mode: 'clone' }));
    const figures = {
      files: 2,
      added: 2,
      modified: 0,
      deleted: 0,
      commits: 0,
      moves: 0,
      outside: 0,
      problems: 0,
    };
    const delta = { workspace: '/w', base: 'a', result: 'b', lost: [], patch: '/nowhere/delta.patch' };
    succeed(x, 'api', { delta: { state: 'collected', ...delta, ...figures } });
    expect(inDoubt(reconciled(x.run))).toEqual(['api: delta']);
    writeFileSync(path.join(x.stateDir('api'), 'delta.patch'), 'patch\n');
    expect(reconciled(x.run)).toMatchObject({ reconciled: true, units: [{ deltaFiles: 2 }] });
  });

  it('where it was copied to, by the files that lie there', async () => {
    const x = await written('api', 'ui');
    succeed(x, 'api');
    succeed(x, 'ui');
    const elsewhere = path.join(scratch('prun copy'), 'state');
    cpSync(x.stateHome, elsewhere, { recursive: true });
    rmSync(x.stateHome, { recursive: true });
    const copy = openRun(elsewhere, 'x');
    expect(copy.isHome).toBe(false);
    const found = reconciled(copy);
    expect(found.reconciled).toBe(true);
    expect(found.units[0]?.result).toBe(path.join(elsewhere, 'runs/x/agent-io/results/api.md'));
    rmSync(found.units[0]?.result ?? '');
    expect(inDoubt(reconciled(copy))).toEqual(['api: no-result']);
  });
});
