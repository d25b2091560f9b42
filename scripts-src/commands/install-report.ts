import { wrapCells } from '../render/cells.ts';
import { noPaint, type Paint } from '../render/paint.ts';
import { terminalColumns, terminalPaint } from '../render/terminal.ts';
import { printedName } from '../unit/printed-name.ts';
import { type RuleOffer, settingsFragment } from './install-rules.ts';

/** What an install did, or would do. */
export interface InstallReport {
  action: 'INSTALLED' | 'UPGRADED' | 'UNCHANGED' | 'REMOVED';
  dryRun: boolean;
  /** Absolute. */
  target: string;
  form: 'copy' | 'link' | 'repository';
  version: string | null;
  previousVersion: string | null;
  counts: { added: number; replaced: number; removed: number; same: number };
  /** prun's files that somebody had changed, by path in the folder. */
  changed: string[];
  /** Where their old content is, absolute; null where it is not kept elsewhere. */
  keptIn: string | null;
  /** The user's files in the folder. */
  own: string[];
  notes: string[];
  /** null: there is nothing that rules would be for. */
  offer: RuleOffer | null;
}

/** The report of one that has found nothing to do yet. */
export function emptyReport(
  { target, dryRun }: Pick<InstallReport, 'target' | 'dryRun'>,
  form: InstallReport['form'],
): InstallReport {
  return {
    action: 'UNCHANGED',
    dryRun,
    target,
    form,
    version: null,
    previousVersion: null,
    counts: { added: 0, replaced: 0, removed: 0, same: 0 },
    changed: [],
    keptIn: null,
    own: [],
    notes: [],
    offer: null,
  };
}

/** Names of one kind that are printed. */
const MOST_NAMES = 10;

/** Prints a report: lines for coordinators, more room for people. */
export function printReport(report: InstallReport, json: boolean): void {
  const lines = json
    ? [JSON.stringify(jsonOf(report), null, 2)]
    : process.stdout.isTTY
      ? terminalLines(
          report,
          terminalColumns(process.stdout.columns, process.env),
          terminalPaint(process.env),
        )
      : plainLines(report);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

function jsonOf({ offer, ...report }: InstallReport): unknown {
  return {
    schema: 1,
    ...report,
    rules: offer?.rules ?? [],
    settingsFile: offer?.settingsFile ?? null,
    settings: offer === null ? null : settingsFragment(offer.rules),
  };
}

function plainLines(report: InstallReport): string[] {
  const { offer } = report;
  return [
    ...headLines(report, noPaint),
    ...(offer === null
      ? []
      : [
          ...offer.rules.map((rule) => `RULE ${printedName(rule)}`),
          `SETTINGS ${printedName(offer.settingsFile)}`,
          `JSON ${JSON.stringify(settingsFragment(offer.rules))}`,
        ]),
  ];
}

function headLines(report: InstallReport, paint: Paint): string[] {
  const { action, dryRun, target, counts, changed, keptIn, own, notes } = report;
  const head = `${dryRun ? 'DRY-RUN ' : ''}${action}`;
  const pairs = Object.entries(counts).map(([name, count]) => `${name}=${count}`);
  return [
    `${paint('good', head)} ${printedName(target)}`,
    ...(report.form === 'copy' ? [`FILES ${pairs.join(' ')}`] : []),
    ...nameLines('CHANGED', changed),
    ...(keptIn === null ? [] : [`KEPT ${printedName(keptIn)}`]),
    ...nameLines('OWN', own),
    ...notes.map((note) => `NOTE ${note}`),
  ];
}

function nameLines(word: string, names: readonly string[]): string[] {
  const shown = names.length > MOST_NAMES ? names.slice(0, MOST_NAMES - 1) : names;
  const left = names.length - shown.length;
  return [
    ...shown.map((name) => `${word} ${printedName(name)}`),
    ...(left > 0 ? [`${word} and ${left} more: --json names all`] : []),
  ];
}

function terminalLines(report: InstallReport, columns: number, paint: Paint): string[] {
  const { offer } = report;
  const text = (words: string): string[] => wrapCells(words, columns - 1, '');
  const head = headLines(report, paint);
  if (offer === null) return head;
  return [
    ...head,
    '',
    ...text(
      `Claude Code asks before it runs prun. If you want it to go on without asking, put these rules into ${printedName(offer.settingsFile)} (prun writes no settings):`,
    ),
    '',
    ...JSON.stringify(settingsFragment(offer.rules), null, 2)
      .split('\n')
      .map((line) => paint('strong', line)),
    '',
    ...text('Then start Claude Code there and say "prun this", or /prun and the task.'),
  ];
}
