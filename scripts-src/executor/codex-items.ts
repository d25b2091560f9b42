import { readableLine } from './readable-line.ts';
import type { WorkerEvent, WorkerEventKind } from './types.ts';

/** A JSON object whose fields nobody has checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object's fields, or none for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The fields of a line that holds one JSON object, or undefined for any other line: plain text, torn, a list. */
export function parsedFields(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A field's text, or undefined when it holds anything else. */
export function textField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** An event with a short line for people, which is left out when there is nothing to read. */
export function workerEvent(kind: WorkerEventKind, progress: boolean, text = ''): WorkerEvent {
  const line = readableLine(text);
  return line === '' ? { kind, progress } : { kind, progress, text: line };
}

/** Whether an item is announced, changed while it runs, or over. */
export type ItemPhase = 'started' | 'updated' | 'completed';

/** The command that was meant, without the shell that codex puts around it. */
function bareCommand(item: Fields): string {
  const command = textField(item, 'command') ?? '';
  return /^\S*sh -l?c (['"]?)(.*)\1$/s.exec(command.slice(0, 4096))?.[2] ?? command;
}

function commandEnd(item: Fields): string {
  const code = item.exit_code;
  const end = typeof code === 'number' ? `exit ${code}` : (textField(item, 'status') ?? 'ended');
  return `${end}: ${bareCommand(item)}`;
}

function changedFiles(item: Fields): string {
  const changes = Array.isArray(item.changes) ? item.changes : [];
  const paths = changes.slice(0, 5).map((change) => textField(fieldsOf(change), 'path') ?? '?');
  const more = changes.length > paths.length ? ` and ${changes.length - paths.length} more` : '';
  return `${item.status === 'failed' ? 'not edited: ' : 'edited '}${paths.join(', ')}${more}`;
}

/** Paths that an event names at most, and how long each is. */
const PATHS_KEPT = 100;
const PATH_CHARS = 4096;

/** The files of an edit; none where it failed. */
function filesOf(item: Fields): string[] {
  const changes = Array.isArray(item.changes) && item.status !== 'failed' ? item.changes : [];
  const paths = changes.slice(0, PATHS_KEPT).map((change) => textField(fieldsOf(change), 'path') ?? '');
  return paths.filter((path) => path !== '' && path.length <= PATH_CHARS);
}

function fileChange(phase: ItemPhase, item: Fields): WorkerEvent {
  const event = workerEvent('file-change', true, phase === 'completed' ? changedFiles(item) : '');
  const files = filesOf(item);
  return files.length === 0 ? event : { ...event, files };
}

/**
 * What a sandbox says to a command: Linux mounts all but the granted folders read-only, macOS refuses the call
 * (measured with bwrap, 0.171.0).
 */
const DENIED =
  process.platform === 'darwin'
    ? /: (?:Operation not permitted|Read-only file system)\s*$/
    : /: Read-only file system\s*$/;

/** Lines of a failed command's output by which its sandbox refused it something, bounded. */
export function refusalsIn(item: Fields): string[] {
  if (item.type !== 'command_execution' || item.status !== 'failed') return [];
  const output = textField(item, 'aggregated_output') ?? '';
  const lines = output.slice(-16_384).split('\n');
  const denied = lines.filter((line) => line.length < 1000 && DENIED.test(line)).slice(0, 2);
  return denied.map((line) => `$ ${bareCommand(item).slice(0, 200)}: ${line.trim()}`);
}

function toolName(item: Fields): string {
  const query = textField(item, 'query');
  if (item.type === 'web_search') return `search: ${query ?? ''}`;
  const tool = textField(item, 'tool') ?? textField(item, 'type') ?? 'tool';
  const server = textField(item, 'server');
  return server === undefined ? `tool ${tool}` : `tool ${server}.${tool}`;
}

/**
 * The event of one item of codex's stream (FACTS-codex.md, Events). Item types that are not known yet are
 * progress without a text: something was begun or ended. An `error` item is a warning and ends nothing.
 */
export function itemEvent(phase: ItemPhase, item: Fields): WorkerEvent {
  switch (item.type) {
    case 'command_execution':
      if (phase === 'completed') return workerEvent('command-ended', true, commandEnd(item));
      return workerEvent(phase === 'started' ? 'command-started' : 'other', true, `$ ${bareCommand(item)}`);
    case 'file_change':
      return fileChange(phase, item);
    case 'agent_message':
      return workerEvent('message', true, textField(item, 'text'));
    case 'reasoning':
      return workerEvent('reasoning', true, textField(item, 'text'));
    case 'mcp_tool_call':
    case 'collab_tool_call':
    case 'web_search':
      return workerEvent('tool-call', true, phase === 'started' ? toolName(item) : '');
    case 'error':
      return workerEvent('error', false, textField(item, 'message'));
    default:
      return workerEvent('other', true);
  }
}
