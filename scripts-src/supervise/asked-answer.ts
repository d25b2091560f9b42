import { readStart, writeAtomic } from '../platform/files.ts';
import { oneLine } from '../platform/one-line.ts';
import type { UnitRecord } from '../unit/records.ts';
import { missingInResult } from '../unit/result-contract.ts';
import type { ResultState } from '../unit/result-file.ts';
import { stateFile } from '../unit/state-dir.ts';
import { jsonOf, readStructured } from '../unit/structured-result.ts';
import type { StructuredResult } from '../unit/structured-schema.ts';
import type { AskedFault } from './classify.ts';
import { schemaFault } from './own-schema.ts';
import { lastMessageOf, MESSAGE_LIMIT } from './salvage.ts';
import { markdownOf, structuredOf } from './structured-markdown.ts';

// Loaded when a unit has ended whose last message was to hold a schema: hot scripts start without it.

/** A worker that ended well, and what it left. */
export interface AskedRequest {
  record: UnitRecord;
  stateDir: string;
  /** What stands at the result path. */
  written: ResultState;
  lastMessage: string | undefined;
}

/** What came of a last message that was to hold a schema. */
export interface AskedAnswer {
  /** The result for a worker that wrote none itself; undefined where its message is none. */
  text: string | undefined;
  structured: StructuredResult | null;
  /** Why the attempt has failed although the worker ended well. */
  fault?: AskedFault | undefined;
  /** The text whose `Files:` are held against the delta; undefined: the result file's. */
  claims?: string | undefined;
}

/** Limits of what an outcome holds; all of it is in `structured.json`. */
const SUMMARY_CHARS = 1000;
const ENTRY_CHARS = 200;
const MOST_FILES = 50;
const MOST_ENTRIES = 20;
const DETAIL_CHARS = 400;
const RESULT_BYTES = 1024 * 1024;

/** Reads the last message of a unit that was asked for a schema. Never throws. */
export function readAsked(request: AskedRequest): AskedAnswer {
  const message = lastMessageOf(request);
  if (message === undefined && request.written !== 'text') return { text: undefined, structured: null };
  const isOwn = request.record.outputSchema !== undefined;
  const answer = isOwn ? ownAnswer(request, message) : structuredAnswer(request, message);
  if (answer.fault?.reason === 'schema' && (message?.length ?? 0) >= MESSAGE_LIMIT) {
    answer.fault.detail += `; only its first ${MESSAGE_LIMIT} bytes were read`;
  }
  return answer;
}

/** prun's own structured result, or a result by the Markdown contract in its place. */
function structuredAnswer(request: AskedRequest, message: string | undefined): AskedAnswer {
  const { record, stateDir, written } = request;
  const said = message === undefined ? { wrong: NO_MESSAGE } : readStructured(message);
  if (said.value) {
    const { value } = said;
    keepJson(stateDir, JSON.stringify(value, null, 2));
    const text = markdownOf(record.unit, value);
    return { text, structured: bounded(value), fault: faultOf(value), claims: text };
  }
  const markdown = written === 'text' ? readStart(record.resultFile, RESULT_BYTES) : (message ?? '');
  const missing = missingInResult(markdown);
  if (missing.length === 0) {
    const value = structuredOf(markdown);
    keepJson(stateDir, JSON.stringify(value, null, 2));
    return { text: markdown, structured: bounded(value) };
  }
  const file = written === 'text' ? `; its result file lacks ${missing.join(', ')}` : '';
  return noAnswer(`the last message is no structured result: ${said.wrong}${file}`);
}

/** An answer in the caller's own schema. */
function ownAnswer({ record, stateDir }: AskedRequest, message: string | undefined): AskedAnswer {
  const said = message === undefined ? { wrong: NO_MESSAGE } : jsonOf(message);
  const wrong = said.value ? schemaFault(stateFile(stateDir, 'outputSchema'), said.value.json) : said.wrong;
  if (!said.value || wrong !== undefined) {
    return noAnswer(`the last message does not hold ${record.outputSchema}: ${wrong}`);
  }
  keepJson(stateDir, said.value.text);
  return { text: markdownAround(record, stateDir, said.value), structured: null };
}

const NO_MESSAGE = 'there is none';

function noAnswer(detail: string): AskedAnswer {
  return {
    text: undefined,
    structured: null,
    fault: { reason: 'schema', detail: cut(detail, DETAIL_CHARS) },
  };
}

/** A worker that ended well and says that its work is not done. */
function faultOf({ status, summary }: StructuredResult): AskedFault | undefined {
  const detail = cut(summary, DETAIL_CHARS);
  if (status === 'BLOCKED') return { reason: 'worker-blocked', detail };
  return status === 'NEEDS_CONTEXT' ? { reason: 'needs-context', detail } : undefined;
}

/** JSON of which prun knows no more than that it holds its schema, as a result. */
function markdownAround(
  record: UnitRecord,
  stateDir: string,
  { json: value, text: json }: { json: unknown; text: string },
): string {
  let fence = '```';
  for (const [ticks] of json.matchAll(/`{3,}/g)) if (ticks.length >= fence.length) fence = `${ticks}\``;
  return [
    `# ${record.unit} result`,
    `Conclusion: ${cut(conclusionOf(value), ENTRY_CHARS)}`,
    `Files: ${filesOf(record, stateDir)}`,
    'Open items: none outside the JSON below',
    'Verification: the JSON below holds its schema',
    '',
    `${fence}json`,
    json,
    fence,
    '',
  ].join('\n');
}

/** Properties in which people put what an answer comes to, the likeliest first. */
const CONCLUDING = ['conclusion', 'summary', 'answer', 'result', 'message'] as const;

/** What an answer in any schema comes to, for a reader: `accept: It sums a cart.`, or how much there is to read. */
function conclusionOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return oneLine(String(value)) || 'an empty text, as the schema asked for allows';
  }
  if (Array.isArray(value))
    return `answer in the schema asked for (${value.length} ${value.length === 1 ? 'entry' : 'entries'})`;
  const texts = new Map(
    Object.entries(value).flatMap(([key, text]) =>
      typeof text === 'string' && oneLine(text) !== '' ? [[key, oneLine(text)]] : [],
    ) as [string, string][],
  );
  const said = CONCLUDING.flatMap((key) => texts.get(key) ?? []).slice(0, 1);
  const parts = [...(texts.has('verdict') ? [texts.get('verdict')] : []), ...said];
  if (parts.length > 0) return parts.join(': ');
  const count = Object.keys(value).length;
  return `answer in the schema asked for (${count} ${count === 1 ? 'property' : 'properties'})`;
}

/** Where the unit's files are told, as the schema is not asked for them. */
function filesOf({ base, cwd }: UnitRecord, stateDir: string): string {
  if (base !== null) return 'as the delta shows; the schema is not asked for them';
  // In place nobody knows: what it changed lies among the user's own work.
  return cwd === stateFile(stateDir, 'scratch')
    ? 'none (read-only)'
    : 'none told; the schema is not asked for them';
}

function bounded({ status, summary, files_changed, tests, concerns }: StructuredResult): StructuredResult {
  return {
    status,
    summary: cut(summary, SUMMARY_CHARS),
    files_changed: files_changed.slice(0, MOST_FILES).map((file) => cut(file, ENTRY_CHARS)),
    tests: tests.slice(0, MOST_ENTRIES).map(({ command, result }) => ({
      command: cut(command, ENTRY_CHARS),
      result: cut(result, ENTRY_CHARS),
    })),
    concerns: concerns.slice(0, MOST_ENTRIES).map((concern) => cut(concern, ENTRY_CHARS)),
  };
}

/** One bounded line. */
function cut(text: string, chars: number): string {
  const line = oneLine(text);
  return line.length > chars ? `${line.slice(0, chars - 1)}…` : line;
}

function keepJson(stateDir: string, text: string): void {
  try {
    writeAtomic(stateFile(stateDir, 'structured'), `${text}\n`, { sync: false });
  } catch {
    // A full disk: the last message itself is in the state dir, and the outcome has its own space.
  }
}
