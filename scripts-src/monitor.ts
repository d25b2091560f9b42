import path from 'node:path';
import { monotonicMs } from './platform/clock.ts';
import { EXIT, runMain } from './platform/errors.ts';
import { doubtsAbout, MONITOR_HELP, type MonitorRequest, parseMonitor } from './unit/monitor-arguments.ts';
import { endQuietly, printLines } from './unit/watcher-manners.ts';

async function main(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  endQuietly();
  const request = parse(argv, environment);
  if (request.help) {
    process.stdout.write(MONITOR_HELP);
    return EXIT.ok;
  }
  printLines([
    `MONITOR-START units=${request.stateDirs.length} stall-threshold=${request.stallThresholdSeconds}s ` +
      `timeout=${request.timeoutSeconds}s`,
  ]);
  for (const doubt of doubtsAbout(request.stateDirs)) process.stderr.write(`${doubt}\n`);
  // Only now: it brings zod, which costs a fifth of Node's own start.
  const { watchUnits } = await import('./unit/watch-units.ts');
  const { event, statuses } = await watchUnits(request, { nowMs: monotonicMs, wallMs: Date.now });
  const { printedName } = await import('./unit/printed-name.ts');
  printLines([
    `MONITOR-EVENT ${event}`,
    ...request.stateDirs.map((dir, index) => `UNIT ${printedName(path.basename(dir))} ${statuses[index]}`),
  ]);
  if (event === 'all-done') return EXIT.ok;
  return event === 'timeout' ? EXIT.usage : EXIT.attention;
}

function parse(argv: readonly string[], environment: NodeJS.ProcessEnv): MonitorRequest {
  try {
    return parseMonitor(argv, environment);
  } catch (error) {
    printLines(['MONITOR-EVENT usage-error']);
    throw error;
  }
}

void runMain('monitor', () => main(process.argv.slice(2), process.env));
