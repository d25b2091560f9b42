import { usageError } from './errors.ts';

/** Names of a command's flags, with their dashes. */
export interface FlagNames {
  /** Flags that take a value. */
  values: readonly string[];
  /** Flags that are there or not. */
  switches?: readonly string[];
}

/** A command line taken apart: the values of its flags and everything else in order. */
export interface FlagValues {
  help: boolean;
  /** Every value of a flag, in order. */
  values: Map<string, string[]>;
  switches: Set<string>;
  operands: string[];
}

/**
 * Reads `--name value`, `--name=value` and switches of the given names, `--help` and `-h`; `--` ends the flags.
 * Throws a usage error for an unknown flag, for one without its value and for a switch with one. By hand, because
 * `node:util` parseArgs costs a quarter of Node's own start (FACTS-processes.md, Memory and start).
 */
export function readFlags(argv: readonly string[], names: FlagNames): FlagValues {
  const read: FlagValues = { help: false, values: new Map(), switches: new Set(), operands: [] };
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '--') {
      read.operands.push(...argv.slice(i + 1));
      break;
    }
    if (word === '--help' || word === '-h') read.help = true;
    else if (names.switches?.includes(word)) read.switches.add(word);
    else if (!word.startsWith('-') || word === '-') read.operands.push(word);
    else {
      const equals = word.indexOf('=');
      const name = equals < 0 ? word : word.slice(0, equals);
      if (names.switches?.includes(name)) throw usageError(`${name} takes no value`, `give it as ${name}`);
      if (!names.values.includes(name)) throw usageError(`unknown flag ${name}`, 'see --help for the flags');
      const value = equals < 0 ? argv[++i] : word.slice(equals + 1);
      if (value === undefined) throw usageError(`${name} has no value`, `give it as ${name} <value>`);
      read.values.set(name, [...(read.values.get(name) ?? []), value]);
    }
  }
  return read;
}

/** The value of a flag; the last one wins where it was given several times. */
export function lastValue(flags: FlagValues, name: string): string | undefined {
  return flags.values.get(name)?.at(-1);
}
