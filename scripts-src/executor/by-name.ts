import { codex } from './codex.ts';
import type { Executor } from './types.ts';

/** The executor of that name. Names come from checked arguments or from `unit.json`. */
export function executorByName(name: string): Executor {
  if (name === codex.name) return codex;
  throw new Error(`unknown executor ${name}`);
}
