import path from 'node:path';
import { EXIT, PrunError } from '../platform/errors.ts';
import { entriesOf } from '../platform/files.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import type { ProcessHost } from '../process/types.ts';
import { pathInRun } from '../run/path-in-run.ts';
import { checkedRunName, type Run, runsFolder } from '../run/run-folder.ts';
import { type RunView, viewRun } from '../run/run-view.ts';
import { liveSupervisor } from '../run/supervisor-state.ts';
import { attemptProcesses, markerOf } from '../run/views/attempt-processes.ts';
import { attemptsOf } from '../run/views/attempts-of.ts';
import { isUnderWay } from '../run/views/counts.ts';
import { repositoryTraces } from '../run/views/repository-traces.ts';
import { printedName } from '../unit/printed-name.ts';
import { refuseOperands, stateHomeFrom } from './clone-arguments.ts';
import { debugJson, debugLines, type UnitTraces } from './debug-report.ts';
import { runOfFlags, unitsNamed } from './run-of-flags.ts';

/** What `prun debug` prints for --help. */
export const DEBUG_HELP = `usage: prun debug --run ID [--unit U] [--json]

Everything that one looks for when a run is not as it should be. Changes nothing, and starts nothing.

  RUN …  DIR …  SET …             the run, its folder, the folder of its workspaces
  MOVED <folder>                  where it was made, if that is elsewhere: then it is only read
  SUPERVISOR <identity> <alive|ended|dead>    boot:pid:start
  REQUEST <name> <type>           what nobody has carried out yet
  REPOSITORY / INTEGRATION / BRANCH / WORKTREE / EXCLUDE    all that the run has added to the user's repository
  UNIT <id> <state> attempt=N <state dir>, and PROCESS <role> <identity> <alive|dead> for what runs, or for --unit; a
                                  process of several units is told once
  LOG <line>                      the last lines of supervisor.log

(gone) stands behind what a cleanup has removed. At most 40 lines without --unit; --json has all.

flags
  --run ID           the run; also one that was never finished
  --unit U           this unit with its attempts, workspace, prompt, result and marker
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             everything as one JSON object
  --help             this text
`;

/** `prun debug`: paths, processes and traces of a run. */
export async function debug(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, { values: ['--run', '--unit', '--state-home'], switches: ['--json'] });
  if (flags.help) {
    process.stdout.write(DEBUG_HELP);
    return EXIT.ok;
  }
  refuseOperands(flags, 'debug');
  let run: Run;
  try {
    ({ run } = runOfFlags(flags, 'debug'));
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
  const named = unitsNamed(run, flags);
  const host = await currentHost();
  const view = viewRun(run);
  const units = unitTraces(host, view, named);
  const repository = await repositoryTraces(run);
  const live = liveSupervisor(host, run);
  if (flags.switches.has('--json'))
    print([JSON.stringify(debugJson(view, units, repository, live), null, 2)]);
  else print(debugLines(view, units, repository, live, named.length > 0));
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

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
