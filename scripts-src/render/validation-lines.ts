import { readEnd } from '../platform/files.ts';
import { printedName } from '../unit/printed-name.ts';
import type { EvidenceCheck } from '../validate/evidence.ts';
import type { ValidationListener } from '../validate/validation.ts';
import { isPassed, type StepRecord, type ValidationResult } from '../validate/validation-records.ts';
import { fitCells } from './cells.ts';
import { durationText } from './figures.ts';
import { noPaint, type Paint } from './paint.ts';
import { type ProgressOutput, progressLine } from './progress-line.ts';
import { terminalColumns, terminalPaint } from './terminal.ts';

/** Of a failed step's log so much is shown. */
const TAIL_LINES = 20;
const TAIL_BYTES = 4096;
const REFRESH_MS = 500;

/** How a validation is told to people, on stderr: a line a step, and on a terminal what the running one says. */
export interface ValidationTeller {
  listener: ValidationListener;
  /** The last lines: the verdict, and where the evidence is. */
  tellEnd(result: ValidationResult, file: string): void;
  /** Takes away what is redrawn. */
  clear(): void;
}

/** Tells on `output` what happens. */
export function validationTeller(output: ProgressOutput, environment: NodeJS.ProcessEnv): ValidationTeller {
  const paint = output.isTTY ? terminalPaint(environment) : noPaint;
  const columns = output.isTTY ? terminalColumns(output.columns, environment) : Number.POSITIVE_INFINITY;
  const write = (line: string) => output.write(`${fitted(line, columns)}\n`);
  let progress: ReturnType<typeof progressLine> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const clear = (): void => {
    clearInterval(timer);
    progress?.clear();
    progress = undefined;
  };
  return {
    listener: {
      started({ output: folder, commit }) {
        write(`VALIDATE ${commit.slice(0, 12)} ${printedName(folder)}`);
      },
      stepStarted({ sequence, stage, log }) {
        const from = performance.now();
        progress = progressLine(output);
        const say = () =>
          progress?.say(`${sequence} ${stage} ${durationText(performance.now() - from)}  ${lastLine(log)}`);
        say();
        timer = setInterval(say, REFRESH_MS).unref();
      },
      stepEnded(step, log) {
        clear();
        write(stepLine(step, paint));
        if (step.outcome !== 'ok') for (const line of tailOf(log)) write(paint('faint', `  | ${line}`));
      },
    },
    tellEnd(result, file) {
      clear();
      const tone = isPassed(result.status) ? 'good' : 'bad';
      output.write(`${paint(tone, result.status)}: ${result.reason}\n`);
      output.write(`EVIDENCE ${printedName(file)}\n`);
    },
    clear,
  };
}

/** `STEP 3 health ok 0.4s`. */
function stepLine(
  { sequence, stage, outcome, exitCode, signal, seconds, leftovers }: StepRecord,
  paint: Paint,
): string {
  const how =
    outcome === 'ok'
      ? paint('good', 'ok')
      : paint('bad', outcome === 'failed' ? `failed(${signal ?? exitCode})` : outcome);
  const left =
    leftovers.length === 0 ? '' : ` ended ${leftovers.length} left behind (${leftovers[0]?.command})`;
  return `STEP ${sequence} ${stage} ${how} ${durationText(seconds * 1000)}${left}`;
}

/** The end of a log, for people: no control characters, bounded. */
function tailOf(log: string): string[] {
  return cleanLines(readEnd(log, TAIL_BYTES)).slice(-TAIL_LINES);
}

function lastLine(log: string): string {
  return cleanLines(readEnd(log, 2000)).at(-1)?.trim().slice(0, 200) ?? '';
}

function cleanLines(text: string): string[] {
  return text
    .replace(/\u001b\[[\d;?]*[A-Za-z]/g, '')
    .split(/[\r\n]+/)
    .map((line) => line.replace(/\t/g, '  ').replace(/\p{Cc}/gu, ''))
    .filter((line) => line.trim() !== '');
}

function fitted(line: string, columns: number): string {
  // Colours take no cells, and a line that is cut in the middle of one would paint the next.
  return line.includes('\u001b') || !Number.isFinite(columns)
    ? line
    : fitCells(line, Math.max(1, columns - 1));
}

const SHOWN_STEPS = 24;

/** The result for machines: one line, bounded. */
export function validationJson(result: ValidationResult, file: string): string {
  const { schema, status, reason, exitCode, commit, tree, fingerprints, recovered, reused, seconds, steps } =
    result;
  const failed = steps.findLast(({ outcome }) => outcome !== 'ok');
  return JSON.stringify({
    ...{ schema, status, reason, exitCode, result: file, commit, tree },
    buildFingerprint: fingerprints.build,
    ...{ recovered, reused: reused?.result ?? null, seconds },
    failed: failed && !isPassed(status) ? shortStep(failed) : null,
    steps: steps.slice(0, SHOWN_STEPS).map(shortStep),
  });
}

function shortStep({ sequence, stage, outcome, exitCode, seconds, log }: StepRecord) {
  return { sequence, stage, outcome, exitCode, seconds, log };
}

/** What became of evidence, in lines for people. */
export function evidenceLines({
  evidence,
  status,
  result,
  differences,
  notChecked,
}: EvidenceCheck): string[] {
  return [
    `EVIDENCE ${evidence} ${status ?? 'no status'} ${printedName(result)}`,
    ...differences.map((line) => `  DIFFERS ${line}`),
    ...notChecked.map((line) => `  NOT CHECKED ${line}`),
  ];
}
