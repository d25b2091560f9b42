import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { messageOf } from '../../platform/errors.ts';
import type { Mistake, ValuePath } from '../../platform/schema-mistakes.ts';
import type { PlacedMistake } from './mistakes.ts';

/** A manifest's text taken apart, and where its values stand. */
export interface ManifestText {
  value: unknown;
  /** Gives a mistake its line and column: those of the innermost part of its path that is written down. */
  placed(mistake: Mistake): PlacedMistake;
}

/** A larger JSON text is not looked at a second time for keys that are there twice. */
const JSON_LOOK = 1024 * 1024;
const MAX_ALIASES = 1000;

/** Whether an error's message says that the stack was used up. */
export function isStackOverflow(message: string): boolean {
  return /call stack/i.test(message);
}

/**
 * Reads YAML 1.2 or JSON. Returns mistakes where the text is neither: with their places, as YAML sees them. A tag
 * (`!name`) and an alias without its anchor are mistakes too: a glob that begins with `!` or `*` needs quotes. Throws
 * RangeError where the text is nested too deeply.
 */
export function parseManifest(text: string): ManifestText | PlacedMistake[] {
  const json = asJson(text);
  if (json !== undefined && text.length > JSON_LOOK) return textOf(json.value, text, undefined);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const troubles = [...document.errors, ...document.warnings].filter(
    // JSON that is right may be written in ways that YAML does not like, with tabs for example.
    ({ code }) => json === undefined || code === 'DUPLICATE_KEY',
  );
  const overflow = troubles.find(({ message }) => isStackOverflow(message));
  // The library takes it for a mistake of the text, and finds a hundred others on its way back.
  if (overflow) throw new RangeError(overflow.message);
  if (troubles.length > 0) {
    return troubles.map(({ code, message, pos }) => {
      const { line, col } = lines.linePos(pos[0]);
      return {
        path: [],
        text: yamlTrouble(code, message),
        line: Math.max(1, line),
        column: Math.max(1, col),
      };
    });
  }
  if (json !== undefined) return textOf(json.value, text, { document, lines });
  const alias = aliasWithoutAnchor(document);
  if (alias) {
    const { line, col } = lines.linePos(alias.offset);
    const text = `there is no anchor ${alias.name}: put a text that begins with * in quotes`;
    return [{ path: [], text, line, column: col }];
  }
  try {
    return textOf(document.toJS({ maxAliasCount: MAX_ALIASES }), text, { document, lines });
  } catch (error) {
    // Aliases of aliases that would fill the memory.
    return [{ path: [], text: `${messageOf(error)}: write it without so many aliases`, line: 1, column: 1 }];
  }
}

function aliasWithoutAnchor(document: Document.Parsed): { name: string; offset: number } | undefined {
  let found: { name: string; offset: number } | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return undefined;
      found = { name: alias.source, offset: alias.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return found;
}

interface Parsed {
  document: Document.Parsed;
  lines: LineCounter;
}

function textOf(value: unknown, text: string, given: Parsed | undefined): ManifestText {
  let parsed = given;
  return {
    value,
    placed(mistake) {
      if (!parsed) {
        const lines = new LineCounter();
        parsed = { document: parseDocument(text, { lineCounter: lines, prettyErrors: false }), lines };
      }
      const { line, col } = parsed.lines.linePos(offsetOf(parsed.document, mistake.path));
      return { ...mistake, line: Math.max(1, line), column: Math.max(1, col) };
    },
  };
}

function asJson(text: string): { value: unknown } | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    // No JSON: YAML has braces as well, and says where it does not understand.
    return undefined;
  }
}

function yamlTrouble(code: string, message: string): string {
  const [first = ''] = message.split('\n', 1);
  const said = first.replace(/ at line \d+, column \d+:?$/, '');
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'this key is here twice: take one away';
    case 'TAG_RESOLVE_FAILED':
      return `${said}: put a text that begins with ! in quotes`;
    case 'MULTIPLE_DOCS':
      return 'there are several documents: a manifest is one';
    case 'TAB_AS_INDENT':
      return 'a line is indented with a tab: use spaces';
    default:
      return `${said}: correct the YAML here`;
  }
}

function offsetOf(document: Document.Parsed, path: ValuePath): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
