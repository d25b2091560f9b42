import type { Executor } from '../executor/types.ts';
import { writeAllSync } from '../platform/write-all.ts';
import type { OutcomeReason, OutcomeRecord } from '../unit/records.ts';
import { nextStep } from './next-step.ts';
import { readableTail } from './salvage.ts';
import { tripwireText } from './tripwire-text.ts';

const TAIL_LINES = 80;
/** Ends of a worker that itself exited with 0. */
const TOLD: readonly OutcomeReason[] = [
  'claim-mismatch',
  'nothing-done',
  'schema',
  'worker-blocked',
  'needs-context',
];

/** Says on stderr what a person must know at once; the rest is in the outcome. */
export function complain(outcome: OutcomeRecord): void {
  if (outcome.reason === 'spawn') say(`${outcome.detail}: ${nextStep('spawn', outcome.executor)}`);
  if (TOLD.includes(outcome.reason)) {
    say(`${outcome.detail}: ${nextStep(outcome.reason)}`);
  }
  if (outcome.failure?.reason === outcome.reason) {
    const told = outcome.detail.replace(/\.$/, '');
    say(`${told}: ${nextStep(outcome.reason, outcome.executor, outcome.failure)}`);
  }
  if (outcome.tripwire && outcome.tripwire.changes.length > 0) say(tripwireText(outcome.tripwire));
  if (outcome.delta && outcome.delta.state !== 'collected') {
    say(`the delta is not collected: ${outcome.delta.detail}: ${outcome.delta.next}`);
  }
  if (outcome.resultError) {
    say(
      `no result could be written to ${outcome.stateDir}: ${outcome.resultError}: read the tail in the state dir`,
    );
  }
  for (const survivor of outcome.survivors) {
    say(`process ${survivor.pid} (${survivor.command}) could not be killed: end it by hand`);
  }
}

function say(text: string): void {
  writeAllSync(2, `dispatch-task: ${text}\n`);
}

/** Prints the end of the worker's output on stderr: its last 80 lines, readable and bounded. */
export function showTail(stateDir: string, executor: Executor): void {
  const text = readableTail(stateDir, executor, TAIL_LINES);
  if (text) writeAllSync(2, `${text}\n`);
}
