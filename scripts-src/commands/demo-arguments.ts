import { parseArgs } from 'node:util';
import { messageOf, usageError } from '../platform/errors.ts';

/** What `prun demo` was asked. */
export interface DemoOptions {
  help: boolean;
  codex: boolean;
  keep: boolean;
  json: boolean;
  noColor: boolean;
}

/** Text of `prun demo --help`. */
export const DEMO_HELP = `usage: prun demo [--codex] [--keep] [--json] [--no-color]

Shows a whole fan-out in a temporary folder, in about ten seconds: five units at once on workers of their own.
One answers a question, one changes code in a clone, one forgets its result file, one hangs with a process in a
session of its own and is reaped, one crashes. Then the digest, the ledger, the patch, and a look for processes
that are left. Needs git. No account and no network, because an embedded worker plays codex.

  --codex      use the real codex (CODEX_BIN, else codex in PATH); takes a minute or two and spends quota
  --keep       keep the folder; without it nothing stays behind
  --json       one JSON object on stdout at the end, and nothing else
  --no-color   lines without colour and without redrawing (as NO_COLOR, or when stdout is no terminal)
  --help       this text

exit: 0 all five units ended as they were meant to, and no process is left; 1 something differed; 2 wrong call, or
something that the demo needs is missing; 128+n ended by a signal, after ending all workers.
`;

/** Reads the command line of `prun demo`. Throws a usage error for what it does not know. */
export function parseDemo(argv: readonly string[]): DemoOptions {
  try {
    const { values } = parseArgs({
      args: [...argv],
      strict: true,
      allowPositionals: false,
      options: {
        codex: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        'no-color': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { 'no-color': noColor, ...rest } = values;
    return { ...rest, noColor };
  } catch (error) {
    const firstSentence = messageOf(error).split(/\. |\n/)[0] ?? '';
    throw usageError(firstSentence, 'see prun demo --help');
  }
}
