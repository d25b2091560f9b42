import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type AnthropicCase, anthropicBaseUrl } from './anthropic-server.ts';

/** What a wrapper is to do. */
export interface ClaudeBinOptions {
  /** Port of a running stand-in, or of nobody for a refused connection. */
  port: number;
  case: AnthropicCase;
  /** Parameters of the case; any text, shell commands included. */
  params?: Record<string, string>;
  /** A subscription's token instead of an API key: limits are told with their reset then. */
  subscription?: boolean;
  /** No key at all. */
  noKey?: boolean;
  /** Tries of a refused request after the first (1): ten take minutes. */
  retries?: number;
  /** Root may not bypass permissions unless it says that the machine is a sandbox. Default: it says so. */
  isSandbox?: boolean;
  /** File name of the wrapper (`claude`). */
  name?: string;
}

/** One word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The installed claude: the native program for this machine. */
export function claudeProgram(): string {
  const from = createRequire(import.meta.url);
  const main = from.resolve('@anthropic-ai/claude-code/package.json');
  const packaged = createRequire(main).resolve(
    `@anthropic-ai/claude-code-${process.platform}-${process.arch}/package.json`,
  );
  return join(dirname(packaged), process.platform === 'win32' ? 'claude.exe' : 'claude');
}

/** The CLAUDE_CONFIG_DIR of a wrapper written to `dir`: give it to `sessionLog`, and to nothing else. */
export function claudeHome(dir: string): string {
  return join(dir, 'claude-home');
}

/** What a worker must see of the caller's environment for the wrapper's own: nothing but the sign-in that it sets. */
function variables(dir: string, options: ClaudeBinOptions): Record<string, string> {
  const proxy = 'http://127.0.0.1:9';
  const key = options.subscription
    ? { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-test' }
    : { ANTHROPIC_API_KEY: 'test' };
  return {
    CLAUDE_CONFIG_DIR: claudeHome(dir),
    // Otherwise it leaves a folder for each session in the system's own.
    CLAUDE_CODE_TMPDIR: dir,
    ANTHROPIC_BASE_URL: anthropicBaseUrl(options.port, options.case, options.params),
    ...(options.noKey ? {} : key),
    ...(options.isSandbox === false ? {} : { IS_SANDBOX: '1' }),
    CLAUDE_CODE_MAX_RETRIES: String(options.retries ?? 1),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    HTTPS_PROXY: proxy,
    https_proxy: proxy,
    HTTP_PROXY: proxy,
    http_proxy: proxy,
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
  };
}

/**
 * Writes an executable script to `dir` (absolute, must exist) for CLAUDE_BIN, and returns its path. It becomes the real
 * claude by `exec`, with its arguments unchanged, its home in `dir` and the loopback stand-in as its server. A proxy that
 * refuses everything but loopback keeps the test off the network.
 */
export function writeClaudeBin(dir: string, options: ClaudeBinOptions): string {
  mkdirSync(claudeHome(dir), { recursive: true, mode: 0o700 });
  const sets = Object.entries(variables(dir, options)).map(([name, value]) => `${name}=${quoted(value)}`);
  const script = `#!/bin/sh
# The real claude against a loopback stand-in (test/helpers/anthropic-server.ts).
export ${sets.join(' ')}
exec ${quoted(claudeProgram())} "$@"
`;
  const path = join(dir, options.name ?? 'claude');
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}
