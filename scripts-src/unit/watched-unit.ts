import { existsSync } from 'node:fs';
import { isAlive, type ProcessId, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { isGuarded } from './guardian.ts';
import { judgeLegacy, type WatchLimits } from './judge-legacy.ts';
import { judgeOutcome, judgeSupervised, type SupervisedFacts, type Verdict } from './judge-unit.ts';
import { createLegacyUnit, type LegacyUnit } from './legacy-unit.ts';
import type { Clocks } from './quiet-file.ts';
import type { OutcomeRecord, ProgressRecord, UnitRecord } from './records.ts';
import { type StateFile, stateFile } from './state-dir.ts';

/** The readers of the JSON files (unit/read-records.ts), injected because they come late: zod loads slowly. */
export interface RecordReaders {
  readUnitRecord(stateDir: string): UnitRecord | undefined;
  readOutcome(stateDir: string): OutcomeRecord | undefined;
  readProgress(stateDir: string): ProgressRecord | undefined;
}

/** What a watched unit needs of the world. `host` is asked anew for each look, so that one table serves many. */
export interface UnitSurroundings {
  host(): ProcessHost;
  clocks: Clocks;
  readers: RecordReaders;
  limits: WatchLimits;
}

/** One state dir under watch. */
export interface WatchedUnit {
  /** Reads what it needs and judges. Throws PrunError for a record of a newer schema. */
  look(): Verdict;
  /** Has a readable unit.json: a supervisor will write an outcome. */
  isSupervised(): boolean;
}

/** The few fields of unit.json that a verdict needs; a thousand whole records would be megabytes. */
interface KnownUnit {
  supervisor: ProcessId | undefined;
  boot: string;
  startedMonotonicMs: number;
  ownThresholdSeconds: number;
  hasWorker: boolean;
}

/** Watches one state dir, whoever made it. Reads only; opens no more files than the verdict depends on. */
export function createWatchedUnit(stateDir: string, world: UnitSurroundings): WatchedUnit {
  const { clocks, readers, limits } = world;
  // Asked for in every look of a thousand units.
  const outcomeFile = stateFile(stateDir, 'outcome');
  let known: KnownUnit | undefined;
  let legacy: LegacyUnit | undefined;
  let final: Verdict | undefined;
  let deadSinceMs: number | undefined;
  let started = false;
  let progressMs = Number.NEGATIVE_INFINITY;

  function look(): Verdict {
    final ??= outcomeVerdict();
    if (final) return final;
    known ??= recall(exists('unit') ? readers.readUnitRecord(stateDir) : undefined);
    return known ? lookAtSupervised(known) : lookAtLegacy();
  }

  function lookAtLegacy(): Verdict {
    legacy ??= createLegacyUnit(stateDir, world.host, clocks);
    const facts = legacy.facts(exists('unit'));
    if (facts.dispatcher === 'dead') final = outcomeVerdict();
    return final ?? judgeLegacy(facts, limits, clocks.nowMs());
  }

  function lookAtSupervised(unit: KnownUnit): Verdict {
    const alive = isRunning(unit.supervisor);
    // The outcome is written before its writer ends: one that is not there now was not there at the death either.
    if (!alive) final = outcomeVerdict();
    if (final) return final;
    return judgeSupervised(factsOf(unit, alive), limits.stallThresholdSeconds, clocks.nowMs());
  }

  function outcomeVerdict(): Verdict | undefined {
    if (!existsSync(outcomeFile)) return undefined;
    const outcome = readers.readOutcome(stateDir);
    return outcome && judgeOutcome(outcome);
  }

  function factsOf(unit: KnownUnit, dispatcherAlive: boolean): SupervisedFacts {
    const nowMs = clocks.nowMs();
    if (!dispatcherAlive) deadSinceMs ??= nowMs;
    started ||= unit.hasWorker || exists('started') || exists('progress');
    const quiet = thresholdPassed(unit, nowMs);
    if (quiet) rememberProgress(unit);
    return {
      outcome: undefined,
      dispatcherAlive,
      guardianAlive: !dispatcherAlive && isGuarded(stateDir, world.host()),
      deadSinceMs: deadSinceMs ?? nowMs,
      lastProgressMs: lastProgressMs(unit),
      ownThresholdSeconds: unit.ownThresholdSeconds,
      reaping: quiet && exists('reapReason'),
      started,
    };
  }

  /** `progress` is read only when the time known so far is too old: it is rewritten far more often than needed. */
  function thresholdPassed(unit: KnownUnit, nowMs: number): boolean {
    const thresholdMs = limits.stallThresholdSeconds * 1000;
    return thresholdMs > 0 && nowMs - lastProgressMs(unit) >= thresholdMs;
  }

  function rememberProgress(unit: KnownUnit): void {
    const progress = readers.readProgress(stateDir);
    // Monotonic times of another boot cannot be compared.
    if (progress && progress.boot === unit.boot) progressMs = Math.max(progressMs, progress.monotonicMs);
  }

  function lastProgressMs(unit: KnownUnit): number {
    return Math.max(progressMs, unit.startedMonotonicMs);
  }

  function exists(file: StateFile): boolean {
    return existsSync(stateFile(stateDir, file));
  }

  function isRunning(id: ProcessId | undefined): boolean {
    return id !== undefined && isAlive(world.host(), id);
  }

  return { look, isSupervised: () => known !== undefined };
}

function recall(record: UnitRecord | undefined): KnownUnit | undefined {
  if (!record) return undefined;
  return {
    supervisor: parseIdentity(record.supervisor),
    boot: record.boot,
    startedMonotonicMs: record.startedMonotonicMs,
    ownThresholdSeconds: record.limits.stallThresholdSeconds,
    hasWorker: record.worker !== null,
  };
}
