import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { markdownFiles, withoutBlocks } from '../helpers/repository-files.ts';
import { root } from '../helpers/skill-texts.ts';

const texts = markdownFiles();

/** Anchors of a Markdown text as GitHub makes them of its headings. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n += 1) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

/** What of a text's links leads nowhere. */
function brokenLinks(file: string, text: string): string[] {
  // The SKILL.md at the top is read where the folder is: the build copies it there.
  const folder = path.join(root, file === 'SKILL.md' ? 'skills/prun' : path.dirname(file));
  const links = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)[^)]*\)|\b(?:src|href)="([^"]+)"/g)];
  return links
    .map(([, inline, html]) => inline ?? html ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [target = '', anchor] = link.split('#');
      const full = path.join(folder, target);
      if (!existsSync(full)) return true;
      if (anchor === undefined) return false;
      return !anchorsOf(target === '' ? text : readFileSync(full, 'utf8')).has(anchor);
    });
}

describe('links', () => {
  it.each(texts)('each of %s leads to a file and a heading that are there', (file, text) => {
    expect(brokenLinks(file, text)).toEqual([]);
  });

  it('a link to a file, a heading or a picture that is not there is found', () => {
    const text =
      '# One\n[a](x.md) [b](#two) [c](README.md#nowhere) <img src="no.svg"> [d](#one) [e](README.md)\n';
    expect(brokenLinks('ARCHITECTURE.md', text)).toEqual(['x.md', '#two', 'README.md#nowhere', 'no.svg']);
  });

  it('headings become anchors as they do on GitHub', () => {
    const headings = "# `prun run`: a first look\n## What's new\n## What's new\n```\n# no\n```\n";
    expect([...anchorsOf(headings)]).toEqual(['prun-run-a-first-look', 'whats-new', 'whats-new-1']);
  });
});
