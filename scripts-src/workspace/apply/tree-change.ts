import { chmodSync } from 'node:fs';
import { type BytePath, fileAt, shownPath } from '../../platform/byte-path.ts';
import { wallTime } from '../../platform/clock.ts';
import { EXIT, errnoOf, messageOf, PrunError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { randomHex } from '../../platform/random.ts';
import { formatIdentity, identify } from '../../process/identity.ts';
import type { ProcessHost } from '../../process/types.ts';
import {
  createJournal,
  type IndexChange,
  JOURNAL_SCHEMA,
  type Journal,
  type JournaledDelta,
  journalFolder,
  listJournals,
  readJournal,
  removeJournal,
  writeChangeList,
  writeIndexChanges,
  writeJournal,
} from './change-journal.ts';
import { type Holder, releaseTarget, takeTarget } from './hold-target.ts';
import { copyOld, linkOld } from './keep-old.ts';
import type { ObjectFormat } from './path-state.ts';
import { type ChangePlan, type Obstacle, planChange, type WantedPath } from './plan-change.ts';
import { replaceIndexes } from './replace-index.ts';
import {
  finishUndo,
  isNothing,
  type LeftBehind,
  type Settled,
  settleTarget,
  takeBack,
} from './settle-target.ts';
import { type FillContent, stageContent } from './stage-content.ts';
import { type ChangePlace, stagingOf } from './staging-folder.ts';
import { EditedMeanwhileError, swapFiles, syncParents } from './swap-files.ts';

/** Who wants to change a target, and what for. */
export interface ChangeIntent {
  host: ProcessHost;
  /** Absolute. */
  stateHome: string;
  /** Top of the working tree, absolute, links resolved. */
  root: string;
  kind: Journal['kind'];
  /** The apply that an undo takes back. */
  of: string | null;
  units: readonly string[];
  /** The deltas that are applied, where they are known. */
  deltas?: readonly JournaledDelta[];
  objectFormat: ObjectFormat;
  /** Told of what dead processes left, before anything else. */
  onSettled(settled: readonly Settled[]): void;
}

/** A target that this process holds. */
export interface HeldTarget {
  place: ChangePlace;
  journal: Journal;
  stateHome: string;
  /** Whether the journal's folder holds what a rollback could not give back. */
  isNeeded: boolean;
}

/** What is to be changed. */
export interface ChangeRequest {
  wanted: readonly WantedPath[];
  fill: FillContent;
  /** Folders that may go when they become empty; all when left out. */
  foldersThatGo?: ReadonlySet<BytePath>;
  /** Bits of folders that are made, where they are known. */
  folderPerms?: ReadonlyMap<BytePath, number>;
  /** Anything else that must be there once the change is made; before anything has changed. */
  prepare?(plan: ChangePlan): Promise<void>;
  /** Index files to replace with the files, by copies in the journal's folder; when the files are in their places. */
  stageIndexes?(plan: ChangePlan): Promise<IndexChange[]>;
  /** A signal that asks to end, or undefined. */
  signal?(): string | undefined;
}

/** How a change ended. */
export type ChangeResult =
  | { kind: 'changed' | 'nothing'; plan: ChangePlan }
  | { kind: 'refused'; obstacles: Obstacle[] };

/** A new id of a change. */
function newId(): string {
  return `${wallTime().replace(/\D/g, '').slice(0, 14)}-${randomHex(6)}`;
}

/** Brings a target to rest without holding it: what a dead process left is rolled back or finished. */
export async function settle(host: ProcessHost, root: string, stateHome: string): Promise<Settled[]> {
  return settleTarget(host, root, holderFor(host, newId(), stateHome));
}

/**
 * Holds a target while `work` goes on: one change at a time, whatever state home it has. What a dead process left
 * there is rolled back first. Throws where the target cannot be written or stays busy.
 */
export async function holdTarget<T>(
  intent: ChangeIntent,
  work: (held: HeldTarget) => Promise<T>,
): Promise<T> {
  const { host, root, stateHome } = intent;
  const holder = holderFor(host, newId(), stateHome);
  const journal: Journal = {
    schema: JOURNAL_SCHEMA,
    id: holder.id,
    kind: intent.kind,
    of: intent.of,
    order: 0,
    root,
    holder: holder.identity,
    objectFormat: intent.objectFormat,
    units: [...intent.units],
    deltas: [...(intent.deltas ?? [])],
    state: 'preparing',
    createdAt: wallTime(),
    endedAt: null,
  };
  const folder = createJournal(stateHome, journal);
  try {
    do intent.onSettled(await settleTarget(host, root, holder));
    while (!takeTarget(root, holder));
  } catch (error) {
    removeJournal(folder);
    throw error;
  }
  faultPoint('apply:held', folder);
  const held: HeldTarget = {
    place: { root, staging: stagingOf(root), folder },
    journal,
    stateHome,
    isNeeded: false,
  };
  try {
    return await work(held);
  } finally {
    letGo(held);
  }
}

/** A target that could not be rolled back stays held by the dead name of this process: the next command tries again. */
function letGo({ place, journal, isNeeded }: HeldTarget): void {
  const state = readJournal(place.folder)?.state;
  if (state === 'changing') return;
  faultPoint('apply:release', place.folder);
  releaseTarget(place, journal.id);
  // The journal goes last: without it the next command would not know whose folder it finds in the target.
  const isDone = state === 'done' && journal.kind === 'apply';
  if (!isDone && !isNeeded) removeJournal(place.folder);
}

/**
 * Changes a working tree all or nothing: the plan is checked against the disk, everything new is written and kept
 * beside it, the journal is on disk, and only then names are swapped. Whatever fails before the journal says `done`
 * is rolled back, here or by the next command after a SIGKILL.
 */
export async function changeTree(held: HeldTarget, request: ChangeRequest): Promise<ChangeResult> {
  const { place, journal } = held;
  let plan: ChangePlan;
  let changing: Journal;
  try {
    plan = planChange(place.root, journal.objectFormat, request.wanted, request.foldersThatGo);
    if (plan.obstacles.length > 0) return { kind: 'refused', obstacles: plan.obstacles };
    if (plan.list.changes.length === 0) return { kind: 'nothing', plan };
    changing = await prepareChange(held, plan, request);
  } catch (error) {
    throw beforeAnything(place, error);
  }
  faultPoint('apply:journaled', place.folder);
  try {
    await swap(held, plan, request);
    writeJournal(place.folder, { ...changing, state: 'done', endedAt: wallTime() });
  } catch (error) {
    throw rolledBack(held, changing, error);
  }
  faultPoint('apply:done', place.folder);
  finishUndo(held.stateHome, journal);
  return { kind: 'changed', plan };
}

/** Writes everything that the change needs, its journal last. */
async function prepareChange(held: HeldTarget, plan: ChangePlan, request: ChangeRequest): Promise<Journal> {
  const { place, journal } = held;
  faultPoint('apply:planned', place.folder);
  await stageContent(place, plan, request.fill);
  // An undo is not undone: what it replaces is what the apply had put there.
  if (journal.kind === 'apply') await copyOld(place, journal.objectFormat, plan.list);
  faultPoint('apply:staged', place.folder);
  await request.prepare?.(plan);
  stopWhenAsked(request);
  writeChangeList(place.folder, plan.list);
  faultPoint('apply:listed', place.folder);
  const order = 1 + Math.max(0, ...listJournals(held.stateHome, place.root).map((one) => one.order));
  const changing: Journal = { ...journal, order, state: 'changing' };
  writeJournal(place.folder, changing);
  return changing;
}

function beforeAnything(place: ChangePlace, error: unknown): unknown {
  if (error instanceof EditedMeanwhileError) {
    return new PrunError(
      'E_EDITED',
      error.message,
      'nothing was changed; run the command again',
      EXIT.conflict,
    );
  }
  if (error instanceof PrunError || errnoOf(error) === undefined) return error;
  return new PrunError(
    'E_CHANGE',
    `the change of ${place.root} could not be prepared (${messageOf(error)})`,
    ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '')
      ? `make room there and in ${place.folder}, and run the command again; nothing was changed`
      : 'put that right, and run the command again; nothing was changed',
    1,
  );
}

async function swap({ place, journal }: HeldTarget, plan: ChangePlan, request: ChangeRequest): Promise<void> {
  swapFiles(place, journal.objectFormat, plan.list, () => stopWhenAsked(request));
  for (const folder of plan.list.foldersMade) {
    const perm = request.folderPerms?.get(folder);
    if (perm !== undefined) chmodSync(fileAt(place.root, folder), perm);
  }
  faultPoint('apply:swapped', place.folder);
  if (journal.kind === 'apply') linkOld(place, plan.list);
  faultPoint('apply:kept', place.folder);
  const indexes = (await request.stageIndexes?.(plan)) ?? [];
  if (indexes.length > 0) {
    writeIndexChanges(place.folder, indexes);
    replaceIndexes(place.folder, indexes);
  }
  syncParents(place.root, plan.list);
  stopWhenAsked(request);
}

/** Rolls back, and gives the error that says what became of the tree. */
function rolledBack(held: HeldTarget, journal: Journal, error: unknown): Error {
  const { place } = held;
  let left: LeftBehind;
  try {
    left = takeBack(place, journal);
  } catch (again) {
    return new PrunError(
      'E_ROLLBACK',
      `${messageOf(error)}; and ${place.root} could not be put back yet (${messageOf(again)})`,
      'put that right; the next prun apply there goes on with it, and the old files are kept until then',
      1,
    );
  }
  held.isNeeded = !isNothing(left);
  if (error instanceof EditedMeanwhileError) {
    return new PrunError(
      'E_EDITED',
      `${error.message}${leftText(left, place)}`,
      'everything was put back; run the command again when nobody writes there',
      EXIT.conflict,
    );
  }
  if (error instanceof PrunError) return error;
  return new PrunError(
    'E_CHANGE',
    `${place.root} could not be changed (${messageOf(error)})${leftText(left, place)}`,
    errnoOf(error) === 'ENOSPC'
      ? 'make room on the disk, and run the command again; everything was put back'
      : 'put that right, and run the command again; everything was put back',
    1,
  );
}

function leftText({ paths, indexes }: LeftBehind, { folder }: ChangePlace): string {
  const names = [...paths.map(shownPath), ...indexes];
  if (names.length === 0) return '';
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `; left as somebody changed it meanwhile: ${names.slice(0, 5).join(', ')}${more}; what was there before is kept in ${folder}`;
}

function stopWhenAsked({ signal }: ChangeRequest): void {
  const name = signal?.();
  if (name === undefined) return;
  throw new PrunError('E_INTERRUPTED', `stopped by ${name}`, 'nothing was changed', 1);
}

function holderFor(host: ProcessHost, id: string, stateHome: string): Holder {
  const own = identify(host, process.pid);
  if (!own) throw new PrunError('E_PROCESS', 'this process is not in the process table', 'try again', 1);
  return { id, stateHome, identity: formatIdentity(own), folder: journalFolder(stateHome, id) };
}
