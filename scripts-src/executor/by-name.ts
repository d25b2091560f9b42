import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { command } from './command.ts';
import { omp } from './omp.ts';
import type { Executor } from './types.ts';

/** The executor of that name. Names come from checked arguments or from `unit.json`. */
export function executorByName(name: string): Executor {
  const found = [codex, claude, omp, command].find((executor) => executor.name === name);
  if (found) return found;
  throw new Error(`unknown executor ${name}`);
}
