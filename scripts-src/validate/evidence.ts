import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf, plainError } from '../platform/errors.ts';
import { isAlive, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { buildFingerprint, sha256OfFile } from './fingerprint.ts';
import { readJob } from './job.ts';
import { readProgressNote, readResult } from './result-file.ts';
import { type StepRecord, VALIDATION_FILES, type ValidationResult } from './validation-records.ts';
import { treePlaceOf, watchTree } from './watch-tree.ts';

/** Whether evidence can still be relied on. */
export interface EvidenceCheck {
  /** `incomplete`: the validation has not ended, or was killed. */
  evidence: 'agrees' | 'differs' | 'incomplete';
  /** Absolute path of the result. */
  result: string;
  status: string | null;
  commit: string | null;
  tree: string | null;
  /** What does not agree any more, one line each. */
  differences: string[];
  /** What could not be compared, and why. */
  notChecked: string[];
}

/**
 * Compares a result with what it speaks of: its own checksum, its logs, the fingerprint of its build, its job, and HEAD and
 * files of its work tree. Reads only. Throws a usage error where there is no result.
 */
export async function checkEvidence(file: string, host: ProcessHost): Promise<EvidenceCheck> {
  const absolute = resultIn(path.resolve(file));
  const output = path.dirname(absolute);
  const unfinished = existsSync(absolute) ? undefined : whyUnfinished(output, host);
  if (unfinished) {
    const unknown = { status: null, commit: null, tree: null, notChecked: [] };
    return { evidence: 'incomplete', result: absolute, differences: [unfinished], ...unknown };
  }
  const { result, isWhole } = readResult(absolute, '--verify-evidence');
  const differences = isWhole ? [] : ['result.json was changed after it was written'];
  const notChecked: string[] = [];
  for (const step of result.steps) push(differences, logDifference(output, step));
  push(differences, fingerprintDifference(result));
  compareJob(result, differences, notChecked);
  await compareWorktree(result, differences, notChecked);
  const evidence = differences.length === 0 ? 'agrees' : 'differs';
  const { status, commit, tree } = result;
  return { evidence, result: absolute, status, commit, tree, differences, notChecked };
}

/** A folder stands for the result in it. */
function resultIn(file: string): string {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? path.join(file, VALIDATION_FILES.result) : file;
}

function push(lines: string[], line: string | undefined): void {
  if (line !== undefined) lines.push(line);
}

/** Undefined where nothing says that a validation has begun there. */
function whyUnfinished(output: string, host: ProcessHost): string | undefined {
  const note = readProgressNote(output);
  if (!note) return undefined;
  const where = note.step ? `in step ${note.step.sequence} (${note.step.stage})` : 'before its first step';
  const validator = parseIdentity(note.validator);
  const isRunning = validator !== undefined && isAlive(host, validator);
  return isRunning ? `the validation is still running, ${where}` : `the validation was killed ${where}`;
}

function logDifference(output: string, { log, logSha256, logBytes }: StepRecord): string | undefined {
  const file = path.resolve(output, log);
  try {
    const now = sha256OfFile(file);
    if (now.sha256 === logSha256) return undefined;
    return `${log} is not as it was written (${now.bytes} bytes, then ${logBytes})`;
  } catch (error) {
    return `${log} cannot be read (${messageOf(error)})`;
  }
}

/** The fingerprint must follow from what stands beside it. */
function fingerprintDifference({
  commit,
  tree,
  commands,
  fingerprints,
}: ValidationResult): string | undefined {
  const { environment } = fingerprints;
  const again = buildFingerprint({ commit, tree: tree ?? '', commands, environment });
  return again === fingerprints.build ? undefined : 'the build fingerprint does not follow from its inputs';
}

function compareJob(
  { job, commands, worktree, commit }: ValidationResult,
  differences: string[],
  notChecked: string[],
): void {
  if (!existsSync(job.file)) {
    notChecked.push(`the job ${job.file} is not there any more`);
    return;
  }
  try {
    const now = readJob(job.file, { worktree, commit });
    if (now.sha256 === job.sha256) return;
    const isOther = JSON.stringify(now.commands) !== JSON.stringify(commands);
    differences.push(
      `the job ${job.file} has ${isOther ? 'other commands' : 'another environment or time limit'} now`,
    );
  } catch (error) {
    differences.push(`the job ${job.file} is not what it was (${messageOf(error)})`);
  }
}

async function compareWorktree(
  { worktree, commit }: ValidationResult,
  differences: string[],
  notChecked: string[],
): Promise<void> {
  if (!existsSync(worktree)) {
    notChecked.push(`the worktree ${worktree} is gone: its HEAD and files`);
    return;
  }
  const scratch = mkdtempSync(path.join(tmpdir(), 'prun-evidence-'));
  try {
    const begun = await watchTree(
      await treePlaceOf(worktree, 'the worktree'),
      commit,
      path.join(scratch, 'index'),
    );
    if (begun.kind === 'different') differences.push(`the worktree ${worktree}: ${begun.difference}`);
  } catch (error) {
    const known = plainError(error);
    if (known === undefined) throw error;
    differences.push(known.message);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
