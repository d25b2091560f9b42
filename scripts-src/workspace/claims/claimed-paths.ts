import { type PathWord, pathWord } from './path-word.ts';

/** Verbs and remarks after which a path is only mentioned. */
const MENTION =
  /^(?:read|reads|reading|review(?:ed|s|ing)?|inspect(?:ed|ing)?|examin(?:ed|ing)|check(?:ed|ing)|unchanged|untouched|unmodified|see|cf|using|used|from|ran|run|running|verified|verifying|tested|testing|consult(?:ed|ing)|referenc(?:ed|es|ing)|refers?|per|like|unlike|not|no|none|nothing|without|except|considered|looked|analy[sz](?:ed|ing)|via|against|instead|copied|based|left|kept|should|would|could|todo|planned|proposed|suggested|recommend(?:ed)?|n\/a)$/i;
/** Makes the next word the opposite of what it says. */
const DENIAL = /^(?:no|not|without|never|none|nothing|any|other|further)$/i;
/** Verbs after which it is changed. */
const CHANGE =
  /^(?:chang(?:ed|es|ing)|modif(?:ied|ies|ying)|add(?:ed|s|ing)?|creat(?:ed|es|ing)|updat(?:ed|es|ing)|new|edit(?:ed|s|ing)?|delet(?:ed|es|ing)|remov(?:ed|es|ing)|renam(?:ed|es|ing)|mov(?:ed|es|ing)|wrote|written|made|extend(?:ed|s)?|rewrote|rewritten|fix(?:ed|es)?|refactor(?:ed)?|touch(?:ed)?|generat(?:ed|es)?|replac(?:ed|es)|introduc(?:ed|es)|implement(?:ed|s)?)$/i;
/** A remark behind a path by which it is no claim. */
const NO_CHANGE =
  /\b(?:read|read-only|unchanged|untouched|unmodified|review(?:ed)?|inspected|existing|already|pre-existing|ignored|git-?ignored|outside|no (?:code )?changes?|no diff|not? (?:changed|modified|touched|edited|committed|tracked|part|created|needed|written)|untracked|todo|planned|proposed|suggested|optional|reference|for context)\b/i;
const GONE = /\b(?:delet|remov|temporar|temp\b|revert|cleaned|undone|renamed|moved|discard)/i;

/** Of what stands between two commas: enough for any path, and little enough for a pattern that goes back and forth. */
const PART_LENGTH = 4096;

/** Marks of a list, and dashes and colons that stand alone. */
const BULLET = /^(?:[-–—*+•:]+|\d+[.)])$/;

/**
 * Words of a `Files:` field that may be paths. Prose, URLs, versions and commands are left out; whether a word is
 * surely a changed file's path is judged strictly, because a false alarm is worse than a miss.
 */
export function pathWords(field: string): PathWord[] {
  const words: PathWord[] = [];
  for (const line of field.split('\n')) {
    const state: LineState = { isMention: false, isDescription: false };
    for (const part of partsOf(line)) {
      if (part.startsAnew) Object.assign(state, { isMention: false, isDescription: false });
      words.push(...readPart(part.text.slice(0, PART_LENGTH), state));
    }
  }
  return words;
}

/** What holds for the rest of a line, up to a semicolon or the end of a sentence. */
interface LineState {
  /** `read: a.ts, b.ts`: what follows was only looked at. */
  isMention: boolean;
  /** `a.ts: uses b.ts`: what follows tells of a path; only what stands first behind a comma is one of the list. */
  isDescription: boolean;
}

interface Part {
  text: string;
  startsAnew: boolean;
}

/** A line cut at commas, semicolons and ends of sentences, but not within quotes, parentheses and braces. */
function partsOf(line: string): Part[] {
  const parts: Part[] = [];
  let text = '';
  let startsAnew = true;
  let depth = 0;
  let quote = '';
  const cut = (isAnew: boolean) => {
    parts.push({ text, startsAnew });
    text = '';
    startsAnew = isAnew;
  };
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '`' || (char === '"' && line.indexOf('"', at + 1) > 0)) quote = char;
    else if ('({['.includes(char)) depth++;
    else if (')}]'.includes(char)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && (char === ',' || char === '|')) {
      cut(false);
      continue;
    } else if (depth === 0 && (char === ';' || (char === '.' && /^\s+[A-Z`]/.test(line.slice(at + 1))))) {
      cut(true);
      continue;
    }
    text += char;
  }
  cut(true);
  return parts;
}

/** A word may hold parentheses where they stand between slashes, as `app/(auth)/page.tsx` does. */
const TOKEN =
  /`([^`]+)`|"([^"]+)"|(?<=^|\s)'([^'\s]+)'|\(((?:[^()]|\([^()]*\))*)\)|((?:[^\s`"(),;{]|\{[^{}\s]*\}|\/\([^()\s]*\)(?=\/))+)/g;

function readPart(text: string, state: LineState): PathWord[] {
  const own: PathWord[] = [];
  let isFirst = true;
  let hasPath = false;
  // A mention behind a path, as in `a.ts like b.ts`, speaks of this part only.
  let isMention = false;
  let isDenied = false;
  for (const [, tick, double, single, note, bare] of text.matchAll(TOKEN)) {
    if (note !== undefined) {
      remark(own.at(-1), note);
      const inner = pathWords(note);
      own.push(...(hasPath || state.isMention ? inner.map(unsure) : inner));
      isFirst = false;
      continue;
    }
    const quoted = tick ?? double ?? single;
    const word = quoted ?? bare ?? '';
    if (bare !== undefined && BULLET.test(bare)) {
      if (hasPath) state.isDescription = true;
      continue;
    }
    const plain = quoted === undefined ? word.replace(/^[*_]+|[*_:.!?]+$/g, '') : '';
    const wasDenied = isDenied;
    isDenied = DENIAL.test(plain);
    if (MENTION.test(plain)) {
      if (hasPath) isMention = true;
      else state.isMention = true;
    } else if (CHANGE.test(plain)) {
      // `no changes to` is not `changed`.
      state.isMention &&= wasDenied;
      isMention &&= wasDenied;
    } else {
      const path = pathWord(word, quoted !== undefined);
      const isDoubtful = state.isMention || isMention || (state.isDescription && !isFirst);
      if (path) own.push(isDoubtful ? unsure(path) : path);
      // Any word may name a file (`Makefile`), but only some look like one.
      hasPath ||= path !== undefined && (quoted !== undefined || /[./]/.test(path.text));
      if (hasPath && word.endsWith(':')) state.isDescription = true;
    }
    if (state.isDescription || hasPath) isFirst = false;
  }
  // `src/a.ts — unchanged`, `src/a.ts: deleted`
  const description = /(?:\s[-–—]{1,2}|:)\s+([^`]*)$/.exec(text)?.[1];
  if (description !== undefined) for (const path of own) remark(path, description);
  return own;
}

function remark(path: PathWord | undefined, note: string): void {
  if (!path) return;
  if (NO_CHANGE.test(note)) path.isSure = false;
  if (GONE.test(note)) path.isGone = true;
}

function unsure(path: PathWord): PathWord {
  return { ...path, isSure: false };
}
