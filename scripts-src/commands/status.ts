import { EXIT } from '../platform/errors.ts';
import { type FlagValues, readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { boardLines, boardTitle } from '../render/board.ts';
import { countOf } from '../render/figures.ts';
import { boundedReport, MOST_LINES } from '../render/run-lines.ts';
import { terminalColumns, terminalPaint } from '../render/terminal.ts';
import { stepsAfterFailures } from '../run/after-failure.ts';
import type { CommandText } from '../run/command-text.ts';
import { ledgerFileOf } from '../run/run-folder.ts';
import { type RunView, type UnitView, viewRun } from '../run/run-view.ts';
import { liveSupervisor, supervisorTrouble } from '../run/supervisor-state.ts';
import { tokensOfRun } from '../run/token-sums.ts';
import { countsText, countUnits } from '../run/views/counts.ts';
import { overlayOutcomes } from '../run/views/outcome-overlay.ts';
import { queuedBecauseIn } from '../run/views/queued-because.ts';
import { runFacts, runState } from '../run/views/run-facts.ts';
import { supervisionOf } from '../run/views/supervision.ts';
import { byUrgency } from '../run/views/urgency.ts';
import { printedName } from '../unit/printed-name.ts';
import { afterBreaker, breakerLines } from './breaker-lines.ts';
import { refuseOperands } from './clone-arguments.ts';
import { lastSaid } from './last-said.ts';
import { runOfFlags, unitsNamed } from './run-of-flags.ts';
import { attemptLines } from './status-attempts.ts';
import { unitStatusLine, unitStatusRow } from './status-lines.ts';

/** What `prun status` prints for --help. */
export const STATUS_HELP = `usage: prun status --run ID [--unit U]… [--json]

Says how a run and its units stand, what needs an eye first. A supervisor that has died is replaced first.

  RUN <id> <created|running|done|lost> units=N done=N failed=N running=N queued=N … supervisor=<pid|none>
                                  tokens=N: in and out, of all attempts so far, where their workers said
  BREAKER <executor> open(<reason>) until <time> …        one line for each account of which nothing new is started
  UNIT <id> <state>(<reason>) <one line> result=<path>
  ATTEMPT <id> <n> <state>(<reason>) <one line> session=<id> dir=<state dir>      with --unit: each attempt, oldest first
  MORE units=N <path>             those that had no room (40 lines in all): the ledger has them
  LEDGER <path>                   the whole table; paths in it are below the run's folder

A queued unit says in brackets what it waits for: queued (load 9.4 > 4), queued (4 of 4 jobs run), queued (after api).
On a terminal a table with what each worker printed last, the LEDGER, and what to do next about a unit that failed. With
--json {run, dir, state, supervisor: {pid, identity, alive}, counts, breakers, tokens, units: [{id, status, reason, detail,
attempt, result, stateDir, workspace, promptFile, waitsFor, …}]}, complete.

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
  const { run, command } = runOfFlags(flags, 'status');
  const named = unitsNamed(run, flags);
  const host = await currentHost();
  const trouble = await supervisionOf(host, run, () => 0).ensure();
  const live = liveSupervisor(host, run);
  const view = viewRun(run);
  overlayOutcomes(view);
  const units = named.length > 0 ? named.flatMap((id) => view.units.get(id) ?? []) : [...view.units.values()];
  const attempts = named.length > 0 && !flags.switches.has('--json') ? attemptLines(run, units) : [];
  process.stdout.write(statusText(flags, view, units, attempts, live, command));
  const stopped = supervisorTrouble(host, run);
  const notes = [trouble, stopped].filter((note) => note !== undefined).concat(moved(view));
  for (const note of notes) process.stderr.write(`prun status: ${note}\n`);
  return trouble === undefined ? EXIT.ok : EXIT.supervisorLost;
}

function statusText(
  flags: FlagValues,
  view: RunView,
  units: readonly UnitView[],
  attempts: readonly string[],
  live: string | undefined,
  command: CommandText,
): string {
  if (flags.switches.has('--json')) {
    const areNamed = flags.values.has('--unit');
    return `${JSON.stringify(runFacts(view, units, live, areNamed), null, 2)}\n`;
  }
  const lines = process.stdout.isTTY
    ? tableLines(view, units, attempts, live, command)
    : plainLines(view, units, attempts, live);
  return lines.map((line) => `${line}\n`).join('');
}

function plainLines(
  view: RunView,
  units: readonly UnitView[],
  attempts: readonly string[],
  live: string | undefined,
): string[] {
  const { run } = view;
  const counts = countUnits(view.units.values());
  const pid = live === undefined ? 'none' : live.split(':')[1];
  const tokens = tokensOfRun(view);
  const used = tokens ? ` tokens=${tokens.total}` : '';
  const state = runState(view, live !== undefined);
  const urgent = byUrgency(units);
  const because = queuedBecauseIn(view, live !== undefined);
  // Lines that have no room are not worth reading a result for.
  const told = urgent.map((unit, at) =>
    at < MOST_LINES
      ? unitStatusLine(run, unit, because)
      : { id: unit.id, state: unit.state, reason: null, text: '', result: null },
  );
  return boundedReport({
    head: [
      `RUN ${run.record.id} ${state} units=${counts.total} ${countsText(counts)} supervisor=${pid}${used}`,
      ...breakerLines(view, Date.now()),
    ],
    units: told,
    foot: [...attempts, `LEDGER ${printedName(ledgerFileOf(run))}`],
    rest: ledgerFileOf(run),
  }).lines;
}

function tableLines(
  view: RunView,
  units: readonly UnitView[],
  attempts: readonly string[],
  live: string | undefined,
  command: CommandText,
): string[] {
  const { run } = view;
  const counts = countUnits(view.units.values());
  const state = runState(view, live !== undefined);
  const urgent = byUrgency(units);
  const shown = urgent.slice(0, MOST_LINES);
  const left = urgent.length - shown.length;
  const because = queuedBecauseIn(view, live !== undefined);
  const rows = shown.map((unit) => {
    const row = unitStatusRow(run, unit, because);
    return row.now === '' ? { ...row, now: lastSaid(run, unit) } : row;
  });
  const width = terminalColumns(process.stdout.columns, process.env) - 1;
  const tokens = tokensOfRun(view);
  const used = tokens ? `, ${countOf(tokens.total, 'token')}` : '';
  const standing = `${state}, ${countOf(counts.total, 'unit')}: ${countsText(counts)}${used}`;
  const title = boardTitle(run.record.id, standing, width);
  const breakers = breakerLines(view, Date.now());
  return [
    ...boardLines(title, rows, width, terminalPaint(process.env)),
    ...(left > 0 ? [`  and ${countOf(left, 'more unit')} in the ledger`] : []),
    ...attempts,
    ...breakers,
    // Paths and commands are for copying: whole, also where the terminal breaks them.
    `LEDGER ${printedName(ledgerFileOf(run))}`,
    ...(breakers.length > 0 ? [`NEXT ${afterBreaker(view, command)}`] : []),
    ...nextLines(view, urgent[0], command),
  ];
}

/** What somebody does about a unit that has failed; nothing where none has. */
function nextLines(view: RunView, first: UnitView | undefined, command: CommandText): string[] {
  if (first?.state !== 'failed' && first?.state !== 'interrupted') return [];
  const unit = ['--unit', first.id];
  const check = first.reason === 'verify' ? ['--verify'] : [];
  const steps = [
    command('logs', ...unit, ...check),
    ...stepsAfterFailures(view, [first], command).map((step) => step.command),
  ];
  return [...new Set(steps)].map((step) => `NEXT ${step}`);
}

function moved({ run }: RunView): string[] {
  if (run.isHome) return [];
  return [`this run was made as ${run.record.folder} and lies in ${run.folder} now: it is only read here`];
}
