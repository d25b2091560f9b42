import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DeltaRecord, WorkspaceRecord } from '../../scripts-src/workspace/records.ts';
import { git } from '../helpers/plain-git.ts';
import { deltaRecordOf, openPrun, type PrunCli, type PrunSaid } from '../helpers/prun-cli.ts';
import { testFolder } from './user-and-clone.ts';

/** A user's repository with a run `r`, and units whose work is written by hand. */
export interface RunRoom {
  folder: string;
  repo: string;
  cli: PrunCli;
  /** Folder of the run's set. */
  set: string;
  /** Makes a clone of a unit; returns its folder. */
  clone(unit: string, ...flags: string[]): Promise<string>;
  /** The same for a call that is awaited to fail. */
  refused(unit: string, flags: readonly string[], code?: number): Promise<PrunSaid>;
  /** Makes a clone, lets its worker write these files, and collects. */
  work(unit: string, files: Readonly<Record<string, string>>, ...flags: string[]): Promise<DeltaRecord>;
  collect(unit: string): Promise<DeltaRecord>;
  record(unit: string): WorkspaceRecord;
  /** Writes files below a folder. */
  write(folder: string, files: Readonly<Record<string, string>>): void;
  read(folder: string, file: string): string;
}

/** Numbered lines, some of them replaced. */
export function lines(changes: Readonly<Record<number, string>> = {}, count = 20): string {
  return Array.from({ length: count }, (_, n) => `${changes[n + 1] ?? `line ${n + 1}`}\n`).join('');
}

/** Opens a room. The repository has a commit of `f` and `g`, and `g` was edited since. */
export async function runRoom(): Promise<RunRoom> {
  const folder = testFolder();
  const repo = path.join(folder, 'a repo');
  mkdirSync(repo);
  const write: RunRoom['write'] = (where, files) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(where, name)), { recursive: true });
      writeFileSync(path.join(where, name), text);
    }
  };
  await git(repo, ['init', '-q', '-b', 'main']);
  write(repo, { f: lines(), g: 'g\n' });
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);
  write(repo, { g: 'g, not committed\n' });
  const cli = openPrun(folder);
  const set = path.join(cli.stateHome, 'workspaces', 'r');
  const place = (unit: string) => path.join(set, 'clones', unit);
  const clone = async (unit: string, ...flags: string[]) => {
    const [made = ''] = await cli.clone(repo, [unit], ['--run', 'r', ...flags]);
    return made;
  };
  const collect = async (unit: string) => {
    await cli.run(['collect', place(unit)]);
    return deltaRecordOf(place(unit));
  };
  return {
    folder,
    repo,
    cli,
    set,
    clone,
    collect,
    write,
    refused: (unit, flags, code = 2) =>
      cli.run(['clone', '--repo', repo, '--run', 'r', '--unit', unit, ...flags], { code }),
    async work(unit, files, ...flags) {
      write(await clone(unit, ...flags), files);
      return collect(unit);
    },
    record: (unit) => JSON.parse(readFileSync(path.join(set, 'units', unit, 'workspace.json'), 'utf8')),
    read: (where, file) => readFileSync(path.join(where, file), 'utf8'),
  };
}
