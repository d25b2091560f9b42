import type { Fields, ItemPhase } from './codex-items.ts';

/** Characters from which a line is not parsed: a command's output makes lines of over 1 MB (FACTS-codex.md, Events). */
export const LONG_LINE = 256 * 1024;

const HEAD = 8192;
const START =
  /^\{"type":"item\.(started|updated|completed)","item":\{"id":"([^"\\]{1,80})","type":"([a-z_]{1,40})"/;

/**
 * What can be told of an item's line without parsing it: its kind and id from its beginning, a command's code
 * from its end. Undefined for a line that does not begin like an item. A line that was cut has no code.
 */
export function longItem(line: string): { phase: ItemPhase; item: Fields } | undefined {
  const start = START.exec(line.slice(0, HEAD));
  if (!start) return undefined;
  const [, phase, id, type] = start;
  const item: Record<string, unknown> = { id, type };
  const command = /"command":"((?:[^"\\]|\\.)*)/s.exec(line.slice(0, HEAD))?.[1];
  if (command !== undefined) item.command = command.replace(/\\n/g, ' ').replace(/\\(["\\/])/g, '$1');
  const end = /"exit_code":(-?\d+|null),"status":"([a-z_]+)"\}\}\s*$/.exec(line.slice(-200));
  if (end?.[1] !== undefined && end[1] !== 'null') item.exit_code = Number(end[1]);
  if (end) item.status = end[2];
  return { phase: phase as ItemPhase, item };
}
