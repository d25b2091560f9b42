import { expect, it } from 'vitest';
import { codex } from '../../scripts-src/executor/codex.ts';
import type { Executor } from '../../scripts-src/executor/types.ts';
import { type TokenSources, toldTokens } from '../../scripts-src/supervise/told-tokens.ts';
import type { TokenCounts } from '../../scripts-src/unit/records.ts';

const counts = (input: number, output = input / 5): TokenCounts => ({
  input,
  cachedInput: 0,
  output,
  reasoningOutput: 0,
});

const startedAt = '2026-11-29T10:00:00.000Z';
const goingOn = (tokensBefore: TokenCounts | null) => ({
  startedAt,
  resumed: { sessionId: 'thread', tokensBefore },
});
const said = (tokens: TokenCounts | undefined, ended: 'completed' | 'failed' | 'silent' = 'completed') => ({
  sessionId: 'thread',
  ...(tokens ? { tokens } : {}),
  ...(ended === 'silent' ? {} : { ended }),
});
const withLog = (tokens: TokenCounts | undefined): Executor => ({
  ...codex,
  sessionLog: () => '/rollout.jsonl',
  tokensInLog: () => tokens,
});

it.each<[string, Partial<TokenSources>, TokenCounts | null, TokenCounts | null]>([
  ['a new thread: all of it', { facts: said(counts(300)) }, counts(300), counts(300)],
  [
    'a thread that went on: what came since',
    { facts: said(counts(500)), record: goingOn(counts(300)) },
    counts(200),
    counts(500),
  ],
  [
    'counts that went down: nothing less than none',
    { facts: said(counts(100)), record: goingOn(counts(300)) },
    counts(0),
    counts(100),
  ],
  [
    'a thread whose earlier counts nobody knows: not known',
    { facts: said(counts(500)), record: goingOn(null) },
    null,
    counts(500),
  ],
  [
    'another thread than the one that was to go on: all of it',
    { facts: { ...said(counts(100)), sessionId: 'new' }, record: goingOn(counts(300)) },
    counts(100),
    counts(100),
  ],
  ['nothing said, no log', { facts: said(undefined, 'silent') }, null, null],
  [
    'killed: what its log holds',
    { facts: said(undefined, 'silent'), executor: withLog(counts(200)) },
    counts(200),
    counts(200),
  ],
  [
    'killed in its second turn: its log knows more',
    { facts: said(counts(100), 'silent'), executor: withLog(counts(250)) },
    counts(250),
    counts(250),
  ],
  [
    'failed without counts anywhere but in its stream',
    { facts: said(counts(100), 'failed'), executor: withLog(undefined) },
    counts(100),
    counts(100),
  ],
  [
    'killed after a resume: its log less what went before',
    { facts: said(undefined, 'silent'), executor: withLog(counts(450)), record: goingOn(counts(300)) },
    counts(150),
    counts(450),
  ],
  [
    'a worker that counts its own process only',
    {
      facts: said(counts(200)),
      executor: { ...codex, countsAttemptOnly: true },
      record: goingOn(counts(300)),
    },
    counts(200),
    counts(500),
  ],
])('%s', (_title, sources, tokens, threadTokens) => {
  const executor: Executor = { ...codex, sessionLog: () => undefined };
  const all = { executor, record: { startedAt }, facts: said(undefined), environment: {}, ...sources };
  expect(toldTokens(all)).toEqual({ tokens, threadTokens });
});
