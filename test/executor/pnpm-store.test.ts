import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type StoreRequest, storeTrouble } from '../../scripts-src/executor/pnpm-store.ts';
import { codexHome, codexPaths } from '../helpers/codex-bin.ts';
import { program, scratch } from '../helpers/unit-run.ts';

/** A pnpm that keeps what its settings say, as pnpm 11 does; it notes its environment. */
const PNPM = `[ "$1 $2" = "store path" ] || exit 1
env >"\${0%/*}/seen"
pwd >"\${0%/*}/cwd"
echo "some warning"
echo "$pnpm_config_store_dir/v10"`;

/** A workspace and a store beside each other, the real codex, and a pnpm in PATH. Without /tmp, where a sandbox always writes. */
function store(
  change: Partial<StoreRequest> = {},
  pnpm: string | null = PNPM,
): StoreRequest & { folder: string } {
  const folder = scratch('prun store');
  for (const name of ['bin', 'workspace', 'store', 'home', path.basename(codexHome(folder))]) {
    mkdirSync(path.join(folder, name));
  }
  if (pnpm !== null) program(path.join(folder, 'bin'), 'pnpm', pnpm);
  return {
    folder,
    store: path.join(folder, 'store'),
    workspace: path.join(folder, 'workspace'),
    kept: [],
    program: codexPaths().native,
    sandbox: 'workspace-write',
    config: [
      'sandbox_workspace_write.exclude_slash_tmp=true',
      'sandbox_workspace_write.exclude_tmpdir_env_var=true',
    ],
    environment: {
      PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin`,
      HOME: path.join(folder, 'home'),
      CODEX_HOME: codexHome(folder),
      npm_config_store_dir: '/elsewhere',
      PNPM_CONFIG_STORE_DIR: '/elsewhere',
    },
    passEnv: [],
    ...change,
  };
}

const CANNOT = 'pnpm store .* cannot be granted: ';
async function refuses(request: StoreRequest, why: string): Promise<void> {
  expect(await storeTrouble(request)).toMatch(new RegExp(CANNOT + why));
}

describe('a store of pnpm', () => {
  it.each(['workspace-write', 'danger-full-access'] as const)(
    "can be granted where pnpm chooses it and a worker can write it in codex's sandbox %s",
    async (sandbox) => {
      const request = store({ sandbox });
      expect(await storeTrouble(request)).toBeUndefined();
      expect(readdirSync(request.store)).toEqual([]);
    },
  );

  it('that the sandbox does not let a worker write is refused', async () => {
    const request = store({ sandbox: 'read-only' });
    await refuses(request, "a worker cannot write there in codex's sandbox read-only \\(exit 1, .*EROFS");
    expect(readdirSync(request.store)).toEqual([]);
  });

  it('is refused where codex has no sandbox to try it in', async () => {
    const request = store();
    const old = program(request.folder, 'old', 'echo "error: unrecognized subcommand" >&2; exit 2');
    await refuses(
      { ...request, program: old },
      'a worker cannot write there .*\\(exit 2, error: unrecognized',
    );
    const mute = program(request.folder, 'mute', 'exit 0');
    await refuses({ ...request, program: mute }, 'a worker cannot write there .*\\(exit 0\\)');
  });

  it('is refused without pnpm, where pnpm fails, and where a project makes it choose another', async () => {
    await refuses(store({}, null), 'pnpm is not in PATH: install it');
    await refuses(
      store({}, 'echo "ERR_PNPM_X  broken" >&2; exit 1'),
      'pnpm store path failed .*exit 1, ERR_PNPM_X',
    );
    await refuses(
      store({}, 'echo /home/me/.store/v10'),
      'pnpm uses /home/me/.store/v10 in .*workspace: a setting',
    );
    await refuses(store({}, 'true'), 'pnpm uses no store');
    await refuses(store({}, 'echo "$pnpm_config_store_dir-2/v10"'), 'pnpm uses .*store-2/v10');
  });

  it('is asked of pnpm in the workspace, pinned under all names, and without any download', async () => {
    const request = store({}, `${PNPM}\n`);
    await storeTrouble(request);
    const seen = readFileSync(path.join(request.folder, 'bin/seen'), 'utf8').split('\n');
    expect(seen.filter((line) => /store_dir=/i.test(line)).sort()).toEqual([
      `npm_config_store_dir=${request.store}`,
      `pnpm_config_store_dir=${request.store}`,
    ]);
    expect(seen).toEqual(
      expect.arrayContaining([
        'COREPACK_ENABLE_NETWORK=0',
        'npm_config_manage_package_manager_versions=false',
        'pnpm_config_pm_on_fail=ignore',
      ]),
    );
    expect(readFileSync(path.join(request.folder, 'bin/cwd'), 'utf8').trim()).toBe(request.workspace);
  });

  it('is refused where it is no folder by itself', async () => {
    const request = store();
    const { folder, workspace } = request;
    const repository = { path: path.join(folder, 'repository'), what: 'the repository' };
    mkdirSync(path.join(repository.path, 'sub'), { recursive: true });
    mkdirSync(path.join(workspace, 'store'));
    symlinkSync(path.join(workspace, 'store'), path.join(folder, 'link'));
    const kept = [repository];
    await refuses({ ...request, store: 'store' }, 'it is no absolute path');
    await refuses({ ...request, store: path.join(folder, 'none') }, 'it is no folder: make it first');
    await refuses({ ...request, store: path.join(workspace, 'store') }, 'it lies in the workspace');
    await refuses({ ...request, store: path.join(folder, 'link') }, 'it lies in the workspace');
    await refuses({ ...request, store: workspace }, 'it lies in the workspace');
    await refuses(
      { ...request, kept, store: path.join(repository.path, 'sub') },
      'it lies in the repository',
    );
    await refuses({ ...request, store: folder }, 'the workspace .* lies in it');
    await refuses({ ...request, store: path.join(folder, 'home') }, 'your home .* lies in it');
    await refuses({ ...request, store: codexHome(folder) }, 'your home .* lies in it');
    await refuses({ ...request, store: '/' }, 'the workspace .* lies in it');
  });

  it('is refused on another file system than the workspace', async () => {
    await refuses({ ...store(), store: '/dev/shm' }, 'it is not on the file system of the workspace');
  });
});
