import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { pinnedStore } from '../executor/pnpm-pins.ts';
import type { UnitWish } from '../run/manifest/new-spec.ts';
import type { Run } from '../run/run-folder.ts';
import { SET_FILES, setsFolder } from '../workspace/workspace-set.ts';

/** A workspace that was made for a unit before its start. */
export interface AddedWorkspace {
  /** Absolute. */
  folder: string;
  setup: { exitCode: number; log: string } | null;
  /** What somebody should know of it, one line each. */
  notes: string[];
}

/** The workspace, or what `prun clone` ended with. */
export type MadeWorkspace =
  | { kind: 'made'; workspace: AddedWorkspace }
  | { kind: 'failed'; code: number; stderr: string };

const MAX_OUTPUT_CHARACTERS = 16 * 1024 * 1024;

/**
 * Makes a unit's workspace from the run's tree as it stands, by `prun clone` in a process of its own: what it does at
 * an interruption and with its setup is then the same everywhere. One that an interrupted call has left is archived.
 */
export async function makeAddedWorkspace(run: Run, wish: UnitWish): Promise<MadeWorkspace> {
  const { record, stateHome } = run;
  const units = path.join(setsFolder(stateHome), record.id, SET_FILES.units);
  const argv = [
    ...['clone', '--repo', record.repository ?? '', '--run', record.id, '--unit', wish.id],
    ...['--as-it-stands', '--json', '--state-home', stateHome],
    ...(wish.mode === 'worktree' ? ['--worktree'] : []),
    ...(wish.owns ?? []).flatMap((glob) => ['--owns', `${wish.id}=${glob}`]),
    ...(wish.warm ?? []).flatMap((where) => ['--warm', where]),
    ...(wish.setup === undefined ? [] : ['--setup', wish.setup]),
    ...(existsSync(path.join(units, wish.id)) ? ['--renew'] : []),
  ];
  const { code, stdout, stderr } = await callPrun(argv, wish.options?.pnpmStore);
  const [workspace] = parsedClone(stdout)?.workspaces ?? [];
  if (!workspace) return { kind: 'failed', code: code === 0 ? 1 : code, stderr };
  return { kind: 'made', workspace: { ...workspace, notes: parsedClone(stdout)?.notes ?? [] } };
}

interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

/** `store`: the store of pnpm that its setup is to use, as its worker will. */
function callPrun(argv: readonly string[], store: string | undefined): Promise<Said> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [__filename, ...argv], {
      env: { ...process.env, ...(store === undefined ? {} : pinnedStore(store)) },
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (said[name].length < MAX_OUTPUT_CHARACTERS) said[name] += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, ...said }));
  });
}

function parsedClone(text: string): z.infer<typeof cloneFacts> | undefined {
  try {
    return cloneFacts.parse(JSON.parse(text));
  } catch {
    // It ended before it could say anything: its complaint is the news.
    return undefined;
  }
}

const cloneFacts = z.object({
  notes: z.array(z.string()),
  workspaces: z.array(
    z.object({
      folder: z.string(),
      setup: z.nullable(z.object({ exitCode: z.number(), log: z.string() })),
    }),
  ),
});
