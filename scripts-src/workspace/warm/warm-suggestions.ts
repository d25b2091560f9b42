import { type BytePath, below, bytePathOf, parentOf } from '../../platform/byte-path.ts';

/** Which ignored folder holds what a lock file names. */
interface WarmRule {
  /** Names below the folder of the lock file. */
  folder: string;
  locks: readonly string[];
  /** Whether one lock file serves packages in folders below it, each with such a folder of its own. */
  inPackages: boolean;
  /** A file that tells such a folder from another one of its name. */
  witness?: string;
}

const NODE_LOCKS = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
];
const PYTHON_LOCKS = [
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'Pipfile.lock',
  'requirements.txt',
  'pylock.toml',
];

/**
 * Installed dependencies only. What is not here is built, not installed (`target` of Cargo, `_build`, `.next`): it is
 * large, soon stale, and holds outputs; it comes along when somebody names it.
 */
const RULES: readonly WarmRule[] = [
  { folder: 'node_modules', locks: NODE_LOCKS, inPackages: true },
  { folder: '.yarn/cache', locks: ['yarn.lock'], inPackages: false },
  { folder: '.yarn/unplugged', locks: ['yarn.lock'], inPackages: false },
  { folder: '.yarn/install-state.gz', locks: ['yarn.lock'], inPackages: false },
  { folder: '.pnp.cjs', locks: ['yarn.lock', 'pnpm-lock.yaml'], inPackages: false },
  { folder: '.pnp.loader.mjs', locks: ['yarn.lock'], inPackages: false },
  { folder: '.venv', locks: PYTHON_LOCKS, inPackages: true, witness: 'pyvenv.cfg' },
  { folder: 'venv', locks: PYTHON_LOCKS, inPackages: false, witness: 'pyvenv.cfg' },
  { folder: 'vendor', locks: ['go.sum', 'go.work.sum'], inPackages: false, witness: 'modules.txt' },
  { folder: 'vendor', locks: ['composer.lock'], inPackages: false, witness: 'autoload.php' },
  { folder: 'vendor/bundle', locks: ['Gemfile.lock', 'gems.locked'], inPackages: false },
  { folder: 'deps', locks: ['mix.lock'], inPackages: false },
  { folder: 'Pods', locks: ['Podfile.lock'], inPackages: false },
  {
    folder: '.gradle',
    locks: ['gradle.lockfile', 'settings.gradle', 'settings.gradle.kts', 'gradlew'],
    inPackages: false,
  },
];

/** An ignored path that a lock file suggests. */
export interface WarmSuggestion {
  path: BytePath;
  /** The lock file. */
  because: BytePath;
}

/**
 * The ignored paths that lock files suggest to bring along. Pure.
 *
 * @param ignored ignored files and folders of a repository, without a slash at their ends
 * @param has whether the user's tree has a path
 */
export function suggestWarm(
  ignored: readonly BytePath[],
  has: (where: BytePath) => boolean,
): WarmSuggestion[] {
  const found = new Map<BytePath, WarmSuggestion>();
  for (const entry of ignored) {
    for (const rule of RULES) {
      for (const { home, target } of placesOf(rule, entry)) {
        const isThere = has(rule.witness ? below(target, bytePathOf(rule.witness)) : target);
        const lock = isThere ? lockOf(rule, home, has) : undefined;
        if (lock !== undefined && !found.has(target)) found.set(target, { path: target, because: lock });
      }
    }
  }
  return [...found.values()];
}

/**
 * Where a rule's folder lies if `entry` is it or an ignored folder above it: `vendor` is ignored as a whole where
 * `vendor/bundle` is looked for.
 */
function placesOf(rule: WarmRule, entry: BytePath): { home: BytePath | undefined; target: BytePath }[] {
  const names = rule.folder.split('/');
  return names.flatMap((_, n) => {
    const begin = names.slice(0, n + 1).join('/');
    if (entry !== begin && !entry.endsWith(`/${begin}`)) return [];
    const home = entry === begin ? undefined : (entry.slice(0, -begin.length - 1) as BytePath);
    return [{ home, target: below(home, bytePathOf(rule.folder)) }];
  });
}

function lockOf(
  rule: WarmRule,
  home: BytePath | undefined,
  has: (where: BytePath) => boolean,
): BytePath | undefined {
  for (let folder = home; ; folder = parentOf(folder)) {
    const lock = rule.locks.map((name) => below(folder, bytePathOf(name))).find(has);
    if (lock !== undefined || folder === undefined || !rule.inPackages) return lock;
  }
}
