import { missingFlag, missingFlagText, TESTED_CODEX, takesFlag } from '../../executor/codex-flags.ts';
import { createPreflight } from '../../executor/codex-preflight.ts';
import { storeTrouble } from '../../executor/pnpm-store.ts';
import type { ProgramProbe } from '../../executor/types.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { RunAttemptRequest } from '../../supervise/launch-attempt.ts';
import { setsFolder } from '../../workspace/workspace-set.ts';
import type { PlainEnd } from './end-of-unit.ts';
import type { Supervision } from './supervision.ts';
import { endMarked, supervisorMark } from './supervisor-mark.ts';

/** A worker that can be started, with what is known of its program; or how its unit ends without one. */
export type Readiness =
  | { kind: 'ready'; probe: ProgramProbe | undefined }
  /** Not one that a retry would mend. */
  | { kind: 'not'; end: PlainEnd };

/**
 * Looks whether a worker could work at all, before it is started: a codex that nobody is logged in to would try for ever
 * (FACTS-codex.md, Install and start). Most answers are known from the unit before. A question without an answer keeps
 * nobody from starting. Programs that are not there are left to the start itself. `stop`: no answer is waited for any more.
 */
export function readyWorker(
  supervision: Supervision,
  request: RunAttemptRequest,
  stop: AbortSignal,
): Promise<Readiness> {
  const stopped = new Promise<Readiness>((resolve) => {
    stop.addEventListener('abort', () => resolve({ kind: 'ready', probe: undefined }), { once: true });
  });
  const asked = asking.get(supervision) ?? new Set();
  asking.set(supervision, asked);
  const answer = look(supervision, request).finally(() => asked.delete(answer));
  asked.add(answer);
  return Promise.race([answer, stopped]);
}

/** Questions under way. */
const asking = new WeakMap<Supervision, Set<Promise<Readiness>>>();

/** Ends what a cancelled unit's questions have started and has not answered yet: the supervisor is about to go. */
export async function endQuestions(supervision: Supervision): Promise<void> {
  if ((asking.get(supervision)?.size ?? 0) === 0) return;
  await endMarked(supervision.host, supervisorMark(supervision.view.run));
}

async function look(supervision: Supervision, request: RunAttemptRequest): Promise<Readiness> {
  const { executor, program, command } = request;
  if (executor.name !== 'codex' || request.executorName !== 'codex' || program.kind !== 'found') {
    return { kind: 'ready', probe: undefined };
  }
  const { probe, trouble } = await preflightOf(supervision)({ program: program.path, ...command });
  if (trouble) return notReady(trouble.reason, trouble.detail);
  const missing = probe && missingFlag({ ...command, probe });
  if (missing) return notReady('bad-flags', missingFlagText(missing, probe).join(': '));
  const store = command.options?.pnpmStore;
  const storeDetail =
    store === undefined ? undefined : await storeTrouble(storeRequest(supervision, request, store));
  if (storeDetail !== undefined) return notReady('workspace', storeDetail);
  noteLostIsolation(supervision, request, probe);
  return { kind: 'ready', probe };
}

function notReady(reason: PlainEnd['reason'], detail: string): Readiness {
  return { kind: 'not', end: { status: 'failed', reason, detail } };
}

const preflights = new WeakMap<Supervision, ReturnType<typeof createPreflight>>();

function preflightOf(supervision: Supervision): ReturnType<typeof createPreflight> {
  const known = preflights.get(supervision);
  if (known) return known;
  const { run } = supervision.view;
  // A successor ends what a supervisor left behind by this mark.
  const made = createPreflight({
    stateHome: run.stateHome,
    mark: supervisorMark(run),
    now: monotonicMs,
  });
  preflights.set(supervision, made);
  return made;
}

function storeRequest(
  { view }: Supervision,
  { program, workdir, command }: RunAttemptRequest,
  store: string,
): Parameters<typeof storeTrouble>[0] {
  const { run } = view;
  const { repository, integration } = run.record;
  const kept = [
    ...(repository === null ? [] : [{ path: repository, what: 'the repository' }]),
    ...(integration
      ? [
          { path: integration.repository, what: 'the repository' },
          { path: integration.worktree, what: 'the integration worktree' },
        ]
      : []),
    { path: setsFolder(run.stateHome), what: 'the workspaces of runs' },
    { path: run.folder, what: 'the folder of the run' },
  ];
  const { sandbox, environment, passEnv } = command;
  const workspace = workdir ?? run.folder;
  const mark = supervisorMark(run);
  return {
    ...{ store, workspace, kept, sandbox, environment, passEnv, mark },
    config: command.options?.config ?? [],
    program: program.kind === 'found' ? program.path : '',
  };
}

const warned = new WeakMap<Supervision, Set<string>>();

/** An older codex works with the user's configuration and MCP servers in: somebody must know. */
function noteLostIsolation(
  supervision: Supervision,
  { command }: RunAttemptRequest,
  probe: ProgramProbe | undefined,
): void {
  if (!probe || !command.isolate || takesFlag({ probe }, '--ignore-user-config')) return;
  const told = warned.get(supervision) ?? new Set();
  warned.set(supervision, told);
  if (told.has(probe.version)) return;
  told.add(probe.version);
  const text = `codex ${probe.version} has no --ignore-user-config: its workers see the user's configuration and MCP servers (${TESTED_CODEX} keeps them out)`;
  supervision.emit({ type: 'note', text, wakes: false });
}
