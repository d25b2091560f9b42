import path from 'node:path';
import { diskUse } from '../platform/disk-use.ts';
import { EXIT, messageOf, PrunError } from '../platform/errors.ts';
import { readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import type { ProcessHost } from '../process/types.ts';
import { bytesText } from '../render/figures.ts';
import type { Tone } from '../render/paint.ts';
import { MOST_LINES } from '../render/run-lines.ts';
import { runTable } from '../render/run-table.ts';
import { terminalColumns, terminalPaint } from '../render/terminal.ts';
import { runsFolder } from '../run/run-folder.ts';
import { liveSupervisor } from '../run/supervisor-state.ts';
import { countsText, countUnits, type UnitCounts } from '../run/views/counts.ts';
import { type RunEntry, runEntries } from '../run/views/run-entries.ts';
import { type RunState, runState } from '../run/views/run-facts.ts';
import { shortLine } from '../run/views/unit-text.ts';
import { printedName } from '../unit/printed-name.ts';
import { refuseOperands, stateHomeFrom } from './clone-arguments.ts';

/** What `prun list` prints for --help. */
export const LIST_HELP = `usage: prun list [flags]

All runs of this state home, newest first, with their age, their units by state, and the disk that they take.

  RUN <id> <created|running|done|lost> age=A units=N done=N failed=N running=N queued=N … disk=D <folder>
  CLONES <name> age=A disk=D <folder>       clones that prun clone made without a run
  COPIED <name> age=A units=N … disk=D <folder> <why>   a run's folder that was copied or moved: it is only read
  BROKEN <name> age=A disk=D <folder> <why> what is no run (any more): rm -r takes it away
  MORE runs=N                               those that had no room (40 lines in all): --json has them

On a terminal a table, with the name of each run's repository.
lost: something is under way and nobody supervises it; prun status --run ID puts that right.

flags
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             everything as one JSON object
  --help             this text
`;

interface Listed {
  name: string;
  kind: RunEntry['kind'];
  state: RunState | null;
  createdAt: string;
  ageSeconds: number;
  counts: UnitCounts | null;
  supervised: boolean;
  /** The user's repository, absolute; null without one. */
  repository: string | null;
  diskBytes: number;
  dir: string;
  why: string;
}

/** `prun list`: what runs there are, and what they cost. */
export async function list(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, { values: ['--state-home'], switches: ['--json'] });
  if (flags.help) {
    process.stdout.write(LIST_HELP);
    return EXIT.ok;
  }
  refuseOperands(flags, 'list');
  const home = stateHomeFrom(flags, process.env, process.cwd());
  const host = await currentHost();
  const now = Date.now();
  const entries = runEntries(home, now);
  const isJson = flags.switches.has('--json');
  // To measure the disk takes its time: only for what is told.
  const shown = isJson || entries.length <= MOST_LINES ? entries : entries.slice(0, MOST_LINES - 1);
  const listed: Listed[] = [];
  for (const entry of shown) listed.push(await listedOf(host, entry, now));
  if (isJson) process.stdout.write(`${JSON.stringify({ stateHome: home, runs: listed }, null, 2)}\n`);
  else print(home, listed, entries.length - shown.length);
  return EXIT.ok;
}

async function listedOf(host: ProcessHost, entry: RunEntry, now: number): Promise<Listed> {
  const [dir = ''] = entry.folders;
  const { name, kind, createdAt } = entry;
  const ageSeconds = Math.max(0, Math.round((now - Date.parse(createdAt)) / 1000));
  // A figure for people: what cannot be measured is no reason to stop.
  const { bytes } = await diskUse(...entry.folders).catch(() => ({ bytes: 0 }));
  const base = { name, kind, createdAt, ageSeconds, repository: null, diskBytes: bytes, dir, why: entry.why };
  try {
    const view = entry.view();
    // A copy has the claims of the run that it is a copy of.
    const supervised = kind === 'run' && view !== undefined && liveSupervisor(host, view.run) !== undefined;
    return {
      ...base,
      state: kind === 'run' && view ? runState(view, supervised) : null,
      counts: view ? countUnits(view.units.values()) : null,
      supervised,
      repository: view ? (view.run.record.integration?.repository ?? view.run.record.repository) : null,
    };
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    return { ...base, kind: 'broken', why: messageOf(error), state: null, counts: null, supervised: false };
  }
}

function print(home: string, listed: readonly Listed[], left: number): void {
  if (listed.length === 0) {
    process.stdout.write(`no runs in ${printedName(runsFolder(home))}\n`);
    return;
  }
  const lines = process.stdout.isTTY ? tableLines(listed) : plainLines(listed);
  if (left > 0) lines.push(process.stdout.isTTY ? `and ${left} more: --json has all` : `MORE runs=${left}`);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

function plainLines(listed: readonly Listed[]): string[] {
  return listed.map((one) => [...headOf(one), ...tailOf(one)].join(' '));
}

/** The same for a person's terminal. */
function tableLines(listed: readonly Listed[]): string[] {
  const rows = listed.map((one) => ({
    run: one.name,
    state: one.state ?? one.kind,
    tone: toneOf(one),
    age: ageText(one.ageSeconds),
    units: one.counts ? unitsText(one.counts) : shortLine(one.why),
    disk: bytesText(one.diskBytes).replace(' ', ''),
    repository: one.repository === null ? '' : path.basename(one.repository),
  }));
  return runTable(rows, terminalColumns(process.stdout.columns, process.env) - 1, terminalPaint(process.env));
}

function toneOf({ kind, state, counts }: Listed): Tone {
  if (kind === 'broken' || state === 'lost') return 'bad';
  if (state === 'running') return 'busy';
  if (state !== 'done') return 'faint';
  return counts && counts.succeeded + counts.created < counts.total ? 'warn' : 'good';
}

/** `3/5 done, 1 failed, 1 running`. */
function unitsText(counts: UnitCounts): string {
  const all = { ...counts, failed: counts.failed + counts.interrupted };
  const others = OTHERS.filter((name) => all[name] > 0).map((name) => `, ${all[name]} ${name}`);
  return `${counts.succeeded}/${counts.total} done${others.join('')}`;
}

const OTHERS = ['failed', 'blocked', 'cancelled', 'stalled', 'running', 'queued'] as const;

function headOf({ kind, name, state, ageSeconds, counts }: Listed): string[] {
  const age = `age=${ageText(ageSeconds)}`;
  const units = counts ? [`units=${counts.total}`, countsText(counts)] : [];
  if (kind !== 'run') return [kind.toUpperCase(), printedName(name), age, ...units];
  return ['RUN', name, state ?? '', age, ...units];
}

function tailOf({ diskBytes, dir, why }: Listed): string[] {
  return [
    `disk=${bytesText(diskBytes).replace(' ', '')}`,
    printedName(dir),
    ...(why === '' ? [] : [shortLine(why)]),
  ];
}

function ageText(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 2 * 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
