import { existsSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, PrunError } from '../platform/errors.ts';
import { readEnd } from '../platform/files.ts';
import { MOST_LINES } from '../render/run-lines.ts';
import { openRequests } from '../run/requests.ts';
import { type Run, runFile } from '../run/run-folder.ts';
import type { RunView, UnitView } from '../run/run-view.ts';
import type { AttemptProcess } from '../run/views/attempt-processes.ts';
import { countsText, countUnits } from '../run/views/counts.ts';
import type { RepositoryTraces } from '../run/views/repository-traces.ts';
import { runState } from '../run/views/run-facts.ts';
import { shownLine } from '../run/views/shown-line.ts';
import { unitPlaces } from '../run/views/unit-places.ts';
import { printedName } from '../unit/printed-name.ts';
import { setsFolder } from '../workspace/workspace-set.ts';

const LOG_LINES = 8;
const LOG_BYTES = 16 * 1024;

/** A unit with the attempts that are to be told of. */
export interface UnitTraces {
  unit: UnitView;
  attempts: { attempt: number; stateDir: string; marker: string | null; processes: AttemptProcess[] }[];
}

/** A run for people: at most 40 lines unless units are named. `live`: identity of its supervisor. */
export function debugLines(
  view: RunView,
  units: readonly UnitTraces[],
  repository: RepositoryTraces | undefined,
  live: string | undefined,
  isNamed: boolean,
): string[] {
  const { run } = view;
  const { record } = run;
  const identity = live ?? view.supervisor;
  const state = runState(view, live !== undefined);
  const gone = state === 'lost' ? 'dead' : 'ended';
  const set = setOf(run);
  const head = [
    `RUN ${record.id} ${state} made=${record.createdAt} events=${view.lastEvent} ${countsText(countUnits(view.units.values()))}`,
    `DIR ${printedName(run.folder)}`,
    `SET ${printedName(set)}${existsSync(set) ? '' : ` (${wasSetMade(view) ? 'gone' : 'not made'})`}`,
    ...(run.isHome ? [] : [`MOVED ${printedName(record.folder)}`]),
    `SUPERVISOR ${identity ?? 'none yet'}${identity === null ? '' : live === undefined ? ` ${gone}` : ' alive'}`,
    ...bounded(
      requestsOf(run).map(({ name, type }) => `REQUEST ${name} ${type}`),
      3,
      'requests',
    ),
    ...(repository === undefined ? [] : repositoryLines(run, repository)),
  ];
  const log = logLines(run).map((line) => `LOG ${line}`);
  const detail = units.flatMap(unitLinesOf(run, isNamed));
  // Somebody who asks for one unit wants all of it.
  const room = isNamed ? Number.POSITIVE_INFINITY : MOST_LINES - head.length - log.length - 1;
  return [...head, ...bounded(detail, room, 'lines of units'), ...log];
}

function repositoryLines({ record }: Run, traces: RepositoryTraces): string[] {
  const { integration } = record;
  return [
    `REPOSITORY ${printedName(traces.repository)}${traces.trouble === null ? '' : ` cannot be asked: ${shownLine(traces.trouble)}`}`,
    ...(integration === null
      ? []
      : [
          `INTEGRATION ${printedName(integration.worktree)} branch=${integration.branch} base=${integration.baseRef} ${integration.baseCommit.slice(0, 12)}${goneText(integration.worktree)}`,
        ]),
    ...bounded(
      traces.branches.map(({ name, commit }) => `BRANCH ${name} ${commit.slice(0, 12)}`),
      5,
      'branches',
    ),
    ...bounded(
      traces.worktrees.map(
        ({ folder, branch }) => `WORKTREE ${printedName(folder)} ${branch}${goneText(folder)}`,
      ),
      5,
      'worktrees',
    ),
    ...bounded(
      traces.excludes.map(({ file, line }) => `EXCLUDE ${printedName(file)}: ${shownLine(line)}`),
      2,
      'exclude lines',
    ),
  ];
}

function setOf({ stateHome, record }: Run): string {
  return path.join(setsFolder(stateHome), record.id);
}

function integrationFacts({ record: { integration } }: Run): Record<string, unknown> | null {
  return integration && { ...integration, isThere: existsSync(integration.worktree) };
}

function withPresence<T extends { folder: string }>(one: T): T & { isThere: boolean } {
  return { ...one, isThere: existsSync(one.folder) };
}

/** ` (gone)` behind the path of what a cleanup, or somebody else, has removed. */
function goneText(place: string): string {
  return existsSync(place) ? '' : ' (gone)';
}

/** Whether units of the run have had workspaces. */
function wasSetMade({ run, units }: RunView): boolean {
  if (run.record.repository === null) return false;
  return [...units.values()].some(({ spec }) => spec.mode === 'clone' || spec.mode === 'worktree');
}

/** Lines of one unit after another. A process that takes part in many, such as the supervisor, is told once. */
function unitLinesOf(run: Run, isNamed: boolean): (traces: UnitTraces) => string[] {
  const told = new Set<string>();
  const isNew = ({ role, identity }: AttemptProcess): boolean => {
    const key = `${role} ${identity}`;
    if (told.has(key)) return false;
    told.add(key);
    return true;
  };
  return (traces) => unitLines(run, traces, isNamed, isNew);
}

function unitLines(
  run: Run,
  { unit, attempts }: UnitTraces,
  isNamed: boolean,
  isNew: (one: AttemptProcess) => boolean,
): string[] {
  const lines = attempts.flatMap(({ attempt, stateDir, marker, processes }) => [
    `UNIT ${unit.id} ${attempt === unit.attempt ? unit.state : 'earlier'} attempt=${attempt} ${printedName(stateDir)}${isNamed && marker !== null ? ` marker=${marker}` : ''}`,
    ...processes
      .filter(isNew)
      .map(({ role, identity, alive }) => `PROCESS ${role} ${identity} ${alive ? 'alive' : 'dead'}`),
  ]);
  if (attempts.length === 0) lines.push(`UNIT ${unit.id} ${unit.state} attempt=${unit.attempt}`);
  if (!isNamed) return lines;
  const { promptFile, workspace, resultFile } = unitPlaces(run, unit);
  if (workspace !== null) lines.push(`WORKSPACE ${printedName(workspace)}${goneText(workspace)}`);
  if (promptFile !== null) lines.push(`PROMPT ${printedName(promptFile)}${goneText(promptFile)}`);
  lines.push(`RESULT ${printedName(resultFile)}${existsSync(resultFile) ? '' : ' (not there)'}`);
  return lines;
}

/** The same for programs, complete. */
export function debugJson(
  view: RunView,
  units: readonly UnitTraces[],
  repository: RepositoryTraces | undefined,
  live: string | undefined,
): Record<string, unknown> {
  const { run } = view;
  const identity = live ?? view.supervisor;
  return {
    run: run.record.id,
    dir: run.folder,
    madeIn: run.record.folder,
    isHome: run.isHome,
    state: runState(view, live !== undefined),
    supervisor: identity === null ? null : { identity, alive: live !== undefined },
    requests: requestsOf(run),
    set: { folder: setOf(run), isThere: existsSync(setOf(run)) },
    repository: repository ? { ...repository, worktrees: repository.worktrees.map(withPresence) } : null,
    integration: integrationFacts(run),
    units: units.map(({ unit, attempts }) => ({
      id: unit.id,
      status: unit.state,
      ...unitPlaces(run, unit),
      attempts,
    })),
    log: logLines(run),
  };
}

function requestsOf(run: Run): { name: string; type: string }[] {
  try {
    return openRequests(run).map(({ name, request }) => ({ name, type: request.type }));
  } catch (error) {
    // The folder of requests has gone, or a newer prun asks: what else there is is worth a look all the same.
    if (error instanceof PrunError || errnoOf(error) !== undefined) return [];
    throw error;
  }
}

function logLines(run: Run): string[] {
  const text = readEnd(runFile(run, 'supervisorLog'), LOG_BYTES);
  return text.split('\n').filter(Boolean).slice(-LOG_LINES).map(shownLine);
}

function bounded(lines: readonly string[], most: number, what: string): string[] {
  if (lines.length <= most) return [...lines];
  return [
    ...lines.slice(0, Math.max(0, most - 1)),
    `MORE ${lines.length - most + 1} ${what}: --json has all`,
  ];
}
