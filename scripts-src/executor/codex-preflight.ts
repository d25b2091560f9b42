import { accessSync, constants, statSync } from 'node:fs';
import { stampOf } from '../platform/files.ts';
import { codexAccount, codexHomeOf } from './codex-account.ts';
import { loginState, needsNoLogin } from './codex-login.ts';
import { probeCodex } from './codex-probe.ts';
import type { CommandRequest, ProgramProbe } from './types.ts';

/** Why a worker is not started: it could do nothing, and would take its time to find that out. */
export interface PreflightTrouble {
  /** `spawn`: the program itself cannot work here. */
  reason: 'login' | 'spawn';
  /** One line for people, with what to do. */
  detail: string;
}

/** What is known of a codex before its worker is started. */
export interface Preflight {
  /** undefined: it gave no answer to questions, and is taken for the tested version. */
  probe: ProgramProbe | undefined;
  trouble: PreflightTrouble | undefined;
}

/** Which codex is asked, and for what worker. */
export type PreflightRequest = Pick<CommandRequest, 'environment' | 'isolate' | 'options'> & {
  /** Absolute; it is there and can be executed. */
  program: string;
};

/** How long an answer holds, ms. A missing login is asked for again each time. */
const HOLDS_MS = 10 * 60_000;

/**
 * Makes the function that looks at a codex before its workers are started: version and flags, login, home. Each question
 * is asked once in ten minutes for a program and an account, however many units wait for the answer; what was found in
 * order holds so long. It never rejects, and blocks nothing meanwhile.
 */
export function createPreflight(options: {
  stateHome: string;
  /** See AskOptions. */
  mark?: string | undefined;
  now: () => number;
}): (request: PreflightRequest) => Promise<Preflight> {
  const { stateHome, mark, now } = options;
  const probes = keepAnswers<ProgramProbe | undefined>(now, () => true);
  const logins = keepAnswers<PreflightTrouble | undefined>(now, (trouble) => trouble === undefined);
  return async (request) => {
    const { program, environment } = request;
    const question = { program, environment, mark };
    const file = `${program}\0${stampOf(program)?.mtimeNs}`;
    const account = `${file}\0${codexAccount(environment)}`;
    const [probe, trouble] = await Promise.all([
      probes(file, () => probeCodex({ ...question, stateHome })),
      needsNoLogin(request) ? undefined : logins(account, () => loginTrouble(question)),
    ]);
    return { probe, trouble: trouble ?? homeTrouble(environment) };
  };
}

/** Answers by their question: one that is being found is shared, one that is good holds for a time. */
function keepAnswers<T>(
  now: () => number,
  isGood: (answer: T) => boolean,
): (question: string, find: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, { answer: Promise<T>; untilMs: number }>();
  return (question, find) => {
    const found = kept.get(question);
    if (found && now() < found.untilMs) return found.answer;
    const answer = find();
    kept.set(question, { answer, untilMs: now() + HOLDS_MS });
    void answer.then((value) => {
      if (!isGood(value) && kept.get(question)?.answer === answer) kept.delete(question);
    });
    return answer;
  };
}

async function loginTrouble(
  question: Parameters<typeof loginState>[0],
): Promise<PreflightTrouble | undefined> {
  const state = await loginState(question);
  if (state.kind === 'out') {
    return {
      reason: 'login',
      detail: `codex is not signed in (${state.said}): run codex login, set CODEX_API_KEY, or name another provider (config: model_provider=…)`,
    };
  }
  if (state.kind === 'unknown' && /\bCODEX_HOME\b/.test(state.said)) {
    return { reason: 'spawn', detail: `codex cannot be used here: ${state.said}` };
  }
  // No answer that can be used is no reason to start nothing.
  return undefined;
}

function homeTrouble(environment: NodeJS.ProcessEnv): PreflightTrouble | undefined {
  const home = unwritableHome(environment);
  return home === undefined
    ? undefined
    : {
        reason: 'spawn',
        detail: `codex cannot write its home ${home}: make it writable, or set CODEX_HOME to another one that has its login`,
      };
}

/**
 * The home of a codex with this environment where it is there and cannot be written, else undefined: codex keeps its
 * sessions there and ends at once where it cannot. One that is not there it makes.
 */
export function unwritableHome(environment: NodeJS.ProcessEnv): string | undefined {
  const home = codexHomeOf(environment);
  if (!statSync(home, { throwIfNoEntry: false })) return undefined;
  try {
    accessSync(home, constants.W_OK);
    return undefined;
  } catch {
    return home;
  }
}
