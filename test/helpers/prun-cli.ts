import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { DeltaRecord } from '../../scripts-src/workspace/records.ts';
import { SCRIPTS, testEnvironment } from './unit-run.ts';

/** How a command ended. */
export interface PrunSaid {
  code: number;
  stdout: string;
  stderr: string;
}

/** How a command is called. */
export interface PrunWish {
  cwd?: string;
  environment?: Record<string, string>;
  uid?: number;
  /** Another prun.cjs than the one that is tested. */
  script?: string;
  /** The code that is awaited; 0 when left out, `any` for tests that look at it themselves. */
  code?: number | 'any';
}

/** A collected delta: what was printed of it and what was recorded. */
export interface Collected {
  unit: string;
  /** The numbers of the DELTA line. */
  counts: Record<string, number>;
  /** The PATCH line. */
  patch: string;
  /** Every line that belongs to this unit. */
  lines: string[];
  /** Whether the report had more lines than it may print, so that this unit may lack some of its own. */
  isCut: boolean;
  record: DeltaRecord;
}

/** The compiled `prun` with a state home and a home of its own. */
export interface PrunCli {
  home: string;
  stateHome: string;
  run(argv: readonly string[], wish?: PrunWish): Promise<PrunSaid>;
  /** Clones for units; their folders, in order. */
  clone(
    repo: string,
    units: readonly string[],
    flags?: readonly string[],
    wish?: PrunWish,
  ): Promise<string[]>;
  collect(clones: readonly string[], flags?: readonly string[], wish?: PrunWish): Promise<Collected[]>;
  apply(
    patches: readonly string[],
    to: string,
    flags?: readonly string[],
    wish?: PrunWish,
  ): Promise<PrunSaid>;
  undo(to: string, flags?: readonly string[], wish?: PrunWish): Promise<PrunSaid>;
}

/** Where the compiled scripts are: PRUN_TORTURE_SCRIPTS, for a build that nobody replaces meanwhile. */
export function scriptsFolder(): string {
  return process.env.PRUN_TORTURE_SCRIPTS ?? SCRIPTS;
}

/** Opens the command line below a folder; `uid` for another user than this one (needs root). */
export function openPrun(folder: string, uid?: number): PrunCli {
  const home = path.join(folder, 'home');
  const stateHome = path.join(folder, 'state home');
  for (const place of [home, stateHome]) mkdirSync(place, { recursive: true });

  async function run(argv: readonly string[], wish: PrunWish = {}): Promise<PrunSaid> {
    const user = wish.uid ?? uid;
    const script = wish.script ?? path.join(scriptsFolder(), 'prun.cjs');
    const child = spawn(process.execPath, [script, ...argv], {
      cwd: wish.cwd ?? folder,
      env: testEnvironment(home, { PRUN_STATE_HOME: stateHome, ...wish.environment }),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status, signal) =>
        resolve(status ?? 128 + (os.constants.signals[signal ?? 'SIGHUP'] ?? 0)),
      );
    });
    const wanted = wish.code ?? 0;
    if (wanted !== 'any') {
      const call = `prun ${argv.map((word) => JSON.stringify(word)).join(' ')}`;
      expect(code, `${call}\nstdout: ${said.stdout}\nstderr: ${said.stderr}`).toBe(wanted);
    }
    return { code, ...said };
  }

  return {
    home,
    stateHome,
    run,
    async clone(repo, units, flags = [], wish = {}) {
      const names = units.flatMap((unit) => ['--unit', unit]);
      const { stdout } = await run(['clone', '--repo', repo, ...names, ...flags], wish);
      const lines = stdout.split('\n').filter(Boolean);
      expect(lines.length, `one line for each unit: ${stdout}`).toBe(units.length);
      return lines.map((line) => {
        const clone = printedPath(/^CLONE (.+)$/.exec(line)?.[1]);
        expect(path.isAbsolute(clone) && existsSync(clone), `${line} names a folder`).toBe(true);
        return clone;
      });
    },
    async collect(clones, flags = [], wish = {}) {
      const { stdout } = await run(['collect', ...clones, ...flags], wish);
      return collectedIn(stdout, clones);
    },
    apply: (patches, to, flags = [], wish = {}) => run(['apply', ...patches, '--to', to, ...flags], wish),
    undo: (to, flags = [], wish = {}) => run(['apply', '--undo', ...flags, '--to', to], wish),
  };
}

/** A clone's record: `<set>/units/<unit>/delta.json`, beside `<set>/clones/<unit>`. */
export function deltaRecordOf(clone: string): DeltaRecord {
  const file = path.join(clone, '../../units', path.basename(clone), 'delta.json');
  return JSON.parse(readFileSync(file, 'utf8')) as DeltaRecord;
}

function collectedIn(stdout: string, clones: readonly string[]): Collected[] {
  const found: Omit<Collected, 'record'>[] = [];
  const isCut = stdout.includes('\n… and ');
  for (const line of stdout.split('\n').filter(Boolean)) {
    const start = /^DELTA (\S+)((?: \w+=\d+)+)$/.exec(line);
    if (start) {
      const pairs = (start[2] ?? '').trim().split(' ');
      const counts = Object.fromEntries(
        pairs.map((pair) => [pair.split('=')[0], Number(pair.split('=')[1])]),
      );
      found.push({ unit: start[1] ?? '', counts, patch: '', lines: [line], isCut });
      continue;
    }
    const last = found.at(-1);
    if (!last) continue;
    const named = found.find(({ unit }) => clones.length > 1 && line.split(' ')[1] === unit);
    (named ?? last).lines.push(line);
    if (line.startsWith('PATCH ')) last.patch = printedPath(line.slice(6));
  }
  expect(
    found.map(({ unit }) => unit),
    stdout,
  ).toEqual(clones.map((clone) => path.basename(clone)));
  return found.map((delta, at) => {
    const record = deltaRecordOf(clones[at] ?? '');
    // An empty delta has no PATCH line, and a patch all the same.
    return { ...delta, record, patch: delta.patch || record.patch.path };
  });
}

/** A path as prun prints it: one with a control character in it as a JSON string. */
function printedPath(text = ''): string {
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}
