import type { WorkspaceMode } from '../records.ts';

/**
 * Rules for every worker, one line each. `hasNoFolder`: nothing but its result is its to write. Coordinators read them
 * in `skills/prun/references/units.md`.
 */
export function workerRules(mode: WorkspaceMode, hasNoFolder = false): string[] {
  return [
    hasNoFolder ? 'Read what you need. Change no file but your result file.' : filesRule(mode),
    'Do not commit or push. Make, move or delete no branch or tag. No `git reset --hard`, no `git clean`, no stash, no pull request.',
    'Do not start prun or other coding agents.',
    'Once the pattern is clear, do the work. If you are blocked, or nothing has to be done, say so in the result and end.',
    'Nobody answers questions. Where the task leaves something open, decide, and say so in the result.',
    'Run the checks that the task names. The full suite and other heavy checks are run by the coordinator.',
    'Where the environment fails (install, network, disk, browser), report its output and stop. Do not work around it in the code. Never move or delete folders that units share.',
    'Put no keys, tokens or passwords into files or the result.',
  ];
}

function filesRule(mode: WorkspaceMode): string {
  return mode === 'scratch'
    ? 'Read what you need. Change nothing outside the folder that you start in, except your result file.'
    : 'Leave your changes in the files. What you change outside of what you own is reported.';
}
