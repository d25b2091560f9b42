import { describe, expect, it } from 'vitest';
import { codexCommand, tomlString } from '../../scripts-src/executor/codex-command.ts';
import type { CommandRequest } from '../../scripts-src/executor/types.ts';

const base: CommandRequest = {
  binary: '/opt/codex',
  marker: 'u-1',
  lastMessageFile: '/state/last-message',
  resultFile: '/results/u-1.md',
  sandbox: 'danger-full-access',
  isolate: true,
  environment: {},
  passEnv: [],
  unit: 'u',
  workdir: '/work',
  promptFile: '/state/prompt',
};

const argvOf = (change: Partial<CommandRequest>): string[] => codexCommand({ ...base, ...change }).argv;
const settingsOf = (change: Partial<CommandRequest>): string[] =>
  argvOf(change).flatMap((word, i, all) => (all[i - 1] === '-c' ? [word] : []));

describe('the command line of codex', () => {
  it('tells worker and commands their ports and workspace, whatever the user has set', () => {
    const environment = { PORT: '80', Path: '/bin', PRUN_WORKSPACE: '/outer' };
    const told = { PORT: '41000', PRUN_WORKSPACE: '/a "b"' };
    expect(codexCommand({ ...base, environment, told }).environment).toMatchObject({
      ...told,
      PRUN_UNIT: 'u-1',
    });
    expect(settingsOf({ told })).toEqual(
      expect.arrayContaining([
        'shell_environment_policy.set.PORT="41000"',
        'shell_environment_policy.set.PRUN_WORKSPACE="/a \\"b\\""',
      ]),
    );
  });

  it('starts with the program, exec and the sandbox, and ends with the dash for stdin', () => {
    const argv = argvOf({});
    const start = [
      '/opt/codex',
      'exec',
      '--json',
      '-o',
      '/state/last-message',
      '--sandbox',
      'danger-full-access',
    ];
    expect(argv.slice(0, 8)).toEqual([...start, '--skip-git-repo-check']);
    expect(argv.at(-1)).toBe('-');
  });

  it.each<[string, Partial<CommandRequest>, string[], string[]]>([
    ['isolation', {}, ['--ignore-user-config'], []],
    ['no isolation', { isolate: false }, [], ['--ignore-user-config']],
    ['a model', { model: 'gpt-5.5' }, ['-m', 'gpt-5.5'], []],
    ['no model', {}, [], ['-m']],
    ['workspace-write', { sandbox: 'workspace-write' }, ['--add-dir', '/results'], []],
    ['read-only', { sandbox: 'read-only' }, ['read-only'], ['--add-dir']],
    ['full access', {}, [], ['--add-dir']],
    [
      'images, each as one word, and nothing that it would take for another one after them',
      { options: { images: ['/a.png', '/b c.png'] } },
      ['--image=/a.png', '--image=/b c.png'],
      ['/a.png'],
    ],
    [
      'images that a session which goes on has seen',
      { resume: 'id', options: { images: ['/a.png'] } },
      ['resume'],
      ['--image=/a.png'],
    ],
    ['a schema', { options: { outputSchema: '/s.json' } }, ['--output-schema', '/s.json'], []],
    ['no session file', { options: { ephemeral: true } }, ['--ephemeral'], []],
    [
      'a store of pnpm in a sandbox',
      { sandbox: 'workspace-write', options: { pnpmStore: '/store' } },
      ['/store', '--add-dir', 'shell_environment_policy.set.pnpm_config_store_dir="/store"'],
      [],
    ],
    [
      'a store of pnpm without a sandbox',
      { options: { pnpmStore: '/store' } },
      ['shell_environment_policy.set.npm_config_store_dir="/store"'],
      ['--add-dir'],
    ],
  ])('%s', (_title, change, has, hasNot) => {
    const argv = argvOf(change);
    expect(argv).toEqual(expect.arrayContaining(has));
    for (const word of hasNot) expect(argv).not.toContain(word);
  });

  it.each<[string, Partial<CommandRequest>, string[]]>([
    [
      'isolated',
      {},
      [
        'features.default_mode_request_user_input=false',
        'analytics.enabled=false',
        'shell_environment_policy.set.PRUN_UNIT="u-1"',
        'shell_environment_policy.exclude=["RUST_LOG"]',
      ],
    ],
    [
      'with the user config, whose exclude list must survive',
      { isolate: false },
      [
        'features.default_mode_request_user_input=false',
        'shell_environment_policy.set.PRUN_UNIT="u-1"',
        'shell_environment_policy.set.RUST_LOG=""',
      ],
    ],
    [
      "with the user's own RUST_LOG, which commands go on to see",
      { environment: { RUST_LOG: 'my_app="debug"' } },
      [
        'features.default_mode_request_user_input=false',
        'analytics.enabled=false',
        'shell_environment_policy.set.PRUN_UNIT="u-1"',
        'shell_environment_policy.set.RUST_LOG="my_app=\\"debug\\""',
      ],
    ],
  ])('settings: %s', (_title, change, expected) => {
    expect(settingsOf(change)).toEqual(expected);
  });

  it.each<[Partial<CommandRequest>, string | undefined]>([
    [{ reasoningEffort: 'xhigh' }, 'model_reasoning_effort=xhigh'],
    [{ sandbox: 'workspace-write', network: true }, 'sandbox_workspace_write.network_access=true'],
    [{ sandbox: 'workspace-write', network: false }, 'sandbox_workspace_write.network_access=false'],
  ])('%o sets %s', (change, expected) => {
    expect(settingsOf(change)).toContain(expected);
  });

  it("gives the unit's own settings after those that they may replace, and before those that hold", () => {
    const options = {
      config: ['model_reasoning_effort="low"', 'sandbox_workspace_write.network_access=true'],
    };
    const off = settingsOf({ sandbox: 'workspace-write', reasoningEffort: 'xhigh', network: false, options });
    expect(off.filter((setting) => /effort|network/.test(setting))).toEqual([
      'model_reasoning_effort=xhigh',
      ...options.config,
      'sandbox_workspace_write.network_access=false',
    ]);
    const on = settingsOf({ sandbox: 'workspace-write', network: true, options });
    expect(on.filter((setting) => /network/.test(setting)).at(-1)).toBe(options.config[1]);
    const marked = settingsOf({ options: { config: ['shell_environment_policy.set.PRUN_UNIT="x"'] } });
    expect(marked.filter((setting) => setting.includes('PRUN_UNIT')).at(-1)).toContain('"u-1"');
  });

  it("leaves the unit's own policy for variables as it is", () => {
    const options = { config: ['shell_environment_policy.exclude=["X"]'] };
    expect(settingsOf({ options })).not.toContain('shell_environment_policy.exclude=["RUST_LOG"]');
    expect(settingsOf({ options })).toContain('shell_environment_policy.set.RUST_LOG=""');
  });

  it('leaves effort and network to the config when they are not asked for', () => {
    const all = settingsOf({ sandbox: 'workspace-write' }).join(' ');
    expect(all).not.toMatch(/effort|network/);
    expect(settingsOf({ network: true }).join(' ')).not.toContain('network');
  });

  it.each([
    ['plain', '"plain"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['line\nend\x7f\x01', '"line\\nend\\u007f\\u0001"'],
    ['ümläut', '"ümläut"'],
  ])('quotes %j for TOML', (text, expected) => {
    expect(tomlString(text)).toBe(expected);
  });

  it('marks the process itself, asks for the trace and gives stderr a file of its own', () => {
    const { environment, stderr } = codexCommand({
      ...base,
      environment: { PRUN_UNIT: 'outer', PATH: '/bin' },
    });
    expect(environment.PRUN_UNIT).toBe('u-1');
    expect(environment.RUST_LOG).toContain('codex_app_server::outgoing_message=trace');
    expect(environment.PATH).toBe('/bin');
    expect(stderr).toBe('own');
  });

  it('does not change the environment that it was given', () => {
    const environment = Object.freeze({ CLAUDECODE: '1', PATH: '/bin' });
    expect(() => codexCommand({ ...base, environment })).not.toThrow();
  });
});
