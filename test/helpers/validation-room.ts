import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { EvidenceCheck } from '../../scripts-src/validate/evidence.ts';
import type { Stage, ValidationResult } from '../../scripts-src/validate/validation-records.ts';
import { git, gitSays, smallRepository } from './plain-git.ts';
import { openRoom, type Room, type Said, type Script, textOf } from './room.ts';

/** Keys of a job; a command that is one text is a line for sh. */
export type JobWish = Partial<Record<Stage, string | string[]>> & {
  worktree?: string;
  commit?: string;
  environment?: Record<string, string>;
  inherit_environment?: string[];
  step_timeout?: number;
};

/** A validation that has ended. */
export interface Validated extends Said {
  output: string;
  /** `result.json`; the test fails where there is none. */
  result: ValidationResult;
  /** Stages and their outcomes in order, such as `build ok`. */
  steps: string[];
  log(sequence: number): string;
}

/** A small repository that is to be validated. `out/` is ignored. */
export interface ValidationPlace {
  folder: string;
  repo: string;
  commit: string;
  /** Writes a job with true for smoke and test. Its path. */
  job(wish?: JobWish): string;
  start(wish?: JobWish, flags?: string[], environment?: Record<string, string>): Script & { output: string };
  validate(wish?: JobWish, flags?: string[], environment?: Record<string, string>): Promise<Validated>;
  /** `--verify-evidence` of an output folder. */
  evidence(output: string): Promise<{ code: number; check: EvidenceCheck }>;
}

/** Opens a room in which validations run; call it at the top level. */
export function openValidations(): { room: Room; place(folder?: string): Promise<ValidationPlace> } {
  const room = openRoom();
  return { room, place: (folder = room.folder()) => placeIn(room, folder) };
}

async function placeIn(room: Room, folder: string): Promise<ValidationPlace> {
  const repo = await smallRepository(folder);
  writeFileSync(path.join(repo, '.gitignore'), 'out/\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-q', '-m', 'ignore']);
  const commit = await gitSays(repo, ['rev-parse', 'HEAD']);
  let count = 0;
  const job = (wish: JobWish = {}): string => {
    const file = path.join(folder, `job-${++count}.json`);
    const written = Object.entries({ worktree: repo, commit, smoke: ['true'], test: ['true'], ...wish });
    const asArgv = ([key, value]: [string, unknown]) => [
      key,
      typeof value === 'string' && !['worktree', 'commit'].includes(key) ? ['sh', '-c', value] : value,
    ];
    writeFileSync(file, JSON.stringify(Object.fromEntries(written.map(asArgv))));
    return file;
  };
  const start: ValidationPlace['start'] = (wish, flags = [], environment = {}) => {
    const output = path.join(folder, `evidence-${++count}`);
    const argv = ['--job', job(wish), '--output', output, ...flags];
    return { ...room.start('validate-run', argv, { folder, environment }), output };
  };
  return {
    ...{ folder, repo, commit, job, start },
    async validate(wish, flags, environment) {
      const { ended, output } = start(wish, flags, environment);
      return validated(await ended, output);
    },
    async evidence(output) {
      const said = await room.run('validate-run', ['--verify-evidence', output], { folder });
      return { code: said.code, check: JSON.parse(said.stdout) as EvidenceCheck };
    },
  };
}

/** A validation's end with its record. */
export function validated(said: Said, output: string): Validated {
  const text = textOf(path.join(output, 'result.json'));
  expect(text, `there is a result; stderr: ${said.stderr}`).toBeTruthy();
  const result = JSON.parse(text ?? '') as ValidationResult;
  const steps = result.steps.map(({ stage, outcome }) => `${stage} ${outcome}`);
  const log = (sequence: number) =>
    readFileSync(path.join(output, result.steps[sequence - 1]?.log ?? 'none'), 'utf8');
  return { ...said, output, result, steps, log };
}

/** What is compared of an end, in one place, so that a failure shows all of it. */
export function endOf({ code, result, stdout }: Validated): { code: number; status: string; told: string } {
  return { code, status: result.status, told: (JSON.parse(stdout) as { status: string }).status };
}
