import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocks, commands, reference, section } from './helpers/skill-texts.ts';
import { type TextRoom, type TextSaid, textRooms } from './helpers/text-room.ts';

// web.md: its curl commands against a loopback server, and what it says of ports.

const text = reference('web.md');
const { newRoom, executed, prunDir } = textRooms();
const built = existsSync(path.join(prunDir, 'scripts/prun.cjs')) && process.platform !== 'win32';

describe.runIf(built)('web.md, as it stands', () => {
  let server: Server;
  let base = '';
  const agents: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      agents.push(request.headers['user-agent'] ?? '');
      const status = Number(/^\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 200);
      response.writeHead(status, status === 302 ? { location: '/page' } : {});
      response.end(`answer ${status}\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const [curl = ''] = commands(text);
  const [agent = ''] = [...text.matchAll(/such as `(Mozilla[^`]*)`/g)].map(([, name = '']) => name);
  const fetched = (side: TextRoom, url: string): Promise<TextSaid> =>
    side.run(curl, { '<browser agent>': agent, '<file>': 'page.html', '<URL>': url });

  it('curl tells the status and the last address of each, keeps the page, and looks like a browser', async () => {
    expect([curl, agent]).toEqual([expect.stringMatching(/^curl /), expect.stringMatching(/Chrome/)]);
    const side = await newRoom();
    for (const [address, told, page] of [
      ['/page', '200 /page', 'answer 200\n'],
      ['/302', '200 /page', 'answer 200\n'],
      ['/404', '404 /404', 'answer 404\n'],
      ['/403', '403 /403', 'answer 403\n'],
    ] as const) {
      const said = await fetched(side, base + address);
      expect(said).toEqual({ code: 0, stdout: `${told.replace(' ', ` ${base}`)}\n`, stderr: '' });
      expect(side.read('page.html')).toBe(page);
    }
    expect(new Set(agents)).toEqual(new Set([agent]));
    const nobody = await fetched(side, 'http://127.0.0.1:9/page');
    expect(nobody.code).not.toBe(0);
    expect(nobody.stdout).toBe('000 http://127.0.0.1:9/page\n');
    expect(nobody.stderr).toMatch(/^curl: .*127\.0\.0\.1/);
    expect(commands(text).filter((command) => !executed.has(command))).toEqual([]);
  });

  it('the curl in its whole task is the same, with a name for the page', async () => {
    const side = await newRoom();
    const [task = ''] = blocks(section(text, 'The prompt of a web unit'), '');
    const [line = ''] = task.split('\n').filter((one) => one.startsWith('curl '));
    expect((await side.run(line, { '<URL>': `${base}/404` })).stdout).toBe(`404 ${base}/404\n`);
    expect(side.read('page-1.html')).toBe('answer 404\n');
  });

  it('a unit in a clone has ten ports of its own, one in scratch has none', async () => {
    const side = await newRoom();
    side.write('base.txt', 'base\n');
    await side.git('add', 'base.txt');
    await side.git('commit', '-qm', 'first');
    const argv = ['sh', '-c', 'echo "[$PRUN_PORT_FIRST $PORT $PRUN_PORT_LAST]"'];
    const unit = (id: string, mode: string) => ({ id, mode, argv, executor: 'command', prompt: 'Ports.' });
    const units = [unit('a', 'clone'), unit('b', 'clone'), unit('c', 'scratch')];
    side.write('agent-io/m.json', JSON.stringify({ repo: side.project, units }));
    await side.ok('node <prun>/scripts/prun.cjs run agent-io/m.json --run ports --wait');
    const ports = (id: string): number[] =>
      (side.read(`agent-io/results/${id}.md`, side.runFolder('ports')).match(/\d+/g) ?? []).map(Number);
    for (const id of ['a', 'b']) {
      const [first = 0, port, last] = ports(id);
      expect([port, last]).toEqual([first, first + 9]);
    }
    expect(Math.abs((ports('a')[0] ?? 0) - (ports('b')[0] ?? 0))).toBeGreaterThanOrEqual(10);
    expect(ports('c')).toEqual([]);
  });
});
