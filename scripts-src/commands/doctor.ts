import os from 'node:os';
import path from 'node:path';
import { withoutSecrets, withoutValues } from '../executor/failure-evidence.ts';
import { EXIT } from '../platform/errors.ts';
import { oneLine } from '../platform/one-line.ts';
import { randomHex } from '../platform/random.ts';
import { currentHost } from '../process/host.ts';
import { doctorPage } from '../render/doctor-page.ts';
import { progressLine } from '../render/progress-line.ts';
import { terminalColumns, terminalPaint } from '../render/terminal.ts';
import { machineNow } from '../run/supervisor/room-for-start.ts';
import { endMarked } from '../run/supervisor/supervisor-mark.ts';
import { CHECKS, type Finding } from './doctor/finding.ts';
import { LOOKS, type LookName, type LookWish, lookApart } from './doctor/look-apart.ts';
import { jobsReason, machineFinding, suggestedJobs } from './doctor/machine.ts';
import { nodeFinding } from './doctor/node.ts';
import { lookAtSystem } from './doctor/system.ts';
import { DOCTOR_HELP, parseDoctor } from './doctor-arguments.ts';

const SCHEMA = 1;
/** Longest fact that is printed, characters. */
const MOST_CHARACTERS = 500;

/** `prun doctor`: whether prun can work here, and what to do where it cannot. `program`: the compiled `prun.cjs`. */
export async function doctor(argv: readonly string[], program: string): Promise<number> {
  const cwd = process.cwd();
  const options = parseDoctor(argv, process.env, cwd);
  if (!options) {
    process.stdout.write(DOCTOR_HELP);
    return EXIT.ok;
  }
  const tempFolder = path.resolve(process.env.TMPDIR || os.tmpdir());
  const { stateHome, limitMs } = options;
  const { findings, jobs, why } = await examine({ stateHome, tempFolder, cwd, program, limitMs });
  const checks = findings.map(printable);
  const isOk = checks.every(({ state }) => state !== 'problem');
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ schema: SCHEMA, ok: isOk, checks, jobs }, null, 2)}\n`);
  } else print(checks, { jobs, why });
  return isOk ? EXIT.ok : EXIT.unitFailed;
}

/** How many units at once, and what is to be said of that. */
interface Jobs {
  jobs: number;
  why: string | undefined;
}

/** Makes all checks at the same time. */
async function examine(wish: LookWish): Promise<{ findings: Finding[] } & Jobs> {
  // Before the programs that are asked are a load themselves.
  const machine = machineNow();
  const mark = `${process.env.PRUN_UNIT ? `${process.env.PRUN_UNIT}/` : ''}doctor-${randomHex(16)}`;
  endOnSignal(mark);
  const progress = progressLine(process.stderr);
  const names = Object.keys(LOOKS) as LookName[];
  const open = new Set<string>(names);
  const say = (): void => progress.say(`looking at ${[...open].join(', ')}`);
  say();
  const apart = names.map(async (name) => {
    const answer = await lookApart(name, wish, mark);
    open.delete(name);
    say();
    return answer;
  });
  const answers = await Promise.all([...apart, lookAtSystem(wish, mark)]);
  progress.clear();
  const findings = [
    nodeFinding(process.versions.node, process.execPath),
    machineFinding(machine),
    ...answers.flatMap((answer) => answer.findings),
  ].sort((a, b) => CHECKS.indexOf(a.id) - CHECKS.indexOf(b.id));
  const jobs = suggestedJobs(
    answers.map(({ mostUnits }) => mostUnits),
    machine,
  );
  return { findings, jobs, why: jobsReason(jobs, machine) };
}

/** Whoever ends the doctor ends what it asks, too: a program that hangs must not stay behind. */
function endOnSignal(mark: string): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      const end = (): never => process.exit(128 + (os.constants.signals[signal] ?? 0));
      void currentHost()
        .then((host) => endMarked(host, mark))
        .then(end, end);
    });
  }
}

/** Programs are quoted in facts, and they may say anything. */
function printable(finding: Finding): Finding {
  const clean = (text: string): string =>
    oneLine(withoutValues(withoutSecrets(text), process.env)).slice(0, MOST_CHARACTERS);
  return { ...finding, fact: clean(finding.fact), do: finding.do === null ? null : clean(finding.do) };
}

function print(checks: readonly Finding[], jobs: Jobs): void {
  const terminal = process.stdout.isTTY
    ? {
        width: terminalColumns(process.stdout.columns, process.env) - 1,
        paint: terminalPaint(process.env),
      }
    : undefined;
  process.stdout.write(
    doctorPage(checks, jobs, terminal)
      .map((line) => `${line}\n`)
      .join(''),
  );
}
