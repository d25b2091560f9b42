import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readableLine } from '../executor/readable-line.ts';
import { PRIVATE_FILE, readStart } from '../platform/files.ts';
import { wrapCells } from '../render/cells.ts';
import { type DigestEntry, digestLines, toneOfStatus } from '../render/digest.ts';
import { countOf, durationText } from '../render/figures.ts';
import { type LedgerRow, ledgerLines, ledgerMarkdown } from '../render/ledger-table.ts';
import type { Paint, Tone } from '../render/paint.ts';
import { patchLines } from '../render/patch.ts';
import { readOutcome } from '../unit/read-records.ts';
import { type OutcomeRecord, SCHEMA } from '../unit/records.ts';
import type { Dispatch } from './demo-dispatch.ts';
import { appliesTo, collectDelta } from './demo-git.ts';
import type { DemoPlace } from './demo-place.ts';
import type { DemoUnit } from './demo-units.ts';
import { type Leftovers, proofLine } from './proof.ts';

/** Everything that is known when all units of the demo have ended. */
export interface DemoReport {
  place: DemoPlace;
  units: EndedUnit[];
  /** The clone's delta and whether it applies to the project. */
  patch: { file: string; text: string; applies: boolean };
  leftovers: Leftovers;
  /** What is not as it was meant to be, in words; empty when all is well. */
  differences: string[];
  durationMs: number;
}

interface EndedUnit {
  unit: DemoUnit;
  outcome: OutcomeRecord | undefined;
  conclusion: string | undefined;
  complaint: string;
}

/** Collects the delta, writes patch and ledger to `agent-io`, and compares with what was meant to happen. */
export function makeReport(
  place: DemoPlace,
  dispatches: readonly Dispatch[],
  leftovers: Leftovers,
  durationMs: number,
): DemoReport {
  const units = dispatches.map(endedUnit);
  const patch = makePatch(place);
  writeLedger(place, units);
  return { place, units, patch, leftovers, differences: differencesOf(units, patch, leftovers), durationMs };
}

function endedUnit(dispatch: Dispatch): EndedUnit {
  const dir = dispatch.stateDir();
  const outcome = dir === undefined ? undefined : readOutcome(dir);
  const head = outcome?.result?.origin === 'worker' ? readStart(outcome.result.path, 4096) : '';
  const conclusion = readableLine(/^Conclusion: (.+)$/m.exec(head)?.[1] ?? '') || undefined;
  return { unit: dispatch.unit, outcome, conclusion, complaint: dispatch.complaint() };
}

function makePatch({ git, clone, project, base, temp, io }: DemoPlace): DemoReport['patch'] {
  const file = path.join(io, 'change.patch');
  const bytes = collectDelta(git, clone, base, path.join(temp, 'delta'));
  writeFileSync(file, bytes, { mode: PRIVATE_FILE });
  return { file, text: bytes.toString('utf8'), applies: bytes.length > 0 && appliesTo(git, project, file) };
}

function writeLedger(place: DemoPlace, units: readonly EndedUnit[]): void {
  const head = ['# Ledger of prun demo', '', `Project: ${place.project}`, `Base commit: ${place.base}`, ''];
  const lines = [...head, ...ledgerMarkdown(ledgerRows(place, units))];
  writeFileSync(path.join(place.io, 'ledger.md'), `${lines.join('\n')}\n`, { mode: PRIVATE_FILE });
}

function ledgerRows(place: DemoPlace, units: readonly EndedUnit[]): LedgerRow[] {
  return units.map(({ unit, outcome }) => ({
    unit: unit.id,
    executor: outcome?.executor ?? 'codex',
    mode: unit.mode,
    status: outcome?.status ?? 'failed',
    reason: outcome?.reason ?? 'no outcome',
    duration: durationText(outcome?.durationMs ?? 0),
    result: outcome?.result ? shownPath(place, outcome.result.path) : 'none',
    tone: toneOfStatus(outcome?.status ?? 'failed'),
  }));
}

function shownPath(place: DemoPlace, file: string): string {
  return path.relative(place.folder, file).split(path.sep).join('/');
}

function differencesOf(
  units: readonly EndedUnit[],
  patch: DemoReport['patch'],
  leftovers: Leftovers,
): string[] {
  const differences = units.map(differenceOf).filter((text) => text !== undefined);
  if (patch.text === '') differences.push('change: its clone holds no change');
  else if (!patch.applies) differences.push('change: its patch does not apply to the base');
  if (leftovers.units < units.length) differences.push(`only ${leftovers.units} units could be looked for`);
  if (leftovers.left.length > 0)
    differences.push(`${countOf(leftovers.left.length, 'process was', 'processes were')} left`);
  return differences;
}

function differenceOf({ unit, outcome, complaint }: EndedUnit): string | undefined {
  const { status, reasons, origins } = unit.expected;
  if (!outcome) return `${unit.id}: it has no outcome${complaint ? ` (${readableLine(complaint)})` : ''}`;
  const origin = outcome.result?.origin ?? 'nobody';
  if (outcome.status === status && reasons.includes(outcome.reason) && origins.includes(origin))
    return undefined;
  const was = `${outcome.status} (${outcome.reason}), result by ${origin}`;
  return `${unit.id}: ${was}, was meant to be ${status} (${reasons.join(' or ')}), result by ${origins.join(' or ')}`;
}

/** The report for people, cut or broken to `width`. */
export function reportLines(report: DemoReport, width: number, paint: Paint): string[] {
  const { place, units, patch, leftovers, differences } = report;
  const entries = units.map((unit) => digestEntry(place, unit)).filter((entry) => entry !== undefined);
  const painted = (tone: Tone, text: string) => wrapCells(text, width, '  ').map((line) => paint(tone, line));
  const title = (text: string) => ['', ...painted('strong', text)];
  const applies = patch.applies ? ', applies to the base' : ', does NOT apply to the base';
  return [
    ...title('Digest'),
    ...digestLines(entries, width, paint),
    ...title('Ledger (agent-io/ledger.md)'),
    ...ledgerLines(ledgerRows(place, units), width, paint),
    ...title(`Patch (agent-io/change.patch${applies})`),
    ...(patch.text === '' ? ['(empty)'] : patchLines(patch.text, width, paint)),
    '',
    ...painted(leftovers.left.length === 0 ? 'good' : 'bad', proofLine(leftovers)),
    ...painted(differences.length === 0 ? 'good' : 'bad', verdictLine(report)),
    ...differences.flatMap((text) => painted('bad', `- ${text}`)),
  ];
}

function digestEntry(place: DemoPlace, { unit, outcome, conclusion }: EndedUnit): DigestEntry | undefined {
  if (!outcome) return undefined;
  return {
    outcome,
    mode: unit.mode,
    ...(conclusion === undefined ? {} : { conclusion }),
    ...(outcome.result ? { resultPath: shownPath(place, outcome.result.path) } : {}),
  };
}

function verdictLine({ units, differences, durationMs }: DemoReport): string {
  const time = durationText(durationMs);
  if (differences.length > 0) return `not as it was meant to be, after ${time}:`;
  return `all ${units.length} units ended as they were meant to in ${time}: ${countsOf(units)}`;
}

function countsOf(units: readonly EndedUnit[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of units) {
    const end = endOf(outcome?.reason ?? '');
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  return [...counts].map(([end, count]) => `${count} ${end}`).join(', ');
}

function endOf(reason: string): string {
  if (reason === 'ok') return 'succeeded';
  if (reason === 'no-result') return 'forgot its result';
  if (reason === 'idle-stall' || reason === 'hard-timeout') return 'reaped';
  return reason === 'exit' ? 'crashed' : 'failed by itself';
}

/** The report for programs: one object. `kept` says whether the paths in it still exist. */
export function reportJson(report: DemoReport, kept: boolean): string {
  const { place, units, patch, leftovers, differences, durationMs } = report;
  return JSON.stringify({
    schema: SCHEMA,
    ok: differences.length === 0,
    folder: place.folder,
    kept,
    durationMs: Math.round(durationMs),
    units: units.map((ended) => ({
      unit: ended.unit.id,
      mode: ended.unit.mode,
      conclusion: ended.conclusion ?? null,
      ...summaryOf(ended.outcome),
    })),
    patch: patch.text,
    patchApplies: patch.applies,
    lookedThrough: leftovers.lookedThrough,
    left: leftovers.left,
    differences,
  });
}

/** The fields of an outcome that a program decides by. */
function summaryOf(outcome: OutcomeRecord | undefined) {
  if (!outcome) return { status: null, reason: null };
  const { executor, status, reason, detail, exitCode, signal, result, tokens, sessionId } = outcome;
  const { durationMs, lastEvidence, reaped, survivors, stateDir } = outcome;
  const end = { status, reason, detail, exitCode, signal, result, tokens, sessionId };
  return { executor, ...end, durationMs, lastEvidence, reaped, survivors, stateDir };
}
