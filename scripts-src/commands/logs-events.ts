import { durationText } from '../render/figures.ts';
import { RUN_BREAKER } from '../run/breaker-of-unit.ts';
import type { RunEvent } from '../run/records.ts';
import { shortLine } from '../run/views/unit-text.ts';

/** One event of a run as a line for people: number, wall time, unit, what happened. */
export function eventLine(event: RunEvent): string {
  const time = event.at.replace(/^.*T/, '').replace(/\.\d+Z$/, 'Z');
  const unit = 'unit' in event ? `${event.unit} ` : '';
  return `${event.n} ${time} ${unit}${whatHappened(event)}`;
}

function whatHappened(event: RunEvent): string {
  switch (event.type) {
    case 'supervisor':
      return `supervisor ${event.identity}${event.adopted > 0 ? ` took over ${event.adopted} attempts` : ''}`;
    case 'queued':
      return `queued attempt ${event.attempt} (${event.why})${queuedText(event)}`;
    case 'dispatching':
      return `dispatching attempt ${event.attempt}`;
    case 'running':
      return `running attempt ${event.attempt}`;
    case 'stalled':
      return `stalled: no progress for ${event.quietSeconds}s; ${shortLine(event.evidence)}`;
    case 'moving':
      return 'moving again';
    case 'cancelling':
      return `to be cancelled, with ${event.graceSeconds}s of grace`;
    case 'ended': {
      const again = event.isFinal ? '' : ', another attempt follows';
      return `${event.status}(${event.reason}) after ${durationText(event.durationMs)}: ${shortLine(event.detail)}${again}`;
    }
    case 'breaker': {
      const what = `breaker of ${event.executor === RUN_BREAKER.executor ? 'the run' : event.executor}`;
      if (event.state === 'closed') return `${what} closed: ${shortLine(event.detail)}`;
      const until = event.until === null ? '' : ` until ${event.until.replace(/\.\d+Z$/, 'Z')}`;
      return `${what} open (${event.reason ?? 'unknown'})${until}: ${shortLine(event.detail)}`;
    }
    case 'blocked':
      return `blocked: ${shortLine(event.detail)}`;
    case 'stale':
      return `stale: ${event.parent} has a new result`;
    case 'all-done': {
      const { succeeded, failed, cancelled, interrupted, blocked } = event;
      return `all done: ${succeeded} succeeded, ${failed} failed, ${interrupted} interrupted, ${cancelled} cancelled, ${blocked} blocked`;
    }
    case 'note':
      return `note: ${shortLine(event.text, 300)}`;
  }
}

/** Whether a session goes on, and not before when. */
function queuedText({ resume, notBefore }: Extract<RunEvent, { type: 'queued' }>): string {
  const session = resume ? `, session ${resume.sessionId} goes on` : '';
  return notBefore
    ? `${session}, not before ${notBefore.replace(/^.*T/, '').replace(/\.\d+Z$/, 'Z')}`
    : session;
}
