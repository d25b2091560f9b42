import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { homeFolder } from '../platform/home-folder.ts';
import { randomHex } from '../platform/random.ts';
import { resolveProgram } from '../platform/resolve-program.ts';
import { askProgram, type ProgramAnswer } from '../process/ask-program.ts';
import { codexHomeOf } from './codex-account.ts';
import { tomlString } from './codex-command.ts';
import { pinnedStore } from './pnpm-pins.ts';
import { readableLine } from './readable-line.ts';
import { readVariable, scrubEnvironment } from './scrub-environment.ts';
import type { CommandRequest } from './types.ts';

/** A folder that a store must have nothing to do with. */
export interface KeptFolder {
  path: string;
  /** What it is, for people: `the repository`. */
  what: string;
}

/** A store of pnpm that is to be granted to a codex worker. Paths are absolute. */
export interface StoreRequest {
  store: string;
  /** Where the worker will work. */
  workspace: string;
  /** Folders that may neither hold the store nor lie in it. */
  kept: readonly KeptFolder[];
  /** The codex that the worker will be. */
  program: string;
  sandbox: CommandRequest['sandbox'];
  /** Further settings of the worker, as `key=value`. */
  config: readonly string[];
  environment: NodeJS.ProcessEnv;
  passEnv: readonly string[];
  /** See AskOptions. */
  mark?: string | undefined;
}

const LIMIT_MS = 20_000;

/**
 * pnpm is only to answer: it downloads no other version of itself, whichever way it would do that (settings of pnpm up to
 * 10 and from 11 on, Corepack).
 */
const ONLY_ANSWER = {
  npm_config_manage_package_manager_versions: 'false',
  pnpm_config_pm_on_fail: 'ignore',
  COREPACK_ENABLE_NETWORK: '0',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
};

/** Writes one file; whether it is really there is looked at from outside. */
const WRITE = 'require("node:fs").writeFileSync(process.argv[1], "prun")';

/**
 * Why a store cannot be granted, in one line with what to do; undefined where it can: it is a folder by itself on the
 * file system of the workspace, pnpm chooses it when it is pinned, and codex's sandbox lets a worker write there.
 * Nothing is installed, and nothing is left behind. Throws the system's error where the workspace cannot be looked at.
 */
export async function storeTrouble(request: StoreRequest): Promise<string | undefined> {
  const { store } = request;
  const trouble = placeTrouble(request) ?? (await choiceTrouble(request)) ?? (await writeTrouble(request));
  return trouble && `pnpm store ${store} cannot be granted: ${trouble}`;
}

function placeTrouble({ store, workspace, kept, environment }: StoreRequest): string | undefined {
  if (!path.isAbsolute(store)) return 'it is no absolute path';
  const stat = statSync(store, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return 'it is no folder: make it first (mkdir)';
  const real = realpathSync(store);
  for (const { path: folder, what } of [{ path: workspace, what: 'the workspace' }, ...kept]) {
    const other = realOf(folder);
    if (isWithin(real, other)) return `it lies in ${what} (${folder}): give one outside`;
    if (isWithin(other, real)) return `${what} (${folder}) lies in it: give a folder for the store alone`;
  }
  // A store may lie in a home, but a grant of a whole home would grant keys and logins.
  const home = [codexHomeOf(environment), readVariable(environment, 'HOME') || homeFolder()].find((folder) =>
    isWithin(realOf(folder), real),
  );
  if (home !== undefined) return `your home (${home}) lies in it: give a folder for the store alone`;
  if (stat.dev !== statSync(workspace).dev) {
    return `it is not on the file system of the workspace (${workspace}): pnpm would copy instead of linking`;
  }
  return undefined;
}

async function choiceTrouble(request: StoreRequest): Promise<string | undefined> {
  const { store, workspace, passEnv, mark } = request;
  const environment = scrubEnvironment(request.environment, passEnv, {
    ...pinnedStore(store),
    ...ONLY_ANSWER,
  });
  const pnpm = resolveProgram('pnpm', workspace, environment);
  if (pnpm.kind !== 'found') return 'pnpm is not in PATH: install it, or leave the store out';
  const options = { environment, cwd: workspace, limitMs: LIMIT_MS, mark };
  const answer = await askProgram([pnpm.path, 'store', 'path'], options);
  const said = answer.stdout.trim().split('\n').at(-1)?.trim() ?? '';
  if (answer.exitCode !== 0) return `pnpm store path failed there (${lastWord(answer)})`;
  if (path.isAbsolute(said) && isWithin(realOf(said), realpathSync(store))) return undefined;
  return `pnpm uses ${readableLine(said) || 'no store'} in ${workspace}: a setting of the project goes before (storeDir, store-dir)`;
}

async function writeTrouble(request: StoreRequest): Promise<string | undefined> {
  const { store, workspace, program, sandbox, config, environment, passEnv, mark } = request;
  const file = path.join(store, `.prun-${randomHex(16)}.tmp`);
  const settings = [
    ...config,
    `sandbox_mode=${tomlString(sandbox)}`,
    `sandbox_workspace_write.writable_roots=[${tomlString(store)}]`,
  ];
  const words = ['sandbox', ...settings.flatMap((setting) => ['-c', setting])];
  const answer = await askProgram([program, ...words, '--', process.execPath, '-e', WRITE, file], {
    environment: scrubEnvironment(environment, passEnv, {}),
    cwd: workspace,
    limitMs: LIMIT_MS,
    mark,
  });
  const isThere = existsSync(file);
  rmSync(file, { force: true });
  if (answer.exitCode === 0 && isThere) return undefined;
  return `a worker cannot write there in codex's sandbox ${sandbox} (${lastWord(answer)})`;
}

/** The line that says most about a failure. */
function lastWord({ exitCode, stdout, stderr, trouble }: ProgramAnswer): string {
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  const line = lines.findLast((text) => /error|denied|read-only|cannot/i.test(text)) ?? lines.at(-1);
  return trouble ?? `exit ${exitCode}${line === undefined ? '' : `, ${readableLine(line)}`}`;
}

/** The real path, as far as it is there. */
function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // Not there yet: its nearest folder is.
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realOf(parent), path.basename(file));
  }
}

function isWithin(inner: string, outer: string): boolean {
  const way = path.relative(outer, inner);
  return way === '' || (!way.startsWith(`..${path.sep}`) && way !== '..' && !path.isAbsolute(way));
}
