import { describe, expect, it } from 'vitest';
import { claude } from '../../scripts-src/executor/claude.ts';
import type { CommandRequest } from '../../scripts-src/executor/types.ts';

function command(change: Partial<CommandRequest> = {}) {
  return claude.command({
    binary: '/bin/claude',
    marker: 'outer/inner',
    lastMessageFile: '/state/last-message',
    resultFile: '/results/result.md',
    unit: 'inner',
    workdir: '/work',
    promptFile: '/state/prompt',
    sandbox: 'danger-full-access',
    isolate: true,
    environment: {},
    passEnv: [],
    ...change,
  });
}

const STREAM = ['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'];

describe('the command line of claude', () => {
  it('says its permissions, its model and that nothing of the user\u2019s counts', () => {
    expect(command().argv).toEqual([
      '/bin/claude',
      ...STREAM,
      ...['--model', 'sonnet', '--permission-mode', 'bypassPermissions'],
      ...['--strict-mcp-config', '--setting-sources', 'project,local'],
    ]);
  });

  it('takes the user\u2019s settings, another model, an effort and a session where they are asked for', () => {
    const { argv } = command({ isolate: false, model: 'opus', reasoningEffort: 'high', resume: 'an-id' });
    expect(argv.slice(6)).toEqual([
      ...['--model', 'opus', '--permission-mode', 'bypassPermissions'],
      ...['--effort', 'high', '--resume', 'an-id'],
    ]);
  });

  it('may write the result in a mode that asks, and a mode of the unit\u2019s own wins', () => {
    const mode = (change: Partial<CommandRequest>): string[] => {
      const { argv } = command(change);
      return [
        argv[argv.indexOf('--permission-mode') + 1] ?? '',
        ...argv.filter((word) => word.startsWith('--add-dir')),
      ];
    };
    expect(mode({ sandbox: 'workspace-write' })).toEqual(['bypassPermissions']);
    expect(mode({ sandbox: 'read-only' })).toEqual(['dontAsk', '--add-dir=/results']);
    expect(mode({ options: { permissionMode: 'acceptEdits' } })).toEqual([
      'acceptEdits',
      '--add-dir=/results',
    ]);
  });

  it('keeps nothing of a session where that is asked for', () => {
    expect(command({ options: { ephemeral: true } }).argv).toContain('--no-session-persistence');
  });

  it('gives a schema as one word, and refuses one that no command line takes', () => {
    const schema = (outputSchemaText: string) => command({ options: { outputSchemaText } }).argv;
    const argv = schema('{\n  "type": "object"\n}\n');
    expect(argv[argv.indexOf('--json-schema') + 1]).toBe('{"type":"object"}');
    expect(() => schema('{')).toThrow('the output schema is no JSON');
    expect(() => schema(JSON.stringify({ title: 'x'.repeat(130_000) }))).toThrow(
      'is longer than 120000 characters',
    );
  });
});

describe('the environment of claude', () => {
  it('has what it needs to sign in, and nothing else of the host session', () => {
    const { environment } = command({
      environment: {
        PATH: '/bin',
        HTTPS_PROXY: 'p',
        AWS_REGION: 'r',
        IS_SANDBOX: '1',
        ANTHROPIC_API_KEY: 'k',
        ANTHROPIC_AUTH_TOKEN: 't',
        ANTHROPIC_BASE_URL: 'u',
        CLAUDE_CODE_OAUTH_TOKEN: 'o',
        CLAUDE_CONFIG_DIR: 'c',
        CLAUDE_CODE_USE_BEDROCK: '1',
        CLAUDECODE: '1',
        CLAUDE_PID: '1',
        CLAUDE_EFFORT: 'max',
        CLAUDE_CODE_SESSION_ID: 's',
        CLAUDE_CODE_ENTRYPOINT: 'cli',
        CLAUDE_CODE_SSE_PORT: '1',
        AI_AGENT: 'x',
        ANTHROPIC_MODEL: 'opus',
        PRUN_UNIT: 'outer',
        PRUN_STATE_HOME: 'h',
        CLAUDE_MINE: 'm',
      },
      passEnv: ['CLAUDE_MINE'],
      told: { PRUN_PORT: '4000' },
    });
    expect(environment).toEqual({
      PATH: '/bin',
      HTTPS_PROXY: 'p',
      AWS_REGION: 'r',
      IS_SANDBOX: '1',
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_AUTH_TOKEN: 't',
      ANTHROPIC_BASE_URL: 'u',
      CLAUDE_CODE_OAUTH_TOKEN: 'o',
      CLAUDE_CONFIG_DIR: 'c',
      CLAUDE_CODE_USE_BEDROCK: '1',
      CLAUDE_MINE: 'm',
      PRUN_PORT: '4000',
      PRUN_UNIT: 'outer/inner',
    });
  });

  it('has an account by its home, its keys and its server, which holds no key', () => {
    const account = claude.account({ HOME: '/h', ANTHROPIC_API_KEY: 'secret' });
    expect(account).toMatch(/^[0-9a-f]{8}$/);
    expect(claude.account({ HOME: '/x', CLAUDE_CONFIG_DIR: '/h/.claude', ANTHROPIC_API_KEY: 'secret' })).toBe(
      account,
    );
    const others = [
      { HOME: '/h', ANTHROPIC_API_KEY: 'other' },
      { HOME: '/h', ANTHROPIC_API_KEY: 'secret', ANTHROPIC_BASE_URL: 'u' },
      { HOME: '/g', ANTHROPIC_API_KEY: 'secret' },
      { HOME: '/h', CLAUDE_CODE_OAUTH_TOKEN: 'secret' },
    ];
    for (const other of others) expect(claude.account(other)).not.toBe(account);
  });

  it.each([
    ['claude', true],
    ['/usr/lib/claude', true],
    ['claude.exe', true],
    ['C:\\bin\\claude.exe', true],
    ['node', false],
    ['claude-code-helper', false],
    ['bash', false],
  ])('%s is its own process: %s', (name, isOwn) => {
    expect(claude.isOwnProcess(name)).toBe(isOwn);
  });
});
