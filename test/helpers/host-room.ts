import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type AnthropicServer, startAnthropicServer } from './anthropic-server.ts';
import { claudeHome, writeClaudeBin } from './claude-bin.ts';
import { type HostSession, sessionOf, type ToolCall } from './host-session.ts';
import { git } from './plain-git.ts';
import { processesOf } from './process-table.ts';
import { program, ROOT, SCRIPTS, testEnvironment } from './unit-run.ts';

/** How a program ended. */
export interface HostSaid {
  code: number;
  stdout: string;
  stderr: string;
}

/** How a place is made. */
export interface PlaceWish {
  /** Name of the project's folder (`project`). */
  project?: string;
}

/** A user's machine: a home, a project in it, and the real claude with the stand-in as its API. */
export interface HostPlace {
  /** A git repository. */
  project: string;
  /** HOME of everything that is started here. */
  home: string;
  /** A folder that is first in PATH. */
  bin: string;
  /** The folder of claude's own settings, `~/.claude` of other people. */
  config: string;
  /** Permission rules of the project, in the file that counts without trust unless another one is named. */
  allow(rules: readonly string[], file?: string): void;
  /** As if the user had accepted the question whether the project is to be trusted. */
  trust(): void;
  /** Has git find this repository where it looks for `you/prun` on GitHub. */
  publish(repository: string): void;
  /** Runs a program in the project, with this home and without a way out. */
  run(program: string, argv: readonly string[], environment?: Record<string, string>): Promise<HostSaid>;
  claude(argv: readonly string[]): Promise<HostSaid>;
  /** A headless session in which the model calls these tools one after the other. */
  session(calls: readonly ToolCall[], prompt?: string): Promise<HostSession>;
}

const PROXY = 'http://127.0.0.1:9';
/** Every way out but the loopback address is refused. */
export const NO_WAY_OUT = {
  HTTPS_PROXY: PROXY,
  https_proxy: PROXY,
  HTTP_PROXY: PROXY,
  http_proxy: PROXY,
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
  DO_NOT_TRACK: '1',
  DISABLE_TELEMETRY: '1',
};

/** Opens the stand-in for a file's tests, and gives what makes a place. Call it at the top level. */
export function hostPlaces(): (wish?: PlaceWish) => Promise<HostPlace> {
  let running: AnthropicServer | undefined;
  beforeAll(async () => {
    running = await startAnthropicServer();
  });
  afterAll(() => running?.close());
  return async (wish = {}) => {
    if (!running) throw new Error('the stand-in is not running yet');
    return makePlace(running, wish);
  };
}

async function makePlace(server: AnthropicServer, wish: PlaceWish): Promise<HostPlace> {
  // Without a space: what quotes do to a permission rule is a question of its own.
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun-host-')));
  onTestFinished(() => {
    // Supervisors and guardians of a run outlive a session on purpose.
    endAllIn(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  const project = path.join(home, wish.project ?? 'project');
  mkdirSync(path.join(project, '.claude'), { recursive: true });
  await git(project, ['init', '-q', '-b', 'main']);
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  const config = claudeHome(home);
  const run: HostPlace['run'] = (file, argv, environment = {}) =>
    ended(file, argv, { cwd: project, env: hostEnvironment(home, environment) });
  const claude = (argv: readonly string[], calls: readonly ToolCall[] = []): Promise<HostSaid> => {
    const params = { calls: JSON.stringify(calls) };
    return run(writeClaudeBin(home, { port: server.port, case: 'script', params }), argv);
  };
  return {
    project,
    home,
    bin,
    config,
    run,
    claude,
    allow(rules, file = '.claude/settings.local.json') {
      const settings = path.join(project, file);
      mkdirSync(path.dirname(settings), { recursive: true });
      writeFileSync(settings, JSON.stringify({ permissions: { allow: rules } }));
    },
    trust: () => trust(config, project),
    publish(repository) {
      const from = `[url "file://${repository}"]\n\tinsteadOf = https://github.com/you/prun.git\n`;
      writeFileSync(path.join(home, '.gitconfig'), from);
      // The host asks whether it reaches GitHub by ssh, before it takes https.
      program(bin, 'ssh', 'exit 255');
    },
    async session(calls, prompt = 'prun these') {
      const from = server.requests.length;
      const said = await claude(['-p', prompt, '--output-format', 'stream-json', '--verbose'], calls);
      return sessionOf(said, server.requests.slice(from));
    },
  };
}

/** git and claude ask for no settings but the home's own. */
function hostEnvironment(home: string, more: Record<string, string>): Record<string, string> {
  const {
    GIT_CONFIG_GLOBAL: _,
    PATH,
    ...environment
  } = testEnvironment(home, { ...NO_WAY_OUT, TERM: 'dumb' });
  return { ...environment, PATH: [path.join(home, 'bin'), PATH].join(path.delimiter), ...more };
}

function trust(config: string, project: string): void {
  const file = path.join(config, '.claude.json');
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const projects = { ...known.projects, [project]: { hasTrustDialogAccepted: true } };
  mkdirSync(config, { recursive: true });
  writeFileSync(file, JSON.stringify({ ...known, projects }));
}

function ended(
  file: string,
  argv: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<HostSaid> {
  const child = spawn(file, [...argv], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 255, ...said }));
  });
}

function endAllIn(folder: string): void {
  for (const { pid } of processesOf({ word: folder })) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has gone meanwhile.
    }
  }
}

/** Puts the prun folder where it is named, as somebody who copies it would, with the scripts and texts under test. */
export function copyFolder(to: string): string {
  cpSync(path.join(ROOT, 'skills/prun'), to, { recursive: true });
  cpSync(path.join(ROOT, 'SKILL.md'), path.join(to, 'SKILL.md'));
  cpSync(SCRIPTS, path.join(to, 'scripts'), { recursive: true });
  return to;
}

/** What a host looks at in the whole repository; the sources and tests would only cost time. */
const WHOLE = ['.claude-plugin', 'agents', 'SKILL.md', 'README.md', 'LICENSE', 'package.json'];

/** A git repository like prun's own, with one commit; its name is that of the folder. */
export async function copyRepository(to: string): Promise<string> {
  for (const name of WHOLE) cpSync(path.join(ROOT, name), path.join(to, name), { recursive: true });
  copyFolder(path.join(to, 'skills/prun'));
  await git(to, ['init', '-q', '-b', 'main']);
  await git(to, ['add', '-A']);
  await git(to, ['commit', '-q', '-m', 'prun']);
  return to;
}
