import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { BytePath } from '../../platform/byte-path.ts';
import { bytePathOf, fileAt, textOf } from '../../platform/byte-path.ts';
import type { TreeEntry } from '../../platform/copy-entry.ts';
import { readStart } from '../../platform/files.ts';

/** Folders whose content came from a registry: names say nothing there about what is an output or a repository. */
const INSTALLED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|\.?venv|site-packages|Pods|deps|\.yarn|\.gradle)(?:\/|$)/i;
/** Folders of compilers and caches: `build` in them is a part of them. */
const CACHES = /(?:^|\/)(?:target|cache|\.[^/]+)(?:\/|$)/i;

const BUILT_FOLDERS = /^(?:dist|build|out)$/i;
const OUTPUT_FOLDERS =
  /^(?:coverage|\.nyc_output|htmlcov|_?logs?|screenshots?|__screenshots__|playwright-report|test-results|test-reports?)$/i;
const OUTPUT_FILES = /(?:\.log(?:\.\d+)?|^npm-debug\.log.*|\.lcov|^\.coverage|^junit.*\.xml)$/i;

const ENVIRONMENT = /^\.env(?:rc|[._-].*)?$/i;
const SECRET_FILES =
  /^(?:[._]netrc|\.pypirc|\.git-credentials|\.dockercfg|\.htpasswd|\.pgpass|\.my\.cnf|credentials(?:\.(?:json|ya?ml|toml|ini|xml))?|secrets?\.(?:json|ya?ml|toml)|service-account.*\.json)$/i;
const KEY_STORES = /\.(?:p12|pfx|jks|keystore|kdbx|ppk)$/i;
/** A key by its name, unless its text says otherwise: `cacert.pem` holds certificates, `id_token.py` is code. */
const MAYBE_KEY = /(?:\.pem|\.key|^id_.+)$/i;
const KEY_NAME = /^id_(?:dsa|rsa|ecdsa|ed25519|xmss)(?:_sk)?$|\.key$/i;
const HOLDS_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY/;
const HOLDS_TOKEN = /_authToken|_auth\s*=|_password\s*=|npmAuth(?:Token|Ident)/;

/** What is asked about an entry. */
export interface LeftOutQuestion {
  entry: TreeEntry;
  /** Its path below the repository. */
  where: BytePath;
  /** Folder of the repository, for looks into files. */
  workTree: string;
}

/**
 * Why an entry does not come along in a warm folder, or undefined where it does: secrets, outputs, nested repositories
 * and worktrees. Whoever names an entry exactly is not asked.
 */
export function whyLeftOut({ entry, where, workTree }: LeftOutQuestion): string | undefined {
  const name = textOf(entry.name);
  if (name === '.git') return 'belongs to a repository of its own';
  const isFolder = entry.kind === 'folder';
  const isSecretThing = isFolder
    ? ENVIRONMENT.test(name)
    : isSecret(name, () => readStart(path.join(workTree, textOf(where)), 65_536));
  if (isSecretThing) return 'may hold secrets: name it with --warm to bring it along';
  const text = textOf(where);
  if (INSTALLED.test(text)) return undefined;
  const isOutput = isFolder
    ? OUTPUT_FOLDERS.test(name) || (BUILT_FOLDERS.test(name) && !CACHES.test(text))
    : OUTPUT_FILES.test(name);
  if (isOutput) return 'looks like an output: name it with --warm to bring it along';
  return isFolder && isRepository(path.join(workTree, text))
    ? 'is a repository or a worktree of its own'
    : undefined;
}

function isSecret(name: string, read: () => string): boolean {
  if (ENVIRONMENT.test(name) || SECRET_FILES.test(name) || KEY_STORES.test(name)) return true;
  if (/^\.(?:npmrc|yarnrc(?:\.yml)?)$/i.test(name)) return HOLDS_TOKEN.test(read());
  if (!MAYBE_KEY.test(name)) return false;
  const text = read();
  return HOLDS_KEY.test(text) || (KEY_NAME.test(name) && !/-----BEGIN (?:CERTIFICATE|PUBLIC KEY)/.test(text));
}

/** Whether a folder is a repository (bare too) or a linked worktree. */
export function isRepository(folder: string): boolean {
  const has = (name: string) => hasPath(folder, bytePathOf(name));
  return has('.git') || (has('HEAD') && has('objects') && has('refs'));
}

/** Whether a path exists in a tree, links not followed. */
export function hasPath(root: string, where: BytePath): boolean {
  try {
    return lstatSync(fileAt(root, where), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file stands where a folder would, or the folder is closed to us: not there for us.
    return false;
  }
}
