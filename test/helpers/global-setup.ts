import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Builds once before any test: tests run the compiled scripts, as a user does. */
export function setup(): void {
  const root = path.resolve(import.meta.dirname ?? '.', '../..');
  mkdirSync(path.join(root, '.tmp'), { recursive: true });
  execFileSync(process.execPath, ['build.mjs'], { cwd: root, stdio: 'pipe' });
}
