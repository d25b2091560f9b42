import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { EXIT } from '../../platform/errors.ts';
import { readSource } from '../../workspace/base/source-repo.ts';
import { baseNoteOf, openSet, readWorkspace, SET_FILES, setsFolder } from '../../workspace/workspace-set.ts';
import type { KnownUnit } from '../unit-specs.ts';
import type { Supervision } from './supervision.ts';
import { endMarked, makerMark } from './supervisor-mark.ts';

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Where a unit's worker works. */
export interface ProvidedWorkspace {
  /** undefined: the state dir's own scratch folder. */
  folder: string | undefined;
  /** The note about its base, null where there is none. */
  baseNote: string | null;
  ports: { first: number; last: number } | null;
  /** A repository of the user's to be compared before and after, where no workspace's record names it. */
  watched?: { gitDir: string; commonDir: string } | undefined;
}

/** A workspace, or why there is none. */
export type Provided =
  | { kind: 'there'; workspace: ProvidedWorkspace }
  /** The results of its parents do not go together. */
  | { kind: 'clash'; detail: string }
  | { kind: 'failed'; detail: string };

/** What is needed to make a workspace. */
export interface WorkspaceWish {
  spec: KnownUnit['spec'];
  attempt: number;
  /** The caller's. */
  environment: NodeJS.ProcessEnv;
  /** Aborted when the unit is cancelled: no setup is waited for. */
  stop: AbortSignal;
}

/**
 * Provides the place where a unit works. A clone or worktree is made by `prun clone` in a process of its own: making it
 * takes seconds of blocking work, and a fault there must not end the supervisor of all the other units.
 */
export async function provideWorkspace(supervision: Supervision, wish: WorkspaceWish): Promise<Provided> {
  const { spec, attempt } = wish;
  const { record } = supervision.view.run;
  if (spec.mode === 'scratch') {
    return { kind: 'there', workspace: { ...NO_PLACE, watched: await watchedRepository(supervision) } };
  }
  if (spec.mode === 'inplace') {
    const folder = spec.workspace ?? record.repository;
    if (folder === null) return failed('it works in place, and the run has no repository');
    const watched = await watchedRepository(supervision);
    return { kind: 'there', workspace: { ...NO_PLACE, folder, watched } };
  }
  if (record.repository === null) return failed(`its mode is ${spec.mode}, and the run has no repository`);
  // `prun add` has made one, for the first attempt.
  if (spec.workspace !== null && attempt === 1) {
    return existsSync(spec.workspace)
      ? known(supervision, spec.id)
      : failed(`its workspace ${spec.workspace} is gone: make it again with prun retry`);
  }
  return oneAtATime(supervision, () => makeWorkspace(supervision, wish));
}

/** The workspace of a session that goes on: nothing is made, it is as the last attempt has left it. */
export async function keptWorkspace(
  supervision: Supervision,
  { id, mode }: KnownUnit['spec'],
  folder: string,
): Promise<Provided> {
  if (mode === 'clone' || mode === 'worktree') return known(supervision, id);
  const watched = await watchedRepository(supervision);
  return { kind: 'there', workspace: { ...NO_PLACE, folder, watched } };
}

const NO_PLACE: ProvidedWorkspace = { folder: undefined, baseNote: null, ports: null };

type Watched = ProvidedWorkspace['watched'];

/** Where the run's repository keeps its refs, looked up once; undefined for a run without one, or an unreadable one. */
async function watchedRepository(supervision: Supervision): Promise<Watched> {
  const known = repositories.get(supervision) ?? findRepository(supervision.view.run.record.repository);
  repositories.set(supervision, known);
  return known;
}

const repositories = new WeakMap<Supervision, Promise<Watched>>();

async function findRepository(folder: string | null): Promise<Watched> {
  if (folder === null) return undefined;
  try {
    const { gitDir, commonDir } = await readSource(folder);
    return { gitDir, commonDir };
  } catch {
    // It has gone or is damaged: units that need it say so; others can change nothing there.
    return undefined;
  }
}

function failed(detail: string): Provided {
  return { kind: 'failed', detail };
}

/** What is recorded of a workspace that is there. */
function known({ view }: Supervision, unit: string): Provided {
  const { stateHome, record } = view.run;
  const set = openSet(stateHome, record.id);
  const workspace = readWorkspace(set, unit);
  if (!workspace) return failed(`its workspace has no record in ${set.folder}`);
  const baseNote = baseNoteOf(set, unit);
  return { kind: 'there', workspace: { folder: workspace.folder, baseNote, ports: workspace.ports } };
}

/** The first workspace of a run takes the base for all: others would take it once more at the same time. */
const firsts = new WeakMap<Supervision, Promise<unknown>>();

async function oneAtATime(supervision: Supervision, make: () => Promise<Provided>): Promise<Provided> {
  const set = path.join(setsFolder(supervision.view.run.stateHome), supervision.view.run.record.id);
  for (let first = firsts.get(supervision); first && !existsSync(path.join(set, SET_FILES.record)); ) {
    await first;
    const next = firsts.get(supervision);
    if (next === first) break;
    first = next;
  }
  const made = make();
  if (!existsSync(path.join(set, SET_FILES.record))) firsts.set(supervision, made);
  return made;
}

async function makeWorkspace(
  supervision: Supervision,
  { spec, environment, stop }: WorkspaceWish,
): Promise<Provided> {
  const { run } = supervision.view;
  const argv = [
    ...['clone', '--repo', run.record.repository ?? '', '--run', run.record.id, '--unit', spec.id, '--json'],
    ...['--state-home', run.stateHome],
    ...(spec.mode === 'worktree' ? ['--worktree'] : []),
    ...(startsFromNow(spec) ? ['--as-it-stands'] : []),
    ...spec.owns.flatMap((glob) => ['--owns', `${spec.id}=${glob}`]),
    ...spec.warm.flatMap((where) => ['--warm', where]),
    ...(spec.setup === null ? [] : ['--setup', spec.setup]),
    ...spec.after
      .filter((parent) => hasWorkspace(supervision, parent))
      .flatMap((parent) => ['--after', parent]),
    ...(isThere(supervision, spec.id) ? ['--renew'] : []),
  ];
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^PRUN_/i.test(name)));
  const said = await callPrun(supervision, spec.id, argv, { ...environment, ...spec.told, ...own }, stop);
  if (said.code === EXIT.conflict)
    return { kind: 'clash', detail: lastLine(said.stderr) || lastLine(said.stdout) };
  const made = parsedClone(said.stdout);
  if (!made) {
    // Killed (for memory, mostly): its setup and what that had started are nobody's children now.
    await endMarked(supervision.host, makerMark(run, spec.id));
    const how =
      said.signal === null ? `ended with ${said.code} and said nothing` : `was ended by ${said.signal}`;
    return failed(lastLine(said.stderr) || `prun clone ${how}`);
  }
  const [workspace] = made.workspaces;
  if (!workspace) return failed('prun clone made no workspace');
  if (workspace.setup !== null && workspace.setup.exitCode !== 0) {
    return failed(`its setup ended with ${workspace.setup.exitCode}: see ${workspace.setup.log}`);
  }
  const { folder, ports } = workspace;
  return { kind: 'there', workspace: { folder, baseNote: made.note, ports } };
}

/** A unit that builds on others starts from their results, one that was added by hand from the tree as it stands. */
function startsFromNow({ workspace, after, startsFromNow: isWished }: KnownUnit['spec']): boolean {
  return after.length === 0 && (workspace !== null || isWished === true);
}

/** A parent that worked elsewhere has no files to build on: it is only waited for. */
function hasWorkspace({ view }: Supervision, parent: string): boolean {
  const mode = view.units.get(parent)?.spec.mode;
  return mode === 'clone' || mode === 'worktree';
}

function isThere({ view }: Supervision, unit: string): boolean {
  const set = path.join(setsFolder(view.run.stateHome), view.run.record.id);
  return existsSync(path.join(set, SET_FILES.units, unit));
}

interface Said {
  code: number;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

function callPrun(
  supervision: Supervision,
  unit: string,
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  stop: AbortSignal,
): Promise<Said> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [supervision.context.prun, ...argv], {
      cwd: supervision.view.run.folder,
      // A successor ends what a supervisor left behind by this mark.
      env: { ...environment, PRUN_UNIT: makerMark(supervision.view.run, unit) },
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (said[name].length < MAX_OUTPUT_BYTES) said[name] += text;
      });
    }
    // prun clone ends its setup, and gives back what it has, when it is asked to end.
    const end = (): void => {
      child.kill('SIGTERM');
    };
    stop.addEventListener('abort', end, { once: true });
    child.once('error', (error) => resolve({ code: 1, signal: null, stdout: '', stderr: error.message }));
    child.once('close', (code, signal) => {
      stop.removeEventListener('abort', end);
      resolve({ code: code ?? 1, signal, ...said });
    });
  });
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 400) ?? '';
}

function parsedClone(text: string): z.infer<typeof cloneFacts> | undefined {
  try {
    return cloneFacts.parse(JSON.parse(text));
  } catch {
    // It ended before it could say anything: its complaint is the news.
    return undefined;
  }
}

const cloneFacts = z.object({
  note: z.string(),
  workspaces: z.array(
    z.object({
      folder: z.string(),
      ports: z.nullable(z.object({ first: z.number(), last: z.number() })),
      setup: z.nullable(z.object({ exitCode: z.number(), log: z.string() })),
    }),
  ),
});
