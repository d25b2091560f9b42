import { durationText } from '../render/figures.ts';
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
      return `queued attempt ${event.attempt} (${event.why})`;
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
    case 'breaker':
      return event.state === 'closed'
        ? `breaker of ${event.executor} closed`
        : `breaker of ${event.executor} open (${event.reason ?? 'unknown'}) until ${event.until ?? 'somebody resumes'}: ${shortLine(event.detail)}`;
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
