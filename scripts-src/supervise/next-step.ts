import { type AdviceFacts, adviceFor } from '../executor/failure-advice.ts';
import { FAILURE_REASONS } from '../executor/failure-kinds.ts';
import type { OutcomeReason } from '../unit/records.ts';

const STEPS: Partial<Record<OutcomeReason, string>> = {
  'idle-stall': 'find out what it waited for, or give it a longer --stall-threshold, then dispatch it again',
  'hard-timeout': 'split the unit or give it a longer --timeout, then dispatch it again',
  'output-limit': 'look at the end of its output for what it repeats before it is dispatched again',
  'token-limit': 'split the unit, or resume its session when its limit has been thought over',
  spawn: 'install the Codex CLI (npm install -g @openai/codex) or name another program with --codex-bin',
  workspace: 'see why its workspace could not be made, then retry the unit',
  disk: 'make room on the disk, then dispatch the unit again',
  'claim-mismatch':
    'read the delta and the ignored files for what is claimed; then take what is there or dispatch it again with the finding in its prompt',
  schema: 'read its last message; resume its session with what is wrong, or dispatch it again',
  'worker-blocked': 'read its result, remove what is in the way, and resume its session or dispatch it again',
  'needs-context': 'read its result and answer it: resume its session with the answer as its prompt',
  verify: 'read the log of its verify command; dispatch it again with the finding in its prompt',
  'nothing-done':
    'read its result: nothing was changed and no reason given; dispatch it again with a clearer prompt',
};

/** Where codex's own advice would be wrong, by executor. */
const OWN_STEPS: Readonly<Record<string, Partial<Record<OutcomeReason, string>>>> = {
  command: { spawn: 'name a program that is installed and executable as the first word of its argv' },
  claude: {
    spawn:
      'install Claude Code (npm install -g @anthropic-ai/claude-code) or name another program with --bin',
  },
  omp: { spawn: 'install omp (bun install -g @oh-my-pi/pi-coding-agent) or name another program with --bin' },
};

/**
 * What a coordinator does about an attempt that left no result of its own. `executor`: what ran it; `failure`: what is
 * known of the worker's failure, if that is the reason.
 */
export function nextStep(
  reason: OutcomeReason,
  executor = 'codex',
  failure: Pick<AdviceFacts, 'resetAt' | 'retryAfterSeconds'> = {},
): string {
  const own = OWN_STEPS[executor]?.[reason] ?? STEPS[reason];
  if (own !== undefined) return own;
  const named = FAILURE_REASONS.find((each) => each === reason);
  return named ? adviceFor(named, { ...failure, executor }) : 'review this or dispatch the unit again';
}
