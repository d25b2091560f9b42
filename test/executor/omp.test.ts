import { describe, expect, it } from 'vitest';
import { omp } from '../../scripts-src/executor/omp.ts';
import type { CommandRequest } from '../../scripts-src/executor/types.ts';

function command(change: Partial<CommandRequest> = {}) {
  return omp.command({
    binary: '/bin/omp',
    marker: 'outer/inner',
    lastMessageFile: '/state/last-message',
    resultFile: '/results/result.md',
    unit: 'inner',
    workdir: '/work',
    promptFile: '/a state/prompt',
    sandbox: 'danger-full-access',
    isolate: true,
    environment: { GEMINI_API_KEY: 'g', ANTHROPIC_API_KEY: 'a', PATH: '/bin', CLAUDECODE: '1' },
    passEnv: [],
    ...change,
  });
}

describe('omp', () => {
  it('is given the prompt by its file and nothing on stdin, no session, and every approval', () => {
    const { argv, stdin } = command();
    expect(argv).toEqual(['/bin/omp', '-p', '--no-session', '--auto-approve', '@/a state/prompt']);
    expect(stdin).toBe('nothing');
  });

  it('takes a model and a thinking level', () => {
    const { argv } = command({ model: 'gemini-3-pro', reasoningEffort: 'high' });
    expect(argv.slice(4)).toEqual(['--model', 'gemini-3-pro', '--thinking', 'high', '@/a state/prompt']);
  });

  it("sees a provider's key, and of the host session only what is passed on", () => {
    expect(command().environment).toEqual({ GEMINI_API_KEY: 'g', PATH: '/bin', PRUN_UNIT: 'outer/inner' });
    const { environment } = command({ passEnv: ['ANTHROPIC_API_KEY'] });
    expect(environment.ANTHROPIC_API_KEY).toBe('a');
  });

  it('has an account by its home and its keys, which holds no key', () => {
    const account = omp.account({ HOME: '/h', GEMINI_API_KEY: 'secret' });
    expect(account).toMatch(/^[0-9a-f]{8}$/);
    expect(omp.account({ HOME: '/h', GEMINI_API_KEY: 'secret' })).toBe(account);
    expect(omp.account({ HOME: '/h', GEMINI_API_KEY: 'other' })).not.toBe(account);
    expect(omp.account({ HOME: '/g', GEMINI_API_KEY: 'secret' })).not.toBe(account);
  });

  it.each([
    ['Error: unknown flag: --auto-approve', 'bad-flags'],
    ['Working...\nNo API key found for google. Set GEMINI_API_KEY or run omp and use /login.', 'login'],
    ['429 {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}', 'rate-limit'],
    ['API key not valid. Please pass a valid API key. 400 INVALID_ARGUMENT', 'auth'],
    ['503 UNAVAILABLE: The model is overloaded. Please try again later.', 'overloaded'],
    ['\u001b[31mError: fetch failed\u001b[39m', 'network'],
    ['Model "nonsense" not found', 'model-gone'],
  ])('%s', (stderr, reason) => {
    const facts = omp.events().facts();
    expect(omp.failureAtEnd?.({ exitCode: 1, stderr, facts })?.reason).toBe(reason);
    expect(omp.failureAtEnd?.({ exitCode: 0, stderr, facts })).toBeUndefined();
  });

  it.each([
    'Something else',
    "fatal: Authentication failed for 'https://github.com/a/b'\nError: the push failed",
    'remote: 403 Forbidden',
    'npm error code E401\nnpm ERR! 401 Unauthorized',
    'curl: (22) The requested URL returned error: 429',
  ])('knows nothing of other words, and of what other programs say: %s', (stderr) => {
    const facts = omp.events().facts();
    expect(omp.failureAtEnd?.({ exitCode: 1, stderr, facts })).toBeUndefined();
  });
});
