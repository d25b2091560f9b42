import type { OutcomeReason } from '../unit/records.ts';

const STEPS: Partial<Record<OutcomeReason, string>> = {
  'usage-limit':
    'dispatch nothing more to this account before its limit resets; then dispatch the unit again',
  'rate-limit': 'run fewer units at once and dispatch this one again',
  auth: 'run `codex login` (`codex login status` tells) before anything is dispatched again',
  network: 'check the network, then dispatch the unit again',
  'model-error': 'read the message; wait, or choose another model, then dispatch the unit again',
  'idle-stall': 'find out what it waited for, or give it a longer --stall-threshold, then dispatch it again',
  'hard-timeout': 'split the unit or give it a longer --timeout, then dispatch it again',
  'output-limit': 'look at the end of its output for what it repeats before it is dispatched again',
  spawn: 'install the Codex CLI (npm install -g @openai/codex) or name another program with --codex-bin',
  workspace: 'see why its workspace could not be made, then retry the unit',
  disk: 'make room on the disk, then dispatch the unit again',
  'claim-mismatch':
    'read the delta and the ignored files for what is claimed; then take what is there or dispatch it again with the finding in its prompt',
  verify: 'read the log of its verify command; dispatch it again with the finding in its prompt',
  'nothing-done':
    'read its result: nothing was changed and no reason given; dispatch it again with a clearer prompt',
};

/** Where codex's own advice would be wrong: a `command` worker has no account that prun knows, nor another binary. */
const COMMAND_STEPS: Partial<Record<OutcomeReason, string>> = {
  spawn: 'name a program that is installed and executable as the first word of its argv',
};

/** What a coordinator does about an attempt that left no result of its own. `executor`: what ran it. */
export function nextStep(reason: OutcomeReason, executor = 'codex'): string {
  const own = executor === 'command' ? COMMAND_STEPS[reason] : undefined;
  return own ?? STEPS[reason] ?? 'review this or dispatch the unit again';
}
