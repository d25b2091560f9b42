import path from 'node:path';
import { pinnedStore } from '../../executor/pnpm-pins.ts';
import type { WorkerOptions } from '../../executor/types.ts';
import { wallTime } from '../../platform/clock.ts';
import { usageError } from '../../platform/errors.ts';
import { randomHex } from '../../platform/random.ts';
import { secondsFrom } from '../../platform/whole-seconds.ts';
import { RUN_SCHEMA, type UnitSpec } from '../records.ts';
import { SANDBOXES } from './manifest-schema.ts';

/** What is asked of a unit; what is left out gets its default. Paths are absolute. */
export interface UnitWish {
  id: string;
  executor: UnitSpec['executor'];
  mode: UnitSpec['mode'];
  prompt: string;
  owns?: readonly string[] | undefined;
  after?: readonly string[] | undefined;
  model?: string | undefined;
  effort?: string | undefined;
  sandbox?: UnitSpec['sandbox'] | undefined;
  network?: boolean | undefined;
  isolateMcp?: boolean | undefined;
  codexBin?: string | undefined;
  argv?: readonly string[] | undefined;
  stallThreshold?: number | undefined;
  stallNotice?: number | undefined;
  timeout?: number | undefined;
  maxOutputBytes?: number | undefined;
  resources?: readonly string[] | undefined;
  verifyResources?: readonly string[] | undefined;
  warm?: readonly string[] | undefined;
  setup?: string | undefined;
  verify?: string | undefined;
  retries?: number | undefined;
  passEnv?: readonly string[] | undefined;
  wakeOnFinish?: boolean | undefined;
  workspace?: string | undefined;
  resultFile?: string | undefined;
  told?: Readonly<Record<string, string>> | undefined;
  options?: WorkerOptions | undefined;
}

/** What units get that do not say it themselves. */
export type UnitDefaults = Pick<UnitSpec, 'sandbox' | 'isolateMcp' | 'codexBin' | 'reasoningEffort'> & {
  stallThreshold: number;
  timeout: number;
};

/** When nobody ends a quiet unit, somebody must hear of it, seconds. */
const NOTICE_SECONDS = 600;
const MAX_OUTPUT_BYTES = 1024 ** 3;
const STALL_SECONDS = 600;

/** The limits of a unit that are not the usual ones, as the manifest has them: `stallThreshold=30`. */
export function unusualLimits({ limits, executor }: Pick<UnitSpec, 'limits' | 'executor'>): string[] {
  const { stallThresholdSeconds, stallNoticeSeconds, timeoutSeconds, maxOutputBytes } = limits;
  const timeout = timeoutSeconds === 0 ? [] : [`timeout=${timeoutSeconds}`];
  // Nothing is seen of a subagent but its result.
  if (executor === 'session') return timeout;
  const usualNotice = stallThresholdSeconds > 0 ? 0 : NOTICE_SECONDS;
  return [
    ...(stallThresholdSeconds === STALL_SECONDS ? [] : [`stallThreshold=${stallThresholdSeconds}`]),
    ...(stallNoticeSeconds === usualNotice ? [] : [`stallNotice=${stallNoticeSeconds}`]),
    ...timeout,
    ...(maxOutputBytes === MAX_OUTPUT_BYTES ? [] : [`maxOutput=${maxOutputBytes}`]),
  ];
}

/**
 * Defaults by the environment of the caller, as `dispatch-task` takes them: what the unit says wins. Throws a usage error
 * that names the variable. A relative CODEX_BIN is taken from `cwd`.
 */
export function unitDefaults(environment: NodeJS.ProcessEnv, cwd: string): UnitDefaults {
  const seconds = (variable: string, fallback: number): number =>
    secondsFrom({ flag: variable, variable, fallback }, undefined, environment);
  const isolateMcp = environment.CODEX_DISPATCH_ISOLATE_MCP !== 'off';
  return {
    stallThreshold: seconds('PRUN_STALL_THRESHOLD', STALL_SECONDS),
    timeout: seconds('CODEX_DISPATCH_TIMEOUT', 0),
    sandbox: sandboxFrom(environment.CODEX_DISPATCH_SANDBOX),
    isolateMcp,
    codexBin: environment.CODEX_BIN ? programFrom(environment.CODEX_BIN, cwd) : null,
    reasoningEffort: environment.CODEX_DISPATCH_REASONING || null,
  };
}

/** A program's name as it is, for a look into PATH; a relative path of one from `folder`. */
export function programFrom(name: string, folder: string): string {
  // What begins with a placeholder is known when the unit starts.
  const isPath = /[\\/]/.test(process.platform === 'win32' ? name : name.replaceAll('\\', ''));
  return isPath && !name.startsWith('{') ? path.resolve(folder, name) : name;
}

/** The line of `units.jsonl` for a unit. */
export function newSpec(wish: UnitWish, defaults: UnitDefaults): UnitSpec {
  const isCodex = wish.executor === 'codex';
  const isolateMcp = wish.isolateMcp ?? defaults.isolateMcp;
  const stallThresholdSeconds = wish.stallThreshold ?? defaults.stallThreshold;
  const told = toldTo(wish);
  const options = setOptions(wish.options);
  return {
    schema: RUN_SCHEMA,
    id: wish.id,
    token: randomHex(16),
    addedAt: wallTime(),
    executor: wish.executor,
    mode: wish.mode,
    prompt: wish.prompt,
    owns: [...(wish.owns ?? [])],
    after: [...new Set(wish.after ?? [])],
    model: wish.model ?? null,
    // Without the user's configuration codex has no effort of its own.
    reasoningEffort:
      wish.effort ?? (isCodex ? (defaults.reasoningEffort ?? (isolateMcp ? 'xhigh' : null)) : null),
    sandbox: isCodex ? (wish.sandbox ?? defaults.sandbox) : null,
    network: wish.network ?? null,
    isolateMcp,
    codexBin: isCodex ? (wish.codexBin ?? defaults.codexBin) : null,
    argv: [...(wish.argv ?? [])],
    limits: {
      stallThresholdSeconds,
      timeoutSeconds: wish.timeout ?? defaults.timeout,
      maxOutputBytes: wish.maxOutputBytes ?? MAX_OUTPUT_BYTES,
      // A unit that will be ended is told then: one hang is one event.
      stallNoticeSeconds: wish.stallNotice ?? (stallThresholdSeconds > 0 ? 0 : NOTICE_SECONDS),
    },
    resources: [...new Set(wish.resources ?? [])],
    ...((wish.verifyResources ?? []).length > 0
      ? { verifyResources: [...new Set(wish.verifyResources)] }
      : {}),
    warm: [...(wish.warm ?? [])],
    setup: wish.setup ?? null,
    verify: wish.verify ?? null,
    retries: wish.retries ?? 0,
    passEnv: [...new Set(wish.passEnv ?? [])],
    wakeOnFinish: wish.wakeOnFinish ?? false,
    workspace: wish.workspace ?? null,
    resultFile: wish.resultFile ?? null,
    ...(Object.keys(told).length > 0 ? { told } : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
  };
}

/** The store is pinned for setup and check of the unit, too: another one would not fit what the worker installs. */
function toldTo({ told, options }: UnitWish): Record<string, string> {
  const store = options?.pnpmStore;
  return { ...told, ...(store === undefined ? {} : pinnedStore(store)) };
}

/** Only what was asked for: what is off, empty or without a limit is left out. */
function setOptions(options: WorkerOptions = {}): WorkerOptions {
  const isSet = (value: unknown): boolean =>
    value !== undefined && value !== false && value !== 0 && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(options).filter(([, value]) => isSet(value)));
}

function sandboxFrom(value: string | undefined): UnitSpec['sandbox'] {
  if (!value) return null;
  const found = SANDBOXES.find((sandbox) => sandbox === value);
  if (found) return found;
  throw usageError(`CODEX_DISPATCH_SANDBOX is ${JSON.stringify(value)}`, `use ${SANDBOXES.join(', ')}`);
}
