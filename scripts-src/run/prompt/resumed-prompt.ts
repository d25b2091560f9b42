import { promptSection, verification } from './prompt-section.ts';
import { returnContract } from './return-contract.ts';
import type { PromptFacts } from './whole-prompt.ts';

/** What a worker is told whose session goes on. Paths are absolute. */
export interface ResumedPromptFacts
  extends Pick<PromptFacts, 'run' | 'unit' | 'mode' | 'resultFile' | 'verify' | 'form'> {
  /** Where it worked, and goes on. */
  workspace: string;
  /** How its last attempt ended. */
  last: { attempt: number; status: string; reason: string; detail: string };
  /** Where its last result is now, null where there is none. */
  lastResult: string | null;
  /** What the coordinator says to it now, byte for byte; null: it goes on with its task. */
  remark: string | null;
}

/** The text for a session that goes on: it knows its task and its rules, and is told what is new. */
export function resumedPrompt(facts: ResumedPromptFacts): string {
  const { run, unit, mode, workspace, remark, verify, lastResult, resultFile } = facts;
  const rule =
    mode === 'scratch'
      ? 'Change nothing outside of it, except your result file. Do not commit or push anywhere.'
      : 'Do not commit, push, stash, reset or clean there.';
  return [
    promptSection(
      `You go on as the worker of unit ${unit} in run ${run}`,
      `Your session goes on, in the same folder, with the files as you left them: ${workspace}`,
      `Your task and your rules hold as before. ${rule}`,
    ),
    promptSection('Your last attempt', endText(facts.last), STOPPED),
    remark === null
      ? promptSection('What to do now', 'Go on with your task and bring it to its end.')
      : promptSection('What the coordinator says now', remark),
    promptSection(
      'Your result',
      ...verification(verify),
      ...(lastResult === null ? [] : [`What you left as your result before is now ${lastResult}`]),
      'Write a whole new one, for all that you have done since the beginning, with all files that you have changed.',
      '',
      returnContract(unit, resultFile, facts.form),
    ),
  ].join('\n');
}

const STOPPED = 'Whatever it had started is not running any more.';

function endText({ attempt, status, reason, detail }: ResumedPromptFacts['last']): string {
  if (status === 'succeeded') return `Attempt ${attempt} ended well.`;
  return `Attempt ${attempt} was not finished (${detail === '' ? reason : `${reason}: ${detail}`}).`;
}
