import { readEnd, readStart } from '../platform/files.ts';
import { oneLine } from '../platform/one-line.ts';
import { tripwireText } from '../supervise/tripwire-text.ts';
import { stateFile } from '../unit/state-dir.ts';
import type { StructuredResult } from '../unit/structured-schema.ts';
import type { TaskEnd } from './see-to-end.ts';
import type { StartedTask } from './started-task.ts';
import { boundedReport, reportOf } from './task-report.ts';
import { LIMITS, type TaskDelta, type TaskOutput, type TaskStatus } from './tool-schemas.ts';

/** A last message that is longer is cut before it is looked at. */
const MESSAGE_BYTES = 1024 * 1024;
/** UTF-8 has at most four bytes a character. */
const BYTES_A_CHARACTER = 4;

/** What a tool gives for a task that has ended. Every text is bounded; all of it lies in the state dir. */
export function taskAnswer(
  task: StartedTask,
  end: TaskEnd,
  { delta, notes }: { delta: TaskDelta | null; notes: readonly string[] },
  includeRawOutput: boolean,
): TaskOutput {
  const { unit, stateDir, outcome, stream, held } = end;
  const message = lastMessageOf(stateDir) ?? stream.lastMessage() ?? '';
  const report = reportOf(stateDir, outcome, message);
  const bounded = report && boundedReport(report);
  const status = statusOf(end, report ?? null);
  return {
    status,
    taskId: task.taskId,
    sessionId: outcome?.sessionId ?? stream.sessionId() ?? unit.resume?.sessionId ?? null,
    timedOut: status === 'TIMED_OUT',
    reason: held?.reason ?? outcome?.reason ?? unit.reason ?? unit.state,
    detail: detailOf(end),
    assistantText: cut(report?.summary ?? message, LIMITS.assistantText),
    result: bounded?.report ?? null,
    stderrTail: stream.plainTail(),
    rawOutput: includeRawOutput ? rawOutputOf(stateDir) : null,
    delta,
    notes: [
      ...[...task.notes, ...survivorNotes(end), ...tripwireNotes(end)],
      ...[...cutNotes(bounded), ...notes],
    ].slice(0, LIMITS.notes),
    run: task.run.record.id,
    unit: task.unit,
    stateDir,
  };
}

/** The status of a task by its outcome and what its worker says of it. Pure. */
export function statusOf(
  { unit, outcome, stopped }: Pick<TaskEnd, 'unit' | 'outcome' | 'stopped'>,
  result: StructuredResult | null,
): TaskStatus {
  if (unit.state === 'succeeded') return result?.status ?? 'DONE';
  if (outcome?.reason === 'hard-timeout') return 'TIMED_OUT';
  if (unit.state === 'cancelled') {
    return stopped === 'account' ? 'FAILED' : 'CANCELLED';
  }
  // A worker that ended well and says why it could not do it has failed at nothing else.
  const isStuck = result?.status === 'BLOCKED' || result?.status === 'NEEDS_CONTEXT';
  return isStuck && outcome?.exitCode === 0 ? result.status : 'FAILED';
}

function detailOf({ unit, outcome, stopped, held }: TaskEnd): string {
  if (stopped === 'account' && held !== undefined)
    return `its account cannot be used now (${held.text}): codex_resume or codex_implement when it can`;
  return outcome?.detail ?? unit.detail;
}

function lastMessageOf(stateDir: string | null): string | undefined {
  if (stateDir === null) return undefined;
  const text = readStart(stateFile(stateDir, 'lastMessage'), MESSAGE_BYTES);
  return text.trim() === '' ? undefined : text;
}

function rawOutputOf(stateDir: string | null): string {
  if (stateDir === null) return '';
  const end = readEnd(stateFile(stateDir, 'tail'), LIMITS.rawOutput * BYTES_A_CHARACTER);
  return end.slice(-LIMITS.rawOutput);
}

function survivorNotes({ outcome }: TaskEnd): string[] {
  return (outcome?.survivors ?? [])
    .slice(0, 5)
    .map(
      ({ pid, command }) => `its process ${pid} (${command.slice(0, 80)}) could not be ended: end it by hand`,
    );
}

/** A worker must not commit, nor make branches. */
function tripwireNotes({ outcome }: TaskEnd): string[] {
  const tripwire = outcome?.tripwire;
  return tripwire && tripwire.changes.length > 0 ? [tripwireText(tripwire)] : [];
}

function cutNotes(bounded: { isCut: boolean } | undefined): string[] {
  return bounded?.isCut
    ? ['its report is cut here: structured.json or last-message in stateDir has all of it']
    : [];
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const rest = `\n… ${text.length - most} characters are left out`;
  return text.slice(0, most - rest.length).replace(/[\ud800-\udbff]$/, '') + rest;
}

const SHOWN_TEXT = 1200;
const SHOWN_FILES = 20;

/** The answer for a client that reads no structured content: few lines. */
export function answerText(output: TaskOutput): string {
  const { status, taskId, reason, detail, assistantText, delta, notes, sessionId, stateDir } = output;
  const why = detail === '' || status === 'DONE' ? '' : `: ${oneLine(detail)}`;
  const shown = (delta?.files ?? []).slice(0, SHOWN_FILES);
  const files = shown.map(({ path, change }) => `${change} ${oneLine(path)}`);
  const more = (delta?.files.length ?? 0) + (delta?.more ?? 0) - files.length;
  return [
    `${status} ${oneLine(taskId)} (${reason})${why}`,
    ...(assistantText === '' ? [] : ['', cut(assistantText, SHOWN_TEXT), '']),
    ...files,
    ...(more > 0 ? [`… and ${more} more files`] : []),
    ...notes.map((note) => `note: ${oneLine(note)}`),
    ...(delta?.apply ? [`apply: ${delta.apply}`] : []),
    ...(sessionId === null ? [] : [`session: ${sessionId} (codex_resume with this taskId goes on)`]),
    ...(stateDir === null ? [] : [`output: ${stateDir}`]),
  ].join('\n');
}
