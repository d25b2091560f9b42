import { EXIT } from '../platform/errors.ts';
import { type FlagValues, readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { boardLines } from '../render/board.ts';
import { countOf } from '../render/figures.ts';
import { ansiPaint, noPaint } from '../render/paint.ts';
import { boundedReport, MOST_LINES } from '../render/run-lines.ts';
import { ledgerFileOf } from '../run/run-folder.ts';
import { type RunView, type UnitView, viewRun } from '../run/run-view.ts';
import { liveSupervisor, supervisorTrouble } from '../run/supervisor-state.ts';
import { countsText, countUnits } from '../run/views/counts.ts';
import { overlayOutcomes } from '../run/views/outcome-overlay.ts';
import { runFacts, runState } from '../run/views/run-facts.ts';
import { supervisionOf } from '../run/views/supervision.ts';
import { byUrgency } from '../run/views/urgency.ts';
import { printedName } from '../unit/printed-name.ts';
import { refuseOperands } from './clone-arguments.ts';
import { runOfFlags, unitsNamed } from './run-of-flags.ts';
import { unitStatusLine, unitStatusRow } from './status-lines.ts';

/** What `prun status` prints for --help. */
export const STATUS_HELP = `usage: prun status --run ID [--unit U]… [--json]

Says how a run and its units stand, what needs an eye first. A supervisor that has died is replaced first.

  RUN <id> <created|running|done|lost> units=N done=N failed=N running=N queued=N … supervisor=<pid|none>
  UNIT <id> <state>(<reason>) <one line> result=<path>
  MORE units=N <path>             those that had no room (40 lines in all): the ledger has them
  LEDGER <path>                   the whole table; paths in it are below the run's folder

On a terminal a table. With --json {run, dir, state, supervisor: {pid, identity, alive}, counts, units: [{id, status,
reason, detail, attempt, result, stateDir, workspace, promptFile, …}]}, complete.

flags
  --run ID           the run: see prun list
  --unit U           only this unit (repeat it)
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             everything as one JSON object
  --help             this text

exit: 0; 34 nobody supervises the run and nobody can be made to; 2 wrong call
`;

/** `prun status`: a run and its units as they stand now. */
export async function status(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, { values: ['--run', '--unit', '--state-home'], switches: ['--json'] });
  if (flags.help) {
    process.stdout.write(STATUS_HELP);
    return EXIT.ok;
  }
  refuseOperands(flags, 'status');
  const { run } = runOfFlags(flags, 'status');
  const named = unitsNamed(run, flags);
  const host = await currentHost();
  const trouble = await supervisionOf(host, run, () => 0).ensure();
  const live = liveSupervisor(host, run);
  const view = viewRun(run);
  overlayOutcomes(view);
  const units = named.length > 0 ? named.flatMap((id) => view.units.get(id) ?? []) : [...view.units.values()];
  process.stdout.write(statusText(flags, view, units, live));
  const stopped = supervisorTrouble(host, run);
  const notes = [trouble, stopped].filter((note) => note !== undefined).concat(moved(view));
  for (const note of notes) process.stderr.write(`prun status: ${note}\n`);
  return trouble === undefined ? EXIT.ok : EXIT.supervisorLost;
}

function statusText(
  flags: FlagValues,
  view: RunView,
  units: readonly UnitView[],
  live: string | undefined,
): string {
  if (flags.switches.has('--json')) return `${JSON.stringify(runFacts(view, units, live), null, 2)}\n`;
  const lines = process.stdout.isTTY ? tableLines(view, units, live) : plainLines(view, units, live);
  return lines.map((line) => `${line}\n`).join('');
}

function plainLines(view: RunView, units: readonly UnitView[], live: string | undefined): string[] {
  const { run } = view;
  const counts = countUnits(view.units.values());
  const pid = live === undefined ? 'none' : live.split(':')[1];
  const state = runState(view, live !== undefined);
  const urgent = byUrgency(units);
  // Lines that have no room are not worth reading a result for.
  const told = urgent.map((unit, at) =>
    at < MOST_LINES
      ? unitStatusLine(run, unit)
      : { id: unit.id, state: unit.state, reason: null, text: '', result: null },
  );
  return boundedReport({
    head: [`RUN ${run.record.id} ${state} units=${counts.total} ${countsText(counts)} supervisor=${pid}`],
    units: told,
    foot: [`LEDGER ${printedName(ledgerFileOf(run))}`],
    rest: ledgerFileOf(run),
  }).lines;
}

function tableLines(view: RunView, units: readonly UnitView[], live: string | undefined): string[] {
  const { run } = view;
  const counts = countUnits(view.units.values());
  const isPlain = Boolean(process.env.NO_COLOR) || process.env.TERM === 'dumb';
  const state = runState(view, live !== undefined);
  const urgent = byUrgency(units);
  const shown = urgent.slice(0, MOST_LINES);
  const left = urgent.length - shown.length;
  const title = `${run.record.id}: ${state}, ${countOf(counts.total, 'unit')}: ${countsText(counts)}`;
  const rows = shown.map((unit) => unitStatusRow(run, unit));
  return [
    ...boardLines(title, rows, (process.stdout.columns || 80) - 1, isPlain ? noPaint : ansiPaint),
    ...(left > 0 ? [`  and ${countOf(left, 'more unit')}: ${printedName(ledgerFileOf(run))}`] : []),
  ];
}

function moved({ run }: RunView): string[] {
  if (run.isHome) return [];
  return [`this run was made as ${run.record.folder} and lies in ${run.folder} now: it is only read here`];
}
