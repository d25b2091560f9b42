import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { errnoOf, messageOf, PrunError, usageError } from '../platform/errors.ts';

const SHOWN_ROOTS = 5;
const SHOWN_CHARS = 200;

/**
 * The folder that a call works in, absolute and by its own name: what the call says, an absolute path or a file URL,
 * else the client's only root. `roots`: URIs that the client named, undefined where it names none. Throws a usage error.
 */
export function workspaceRootOf(given: string | undefined, roots: readonly string[] | undefined): string {
  if (given !== undefined) return existing('workspaceRoot', given, absolutePath('workspaceRoot', given));
  if (roots === undefined || roots.length === 0) {
    throw usageError(
      `workspaceRoot is missing, and the client ${roots === undefined ? 'names no roots' : 'has no root'}`,
      'give the absolute path of the folder to work in',
    );
  }
  const [root = '', ...more] = roots;
  if (more.length > 0) {
    const names = roots.slice(0, SHOWN_ROOTS).map(shown).join(', ');
    throw usageError(
      `workspaceRoot is missing, and the client has ${roots.length} roots (${names}${roots.length > SHOWN_ROOTS ? ', …' : ''})`,
      'give one of them as workspaceRoot',
    );
  }
  return existing("the client's root", root, absolutePath("the client's root", root));
}

function absolutePath(what: string, text: string): string {
  if (/^file:/i.test(text)) {
    try {
      return fileURLToPath(text);
    } catch (error) {
      throw usageError(
        `${what} is ${shown(text)}, which is no file here (${messageOf(error)})`,
        'give an absolute path',
      );
    }
  }
  if (path.isAbsolute(text)) return text;
  throw usageError(
    `${what} is ${shown(text)}`,
    'give an absolute path or a file URL: the server has another current folder than you',
  );
}

function existing(what: string, given: string, folder: string): string {
  const next = 'give a folder that is there';
  if (folder.includes('\0')) throw usageError(`${what} ${shown(given)} has a NUL in it`, next);
  try {
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      accessSync(folder, constants.R_OK | constants.X_OK);
      return realpathSync.native(folder);
    }
    throw usageError(`${what} ${shown(given)} ${stat ? 'is no folder' : 'does not exist'}`, next);
  } catch (error) {
    // A loop of links, a name that is too long, a folder on the way that nobody may enter.
    const code = errnoOf(error);
    if (error instanceof PrunError || code === undefined) throw error;
    throw usageError(`${what} ${shown(given)} cannot be looked at (${code})`, next);
  }
}

function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS - 1)}…` : text);
}
