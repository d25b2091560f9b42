import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type CodexCase, codexBaseUrl } from './codex-server.ts';

/** What a wrapper is to do. */
export interface CodexBinOptions {
  /** Port of a running stand-in, or of nobody (`closedPort`) for a refused connection. */
  port: number;
  case: CodexCase;
  /** Parameters of the case; any text, shell commands included. */
  params?: Record<string, string>;
  /** Put before prun's own arguments, e.g. `['-m', 'gpt-5.5']` for direct tools instead of code mode. */
  extraArgs?: string[];
  /** The native program instead of npm's Node wrapper: one process less, and the pid is codex's own. */
  native?: boolean;
  /** File name of the wrapper (`codex`). */
  name?: string;
  /** The provider that codex has itself, with the stand-in as its address, in place of one that brings a key. */
  isBuiltIn?: boolean;
  /** Whether `codex login status` says that somebody is logged in (true). The stand-in needs no login. */
  isSignedIn?: boolean;
}

/** One word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The installed codex: npm's wrapper script, and the native program for this machine. */
export function codexPaths(): { wrapper: string; native: string } {
  const from = createRequire(import.meta.url);
  const wrapper = join(dirname(from.resolve('@openai/codex/package.json')), 'bin', 'codex.js');
  const platform = `${process.platform}-${process.arch}`;
  const triples: Record<string, string> = {
    'linux-x64': 'x86_64-unknown-linux-musl',
    'linux-arm64': 'aarch64-unknown-linux-musl',
    'darwin-x64': 'x86_64-apple-darwin',
    'darwin-arm64': 'aarch64-apple-darwin',
  };
  const packaged = createRequire(wrapper).resolve(`@openai/codex-${platform}/package.json`);
  return { wrapper, native: join(dirname(packaged), 'vendor', triples[platform] ?? '', 'bin', 'codex') };
}

/** The CODEX_HOME of a wrapper written to `dir`: give it to `sessionLog`, and to nothing else. */
export function codexHome(dir: string): string {
  return join(dir, 'codex-home');
}

/** Makes a home one with a login, as `codex login --with-api-key` leaves it behind (0.171.0); the key is none. */
export function signIn(home: string): void {
  const auth = { auth_mode: 'apikey', OPENAI_API_KEY: 'test' };
  writeFileSync(join(home, 'auth.json'), JSON.stringify(auth), { mode: 0o600 });
}

/**
 * Writes an executable script to `dir` (absolute, must exist) for CODEX_BIN, and returns its path. It becomes
 * the real codex by `exec`, with its arguments unchanged and the loopback stand-in as provider in front of them.
 * A proxy that refuses everything but loopback keeps the test off the network; codex's own home is in `dir`.
 */
export function writeCodexBin(dir: string, options: CodexBinOptions): string {
  const home = codexHome(dir);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (options.isSignedIn ?? true) signIn(home);
  const url = codexBaseUrl(options.port, options.case, options.params);
  const provider = `{name="mock",base_url="${url}",wire_api="responses",env_key="MOCK_KEY"}`;
  const { wrapper, native } = codexPaths();
  const program = options.native ? [native] : [process.execPath, wrapper];
  const place = options.isBuiltIn
    ? [`openai_base_url="${url}"`]
    : ['model_provider=mock', `model_providers.mock=${provider}`];
  const settings = [...place, 'analytics.enabled=false'];
  const before = settings.flatMap((setting) => ['-c', setting]);
  const words = [...program, ...before, ...(options.extraArgs ?? [])].map(quoted).join(' ');
  const script = `#!/bin/sh
# The real codex against a loopback stand-in (test/helpers/codex-server.ts).
export CODEX_HOME=${quoted(home)} MOCK_KEY=test
export HTTPS_PROXY=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
exec ${words} "$@"
`;
  const path = join(dir, options.name ?? 'codex');
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}
