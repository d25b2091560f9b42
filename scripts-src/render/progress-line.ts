import { fitCells } from './cells.ts';
import { terminalColumns } from './terminal.ts';

/** A line on a terminal that says what goes on, redrawn in place. */
export interface ProgressLine {
  /** What goes on now. */
  say(text: string): void;
  /** Takes the line away. */
  clear(): void;
}

/** Where the line goes. */
export interface ProgressOutput {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** What is over within this time needs no words, ms. */
const PATIENCE_MS = 1000;
const REDRAW_MS = 100;

/**
 * Shows progress on what takes over a second. Only on a terminal: in a file or a pipe a line that is redrawn is noise.
 * The timer keeps nobody alive.
 */
export function progressLine(
  output: ProgressOutput,
  now: () => number = () => performance.now(),
): ProgressLine {
  const from = now();
  let text = '';
  let shown = '';
  const draw = (): void => {
    if (now() - from < PATIENCE_MS || text === shown) return;
    output.write(
      `\r\u001b[K${fitCells(text, Math.max(1, terminalColumns(output.columns, process.env) - 1))}`,
    );
    shown = text;
  };
  const timer = output.isTTY ? setInterval(draw, REDRAW_MS).unref() : undefined;
  return {
    say(next) {
      text = next.replace(/\p{Cc}+/gu, ' ');
    },
    clear() {
      clearInterval(timer);
      if (shown !== '') output.write('\r\u001b[K');
      shown = '';
    },
  };
}
