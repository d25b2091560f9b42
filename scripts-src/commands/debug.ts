import path from 'node:path';
import { EXIT, errnoOf, PrunError } from '../platform/errors.ts';
import { entriesOf, readEnd } from '../platform/files.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import type { ProcessHost } from '../process/types.ts';
import { MOST_LINES } from '../render/run-lines.ts';
import { pathInRun } from '../run/path-in-run.ts';
import { openRequests } from '../run/requests.ts';
import { checkedRunName, type Run, runFile, runsFolder } from '../run/run-folder.ts';
import { type RunView, type UnitView, viewRun } from '../run/run-view.ts';
import { liveSupervisor } from '../run/supervisor-state.ts';
import { type AttemptProcess, attemptProcesses, markerOf } from '../run/views/attempt-processes.ts';
import { attemptsOf } from '../run/views/attempts-of.ts';
import { countsText, countUnits, isUnderWay } from '../run/views/counts.ts';
import { type RepositoryTraces, repositoryTraces } from '../run/views/repository-traces.ts';
import { runState } from '../run/views/run-facts.ts';
import { shownLine } from '../run/views/shown-line.ts';
import { unitPlaces } from '../run/views/unit-places.ts';
import { printedName } from '../unit/printed-name.ts';
import { stateHomeFrom } from './clone-arguments.ts';
import { refuseWords, targetRun, targetUnits } from './status-target.ts';

/** What `prun debug` prints for --help. */
export const DEBUG_HELP = `usage: prun debug --run ID [--unit U] [--json]

Everything that one looks for when a run is not as it should be. Changes nothing, and starts nothing.

  RUN …  DIR …  SET …             the run, its folder, the folder of its workspaces
  MOVED <folder>                  where it was made, if that is elsewhere: then it is only read
  SUPERVISOR <identity> <alive|ended|dead>    boot:pid:start
  REQUEST <name> <type>           what nobody has carried out yet
  REPOSITORY / INTEGRATION / BRANCH / WORKTREE / EXCLUDE    all that the run has added to the user's repository
  UNIT <id> <state> attempt=N <state dir>, and PROCESS <role> <identity> <alive|dead> for what runs, or for --unit
  LOG <line>                      the last lines of supervisor.log

At most 40 lines without --unit; --json has all.

flags
  --run ID           the run; also one that was never finished
  --unit U           this unit with its attempts, workspace, prompt, result and marker
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             everything as one JSON object
  --help             this text
`;

const LOG_LINES = 8;
const LOG_BYTES = 16 * 1024;

interface UnitTraces {
  unit: UnitView;
  attempts: { attempt: number; stateDir: string; marker: string | null; processes: AttemptProcess[] }[];
}

/** `prun debug`: paths, processes and traces of a run. */
export async function debug(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, { values: ['--run', '--unit', '--state-home'], switches: ['--json'] });
  if (flags.help) {
    process.stdout.write(DEBUG_HELP);
    return EXIT.ok;
  }
  refuseWords(flags, 'debug');
  let run: Run;
  try {
    ({ run } = targetRun(flags));
  } catch (error) {
    const home = stateHomeFrom(flags, process.env, process.cwd());
    const left = leftovers(home, lastValue(flags, '--run'));
    if (!(error instanceof PrunError) || left.length === 0) throw error;
    print(
      left.map(
        (folder) => `UNFINISHED ${printedName(folder)}: no run that can be opened; rm -r takes it away`,
      ),
    );
    return EXIT.ok;
  }
  const named = targetUnits(flags, run);
  const host = await currentHost();
  const view = viewRun(run);
  const units = unitTraces(host, view, named);
  const repository = await repositoryTraces(run);
  const live = liveSupervisor(host, run);
  if (flags.switches.has('--json')) print([JSON.stringify(jsonOf(view, units, repository, live), null, 2)]);
  else print(linesOf(view, units, repository, live, named.length > 0));
  return EXIT.ok;
}

/** Folders of a run that was never finished, or has lost its record. */
function leftovers(home: string, name: string | undefined): string[] {
  if (name === undefined) return [];
  const id = checkedRunName(name);
  return entriesOf(runsFolder(home))
    .filter(
      (entry) => entry.name === id || (entry.name.startsWith(`.${id}-`) && entry.name.endsWith('.draft')),
    )
    .map((entry) => path.join(runsFolder(home), entry.name));
}

function unitTraces(host: ProcessHost, view: RunView, named: readonly string[]): UnitTraces[] {
  const isNamed = named.length > 0;
  const units = [...view.units.values()].filter(({ id, state }) =>
    isNamed ? named.includes(id) : isUnderWay(state) && state !== 'queued',
  );
  return units.map((unit) => {
    const { run } = view;
    const newest: [number, string][] =
      unit.stateDir === null ? [] : [[unit.attempt, pathInRun(run, unit.stateDir)]];
    const dirs = isNamed ? [...attemptsOf(run, unit.id)] : newest;
    const attempts = dirs.map(([attempt, stateDir]) => ({
      attempt,
      stateDir,
      marker: markerOf(stateDir) ?? null,
      processes: attemptProcesses(host, stateDir),
    }));
    return { unit, attempts };
  });
}

function linesOf(
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
    `SET ${printedName(path.join(run.stateHome, 'workspaces', record.id))}`,
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

function jsonOf(
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

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
