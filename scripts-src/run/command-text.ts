import { nameOfRun, type Run } from './run-folder.ts';

/** A prun command about one run as a person would type it: `prun retry --run x --unit api`. */
export type CommandText = (name: string, ...words: readonly string[]) => string;

/** Writes commands about a run; with its state home where that is not the one that is used without a flag. */
export function commandTextFor(run: Run, usualStateHome: string): CommandText {
  const home = run.stateHome === usualStateHome ? [] : ['--state-home', run.stateHome];
  return (name, ...words) =>
    ['prun', name, '--run', nameOfRun(run), ...words, ...home].map(quotedWord).join(' ');
}

/** A word of a command line, in quotes where a shell would take it apart. */
export function quotedWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
