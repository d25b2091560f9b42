import { lstatSync } from 'node:fs';
import path from 'node:path';
import { entriesOf, readStart } from '../../platform/files.ts';

/** A sentence by which a repository forbids to share or copy installed dependencies. */
export interface BootstrapRule {
  /** Below the repository, with slashes. */
  file: string;
  /** Line on which the sentence begins. */
  line: number;
  sentence: string;
}

/** Texts in which a repository tells people and agents how it is set up; any case, in its root and beside packages. */
const TEXTS = [
  'AGENTS.md',
  'AGENTS.override.md',
  'CLAUDE.md',
  'GEMINI.md',
  'CONTRIBUTING.md',
  'CONTRIBUTING',
  'CONTRIBUTING.rst',
  'DEVELOPMENT.md',
  'HACKING.md',
  'README.md',
  'README',
  'README.rst',
  '.cursorrules',
];
/** More of them in the root. */
const ROOT_TEXTS = [
  '.github/CONTRIBUTING.md',
  '.github/copilot-instructions.md',
  '.claude/CLAUDE.md',
  'docs/CONTRIBUTING.md',
  'docs/DEVELOPMENT.md',
];
const MAX_BYTES = 1_000_000;

/**
 * The rule of a repository that forbids to bring `target` along from another tree, or undefined. Its texts are read
 * as they stand in the user's tree, from the root down to the folder that holds `target`.
 *
 * @param target path of a dependency folder below the repository, with slashes
 */
export function bootstrapRuleFor(workTree: string, target: string): BootstrapRule | undefined {
  const names = target.split('/').slice(0, -1);
  const folders = ['', ...names.map((_, n) => names.slice(0, n + 1).join('/'))];
  for (const folder of folders) {
    for (const file of textsIn(workTree, folder)) {
      const found = findSharingRule(
        readStart(path.join(workTree, file), MAX_BYTES),
        path.posix.basename(target),
      );
      if (found) return { file, ...found };
    }
  }
  return undefined;
}

function textsIn(workTree: string, folder: string): string[] {
  const wanted = new Set(TEXTS.map((name) => name.toLowerCase()));
  const found = entriesOf(path.join(workTree, folder))
    .filter((entry) => wanted.has(entry.name.toLowerCase()))
    .map((entry) => path.posix.join(folder, entry.name))
    .sort();
  const more = folder === '' ? ROOT_TEXTS : [];
  return [...found, ...more.filter((file) => isThere(path.join(workTree, file)))];
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Names by which texts call a dependency folder. */
function namesOf(target: string): string {
  if (target === 'node_modules') return 'node[_ ]modules';
  if (/^\.?venv$/.test(target)) return String.raw`\.?venvs?|virtual[ -]?env(?:ironment)?s?`;
  return target.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const NOT =
  "(?:do not|don't|does not|never|must not|mustn't|shall not|should not|shouldn't|may not|cannot|can't|not allowed to|not permitted to|forbidden to|refrain from|avoid|no)";
const SHARE =
  '(?:(?:re-?)?cop(?:y|ying|ied)|shar(?:e|es|ed|ing)|(?:sym-?|hard-?|sym |hard |soft-?)?link(?:s|ed|ing)?|re-?us(?:e|es|ed|ing)|borrow(?:ed|ing)?|clon(?:e|ed|ing))';
/** A few words that may stand between; none of these turns the sense or begins another clause. */
const FEW = String.raw`(?:(?!(?:without|unless|until|before|after|if|when|while|because|but|need|have|forget|hesitate|fail|only|just|and then)\b)[\w'/-]+,? ){0,3}`;
const SOME = String.raw`(?:(?!(?:without|but|because|instead|rather)\b)[\w.'"()@/-]+,? ){0,10}`;
const VERBS = `${SHARE}(?:(?:,| or|,? and|/) ?(?:even )?${SHARE})*`;

/** Sentences about a folder that is called `name`. */
function forbidding(name: string): RegExp[] {
  // "do not copy node_modules", "never copy, share or symlink the node_modules folder of another worktree"
  const told = String.raw`\b${NOT} ${FEW}${VERBS} ${SOME}(?<!\b(?:into|to|in|inside|from|within|below|under|inside of) (?:the |your |its )?)(?:${name})(?![\w-])`;
  // "node_modules must not be shared", "node_modules are never to be symlinked"
  const said = String.raw`(?<![\w.-])(?:${name})(?![\w-])[\w/]* ${SOME}(?:must not|mustn't|must never|may not|may never|shall not|should not|shouldn't|should never|cannot|can't|can not|can never|is not to|are not to|is never|are never|is not|are not|isn't|aren't) (?:ever |to )?(?:be )?${FEW}(?:${VERBS})(?![\w-])`;
  // "sharing node_modules is forbidden"
  const banned = String.raw`\b${VERBS} ${SOME}(?:${name})(?![\w-]) ${SOME}(?:is|are) (?:strictly |explicitly )?(?:forbidden|prohibited|not allowed|not permitted|banned)\b`;
  return [told, said, banned].map((text) => new RegExp(text, 'i'));
}

/** "always run npm ci", "run a fresh npm ci in every worktree": a tree of its own is asked for. */
const FRESH_INSTALL: Record<string, RegExp[]> = {
  node_modules: [
    /\balways (?:run|do|use|start with|install with|execute|begin with) (?:a |an |the )?(?:fresh |clean )?(?:npm (?:ci|clean-install)|(?:pnpm|yarn|bun) install(?: --frozen-lockfile| --immutable)?)(?![\w-])/i,
    /\b(?:npm ci|(?:pnpm|yarn|bun|npm) install)(?![\w-])[^.;]{0,40}\b(?:in|for) (?:each|every|any)(?: (?:new|fresh))? (?:clone|worktree|checkout|copy)\b/i,
  ],
};

/** The first sentence of a text that forbids to bring a folder called `target` along, or undefined. Pure. */
export function findSharingRule(
  text: string,
  target: string,
): { line: number; sentence: string } | undefined {
  const patterns = [...forbidding(namesOf(target)), ...(FRESH_INSTALL[target] ?? [])];
  return sentencesOf(text).find(({ sentence }) => {
    if (/\b(?:no need|not necessary|not required|need not|needn't)\b/i.test(sentence)) return false;
    return patterns.some((pattern) => pattern.test(sentence));
  });
}

/** Sentences with their first lines: wrapped lines are one, list items, headings and paragraphs are apart. */
function sentencesOf(text: string): { line: number; sentence: string }[] {
  const found: { line: number; sentence: string }[] = [];
  let open: { line: number; words: string } | undefined;
  const close = () => {
    if (open?.words.trim()) found.push({ line: open.line, sentence: open.words.trim() });
    open = undefined;
  };
  for (const [n, raw] of text.split(/\r?\n/).entries()) {
    const line = plain(raw);
    if (line === '' || /^\s*(?:[-*+>#|]|\d+[.)])\s*/.test(raw) || /^\s*(?:```|~~~)/.test(raw)) close();
    for (const part of line.split(/(?<=[.!?;:])\s+/).filter(Boolean)) {
      open = { line: open?.line ?? n + 1, words: open ? `${open.words} ${part}` : part };
      if (/[.!?;:]$/.test(part)) close();
    }
    if (/^\s*#/.test(raw)) close();
  }
  close();
  return found;
}

/** A line without its marks. */
function plain(line: string): string {
  return line
    .replace(/^\s*(?:[-*+>#|]+|\d+[.)])\s*/, '')
    .replace(/[`*]|(?<![\w])_+|_+(?![\w])/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
