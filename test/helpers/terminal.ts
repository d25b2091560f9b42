import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** How a terminal presents itself. `columns` 0: it does not know its own width. */
export interface Terminal {
  columns: number;
  environment?: Record<string, string>;
}

/** Variables that make a compiled command take its stdout, a pipe, for a terminal. The folder gets a file. */
export function asTerminal(folder: string, { columns, environment }: Terminal): Record<string, string> {
  const file = path.join(folder, 'terminal.cjs');
  writeFileSync(
    file,
    `process.stdout.isTTY = true; process.stdout.columns = ${columns || undefined}; process.stdout.rows = 24;\n`,
  );
  return { NODE_OPTIONS: `--require ${JSON.stringify(file)}`, NO_COLOR: '1', ...environment };
}
