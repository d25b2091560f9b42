import path from 'node:path';
import { parseArgs } from 'node:util';
import { executorByName } from './executor/by-name.ts';
import { EXIT, messageOf, runMain, usageError } from './platform/errors.ts';
import { currentHost } from './process/host.ts';
import type { GuardedUnit } from './supervise/guard.ts';

const HELP = `usage: reap-watch --state-dir D

The guardian of one unit: waits until its dispatcher is dead or the unit has an outcome. In the first case it ends
the worker with everything that it started, saves what it left, and writes the outcome (interrupted, dispatch-dead).
dispatch-task starts it by itself. Prints nothing. Exit code: 0; 2 usage.
`;

runMain('reap-watch', async () => {
  // Whoever stops the dispatcher's task must not stop what cleans up behind it.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  const flags = readFlags(process.argv.slice(2));
  if (flags === undefined) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { guardAttempt } = await import('./supervise/guard.ts');
  const prun = path.join(__dirname, 'prun.cjs');
  await guardAttempt(path.resolve(flags.stateDir), await currentHost(), executorByName, prun, flags.unit);
  process.exit(EXIT.ok);
});

function readFlags(argv: string[]): { stateDir: string; unit: GuardedUnit | undefined } | undefined {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        'state-dir': { type: 'string' },
        // From dispatch-task alone: what a guardian goes by where there is no state dir.
        marker: { type: 'string' },
        since: { type: 'string' },
        dispatcher: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) return undefined;
    const { marker, since, dispatcher } = values;
    const unit = marker && since && dispatcher ? { marker, since: Number(since), dispatcher } : undefined;
    if (values['state-dir']) return { stateDir: values['state-dir'], unit };
  } catch (error) {
    throw usageError(messageOf(error).split('. ')[0] ?? '', 'see reap-watch --help');
  }
  throw usageError('--state-dir is missing', 'give the STATE-DIR of a dispatched unit');
}
