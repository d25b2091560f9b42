import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codexCommand } from '../../scripts-src/executor/codex-command.ts';
import { flagsInHelp, TESTED_CODEX, versionOf } from '../../scripts-src/executor/codex-flags.ts';
import { probeCodex } from '../../scripts-src/executor/codex-probe.ts';
import { readProbe } from '../../scripts-src/executor/codex-probe-cache.ts';
import type { CommandRequest, ProgramProbe } from '../../scripts-src/executor/types.ts';
import { codexPaths } from '../helpers/codex-bin.ts';
import { processesOf } from '../helpers/process-table.ts';

let folder = '';
let stateHome = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'prun probe '));
  stateHome = path.join(folder, 'state');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const EXEC_HELP = `Run Codex non-interactively

Commands:
  resume  Resume a previous session

Options:
  -c, --config <key=value>
  -m, --model <MODEL>
  -s, --sandbox <SANDBOX_MODE>
      --json
          Print events, unlike --no-such-flag, to stdout
  -h, --help
`;

/** A program that answers questions as a codex would, and notes each of them in `calls`. */
function fakeCodex(answers: {
  version?: string;
  help?: string;
  resumeHelp?: string;
  first?: string;
}): string {
  const { version = 'codex-cli 0.80.0', help = EXEC_HELP, resumeHelp = EXEC_HELP, first = '' } = answers;
  for (const [name, text] of Object.entries({ version, help, resumeHelp })) {
    writeFileSync(path.join(folder, name), `${text}\n`);
  }
  const file = path.join(folder, 'codex');
  writeFileSync(
    file,
    `#!/bin/sh
cd '${folder}'
echo "$*" >>calls
${first}
case "$*" in
--version) cat version ;;
"exec --help") cat help ;;
"exec resume --help") cat resumeHelp ;;
*) exit 2 ;;
esac
`,
  );
  chmodSync(file, 0o755);
  return file;
}

const calls = (): string[] => readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n');
const probe = (program: string, limitMs = 10_000): Promise<ProgramProbe | undefined> =>
  probeCodex({ program, stateHome, environment: process.env, limitMs });

describe('a probe', () => {
  it('of the real codex finds every flag that prun gives', async () => {
    const found = await probe(codexPaths().native);
    expect(found?.version).toBe(TESTED_CODEX);
    const request: CommandRequest = {
      ...BASE,
      model: 'm',
      sandbox: 'workspace-write',
      options: { images: ['/i.png'], outputSchema: '/s.json', ephemeral: true, config: ['a=b'] },
    };
    const given = codexCommand(request)
      .argv.filter((word) => /^--?[a-z]/.test(word))
      .map((word) => word.replace(/=.*/, ''));
    expect(given.filter((flag) => !found?.flags.includes(flag))).toEqual([]);
    expect(codexCommand({ ...request, probe: found })).toEqual(codexCommand(request));
    expect(found?.resumeFlags).toEqual(expect.arrayContaining(['--output-schema', '-m', '--json']));
    expect(found?.resumeFlags).not.toContain('--sandbox');
  });

  it('is made once for a version of a program, and kept in a private file', async () => {
    const program = fakeCodex({});
    const found = await probe(program);
    expect(found).toEqual({
      version: '0.80.0',
      flags: ['-c', '--config', '-m', '--model', '-s', '--sandbox', '--json', '-h', '--help'],
      resumeFlags: ['-c', '--config', '-m', '--model', '-s', '--sandbox', '--json', '-h', '--help'],
    });
    expect(await probe(program)).toEqual(found);
    expect(readProbe(stateHome, program)).toEqual(found);
    expect(calls()).toEqual(['--version', 'exec --help', 'exec resume --help', '--version']);
    const probes = path.join(stateHome, 'probes');
    const [file = ''] = readdirSync(probes);
    expect(readdirSync(probes)).toHaveLength(1);
    expect(statSync(path.join(probes, file)).mode & 0o777).toBe(0o600);
    expect(statSync(probes).mode & 0o777).toBe(0o700);
  });

  it('is made anew for a newer program of the same name, and for a newer one behind the same wrapper', async () => {
    const program = fakeCodex({});
    await probe(program);
    writeFileSync(path.join(folder, 'version'), 'codex-cli 0.81.0-alpha.2\n');
    writeFileSync(path.join(folder, 'help'), EXEC_HELP.replace('--json', '--json\n      --brand-new'));
    const found = await probe(program);
    expect(found?.version).toBe('0.81.0-alpha.2');
    expect(found?.flags).toContain('--brand-new');
    expect(readProbe(stateHome, program)).toEqual(found);
    utimesSync(program, 1, 1);
    expect(readProbe(stateHome, program)).toBeUndefined();
  });

  it.each([
    ['is torn', (text: string) => text.slice(0, text.length / 2)],
    ['is empty', () => ''],
    ['is of a newer prun', (text: string) => text.replace('"schema":1', '"schema":2')],
    ['is about another program', (text: string) => text.replace(/"program":"[^"]*"/, '"program":"/other"')],
    ['has flags that are none', (text: string) => text.replace('"--json"', '7')],
  ])('whose record %s counts as not made', async (_, damaged) => {
    const program = fakeCodex({});
    await probe(program);
    const probes = path.join(stateHome, 'probes');
    const file = path.join(probes, readdirSync(probes)[0] ?? '');
    writeFileSync(file, damaged(readFileSync(file, 'utf8')));
    expect(readProbe(stateHome, program)).toBeUndefined();
    expect((await probe(program))?.version).toBe('0.80.0');
    expect(readProbe(stateHome, program)?.version).toBe('0.80.0');
  });

  it('of a program that is no codex asks nothing but the version, and finds nothing', async () => {
    expect(await probe(fakeCodex({ version: 'GNU bash, version 5.2' }))).toBeUndefined();
    expect(calls()).toEqual(['--version']);
    expect(await probe(path.join(folder, 'absent'))).toBeUndefined();
    expect(await probe(folder)).toBeUndefined();
  });

  it('of a codex without sessions that go on says so', async () => {
    const found = await probe(fakeCodex({ help: EXEC_HELP.replace(/^ {2}resume.*$/m, '') }));
    expect(found?.resumeFlags).toBeNull();
  });

  it('of a program that hangs ends with all that it has started, a daemon among it', async () => {
    const word = `71${process.pid}`;
    const first = `sleep ${word} & (trap '' TERM INT HUP; setsid sh -c 'sleep ${word}; true' >/dev/null 2>&1 &); sleep ${word}`;
    expect(await probe(fakeCodex({ first }), 500)).toBeUndefined();
    expect(processesOf({ word: `sleep ${word}` })).toEqual([]);
  });

  it('does not wait for a daemon that holds its output, and ends it', async () => {
    const word = `72${process.pid}`;
    const found = await probe(fakeCodex({ first: `setsid sleep ${word} & true` }));
    expect(found?.version).toBe('0.80.0');
    expect(processesOf({ word: `sleep ${word}` })).toEqual([]);
  });

  it('that cannot be kept is still an answer', async () => {
    writeFileSync(stateHome, 'a file where a folder belongs');
    expect((await probe(fakeCodex({})))?.version).toBe('0.80.0');
  });
});

const BASE: CommandRequest = {
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

describe('an older codex', () => {
  const old: ProgramProbe = { version: '0.60.0', flags: flagsInHelp(EXEC_HELP), resumeFlags: null };
  const argvOf = (change: Partial<CommandRequest>): string[] =>
    codexCommand({ ...BASE, probe: old, ...change }).argv;

  it('is not given what it does not know and prun can live without', () => {
    const argv = argvOf({ sandbox: 'workspace-write', options: { pnpmStore: '/store' } });
    const flags = argv.filter((word) => word.startsWith('-') && word !== '-');
    expect(flags.filter((flag) => !old.flags.includes(flag))).toEqual([]);
    expect(argv).toContain('sandbox_workspace_write.writable_roots=["/results","/store"]');
    expect(argv.at(-1)).toBe('-');
  });

  it.each<[string, Partial<CommandRequest>, string]>([
    [
      'a schema',
      { options: { outputSchema: '/s.json' } },
      '--output-schema, and its answer is to have a schema',
    ],
    ['a structured result', { options: { structured: true } }, '--output-schema, and its answer'],
    [
      'a session that leaves nothing',
      { options: { ephemeral: true } },
      '--ephemeral, and nothing is to be kept',
    ],
    ['images', { options: { images: ['/i.png'] } }, '--image, and it is to see images'],
    ['a session that goes on', { resume: 'id' }, 'resume, and its session is to go on'],
  ])('says what it lacks for %s', (_, change, says) => {
    const plain = new RegExp(`^codex 0\\.60\\.0 has no exec ${says}`);
    expect(() => argvOf(change)).toThrow(plain);
    expect(() => codexCommand({ ...BASE, ...change })).not.toThrow();
  });

  it('without events or a sandbox is refused, too', () => {
    const flags = old.flags.filter((flag) => flag !== '--json');
    expect(() => argvOf({ probe: { ...old, flags } })).toThrow('has no exec --json');
  });
});

it.each([
  ['codex-cli 0.171.0', '0.171.0'],
  ['warning: old config\ncodex-cli 0.172.0-alpha.1\n', '0.172.0-alpha.1'],
  ['codex-cli-exec 0.171.0', '0.171.0'],
  ['codex 1.0.0', '1.0.0'],
  ['codexify 1.0.0', undefined],
  ['1.0.0', undefined],
  ['', undefined],
])('the version in %j is %s', (answer, version) => expect(versionOf(answer)).toBe(version));

it('a folder for probes that is there already is used', async () => {
  mkdirSync(path.join(stateHome, 'probes'), { recursive: true });
  expect((await probe(fakeCodex({})))?.version).toBe('0.80.0');
});
