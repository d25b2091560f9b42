import { existsSync, readFileSync } from 'node:fs';
import { readOutcome, readUnitRecord } from '../../unit/read-records.ts';
import type { UnitRecord } from '../../unit/records.ts';
import { stateFile } from '../../unit/state-dir.ts';
import { lastWorkspace } from '../last-workspace.ts';
import { resumedPrompt } from '../prompt/resumed-prompt.ts';
import { returnForm } from '../prompt/return-contract.ts';
import type { Resumption } from '../records.ts';
import { tokensBefore } from '../resumable.ts';
import type { Run } from '../run-folder.ts';
import type { KnownUnit } from '../unit-specs.ts';

/** A session that goes on in an attempt which is about to be started. */
export interface ResumedSession {
  /** The folder that it goes on in (absolute). */
  folder: string;
  resumed: NonNullable<UnitRecord['resumed']>;
  /** See Resumption. */
  timeoutSeconds: number | undefined;
  promptFor(resultFile: string, stateDir: string): string;
}

/**
 * What a session goes on with: read from the state dir of the attempt that it comes from, and looked at once more,
 * because it may have waited for long. A text says why it cannot go on.
 */
export function resumedSession(
  run: Run,
  { spec }: KnownUnit,
  { sessionId, stateDir, promptFile, timeoutSeconds }: Resumption,
): ResumedSession | string {
  const record = readUnitRecord(stateDir);
  if (!record)
    return `its session cannot go on, the record in ${stateDir} cannot be read: prun retry begins anew`;
  const workspace = lastWorkspace(run, spec, { stateDir, record });
  if (workspace.kind === 'gone') return `its session cannot go on, ${workspace.why}: prun retry begins anew`;
  const outcome = readOutcome(stateDir);
  const { folder } = workspace;
  return {
    ...{ folder, timeoutSeconds },
    resumed: { sessionId, tokensBefore: tokensBefore(record, outcome) },
    promptFor: (resultFile, ownStateDir) =>
      resumedPrompt({
        run: run.record.id,
        unit: spec.id,
        mode: spec.mode,
        resultFile,
        verify: spec.verify,
        form: returnForm(spec.options, ownStateDir),
        workspace: folder,
        last: {
          attempt: record.attempt,
          status: outcome?.status ?? 'interrupted',
          reason: outcome?.reason ?? 'interrupted',
          detail: outcome?.detail ?? '',
        },
        lastResult: existsSync(resultFile) ? stateFile(ownStateDir, 'previousResult') : null,
        remark: promptFile === null ? null : readFileSync(promptFile, 'utf8'),
      }),
  };
}
