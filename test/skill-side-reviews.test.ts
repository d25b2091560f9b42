import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaFault } from '../scripts-src/supervise/own-schema.ts';
import { type AnthropicServer, startAnthropicServer } from './helpers/anthropic-server.ts';
import { writeClaudeBin } from './helpers/claude-bin.ts';
import { writeCodexBin } from './helpers/codex-bin.ts';
import { type CodexServer, startCodexServer } from './helpers/codex-server.ts';
import { blocks, commandOf, commands, reference, root, section, tableRows } from './helpers/skill-texts.ts';
import { type TextRoom, textRooms } from './helpers/text-room.ts';

// reviews.md as a coordinator would follow it, with the real codex and claude on loopback, and its schema.

const text = reference('reviews.md');
const schemaFile = path.join(root, 'skills/prun/assets/review.schema.json');
interface Schema {
  type: string | string[];
  description?: string;
  enum?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  additionalProperties?: boolean;
}
const schema: Schema = JSON.parse(readFileSync(schemaFile, 'utf8'));
const FINDING = {
  file: 'src/total.js',
  line: 2,
  severity: 'major',
  claim: 'An empty cart throws.',
  evidence: 'src/total.js:2 calls reduce without a first value; node -e "[].reduce((a, b) => a)" throws.',
  suggestion: 'Give reduce a first value of 0.',
};
const REVIEW = {
  verdict: 'accept-with-changes',
  summary: 'Sums a cart.',
  findings: [FINDING, { ...FINDING, line: null, severity: 'nit', suggestion: '' }],
  read: ['src/total.js'],
  not_read: [],
};

/** Every schema in a schema. */
function parts(one: Schema): Schema[] {
  const below = [...Object.values(one.properties ?? {}), ...(one.items ? [one.items] : [])];
  return [one, ...below.flatMap(parts)];
}

describe('review.schema.json', () => {
  it('requires every key and allows no other, and uses no keyword that a strict service may refuse', () => {
    for (const part of parts(schema)) {
      const keywords = [
        'type',
        'description',
        'enum',
        'properties',
        'items',
        'required',
        'additionalProperties',
      ];
      expect(Object.keys(part).filter((key) => !keywords.includes(key))).toEqual([]);
      if (part.type !== 'object') continue;
      expect(part.additionalProperties).toBe(false);
      expect(part.required).toEqual(Object.keys(part.properties ?? {}));
    }
  });

  it('takes a review and refuses one that lacks something', () => {
    expect(schemaFault(schemaFile, REVIEW)).toBeUndefined();
    const { evidence: _left, ...without } = FINDING;
    expect(schemaFault(schemaFile, { ...REVIEW, findings: [without] })).toMatch(/evidence/);
    expect(schemaFault(schemaFile, { ...REVIEW, verdict: 'fine' })).toMatch(/^at verdict: /);
    expect(schemaFault(schemaFile, { ...REVIEW, score: 7 })).toMatch(/score/);
  });

  it('has the keys and words that reviews.md tells', () => {
    const rows = tableRows(section(text, 'Start, and read the answer'));
    const told = new Set(
      rows.flatMap((row) => [...row.join(' ').matchAll(/`([\w-]+)`/g)].map(([, word]) => word)),
    );
    const words = parts(schema).flatMap(({ properties = {}, enum: values = [] }) => [
      ...Object.keys(properties),
      ...values,
    ]);
    expect([...told].sort()).toEqual([...words].sort());
  });
});

const { newRoom, executed, prunDir } = textRooms();
const built = existsSync(path.join(prunDir, 'scripts/prun.cjs')) && process.platform !== 'win32';

describe.runIf(built)('reviews.md, as it stands', () => {
  let codex: CodexServer;
  let claude: AnthropicServer;
  beforeAll(async () => {
    [codex, claude] = await Promise.all([startCodexServer(), startAnthropicServer()]);
  });
  afterAll(() => Promise.all([codex.close(), claude.close()]));

  const room = (answers: Record<string, string> = {}): Promise<TextRoom> =>
    newRoom({
      sets: { 'run-now': 'review-1-now', 'run-all': 'items-1-all', run: 'items-1' },
      environment: (home) => ({
        CODEX_BIN: writeCodexBin(home, { port: codex.port, case: 'turns', params: answers }),
        CLAUDE_BIN: writeClaudeBin(home, {
          port: claude.port,
          case: 'schema',
          params: { answer: JSON.stringify(REVIEW), text: 'Reviewed.' },
        }),
      }),
    });
  const [prompt = ''] = blocks(section(text, 'Prompt and manifest'), '');
  const [manifest = ''] = blocks(section(text, 'Prompt and manifest'), 'yaml');
  const [mixed = ''] = blocks(section(text, 'In a run with other units'), 'yaml');
  const [lenses = ''] = blocks(section(text, 'Several reviewers'), 'yaml');
  const diffs = commands(section(text, 'The diff, and the tree to read it in'));

  /** `total.js` on main, a branch that changes it, uncommitted work in it and a file that git does not know. */
  async function makeProject({ write, git }: TextRoom): Promise<void> {
    write('src/total.js', 'one\n');
    await git('add', 'src');
    await git('commit', '-qm', 'first');
    await git('checkout', '-qb', 'feature');
    write('src/total.js', 'one\ntwo\n');
    await git('commit', '-qam', 'second');
    await git('checkout', '-q', 'main');
    write('src/total.js', 'one\nunfinished\n');
    write('src/new.js', 'new\n');
  }

  it('makes the diff of a branch, of uncommitted work, of a unit, and of all units together', async () => {
    const side = await room();
    await makeProject(side);
    side.write('agent-io/p-review-1.md', prompt);
    const [ofBranch = '', cloneNow = '', ofNow = '', ofUnit = '', cloneAll = '', applyAll = '', ofAll = ''] =
      diffs;
    await side.ok(ofBranch);
    expect(side.read('agent-io/review-1.diff')).toMatch(/^\+two$/m);

    expect(await side.ok(cloneNow)).toBe(`CLONE ${side.clone('review-1-now', 'now')}\n`);
    await side.ok(ofNow);
    const now = side.read('agent-io/review-1.diff');
    expect(now).toMatch(/^\+unfinished$/m);
    expect(now).toMatch(/^\+\+\+ b\/src\/new\.js$/m);
    expect(now).not.toContain('agent-io');

    await side.ok('node <prun>/scripts/prun.cjs clone --repo /abs/project --run items-1 --unit api');
    side.write('src/new.js', 'newer\n', side.clone('items-1', 'api'));
    side.write('src/api.js', 'api\n', side.clone('items-1', 'api'));
    await side.ok(ofUnit);
    expect(side.read('agent-io/api.patch')).toMatch(/^\+newer$/m);
    await side.ok(cloneAll);
    expect(await side.ok(applyAll)).toMatch(/^APPLIED 1 files=2$/m);
    await side.ok(ofAll);
    expect(side.read('agent-io/all.patch')).toMatch(/^\+api$/m);
    expect(side.read('src/new.js', side.clone('items-1-all', 'all'))).toBe('newer\n');
    expect(side.read('src/new.js')).toBe('new\n');
    expect((await side.git('status', '--short')).split('\n').sort()).toEqual([
      ' M src/total.js',
      '?? agent-io/',
      '?? src/new.js',
    ]);
    for (const run of ['review-1-now', 'items-1-all'])
      await side.ok(`node <prun>/scripts/prun.cjs cleanup --run ${run}`);
  });

  it('a reviewer on codex answers in the schema, and again when a finding is disputed', async () => {
    const disputed = { ...REVIEW, findings: [{ ...FINDING, evidence: 'node test.mjs: 1 failed' }] };
    const side = await room({ text1: JSON.stringify(REVIEW), text2: JSON.stringify(disputed) });
    side.write('agent-io/p-review-1.md', side.real(prompt));
    side.write('agent-io/review-1.yaml', side.real(manifest));
    side.write('agent-io/dispute-1.md', 'Show it by a test.\n');
    const [dryRun = '', start = '', wait = '', reconcile = ''] = commands(
      section(text, 'Start, and read the answer'),
    );
    const planned = await side.ok(dryRun);
    expect(planned).toContain(side.real(prompt).trim());
    expect(planned).toContain('Your last message is your result: JSON that holds the schema');
    await side.ok(start);
    expect(await side.ok(wait)).toMatch(/^WAIT-EVENT all-done /);
    expect(await side.ok(reconcile)).toMatch(/^RECONCILED run=review-1 units=1 /m);
    const result = (): unknown => {
      const [json = ''] = blocks(side.read('agent-io/results/review.md', side.runFolder('review-1')), 'json');
      return JSON.parse(json);
    };
    expect(result()).toEqual(REVIEW);
    const format = (codex.requests.at(-1)?.body as { text?: { format?: unknown } } | undefined)?.text?.format;
    expect(format).toMatchObject({ type: 'json_schema', strict: true, schema });

    const [resume = '', again = ''] = commands(section(text, 'Disputed findings'));
    await side.ok(resume);
    expect(await side.ok(again)).toMatch(/^WAIT-EVENT all-done /);
    expect(result()).toEqual(disputed);
    const attempts = path.join(side.runFolder('review-1'), 'attempts');
    const earlier = readdirSync(attempts).map((name) => path.join(attempts, name, 'previous-result'));
    const [kept = ''] = earlier.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
    expect(kept).toContain('reduce without a first value');
  });

  it('in a run with other units the reviewer alone answers in the schema, with their result as its newest commit', async () => {
    const contract =
      '# api result\nConclusion: It sums.\nFiles: none\nOpen items: none\nVerification: none\n';
    const side = await room({ text1: contract });
    await makeProject(side);
    side.write('agent-io/p-api.md', 'Sum a cart.\n');
    side.write('agent-io/p-review-1.md', side.real(prompt));
    side.write('agent-io/mixed.yaml', side.real(mixed));
    const dryRun = 'node <prun>/scripts/prun.cjs run agent-io/mixed.yaml --dry-run --unit';
    const inSchema = 'Your last message is your result: JSON that holds the schema';
    expect(await side.ok(`${dryRun} review`)).toContain(inSchema);
    expect(await side.ok(`${dryRun} api`)).not.toContain(inSchema);
    const lines = side.real(mixed).trim().split('\n');
    const [api = '', review = ''] = lines.slice(-2);
    const head = lines.slice(0, -2).join('\n');
    expect(lines).toHaveLength(4);
    // On claude, whose stand-in has an answer of its own.
    side.write('agent-io/mixed.yaml', `${head}\n${api}\n${review.replace('{ ', '{ executor: claude, ')}\n`);
    const said = await side.ok('node <prun>/scripts/prun.cjs run agent-io/mixed.yaml --run mixed --wait');
    expect(said).toMatch(/^WAIT-EVENT all-done .*done=2 failed=0 /m);
    expect(said).toContain('UNIT review succeeded(ok) accept-with-changes: Sums a cart.');
    const result = (unit: string): string =>
      side.read(`agent-io/results/${unit}.md`, side.runFolder('mixed'));
    expect(result('api')).toBe(contract);
    expect(JSON.parse(blocks(result('review'), 'json')[0] ?? '')).toEqual(REVIEW);

    // The diff as its prompt names it, with a worker that makes something.
    const worker = (command: string): string => `executor: command, argv: [sh, -c, '${command}'], `;
    const made = [
      head,
      api.replace('{ ', `{ ${worker('mkdir -p src/api; echo new > src/api/sum.js; echo made')}`),
      review
        .replace('{ ', `{ ${worker('git diff --name-only HEAD~1 HEAD')}`)
        .replace(/, outputSchema: .* }$/, ' }'),
    ];
    side.write('agent-io/made.yaml', `${made.join('\n')}\n`);
    await side.ok('node <prun>/scripts/prun.cjs run agent-io/made.yaml --run made --wait');
    expect(side.read('agent-io/results/review.md', side.runFolder('made'))).toBe('src/api/sum.js\n');
  });

  it('several reviewers have one context and a lens each; one on claude answers in the same schema', async () => {
    const side = await room();
    side.write('agent-io/p-review-1.md', side.real(prompt));
    side.write('agent-io/review-1.yaml', side.real(lenses));
    const [dryRun = ''] = commands(section(text, 'Start, and read the answer'));
    for (const [unit, lens] of [
      ['correctness', 'Your part: wrong behaviour'],
      ['security', 'Your part: input that is trusted'],
      ['tests', 'Your part: which behaviour'],
    ]) {
      const whole = await side.ok(`${dryRun} --unit ${unit}`);
      expect(whole).toContain(side.real(prompt).trim());
      expect(whole).toContain(lens);
    }
    const onClaude = manifest.replace('  - id: review\n', '  - id: review\n    executor: claude\n');
    expect(onClaude).not.toBe(manifest);
    side.write('agent-io/review-2.yaml', side.real(onClaude));
    const said = await side.ok(
      'node <prun>/scripts/prun.cjs run agent-io/review-2.yaml --run review-2 --wait',
    );
    expect(said).toMatch(/^WAIT-EVENT all-done /m);
    const [json = ''] = blocks(side.read('agent-io/results/review.md', side.runFolder('review-2')), 'json');
    expect(JSON.parse(json)).toEqual(REVIEW);
  });

  it('a schema path that leads to nothing is told before anything starts, one from the manifest’s folder is found', async () => {
    const side = await room();
    side.write('agent-io/p-review-1.md', prompt);
    const [dryRun = ''] = commands(section(text, 'Start, and read the answer'));
    for (const wrong of ['~/.claude/skills/prun', '.claude/skills/prun']) {
      side.write('agent-io/review-1.yaml', manifest.replace('<prun>', wrong));
      const said = await side.run(dryRun);
      expect([said.code, said.stderr]).toEqual([2, expect.stringContaining('review.schema.json')]);
    }
    side.write('agent-io/s.json', JSON.stringify(schema));
    side.write('agent-io/review-1.yaml', manifest.replace(/^outputSchema: .*$/m, 'outputSchema: s.json'));
    await side.ok(dryRun);
  });

  it('every command of the text was executed, those in its sentences too', () => {
    expect(commands(text).filter((command) => !executed.has(command))).toEqual([]);
    expect(commands(text).length).toBeGreaterThan(10);
    const inSentences = [...text.matchAll(/`(prun cleanup [^`]*)`/g)].map(([, command]) => command);
    for (const command of inSentences)
      expect(executed).toContain(`node <prun>/scripts/prun.cjs ${command?.slice(5)}`);
    expect(commandOf(text, / reconcile /)).toContain('review-1');
  });
});
