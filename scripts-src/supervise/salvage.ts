import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { withoutValues } from '../executor/failure-evidence.ts';
import type { Executor, WorkerFailure } from '../executor/types.ts';
import { errnoOf, messageOf } from '../platform/errors.ts';
import { entriesOf, readEnd, readStart, stampOf, writeOnce } from '../platform/files.ts';
import type { ResultOrigin } from '../unit/records.ts';
import { fallbackHeader, isOwnFallback, moveFile, resultStateOf } from '../unit/result-file.ts';
import { stateFile } from '../unit/state-dir.ts';
import type { Verdict } from './classify.ts';
import { nextStep } from './next-step.ts';
import { waitingStderr } from './stdout-part.ts';

/** A last message is the worker's answer: kept whole up to this size, bytes. */
export const MESSAGE_LIMIT = 256 * 1024;
/** The end of the tail that is looked at, and what a coordinator is asked to read of it. */
const TAIL_LOOK_BYTES = 512 * 1024;
const TAIL_LINES = 200;
const TAIL_TEXT_BYTES = 32 * 1024;
const LINE_CHARS = 500;
/** Files of the scratch folder that a FALLBACK names, and folders that are searched for them, at most. */
const FILES_NAMED = 10;
const FOLDERS_LOOKED_AT = 100;
const MESSAGE_FOLLOWS = "The worker's last message:";

/** What is to be rescued. */
export interface SalvageRequest {
  unit: string;
  stateDir: string;
  resultFile: string;
  executor: Executor;
  verdict: Verdict;
  /** What the worker told of its failure, if that is the verdict. */
  failure?: WorkerFailure | undefined;
  /** Added to the trigger line: `exit code 124`, `exit code 9`. */
  exitNote: string;
  lastMessage: string | undefined;
  /** Where a text that stands there comes from, if it is an answer that prun wrote down (answer.ts). */
  origin?: ResultOrigin | undefined;
  /** Whether to wait until a FALLBACK is on the disk. */
  sync: boolean;
  /** The caller's: no key of it is shown. */
  environment: NodeJS.ProcessEnv;
}

/** What stands at the result path afterwards, or why nothing does. */
export type Salvaged =
  | { result: { path: string; origin: ResultOrigin; bytes: number }; error: null; full: false }
  | { result: null; error: string; full: boolean };

/**
 * Sees to it that a non-empty result file exists: the worker's own text if there is any (never touched), else a
 * FALLBACK with the five fields, the trigger, and the worker's last message or the end of its output.
 */
export function salvageResult(request: SalvageRequest): Salvaged {
  const { resultFile } = request;
  try {
    const state = resultStateOf(resultFile);
    if (isOwnFallback(resultFile, request.unit)) return keep(resultFile, originOfFallback(resultFile));
    if (state === 'text') return keep(resultFile, request.origin ?? 'worker');
    if (state === 'not-a-file') {
      const what = stampOf(resultFile) ? 'cannot be read' : 'is not a regular file';
      return { result: null, error: `${resultFile} ${what}`, full: false };
    }
    if (state === 'empty') setEmptyAside(request);
    const { text, origin } = fallbackText(request);
    mkdirSync(path.dirname(resultFile), { recursive: true });
    // Lost to somebody who wrote there meanwhile: then that text is the result.
    if (writeOnce(resultFile, text, { sync: request.sync })) return keep(resultFile, origin);
    if (resultStateOf(resultFile) === 'text') return keep(resultFile, 'worker');
    return { result: null, error: `${resultFile} was taken while it was written`, full: false };
  } catch (error) {
    const errno = errnoOf(error);
    return { result: null, error: messageOf(error), full: errno === 'ENOSPC' || errno === 'EDQUOT' };
  }
}

/** A file of white space holds nobody's text, but it stays in the state dir all the same. */
export function setEmptyAside({
  resultFile,
  stateDir,
}: Pick<SalvageRequest, 'resultFile' | 'stateDir'>): void {
  const aside = stateFile(stateDir, 'emptyResult');
  moveFile(resultFile, existsSync(aside) ? `${aside}-again` : aside);
}

function keep(file: string, origin: ResultOrigin): Salvaged {
  return { result: { path: file, origin, bytes: stampOf(file)?.size ?? 0 }, error: null, full: false };
}

/** A supervisor that died before it wrote the outcome left the FALLBACK: it says itself what it holds. */
function originOfFallback(file: string): ResultOrigin {
  return readStart(file, 8192).includes(`\n${MESSAGE_FOLLOWS}\n`) ? 'last-message' : 'tail';
}

function fallbackText(request: SalvageRequest): { text: string; origin: ResultOrigin } {
  const { unit, stateDir, verdict, exitNote } = request;
  const message = lastMessageOf(request);
  const header = [
    fallbackHeader(unit),
    `Conclusion: none from the worker; prun saved what it left (${verdict.reason}${exitNote}).`,
    `Files: ${filesLine(stateDir)}`,
    `Open items: ${nextStep(verdict.reason, request.executor.name, request.failure)}; all output is in ${stateFile(stateDir, 'tail')}`,
    'Verification: none',
    '',
    `Trigger: ${verdict.reason}${exitNote}`,
    oneLine(verdict.detail),
    '',
  ];
  const body = message
    ? [MESSAGE_FOLLOWS, '', message]
    : [
        "The end of the worker's output:",
        '',
        withoutValues(readableTail(stateDir, request.executor), request.environment) ||
          '(it printed nothing)',
      ];
  return { text: `${[...header, ...body].join('\n')}\n`, origin: message ? 'last-message' : 'tail' };
}

/** Names what lies in the scratch folder: a worker that took a relative path for its own has left its answer there. */
function filesLine(stateDir: string): string {
  const scratch = stateFile(stateDir, 'scratch');
  const names = filesBelow(scratch, FILES_NAMED + 1);
  if (names.length === 0) return 'unknown; look at the workspace before you use them';
  const more = names.length > FILES_NAMED ? ', …' : '';
  return oneLine(`left in ${scratch}: ${names.slice(0, FILES_NAMED).join(', ')}${more}`);
}

function filesBelow(folder: string, most: number): string[] {
  const found: string[] = [];
  const folders = [''];
  for (const below of folders) {
    for (const entry of entriesOf(path.join(folder, below))) {
      const name = path.join(below, entry.name);
      if (found.length >= most || folders.length > FOLDERS_LOOKED_AT) return found;
      if (entry.isDirectory()) folders.push(name);
      else found.push(plain(name));
    }
  }
  return found;
}

/** The worker's last message, from its file or its events, bounded; undefined where there is none. */
export function lastMessageOf({
  stateDir,
  lastMessage,
}: Pick<SalvageRequest, 'stateDir' | 'lastMessage'>): string | undefined {
  const written = readStart(stateFile(stateDir, 'lastMessage'), MESSAGE_LIMIT);
  const message = written.trim() ? written : (lastMessage ?? '');
  return message.trim() ? message.slice(0, MESSAGE_LIMIT) : undefined;
}

/**
 * The end of a worker's output for people: events as short lines, no control characters, at most 200 lines of 500
 * characters and 32 KiB.
 */
export function readableTail(stateDir: string, executor: Executor, maxLines: number = TAIL_LINES): string {
  const tail = readEnd(stateFile(stateDir, 'tail'), TAIL_LOOK_BYTES);
  const apart = executor.answersOnStdout ? waitingStderr(stateDir, TAIL_LOOK_BYTES) : '';
  const raw = apart && tail && !tail.endsWith('\n') ? `${tail}\n${apart}` : tail + apart;
  const events = executor.events();
  const lines = raw
    .split('\n')
    .map((line) => {
      const event = events.read(line);
      return event ? event.text : plain(line);
    })
    .filter((line): line is string => line !== undefined);
  while (lines.at(-1) === '') lines.pop();
  return lines.slice(-maxLines).join('\n').slice(-TAIL_TEXT_BYTES);
}

/** One raw line without escape sequences and control characters, cut where it is long. */
function plain(line: string): string {
  const text = line
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '')
    .replace(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g, '')
    // A progress bar redraws its line: what a terminal would show is what comes last.
    .replace(/^.*\r(?=[^\r])/s, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  return text.length > LINE_CHARS ? `${text.slice(0, LINE_CHARS)} …(${text.length} characters)` : text;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 1000);
}
