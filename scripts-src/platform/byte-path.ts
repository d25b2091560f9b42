import path from 'node:path';

/**
 * A path inside a tree as git has it: bytes, `/` between names, no leading slash. Each byte is one character from
 * U+0000 to U+00FF, so that a name that is no UTF-8 can be compared, sorted and used as a key like any other.
 */
export type BytePath = string & { readonly bytePath: unique symbol };

/** The bytes of a path as git printed them. */
export function bytePath(bytes: Uint8Array): BytePath {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1') as BytePath;
}

/** A path from text. */
export function bytePathOf(text: string): BytePath {
  return bytePath(Buffer.from(text, 'utf8'));
}

/** The bytes of a path, for git. */
export function bytesOf(where: BytePath): Buffer {
  return Buffer.from(where, 'latin1');
}

/** Paths that git printed with `-z`. */
export function splitPaths(output: Buffer): BytePath[] {
  const text = output.toString('latin1');
  return (text.endsWith('\0') ? text.slice(0, -1) : text).split('\0').filter(Boolean) as BytePath[];
}

/** Paths as git reads them with `-z`. */
export function joinPaths(paths: readonly BytePath[]): Buffer {
  return Buffer.from(paths.map((where) => `${where}\0`).join(''), 'latin1');
}

/**
 * A path below `root` for Node's file functions. POSIX names are bytes; Windows names are text, which git writes in
 * UTF-8.
 */
export function fileAt(
  root: string,
  where: BytePath,
  platform: NodeJS.Platform = process.platform,
): string | Buffer {
  if (platform === 'win32') return path.win32.join(root, textOf(where));
  return Buffer.concat([Buffer.from(`${root}/`), bytesOf(where)]);
}

/** The folder that holds a path, or undefined at the top. */
export function parentOf(where: BytePath): BytePath | undefined {
  const cut = where.lastIndexOf('/');
  return cut < 0 ? undefined : (where.slice(0, cut) as BytePath);
}

/** A path below another one. */
export function below(folder: BytePath | undefined, name: BytePath): BytePath {
  return (folder === undefined || folder === '' ? name : `${folder}/${name}`) as BytePath;
}

/** The path as text; bytes that are no UTF-8 become replacement characters: for showing and matching only. */
export function textOf(where: BytePath): string {
  return bytesOf(where).toString('utf8');
}

/**
 * The path as one line for people: as it is, or in double quotes with C escapes, as git quotes it, where it holds
 * control characters, quotes, backslashes or bytes that are no UTF-8, or begins or ends with a space.
 */
export function shownPath(where: BytePath): string {
  const text = textOf(where);
  const isPlain = !/[\u0000-\u001f\u007f-\u009f"\\\u2028\u2029\ufffd]|^\s|\s$/.test(text);
  return isPlain ? text : quotedPath(where);
}

/** The path in git's C quotes: every byte outside printable ASCII in octal. */
export function quotedPath(where: BytePath): string {
  const escapes: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };
  const body = [...where].map((byte) => {
    const code = byte.charCodeAt(0);
    return escapes[byte] ?? (code < 32 || code > 126 ? `\\${code.toString(8).padStart(3, '0')}` : byte);
  });
  return `"${body.join('')}"`;
}

/** A path as it stands in JSON: text, or its bytes in base64 where they are no UTF-8. */
export type JsonPath = string | { base64: string };

/** The path for a JSON record; `pathFromJson` gives it back byte for byte. */
export function pathToJson(where: BytePath): JsonPath {
  const text = textOf(where);
  return bytePathOf(text) === where ? text : { base64: bytesOf(where).toString('base64') };
}

/** The path that a JSON record holds. */
export function pathFromJson(json: JsonPath): BytePath {
  return typeof json === 'string' ? bytePathOf(json) : bytePath(Buffer.from(json.base64, 'base64'));
}
