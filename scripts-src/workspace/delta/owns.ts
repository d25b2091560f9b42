import picomatch from 'picomatch';
import { type BytePath, textOf } from '../../platform/byte-path.ts';

/**
 * Whether a path belongs to somebody who owns these globs. `*` stays inside a folder, `**` does not, dot files count,
 * case counts. A name without a glob owns itself and all below it, also one with brackets in it (`app/[id]`). A glob
 * after `!` takes its paths out again. A path that is no UTF-8 is matched with replacement characters.
 */
export function ownership(globs: readonly string[]): (where: BytePath) => boolean {
  const given = globs.filter((glob) => !glob.startsWith('!')).map(matcherOf);
  const taken = globs.filter((glob) => glob.startsWith('!')).map((glob) => matcherOf(glob.slice(1)));
  return (where) => {
    const text = textOf(where);
    return given.some((owns) => owns(text)) && !taken.some((owns) => owns(text));
  };
}

/** The paths outside what these globs own; none where nobody said what is owned. */
export function outsideOf(globs: readonly string[], paths: readonly BytePath[]): BytePath[] {
  if (globs.length === 0) return [];
  const owns = ownership(globs);
  return paths.filter((where) => !owns(where));
}

function matcherOf(glob: string): (text: string) => boolean {
  const name = glob.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
  if (name === '' || name === '.') return () => true;
  // Flag s: a name may hold a newline.
  const matches = picomatch(name, { dot: true, nonegate: true, posix: true, flags: 's' });
  return (text) => text === name || text.startsWith(`${name}/`) || matches(text);
}
