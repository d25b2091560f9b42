import type { DeltaRecord } from '../workspace/records.ts';
import {
  countsText,
  type DeltaCounts,
  type DetailLine,
  deltaCounts,
  deltaDetails,
  headLines,
  isEmptyDelta,
} from './delta-report.ts';

/** Lines of details about all units of a run together, at most. */
const MAX_DETAILS = 40;
/** Units that have a line of their own even where nothing is to be seen, at most; also units with one in a larger run. */
const MAX_UNITS = 100;

/** What is printed of several units: lines as each unit ends, and the rest when all have. */
export interface RunReport {
  /** A unit was collected. `patch` is the path to show. */
  collected(record: DeltaRecord, patch: string): string[];
  /** A unit could not be collected. `why` is one line. */
  failed(unit: string, why: string): string[];
  /** What is left to say at the end. */
  end(): string[];
}

/** One unit's lines of one kind. */
interface Queue {
  unit: string;
  lines: DetailLine[];
}

/**
 * A report on `units` units that stays short however many there are and whatever they did: what needs an eye comes
 * before lists of files, and every unit has its share.
 */
export function runReport(units: number): RunReport {
  const isLarge = units > MAX_UNITS;
  const details = noDetails();
  const rest: DeltaCounts & { units: number } = { ...NOTHING, units: 0 };
  let dropped = 0;
  let shownUnits = 0;
  let shownFailures = 0;
  let failures = 0;
  return {
    collected(record, patch) {
      dropped += keepDetails(details, record);
      if (isLarge && (!needsEye(record) || shownUnits >= MAX_UNITS)) {
        addTo(rest, deltaCounts(record));
        rest.units += 1;
        return [];
      }
      shownUnits += 1;
      return headLines(record, patch);
    },
    failed(unit, why) {
      failures += 1;
      if (isLarge && shownFailures >= MAX_UNITS) return [];
      shownFailures += 1;
      return [`FAILED ${unit} ${why}`];
    },
    end() {
      const { lines, left } = sharedOut(details);
      const more = left + dropped + failures - shownFailures;
      return [
        ...(rest.units > 0 ? [`REST units=${rest.units} ${countsText(rest)}`] : []),
        ...lines,
        ...(more > 0 ? [`… and ${more} more ${more === 1 ? 'line' : 'lines'}: --json has all`] : []),
      ];
    },
  };
}

const NOTHING: DeltaCounts = { files: 0, added: 0, modified: 0, deleted: 0, commits: 0, lost: 0 };

function addTo(sum: DeltaCounts, counts: DeltaCounts): void {
  for (const key of Object.keys(NOTHING) as (keyof DeltaCounts)[]) sum[key] += counts[key];
}

function needsEye(record: DeltaRecord): boolean {
  const { commits, problems, outside, repository } = record;
  const isLost = problems.some(({ lost }) => lost);
  return isEmptyDelta(record) || isLost || commits.length + outside.length + repository.length > 0;
}

/** Kinds of lines in three ranks: a rank is only begun when the one before has all its lines. */
type Ranked = Queue[][][];

function noDetails(): Ranked {
  return [[[], [], [], []], [[], [], [], []], [[]]];
}

/** Keeps what may be printed, and returns how many lines can never be: a large run must not be held in memory. */
function keepDetails(ranked: Ranked, record: DeltaRecord): number {
  const { empty, files, moves, problems, commits, outside, ignored, repository } = deltaDetails(record);
  const ofWord = (wanted: string): DetailLine[] => problems.filter(([word]) => word === wanted);
  const kinds = [
    [ofWord('LOST'), outside, repository, ofWord('NOTE')],
    [empty, moves, commits, ignored],
    [files],
  ];
  let dropped = 0;
  kinds.forEach((rank, r) => {
    rank.forEach((lines, k) => {
      const queues = ranked[r]?.[k];
      if (lines.length === 0 || queues === undefined) return;
      // The first round takes one line of each unit, so later units than these have none.
      const kept = queues.length < MAX_DETAILS ? lines.slice(0, MAX_DETAILS) : [];
      dropped += lines.length - kept.length;
      if (kept.length > 0) queues.push({ unit: record.unit, lines: kept });
    });
  });
  return dropped;
}

/** In each rank one line of every unit and kind, then a second one of each, until the space is used up. */
function sharedOut(ranked: Ranked): { lines: string[]; left: number } {
  let space = MAX_DETAILS;
  let left = 0;
  const lines: string[] = [];
  for (const queues of ranked.map((kinds) => kinds.flat())) {
    const taken = queues.map(() => 0);
    for (let isMore = true; isMore && space > 0; ) {
      isMore = false;
      queues.forEach((queue, at) => {
        const count = taken[at] ?? 0;
        if (space === 0 || count >= queue.lines.length) return;
        taken[at] = count + 1;
        space -= 1;
        isMore = true;
      });
    }
    queues.forEach(({ unit, lines: all }, at) => {
      const count = taken[at] ?? 0;
      lines.push(...all.slice(0, count).map(([word, rest]) => `${word} ${unit} ${rest}`));
      left += all.length - count;
    });
  }
  return { lines, left };
}
