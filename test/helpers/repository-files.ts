import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './skill-texts.ts';

/** Files that git keeps, or would keep if all were added, by path with slashes. No `.git` is needed for it. */
export function repositoryFiles(): string[] {
  const empty = mkdtempSync(path.join(os.tmpdir(), 'prun-no-git-'));
  try {
    const git = (...words: string[]): string =>
      execFileSync('git', [`--git-dir=${empty}`, ...words], { cwd: root, encoding: 'utf8' });
    git('init', '-q');
    return git(`--work-tree=${root}`, 'ls-files', '-z', '--others', '--exclude-standard')
      .split('\0')
      .filter((file) => file !== '' && lstatSync(path.join(root, file)).isFile())
      .sort();
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

/** Path and text of every Markdown file that people or coordinators read, the samples of tests left out. */
export function markdownFiles(): [string, string][] {
  return repositoryFiles()
    .filter((file) => file.endsWith('.md') && !file.startsWith('test/fixtures/'))
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]);
}

/** The Markdown without fenced blocks: in them `#` is a comment and `](` is code. */
export function withoutBlocks(text: string): string {
  return text.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '');
}

/** Lines of the fenced blocks of a Markdown text. */
export function blockLines(text: string): string[] {
  return [...text.matchAll(/^(`{3,})[^\n]*\n([\s\S]*?)^\1$/gm)].flatMap(([, , block = '']) =>
    block.split('\n'),
  );
}

/** Code spans of a Markdown text. */
export function codeSpans(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}
