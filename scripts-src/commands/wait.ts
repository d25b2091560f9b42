import { EXIT, lineOf, plainError, usageError } from '../platform/errors.ts';
import { faultPoint } from '../platform/fault.ts';
import { currentHost } from '../process/host.ts';
import { type Awaited, awaitCauses, type WaitEnd } from '../run/views/await-causes.ts';
import { noteDelivered } from '../run/views/delivered.ts';
import { supervisionOf } from '../run/views/supervision.ts';
import { endQuietly } from '../unit/watcher-manners.ts';
import { type NamedRun, runOfFlags, unitsNamed } from './run-of-flags.ts';
import { parseWait, WAIT_HELP } from './wait-arguments.ts';
import { waitReport } from './wait-report.ts';
import { tellWhole } from './wait-tell.ts';

export { WAIT_HELP } from './wait-arguments.ts';

/** `prun wait`: sleeps until something of a run needs the coordinator, tells it, and says with its exit code what. */
export async function wait(argv: readonly string[]): Promise<number> {
  const asked = parseWait(argv);
  if (!asked) {
    process.stdout.write(WAIT_HELP);
    return EXIT.ok;
  }
  endQuietly();
  const target = runOfFlags(asked.flags, 'wait');
  const units = unitsNamed(target.run, asked.flags);
  const host = await currentHost();
  const awaited: Awaited = {
    run: target.run,
    wish: { units: new Set(units), each: asked.each },
    after: asked.after,
    timeoutMs: asked.timeoutSeconds * 1000,
    supervisionOf: (run, news) => supervisionOf(host, run, news),
    nowMs: () => performance.now(),
  };
  const end = await awaitCauses(awaited);
  if (end.kind === 'not-started') throw notStarted(target, units);
  const report = waitReport(end, units, target.command);
  const text = asked.json ? `${JSON.stringify(report.json)}\n` : `${report.lines.join('\n')}\n`;
  const failure = await tellWhole(text);
  if (failure === undefined) rememberTold(target, end, units);
  // A closed pipe is nobody's fault; what could not be told otherwise is said where it still can be.
  else if (failure !== 'EPIPE') {
    complain(`stdout cannot be written (${failure})`, 'make room on the disk; the next wait tells it again');
  }
  return report.exit;
}

/** After the last byte of the report, so that one who is killed in between tells it again. */
function rememberTold({ run }: NamedRun, { causes, last }: WaitEnd, units: readonly string[]): void {
  faultPoint('wait-told', run.folder);
  // A copy is only read. What nobody was told need not be remembered.
  if (!run.isHome || causes.length === 0 || last === null) return;
  try {
    const { n, at } = last;
    const single = causes.map(({ event }) => ({ n: event.n, at: event.at }));
    noteDelivered(run, units.length > 0 ? { single } : { upTo: { n, at } });
  } catch (thrown) {
    const error = plainError(thrown);
    if (error === undefined) throw thrown;
    complain(`what was told cannot be noted (${lineOf(error)})`, 'the next wait tells it again');
  }
}

function complain(what: string, next: string): void {
  process.stderr.write(`prun wait: ${what}: ${next}\n`);
}

function notStarted({ run, command }: NamedRun, units: readonly string[]): Error {
  const what = units.length > 0 ? `of ${units.slice(0, 5).join(', ')} in run` : 'of run';
  const flags = units.slice(0, 5).flatMap((unit) => ['--unit', unit]);
  return usageError(
    `nothing ${what} ${run.record.id} was started yet`,
    `start it: ${command('start', ...flags)}`,
  );
}
