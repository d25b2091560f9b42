import path from 'node:path';
import type { ProcessHost } from '../process/types.ts';
import { startLifeline } from '../supervise/lifeline.ts';
import type { InstallArguments } from './install-arguments.ts';
import type { SkillSource } from './install-source.ts';

/**
 * Puts a guardian behind an upgrade that is about to replace files: when this process is killed in the middle, it runs the
 * same install again, which finds the lock free and ends the work. Resolves when it stands by; its pid is kept in `stage`.
 * Send it home with `release`. On Windows it is the same install, which waits for the lock.
 */
export async function standBehind(
  host: ProcessHost,
  { scope, base, stateHome }: InstallArguments,
  source: SkillSource,
  stage: string,
): Promise<{ release(): void }> {
  const place = scope === 'user' ? ['--user'] : ['--project', base];
  // It stands in `/`, where a relative folder would be another one.
  if (scope === 'user') process.env.CLAUDE_CONFIG_DIR = base;
  const script = path.join(source.folder, 'scripts', 'prun.cjs');
  const command = [process.execPath, script, 'install', ...place, '--copy', '--state-home', stateHome];
  const lifeline = startLifeline(host, { draft: stage, stateDir: stage }, command);
  lifeline.begin();
  await lifeline.settled;
  return lifeline;
}
