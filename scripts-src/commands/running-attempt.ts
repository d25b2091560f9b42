import { existsSync } from 'node:fs';
import path from 'node:path';
import { readValue } from '../platform/files.ts';
import { currentHost } from '../process/host.ts';
import { isAlive, parseIdentity } from '../process/identity.ts';
import { readUnitRecord } from '../unit/read-records.ts';
import { stateFile } from '../unit/state-dir.ts';
import { UNIT_FILES, unitFolder, type WorkspaceSet } from '../workspace/workspace-set.ts';

/**
 * State dir of the attempt that works in a unit's workspace now, or undefined when none does: its supervisor, guardian
 * or worker is alive and there is no outcome.
 */
export async function runningAttempt(set: WorkspaceSet, unit: string): Promise<string | undefined> {
  const noted = readValue(path.join(unitFolder(set, unit), UNIT_FILES.attempts)) ?? '';
  const open = noted
    .split('\n')
    .filter((dir) => path.isAbsolute(dir) && existsSync(dir) && !existsSync(stateFile(dir, 'outcome')));
  if (open.length === 0) return undefined;
  const host = await currentHost();
  return open.find((dir) => {
    const record = readUnitRecord(dir);
    const guardian = readValue(stateFile(dir, 'guardian'));
    return [record?.supervisor, record?.worker, guardian].some((written) => {
      const identity = parseIdentity(written ?? '');
      return identity !== undefined && isAlive(host, identity);
    });
  });
}
