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
  const head = [
    `RUN ${record.id} ${state} made=${record.createdAt} events=${view.lastEvent} ${countsText(countUnits(view.units.values()))}`,
    `DIR ${printedName(run.folder)}`,
    `SET ${printedName(path.join(setsFolder(run.stateHome), record.id))}`,
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
  const detail = units.flatMap((traces) => unitLines(run, traces, isNamed));
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
          `INTEGRATION ${printedName(integration.worktree)} branch=${integration.branch} base=${integration.baseRef} ${integration.baseCommit.slice(0, 12)}`,
        ]),
    ...bounded(
      traces.branches.map(({ name, commit }) => `BRANCH ${name} ${commit.slice(0, 12)}`),
      5,
      'branches',
    ),
    ...bounded(
      traces.worktrees.map(({ folder, branch }) => `WORKTREE ${printedName(folder)} ${branch}`),
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

function unitLines(run: Run, { unit, attempts }: UnitTraces, isNamed: boolean): string[] {
  const lines = attempts.flatMap(({ attempt, stateDir, marker, processes }) => [
    `UNIT ${unit.id} ${attempt === unit.attempt ? unit.state : 'earlier'} attempt=${attempt} ${printedName(stateDir)}${isNamed && marker !== null ? ` marker=${marker}` : ''}`,
    ...processes.map(
      ({ role, identity, alive }) => `PROCESS ${role} ${identity} ${alive ? 'alive' : 'dead'}`,
    ),
  ]);
  if (attempts.length === 0) lines.push(`UNIT ${unit.id} ${unit.state} attempt=${unit.attempt}`);
  if (!isNamed) return lines;
  const { promptFile, workspace, resultFile } = unitPlaces(run, unit);
  for (const [word, place] of Object.entries({
    WORKSPACE: workspace,
    PROMPT: promptFile,
    RESULT: resultFile,
  })) {
    if (place !== null) lines.push(`${word} ${printedName(place)}`);
  }
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
    repository: repository ?? null,
    integration: run.record.integration,
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
