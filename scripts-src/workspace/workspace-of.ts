import { appendFileSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** The workspace that a folder lies in, as far as the supervisor of a unit needs it. Paths are absolute. */
export interface WorkspacePlace {
  /** Folder of the set. */
  set: string;
  unit: string;
  /** Where the worker works: `<set>/clones/<unit>`. */
  clone: string;
  ports: { first: number; last: number } | null;
  /** The base tree, or null where the record cannot be read. */
  base: string | null;
  /** Where the user's repository keeps its refs, or undefined where the set's record cannot be read. */
  source: { gitDir: string; commonDir: string } | undefined;
}

/**
 * The workspace of a unit's work dir, or undefined where it lies in none. A work dir that has no folder `clones` above
 * it costs one look at its real path. Hot scripts call this before their worker starts, so it parses by hand: zod
 * would cost a fifth of Node's own start.
 */
export function workspaceOf(workdir: string): WorkspacePlace | undefined {
  return placeOn(path.resolve(workdir)) ?? placeOnRealPath(workdir);
}

/** Whether a folder is where a set keeps its workspaces, also of one that is being made and has no record yet. */
export function isPlaceInSet(folder: string): boolean {
  const parent = path.dirname(folder);
  return path.basename(parent) === 'clones' && existsSync(path.join(path.dirname(parent), 'set.json'));
}

/** A link may lead into a clone, and its own name says nothing of that. */
function placeOnRealPath(workdir: string): WorkspacePlace | undefined {
  try {
    const real = realpathSync.native(workdir);
    return real === path.resolve(workdir) ? undefined : placeOn(real);
  } catch {
    // It has gone: then it is no workspace either.
    return undefined;
  }
}

/** Looks at `<set>/clones/<unit>`, the innermost first. */
function placeOn(folder: string): WorkspacePlace | undefined {
  let clone = folder;
  for (let parent = path.dirname(clone); parent !== clone; parent = path.dirname(clone)) {
    if (path.basename(parent).toLowerCase() === 'clones') {
      const place = readPlace(path.dirname(parent), clone);
      if (place) return place;
    }
    clone = parent;
  }
  return undefined;
}

function readPlace(set: string, clone: string): WorkspacePlace | undefined {
  const unit = path.basename(clone);
  const record = path.join(set, 'units', unit, 'workspace.json');
  const setRecord = path.join(set, 'set.json');
  if (!existsSync(record) || !existsSync(setRecord)) return undefined;
  const workspace = readObject(record);
  const source = objectIn(readObject(setRecord)?.source);
  const base = typeof workspace?.base === 'string' ? workspace.base : null;
  return { set, unit, clone, ports: portsIn(workspace?.ports), base, source: sourceIn(source) };
}

function portsIn(value: unknown): WorkspacePlace['ports'] {
  const ports = objectIn(value);
  const { first, last } = ports ?? {};
  return isPort(first) && isPort(last) ? { first, last } : null;
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536;
}

function sourceIn(source: Record<string, unknown> | undefined): WorkspacePlace['source'] {
  const { gitDir, commonDir } = source ?? {};
  return typeof gitDir === 'string' && typeof commonDir === 'string' ? { gitDir, commonDir } : undefined;
}

function readObject(file: string): Record<string, unknown> | undefined {
  try {
    return objectIn(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Torn, or closed to this user: it is a workspace all the same, and what collects its delta says what is wrong.
    return undefined;
  }
}

function objectIn(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** What a worker in a workspace finds in its environment: where it works, what its base is, its ports. */
export function workspaceEnvironment(workspace: WorkspacePlace): Record<string, string> {
  const { clone, ports } = workspace;
  const place = { PRUN_WORKSPACE: clone, PRUN_BASE_NOTE: baseNoteIn(workspace) };
  if (!ports) return place;
  const [first, last] = [String(ports.first), String(ports.last)];
  return { ...place, PRUN_PORT_FIRST: first, PRUN_PORT_LAST: last, PORT: first };
}

/** The note about what a workspace started from: of a base of its own, else that of the set. */
export function baseNoteIn({ set, unit }: Pick<WorkspacePlace, 'set' | 'unit'>): string {
  const own = path.join(set, 'units', unit, 'base', 'PRUN-BASE.md');
  return existsSync(own) ? own : path.join(set, 'PRUN-BASE.md');
}

/** State dirs of attempts that worked in the workspace and that are there, newest last. */
export function attemptsIn({ set, unit }: Pick<WorkspacePlace, 'set' | 'unit'>): string[] {
  try {
    const text = readFileSync(path.join(set, 'units', unit, 'attempts'), 'utf8');
    return text.split('\n').filter((dir) => path.isAbsolute(dir) && existsSync(dir));
  } catch {
    // No attempt was noted yet.
    return [];
  }
}

/** Notes that an attempt works in the workspace, for `prun cleanup`. A full disk is no reason to stop it. */
export function noteAttempt({ set, unit }: WorkspacePlace, stateDir: string): void {
  try {
    appendFileSync(path.join(set, 'units', unit, 'attempts'), `${stateDir}\n`, { mode: 0o600 });
  } catch {
    // See above.
  }
}
