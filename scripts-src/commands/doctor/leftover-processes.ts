import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { entriesOf } from '../../platform/files.ts';
import { currentHost } from '../../process/host.ts';
import type { ProcessHost } from '../../process/types.ts';
import { countOf } from '../../render/figures.ts';
import { quotedWord } from '../../run/command-text.ts';
import { RUN_FILES, runsFolder } from '../../run/run-folder.ts';
import { attemptProcesses, markerOf } from '../../run/views/attempt-processes.ts';
import { stateFile } from '../../unit/state-dir.ts';
import { type Finding, fine, type LookAnswer, note, problem } from './finding.ts';
import type { LookWish } from './look-apart.ts';
import { type MarkedGroup, orphanGroups, outermost } from './marked-processes.ts';

const ID = 'processes';
/** How many pids and folders are told. */
const NAMES = 8;

/** Units and processes that nobody stands behind any more. */
export async function lookAtProcesses(wish: LookWish): Promise<LookAnswer> {
  const host = await currentHost();
  return { findings: [processesFinding(host, wish)], mostUnits: null };
}

/** The same, given the process table. */
export function processesFinding(
  host: ProcessHost,
  { tempFolder, stateHome, program }: Pick<LookWish, 'tempFolder' | 'stateHome' | 'program'>,
): Finding {
  if (host.entry(process.pid) === undefined) {
    return problem(
      ID,
      `the process table cannot be read (${host.trouble?.() ?? 'this process is not in it'}), so no worker can be ended`,
      'make /proc, ps or PowerShell usable for this user',
    );
  }
  const single = openAttempts(tempFolder);
  const left = single.filter((dir) => !isStoodBehind(host, dir));
  const known = new Set(
    [...single, ...attemptsOfRuns(stateHome)].flatMap((dir) => outermost(markerOf(dir)) ?? []),
  );
  const groups = host.platform === 'win32' ? [] : orphanGroups(host, known);
  if (left.length > 0) {
    const [first = ''] = left;
    const guardian = path.join(path.dirname(program), 'reap-watch.cjs');
    return note(
      ID,
      `${countOf(left.length, 'unit', 'units')} of dispatch-task without an end, whose dispatcher is dead: ${few(left)}${besides(groups)}`,
      `node ${quotedWord(guardian)} --state-dir ${quotedWord(first)}`,
    );
  }
  if (groups.length > 0) {
    const pids = groups.flatMap(({ members }) => members.map(({ pid }) => pid));
    const names = [...new Set(groups.flatMap(({ members }) => members.map(({ command }) => command)))];
    return note(
      ID,
      `${countOf(pids.length, 'process', 'processes')} of units that nobody supervises: ${few(pids)} (${few(names)})`,
      `look at them with ps -p ${pids.slice(0, NAMES).join(',')}, and end what nobody needs with kill`,
    );
  }
  const unseen = host.platform === 'linux' ? '' : ' (this system shows the marks of some processes only)';
  return fine(ID, `none left behind${unseen}`);
}

function besides(groups: readonly MarkedGroup[]): string {
  const count = groups.reduce((sum, { members }) => sum + members.length, 0);
  return count === 0 ? '' : `; and ${countOf(count, 'process', 'processes')} of other units`;
}

/** State dirs of this user's units without a run that have no outcome. */
function openAttempts(tempFolder: string): string[] {
  return entriesOf(tempFolder)
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('prun-task-'))
    .map((entry) => path.join(tempFolder, entry.name))
    .filter((dir) => {
      const owner = statSync(dir, { throwIfNoEntry: false })?.uid;
      return owner === (process.getuid?.() ?? owner) && isOpen(dir);
    });
}

/** The same of all runs: their supervisors see to them, and prun doctor's line about runs tells where there is none. */
function attemptsOfRuns(stateHome: string): string[] {
  const runs = runsFolder(stateHome);
  return entriesOf(runs).flatMap(({ name }) => {
    const attempts = path.join(runs, name, RUN_FILES.attempts);
    return entriesOf(attempts)
      .map((entry) => path.join(attempts, entry.name))
      .filter(isOpen);
  });
}

/** One without `unit.json` was made by another program than this. */
function isOpen(dir: string): boolean {
  return !existsSync(stateFile(dir, 'outcome')) && existsSync(stateFile(dir, 'unit'));
}

function isStoodBehind(host: ProcessHost, dir: string): boolean {
  return attemptProcesses(host, dir).some(({ role, alive }) => role !== 'worker' && alive);
}

function few(items: readonly (string | number)[]): string {
  const more = items.length > NAMES ? `, and ${items.length - NAMES} more` : '';
  return items.slice(0, NAMES).join(', ') + more;
}
