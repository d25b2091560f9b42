import { EXIT, runMain } from './platform/errors.ts';
import { oneLine } from './platform/one-line.ts';
import { writeAllSync } from './platform/write-all.ts';
import { currentHost } from './process/host.ts';
import { LEASE_HELP, parseLease } from './validate/lease-arguments.ts';
import { GUARD, guardLease } from './validate/lease-guard.ts';
import { listenForStop } from './validate/lease-stop.ts';
import { listLeases } from './validate/list-leases.ts';
import { runUnderLease } from './validate/run-leased.ts';

/** Standard error without Node's stream, which would change how the descriptor works that the command inherits. */
function say(line: string): void {
  writeAllSync(2, `resource-run: ${oneLine(line)}\n`);
}

void runMain('resource-run', async () => {
  const [word, ...words] = process.argv.slice(2);
  if (word === GUARD) {
    await guardLease(words);
    process.exit(EXIT.ok);
  }
  const request = parseLease(process.argv.slice(2), process.cwd());
  if (request.kind === 'help') {
    writeAllSync(1, LEASE_HELP);
    return EXIT.ok;
  }
  const host = await currentHost();
  if (request.kind === 'list') {
    writeAllSync(1, listLeases(host, process.env, request));
    return EXIT.ok;
  }
  const code = await runUnderLease(request, {
    host,
    environment: process.env,
    cwd: process.cwd(),
    script: __filename,
    stop: listenForStop(),
    say,
  });
  // The guardian's pipe may still be open: the work has ended, and so does this.
  process.exit(code);
});
