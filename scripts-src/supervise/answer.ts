import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Executor } from '../executor/types.ts';
import { readValue, writeAtomic, writeOnce } from '../platform/files.ts';
import type { ResultOrigin } from '../unit/records.ts';
import { missingInResult } from '../unit/result-contract.ts';
import { isOwnFallback, type ResultState } from '../unit/result-file.ts';
import { stateFile } from '../unit/state-dir.ts';
import type { AskedAnswer } from './asked-answer.ts';
import { lastMessageOf, setEmptyAside } from './salvage.ts';
import { readStdout } from './stdout-part.ts';

/** A result is read by a coordinator: stdout is kept whole up to this size, bytes; more of it is in the tail. */
const STDOUT_LIMIT = 1024 * 1024;

/** A worker that ended well and may have said its answer instead of writing it. */
export interface AnswerRequest {
  unit: string;
  stateDir: string;
  resultFile: string;
  executor: Executor;
  /** What stands at the result path. */
  left: ResultState;
  /** Whether nothing but a result is missing to a success, and a worker that speaks in events has completed its turn. */
  isWell: boolean;
  lastMessage: string | undefined;
  /** Whether a last message that satisfies the result contract is the result: in a run or through MCP. */
  acceptsLastMessage: boolean;
  /** What a last message that was to hold a schema gives as result; left out where none was asked for. */
  asked?: Pick<AskedAnswer, 'text'> | undefined;
  /** Whether to wait until the result is on the disk. */
  sync: boolean;
}

/**
 * Writes a worker's own answer to the result path where it wrote none: stdout of a `command` worker, a last message
 * that holds the schema that was asked for, or one that satisfies the contract. Returns where the text comes from, or
 * undefined where the file is the worker's own or there is no answer. A supervisor that takes over after the writing gets
 * the same from its note.
 */
export function keepAnswer(request: AnswerRequest): ResultOrigin | undefined {
  const { stateDir, resultFile, left } = request;
  if (left === 'text') return notedOrigin(stateDir);
  // Where a supervisor before has saved what was left, it has judged that there is no answer.
  if (!request.isWell || left === 'not-a-file' || isOwnFallback(resultFile, request.unit)) return undefined;
  try {
    const answer = answerOf(request);
    if (!answer) return undefined;
    if (left === 'empty') setEmptyAside(request);
    // For a successor of this process, not for after a power cut: no fsync.
    writeAtomic(stateFile(stateDir, 'answered'), `${answer.origin}\n`, { sync: false });
    mkdirSync(path.dirname(resultFile), { recursive: true });
    return writeOnce(resultFile, answer.text, { sync: request.sync }) ? answer.origin : undefined;
  } catch {
    // A full disk or a folder that has gone: salvage meets the same, and says it in the outcome.
    return undefined;
  }
}

interface Answer {
  origin: ResultOrigin;
  text: string | Buffer;
}

function notedOrigin(stateDir: string): ResultOrigin | undefined {
  const noted = readValue(stateFile(stateDir, 'answered'));
  return noted === 'stdout' || noted === 'last-message' ? noted : undefined;
}

function answerOf(request: AnswerRequest): Answer | undefined {
  if (request.executor.answersOnStdout) {
    const text = stdoutText(request.stateDir);
    return text && { origin: 'stdout', text };
  }
  if (request.asked) {
    const { text } = request.asked;
    return text === undefined ? undefined : { origin: 'last-message', text: ended(text) };
  }
  const message = request.acceptsLastMessage ? lastMessageOf(request) : undefined;
  if (message === undefined || missingInResult(message).length > 0) return undefined;
  return { origin: 'last-message', text: ended(message) };
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Bytes as they were printed; undefined where no reader would see anything. */
function stdoutText(stateDir: string): Buffer | undefined {
  const { bytes, total } = readStdout(stateDir, STDOUT_LIMIT);
  if (/^[\s\p{Cc}\p{Cf}]*$/u.test(bytes.toString('utf8'))) return undefined;
  if (total <= bytes.length) return bytes;
  const rest = `\n… ${total - bytes.length} of ${total} bytes are left out: all is in ${stateFile(stateDir, 'tail')}\n`;
  return Buffer.concat([bytes, Buffer.from(rest)]);
}
