import path from 'node:path';
import { claude } from '../../executor/claude.ts';
import { ask } from '../../executor/codex-probe.ts';
import { omp } from '../../executor/omp.ts';
import { readableLine } from '../../executor/readable-line.ts';
import type { Executor } from '../../executor/types.ts';
import { resolveProgram } from '../../platform/resolve-program.ts';
import type { ProgramAnswer } from '../../process/ask-program.ts';
import { quotedWord } from '../../run/command-text.ts';
import { codexFindings } from './codex.ts';
import { type Finding, fine, type LookAnswer, note, problem } from './finding.ts';
import type { LookWish } from './look-apart.ts';
import { saidIn } from './said-in.ts';

/** The programs that prun starts: which are there, and of what version. All are asked at the same time. */
export async function lookAtPrograms(wish: LookWish): Promise<LookAnswer> {
  const findings = await Promise.all([
    gitFinding(wish),
    codexFindings(wish, process.env),
    optionalFinding(claude, 'npm install -g @anthropic-ai/claude-code', wish),
    optionalFinding(omp, 'bun install -g @oh-my-pi/pi-coding-agent', wish),
  ]);
  return { findings: findings.flat(), mostUnits: null };
}

const INSTALL_GIT: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'install git 2.38 or newer: xcode-select --install, or brew install git',
  win32: 'install git 2.38 or newer: winget install Git.Git',
};

/** Whether there is a git that merges trees by itself, as prun needs it (2.38). */
export async function gitFinding(
  { cwd, limitMs }: LookWish,
  platform: NodeJS.Platform = process.platform,
): Promise<Finding> {
  const install =
    INSTALL_GIT[platform] ?? 'install git 2.38 or newer from your system, or https://git-scm.com';
  const found = resolveProgram('git', cwd, process.env);
  if (found.kind !== 'found') return problem('git', 'there is none in PATH', install);
  const answer = await versionAnswer(found.path, limitMs);
  const version = /^git version (\d+\.\d+\S*)/m.exec(answer.stdout)?.[1];
  if (answer.exitCode !== 0 || version === undefined) {
    return problem('git', `${found.path} gives no version (${saidIn(answer)})`, install);
  }
  const fact = `${version}, ${found.path}`;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > 2 || (major === 2 && minor >= 38);
  return isNewEnough ? fine('git', fact) : problem('git', `${fact}: too old`, install);
}

/** A program that only some units need: that it is not there is nothing wrong. */
async function optionalFinding(
  executor: Pick<Executor, 'name' | 'program'>,
  install: string,
  { cwd, limitMs }: LookWish,
): Promise<Finding> {
  const id = executor.name === 'omp' ? 'omp' : 'claude';
  const { name, variable } = executor.program ?? { name: id, variable: '' };
  const wished = process.env[variable];
  const found = resolveProgram(wished || name, cwd, process.env);
  if (found.kind === 'not-executable') {
    return note(id, `${found.path} is not executable`, `chmod +x ${quotedWord(found.path)}`);
  }
  if (found.kind === 'missing' && wished) {
    return note(
      id,
      `${variable} names ${found.tried}, which is not there`,
      `correct ${variable}, or unset it`,
    );
  }
  if (found.kind === 'missing') {
    return fine(id, `not installed, and only needed for units with executor: ${id} (${install})`);
  }
  const answer = await versionAnswer(found.path, limitMs);
  const version = /\d+\.\d+\S*/.exec(readableLine(answer.stdout))?.[0];
  if (answer.exitCode === 0 && version !== undefined) return fine(id, `${version}, ${found.path}`);
  return note(
    id,
    `${found.path} gives no version (${saidIn(answer)})`,
    `install it anew (${install}), or leave it out`,
  );
}

function versionAnswer(program: string, limitMs: number): Promise<ProgramAnswer> {
  const { root } = path.parse(process.execPath);
  return ask({ program, environment: process.env, limitMs, cwd: root }, ['--version']);
}
