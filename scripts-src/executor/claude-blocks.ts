import { type Fields, fieldsOf, textField, workerEvent } from './codex-items.ts';
import type { WorkerEvent } from './types.ts';

/** A tool that was called and has not answered. */
export interface OpenTool {
  name: string;
  /** The command, the file or whatever says best what it does. */
  what: string;
}

/** Tools that run a command of the worker's. */
const SHELLS = new Set(['Bash', 'PowerShell']);
/** Tools that change the file that they name. */
const EDITORS = new Set(['Edit', 'Write', 'NotebookEdit', 'MultiEdit']);

/** Whether a tool runs a command. */
export function isShell({ name }: OpenTool): boolean {
  return SHELLS.has(name);
}

/** A tool that is called in a block of an answer. */
export function calledTool(block: Fields): OpenTool {
  const input = fieldsOf(block.input);
  const keys = [
    'command',
    'file_path',
    'notebook_path',
    'path',
    'pattern',
    'url',
    'query',
    'description',
    'skill',
  ];
  const what = keys.map((key) => textField(input, key)).find((text) => text !== undefined);
  return { name: textField(block, 'name') ?? 'tool', what: what ?? '' };
}

/** The event of a call: `mcp__server__tool` is told as `server.tool`. */
export function callEvent(tool: OpenTool): WorkerEvent {
  if (isShell(tool)) return workerEvent('command-started', true, `$ ${tool.what}`);
  // What it changes is told when it has changed.
  if (EDITORS.has(tool.name)) return workerEvent('tool-call', true);
  const name = tool.name.replace(/^mcp__(.+?)__/, '$1.');
  return workerEvent('tool-call', true, `tool ${name}${tool.what === '' ? '' : `: ${tool.what}`}`);
}

/** The text of a tool's answer, its beginning only. */
function answerText(block: Fields): string {
  if (typeof block.content === 'string') return block.content.slice(0, 500);
  const parts = Array.isArray(block.content) ? block.content : [];
  return (textField(fieldsOf(parts[0]), 'text') ?? '').slice(0, 500);
}

/** The event of a tool's answer; `tool` is undefined where the call was not seen. */
export function answerEvent(tool: OpenTool | undefined, block: Fields): WorkerEvent {
  if (!tool) return workerEvent('tool-call', true);
  const isError = block.is_error === true;
  if (isShell(tool)) {
    const code = isError ? /^Exit code (\d+)/.exec(answerText(block))?.[1] : '0';
    return workerEvent(
      'command-ended',
      true,
      `${code === undefined ? 'refused' : `exit ${code}`}: ${tool.what}`,
    );
  }
  if (EDITORS.has(tool.name)) {
    const event = workerEvent('file-change', true, `${isError ? 'not edited: ' : 'edited '}${tool.what}`);
    return isError || tool.what === '' ? event : { ...event, files: [tool.what] };
  }
  return workerEvent('tool-call', true, isError ? `${tool.name} failed: ${answerText(block)}` : '');
}
