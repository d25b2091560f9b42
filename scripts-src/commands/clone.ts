import os from 'node:os';
import path from 'node:path';
import { pathFromJson, pathToJson } from '../platform/byte-path.ts';
import { EXIT, usageError } from '../platform/errors.ts';
import { currentHost } from '../process/host.ts';
import { cloneSummary } from '../render/clone-report.ts';
import { type ProgressLine, progressLine } from '../render/progress-line.ts';
import { listenForInterruption } from '../supervise/interruption.ts';
import { ofSameRepository, type ProvidedSet, provideSet } from '../workspace/base/create-set.ts';
import type { OwnBase } from '../workspace/base/own-base.ts';
import { readSource, type SourceRepository } from '../workspace/base/source-repo.ts';
import { refuseStateAmongFiles } from '../workspace/base/state-home-place.ts';
import { refuseWaitingRulesOf } from '../workspace/base/waiting-rules.ts';
import { claimRenewal } from '../workspace/clone/claim-renewal.ts';
import { rewriteWorkspace } from '../workspace/clone/draft-workspace.ts';
import { makeWorkspaces } from '../workspace/clone/make-workspaces.ts';
import { retireWorkspace } from '../workspace/clone/retire-workspace.ts';
import { claimPorts } from '../workspace/ports/ports.ts';
import type { SetRecord, WorkspaceRecord } from '../workspace/records.ts';
import { runSetup } from '../workspace/setup/setup.ts';
import { planWarm, type WarmPlan, type WarmSource, warmWorkspace } from '../workspace/warm/warm.ts';
import { workspaceEnvironment } from '../workspace/workspace-of.ts';
import {
  baseNoteOf,
  baseOf,
  openSet,
  SET_FILES,
  setBase,
  UNIT_FILES,
  unitFolder,
  type WorkspaceSet,
} from '../workspace/workspace-set.ts';
import { CLONE_HELP, type CloneArguments, parseClone } from './clone-arguments.ts';
import { withBase } from './clone-base.ts';
import { runningAttempt } from './running-attempt.ts';

/** `prun clone`: workspaces for units, from one frozen base. */
export async function clone(argv: readonly string[]): Promise<number> {
  const request = parseClone(argv, process.env, process.cwd());
  if (!request) {
    process.stdout.write(CLONE_HELP);
    return EXIT.ok;
  }
  const progress = progressLine(process.stderr);
  const interruption = listenForInterruption();
  const stop = new AbortController();
  void interruption.arrived.then(() => stop.abort());
  try {
    const code = await makeAll(request, progress, stop.signal);
    const signal = interruption.signal();
    return signal ? 128 + (os.constants.signals[signal] ?? 0) : code;
  } finally {
    progress.clear();
  }
}

async function makeAll(request: CloneArguments, progress: ProgressLine, stop: AbortSignal): Promise<number> {
  progress.say(`reading ${request.repository}`);
  const source = await readSource(request.repository);
  await refuseStateAmongFiles(source, request.stateHome);
  if (request.warm.length > 0) await refuseWaitingRulesOf(source);
  // What is wrong with the request is said before anything is made.
  const named = await planWarm(source, { paths: request.warm, anyway: request.warmAnyway });
  const provided = await setFor(request, source);
  return withBase(request, provided, source, (base) =>
    makeFrom(request, { set: provided.set, base, warm: named }, progress, stop),
  );
}

/** Results of units are in a set that is there; to make one for them would only hide a wrong name. */
async function setFor(request: CloneArguments, source: SourceRepository): Promise<ProvidedSet> {
  const { run, after, stateHome } = request;
  if (after.length === 0 || run === undefined) return provideSet(stateHome, source, run);
  return { set: ofSameRepository(openSet(stateHome, run), source), isNew: false };
}

/** What is known before workspaces are made. */
interface Start {
  set: WorkspaceSet;
  base: OwnBase | undefined;
  warm: WarmPlan;
}

async function makeFrom(
  request: CloneArguments,
  { set, base, warm: named }: Start,
  progress: ProgressLine,
  stop: AbortSignal,
): Promise<number> {
  const retired = request.renew ? await retireAll(set, request, progress) : [];
  progress.say(`making ${request.units.length} workspaces`);
  let made = 0;
  const workspaces = await makeWorkspaces(set, {
    units: request.units,
    mode: request.worktree ? 'worktree' : 'clone',
    base,
    warm: named.items.map(({ path: where }) => pathToJson(where)),
    claimPorts,
    stop,
    onMade: ({ folder }) => {
      made++;
      progress.say(`made ${made} of ${request.units.length} workspaces`);
      // With a setup the line comes when the clone is ready to be used.
      if (!request.json && request.setup === undefined && request.warm.length === 0)
        announce(folder, progress);
    },
  });
  const warmed = await prepareAll(set, workspaces, request, named, progress, stop);
  const { record } = base ?? setBase(set);
  const facts = {
    set: { ...set.record, base: record },
    folder: set.folder,
    note: noteFor(set, base, workspaces),
    workspaces: warmed.workspaces,
    notes: [...retired, ...warmed.notes],
  };
  if (request.json) printJson(facts);
  progress.clear();
  for (const line of cloneSummary(
    facts.set,
    base?.origin ?? null,
    facts.note,
    { count: workspaces.length, mode: request.worktree ? 'worktree' : 'clone' },
    [...portNote(workspaces), ...named.notes, ...facts.notes],
  )) {
    process.stderr.write(`${line}\n`);
  }
  return warmed.workspaces.some(({ setup }) => setup !== null && setup.exitCode !== 0)
    ? EXIT.unitFailed
    : EXIT.ok;
}

/** The earlier workspaces of the units give way: their deltas are archived, their places are free. */
async function retireAll(
  set: WorkspaceSet,
  { units }: CloneArguments,
  progress: ProgressLine,
): Promise<string[]> {
  const notes: string[] = [];
  const host = await currentHost();
  for (const { unit } of units) {
    claimRenewal(host, set, unit);
    const attempt = await runningAttempt(set, unit);
    if (attempt !== undefined) {
      throw usageError(
        `unit ${unit} of run ${set.record.id} still runs (state dir ${attempt})`,
        'wait for it, or stop it first',
      );
    }
    progress.say(`archiving the earlier workspace of ${unit}`);
    notes.push(...(await retireWorkspace(set, unit)));
  }
  return notes;
}

/** A base of its own is kept with each unit, and so is its note. */
function noteFor(set: WorkspaceSet, base: OwnBase | undefined, [first]: readonly WorkspaceRecord[]): string {
  return base && first ? baseNoteOf(set, first.unit) : path.join(set.folder, SET_FILES.note);
}

/** For prompts, and for whoever looks at a server of a unit. */
function portNote(workspaces: readonly WorkspaceRecord[]): string[] {
  const some = workspaces.flatMap(({ unit, ports }) =>
    ports ? [`${unit} ${ports.first}-${ports.last}`] : [],
  );
  const more = some.length > 10 ? `, and ${some.length - 10} more (--json)` : '';
  return some.length === 0 ? [] : [`ports: ${some.slice(0, 10).join(', ')}${more}`];
}

function announce(folder: string, progress: ProgressLine): void {
  progress.clear();
  process.stdout.write(`CLONE ${folder}\n`);
}

interface Prepared {
  workspaces: WorkspaceRecord[];
  notes: string[];
}

/** Brings ignored inputs along and runs the setup, one clone after the other: each uses the whole machine. */
async function prepareAll(
  set: WorkspaceSet,
  workspaces: readonly WorkspaceRecord[],
  request: CloneArguments,
  plan: WarmPlan,
  progress: ProgressLine,
  stop: AbortSignal,
): Promise<Prepared> {
  if (request.setup === undefined && request.warm.length === 0)
    return { workspaces: [...workspaces], notes: [] };
  const prepared: Prepared = { workspaces: [], notes: [] };
  for (const workspace of workspaces) {
    if (stop.aborted) break;
    const { unit, folder } = workspace;
    const { record } = baseOf(set, unit);
    const submodules = record.submodules.map(({ path: where }) => pathFromJson(where));
    const source: WarmSource = { ...set.record.source, submodules };
    const report = await warmWorkspace(plan, source, folder, {
      onItem: ({ path: where }) => progress.say(`${unit}: bringing ${where} along`),
      signal: stop,
    });
    prepared.notes.push(...report.notes.map((note) => `${unit}: ${note}`));
    const ready = await setUp(set, workspace, request, progress, stop);
    prepared.workspaces.push(ready);
    prepared.notes.push(...setupNotes(ready));
    if (!request.json) announce(folder, progress);
  }
  return prepared;
}

async function setUp(
  set: WorkspaceSet,
  workspace: WorkspaceRecord,
  request: CloneArguments,
  progress: ProgressLine,
  stop: AbortSignal,
): Promise<WorkspaceRecord> {
  if (request.setup === undefined || stop.aborted) return workspace;
  const { unit, folder, ports } = workspace;
  const log = path.join(unitFolder(set, unit), UNIT_FILES.setupLog);
  const place = { set: set.folder, unit, clone: folder, ports, base: workspace.base, source: undefined };
  const { exitCode } = await runSetup({
    folder,
    command: request.setup,
    log,
    environment: { ...process.env, ...workspaceEnvironment(place) },
    timeoutSeconds: request.setupTimeoutSeconds,
    signal: stop,
    onProgress: (seconds, line) => progress.say(`${unit}: setup ${seconds} s: ${line}`),
  });
  const ready = { ...workspace, setup: { command: request.setup, exitCode, log } };
  rewriteWorkspace(set, ready);
  return ready;
}

function setupNotes({ unit, setup }: WorkspaceRecord): string[] {
  if (setup === null || setup.exitCode === 0) return [];
  const why = setup.exitCode === 124 ? 'was ended when its time was up' : `failed with ${setup.exitCode}`;
  return [`${unit}: the setup ${why}, its output is in ${setup.log}; the clone is there`];
}

/** What a call made. */
interface CloneFacts {
  set: SetRecord;
  folder: string;
  note: string;
  workspaces: readonly WorkspaceRecord[];
  notes: readonly string[];
}

function printJson({ set: { id, base }, folder, note, workspaces, notes }: CloneFacts): void {
  process.stdout.write(`${JSON.stringify({ run: id, folder, note, base, workspaces, notes }, null, 2)}\n`);
}
