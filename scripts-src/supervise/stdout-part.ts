import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import {
  openForReading,
  PRIVATE_FILE,
  readEnd,
  readRange,
  readValue,
  sizeOf,
  writeOnce,
} from '../platform/files.ts';
import { stateFile } from '../unit/state-dir.ts';

/** Of stderr so much follows in the tail, bytes; the whole stays in its own file. */
const FOLLOWING_BYTES = 1024 * 1024;

/**
 * Appends the end of stderr to the tail, when no process of the worker is left, and notes first where stdout ends. A
 * supervisor that takes over in the middle finds the note, and appends nothing twice. On a full disk stderr stays where
 * it is.
 */
export function joinStderr(stateDir: string): void {
  const tail = stateFile(stateDir, 'tail');
  try {
    const noted = notedBytes(stateDir);
    const bytes = noted ?? sizeOf(tail);
    if (noted === undefined) writeOnce(stateFile(stateDir, 'stdoutBytes'), `${bytes}\n`, { sync: false });
    // Without the note nobody could tell the two apart any more.
    if (notedBytes(stateDir) === bytes && sizeOf(tail) === bytes) append(tail, stderrText(stateDir));
  } catch {
    // See above.
  }
}

/** What the worker printed to stdout, its first `limit` bytes, and how many there are in all. */
export function readStdout(stateDir: string, limit: number): { bytes: Buffer; total: number } {
  const tail = stateFile(stateDir, 'tail');
  const total = Math.min(sizeOf(tail), notedBytes(stateDir) ?? Number.POSITIVE_INFINITY);
  const fd = openForReading(tail);
  try {
    return { bytes: readRange(fd, 0, Math.min(total, limit)), total };
  } finally {
    closeSync(fd);
  }
}

/** The end of stderr as long as it is not in the tail, at most `limit` bytes of text. */
export function waitingStderr(stateDir: string, limit: number): string {
  return notedBytes(stateDir) === undefined ? readEnd(stateFile(stateDir, 'stderr'), limit) : '';
}

function notedBytes(stateDir: string): number | undefined {
  const text = readValue(stateFile(stateDir, 'stdoutBytes'));
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function stderrText(stateDir: string): string {
  const file = stateFile(stateDir, 'stderr');
  const text = readEnd(file, FOLLOWING_BYTES);
  if (sizeOf(file) <= FOLLOWING_BYTES) return text;
  // The first line is torn.
  return `… the beginning of stderr is in ${file}\n${text.slice(text.indexOf('\n') + 1)}`;
}

function append(tail: string, text: string): void {
  if (text === '') return;
  const fd = openSync(tail, 'a+', PRIVATE_FILE);
  try {
    const { size } = fstatSync(fd);
    const isTorn = size > 0 && readRange(fd, size - 1, 1)[0] !== 10;
    const bytes = Buffer.from(isTorn ? `\n${text}` : text);
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } finally {
    closeSync(fd);
  }
}
