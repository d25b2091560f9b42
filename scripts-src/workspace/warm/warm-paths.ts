import { chmodSync, lstatSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { type BytePath, bytePathOf, fileAt, textOf } from '../../platform/byte-path.ts';

/**
 * Files in which installers write the absolute path of the tree: scripts and `activate` of a virtual environment, its
 * settings, what makes a package "editable" (without this, a worker's Python would import the user's source), and the
 * shell scripts that pnpm puts into `.bin`.
 */
const HOLDERS = [
  /(?:^|\/)(?:node_modules\/)?\.bin\/[^/]+$/,
  /(?:^|\/)\.?venv\/(?:bin|Scripts)\/[^/]+$/,
  /(?:^|\/)pyvenv\.cfg$/,
  /(?:^|\/)site-packages\/(?:[^/]+\.(?:pth|egg-link)|__editable__[^/]+\.py|[^/]+\.dist-info\/direct_url\.json)$/,
  /(?:^|\/)node_modules\/\.(?:modules\.yaml|yarn-state\.yml|pnpm-workspace-state[^/]*\.json)$/,
];
const MAX_BYTES = 4_000_000;
/** Kernels cut longer first lines off (Linux before 5.1 at 127 bytes). */
const LONGEST_SHEBANG = 127;

/** Whether a file is one of those that hold the path of their tree. */
export function holdsPaths(where: BytePath): boolean {
  const text = textOf(where);
  return HOLDERS.some((pattern) => pattern.test(text));
}

/**
 * Puts the clone's path in the place of the user's in copied text files; modes and times stay. Gives the files that
 * hold the old path and are no text (launchers of Windows), or are too large.
 */
export function repointPaths(
  files: readonly BytePath[],
  from: string,
  to: string,
): { changed: BytePath[]; stuck: BytePath[] } {
  const changed: BytePath[] = [];
  const stuck: BytePath[] = [];
  for (const where of files) {
    const file = fileAt(to, where);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    const before = readFileSync(file).toString('latin1');
    const after = repointed(before, from, to);
    if (after === before) continue;
    if (before.includes('\0') || stat.size > MAX_BYTES) {
      stuck.push(where);
      continue;
    }
    if ((stat.mode & 0o200) === 0) chmodSync(file, stat.mode | 0o200);
    writeFileSync(file, Buffer.from(after, 'latin1'));
    chmodSync(file, stat.mode & 0o7777);
    utimesSync(file, stat.atime, stat.mtime);
    changed.push(where);
  }
  return { changed, stuck };
}

/**
 * A text with one folder's path in the place of another's, also in its forms with `/` or doubled backslashes; paths
 * that only begin alike stay. Both the text and the result are bytes, one character each. Pure.
 */
export function repointed(text: string, from: string, to: string): string {
  const slashes = (folder: string) => folder.replaceAll('\\', '/');
  const doubled = (folder: string) => folder.replaceAll('\\', '\\\\');
  const url = (folder: string) => `file://${encodeURI(slashes(folder)).replace(/^(?!\/)/, '/')}`;
  let result = text;
  for (const form of [url, String, slashes, doubled]) {
    const [old, fresh] = [bytePathOf(form(from)), bytePathOf(form(to))];
    const pattern = `(?<![\\w.\\-+@~\\x80-\\xff])${escaped(old)}(?![\\w.\\-+@~ \\x80-\\xff])`;
    // Without a backslash three forms are one, and a second pass would change what the first has made.
    if (form === url || form === String || form(from) !== from) {
      result = result.replace(new RegExp(pattern, 'g'), () => fresh);
    }
  }
  return result === text ? text : withUsableShebang(result);
}

/** A first line that is too long, or has a space in its path, becomes the two lines that pip writes in that case. */
function withUsableShebang(text: string): string {
  const line = /^#!(\/[^\n]*python[\w.]*)[ \t]*\r?\n/.exec(text);
  const interpreter = line?.[1];
  if (!line || !interpreter) return text;
  if (interpreter.length + 2 <= LONGEST_SHEBANG && !interpreter.includes(' ')) return text;
  return `#!/bin/sh\n'''exec' "${interpreter}" "$0" "$@"\n' '''\n${text.slice(line[0].length)}`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
