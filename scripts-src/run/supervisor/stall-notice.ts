import { type Supervision, unitOf } from './supervision.ts';

/** Tells the coordinator of running units that have shown no progress for as long as they say, and when they move on. */
export function noticeStalls(supervision: Supervision): void {
  for (const [id, active] of supervision.active) {
    const { spec, stalled } = unitOf(supervision, id);
    const limit = spec.limits.stallNoticeSeconds;
    const evidence = limit > 0 ? active.lastEvidence() : undefined;
    if (!evidence) continue;
    const { attempt } = active;
    const isQuiet = evidence.quietSeconds >= limit;
    if (isQuiet && !stalled) {
      const quietSeconds = Math.floor(evidence.quietSeconds);
      const text = `${evidence.kind} at ${evidence.at}`;
      supervision.emit({ type: 'stalled', unit: id, attempt, quietSeconds, evidence: text });
    }
    if (!isQuiet && stalled) supervision.emit({ type: 'moving', unit: id, attempt });
  }
}
