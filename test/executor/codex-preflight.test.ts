import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPreflight, type PreflightRequest } from '../../scripts-src/executor/codex-preflight.ts';
import { codexPaths, signIn } from '../helpers/codex-bin.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'prun preflight '));
  mkdirSync(home());
});
afterEach(() => {
  chmodSync(home(), 0o700);
  rmSync(folder, { recursive: true, force: true });
});
const home = (): string => path.join(folder, 'home');

function preflight(now: () => number = () => 0) {
  return createPreflight({ stateHome: path.join(folder, 'state'), now });
}

/** The real codex, with a home of its own and no key. */
function request(change: Partial<PreflightRequest> = {}): PreflightRequest {
  const { CODEX_API_KEY: _, ...rest } = process.env;
  return {
    program: codexPaths().native,
    isolate: true,
    ...change,
    environment: { ...rest, CODEX_HOME: home(), ...change.environment },
  };
}

/** A program that answers with this shell text, and counts its answers. */
function fake(text: string): string {
  const file = path.join(folder, 'codex');
  writeFileSync(file, `#!/bin/sh\necho "$*" >>'${folder}/calls'\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

const calls = (word: string): number =>
  readFileSync(path.join(folder, 'calls'), 'utf8')
    .split('\n')
    .filter((line) => line.includes(word)).length;

describe('before a start, the real codex', () => {
  it('without a login is not started, and says what to do', async () => {
    const { trouble, probe } = await preflight()(request());
    expect(trouble).toEqual({
      reason: 'login',
      detail: expect.stringMatching(/^codex is not signed in \(Not logged in\): run codex login, /),
    });
    expect(probe?.version).toMatch(/^\d/);
  });

  it('with a login is started', async () => {
    signIn(home());
    expect(await preflight()(request())).toMatchObject({ trouble: undefined, probe: { version: /./ } });
  });

  it.each<[string, Partial<PreflightRequest>, string?]>([
    ['a key in the environment', { environment: { CODEX_API_KEY: 'x' } }],
    ['a provider of its own', { options: { config: ['a=b', 'model_provider="azure"'] } }],
    [
      "the user's own provider, whose configuration is not left out",
      { isolate: false },
      'model = "m"\nmodel_provider = "local"\n',
    ],
  ])('needs no login with %s', async (_, change, config) => {
    if (config !== undefined) writeFileSync(path.join(home(), 'config.toml'), config);
    expect((await preflight()(request(change))).trouble).toBeUndefined();
  });

  it.each<[string, Partial<PreflightRequest>, string?]>([
    [
      "a provider of the user's that is left out",
      {},
      'model_provider = "local"\n[model_providers.local]\nname = "local"\nbase_url = "http://127.0.0.1:9"\n',
    ],
    ["OpenAI's as the provider", { isolate: false, options: { config: ['model_provider=openai'] } }],
    ['a provider that is only described', { options: { config: ['model_providers.x={name="x"}'] } }],
  ])('needs a login with %s', async (_, change, config) => {
    if (config !== undefined) writeFileSync(path.join(home(), 'config.toml'), config);
    expect((await preflight()(request(change))).trouble?.reason).toBe('login');
  });

  it('with a home that is not there is not started', async () => {
    const { trouble } = await preflight()(
      request({ environment: { CODEX_HOME: path.join(folder, 'none') } }),
    );
    expect(trouble).toMatchObject({ reason: 'spawn', detail: expect.stringContaining('does not exist') });
    expect(existsSync(path.join(folder, 'none'))).toBe(false);
  });

  it.skipIf(process.getuid?.() === 0)('with a home that it cannot write is not started', async () => {
    signIn(home());
    chmodSync(home(), 0o500);
    const { trouble } = await preflight()(request());
    expect(trouble).toMatchObject({
      reason: 'spawn',
      detail: expect.stringContaining('cannot write its home'),
    });
  });
});

describe('the answers', () => {
  const IN = 'case "$1" in --version) echo "codex-cli 0.1.0";; login) exit 0;; esac; exit 2';

  it('are asked for once, however many units wait, and again after ten minutes', async () => {
    let now = 0;
    const look = preflight(() => now);
    const program = fake(IN);
    await Promise.all(Array.from({ length: 20 }, () => look(request({ program }))));
    await look(request({ program }));
    expect([calls('--version'), calls('login status')]).toEqual([1, 1]);
    now = 601_000;
    await look(request({ program }));
    expect([calls('--version'), calls('login status')]).toEqual([2, 2]);
  });

  it('are asked for again for another account, and while nobody is logged in', async () => {
    const look = preflight();
    const program = fake(
      `case "$1" in --version) echo "codex-cli 0.1.0";; login) [ -e '${folder}/in' ] && exit 0; echo "Not logged in" >&2; exit 1;; esac`,
    );
    expect((await look(request({ program }))).trouble?.reason).toBe('login');
    expect((await look(request({ program }))).trouble?.reason).toBe('login');
    writeFileSync(path.join(folder, 'in'), '');
    expect((await look(request({ program }))).trouble).toBeUndefined();
    expect(calls('login status')).toBe(3);
    mkdirSync(path.join(folder, 'other'));
    await look(request({ program, environment: { CODEX_HOME: path.join(folder, 'other') } }));
    expect([calls('--version'), calls('login status')]).toEqual([1, 4]);
  });

  it('that say nothing keep nobody from starting', async () => {
    const program = fake('echo "unknown command" >&2; exit 2');
    expect(await preflight()(request({ program }))).toEqual({ probe: undefined, trouble: undefined });
  });
});
