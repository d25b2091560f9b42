import type { OutcomeRecord } from '../unit/records.ts';
import type { DemoPlace } from './demo-place.ts';

/** One of the demo's five units. */
export interface DemoUnit {
  id: string;
  mode: 'scratch' | 'clone';
  /** What it shows, for people. */
  role: string;
  prompt: string;
  /** Further flags of `dispatch-task`. */
  flags: string[];
  stallThresholdSeconds: number;
  expected: Expectation;
}

/** How a unit is meant to end. Several reasons are given where the real codex decides between them. */
export interface Expectation {
  status: OutcomeRecord['status'];
  reasons: string[];
  /** Who wrote the text in the result file. */
  origins: string[];
}

const DONE: Expectation = { status: 'succeeded', reasons: ['ok'], origins: ['worker'] };
const FORGOTTEN: Expectation = { status: 'failed', reasons: ['no-result'], origins: ['last-message'] };
const SALVAGED = ['last-message', 'tail'];
/** No model of this name exists: the account's server refuses the work, and codex itself fails. */
const NO_MODEL = 'prun-demo-no-such-model';

/** The five units, for the embedded worker or for the real codex. Prompts are the same where a model can play the part. */
export function demoUnits(place: DemoPlace, isReal: boolean): DemoUnit[] {
  const patience = isReal ? 120 : 20;
  const limits = (timeout: number) => ['--timeout', String(timeout)];
  const effort = isReal ? ['--reasoning-effort', 'low'] : [];
  const usual = { flags: [...limits(isReal ? 300 : 60), ...effort], stallThresholdSeconds: patience };
  return [
    {
      id: 'answer',
      mode: 'scratch',
      role: 'a read-only question',
      prompt: answerPrompt(place),
      expected: DONE,
      ...usual,
    },
    {
      id: 'change',
      mode: 'clone',
      role: 'a code change in a clone',
      prompt: changePrompt(place),
      expected: DONE,
      ...usual,
    },
    {
      id: 'forget',
      mode: 'scratch',
      role: 'answers, but leaves no result file',
      prompt: forgetPrompt(),
      expected: FORGOTTEN,
      ...usual,
    },
    {
      id: 'hang',
      mode: 'scratch',
      role: 'hangs, with a process in a session of its own',
      prompt: hangPrompt(place),
      // The real codex may poll its hanging command, which is progress of a kind: then the hard limit decides.
      flags: [...limits(isReal ? 60 : 30), ...effort],
      stallThresholdSeconds: isReal ? 20 : 3,
      expected: {
        status: 'failed',
        reasons: isReal ? ['idle-stall', 'hard-timeout'] : ['idle-stall'],
        origins: SALVAGED,
      },
    },
    {
      id: 'crash',
      mode: 'scratch',
      role: isReal ? 'fails: its model does not exist' : 'crashes',
      prompt: crashPrompt(place),
      expected: {
        status: 'failed',
        reasons: isReal ? ['model-gone', 'bad-request', 'exit'] : ['exit'],
        origins: SALVAGED,
      },
      ...usual,
      flags: isReal ? [...usual.flags, '--model', NO_MODEL] : usual.flags,
    },
  ];
}

function answerPrompt(place: DemoPlace): string {
  return `Unit: answer
Project: ${place.project}

Which functions that src/titles.mjs of this project exports are not named in any file below test/? Read only: change
nothing in the project.

${contract(place, 'answer', 'none (read-only)')}`;
}

function changePrompt(place: DemoPlace): string {
  return `Unit: change
Project: ${place.clone}

You stand in a throwaway clone of the project, at commit ${place.base}. "node test/titles.test.mjs" fails: slug() in
src/titles.mjs leaves dashes at both ends and repeats them. Correct slug(), nothing else, and run the test again. Do
not commit.

${contract(place, 'change', 'src/titles.mjs')}`;
}

function forgetPrompt(): string {
  return `Unit: forget

Say in one sentence why two workers that write the same file are trouble. Answer here, in your last message. Do not
write any file and run no command.
`;
}

function hangPrompt(place: DemoPlace): string {
  return `Unit: hang

Run this one command in the foreground and wait until it ends, however long that takes. Do nothing else before it ends.

"${place.node}" "${place.neverEnds}"
`;
}

function crashPrompt(place: DemoPlace): string {
  return `Unit: crash
Project: ${place.project}

List the files of the project. Read only.

${contract(place, 'crash', 'none (read-only)')}`;
}

/** The return contract (DESIGN.md §4). */
function contract(place: DemoPlace, unit: string, files: string): string {
  return `Result file: ${place.resultFile(unit)}
Write it once, in one write, at the end:

# ${unit} result
Conclusion: <one line>
Files: ${files}
Open items: <blockers or follow-ups, or "none">
Verification: <what was run or checked, or "none">

<body>
`;
}
