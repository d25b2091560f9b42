import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutcomeRecord } from '../scripts-src/unit/records.ts';
import { writeCodexBin } from './helpers/codex-bin.ts';
import { type CodexServer, startCodexServer } from './helpers/codex-server.ts';
import { commandOf, reference } from './helpers/skill-texts.ts';
import { textRooms } from './helpers/text-room.ts';

// single.md's follow-up on the real codex; its other commands are executed by test/skill-text.test.ts.

const text = reference('single.md');
const { newRoom, prunDir } = textRooms();
const built = existsSync(path.join(prunDir, 'scripts/dispatch-task.cjs')) && process.platform !== 'win32';
const answer = (conclusion: string): string =>
  `# api result\nConclusion: ${conclusion}\nFiles: src/items.js\nOpen items: none\nVerification: none\n`;

describe.runIf(built)('single.md, as it stands', () => {
  let codex: CodexServer;
  beforeAll(async () => {
    codex = await startCodexServer();
  });
  afterAll(() => codex.close());

  it('a follow-up goes on in the session of the first attempt, in its clone, with a result of its own', async () => {
    const side = await newRoom({
      sets: { run: 'items-1' },
      environment: (home) => ({
        CODEX_BIN: writeCodexBin(home, {
          port: codex.port,
          case: 'turns',
          params: {
            mark: 'Unit: api',
            cmd1: 'echo sorted >> src/items.js',
            text1: 'Done.',
            cmd2: `echo more >> src/items.js; printf '%s' '${answer('both')}' > ${path.join(home, 'project/agent-io/r-api-2.md')}`,
            text2: 'Done as well.',
          },
        }),
      }),
    });
    side.write('src/items.js', 'one\n');
    await side.git('add', 'src');
    await side.git('commit', '-qm', 'first');
    side.write('agent-io/p-api.md', 'Unit: api\nSort the list.\n');
    side.write('agent-io/remark-api.md', 'Unit: api\nThe second half is missing. Write the result.\n');
    await side.ok('node <prun>/scripts/prun.cjs clone --repo /abs/project --run items-1 --unit api');

    const ended = async (command: string, words: Record<string, string> = {}): Promise<OutcomeRecord> => {
      const stateDir = /^STATE-DIR (.*)$/m.exec(await side.ok(command, words))?.[1] ?? '';
      return JSON.parse(readFileSync(path.join(stateDir, 'outcome.json'), 'utf8'));
    };
    const [first, again] = [commandOf(text, /-task\.cjs (?!.*--resume)/), commandOf(text, / --resume /)];
    const before = await ended(first);
    expect(side.read('agent-io/r-api.md')).toMatch(/^# api result \(FALLBACK/);
    const session = / --resume (\S+)$/.exec(again)?.[1] ?? '';
    const after = await ended(again, { [session]: before.sessionId ?? 'none' });
    expect(after).toMatchObject({ status: 'succeeded', sessionId: before.sessionId });
    expect(side.read('agent-io/r-api-2.md')).toBe(answer('both'));
    expect(side.read('src/items.js', side.clone('items-1', 'api'))).toBe('one\nsorted\nmore\n');
  });
});
