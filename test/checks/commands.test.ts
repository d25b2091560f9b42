import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { blockLines, codeSpans, markdownFiles } from '../helpers/repository-files.ts';
import { openPrunFolder } from '../helpers/skill-texts.ts';

const { scriptsDir, remove } = openPrunFolder();
afterAll(remove);

/** The compiled scripts; longer names first, because one may begin another. */
const SCRIPTS = readdirSync(scriptsDir)
  .filter((file) => file.endsWith('.cjs'))
  .map((file) => file.slice(0, -'.cjs'.length))
  .sort((a, b) => b.length - a.length);
/** A call stands alone, behind a path, or is what prun prints as the next one. The rest are drawings and messages. */
const CALL = new RegExp(`(?:^\\s*|^NEXT |\\/)(${SCRIPTS.join('|')})(?:\\.(?:cjs|sh|ps1))? (.*)`);
/** `prun items-1 wait` describes a background call, `prun base:` is the subject of a commit: not those. */
const COMMAND = /^([a-z][a-z-]*)(?![\w:/-])/;
const SCRIPT = /(?:^|[\s"'(/])([a-z][a-z-]+)\.(?:cjs|sh|ps1)\b/g;
const FLAG = /(?<= |\[|^)--[a-z][a-z-]+/g;
/** What only prun calls is in no help. */
const INTERNAL = ['supervise', 'run-validation', 'demo-worker', 'doctor-look'];

const seen = new Map<string, string>();
/** The help of a script, or of a command of prun; empty when there is none. */
function help(script: string, ...command: string[]): string {
  const key = [script, ...command].join(' ');
  const known = seen.get(key);
  if (known !== undefined) return known;
  const argv = [path.join(scriptsDir, `${script}.cjs`), ...command, '--help'];
  const said = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  const text = said.status === 0 && new RegExp(`^usage: ${key}\\s`).test(said.stdout) ? said.stdout : '';
  seen.set(key, text);
  return text;
}

/** What a text's code says of prun that no help knows. */
function unknownIn(text: string): string[] {
  return [...blockLines(text), ...codeSpans(text)].flatMap((line) => {
    const [, script = '', words = ''] = CALL.exec(line) ?? [];
    const command = script === 'prun' ? (COMMAND.exec(words)?.slice(1) ?? []) : [];
    if (script === '' || INTERNAL.includes(command[0] ?? '')) return [];
    // `prun <command>`, `prun items-1 wait`
    if (script === 'prun' && command.length === 0 && !words.startsWith('--')) return [];
    const known = help(script, ...command);
    const call = [script, ...command].join(' ');
    if (known === '') return [call];
    // Behind these another program's words begin.
    const [own = ''] = words.split(/ -- | && |; | \| |, /);
    return (own.match(FLAG) ?? [])
      .filter((flag) => flag !== '--help' && !new RegExp(`${flag}(?![\\w-])`).test(known))
      .map((flag) => `${call} ${flag}`);
  });
}

const texts = markdownFiles();

it.each(texts)('%s names only commands and flags that prun has', (_file, text) => {
  expect(unknownIn(text)).toEqual([]);
});

it.each(texts)('%s names only scripts that are there', (_file, text) => {
  const named = [...blockLines(text), ...codeSpans(text)]
    .filter((line) => /\bscripts\/[a-z]/.test(line))
    .flatMap((line) => [...line.matchAll(SCRIPT)].map(([, name = '']) => name));
  // The launchers and the compiled scripts have the same names.
  expect(named.filter((name) => !SCRIPTS.includes(name))).toEqual([]);
});

it('a command, a flag or a script that does not exist is found', () => {
  const spans = '`prun fly` `prun wait --run a --soon` `monitor --fast` `prun --slow` `prun items-1 wait`';
  const block = '```sh\nnode x/scripts/prun.cjs wait --later\n```\n';
  const found = ['prun wait --later', 'prun fly', 'prun wait --soon', 'monitor --fast', 'prun --slow'];
  expect(unknownIn(`${spans}\n\n${block}`)).toEqual(found);
});
