import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { gitSays } from './plain-git.ts';
import { openPrunFolder } from './skill-texts.ts';
import { testEnvironment } from './unit-run.ts';
import { waitFor } from './wait-for.ts';

/** How a command ended. */
export interface TextSaid {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A project beside a state home, in which the commands of a text are executed as they stand. */
export interface TextRoom {
  home: string;
  project: string;
  /** The folder of a run. */
  runFolder(run: string): string;
  /** A clone's folder. */
  clone(run: string, unit: string): string;
  write(name: string, content: string, folder?: string): void;
  read(name: string, folder?: string): string;
  git(...args: string[]): Promise<string>;
  /** A text with the paths of this room in place of those of the texts, and further words by name. */
  real(text: string, words?: Record<string, string>): string;
  /** A command through a shell, as the host runs it. */
  run(command: string, words?: Record<string, string>): Promise<TextSaid>;
  /** The same; it must end with 0. Its standard output. */
  ok(command: string, words?: Record<string, string>): Promise<string>;
}

/** What is different from room to room. */
export interface TextRoomWish {
  environment?(home: string): Record<string, string>;
  /** Sets whose folders the texts call `/abs/<name>`. */
  sets?: Record<string, string>;
}

/** Rooms for the tests of a file; call it at the top level. `executed` has every command that was run in one of them. */
export function textRooms(): {
  newRoom(wish?: TextRoomWish): Promise<TextRoom>;
  executed: Set<string>;
  prunDir: string;
} {
  const { prunDir, remove } = openPrunFolder();
  afterAll(remove);
  const executed = new Set<string>();
  return { executed, prunDir, newRoom: (wish = {}) => open(prunDir, executed, wish) };
}

async function open(
  prunDir: string,
  executed: Set<string>,
  { environment, sets = {} }: TextRoomWish,
): Promise<TextRoom> {
  // Without a blank: the texts show paths that need no quotes.
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun-side-')));
  const [project, state] = [path.join(home, 'project'), path.join(home, 'state')];
  for (const folder of [path.join(project, 'agent-io'), state]) mkdirSync(folder, { recursive: true });
  const git = (...args: string[]): Promise<string> => gitSays(project, args);
  await git('init', '-q', '-b', 'main');
  const own = environment?.(home) ?? {};
  const env = testEnvironment(home, { TMPDIR: home, PRUN_STATE_HOME: state, ...own });
  const runFolder = (run: string): string => path.join(state, 'runs', run);
  const clone = (run: string, unit: string): string => path.join(state, 'workspaces', run, 'clones', unit);

  const real = (text: string, words: Record<string, string> = {}): string => {
    const named = { ...words, '<prun>': prunDir, '/abs/project': project };
    const folders = Object.entries(sets).map(([name, run]): [string, string] => [
      `/abs/${name}/`,
      `${path.join(state, 'workspaces', run)}/`,
    ]);
    return [...Object.entries(named), ...folders].reduce((all, [from, to]) => all.replaceAll(from, to), text);
  };
  const run = async (command: string, words?: Record<string, string>): Promise<TextSaid> => {
    executed.add(command);
    return shell(real(command, words), project, env);
  };
  onTestFinished(async () => {
    const runs = path.join(state, 'runs');
    for (const id of existsSync(runs) ? readdirSync(runs) : []) {
      await run(`node <prun>/scripts/prun.cjs cancel --run ${id} --grace 0`);
      await waitFor(`the end of the supervisor of ${id}`, () => !hasSupervisor(path.join(runs, id)));
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  return {
    home,
    project,
    runFolder,
    clone,
    git,
    real,
    run,
    write(name, content, folder = project) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), content);
    },
    read: (name, folder = project) => readFileSync(path.join(folder, name), 'utf8'),
    async ok(command, words) {
      const said = await run(command, words);
      if (said.code !== 0)
        throw new Error(`${command} ended with ${said.code}\n${said.stdout}${said.stderr}`);
      return said.stdout;
    },
  };
}

/** Not spawnSync: the stand-ins that the workers talk to live in this process. */
function shell(command: string, cwd: string, env: Record<string, string>): Promise<TextSaid> {
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...said }));
  });
}

/** Whether the newest supervisor of a run is there. */
function hasSupervisor(run: string): boolean {
  const claims = path.join(run, 'supervisors');
  if (!existsSync(claims)) return false;
  const newest = Math.max(0, ...readdirSync(claims).map(Number).filter(Number.isFinite));
  if (newest === 0) return false;
  try {
    return process.kill(Number(readFileSync(path.join(claims, String(newest)), 'utf8').split(':')[1]), 0);
  } catch {
    return false;
  }
}
