import { EXIT } from '../platform/errors.ts';
import { readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { boardLines, boardTitle } from '../render/board.ts';
import { fitCells } from '../render/cells.ts';
import { countOf } from '../render/figures.ts';
import { createScreen } from '../render/screen.ts';
import { terminalColumns, terminalPaint } from '../render/terminal.ts';
import type { RunEvent } from '../run/records.ts';
import { type Run, runFile } from '../run/run-folder.ts';
import type { RunView } from '../run/run-view.ts';
import { createBell } from '../run/views/bell.ts';
import { countsText, countUnits, isAnyUnderWay, wasStarted } from '../run/views/counts.ts';
import { followRun } from '../run/views/follow-run.ts';
import { queuedBecauseIn } from '../run/views/queued-because.ts';
import { supervisionOf } from '../run/views/supervision.ts';
import { byUrgency } from '../run/views/urgency.ts';
import { createFileWatch } from '../unit/watch-files.ts';
import { endQuietly } from '../unit/watcher-manners.ts';
import { watchWorkers } from './attach-workers.ts';
import { breakerLines } from './breaker-lines.ts';
import { refuseOperands } from './clone-arguments.ts';
import { lastSaid } from './last-said.ts';
import { eventLine } from './logs-events.ts';
import { runOfFlags } from './run-of-flags.ts';
import { unitStatusRow } from './status-lines.ts';

/** What `prun attach` prints for --help. */
export const ATTACH_HELP = `usage: prun attach --run ID

Follows a run live until all is done: a table on a terminal, else one line for each event from now on. Leaving it
(Ctrl-C) does no harm: the run goes on. It tells people; what prun wait has to tell stays to be told.

flags
  --run ID           the run: see prun list
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --help             this text

exit: 0 all is done and every unit succeeded; 30 one did not; 34 nobody supervises the run and nobody can be made to;
130 after Ctrl-C; 2 wrong call
`;

/** Between two pictures, and between two looks at the log without a ring, ms. */
const LOOK_MS = 500;
/** Pictures are at least this far apart: a thousand units write in streams. */
const PAUSE_MS = 100;
/** Lines of a terminal that are left free. */
const FREE_ROWS = 3;

/** `prun attach`: a run's progress as it happens. */
export async function attach(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, { values: ['--run', '--state-home'] });
  if (flags.help) {
    process.stdout.write(ATTACH_HELP);
    return EXIT.ok;
  }
  refuseOperands(flags, 'attach');
  const { run } = runOfFlags(flags, 'attach');
  const screen = createScreen((text) => process.stdout.write(text));
  // The cursor comes back however it ends.
  process.on('exit', screen.close);
  endQuietly();
  const show = process.stdout.isTTY ? drawBoard(screen) : printEvents();
  const host = await currentHost();
  return follow(
    run,
    show,
    supervisionOf(host, run, () => 0),
  );
}

/** Shows a run after something has happened, or time has passed. */
type Show = (view: RunView, events: readonly RunEvent[], isFirst: boolean) => void;

async function follow(run: Run, show: Show, supervision: ReturnType<typeof supervisionOf>): Promise<number> {
  const followed = followRun(run);
  const bell = createBell();
  const watch = createFileWatch();
  const log = runFile(run, 'events');
  let lookAtMs = 0;
  try {
    for (let isFirst = true; ; isFirst = false) {
      watch.add(log, bell.ring);
      if (performance.now() >= lookAtMs) {
        const why = supervision.isAlive() ? undefined : await supervision.ensure();
        lookAtMs = performance.now() + supervision.roundMs;
        if (why !== undefined) {
          process.stderr.write(`prun attach: ${why}\n`);
          return EXIT.supervisorLost;
        }
      }
      const events = followed.advance();
      const view = followed.view();
      show(view, events, isFirst);
      if (!run.isHome || isOver(view, supervision)) return exitOf(view);
      await bell.heard(LOOK_MS);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } finally {
    watch.close();
  }
}

function isOver(view: RunView, supervision: ReturnType<typeof supervisionOf>): boolean {
  if (view.isAllDone) return true;
  return !isAnyUnderWay(view) && !supervision.isAlive();
}

function exitOf(view: RunView): number {
  const units = [...view.units.values()].filter(({ state }) => state !== 'created');
  return units.every(({ state }) => state === 'succeeded') ? EXIT.ok : EXIT.unitFailed;
}

function drawBoard(screen: ReturnType<typeof createScreen>): Show {
  const paint = terminalPaint(process.env);
  const workers = watchWorkers();
  return (view) => {
    const { run } = view;
    const columns = terminalColumns(process.stdout.columns, process.env);
    const most = Math.max(1, (process.stdout.rows || 24) - FREE_ROWS - view.breakers.size);
    const urgent = byUrgency(view.units.values());
    const shown = urgent.slice(0, most);
    const says = workers.look(run, shown);
    // A supervisor that dies is replaced within a look: what the dead one said is nearly true.
    const because = queuedBecauseIn(view, true);
    const rows = shown.map((unit) => {
      const row = unitStatusRow(run, unit, because);
      return row.now === '' ? { ...row, now: says.get(unit.id) || lastSaid(run, unit) } : row;
    });
    const left = urgent.length - rows.length;
    const title = boardTitle(run.record.id, countsText(countUnits(urgent)), columns - 1);
    const more = [
      ...(left > 0 ? [`  and ${countOf(left, 'more unit')}`] : []),
      ...breakerLines(view, Date.now()),
    ];
    const below = more.map((line) => fitCells(line, columns - 1));
    screen.draw([...boardLines(title, rows, columns - 1, paint), ...below], columns);
  };
}

/** What has happened before is told in one line: whoever wants it all asks for logs. */
function printEvents(): Show {
  return (view, events, isFirst) => {
    const counts = countsText(countUnits(view.units.values()));
    const state = wasStarted(view) ? '' : ' (nothing was started yet)';
    const lines = isFirst ? [`RUN ${view.run.record.id} ${counts}${state}`] : events.map(eventLine);
    if (lines.length > 0) process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  };
}
