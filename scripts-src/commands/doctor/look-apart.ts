import path from 'node:path';
import * as z from 'zod/mini';
import { oneLine } from '../../platform/one-line.ts';
import { askProgram } from '../../process/ask-program.ts';
import { CHECKS, type CheckId, type LookAnswer, note, problem } from './finding.ts';

/** Groups of checks that have a process of their own, and what they find. */
export const LOOKS = {
  programs: ['git', 'codex', 'codex-login', 'claude', 'omp'],
  'state-home': ['state-home', 'runs'],
  'temp-folder': ['temp-folder'],
  here: ['repository', 'skill'],
  processes: ['processes'],
} as const satisfies Readonly<Record<string, readonly CheckId[]>>;

/** Name of such a group. */
export type LookName = keyof typeof LOOKS;

/** What a look is told. Paths are absolute. */
export interface LookWish {
  stateHome: string;
  tempFolder: string;
  cwd: string;
  /** The compiled `prun.cjs`. */
  program: string;
  /** Longest wait for one answer, ms. */
  limitMs: number;
}

/** What a look may take longer than one answer, for its start, ms. */
const START_MS = 1000;
/** The same where programs are asked: those that hang are ended first. */
const END_MS = 4000;
const ASKING: readonly LookName[] = ['programs', 'processes'];

/**
 * Has a group of checks made by a process of its own, under a mark. Never rejects and never waits much longer than
 * `limitMs`: a file system that does not answer holds whoever asks it, even at its exit, so it must not be this process.
 */
export async function lookApart(name: LookName, wish: LookWish, mark: string): Promise<LookAnswer> {
  // Not in the current folder: it may be on that file system, and the start would wait for it.
  const { root } = path.parse(process.execPath);
  const { exitCode, stdout, stderr, trouble } = await askProgram(
    [process.execPath, wish.program, 'doctor-look', name, JSON.stringify(wish)],
    {
      environment: process.env,
      cwd: root,
      limitMs: wish.limitMs + (ASKING.includes(name) ? END_MS : START_MS),
      mark,
    },
  );
  const answer = exitCode === 0 ? answerIn(stdout) : undefined;
  if (answer) return answer;
  const why = trouble ?? (oneLine(stderr).slice(0, 200) || `it ended with ${exitCode}`);
  return { findings: LOOKS[name].map((id) => unanswered(id, why, wish)), mostUnits: null };
}

/** What a check says that did not come to its end. */
function unanswered(id: CheckId, why: string, wish: LookWish): LookAnswer['findings'][number] {
  const places: Partial<Record<CheckId, string>> = {
    'state-home': wish.stateHome,
    'temp-folder': wish.tempFolder,
  };
  const place = places[id];
  if (place !== undefined) {
    return problem(id, `${place} gives no answer (${why})`, 'see whether its file system answers (ls, df)');
  }
  return note(id, `it could not be looked at (${why})`, 'prun doctor --timeout 60');
}

function answerIn(text: string): LookAnswer | undefined {
  try {
    const parsed = lookAnswer.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // Cut off, or not of ours: no answer.
    return undefined;
  }
}

const lookAnswer = z.object({
  findings: z.array(
    z.object({
      id: z.enum(CHECKS),
      state: z.enum(['ok', 'note', 'problem']),
      fact: z.string(),
      do: z.nullable(z.string()),
    }),
  ),
  mostUnits: z.nullable(z.number()),
});
