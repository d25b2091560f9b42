import { lstatSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, bytePathOf, fileAt, parentOf, shownPath, textOf } from '../../platform/byte-path.ts';
import { kindOf } from '../../platform/copy-entry.ts';
import { type PrunError, usageError } from '../../platform/errors.ts';
import { type BootstrapRule, bootstrapRuleFor } from './bootstrap-rules.ts';
import { ignoredPaths, type WarmSource } from './warm-ignored.ts';
import { hasPath, isRepository, whyLeftOut } from './warm-left-out.ts';
import { suggestWarm } from './warm-suggestions.ts';

/** What is to be brought along. */
export interface WarmRequest {
  /** Paths below the repository (or absolute ones in it), and `auto` for what lock files suggest. */
  paths: readonly string[];
  /** Whether named paths come along although the repository's own rules forbid it. */
  anyway?: boolean;
}

/** One path that comes along. */
export interface WarmItem {
  path: BytePath;
  /** Why: `named`, or the lock file that suggested it. */
  because: string;
}

/** What comes along, and what does not although somebody might expect it: one line each. */
export interface WarmPlan {
  items: WarmItem[];
  /** Paths that the user named exactly: nothing in them is left out for its name. */
  named: BytePath[];
  notes: string[];
}

/** The word for what lock files suggest; a folder of that name is given as `./auto`. */
export const WARM_AUTO = 'auto';

/**
 * Decides what is brought from the user's tree into a fresh clone. Usage errors: a path outside the repository, one
 * that is not there, `.git`, a nested repository, a path that a rule of the repository forbids. What is not ignored is
 * in every clone anyway, and a note says so.
 */
export async function planWarm(source: WarmSource, request: WarmRequest): Promise<WarmPlan> {
  const plan: WarmPlan = { items: [], named: [], notes: [] };
  if (request.paths.length === 0) return plan;
  const ignored = await ignoredPaths(source);
  const names = request.paths.filter((one) => one !== WARM_AUTO).map((one) => pathBelow(source, one));
  plan.named = [...new Set(names)];
  for (const where of plan.named) addNamed(source, request, ignored, where, plan);
  if (request.paths.includes(WARM_AUTO)) addSuggested(source, ignored, plan);
  plan.items = withoutInner(plan.items);
  return plan;
}

function pathBelow(source: WarmSource, said: string): BytePath {
  const whole = path.resolve(source.workTree, said);
  const where = path.relative(source.workTree, whole).split(path.sep).join('/');
  const next = `name a file or a folder below ${source.workTree}, for example: --warm node_modules`;
  if (where === '' || where === '..' || where.startsWith('../') || path.isAbsolute(where)) {
    throw usageError(`--warm ${said} names nothing below the repository`, next);
  }
  if (where.split('/').some((name) => name.toLowerCase() === '.git')) {
    throw usageError(`--warm ${said} names git's own files`, next);
  }
  const below = bytePathOf(where);
  for (let folder = parentOf(below); folder !== undefined; folder = parentOf(folder)) {
    if (isLink(source, folder)) {
      throw usageError(
        `--warm ${said} goes through the link ${shownPath(folder)}`,
        'name the path that it leads to',
      );
    }
  }
  if (!hasPath(source.workTree, below))
    throw usageError(`--warm ${said}: there is no such path in ${source.workTree}`, next);
  return below;
}

function isLink(source: WarmSource, where: BytePath): boolean {
  return lstatSync(fileAt(source.workTree, where), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function addNamed(
  source: WarmSource,
  request: WarmRequest,
  ignored: readonly BytePath[],
  where: BytePath,
  plan: WarmPlan,
): void {
  const shown = shownPath(where);
  const parts = ignoredPartsOf(where, ignored);
  if (parts.length === 0) {
    plan.notes.push(`${shown} is not ignored: it is in every clone anyway`);
    return;
  }
  if (isRepository(path.join(source.workTree, textOf(where)))) {
    throw usageError(
      `--warm ${shown} is a repository or a worktree of its own`,
      'leave it out, or name folders in it',
    );
  }
  const rule = bootstrapRuleFor(source.workTree, textOf(where));
  if (rule && !request.anyway) throw forbidden(shown, rule);
  if (rule) plan.notes.push(`${shown} comes along although ${citation(rule)}`);
  for (const part of parts) {
    const why = plan.named.includes(part) ? undefined : whyPartStays(source, part);
    if (why) plan.notes.push(`${shownPath(part)} does not come along: ${why}`);
    else addUnlessOutside(source, { path: part, because: 'named' }, plan);
  }
}

/** Why an ignored thing in a named folder is left out, or undefined. */
function whyPartStays(source: WarmSource, part: BytePath): string | undefined {
  if (bytePathOf(textOf(part)) !== part) return 'its name is no UTF-8: name the folder that holds it';
  const stat = lstatSync(fileAt(source.workTree, part), { throwIfNoEntry: false });
  if (!stat) return 'it has just gone';
  const name = part.slice(part.lastIndexOf('/') + 1) as BytePath;
  return whyLeftOut({
    entry: { path: part, name, kind: kindOf(stat) },
    where: part,
    workTree: source.workTree,
  });
}

/** What of a path is ignored: the path itself, or the ignored things in a folder that holds tracked files too. */
function ignoredPartsOf(where: BytePath, ignored: readonly BytePath[]): BytePath[] {
  const isWhole = ignored.some((one) => one === where || where.startsWith(`${one}/`));
  return isWhole ? [where] : ignored.filter((one) => one.startsWith(`${where}/`));
}

function addSuggested(source: WarmSource, ignored: readonly BytePath[], plan: WarmPlan): void {
  const suggested = suggestWarm(ignored, (where) => hasPath(source.workTree, where));
  for (const { path: where, because } of suggested) {
    if (plan.named.includes(where)) continue;
    const rule = bootstrapRuleFor(source.workTree, textOf(where));
    if (rule) plan.notes.push(`${shownPath(where)} does not come along: ${citation(rule)}`);
    else addUnlessOutside(source, { path: where, because: shownPath(because) }, plan);
  }
  if (suggested.length === 0) plan.notes.push('no lock file suggests an ignored folder to bring along');
}

/** A link in the place of the folder would lead the worker into what other trees use. */
function addUnlessOutside(source: WarmSource, item: WarmItem, plan: WarmPlan): void {
  if (isLink(source, item.path)) {
    plan.notes.push(
      `${shownPath(item.path)} does not come along: it is a link, and a worker would write through it`,
    );
  } else plan.items.push(item);
}

function withoutInner(items: readonly WarmItem[]): WarmItem[] {
  return items.filter(
    (item, n) =>
      !items.some(
        (other, m) => (m < n && other.path === item.path) || item.path.startsWith(`${other.path}/`),
      ),
  );
}

function citation(rule: BootstrapRule): string {
  const said = rule.sentence.length > 160 ? `${rule.sentence.slice(0, 159)}…` : rule.sentence;
  return `${rule.file}:${rule.line} says "${said}"`;
}

function forbidden(shown: string, rule: BootstrapRule): PrunError {
  return usageError(
    `--warm ${shown}: ${citation(rule)}`,
    'install in each clone with --setup, or add --warm-anyway if the rule does not mean this',
  );
}
