import { usageError } from './errors.ts';

/**
 * Reads a whole number of seconds. `name` is the flag or variable that the value came with, and stands in the
 * message. Throws a usage error for everything else: `10m`, `1.5`, `-1`, `1e3`, an empty text, and numbers whose
 * milliseconds a double cannot hold (`10m` was an integer error in one script and 10 in another: PEERS.md 16).
 */
export function wholeSeconds(value: string, name: string): number {
  const seconds = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(seconds * 1000)) return seconds;
  throw usageError(
    `${name} is ${JSON.stringify(value)}, not a whole number of seconds`,
    `give ${name} a number such as 600`,
  );
}

/** Where a setting of seconds may come from: its flag wins over its environment variable, then the default. */
export interface SecondsSetting {
  /** With its dashes, for the message. */
  flag: string;
  variable: string;
  fallback: number;
}

/**
 * The value of one setting in whole seconds. An empty variable counts as unset, as shells treat `${X:-default}`;
 * an empty flag value does not. Throws a usage error that names the flag or the variable.
 */
export function secondsFrom(
  setting: SecondsSetting,
  given: string | undefined,
  environment: NodeJS.ProcessEnv,
): number {
  if (given !== undefined) return wholeSeconds(given, setting.flag);
  const value = environment[setting.variable];
  return value ? wholeSeconds(value, setting.variable) : setting.fallback;
}
