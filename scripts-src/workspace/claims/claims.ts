import { type BytePath, shownPath, textOf } from '../../platform/byte-path.ts';
import { pathWords } from './claimed-paths.ts';
import type { PathWord } from './path-word.ts';
import { readResultFields } from './result-fields.ts';

/** What a result's claims are held against. Paths are relative to the clone. */
export interface DeltaFacts {
  /** Files that are other than in the base; submodules that stand on another commit. */
  changed: readonly BytePath[];
  /** New files at ignored paths, folders as one. */
  ignored: readonly BytePath[];
  /** What the delta could not hold: nothing can be said of a claim there. */
  lost: readonly BytePath[];
}

/** Where the unit worked. */
export interface ClaimPlace {
  /** The clone's own path, in every form in which a worker may write it. */
  roots: readonly string[];
  /** Path of the result file relative to the clone, or undefined where it lies elsewhere. */
  resultFile: string | undefined;
  /** Whether something is there now, relative to the clone. */
  exists: (relative: string) => boolean;
}

/** The outcome of the check. */
export interface ClaimCheck {
  /** Claimed, and not in the delta. */
  claimed: string[];
  /** In the delta, and not claimed. */
  unclaimed: string[];
  /** Claimed, and there at a path that git ignores: not in the delta, and no false claim. */
  ignored: string[];
  /** Files says none. */
  saysNone: boolean;
  /** Nothing at all was changed, whatever was said. */
  isEmpty: boolean;
  /** Conclusion has text. */
  hasConclusion: boolean;
}

/** `none`, `none (read-only)`, `no files changed`, `n/a`, a dash. */
const NONE =
  /^[\s`"'*_([-]*(?:none|nothing|nil|null|n\/a|na|no (?:files?|changes?|edits?|modifications?)|not applicable|read-only|0 files?|zero files?)\b|^\s*[-–—]\s*$/i;

/**
 * Holds the claims of a result against what was changed. A word that is surely a path and cannot be found in the delta
 * is a claim too many; what is doubtful is none. `agent-io/` and the result file itself never count.
 */
export function checkClaims(result: string, delta: DeltaFacts, place: ClaimPlace): ClaimCheck {
  const fields = readResultFields(result);
  const changed = delta.changed.map(textOf).filter((path) => !isOwn(path, place));
  const shared = {
    isEmpty: changed.length === 0 && delta.lost.length === 0,
    hasConclusion: hasText(fields.conclusion),
  };
  if (fields.files === undefined) {
    return { ...shared, claimed: [], unclaimed: [], ignored: [], saysNone: false };
  }
  const field = withoutRoots(fields.files.slice(0, FIELD_LENGTH), place.roots);
  const { literal, rest } = takeLiterals(field, changed);
  const words = pathWords(rest)
    .filter(({ text }) => !isOwn(text, place))
    .slice(0, Math.max(MIN_WORDS, MAX_COMPARISONS / Math.max(1, changed.length)));
  const index = indexOf(changed);
  const told = new Set<string>(literal);
  const missing: PathWord[] = [];
  for (const word of words) {
    const found = index.match(word.text);
    for (const path of found) told.add(path);
    if (found.length === 0 && word.isSure) missing.push(word);
  }
  const ignored = indexOf(delta.ignored.map(textOf));
  const lost = indexOf(delta.lost.map(textOf));
  const isIgnored = ({ text }: PathWord) => ignored.covers(text);
  const saysNone = NONE.test(field) && told.size === 0;
  const claimed = saysNone
    ? []
    : missing.filter(
        (word) =>
          !isIgnored(word) &&
          !lost.covers(word.text) &&
          !(word.isGone && !place.exists(word.text)) &&
          // The list of ignored files ends somewhere.
          !(delta.ignored.length >= MANY_IGNORED && place.exists(word.text)),
      );
  return {
    ...shared,
    claimed: unique(claimed.map(({ text }) => text)),
    unclaimed: delta.changed
      .filter((path) => !isOwn(textOf(path), place) && !told.has(textOf(path)))
      .map(shownPath),
    ignored: unique(missing.filter(isIgnored).map(({ text }) => text)),
    saysNone,
  };
}

/** A worker may write as much as it likes, and name as many files: what is beyond these is no claim. */
const FIELD_LENGTH = 65_536;
const MAX_COMPARISONS = 10_000_000;
const MIN_WORDS = 50;
const MAX_LITERALS = 2000;
/** `DeltaRecord.ignored` holds no more. */
const MANY_IGNORED = 200;

function hasText(field: string | undefined): boolean {
  return field !== undefined && /[\p{L}\p{N}]/u.test(field);
}

/** The run's own files and the result: a worker is told to write there, and it is no work on the code. */
function isOwn(path: string, { resultFile }: ClaimPlace): boolean {
  const clean = path.replace(/^\.\//, '');
  if (clean === 'agent-io' || clean.startsWith('agent-io/') || clean.includes('/agent-io/')) return true;
  return resultFile !== undefined && folded(clean) === folded(resultFile.replace(/\\/g, '/'));
}

/** The clone's own path in front of a file is left out; it may hold spaces. */
function withoutRoots(field: string, roots: readonly string[]): string {
  const forms = roots.flatMap((root) => [root, root.replace(/\\/g, '/')]);
  return forms
    .sort((a, b) => b.length - a.length)
    .reduce((text, root) => text.split(`${root}/`).join('./').split(`${root}\\`).join('./'), field);
}

/** Paths with spaces, commas or parentheses are looked for as they are, and taken out before words are told apart. */
function takeLiterals(field: string, changed: readonly string[]): { literal: string[]; rest: string } {
  let rest = field;
  const literal: string[] = [];
  for (const path of changed.filter((one) => /[\s,;()'"`|]/.test(one)).slice(0, MAX_LITERALS)) {
    const name = [path, path.slice(path.lastIndexOf('/') + 1)].find((form) => rest.includes(form));
    if (name === undefined) continue;
    literal.push(path);
    rest = rest.split(name).join(' ');
  }
  return { literal, rest };
}

interface PathIndex {
  /** Paths that a word names: one file by its path or the end of it, a folder's, a glob's. */
  match(word: string): string[];
  /** Whether a word names one of the paths or something below one. */
  covers(word: string): boolean;
}

/** Compared without regard to case and to the form of accents: systems differ, and a miss is better than an alarm. */
function indexOf(paths: readonly string[]): PathIndex {
  const entries = paths.map((path) => ({ path, key: folded(path).replace(/\/$/, '') }));
  const byPath = new Map<string, string[]>();
  const byName = new Map<string, { path: string; key: string }[]>();
  for (const { path, key } of entries) {
    push(byPath, key, path);
    push(byName, nameOf(key), { path, key });
  }
  const match = (word: string): string[] => {
    const wanted = folded(word).replace(/\/$/, '');
    // As in the header of a diff, too.
    const forms = [wanted, wanted.replace(/^[ab]\//, '')];
    const exact = forms.flatMap((form) => byPath.get(form) ?? []);
    if (exact.length > 0) return exact;
    // With the repository's own name in front.
    const inner = wanted.slice(wanted.indexOf('/') + 1);
    const named = inner.includes('/') ? byPath.get(inner) : undefined;
    if (named) return named;
    const ends = forms.flatMap((form) =>
      (byName.get(nameOf(form)) ?? []).filter(({ key }) => `/${key}`.endsWith(`/${form}`)),
    );
    if (ends.length > 0) return ends.map(({ path }) => path);
    const glob = /[*?{[]/.test(wanted) ? globMatcher(wanted) : undefined;
    const covered = glob
      ? entries.filter(({ key }) => glob(key))
      : entries.filter(({ key }) => `/${key}`.includes(`/${wanted}/`));
    return covered.map(({ path }) => path);
  };
  return {
    match,
    covers(word) {
      if (match(word).length > 0) return true;
      const wanted = `/${folded(word)}/`;
      return entries.some(({ key }) => wanted.includes(`/${key}/`));
    },
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/**
 * A glob anywhere below the clone; one that ends in a folder covers what is in it. A wildcard of any kind, braces and
 * brackets among them, stands for anything: what is between them must be there in that order. In linear time, because a
 * worker writes both the glob and the names.
 */
function globMatcher(glob: string): (key: string) => boolean {
  const parts = glob.split(/(?:\*+\/?)+|\?|\{[^{}]*\}|\[[^\]]*\]/);
  const needles = parts.map((part, i) => (i === 0 ? '/' : '') + part + (i === parts.length - 1 ? '/' : ''));
  return (key) => {
    const path = `/${key}/`;
    let from = 0;
    for (const needle of needles) {
      const at = path.indexOf(needle, from);
      if (at < 0) return false;
      from = at + needle.length;
    }
    return true;
  };
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
