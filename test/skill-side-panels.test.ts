import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnthropicServer, startAnthropicServer } from './helpers/anthropic-server.ts';
import { writeClaudeBin } from './helpers/claude-bin.ts';
import { writeCodexBin } from './helpers/codex-bin.ts';
import { type CodexServer, startCodexServer } from './helpers/codex-server.ts';
import { blocks, commands, reference, section } from './helpers/skill-texts.ts';
import { type TextRoom, textRooms } from './helpers/text-room.ts';
import { testEnvironment } from './helpers/unit-run.ts';

// panels.md: the Codex half through prun, the Claude half through the real host's Workflow tool.

const text = reference('panels.md');
const { newRoom, executed, prunDir } = textRooms();
const built = existsSync(path.join(prunDir, 'scripts/prun.cjs')) && process.platform !== 'win32';
const [question = ''] = blocks(section(text, 'The question'), '');
const [manifest = ''] = blocks(section(text, 'The Codex half'), 'yaml');
const [script = ''] = blocks(section(text, 'The Claude half'), 'js');
const result = (conclusion: string): string =>
  `# codex-1 result\nConclusion: ${conclusion}\nFiles: none (read-only)\nOpen items: none\nVerification: none\n\nPosition: yes\n`;

describe('panels.md', () => {
  it('says that Workflow is called only when the user asked for it, before it shows the call', () => {
    const condition = text.indexOf('**Workflow is called only when the user asked');
    expect(condition).toBeGreaterThan(0);
    expect(condition).toBeLessThan(text.indexOf('export const meta'));
    expect(section(text, 'The Claude half')).toContain(
      '\nWhen the user asked for it (above): one call of Workflow',
    );
  });
});

describe.runIf(built)('panels.md, as it stands', () => {
  let codex: CodexServer;
  let claude: AnthropicServer;
  beforeAll(async () => {
    [codex, claude] = await Promise.all([startCodexServer(), startAnthropicServer()]);
  });
  afterAll(() => Promise.all([codex.close(), claude.close()]));

  const room = (): Promise<TextRoom> =>
    newRoom({
      environment: (home) => ({
        CODEX_BIN: writeCodexBin(home, {
          port: codex.port,
          case: 'turns',
          params: { text1: result('it can'), text2: result('it can, by a trace') },
        }),
      }),
    });

  it('the Codex half: the same question for each, byte for byte; a claim of the other half goes to its session', async () => {
    const side = await room();
    side.write('agent-io/q-panel-1.md', side.real(question));
    side.write('agent-io/panel-1.yaml', manifest);
    side.write('agent-io/check-1.md', 'Someone claims that a row lock doubles the latency.\n');
    const [dryRun = '', start = '', wait = ''] = commands(section(text, 'The Codex half'));
    for (const unit of ['codex-1', 'codex-2'])
      expect(await side.ok(`${dryRun} --unit ${unit}`)).toContain(`\n${side.real(question)}`);
    await side.ok(dryRun);
    await side.ok(start);
    expect(await side.ok(wait)).toMatch(/^WAIT-EVENT all-done .* done=2 /);

    const [resume = '', again = '', reconcile = ''] = commands(section(text, 'Cross-check'));
    expect(await side.ok(resume)).toMatch(/^UNIT codex-1 queued attempt=2 session=/m);
    expect(await side.ok(again)).toMatch(/^WAIT-EVENT all-done /);
    expect(await side.ok(reconcile)).toMatch(/^RECONCILED run=panel-1 units=2 /m);
    const answers = ['codex-1', 'codex-2'].map((unit) =>
      side.read(`agent-io/results/${unit}.md`, side.runFolder('panel-1')),
    );
    expect(answers).toEqual([
      expect.stringContaining('by a trace'),
      expect.stringMatching(/^Conclusion: it can$/m),
    ]);
    expect(commands(text).filter((command) => !executed.has(command))).toEqual([]);
  });

  it('without Workflow: the units that the text names for it are ones that prun takes', async () => {
    const side = await room();
    side.write('agent-io/q-panel-1.md', question);
    const named = [...section(text, 'The Claude half').matchAll(/`(\{id: claude-\d[^`]*\})`/g)];
    expect(named.length).toBe(2);
    side.write('agent-io/panel-1.yaml', `${manifest}${named.map(([, unit]) => `  - ${unit}\n`).join('')}`);
    const [dryRun = ''] = commands(section(text, 'The Codex half'));
    const planned = await side.ok(dryRun);
    expect(planned.match(/^UNIT claude-\d claude scratch/gm)).toHaveLength(2);
  });

  it('the Claude half: the real host runs the script, each agent is told the question, the answers come back', async () => {
    const side = await room();
    const args = { question: path.join(side.project, 'agent-io/q-panel-1.md') };
    const [told = ''] = [...section(text, 'The Claude half').matchAll(/`(\{"question": [^`]*\})`/g)].map(
      ([, json]) => json,
    );
    expect(JSON.parse(side.real(told))).toEqual(args);
    const bin = writeClaudeBin(side.home, {
      port: claude.port,
      case: 'script',
      params: {
        calls: JSON.stringify([{ name: 'Workflow', input: { script, args } }]),
        text: 'The position stands.',
      },
    });
    const before = claude.requests.length;
    const said = await host(bin, side);
    expect(said.code, said.stderr).toBe(0);
    const requests = claude.requests.slice(before).map(({ body }) => JSON.stringify(body?.messages ?? []));
    const agents = requests.filter((messages) =>
      messages.includes(`Read ${args.question} and answer what it asks`),
    );
    expect(agents.length).toBeGreaterThanOrEqual(2);
    const notice = requests.find((messages) => messages.includes('<task-notification>'));
    expect(notice).toContain('<status>completed</status>');
    // The answers stand in the notification, as a list in JSON.
    expect(notice?.replaceAll('\\"', '"')).toContain(
      '<result>["The position stands.","The position stands."]</result>',
    );
  });
});

/** A headless session of the real Claude Code that is asked for a panel, in the project. */
function host(bin: string, side: TextRoom): Promise<{ code: number | null; stderr: string }> {
  const argv = ['-p', 'Make a panel of it.', '--permission-mode', 'bypassPermissions'];
  const child = spawn(bin, argv, {
    cwd: side.project,
    env: testEnvironment(side.home),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stderr }));
  });
}
