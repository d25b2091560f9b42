import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { RunEvent } from '../../scripts-src/run/records.ts';
import type { OutcomeRecord, UnitRecord } from '../../scripts-src/unit/records.ts';
import { processesOf } from './process-table.ts';
import { openPrun, type PrunCli, type PrunWish } from './prun-cli.ts';
import { scratch } from './unit-run.ts';
import { waitFor } from './wait-for.ts';

/** A unit of a manifest. `sh` is short for a `command` unit that runs this shell text. */
export interface ManifestUnit {
  id: string;
  sh?: string;
  [key: string]: unknown;
}

type Ended = Extract<RunEvent, { type: 'ended' }>;

/** A run that the compiled `prun run` has started, and what lies on disk of it. */
export interface StartedRun {
  id: string;
  folder: string;
  events(): RunEvent[];
  /** Waits for an event. */
  event<T extends RunEvent['type']>(
    type: T,
    unit?: string,
    attempt?: number,
    limitMs?: number,
  ): Promise<Extract<RunEvent, { type: T }>>;
  /** The last `ended` of each unit. */
  ends(): Map<string, Ended>;
  /** Waits until nothing is left to do and the supervisor has gone. */
  done(limitMs?: number): Promise<Map<string, Ended>>;
  /** State dirs of a unit, oldest attempt first. */
  attempts(unit: string): { stateDir: string; record: UnitRecord; outcome: OutcomeRecord | undefined }[];
  supervisorPid(): number;
  result(unit: string): string;
}

/** A folder with the compiled prun, a state home, and runs. */
export interface RunRoom {
  folder: string;
  cli: PrunCli;
  /** Writes a manifest and runs it. */
  start(
    units: readonly ManifestUnit[],
    settings?: Record<string, unknown>,
    wish?: PrunWish,
  ): Promise<StartedRun>;
  /** A run that is there. */
  open(id: string): StartedRun;
}

let count = 0;

/** A room for runs, gone when the test ends. */
export function runRoom(folder = scratch('prun run')): RunRoom {
  const cli = openPrun(folder);
  // A test that fails in the middle must leave nobody behind either.
  onTestFinished(() => endAllOf(folder));
  const open = (id: string): StartedRun => startedRun(path.join(cli.stateHome, 'runs', id), id);
  return {
    folder,
    cli,
    open,
    async start(units, settings = {}, wish = {}) {
      const id = `run-${++count}`;
      const manifest = path.join(folder, `${id}.json`);
      writeFileSync(manifest, JSON.stringify({ ...settings, units: units.map(unitOf) }));
      await cli.run(['run', manifest, '--run', id], { cwd: folder, ...wish });
      return open(id);
    },
  };
}

function unitOf({ sh, ...unit }: ManifestUnit): Record<string, unknown> {
  if (sh === undefined) return { prompt: 'Do the work.', ...unit };
  return { executor: 'command', prompt: 'Do the work.', argv: ['/bin/sh', '-c', sh], ...unit };
}

function startedRun(folder: string, id: string): StartedRun {
  const events = (): RunEvent[] => {
    const text = existsSync(path.join(folder, 'events.jsonl'))
      ? readFileSync(path.join(folder, 'events.jsonl'), 'utf8')
      : '';
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as RunEvent);
  };
  const ends = (): Map<string, Ended> =>
    new Map(events().flatMap((event) => (event.type === 'ended' ? [[event.unit, event] as const] : [])));
  return {
    id,
    folder,
    events,
    ends,
    event(type, unit, attempt, limitMs) {
      const what = `${type} of ${unit ?? 'the run'}`;
      const fits = (event: RunEvent): boolean =>
        event.type === type &&
        (unit === undefined || ('unit' in event && event.unit === unit)) &&
        (attempt === undefined || ('attempt' in event && event.attempt === attempt));
      return waitFor(what, () => events().find(fits), limitMs) as never;
    },
    async done(limitMs = 30_000) {
      const last = (type: RunEvent['type']): number => events().findLastIndex((event) => event.type === type);
      await waitFor(`the end of run ${id}`, () => last('all-done') > last('queued'), limitMs);
      const pid = this.supervisorPid();
      await waitFor(`the end of the supervisor of ${id}`, () => !isThere(pid), limitMs);
      return ends();
    },
    attempts(unit) {
      const home = path.join(folder, 'attempts');
      return readdirSync(home)
        .filter((name) => name.startsWith('prun-task-'))
        .map((name) => path.join(home, name))
        .map((stateDir) => ({
          stateDir,
          record: JSON.parse(readFileSync(path.join(stateDir, 'unit.json'), 'utf8')) as UnitRecord,
          outcome: existsSync(path.join(stateDir, 'outcome.json'))
            ? (JSON.parse(readFileSync(path.join(stateDir, 'outcome.json'), 'utf8')) as OutcomeRecord)
            : undefined,
        }))
        .filter(({ record }) => record.unit === unit)
        .sort((a, b) => a.record.attempt - b.record.attempt);
    },
    supervisorPid() {
      const claims = path.join(folder, 'supervisors');
      const newest = Math.max(...readdirSync(claims).map(Number).filter(Number.isFinite));
      return Number(readFileSync(path.join(claims, String(newest)), 'utf8').split(':')[1]);
    },
    result: (unit) => readFileSync(path.join(folder, 'agent-io', 'results', `${unit}.md`), 'utf8'),
  };
}

/** Ends whatever names the folder in its command line, and the workers of all runs in it. */
function endAllOf(folder: string): void {
  const runs = path.join(folder, 'state home', 'runs');
  const attempts = existsSync(runs)
    ? readdirSync(runs)
        .map((run) => path.join(runs, run, 'attempts'))
        .filter((home) => existsSync(home))
    : [];
  const markers = attempts.flatMap((home) =>
    readdirSync(home).map((name) => name.replace(/^prun-task-[0-9a-f]{8}-(.+)-\d+-([0-9a-f]{16})$/, '$1-$2')),
  );
  const left = [
    ...processesOf({ word: folder }),
    ...markers.flatMap((name) => processesOf({ marker: name })),
  ];
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has gone meanwhile.
    }
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A folder below the room, made. */
export function folderIn(room: RunRoom, name: string): string {
  const folder = path.join(room.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
