import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { portFolders } from '../../scripts-src/workspace/ports/port-claims.ts';
import { claimPorts, type PortRange } from '../../scripts-src/workspace/ports/ports.ts';
import { ROOT, scratch, testEnvironment } from '../helpers/unit-run.ts';

/** Nobody listens here: these tests are about claims. */
const areFree = async () => true;

function holderIn(folder: string, unit: string): string {
  const holder = path.join(folder, unit, 'workspace.json');
  mkdirSync(path.dirname(holder), { recursive: true });
  writeFileSync(holder, '{}');
  return holder;
}

it('thirty processes at once get thirty disjoint ranges', async () => {
  const folder = scratch();
  const script = path.join(folder, 'claim.cjs');
  buildSync({
    stdin: {
      contents: `import { claimPorts } from './scripts-src/workspace/ports/ports.ts';
        import { writeFileSync } from 'node:fs';
        process.stdout.write('ready\\n');
        process.stdin.once('data', async () => {
          const range = await claimPorts(process.argv[2]);
          writeFileSync(process.argv[2], '{}');
          process.stdout.write(JSON.stringify(range) + '\\n', () => process.exit(0));
        });`,
      resolveDir: ROOT,
    },
    bundle: true,
    platform: 'node',
    outfile: script,
  });
  const claims = path.join(folder, 'claims');
  const children = Array.from({ length: 30 }, (_, n) => {
    const holder = path.join(folder, `unit${n}`, 'workspace.json');
    mkdirSync(path.dirname(holder));
    const environment = testEnvironment(path.dirname(holder), {
      PRUN_PORTS_HOME: claims,
      TMPDIR: path.dirname(holder),
    });
    return spawn(process.execPath, [script, holder], {
      env: environment,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  });
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  const saying = children.map(lines);
  await Promise.all(saying.map((said) => said.ready));
  for (const child of children) child.stdin?.write('go\n');
  const ranges = await Promise.all(saying.map((said) => said.range));
  const ports = ranges.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, n) => first + n),
  );
  expect(ports.length).toBe(300);
  expect(new Set(ports).size).toBe(300);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(20_000);
  expect(Math.max(...ports)).toBeLessThanOrEqual(32_759);
});

function lines(child: ChildProcess): { ready: Promise<unknown>; range: Promise<PortRange> } {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  const ready = child.stdout ? once(child.stdout, 'data') : Promise.resolve();
  const range = once(child, 'close').then(() => JSON.parse(text.split('\n')[1] ?? '') as PortRange);
  return { ready, range };
}

/** As if the claim had been made an hour ago. */
function age(claim: string): void {
  const then = Date.now() / 1000 - 3600;
  utimesSync(claim, then, then);
}

it('a range is free again when its holder has gone, and epochs only grow', async () => {
  const folder = scratch();
  const options = { folders: [path.join(folder, 'claims')], areFree, span: { first: 20_000, last: 20_019 } };
  const [a, b, c] = [holderIn(folder, 'a'), holderIn(folder, 'b'), holderIn(folder, 'c')];
  const [first, second] = [await claimPorts(a, options), await claimPorts(b, options)];
  expect(new Set([first.first, second.first])).toEqual(new Set([20_000, 20_010]));
  await expect(claimPorts(c, options)).rejects.toMatchObject({
    message: expect.stringContaining(a),
    next: expect.stringContaining('prun cleanup'),
  });
  rmSync(path.dirname(a), { recursive: true });
  age(path.join(folder, 'claims', `${first.first}.1`));
  expect(await claimPorts(c, options)).toEqual(first);
  const claims = readdirSync(options.folders[0] ?? '').filter((name) => name !== 'README');
  expect(claims.sort()).toEqual([`${first.first}.1`, `${first.first}.2`, `${second.first}.1`].sort());
});

it('a range is held before its workspace.json is written, while the one who took it lives', async () => {
  const folder = scratch();
  const options = { folders: [path.join(folder, 'claims')], areFree, span: { first: 20_000, last: 20_009 } };
  const holder = path.join(folder, 'unit/workspace.json');
  await claimPorts(holder, options);
  await expect(claimPorts(holderIn(folder, 'other'), options)).rejects.toThrow('ranges are held');
  const claim = path.join(folder, 'claims/20000.2');
  writeFileSync(claim, `${JSON.stringify({ schema: 1, holder, claimant: 'boot:1:never' })}\n`);
  expect(await claimPorts(holderIn(folder, 'third'), options)).toEqual({ first: 20_000, last: 20_009 });
});

it('ports on which somebody listens are passed over, on every kind of address', async () => {
  const folder = scratch();
  const span = { first: 31_500, last: 31_539 };
  const options = { folders: [path.join(folder, 'claims')], span };
  for (const [port, address] of [
    [31_503, '127.0.0.1'],
    [31_515, '0.0.0.0'],
  ] as const) {
    const server = net.createServer().listen(port, address);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
  }
  const ranges = [
    await claimPorts(holderIn(folder, 'a'), options),
    await claimPorts(holderIn(folder, 'b'), options),
  ];
  expect(ranges.map(({ first }) => first).sort()).toEqual([31_520, 31_530]);
  await expect(claimPorts(holderIn(folder, 'd'), options)).rejects.toThrow(
    'other programs listen in 2 ranges',
  );
});

it('claims in the second-best folder count too; an unwritable first one is passed over', async () => {
  const folder = scratch();
  const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
  const span = { first: 20_000, last: 20_019 };
  const one = await claimPorts(holderIn(folder, 'a'), { folders: [second], areFree, span });
  const two = await claimPorts(holderIn(folder, 'b'), { folders: [first, second], areFree, span });
  expect(two.first).not.toBe(one.first);
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  const third = { folders: [path.join(file, 'x'), path.join(folder, 'third')], areFree, span };
  expect(await claimPorts(holderIn(folder, 'c'), third)).toBeDefined();
  await expect(claimPorts(holderIn(folder, 'd'), { folders: [file], areFree, span })).rejects.toThrow(
    'kept nowhere',
  );
});

it.runIf(process.platform !== 'win32')(
  'a link in the place of the claims is nobody’s authority',
  async () => {
    const folder = scratch();
    mkdirSync(path.join(folder, 'real'));
    symlinkSync('real', path.join(folder, 'link'));
    const options = { folders: [path.join(folder, 'link')], areFree };
    await expect(claimPorts(holderIn(folder, 'a'), options)).rejects.toThrow('kept nowhere');
  },
);

it('a claim that was cut, or is none, holds nothing', async () => {
  const folder = scratch();
  const claims = path.join(folder, 'claims');
  mkdirSync(claims);
  for (const [name, text] of [
    ['20000.1', ''],
    ['20000.2', '{"holder":7}'],
    ['20000.x', ''],
    ['notes', ''],
  ] as const) {
    writeFileSync(path.join(claims, name), text);
  }
  const span = { first: 20_000, last: 20_009 };
  expect(await claimPorts(holderIn(folder, 'a'), { folders: [claims], areFree, span })).toEqual(span);
});

it('the place of the claims depends on neither state home, TMPDIR nor HOME', () => {
  const one = portFolders({ PRUN_STATE_HOME: '/a', TMPDIR: '/b', HOME: '/c' });
  expect(portFolders({ XDG_STATE_HOME: '/d', HOME: '/e' })).toEqual(one);
  expect(one.length).toBe(2);
  const own = path.resolve('/own');
  expect(portFolders({ PRUN_PORTS_HOME: own })).toEqual([own]);
});
