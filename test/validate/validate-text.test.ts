import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { JOB_KEYS } from '../../scripts-src/validate/job-schema.ts';
import {
  STATUS_CODES,
  STATUSES,
  type ValidationResult,
} from '../../scripts-src/validate/validation-records.ts';
import { blocks, commandOf, commands, reference, section, tableRows } from '../helpers/skill-texts.ts';
import { type TextRoom, textRooms } from '../helpers/text-room.ts';
import { waitFor } from '../helpers/wait-for.ts';

// validation.md and ios-validation.md: their jobs and commands as they stand.

const text = reference('validation.md');
const ios = reference('ios-validation.md');
const { newRoom, executed, prunDir } = textRooms();
const built = existsSync(path.join(prunDir, 'scripts/validate-run.cjs')) && process.platform !== 'win32';

const inText = (pattern: RegExp): string => commandOf(text, pattern);
const CLONE = inText(/prun\.cjs clone /);
const HEAD = inText(/rev-parse/);

const PACKAGE = {
  name: 'app',
  version: '1.0.0',
  scripts: {
    build: 'mkdir -p out && echo app >out/app.js',
    smoke: 'test -s out/app.js',
    test: 'test "$CI" = 1',
  },
};

/** A project that has what the jobs of the texts call; `words` name its clone and its commit. */
async function projectIn(side: TextRoom): Promise<Record<string, string>> {
  const lock = {
    name: 'app',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: { '': PACKAGE },
  };
  side.write('package.json', JSON.stringify(PACKAGE));
  side.write('package-lock.json', JSON.stringify(lock));
  for (const name of ['health', 'collect', 'recover']) side.write(`scripts/${name}.mjs`, '');
  side.write('.gitignore', 'out/\nnode_modules/\n');
  await side.git('add', '-A');
  await side.git('commit', '-q', '-m', 'app');
  const told = /^CLONE (.+)$/m.exec(await side.ok(CLONE));
  const words = { '/abs/tree': told?.[1] ?? '' };
  return { ...words, '<commit>': (await side.ok(HEAD, words)).trim() };
}

function resultOf(side: TextRoom, folder: string): ValidationResult {
  return JSON.parse(side.read(`${folder}/result.json`)) as ValidationResult;
}

describe.runIf(built)('validation.md, as it stands', () => {
  it('validates, takes the build over, under a slot, and its evidence agrees as long as its inputs do', async () => {
    const side = await newRoom();
    const words = await projectIn(side);
    const [job = ''] = blocks(text, 'json');
    side.write('agent-io/job.json', side.real(job, words));
    await side.ok(inText(/--output agent-io\/evidence-1$/), words);
    expect(resultOf(side, 'agent-io/evidence-1')).toMatchObject({
      status: 'passed',
      commit: words['<commit>'],
    });
    const order = resultOf(side, 'agent-io/evidence-1').steps.map(({ stage }) => stage);
    expect(section(text, 'Order')).toContain(`\n${order.join(' → ')}\n`);
    await side.ok(inText(/--reuse-build/), words);
    expect(resultOf(side, 'agent-io/evidence-2').reused).not.toBeNull();
    await side.ok(inText(/--resource heavy -- .*evidence-3$/), words);
    expect(resultOf(side, 'agent-io/evidence-3').status).toBe('passed');
    await side.ok(inText(/--list$/));
    const verify = inText(/--verify-evidence/);
    expect(JSON.parse(await side.ok(verify)).evidence).toBe('agrees');
    side.write('scripts/health.mjs', 'process.exit(1);\n', words['/abs/tree']);
    expect((await side.run(verify)).code).toBe(3);
  });

  it('a run validates its merged results', async () => {
    const side = await newRoom();
    await projectIn(side);
    const unit = {
      id: 'one',
      executor: 'command',
      argv: ['sh', '-c', 'echo 1 >one.txt; echo done'],
      prompt: 'one',
    };
    side.write('prun.yaml', JSON.stringify({ repo: '.', units: [unit] }));
    side.write('agent-io/run-job.json', JSON.stringify({ smoke: ['test', '-s', 'one.txt'], test: ['true'] }));
    await side.ok(inText(/--validate/));
    const told = await side.ok('node <prun>/scripts/prun.cjs wait --run items-1');
    const evidence = path.join(side.runFolder('items-1'), 'validation/1/result.json');
    expect(told).toContain('UNIT validation succeeded(ok) passed: ');
    expect(told).toContain(`log=${evidence}`);
    expect(section(text, 'In a run: --validate')).toContain('log=…/validation/<attempt>/result.json');
  });

  it('interactive work holds a slot until release is made', async () => {
    const side = await newRoom();
    const held = side.run(inText(/--hold/));
    const ready = path.join(side.project, 'agent-io/hold/ready.json');
    await waitFor(
      'the hold',
      () => existsSync(ready) && side.read('agent-io/hold/ready.json').includes('"held"'),
    );
    side.write('agent-io/hold/release', '');
    expect((await held).code).toBe(0);
  });

  it('names every key of a job, every status and its code', () => {
    const keys = tableRows(section(text, 'The job')).flatMap(([cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, key]) => key),
    );
    expect(keys.sort()).toEqual([...JOB_KEYS].sort());
    const rows = tableRows(section(text, 'What each status means, and what to do')).slice(0);
    const told = rows.map(([status = '', code]) => [status.replaceAll('`', ''), code]);
    const known = STATUSES.map((status) => [
      status,
      status === 'cancelled' ? '128+n' : String(STATUS_CODES[status]),
    ]);
    expect(told.filter(([status]) => status !== 'status')).toEqual(known);
  });
});

/** Play a Mac: a device that a file says is booted, and ill at its second health check. */
const XCRUN = `#!/bin/sh
state="$HOME/device"
echo "$*" >>"$state.log"
case "$2" in
  list) [ ! -e "$state.booted" ] || echo "prun-a ($UDID) (Booted)" ;;
  boot) touch "$state.booted" ;;
  shutdown) rm -f "$state.booted" ;;
  erase) rm -f "$state.ill"; touch "$state.erased" ;;
  spawn) [ "$4" != launchctl ] || [ ! -e "$state.ill" ] ;;
esac
`;
const XCODEBUILD = `#!/bin/sh
case "$1" in
  build-for-testing) mkdir -p out/derived/Build/Products; echo made >out/derived/Build/Products/App.xctestrun ;;
  test-without-building)
    case "$*" in *"-destination id=$UDID"*) ;; *) exit 64 ;; esac
    [ -e "$HOME/device.erased" ] || touch "$HOME/device.ill"
    for word in "$@"; do case $word in *.xcresult) mkdir -p "$word" ;; esac; done ;;
esac
`;

describe.runIf(built)('ios-validation.md, with stand-ins for Apple’s tools', () => {
  it('builds once, boots, recovers a dead device once, and brings its artifacts back', async () => {
    const side = await newRoom({ environment: (home) => ({ PATH: `${home}/bin:${process.env.PATH}` }) });
    const words = { ...(await projectIn(side)), '<udid>': '0A1B-2C3D' };
    for (const [name, body] of [
      ['xcrun', XCRUN],
      ['xcodebuild', XCODEBUILD],
    ] as const) {
      side.write(`bin/${name}`, body, side.home);
      await side.ok(`chmod +x ${side.home}/bin/${name}`);
    }
    const [job = ''] = blocks(ios, 'json');
    const [script = ''] = blocks(ios, 'bash');
    side.write('agent-io/ios.json', side.real(job, words));
    side.write('agent-io/ios-check.sh', script);
    const start = commands(ios).find((command) => command.includes('ios.json')) ?? '';
    await side.ok(start, words);
    const result = resultOf(side, 'agent-io/ios-1');
    const stages = result.steps.map(({ stage, outcome }) => `${stage} ${outcome}`);
    expect([result.status, ...stages]).toEqual([
      'passed-after-recovery',
      ...[
        'build ok',
        'verify ok',
        'health ok',
        'smoke ok',
        'health failed',
        'collect ok',
        'recover ok',
        'verify ok',
      ],
      ...['health ok', 'smoke ok', 'health ok', 'test ok', 'health ok'],
    ]);
    for (const artifact of ['4-smoke.xcresult', '12-test.xcresult', 'collected/device.log']) {
      expect(existsSync(path.join(side.project, 'agent-io/ios-1', artifact)), artifact).toBe(true);
    }
    const asked = side.read('device.log', side.home);
    for (const line of [
      'simctl boot 0A1B-2C3D',
      'simctl bootstatus 0A1B-2C3D -b',
      'simctl erase 0A1B-2C3D',
    ]) {
      expect(asked.split('\n')).toContain(line);
    }
  });
});

it.runIf(built)('every command of validation.md was executed', () => {
  expect(commands(text).filter((command) => !executed.has(command))).toEqual([]);
});
