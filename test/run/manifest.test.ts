import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nearestWord } from '../../scripts-src/platform/nearest-word.ts';
import { placeName } from '../../scripts-src/platform/schema-mistakes.ts';
import { dependencyOrder } from '../../scripts-src/run/manifest/dependency-order.ts';
import { manifestJsonSchema, RUN_KEYS, UNIT_KEYS } from '../../scripts-src/run/manifest/manifest-schema.ts';
import { newSpec, unitDefaults } from '../../scripts-src/run/manifest/new-spec.ts';
import { type Manifest, readManifest } from '../../scripts-src/run/manifest/read-manifest.ts';
import { scratch } from '../helpers/unit-run.ts';

/** Writes a manifest and files beside it. */
function written(text: string, files: Record<string, string | Uint8Array> = {}, name = 'm.yaml'): string {
  const folder = scratch();
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

function good(text: string, files: Record<string, string | Uint8Array> = {}, name?: string): Manifest {
  const read = readManifest(written(text, files, name));
  if (read.kind === 'manifest') return read.manifest;
  throw new Error(JSON.stringify(read.mistakes));
}

/** `line:column place: text` for each mistake. */
function mistakes(text: string, files: Record<string, string | Uint8Array> = {}): string[] {
  const read = readManifest(written(text, files));
  if (read.kind === 'manifest') throw new Error('it has no mistake');
  return read.mistakes.map(({ line, column, path: where, text: what }) => {
    return `${line}:${column} ${placeName(where)}: ${what}`;
  });
}

const UNIT = 'units:\n  - id: a\n    prompt: x\n';

describe('a manifest', () => {
  it('is read with run-wide settings, and keys above the units hold for those that lack them', () => {
    const manifest = good(
      `
run: items-1
jobs: 4
delay: 2
memfree: 1G
load: 3.5
resources: { gpu: 2 }
retries: 1
timeout: 600
model: big
units:
  - { id: a, prompt: one, retries: 0, resources: [gpu] }
  - { id: b, prompt: two, executor: command, argv: [echo, x], after: [a, a], wakeOnFinish: true }
`,
    );
    expect(manifest.run).toBe('items-1');
    expect(manifest.schedule).toEqual({ jobs: 4, delaySeconds: 2, memfreeBytes: 1024 ** 3, load: 3.5 });
    expect(manifest.resources).toEqual({ gpu: 2 });
    const [a, b] = manifest.units.map((wish) => newSpec(wish, unitDefaults({}, '/')));
    expect(a).toMatchObject({ id: 'a', executor: 'codex', mode: 'scratch', retries: 0, model: 'big' });
    expect(a).toMatchObject({ reasoningEffort: 'xhigh', resources: ['gpu'], prompt: 'one' });
    expect(b).toMatchObject({ id: 'b', retries: 1, after: ['a'], argv: ['echo', 'x'], wakeOnFinish: true });
    expect(b?.limits).toEqual({
      stallThresholdSeconds: 600,
      timeoutSeconds: 600,
      maxOutputBytes: 1024 ** 3,
      stallNoticeSeconds: 0,
    });
  });

  it('is the same as JSON, tabs, escapes and all', () => {
    const json =
      '{\n\t"jobs": 2,\n\t"units": [\n\t\t{"id": "a", "prompt": "smile \\ud83d\\ude00 \\/"}\n\t]\n}';
    const manifest = good(json, {}, 'm.json');
    expect(manifest.schedule.jobs).toBe(2);
    expect(manifest.units[0]?.prompt).toBe('smile 😀 /');
  });

  it('takes prompts byte for byte, and relative paths from its own folder', () => {
    const prompt = '\uFEFFone\r\n\ttwo  \n\n';
    const manifest = good(
      'repo: ../r\ncontext: c.md\nunits:\n  - {id: a, promptFile: p/a.md, resultFile: out/a.md}\n  - {id: b, prompt: x, executor: command, argv: [./b.sh, ./c]}\n  - {id: c, prompt: x, codexBin: bin/codex}\n  - {id: d, prompt: x, codexBin: codex}\n',
      { 'p/a.md': prompt, 'c.md': 'shared\n' },
    );
    const folder = path.dirname(manifest.file);
    expect(manifest.units[0]?.prompt).toBe(prompt);
    expect(manifest.units[0]?.resultFile).toBe(path.join(folder, 'out/a.md'));
    expect(manifest.units[1]?.argv).toEqual([path.join(folder, 'b.sh'), './c']);
    expect(manifest.units[2]?.codexBin).toBe(path.join(folder, 'bin/codex'));
    expect(manifest.units[3]?.codexBin).toBe('codex');
    expect(manifest.context).toBe('shared\n');
    expect(manifest.repository).toBe(path.resolve(folder, '../r'));
  });

  it('gives each unit the wishes above the units that its executor knows, with whole paths', () => {
    const manifest = good(
      'runTokenLimit: 900\nbackoff: 3\ntransientRetries: 0\ntokenLimit: 50\nconfig: [a=b]\nbin: bin/claude\nimages: [i.png]\nephemeral: true\nmodel: m\nunits:\n  - {id: a, prompt: x, outputSchema: s.json, config: [c=d]}\n  - {id: b, prompt: x, executor: claude, permissionMode: plan}\n  - {id: c, prompt: x, executor: command, argv: [x]}\n',
      { 'i.png': 'x', 's.json': '{}' },
    );
    const folder = path.dirname(manifest.file);
    expect(manifest.schedule).toMatchObject({ tokenLimit: 900, backoffSeconds: 3, transientRetries: 0 });
    const specs = manifest.units.map((wish) => newSpec(wish, unitDefaults({}, folder)));
    expect(specs.map(({ options }) => options)).toEqual([
      {
        config: ['c=d'],
        images: [path.join(folder, 'i.png')],
        outputSchema: path.join(folder, 's.json'),
        ephemeral: true,
        tokenLimit: 50,
      },
      { bin: path.join(folder, 'bin/claude'), ephemeral: true, permissionMode: 'plan', tokenLimit: 50 },
      undefined,
    ]);
    expect(specs.map(({ model }) => model)).toEqual(['m', 'm', null]);
  });

  it.each([
    ['repo: .\n', 'codex', 'clone'],
    ['repo: .\n', 'session', 'scratch'],
    ['', 'codex', 'scratch'],
  ])('%j: a unit of executor %s works in mode %s where nobody says it', (head, executor, mode) => {
    expect(good(`${head}executor: ${executor}\n${UNIT}`).units[0]?.mode).toBe(mode);
  });

  it('has one prompt for all units where none has its own, and a prompt file wins over that', () => {
    const text = 'prompt: for all\nunits:\n  - id: a\n  - {id: b, promptFile: b.md}\n';
    expect(good(text, { 'b.md': 'own' }).units.map(({ prompt }) => prompt)).toEqual(['for all', 'own']);
  });

  it('counts a resource that nobody counts as one', () => {
    expect(good('units:\n  - {id: a, prompt: x, resources: [gpu]}\n').resources).toEqual({ gpu: 1 });
  });
});

describe('a mistake in a manifest', () => {
  it.each([
    ['jobs: 0', '1:1 jobs: 0 is no whole number from 1 up'],
    ['delay: 1.5', '1:1 delay: 1.5 is no whole number from 0 up'],
    ['timeout: 10m', '1:1 timeout: "10m" is no whole number from 0 up'],
    ['memfree: 1X', '1:1 memfree: "1X" is no number of bytes such as 500M or 1G'],
    ['load: -1', '1:1 load: -1 is not above 0'],
    ['executor: codx', '1:1 executor: "codx" is none of codex, claude, omp, command, session'],
    ['run: ../x', '1:1 run: "../x" is no name: use up to 100 letters, digits, - and _'],
    ['contxt: c.md', '1:1 contxt: is no known key: is context meant?'],
    ['prompt_file: c.md', '1:1 prompt_file: is no known key: is promptFile meant?'],
    ['xyzzyplugh: 1', '1:1 xyzzyplugh: is no known key: prun schema names them all'],
    ['id: x', '1:1 id: is a key of a unit: put it there'],
    ['verify:', '1:1 verify: is empty'],
    ['resources: {gpu: 0}', '1:13 resources.gpu: 0 is no whole number from 1 up'],
    ['context: none.md', /^1:1 context: .*none\.md cannot be read \(ENOENT\): /],
    ['warm: node_modules', '1:1 warm: "node_modules" is no list: write it as [a, b]'],
  ])('above the units is told with its place: %s', (line, expected) => {
    const [said] = mistakes(`${line}\n${UNIT}`);
    if (typeof expected === 'string') expect(said).toBe(expected);
    else expect(said).toMatch(expected);
  });

  it.each([
    ['id: 1', '2:6 units[0].id: 1 is no text: put it in quotes'],
    ['id: a b', /^2:6 units\[0\]\.id: "a b" is no id/],
    ['id: a', '2:5 units[0]: the unit has neither prompt nor promptFile: give one of them'],
    [
      'id: a, prompt: x, promptFile: y',
      /^2:\d+ units\[0\]\.promptFile: prompt and promptFile are both there/,
    ],
    ['id: a, prompt: "  "', '2:13 units[0].prompt: is empty: write the task into it'],
    [
      'id: a, promptFile: none.md',
      /units\[0\]\.promptFile: the prompt file .*none\.md cannot be read \(ENOENT\)/,
    ],
    ['id: a, promptFile: empty.md', /empty\.md is empty: write the text into it$/],
    ['id: a, promptFile: latin.md', /latin\.md is not UTF-8: save it as UTF-8$/],
    ['id: a, promptFile: folder', /folder is no regular file/],
    ['id: a, prompt: x, mode: clone', /^2:\d+ units\[0\]\.mode: mode clone needs a repository/],
    ['id: a, prompt: x, mode: worktree', /mode worktree needs a repository/],
    ['id: a, prompt: x, mode: inplace', /mode inplace needs a repository/],
    ['id: a, prompt: x, after: [a]', /^2:\d+ units\[0\]\.after\[0\]: a cannot come after itself/],
    [
      'id: a, prompt: x, after: [b]',
      /units\[0\]\.after\[0\]: there is no unit "b": name a unit of this manifest/,
    ],
    ['id: a, prompt: x, executor: command', /^2:5 units\[0\]: a command unit needs argv/],
    ['id: a, prompt: x, argv: [x]', /units\[0\]\.argv: does nothing for executor codex/],
    [
      'id: a, prompt: x, executor: command, argv: [x], model: m',
      /units\[0\]\.model: does nothing for executor command/,
    ],
    [
      'id: a, prompt: x, executor: claude, sandbox: read-only',
      /units\[0\]\.sandbox: does nothing for executor claude: leave it out$/,
    ],
    ['id: a, prompt: x, executor: omp, tokenLimit: 5', /tokenLimit: does nothing for executor omp/],
    ['id: a, prompt: x, bin: b', /units\[0\]\.bin: does nothing for executor codex/],
    [
      'id: a, prompt: x, executor: session, structured: true',
      /structured: does nothing for executor session/,
    ],
    [
      'id: a, prompt: x, config: [model]',
      /units\[0\]\.config\[0\]: "model" is no setting: write it as key=value/,
    ],
    ['id: a, prompt: x, pnpmStore: "/a\\0b"', /pnpmStore: "\/a\\u0000b" has a NUL character: take it away/],
    ['id: a, prompt: x, resultFile: "a\\0b"', /resultFile: "a\\u0000b" has a NUL/],
    ['id: a, prompt: x, executor: command, argv: [x, "a\\0b"]', /argv\[1\]: "a\\u0000b" has a NUL/],
    // What codex, claude or omp would take for a flag of its own.
    ['id: a, prompt: x, config: [--add-dir=/]', /config\[0\]: "--add-dir=\/" is no setting/],
    [
      'id: a, prompt: x, model: --yolo',
      /units\[0\]\.model: "--yolo" begins with - or a space, or has control/,
    ],
    [
      'id: a, prompt: x, model: "a\\0b"',
      /units\[0\]\.model: "a\\u0000b" begins with - .*: give the name alone/,
    ],
    ['id: a, prompt: x, executor: omp, effort: -x', /units\[0\]\.effort: "-x" begins with -/],
    [
      'id: a, prompt: x, executor: claude, permissionMode: --debug',
      /permissionMode: "--debug" begins with -/,
    ],
    ['id: a, prompt: x, config: a=b', /units\[0\]\.config: "a=b" is no list: write it as \["key=value"\]/],
    [
      'id: a, prompt: x, images: [p.md, none.png]',
      /images\[1\]: the image .*none\.png cannot be read \(ENOENT\)/,
    ],
    ['id: a, prompt: x, outputSchema: p.md', /outputSchema: the schema .*p\.md is no JSON/],
    [
      'id: a, prompt: x, executor: claude, outputSchema: none',
      /outputSchema: the schema .*none cannot be read/,
    ],
    ['id: a, prompt: x, outputSchema: s.json, structured: true', /structured brings a schema of its own/],
    ['id: a, prompt: x, pnpmStore: folder', /pnpmStore: folder is no absolute path: give the absolute path/],
    ['id: a, prompt: x, pnpmStore: /no/such', /pnpmStore: \/no\/such is no folder/],
    ['id: a, prompt: x, pnpmStore: /, sandbox: read-only', /pnpmStore: does nothing in sandbox read-only/],
    ['id: a, prompt: x, runTokenLimit: 5', /runTokenLimit: is a key of the run, above the units/],
    ['id: a, prompt: x, image: p.md', /image: is no known key: is images meant\?/],
    ['id: a, prompt: x, effort: high, reasoningEffort: low', /effort and reasoningEffort are the same/],
    ['id: a, prompt: x, owns: [/etc]', /units\[0\]\.owns\[0\]: "\/etc" is no path below the repository/],
    ['id: a, prompt: x, passEnv: [A=b]', /"A=b" is no name of a variable/],
    ['id: a, prompt: x, jobs: 2', /units\[0\]\.jobs: is a key of the run, above the units/],
    ['id: a, prompt: x, needs: [b]', /units\[0\]\.needs: is no known key: is after meant\?/],
    ['id: a, promptFile: p.md, resultFile: p.md', /is the prompt file: give the result a path of its own/],
    [
      'id: a, prompt: x, stallThreshold: 60, stallNotice: 60',
      /units\[0\]\.stallNotice: 60 is not below stallThreshold 60/,
    ],
  ])('in a unit is told with its place: %s', (unit, expected) => {
    const files = {
      'p.md': 'x',
      'empty.md': ' \n',
      'latin.md': new Uint8Array([0x61, 0xe4, 0x62]),
      'folder/file': '',
      's.json': '{}',
    };
    const said = mistakes(`units:\n  - {${unit}}\n`, files);
    expect(said).toHaveLength(1);
    if (typeof expected === 'string') expect(said[0]).toBe(expected);
    else expect(said[0]).toMatch(expected);
  });

  it('does not hide another one: all are told at once, in the order of the file', () => {
    const said = mistakes(`jobs: none
units:
  - id: schema
    prompt: x
    timeout: 10m
    after: [shema]
  - id: Schema
    promt: y
  - id: b
    prompt: x
    after: [c]
  - id: c
    prompt: x
    after: [schema, b]
  - nothing
`);
    expect(said.map((line) => line.replace(/^(\d+):\d+/, '$1'))).toEqual([
      '1 jobs: "none" is no whole number from 1 up',
      '5 units[0].timeout: "10m" is no whole number from 0 up',
      '6 units[0].after[0]: there is no unit "shema": is schema meant?',
      '7 units[1].id: "Schema" differs only by case from "schema", which is the id of units[0] already: give it another',
      '8 units[1].promt: is no known key: is prompt meant?',
      '11 units[2].after: each of these waits for the next: b → c → b: take one of them out of after',
      '15 units[4]: "nothing" is no unit: write it as id: … and prompt: …',
    ]);
  });

  it('is one where two units share a result file, or name a resource that the run does not have', () => {
    const said = mistakes(`resources: {simulator: 1}
units:
  - {id: a, prompt: x, resultFile: r.md, resources: [simulatr]}
  - {id: b, prompt: x, resultFile: ./r.md}
`);
    expect(said[0]).toContain('the run has no resource "simulatr": is simulator meant?');
    expect(said[1]).toContain('units[1].resultFile: is the result file of units[0] already');
  });

  it.each([
    ['a: [1\nb: 2', /^2:1 : .*: correct the YAML here$/],
    ['units:\n\t- id: a\n', '2:1 : a line is indented with a tab: use spaces'],
    ['units:\n  - id: a\n    id: b\n', '3:5 : this key is here twice: take one away'],
    ['{"units": [{"id": "a", "prompt": "x", "id": "b"}]}', '1:39 : this key is here twice: take one away'],
    [`${UNIT}    owns: [!src/x]\n`, /^4:12 : .*put a text that begins with ! in quotes$/],
    [`${UNIT}    owns: [*.ts]\n`, '4:12 : there is no anchor .ts: put a text that begins with * in quotes'],
    [`${UNIT}---\n${UNIT}`, /there are several documents: a manifest is one$/],
    ['- a\n', '1:1 : a manifest is a map with units: prun schema prints its keys'],
    ['units: []\n', '1:1 units: has no unit: write one as - id: …'],
    ['jobs: 1\n', /units: is missing$/],
    ['units: a\n', '1:1 units: "a" is no list of units: write it as - id: …'],
  ])('of the text itself is told with its place: %j', (text, expected) => {
    const said = mistakes(text);
    if (typeof expected === 'string') expect(said).toContain(expected);
    else
      expect(
        said.some((line) => expected.test(line)),
        said.join('\n'),
      ).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['an empty file', ''],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0])],
  ])('is refused as a whole where the file is %s', (_, content) => {
    const file = path.join(scratch(), 'm.yaml');
    if (content !== undefined) writeFileSync(file, content);
    expect(() => readManifest(file)).toThrow(/the manifest .*m\.yaml/);
  });

  it('is found in ten thousand units within seconds', () => {
    const units = Array.from({ length: 10_000 }, (_, n) => ({ id: `u${n}`, prompt: 'x', after: ['u0'] }));
    const read = readManifest(written(JSON.stringify({ units }), {}, 'm.json'));
    expect(read.kind === 'mistakes' && read.mistakes.map(({ path: where }) => placeName(where))).toEqual([
      'units[0].after[0]',
    ]);
  });
});

describe('settings of the environment', () => {
  it('hold for units that do not say it themselves', () => {
    const environment = {
      PRUN_STALL_THRESHOLD: '100',
      CODEX_DISPATCH_TIMEOUT: '50',
      CODEX_DISPATCH_SANDBOX: 'read-only',
      CODEX_DISPATCH_REASONING: 'low',
      CODEX_BIN: 'bin/codex',
    };
    const defaults = unitDefaults(environment, '/here');
    const unit = { id: 'a', executor: 'codex', mode: 'scratch', prompt: 'x' } as const;
    const spec = newSpec(unit, defaults);
    expect(spec).toMatchObject({ sandbox: 'read-only', reasoningEffort: 'low' });
    expect(spec.codexBin).toBe(path.resolve('/here/bin/codex'));
    expect(spec.limits).toMatchObject({
      stallThresholdSeconds: 100,
      timeoutSeconds: 50,
      stallNoticeSeconds: 0,
    });
    const own = newSpec({ ...unit, effort: 'high', sandbox: 'workspace-write', timeout: 0 }, defaults);
    expect(own).toMatchObject({ sandbox: 'workspace-write', reasoningEffort: 'high' });
    expect(own.limits.timeoutSeconds).toBe(0);
  });

  it('leave the effort to the configuration of a user that is not left out', () => {
    const defaults = unitDefaults({ CODEX_DISPATCH_ISOLATE_MCP: 'off' }, '/');
    const spec = newSpec({ id: 'a', executor: 'codex', mode: 'scratch', prompt: 'x' }, defaults);
    expect(spec).toMatchObject({ isolateMcp: false, reasoningEffort: null });
  });

  it.each([
    [{ PRUN_STALL_THRESHOLD: '10m' }, 'PRUN_STALL_THRESHOLD'],
    [{ CODEX_DISPATCH_SANDBOX: 'open' }, 'CODEX_DISPATCH_SANDBOX'],
  ])('are named where they are wrong: %j', (environment, name) => {
    expect(() => unitDefaults(environment, '/')).toThrow(name);
  });
});

describe('the order of units', () => {
  const order = (after: Record<string, string[]>) =>
    dependencyOrder(Object.entries(after).map(([id, parents]) => ({ id, after: parents })));

  it.each([
    [{ a: [], b: [], c: [] }, ['a', 'b', 'c']],
    [{ a: ['b'], b: ['c'], c: [] }, ['c', 'b', 'a']],
    [{ a: ['c', 'c', 'gone'], b: [], c: [] }, ['b', 'c', 'a']],
  ])('%j', (after, expected) => expect(order(after)).toEqual({ order: expected, circles: [] }));

  it.each([
    [{ a: ['b'], b: ['a'] }, [['a', 'b']]],
    [{ a: ['a'] }, [['a']]],
    [{ x: ['a'], a: ['b'], b: ['c'], c: ['a'], d: [] }, [['a', 'b', 'c']]],
    [
      { a: ['b'], b: ['a'], c: ['d'], d: ['c'] },
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('names circles: %j', (after, circles) => expect(order(after).circles).toEqual(circles));
});

describe('the nearest word', () => {
  it.each([
    ['promt', 'prompt'],
    ['prompt-file', 'promptFile'],
    ['PROMPTFILE', 'promptFile'],
    ['verfiy', 'verify'],
    ['job', 'jobs'],
    // The beginning of one word, and of several.
    ['reason', 'reasoningEffort'],
    ['stal', undefined],
    ['re', undefined],
    ['xyzzy', undefined],
    ['', undefined],
  ])('%s: %s', (word, expected) => {
    expect(nearestWord(word, [...RUN_KEYS, ...UNIT_KEYS])).toBe(expected);
  });
});

describe('the JSON Schema', () => {
  it('has every key of a run and a unit, with what it means, and no other', () => {
    const schema = manifestJsonSchema() as {
      properties: Record<string, { description?: string; items?: unknown }>;
      required: string[];
      additionalProperties: boolean;
    };
    expect(Object.keys(schema.properties).sort()).toEqual([...RUN_KEYS].sort());
    expect(schema.required).toEqual(['units']);
    expect(schema.additionalProperties).toBe(false);
    const unit = schema.properties.units?.items as typeof schema;
    expect(Object.keys(unit.properties).sort()).toEqual([...UNIT_KEYS].sort());
    expect(unit.required).toEqual(['id']);
    for (const { description } of [...Object.values(schema.properties), ...Object.values(unit.properties)]) {
      expect(description).toMatch(/\.$/);
    }
  });
});
