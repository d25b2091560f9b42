import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { gitSays } from '../../helpers/plain-git.ts';
import { type Collected, openPrun } from '../../helpers/prun-cli.ts';
import { differencesOf, filesOf, imageAt, imageOf } from '../../helpers/tree-image.ts';
import { buildRepository } from './build-repository.ts';
import type { Plan } from './plan.ts';
import { rememberContents } from './user-edits.ts';
import { type Case, marksIn, verifyApply, verifyClone, verifyDelta } from './verify-case.ts';
import { trackedByUser, visibleFiles } from './visible-files.ts';
import { actInClone } from './worker-acts.ts';

/** Runs all workers of one plan in an empty folder; what each case had. */
export async function runRepository(plan: Plan, folder: string): Promise<string[][]> {
  const container = path.join(folder, 'user');
  mkdirSync(container);
  const cli = openPrun(folder);
  const built = await buildRepository(plan, container);
  const scratch = path.join(folder, 'scratch');
  mkdirSync(scratch);
  const visible = await visibleFiles(built.source, await trackedByUser(built), built, scratch);
  const before = imageOf(container, { git: 'all', identity: true });
  const user = imageOf(built.source, { git: 'skip' });
  const base = filesOf(imageAt(user, visible.files));

  const units = plan.workers.map((_, at) => `worker-${at}`);
  const clones = await cli.clone(built.source, units);
  const cases: Case[] = [];
  for (const [at, clone] of clones.entries()) {
    const own = path.join(scratch, `case ${at}`);
    mkdirSync(own);
    cases.push({ cli, plan, built, scratch: own, clone, done: [], base, user, heads: new Map() });
  }
  for (const [at, it] of cases.entries()) await verifyClone(it, at === 0);
  const [first] = cases;
  for (const where of ['', ...built.modules.map((module) => module.where)]) {
    const head = await gitSays(path.join(first?.clone ?? '', where), ['rev-parse', 'HEAD']);
    for (const it of cases) it.heads.set(where, head);
  }
  // What runs from here on may be a worker's own git; prun's share is looked at again after collect.
  expect(marksIn(built), 'programs of the user that clone ran').toEqual([]);
  for (const [at, it] of cases.entries()) {
    it.done = await actInClone(it.clone, plan.workers[at] ?? [], plan.random, built);
  }
  expect(marksIn(built), "programs of the user that a worker's git ran").toEqual([]);

  const deltas = await cli.collect(clones, ['--patch', `${path.join(folder, 'patches')}/`]);
  const rows: string[][] = [];
  for (const [at, it] of cases.entries()) {
    const delta = deltas[at] as Collected;
    const worker = await verifyDelta(it, delta);
    rememberContents(it.clone, worker, base);
    const outcomes = await verifyApply(it, delta, worker, (plan.number + at) % 6);
    rows.push([...built.features, ...it.done.map((act) => `worker: ${act}`), ...outcomes]);
  }
  expect(marksIn(built), 'programs of the user that prun ran').toEqual([]);
  const after = imageOf(container, { git: 'all', identity: true });
  expect(differencesOf(before, after).join('\n'), 'the user’s repository is what it was').toBe('');
  return rows;
}
