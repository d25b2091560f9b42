import { usageError } from '../platform/errors.ts';

/** A command line taken apart: the values of its flags and everything else in order. */
export interface FlagValues {
  help: boolean;
  values: Map<string, string>;
  operands: string[];
}

/**
 * Reads `--name value` and `--name=value` for the given names (with their dashes), `--help` and `-h`; `--` ends the
 * flags, the last of two equal flags wins. Throws a usage error for an unknown flag and for one without its value.
 * By hand, because `node:util` parseArgs costs a quarter of Node's own start (FACTS-processes.md, Memory and start).
 */
export function readFlags(argv: readonly string[], names: readonly string[]): FlagValues {
  const read: FlagValues = { help: false, values: new Map(), operands: [] };
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '--') {
      read.operands.push(...argv.slice(i + 1));
      break;
    }
    if (word === '--help' || word === '-h') read.help = true;
    else if (!word.startsWith('-') || word === '-') read.operands.push(word);
    else {
      const equals = word.indexOf('=');
      const name = equals < 0 ? word : word.slice(0, equals);
      if (!names.includes(name)) throw usageError(`unknown flag ${name}`, 'see --help for the flags');
      const value = equals < 0 ? argv[++i] : word.slice(equals + 1);
      if (value === undefined) throw usageError(`${name} has no value`, `give it as ${name} <seconds>`);
      read.values.set(name, value);
    }
  }
  return read;
}
