import { monotonicMs } from './platform/clock.ts';
import { EXIT, runMain } from './platform/errors.ts';
import { GATHER_HELP, parseGather } from './unit/gather-arguments.ts';
import { endQuietly, printLines } from './unit/watcher-manners.ts';

/** How many missing files are named on stderr: output for the coordinator is bounded (promise P7). */
const NAMED = 5;

async function main(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  endQuietly();
  const request = parseGather(argv, environment);
  if (request.help) {
    process.stdout.write(GATHER_HELP);
    return EXIT.ok;
  }
  printLines([`GATHER-START count=${request.resultFiles.length} timeout=${request.timeoutSeconds}s`]);
  // Only now: it brings zod, which costs a fifth of Node's own start.
  const { watchResults } = await import('./unit/watch-results.ts');
  const missing = await watchResults(
    request,
    { nowMs: monotonicMs, wallMs: Date.now },
    { landed: (name) => printLines([`DONE ${name}`]), warn },
  );
  if (missing.length === 0) return EXIT.ok;
  printLines([`TIMEOUT remaining=${missing.length}`]);
  for (const name of missing.slice(0, NAMED)) warn(`${name} has not landed`);
  if (missing.length > NAMED) warn(`${missing.length - NAMED} more have not landed`);
  return EXIT.usage;
}

function warn(line: string): void {
  process.stderr.write(`gather: ${line}\n`);
}

void runMain('gather', () => main(process.argv.slice(2), process.env));
