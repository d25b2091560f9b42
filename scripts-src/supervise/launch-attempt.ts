import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { faultPoint } from '../platform/fault.ts';
import { PRIVATE_DIR, writeAtomic } from '../platform/files.ts';
import { createFamily } from '../process/family.ts';
import { formatIdentity, identityOf } from '../process/identity.ts';
import { stateFile } from '../unit/state-dir.ts';
import { keepTripwire } from '../workspace/tripwire/kept-tripwire.ts';
import { type Tripwire, takeTripwire } from '../workspace/tripwire/tripwire.ts';
import { noteAttempt, workspaceOf } from '../workspace/workspace-of.ts';
import {
  describeAttempt,
  discardAttempt,
  fillDraft,
  makeDraft,
  prepareAttempt,
  publishAttempt,
  rewriteUnitRecord,
} from './attempt.ts';
import { buildCommand, refuseIfClaimed } from './dispatch.ts';
import { cancellable } from './interruption.ts';
import { spawnFailure, startWorker } from './launch.ts';
import { setPreviousResultAside } from './previous-result.ts';
import type { DispatchRequest, SupervisedUnit } from './running-unit.ts';
import { type AttemptContext, type LiveAttempt, superviseAttempt } from './supervised-attempt.ts';

/** One attempt as a run's supervisor asks for it. */
export interface RunAttemptRequest
  extends Omit<DispatchRequest, 'guardian' | 'prun' | 'contain' | 'outerMarker' | 'prompt'> {
  /** The prompt, which may name files of the attempt's state dir (absolute). */
  promptFor(stateDir: string): string;
  /** A repository to be compared before and after, where the work dir is no workspace. */
  watched?: { gitDir: string; commonDir: string } | undefined;
  /** Whether the result lies where another dispatch may write, too, and not in the run's own folder. */
  isResultShared: boolean;
  attempt: number;
  outerMarker: string | undefined;
  verify: SupervisedUnit['verify'];
  /** Called when its state dir is there, before its worker is started; never throws. */
  onPublished?(stateDir: string, marker: string): void;
  /** After how long without progress somebody wants to hear of it, 0 = never: looks are not further apart. */
  stallNoticeSeconds: number;
}

/**
 * Starts one attempt and supervises it to its outcome. Throws where it cannot be prepared (a full disk, a result that
 * cannot be moved aside): then nothing was started and nothing is left.
 */
export function launchAttempt(request: RunAttemptRequest, context: AttemptContext): LiveAttempt {
  const { host } = context;
  const attempt = prepareAttempt(host, request);
  const prompt = Buffer.from(request.promptFor(attempt.stateDir));
  const workspace = request.workdir === undefined ? undefined : workspaceOf(request.workdir);
  attempt.record.base = workspace?.base ?? null;
  const command = buildCommand(request, attempt, workspace);
  const { stateDir, record } = attempt;
  try {
    makeDraft(attempt);
    fillDraft(attempt, { prompt }, command);
    // A worker may have removed the folder: that is no reason to fail those that come after it.
    mkdirSync(path.dirname(request.promptFile), { recursive: true, mode: PRIVATE_DIR });
    writeAtomic(request.promptFile, prompt, { sync: false });
    if (request.isResultShared) refuseIfClaimed(host, request, attempt);
    publishAttempt(attempt);
    faultPoint('run:published', stateDir);
    setPreviousResultAside(request.resultFile, stateDir);
    request.onPublished?.(stateDir, attempt.marker);
  } catch (error) {
    discardAttempt(attempt);
    throw error;
  }
  const source = workspace?.source ?? request.watched;
  const before = source && fingerprint(stateDir, source);
  const worker = startWorker(request.program, {
    stateDir,
    workdir: attempt.workdir,
    command,
    rssMarkKib: attempt.rssMarkKib,
    platform: host.platform,
    guardianPidFile: context.guardianPidFile,
  });
  faultPoint('run:launched', stateDir);
  if (workspace) noteAttempt(workspace, stateDir);
  describeAttempt(attempt);
  const { interruption, cancel } = cancellable();
  const unit: SupervisedUnit = {
    ...{ host, executor: request.executor, prun: context.prun, stateDir, record, interruption, workspace },
    environment: request.command.environment,
    before: Promise.resolve(before),
    by: 'run',
    anybodyLeft: context.look.anybodyLeft,
    verify: request.verify,
  };
  const shim = worker && host.entry(worker.pid);
  record.worker = shim ? formatIdentity(identityOf(host, shim)) : null;
  if (worker) rewriteUnitRecord(stateDir, record);
  faultPoint('run:recorded', stateDir);
  const family = createFamily(attempt.marker, record.rssMark, record.since);
  if (shim) family.members.set(shim.pid, shim);
  const cause = worker ? undefined : spawnFailure(request.program);
  return superviseAttempt(unit, context, {
    worker,
    wasStarted: worker !== undefined,
    stallNoticeSeconds: request.stallNoticeSeconds,
    family,
    cause,
    cancel,
    isAdopted: false,
  });
}

/** A fingerprint of the user's repository, before the worker can change anything. */
function fingerprint(stateDir: string, source: { gitDir: string; commonDir: string }): Tripwire | undefined {
  try {
    const before = takeTripwire(source);
    keepTripwire(stateFile(stateDir, 'repository'), before);
    return before;
  } catch {
    // A full disk: only a successor would need the file. Or nobody may look: then nothing is compared.
    return undefined;
  }
}
