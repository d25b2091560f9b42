import { describe, expect, it } from 'vitest';
import { readVariable, scrubEnvironment } from '../../scripts-src/executor/scrub-environment.ts';

describe('the environment of a worker', () => {
  it.each([
    'CLAUDECODE',
    'CLAUDE_PID',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_EFFORT',
    'claude_code_entrypoint',
    'ANTHROPIC_API_KEY',
    'Anthropic_Auth_Token',
    'AI_AGENT',
    'ai_agent',
    'PRUN_FAULT',
    'PRUN_STALL_THRESHOLD',
    'PRUN_UNIT',
    'CODEX_DISPATCH_SANDBOX',
    'Codex_Dispatch_Timeout',
  ])('has no %s', (name) => {
    expect(scrubEnvironment({ [name]: 'secret', KEEP: '1' }, [], {})).toEqual({ KEEP: '1' });
  });

  it.each([
    'PATH',
    'HOME',
    'CODEX_HOME',
    'CODEX_API_KEY',
    'CODEX_BIN',
    'AI_AGENTS',
    'MY_CLAUDE',
    'RUST_LOG',
    'PRUNE',
  ])('keeps %s', (name) => {
    expect(scrubEnvironment({ [name]: 'x' }, [], {})).toEqual({ [name]: 'x' });
  });

  it('passes what is named, in any case of letters', () => {
    const environment = { ANTHROPIC_API_KEY: 'k', CLAUDECODE: '1' };
    expect(scrubEnvironment(environment, ['anthropic_api_key'], {})).toEqual({ ANTHROPIC_API_KEY: 'k' });
  });

  it('sets its own values over every spelling and over passed names', () => {
    const environment = { Prun_Unit: 'outer', rust_log: 'debug' };
    const set = { PRUN_UNIT: 'inner', RUST_LOG: 'error' };
    expect(scrubEnvironment(environment, ['PRUN_UNIT'], set)).toEqual(set);
  });

  it('skips variables without a value', () => {
    expect(scrubEnvironment({ A: undefined, B: '' }, [], {})).toEqual({ B: '' });
  });

  it.each<[NodeJS.ProcessEnv, string | undefined]>([
    [{ RUST_LOG: 'a', rust_log: 'b' }, 'a'],
    [{ Rust_Log: 'b' }, 'b'],
    [{ RUST_LOG: '' }, ''],
    [{}, undefined],
  ])('reads RUST_LOG of %o as %j', (environment, expected) => {
    expect(readVariable(environment, 'RUST_LOG')).toBe(expected);
  });
});
