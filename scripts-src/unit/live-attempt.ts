import { existsSync, readFileSync } from 'node:fs';
import { readValue } from '../platform/files.ts';
import { isAlive, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { stateFile } from './state-dir.ts';

/**
 * The first of these state dirs whose attempt goes on: no outcome, and its supervisor, guardian or worker is alive. By
 * hand, without zod: hot scripts ask before their worker starts.
 */
export function liveAttempt(host: ProcessHost, stateDirs: readonly string[]): string | undefined {
  return stateDirs.find((dir) => {
    if (existsSync(stateFile(dir, 'outcome'))) return false;
    const written = [...identitiesIn(dir), readValue(stateFile(dir, 'guardian'))];
    return written.some((text) => {
      const identity = parseIdentity(text ?? '');
      return identity !== undefined && isAlive(host, identity);
    });
  });
}

function identitiesIn(stateDir: string): string[] {
  try {
    const record: unknown = JSON.parse(readFileSync(stateFile(stateDir, 'unit'), 'utf8'));
    if (typeof record !== 'object' || record === null) return [];
    const { supervisor, worker } = record as Record<string, unknown>;
    return [supervisor, worker].filter((one) => typeof one === 'string');
  } catch {
    // Missing or torn: then the guardian's own file tells.
    return [];
  }
}
