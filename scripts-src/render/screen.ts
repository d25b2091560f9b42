import { cellsOf } from './cells.ts';

/** A few lines at the bottom of a terminal that are drawn again in place. */
export interface Screen {
  /** Draws these lines over the ones before. `widths` are their cells without colour. */
  draw(lines: readonly string[], columns: number): void;
  /** Leaves what was drawn last and gives the cursor back. Safe to call twice. */
  close(): void;
}

const ESCAPES = /\x1b\[[0-9;]*m/g;

/** Draws through `write`, one call a picture, so that no half picture is seen. */
export function createScreen(write: (text: string) => void): Screen {
  let drawn: number[] = [];
  let isOpen = false;

  /** A terminal that was made narrower has broken the old lines into several. */
  function rowsDrawn(columns: number): number {
    return drawn.reduce((sum, cells) => sum + Math.max(1, Math.ceil(cells / Math.max(1, columns))), 0);
  }

  return {
    draw(lines, columns) {
      const rows = rowsDrawn(columns);
      const up = rows > 0 ? `\x1b[${rows}A\r` : '';
      // To the end of the screen first: what a resize has left there goes too.
      const picture = lines.map((line) => `${line}\x1b[K\n`).join('');
      write(`${isOpen ? '' : '\x1b[?25l'}${up}${picture}\x1b[J`);
      drawn = lines.map((line) => cellsOf(line.replace(ESCAPES, '')));
      isOpen = true;
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      drawn = [];
      write('\x1b[?25h');
    },
  };
}
