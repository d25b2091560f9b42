import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, section, skill, tableRows } from './helpers/skill-texts.ts';

// The phrases that must and must not load the skill, against the description by which a host decides.

/** Limits of the host's listing and of the checkers (FACTS-claude-code.md, Skills). */
const MOST_LISTED = 1536;
const MOST_DESCRIBED = 1024;

const phrases = readFileSync(path.join(root, 'test/triggers/phrases.md'), 'utf8');
const yes = tableRows(section(phrases, 'Must trigger'));
const no = tableRows(section(phrases, 'Must not trigger'));
const description: string = JSON.parse(/^description: (".*")$/m.exec(skill)?.[1] ?? '""');
const plain = (text = ''): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

describe('trigger phrases', () => {
  it('are twenty that must trigger and twenty near misses, each with a word why, none twice', () => {
    expect([yes.length, no.length]).toEqual([20, 20]);
    for (const row of [...yes, ...no]) {
      expect(row, row[0]).toHaveLength(2);
      expect(row[1]?.length, row[0]).toBeGreaterThan(5);
    }
    const all = [...yes, ...no].map(([phrase]) => plain(phrase));
    expect(new Set(all).size).toBe(40);
  });

  it('have each word that the description quotes', () => {
    const typed = [...description.matchAll(/"([^"]+)"/g)].map(([, words]) => plain(words));
    expect(typed.length).toBeGreaterThan(4);
    for (const words of typed) {
      expect(
        yes.some(([phrase]) => plain(phrase).includes(words)),
        words,
      ).toBe(true);
    }
  });

  it('are judged by a description within the limits that the file names', () => {
    expect(description.length).toBeGreaterThan(200);
    expect(description.length).toBeLessThanOrEqual(MOST_DESCRIBED);
    expect(`prun: ${description}`.length).toBeLessThanOrEqual(MOST_LISTED);
    for (const limit of [MOST_LISTED, MOST_DESCRIBED]) {
      expect(phrases).toContain(`${limit.toLocaleString('en')} characters`);
    }
  });
});
