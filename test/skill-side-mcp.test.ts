import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { claudeProgram } from './helpers/claude-bin.ts';
import { writeCodexBin } from './helpers/codex-bin.ts';
import { type CodexServer, startCodexServer } from './helpers/codex-server.ts';
import { mcpRooms, structured } from './helpers/mcp-room.ts';
import { blocks, openPrunFolder, reference, section } from './helpers/skill-texts.ts';
import { scratch, testEnvironment } from './helpers/unit-run.ts';

// mcp.md as a newcomer follows it: the registration in the real Claude Code, and its example on the real codex.

const text = reference('mcp.md');
const { prunDir, scriptsDir, remove } = openPrunFolder();
afterAll(remove);
const newRoom = mcpRooms();
const built = existsSync(path.join(scriptsDir, 'prun-mcp.cjs')) && process.platform !== 'win32';

describe.runIf(built)('mcp.md, as it stands', () => {
  it('its commands register the server in the real Claude Code, which reaches it; its JSON does the same', () => {
    const home = scratch();
    const project = path.join(home, 'project');
    mkdirSync(project);
    const register = section(text, 'Register it');
    const [add = '', list = '', ...others] = (register.match(/^ {4}claude .*$/gm) ?? []).map((line) =>
      line.trim(),
    );
    expect([add, list, others]).toEqual([expect.stringMatching(/^claude mcp add /), 'claude mcp list', []]);
    const environment = testEnvironment(home, {
      CLAUDE_CONFIG_DIR: path.join(home, 'claude-home'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1',
    });
    const run = (command: string): string => {
      const real = command
        .replace(/^claude /, `'${claudeProgram()}' `)
        .replace('/path/to/prun/scripts/prun-mcp.cjs', `'${path.join(prunDir, 'scripts/prun-mcp.cjs')}'`);
      const said = spawnSync('sh', ['-c', real], { cwd: project, encoding: 'utf8', env: environment });
      expect(said.status, said.stderr).toBe(0);
      return said.stdout;
    };
    run(add);
    expect(run(list)).toMatch(/^prun: .*prun-mcp\.cjs - ✔ Connected$/m);
    const registered = JSON.parse(readFileSync(path.join(home, 'claude-home/.claude.json'), 'utf8'));
    const [json = ''] = blocks(register, 'json');
    const { command, args } = JSON.parse(json.replace('/path/to/prun', prunDir)).mcpServers.prun;
    expect(registered.projects[project].mcpServers.prun).toMatchObject({ command, args });
  });

  it('its example is answered as it shows, applied by the command that is told, and goes on with a remark', async () => {
    const server: CodexServer = await startCodexServer();
    const room = newRoom();
    const repo = await room.repository('shop', { 'src/items.js': 'items\n' });
    const example = section(text, 'An example');
    const [call = '', remark = ''] = blocks(example, 'json');
    const [shown = ''] = blocks(example, 'text');
    const summary = 'The list is sorted by date, then by id.';
    const codexBin = writeCodexBin(room.folder, {
      port: server.port,
      case: 'turns',
      params: {
        mark: 'Your last message is your result',
        cmd1: 'echo sorted > src/items.js',
        text1: structured('DONE', summary, ['src/items.js']),
        cmd2: 'echo undated last >> src/items.js',
        text2: structured('DONE', summary, ['src/items.js']),
      },
    });
    const connected = await room.connect({
      flags: ['--codex-bin', codexBin, '--state-home', room.cli.stateHome],
    });
    const answer = async (name: string, input: string): Promise<string> => {
      const said = await connected.client.callTool({
        name,
        arguments: JSON.parse(input.replace('/abs/project', repo)),
      });
      return (said.content as { text: string }[])[0]?.text ?? '';
    };
    const applied = async (told: string): Promise<string> => {
      const words = /^apply: (.*)$/m.exec(told)?.[1] ?? '';
      expect(spawnSync('sh', ['-c', `${words} --check`]).status).toBe(0);
      const said = spawnSync('sh', ['-c', words], { encoding: 'utf8' });
      expect(said.status, said.stderr).toBe(0);
      return readFileSync(path.join(repo, 'src/items.js'), 'utf8');
    };

    const first = await answer('codex_implement', call);
    expect(lines(first)).toEqual(lines(shown));
    expect(readFileSync(path.join(repo, 'src/items.js'), 'utf8')).toBe('items\n');
    expect(await applied(first)).toBe('sorted\n');
    const second = await answer('codex_resume', remark);
    expect(lines(second)).toEqual(lines(shown));
    expect(await applied(second)).toBe('sorted\nundated last\n');
    await connected.close();
    await server.close();
  });
});

/** What does not differ from run to run: the first word of a line with a path or an id in it, other lines as they are. */
function lines(answer: string): string[] {
  return answer
    .trim()
    .split('\n')
    .map((line) => (/^(?:apply|session|output): /.test(line) ? line.replace(/ .*/, '') : line));
}
