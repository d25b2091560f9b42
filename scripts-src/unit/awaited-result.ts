import { existsSync } from 'node:fs';
import { type FileStamp, stampOf } from '../platform/files.ts';
import { isAlive, type ProcessId, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { judgeLanding, type Landing, type LandingFacts, WAITING } from './landing.ts';
import { type Clocks, createQuietFile } from './quiet-file.ts';
import type { OutcomeRecord } from './records.ts';
import { findClaim, isHeld, type ResultClaim } from './result-claim.ts';
import { isFallback, resultStateOf } from './result-file.ts';
import { stateFile } from './state-dir.ts';

/** How often the claim on a file that is not there is looked up: only a warning depends on it. */
const CLAIM_PAUSE_MS = 30_000;

/** What waiting for a result needs of the world. */
export interface ResultSurroundings {
  host(): ProcessHost;
  clocks: Clocks;
  readOutcome(stateDir: string): OutcomeRecord | undefined;
  /** One line for people. */
  warn(line: string): void;
  windowSeconds: number;
}

/** One result file that is waited for. */
export interface AwaitedResult {
  /** Reads what it needs and judges; warns once of each thing. Throws PrunError for a record of a newer schema. */
  look(): Landing;
  /** State dir of the attempt that supervises, or supervised, the path, as far as known. */
  stateDir(): string | undefined;
}

/** Waits for one result file, supervised or not. Reads only. */
export function createAwaitedResult(file: string, name: string, world: ResultSurroundings): AwaitedResult {
  const { clocks } = world;
  const quiet = createQuietFile(clocks);
  const warned = new Set<string>();
  let claim: ResultClaim | undefined;
  let holder: ProcessId | undefined;
  let claimAtMs = Number.NEGATIVE_INFINITY;

  function look(): Landing {
    // Nobody else can claim the path while its dispatcher lives, so that is all there is to know.
    if (claim && holder && !hasOutcome(claim) && isAlive(world.host(), holder)) return WAITING;
    const stamp = existsSync(file) && resultStateOf(file) === 'text' ? stampOf(file) : undefined;
    const nowMs = clocks.nowMs();
    if (stamp || nowMs >= claimAtMs + CLAIM_PAUSE_MS) {
      claim = findClaim(file);
      holder = claim && parseIdentity(claim.holder);
      claimAtMs = nowMs;
    }
    const facts: LandingFacts = {
      hasText: stamp !== undefined,
      quietMs: stamp ? quiet.quietMs(stamp) : 0,
      supervision: claim ? supervisionOf(claim, stamp) : 'none',
    };
    const landing = judgeLanding(facts, world.windowSeconds, nowMs);
    if (landing.landed && isFallback(file)) {
      world.warn(`${name} is a FALLBACK: the worker wrote no result file`);
    }
    return landing;
  }

  function supervisionOf(by: ResultClaim, stamp: FileStamp | undefined): LandingFacts['supervision'] {
    // The outcome is the cheaper question, and while there is none the holder is asked before it is asked again: a
    // dispatcher writes its outcome before it ends.
    if (!hasOutcome(by) && isHeld(world.host(), by)) return 'held';
    if (!hasOutcome(by)) {
      // Said also where there is a file: it may be half of one. Old claims whose state dir has gone say nothing.
      if (existsSync(by.stateDir)) warnOnce(by, `its dispatcher died without an outcome: see ${by.stateDir}`);
      return 'none';
    }
    const outcome = world.readOutcome(by.stateDir);
    if (outcome?.result) return isCovered(by, stamp) ? 'ended' : 'none';
    if (!stamp) warnOnce(by, reasonOf(outcome, by));
    return 'none';
  }

  /** A file that is younger than the outcome was written by somebody else since, and may still be written. */
  function isCovered(by: ResultClaim, stamp: FileStamp | undefined): boolean {
    const outcome = stampOf(stateFile(by.stateDir, 'outcome'));
    return stamp !== undefined && outcome !== undefined && BigInt(stamp.mtimeNs) <= BigInt(outcome.mtimeNs);
  }

  function reasonOf(outcome: OutcomeRecord | undefined, by: ResultClaim): string {
    if (!outcome) return `its outcome cannot be read: see ${by.stateDir}`;
    const why = outcome.resultError ?? outcome.detail;
    return `no result was written (${outcome.status}, ${outcome.reason}): ${oneLine(why)}: see ${by.stateDir}`;
  }

  function warnOnce(by: ResultClaim, text: string): void {
    if (warned.has(by.stateDir)) return;
    warned.add(by.stateDir);
    world.warn(`${name}: ${text}`);
  }

  return { look, stateDir: () => claim?.stateDir };
}

function hasOutcome(claim: ResultClaim): boolean {
  return existsSync(stateFile(claim.stateDir, 'outcome'));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
