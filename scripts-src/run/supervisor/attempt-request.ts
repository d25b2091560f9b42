import { existsSync, readFileSync } from 'node:fs';
import { executorByName } from '../../executor/by-name.ts';
import type { Executor } from '../../executor/types.ts';
import { resolveProgram } from '../../platform/resolve-program.ts';
import type { RunAttemptRequest } from '../../supervise/launch-attempt.ts';
import type { CheckSlots } from '../../supervise/running-unit.ts';
import { stateFile } from '../../unit/state-dir.ts';
import { returnForm } from '../prompt/return-contract.ts';
import { wholePrompt } from '../prompt/whole-prompt.ts';
import { contextFileOf, defaultResultFile, promptFileOf, type Run, runFile } from '../run-folder.ts';
import { type KnownUnit, promptOf } from '../unit-specs.ts';
import type { ProvidedWorkspace } from './provide-workspace.ts';
import type { ResumedSession } from './resumed-session.ts';
import type { LastEnd } from './supervision.ts';
import type { UnitLeases } from './unit-leases.ts';

const VERIFY_LIMIT_SECONDS = 1800;

/** What an attempt begins with. */
export interface AttemptStart {
  attempt: number;
  workspace: ProvidedWorkspace;
  /** The caller's. */
  environment: NodeJS.ProcessEnv;
  /** What became of the attempt before it, null where it is the first or nothing is to be said. */
  earlier: LastEnd | null;
  /** The session that goes on, undefined where it begins anew. */
  session: ResumedSession | undefined;
  /** What its attempts before have used, in and out together. */
  tokensUsed: number;
  leases: UnitLeases;
}

/** All that a unit's worker is started and supervised with. */
export function attemptRequest(
  { record, folder }: Run,
  known: KnownUnit,
  { attempt, workspace, environment, earlier, session, tokensUsed, leases }: AttemptStart,
): RunAttemptRequest {
  const { spec } = known;
  const run = { folder };
  const resultFile = spec.resultFile ?? defaultResultFile(run, spec.id);
  const executor = executorByName(spec.executor === 'session' ? 'command' : spec.executor);
  const name = programOf(spec, executor, environment);
  const told = { ...spec.told, ...leases.toldTo(spec.id) };
  const anew = freshPrompt({ record, folder }, known, resultFile, workspace, earlier);
  return {
    unit: spec.id,
    attempt,
    promptFor: (stateDir) => session?.promptFor(resultFile, stateDir) ?? anew(stateDir),
    isResultShared: spec.resultFile !== null,
    watched: workspace.watched,
    promptFile: promptFileOf(run, spec.id),
    resultFile,
    stateHome: runFile(run, 'attempts'),
    cwd: folder,
    workdir: workspace.folder,
    limits: { ...limitsOf(spec, session), ...tokensLeft(spec, tokensUsed) },
    outerMarker: record.outerMarker ?? undefined,
    executorName: spec.executor,
    executor,
    program: resolveProgram(name, record.repository ?? folder, environment),
    resumed: session?.resumed,
    command: {
      sandbox: spec.sandbox ?? (spec.mode === 'worktree' ? 'workspace-write' : 'danger-full-access'),
      ...networkOf(spec),
      ...(spec.reasoningEffort === null ? {} : { reasoningEffort: spec.reasoningEffort }),
      ...(spec.model === null ? {} : { model: spec.model }),
      isolate: spec.isolateMcp,
      environment,
      passEnv: spec.passEnv,
      ...(Object.keys(told).length > 0 ? { told } : {}),
      args: spec.argv.slice(1),
      resume: session?.resumed.sessionId,
      options: spec.options,
    },
    onPublished: (stateDir, marker) => leases.keptBy(spec.id, stateDir, marker),
    ...wishOf(spec, leases),
  };
}

function limitsOf(
  { limits }: KnownUnit['spec'],
  session: ResumedSession | undefined,
): KnownUnit['spec']['limits'] {
  return { ...limits, timeoutSeconds: session?.timeoutSeconds ?? limits.timeoutSeconds };
}

/** A unit that has used up its tokens is given as many again: somebody has asked for that attempt. */
function tokensLeft({ options }: KnownUnit['spec'], used: number): { maxTokens?: number } {
  const limit = options?.tokenLimit ?? 0;
  if (limit === 0) return {};
  return { maxTokens: used < limit ? limit - used : limit };
}

/** What the supervisor of an attempt must know beyond its record: an adopting one asks again. */
export function wishOf(
  { id, resources, verify, verifyResources = [], passEnv, told = {}, limits }: KnownUnit['spec'],
  leases: UnitLeases,
): Pick<RunAttemptRequest, 'verify' | 'stallNoticeSeconds'> {
  const slots: CheckSlots | undefined =
    verifyResources.length === 0 && !resources.some(leases.isMachineWide)
      ? undefined
      : {
          hold: (stop) => leases.holdForCheck(id, verifyResources, stop),
          keptBy: (pid) => leases.keptByCheck(id, pid),
          told: () => leases.toldTo(id),
          giveBack: () => leases.endCheck(id),
        };
  return {
    verify:
      verify === null
        ? undefined
        : { command: verify, timeoutSeconds: VERIFY_LIMIT_SECONDS, passEnv, told, slots },
    stallNoticeSeconds: limits.stallNoticeSeconds,
  };
}

/** The prompt of a worker that begins anew, given its state dir. The files are read now, while the attempt is prepared. */
function freshPrompt(
  run: Pick<Run, 'record' | 'folder'>,
  known: KnownUnit,
  resultFile: string,
  workspace: ProvidedWorkspace,
  earlier: LastEnd | null,
): (stateDir: string) => string {
  const { spec } = known;
  const context = contextOf(run.folder);
  const task = promptOf(run, known);
  return (stateDir) =>
    wholePrompt({
      run: run.record.id,
      unit: spec.id,
      mode: spec.mode,
      sharesTree: spec.sharesTree,
      executor: spec.executor,
      resultFile,
      workspace: workspace.folder ?? null,
      baseNote: workspace.baseNote,
      owns: spec.owns,
      context,
      prompt: task,
      ports: workspace.ports,
      verify: spec.verify,
      form: returnForm(spec.options, stateDir),
      earlier: earlier && whereItIs(earlier, resultFile, stateDir),
    });
}

/** What an attempt has left is moved into the state dir of the next one: that is where a worker finds it. */
function whereItIs(earlier: LastEnd, resultFile: string, stateDir: string) {
  const { attempt, reason, detail } = earlier;
  const patch = earlier.stateDir === null ? null : stateFile(earlier.stateDir, 'patch');
  return {
    ...{ attempt, reason, detail },
    resultFile: existsSync(resultFile) ? stateFile(stateDir, 'previousResult') : null,
    patch: patch !== null && existsSync(patch) ? patch : null,
  };
}

/** The program that a unit's worker is, as it is looked up. */
function programOf(spec: KnownUnit['spec'], { program }: Executor, environment: NodeJS.ProcessEnv): string {
  if (program === null) return spec.argv[0] ?? '';
  return spec.codexBin ?? spec.options?.bin ?? environment[program.variable] ?? program.name;
}

/** Units in a worktree have network unless somebody switched it off (DESIGN.md §5). */
function networkOf(spec: KnownUnit['spec']): { network?: boolean } {
  if (spec.network !== null) return { network: spec.network };
  return spec.mode === 'worktree' ? { network: true } : {};
}

function contextOf(folder: string): { file: string; text: string } | null {
  const file = contextFileOf({ folder });
  try {
    return { file, text: readFileSync(file, 'utf8') };
  } catch {
    // The run has none.
    return null;
  }
}
