import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The repository. */
export const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'skills/prun');

/** The skill as the coordinator reads it; the build copies it into the prun folder. */
export const skill = readFileSync(path.join(root, 'SKILL.md'), 'utf8');
/** What people read first. */
export const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
/** References by file name. */
export const references: ReadonlyMap<string, string> = new Map(
  readdirSync(path.join(folder, 'references')).map((name) => [
    name,
    readFileSync(path.join(folder, 'references', name), 'utf8'),
  ]),
);
/** What the coordinator reads, by path relative to the prun folder. */
export const coordinatorTexts: [string, string][] = [
  ['SKILL.md', skill],
  ...[...references].map(([name, text]): [string, string] => [`references/${name}`, text]),
];

/** Text of one reference. */
export function reference(name: string): string {
  const text = references.get(name);
  if (text === undefined) throw new Error(`no reference ${name}`);
  return text;
}

/** Fenced blocks of one language (`''` for none). */
export function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '');
}

/** Text from a heading to the next one of the same depth. */
export function section(text: string, heading: string): string {
  const start = text.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`no section ${heading}`);
  const end = text.indexOf('\n## ', start + 1);
  return text.slice(start, end < 0 ? undefined : end);
}

/** All command lines that are shown to the coordinator. */
export function commands(text: string): string[] {
  const shown = [
    ...blocks(text, 'sh'),
    ...blocks(text, '').filter((block) => /^(node|git|codex) /.test(block)),
  ];
  return shown.flatMap((block) => block.split('\n')).filter((line) => line.trim() !== '');
}

/** The one command of a text that matches. */
export function commandOf(text: string, pattern: RegExp): string {
  const [found, ...others] = commands(text).filter((command) => pattern.test(command));
  if (found === undefined || others.length > 0) {
    throw new Error(`${pattern} fits ${found === undefined ? 'no command' : 'several commands'}`);
  }
  return found;
}

/** Rows of a table in a section: the cells of each, without the head. */
export function tableRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines
    .filter((line, n) => !/^\|[-|]+\|$/.test(line) && !/^\|[-|]+\|$/.test(lines[n + 1] ?? ''))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

/** A prun folder with the scripts that are to be tested: the built one, or a copy with those of PRUN_TORTURE_SCRIPTS. */
export interface PrunFolder {
  prunDir: string;
  scriptsDir: string;
  remove(): void;
}

/** Opens it; `remove` takes a copy away. */
export function openPrunFolder(): PrunFolder {
  const scripts = process.env.PRUN_TORTURE_SCRIPTS;
  if (scripts === undefined) {
    return { prunDir: folder, scriptsDir: path.join(folder, 'scripts'), remove: () => undefined };
  }
  const prunDir = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun-folder-')));
  for (const name of ['references', 'assets'])
    cpSync(path.join(folder, name), path.join(prunDir, name), { recursive: true });
  cpSync(scripts, path.join(prunDir, 'scripts'), { recursive: true });
  const remove = (): void => rmSync(prunDir, { recursive: true, force: true });
  return { prunDir, scriptsDir: path.join(prunDir, 'scripts'), remove };
}

const RUN_COMMANDS =
  /prun\.cjs (?:run|init|add|start|register|wait|status|list|logs|attach|cancel|resume|retry|reconcile|debug|schema) /;

/** Texts in which also clones, deltas and what is removed are those of a run. */
const OF_RUNS = ['SKILL.md', 'references/runs.md', 'references/durable-runs.md'];

/** Whether a command of a text belongs to a run: those are executed by test/skill-runs.test.ts, all others by skill-text. */
export function isOfRun(file: string, command: string): boolean {
  return command.includes('prun.cjs') && (OF_RUNS.includes(file) || RUN_COMMANDS.test(`${command} `));
}

const SIDE_TEXTS = ['reviews.md', 'panels.md', 'web.md', 'validation.md', 'ios-validation.md'].map(
  (name) => `references/${name}`,
);

/** Whether a command of a text is executed by test/skill-side-*.test.ts or test/validate/validate-text.test.ts, and nowhere else. */
export function isSideCommand(file: string, command: string): boolean {
  return SIDE_TEXTS.includes(file) || (file === 'references/single.md' && command.includes(' --resume '));
}
