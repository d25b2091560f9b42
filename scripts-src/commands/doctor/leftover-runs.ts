import path from 'node:path';
import { monotonicMs } from '../../platform/clock.ts';
import { diskUse } from '../../platform/disk-use.ts';
import { PrunError } from '../../platform/errors.ts';
import { stateHome as usualStateHome } from '../../platform/state-home.ts';
import { currentHost } from '../../process/host.ts';
import type { ProcessHost } from '../../process/types.ts';
import { bytesText, countOf } from '../../render/figures.ts';
import { quotedWord } from '../../run/command-text.ts';
import { liveSupervisor } from '../../run/supervisor-state.ts';
import { type RunEntry, runEntries } from '../../run/views/run-entries.ts';
import { runState } from '../../run/views/run-facts.ts';
import { setsFolder, type WorkspaceSet } from '../../workspace/workspace-set.ts';
import { lastTouched, lastUsed, setsWithoutRun } from '../cleanup-age.ts';
import { type Finding, fine, note } from './finding.ts';

const OLD_DAYS = 14;
/** Less is not worth a word, bytes. */
const BIG_BYTES = 100e6;
/** How many names are told. */
const NAMES = 3;

/** Runs that nobody supervises although something is under way, and clones that nobody has used for long. */
export async function leftoverRuns(stateHome: string, limitMs: number): Promise<Finding> {
  const deadline = monotonicMs() + limitMs / 2;
  const host = await currentHost();
  let entries: RunEntry[];
  try {
    entries = runEntries(stateHome, Date.now());
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    return note('runs', error.message, error.next);
  }
  const seen = entries.map((entry) => seenOf(host, entry, deadline));
  const lost = seen.filter(({ state }) => state === 'lost').map(({ name }) => name);
  if (lost.length > 0) {
    const [first = ''] = lost;
    return note(
      'runs',
      `${countOf(lost.length, 'run has', 'runs have')} units under way and no supervisor: ${namesText(lost)}`,
      command(stateHome, 'status', '--run', first),
    );
  }
  const old = await oldClones(stateHome, entries, deadline);
  const count = (...kinds: RunEntry['kind'][]): number =>
    entries.filter(({ kind }) => kinds.includes(kind)).length;
  const sets = count('clones');
  const fact = `${countOf(count('run', 'copied'), 'run')}${sets > 0 ? `, ${countOf(sets, 'set')} of clones` : ''}`;
  if (old.bytes >= BIG_BYTES) {
    return note(
      'runs',
      `${fact}; clones that nobody has used for ${OLD_DAYS} days take ${old.isWhole ? '' : 'more than '}${bytesText(old.bytes)}`,
      command(stateHome, 'cleanup', '--older-than', `${OLD_DAYS}d`),
    );
  }
  const broken = entries.filter(({ kind }) => kind === 'broken').map(({ name }) => name);
  if (broken.length > 0) {
    const what = countOf(broken.length, 'folder that is no run', 'folders that are no runs');
    return note('runs', `${fact}, ${what}: ${namesText(broken)}`, command(stateHome, 'list'));
  }
  if (entries.length === 0) return fine('runs', 'none yet');
  const running = seen.filter(({ state }) => state === 'running').length;
  // Nobody waits longer for a state home with hundreds of runs.
  if (monotonicMs() > deadline)
    return fine('runs', `${fact}, too many to look at all of them (prun list does)`);
  return fine('runs', `${fact}, ${running} under way, none left behind`);
}

/** How a run stands; undefined for one that is none, and where the time is over. */
function seenOf(
  host: ProcessHost,
  entry: RunEntry,
  deadline: number,
): { name: string; state: string | undefined } {
  const { name, kind } = entry;
  if (kind !== 'run' || monotonicMs() > deadline) return { name, state: undefined };
  try {
    const view = entry.view();
    if (!view) return { name, state: undefined };
    return { name, state: runState(view, liveSupervisor(host, view.run) !== undefined) };
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    // A file of it that cannot be read, or a newer prun's: prun list says so.
    return { name, state: undefined };
  }
}

/** What `prun cleanup --older-than` would look at: the clones of runs and sets in which nothing has happened for long. */
async function oldClones(
  stateHome: string,
  entries: readonly RunEntry[],
  deadline: number,
): Promise<{ bytes: number; isWhole: boolean }> {
  const oldest = Date.now() - OLD_DAYS * 86_400_000;
  const names = new Set(entries.filter(({ kind }) => kind !== 'clones').map(({ name }) => name));
  const runs = entries.flatMap((entry) => {
    if (entry.kind !== 'run' || Date.parse(entry.createdAt) > oldest || monotonicMs() > deadline) return [];
    return touchedAt(entry) <= oldest ? [path.join(setsFolder(stateHome), entry.name)] : [];
  });
  const sets = setsWithoutRun(stateHome, names).filter((set: WorkspaceSet) => lastUsed(set) <= oldest);
  const folders = [...runs, ...sets.map(({ folder }) => folder)].map((set) => path.join(set, 'clones'));
  let bytes = 0;
  for (const folder of folders) {
    const use = await Promise.race([diskUse(folder), pause(deadline - monotonicMs())]);
    if (use === undefined) return { bytes, isWhole: false };
    bytes += use.bytes;
  }
  return { bytes, isWhole: true };
}

function touchedAt(entry: RunEntry): number {
  try {
    const view = entry.view();
    return view ? lastTouched(view.run) : Date.now();
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    return Date.now();
  }
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), Math.max(0, ms)).unref();
  });
}

function namesText(names: readonly string[]): string {
  const more = names.length > NAMES ? `, and ${names.length - NAMES} more` : '';
  return names.slice(0, NAMES).join(', ') + more;
}

function command(stateHome: string, ...words: readonly string[]): string {
  const home = stateHome === usualStateHome(process.env) ? [] : ['--state-home', stateHome];
  return ['prun', ...words, ...home].map(quotedWord).join(' ');
}
