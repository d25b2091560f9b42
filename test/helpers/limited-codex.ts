import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { RunEvent } from '../../scripts-src/run/records.ts';
import { codexHome, writeCodexBin } from './codex-bin.ts';
import { type CodexRequest, type CodexServer, type Instead, startCodexServer } from './codex-server.ts';
import type { RunRoom, StartedRun } from './run-room.ts';

// Units on the real codex whose account meets limits, against a loopback stand-in for its API.

/** A last message that keeps the contract of a result. */
export const ANSWER =
  '# a result\nConclusion: done\nFiles: none (read-only)\nOpen items: none\nVerification: none\n';

/** What the units of a run have beside their prompt, and the run beside its units. */
export interface LimitedWish {
  settings?: Record<string, unknown>;
  unit?: Record<string, unknown>;
  /** Parameters of the stand-in's answers. */
  params?: Record<string, string>;
}

/** An account for all units of a test. */
export interface LimitedCodex {
  /** How its server answers from now on: see CodexServer. Forgotten after each test. */
  instead: CodexServer['instead'];
  /** A codex for all units of a room: one home, one account. */
  bin(room: RunRoom, params?: Record<string, string>): string;
  /** Starts units whose prompts are `Task of <id>.` */
  start(room: RunRoom, units: readonly string[], wish?: LimitedWish): Promise<StartedRun>;
}

/** Opens the stand-in for the tests of this file; call it at the top level. */
export function limitedCodex(): LimitedCodex {
  let running: CodexServer | undefined;
  beforeAll(async () => {
    running = await startCodexServer();
  });
  afterAll(() => running?.close());
  const server = (): CodexServer => {
    if (!running) throw new Error('the stand-in is not running yet');
    return running;
  };
  beforeEach(() => server().instead(undefined));

  function bin(room: RunRoom, params: Record<string, string> = {}): string {
    const folder = path.join(room.folder, 'codex');
    mkdirSync(folder, { recursive: true });
    return writeCodexBin(folder, { port: server().port, case: 'plain', params: { text: ANSWER, ...params } });
  }

  return {
    instead: (pick) => server().instead(pick),
    bin,
    start(room, units, { settings = {}, unit = {}, params = {} } = {}) {
      const codexBin = bin(room, params);
      return room.start(
        units.map((id) => ({ ...taskOf(id, codexBin), ...unit })),
        settings,
        // In codex's own record of the session stands the reset to the second.
        { environment: { CODEX_HOME: codexHome(path.dirname(codexBin)) } },
      );
    },
  };
}

/** A unit of a manifest on that codex. */
export function taskOf(id: string, codexBin: string): { id: string; prompt: string; codexBin: string } {
  return { id, prompt: `Task of ${id}.\n`, codexBin };
}

/** `u1`, `u2`, … */
export function idsOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `u${at + 1}`);
}

/** The unit that a request belongs to, by its prompt. */
export function unitOf({ body }: CodexRequest): string {
  return /Task of (u\d+)\./.exec(JSON.stringify(body?.input ?? []))?.[1] ?? '';
}

/** The answer to a request of an account at its limit, whose reset (ms since 1970) is that many seconds away. */
export function atLimit(seconds: number): { answer: Instead; resetMs: number } {
  const resets = Math.ceil(Date.now() / 1000) + seconds;
  return { answer: { case: 'usage', params: { resets: String(resets) } }, resetMs: resets * 1000 };
}

/** The events of one type. */
export function eventsOf<T extends RunEvent['type']>(
  run: StartedRun,
  type: T,
): Extract<RunEvent, { type: T }>[] {
  return run.events().filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}

/** Events that wake, but for the end of all. */
export function wakes(run: StartedRun): RunEvent[] {
  return run.events().filter((event) => 'wakes' in event && event.wakes);
}
