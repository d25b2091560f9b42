import path from 'node:path';
import { type BytePath, below, shownPath, textOf } from '../../platform/byte-path.ts';
import type { CopyReport } from '../../platform/copy-report.ts';
import { copyTree } from '../../platform/copy-tree.ts';
import type { Reflinks } from '../../platform/reflink.ts';
import type { WarmSource } from './warm-ignored.ts';
import { hasPath, whyLeftOut } from './warm-left-out.ts';
import { holdsPaths, repointPaths } from './warm-paths.ts';
import type { WarmItem, WarmPlan } from './warm-plan.ts';

export type { WarmSource } from './warm-ignored.ts';
export { planWarm, WARM_AUTO, type WarmItem, type WarmPlan, type WarmRequest } from './warm-plan.ts';

/** What was brought into one clone. */
export interface WarmReport {
  files: number;
  bytes: number;
  reflinked: Reflinks;
  /** One line each: what did not come along, links that lead out, what still points at the user's tree. */
  notes: string[];
}

/** How a clone is warmed. */
export interface WarmOptions {
  /** Called before each path. */
  onItem?: (item: WarmItem) => void;
  signal?: AbortSignal;
}

/** Lines of one kind in the notes of one path. */
const SHOWN = 5;

/**
 * Brings what was planned from the user's tree into a fresh clone: reflinks or copies, never hard links. Secrets,
 * outputs and nested repositories in it are left out unless they are named. Scripts of virtual environments and of
 * package managers that hold the path of the user's tree are re-pointed to the clone, and what cannot be is named.
 *
 * @param folder the clone, absolute
 */
export async function warmWorkspace(
  plan: WarmPlan,
  source: WarmSource,
  folder: string,
  options: WarmOptions = {},
): Promise<WarmReport> {
  const report: WarmReport = { files: 0, bytes: 0, reflinked: 'unknown', notes: [] };
  for (const item of plan.items) {
    options.onItem?.(item);
    if (!hasPath(source.workTree, item.path)) {
      report.notes.push(`${shownPath(item.path)} did not come along: it has just gone`);
      continue;
    }
    const holders: BytePath[] = [];
    const copied = await copyItem(item, plan, source, folder, options, holders);
    report.files += copied.files;
    report.bytes += copied.bytes;
    if (copied.reflinked !== 'unknown') report.reflinked = copied.reflinked;
    const fixed = repointPaths(holders, source.workTree, folder);
    report.notes.push(...notesOf(item, copied, fixed.stuck));
  }
  return report;
}

function copyItem(
  item: WarmItem,
  plan: WarmPlan,
  source: WarmSource,
  folder: string,
  options: WarmOptions,
  holders: BytePath[],
): Promise<CopyReport> {
  const named = new Set<string>(plan.named);
  const from = path.join(source.workTree, textOf(item.path));
  return copyTree(from, path.join(folder, textOf(item.path)), {
    roots: { from: source.workTree, to: folder },
    leaveOut: (entry) => {
      const where = inItem(item, entry.path);
      return named.has(where) ? undefined : whyLeftOut({ entry, where, workTree: source.workTree });
    },
    onFile: (where) => {
      const whole = inItem(item, where);
      if (holdsPaths(whole)) holders.push(whole);
    },
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

function notesOf(item: WarmItem, copied: CopyReport, stuck: readonly BytePath[]): string[] {
  const at = (where: BytePath) => shownPath(inItem(item, where));
  // A virtual environment links to the interpreter that it was made with: that is meant.
  const outside = copied.outside.filter(
    (where) => !/(?:^|\/)bin\/python[\d.]*$/.test(textOf(inItem(item, where))),
  );
  const outsideCount = copied.outsideCount - (copied.outside.length - outside.length);
  return [
    ...bounded(
      copied.skipped,
      copied.skippedCount,
      (one) => `${at(one.path)} did not come along: ${one.why}`,
    ),
    ...bounded(
      outside,
      outsideCount,
      (one) => `${at(one)} leads out of the repository: a worker writes through it`,
    ),
    ...bounded(
      stuck,
      stuck.length,
      (one) =>
        `${shownPath(one)} still names the user's tree: run it by its interpreter, or install anew with --setup`,
    ),
  ];
}

function inItem(item: WarmItem, where: BytePath): BytePath {
  return where === '' ? item.path : below(item.path, where);
}

function bounded<T>(some: readonly T[], count: number, line: (one: T) => string): string[] {
  const lines = some.slice(0, SHOWN).map(line);
  return count > lines.length ? [...lines, `… and ${count - lines.length} more like this`] : lines;
}
