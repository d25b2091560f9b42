import { describe, expect, it } from 'vitest';
import { executorByName } from '../../scripts-src/executor/by-name.ts';
import { command } from '../../scripts-src/executor/command.ts';
import { fillPlaceholders, type PlaceholderValues } from '../../scripts-src/executor/placeholders.ts';
import type { CommandRequest } from '../../scripts-src/executor/types.ts';

const base: CommandRequest = {
  binary: '/opt/lint',
  marker: 'u-1',
  lastMessageFile: '/state/last-message',
  resultFile: '/results/u 1.md',
  sandbox: 'danger-full-access',
  isolate: true,
  environment: {},
  passEnv: [],
  unit: 'u',
  workdir: '/clones/u',
  promptFile: '/state/prompt',
};
const argvOf = (args: string[]) => command.command({ ...base, args }).argv;

describe('placeholders', () => {
  const values: PlaceholderValues = {
    unit: 'api',
    workdir: '/w {unit}',
    prompt_file: '/p $& $1',
    result_file: '/r',
  };
  it.each<[string, string]>([
    ['{unit}', 'api'],
    ['{unit}{unit}', 'apiapi'],
    ['--out={result_file}', '--out=/r'],
    ['a {prompt_file} b {result_file}', 'a /p $& $1 b /r'],
    ['{workdir}/x', '/w {unit}/x'],
    ['{{unit}}', '{api}'],
    ['{Unit} {unit } { unit} {units}', '{Unit} {unit } { unit} {units}'],
    ['{}', '{}'],
    ['{"unit":1}', '{"unit":1}'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's own syntax
    ['${unit}', '$api'],
    ['{constructor} {toString}', '{constructor} {toString}'],
    ['', ''],
  ])('%j becomes %j', (word, filled) => expect(fillPlaceholders(word, values)).toBe(filled));
});

describe('a command as a worker', () => {
  it('gets its words one by one, whatever is in them', () => {
    const words = ['a b', '', '$HOME; rm -rf /', "it's", '*', '-', '--', 'ü', '{x}'];
    expect(argvOf(words)).toEqual(['/opt/lint', ...words]);
  });

  it('finds prompt, result, unit and folder in its words, and a path with spaces stays one word', () => {
    expect(argvOf(['{prompt_file}', '-o', '{result_file}', '{unit}@{workdir}'])).toEqual([
      '/opt/lint',
      '/state/prompt',
      '-o',
      '/results/u 1.md',
      'u@/clones/u',
    ]);
  });

  it('the program is started as it was found, braces or not', () => {
    expect(command.command({ ...base, binary: '/tools/{unit}', args: [] }).argv).toEqual(['/tools/{unit}']);
  });

  it('sees neither the keys of the host session nor settings of prun, but its marker and what it is told', () => {
    const { environment } = command.command({
      ...base,
      environment: {
        PATH: '/bin',
        ANTHROPIC_API_KEY: 'k',
        CLAUDE_CODE: '1',
        PRUN_STATE_HOME: '/s',
        PRUN_UNIT: 'outer',
        PORT: '80',
        CLAUDE_PASSED: 'yes',
      },
      passEnv: ['CLAUDE_PASSED'],
      told: { PORT: '41000' },
    });
    expect(environment).toEqual({ PATH: '/bin', PORT: '41000', CLAUDE_PASSED: 'yes', PRUN_UNIT: 'u-1' });
  });

  it('keeps its standard error apart, and no line of its output is an event', () => {
    expect(command.command(base).stderr).toBe('own');
    const events = command.events();
    expect(events.read('{"type":"thread.started","thread_id":"x"}')).toBeUndefined();
    expect(events.facts()).toEqual({ structured: false, openCommands: 0 });
  });

  it.each(['command', 'codex'] as const)('%s is found by its name', (name) =>
    expect(executorByName(name).name).toBe(name),
  );
  it('an unknown name is an error', () => expect(() => executorByName('bash')).toThrow('unknown executor'));
});
