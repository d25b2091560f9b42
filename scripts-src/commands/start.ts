import { EXIT, usageError } from '../platform/errors.ts';
import { readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { askSupervisor } from '../run/ask-supervisor.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { keepEnvironment } from '../run/keep-environment.ts';
import { outerUnit } from '../run/outer-unit.ts';
import type { RequestAnswer, ScheduleSettings } from '../run/records.ts';
import { requireHome } from '../run/require-home.ts';
import { type RunView, viewRun } from '../run/run-view.ts';
import { fewLines } from './few-lines.ts';
import { type NamedRun, runOfFlags, unitsOfFlag } from './run-of-flags.ts';
import { SCHEDULE_FLAGS, SCHEDULE_HELP, scheduleFrom } from './schedule-flags.ts';
import { sessionLine } from './session-line.ts';

/** What `prun start --help` prints. */
export const START_HELP = `usage: prun start --run ID [--unit UNIT]… [flags]

Hands units that were added to the run's supervisor, and returns at once. It starts them in turn, as many at once as the
run allows, with the environment of this call. Without --unit: all that were never started. A unit that was started before
is left as it is: see prun retry. Any number of starts may come at the same time.

  --run ID           the run
  --unit UNIT        only this unit (repeat it)
${SCHEDULE_HELP}                     what is given here holds for the run from now on, which CHANGED says
  --allow-nested     also inside a worker
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             what was started as JSON

exit: 0 they are queued, or were started before; 2 wrong arguments; 34 no supervisor could be made to do it
`;

const ANSWER_MS = 60_000;

type StartAnswer = Pick<RequestAnswer, 'units' | 'refused'>;

/** `prun start`: hands units to the run's supervisor, and returns. */
export async function start(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, {
    values: ['--run', '--unit', '--phase', '--state-home', ...SCHEDULE_FLAGS],
    switches: ['--allow-nested', '--json'],
  });
  if (flags.help) {
    process.stdout.write(START_HELP);
    return EXIT.ok;
  }
  outerUnit(process.env, flags.switches.has('--allow-nested'));
  const schedule = scheduleFrom(flags);
  const named = runOfFlags(flags, 'start');
  requireHome(named.run);
  const view = viewRun(named.run);
  const units = [...new Set([...unitsOfFlag(view, flags), ...unitsOfFlag(view, flags, '--phase')])];
  if (view.units.size === 0) {
    throw usageError(
      `run ${named.run.record.id} has no units`,
      `add one: ${named.command('add', '--unit', 'ID', '--prompt-file', 'FILE')}`,
    );
  }
  const host = await currentHost();
  // Also where nothing is left to start: workers may be there whose supervisor has died.
  await ensureSupervisor(host, named.run);
  const answer =
    alreadyStarted(view, units, schedule) ??
    (await askSupervisor(
      host,
      named.run,
      {
        type: 'start',
        units: units.length > 0 ? units : null,
        schedule,
        environment: environmentFor(view, units),
      },
      ANSWER_MS,
    ));
  if (flags.switches.has('--json')) {
    const { units: started, refused } = answer;
    const changed = Object.keys(schedule).length > 0 ? { changed: schedule } : {};
    process.stdout.write(
      `${JSON.stringify({ run: named.run.record.id, units: started, refused, ...changed })}\n`,
    );
  } else process.stdout.write(report(named, view, answer, schedule));
  return EXIT.ok;
}

/** The answer where nothing is left to start: no supervisor is needed to say so. */
function alreadyStarted(
  { units }: RunView,
  wanted: readonly string[],
  schedule: Partial<ScheduleSettings>,
): StartAnswer | undefined {
  const states = (wanted.length > 0 ? wanted : [...units.keys()]).map((unit) => ({
    unit,
    state: units.get(unit)?.state ?? 'created',
  }));
  if (Object.keys(schedule).length > 0 || states.some(({ state }) => state === 'created')) return undefined;
  const left = states.map(({ unit, state }) => ({ unit, why: `it was started already, and is ${state}` }));
  return { units: [], refused: wanted.length > 0 ? left : [] };
}

/** The caller's of now: not that of an older start, nor the supervisor's (PEERS.md, scenario 25). */
function environmentFor({ run, units }: RunView, wanted: readonly string[]): string {
  const ids = wanted.length > 0 ? wanted : [...units.keys()];
  const specs = ids.flatMap((id) => units.get(id)?.spec ?? []);
  return keepEnvironment(run, process.env, specs);
}

function report(
  { run, command }: NamedRun,
  view: RunView,
  { units, refused }: StartAnswer,
  schedule: Partial<ScheduleSettings>,
): string {
  const specs = units.flatMap((id) => view.units.get(id)?.spec ?? []);
  const count = units.length === 1 ? '1 unit' : `${units.length} units`;
  const none = refused.length > 0 ? '' : ' (all were started before)';
  return fewLines(
    [`STARTED ${count} of run ${run.record.id}${units.length === 0 ? none : ''}`, ...changedLine(schedule)],
    [...units.map((unit) => `UNIT ${unit} queued`), ...refused.map(({ unit, why }) => `LEFT ${unit} ${why}`)],
    [...sessionLine(run, specs), `NEXT ${command('wait')}`, `NEXT ${command('status')}`],
    command('status'),
  );
}

/** The limits that hold from now on, also for units that were started before and wait. */
function changedLine(schedule: Partial<ScheduleSettings>): string[] {
  const { jobs, delaySeconds: delay, memfreeBytes: memfree, load } = schedule;
  const { backoffSeconds: backoff, transientRetries, tokenLimit } = schedule;
  const given = Object.entries({ jobs, delay, memfree, load, backoff, transientRetries, tokenLimit });
  const words = given.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return words.length === 0 ? [] : [`CHANGED ${words.join(' ')} from now on`];
}
