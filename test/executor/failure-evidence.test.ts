import { describe, expect, it } from 'vitest';
import {
  evidenceOf,
  failureMessage,
  withoutSecrets,
  withoutValues,
} from '../../scripts-src/executor/failure-evidence.ts';

describe('keys and tokens in what a server says', () => {
  it.each([
    ['Incorrect API key provided: sk-proj-AbC_123-xyz456. You', 'Incorrect API key provided: sk-\u2026 You'],
    ['sk-ant-api03-abcdefgh', 'sk-\u2026'],
    ['Incorrect API key provided: sk-abcd*****wxyz', 'Incorrect API key provided: sk-\u2026'],
    ['Authorization: Bearer abcdefghij.klm', 'Authorization: Bearer \u2026'],
    ['eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbg', 'eyJ\u2026'],
    ['ghp_abcdefghij0123', 'ghp_\u2026'],
    ['github_pat_11ABCDEF', 'github_pat_\u2026'],
    ['AIzaSyA1234567890', 'AIza\u2026'],
    ['OPENAI_API_KEY=secret123 rest', 'OPENAI_API_KEY=\u2026 rest'],
    ['{"access_token": "abcdef"}', '{"access_token": "\u2026"}'],
    // What is no secret stays.
    ['unexpected status 401 Unauthorized: no access', 'unexpected status 401 Unauthorized: no access'],
    ['Missing environment variable: `MY_KEY`.', 'Missing environment variable: `MY_KEY`.'],
    ['try again at 7:24 PM', 'try again at 7:24 PM'],
    ['01a22a5b-bc73-75e3-93ff-808416258d9f', '01a22a5b-bc73-75e3-93ff-808416258d9f'],
    ['max_output_tokens: 4096 is too many', 'max_output_tokens: 4096 is too many'],
  ])('%s', (text, expected) => {
    expect(withoutSecrets(text)).toBe(expected);
  });
});

describe('values of an environment', () => {
  const environment = {
    CODEX_API_KEY: 'corporate.key-$&1',
    MY_TOKEN: 'with "quotes"',
    SHORT_KEY: 'abc',
    HOME: '/home/somebody',
    KEYBOARD: 'german-layout',
  };
  it.each([
    ['bad key corporate.key-$&1, corporate.key-$&1!', 'bad key …(CODEX_API_KEY), …(CODEX_API_KEY)!'],
    ['with "quotes" and {"x":"with \\"quotes\\""}', '…(MY_TOKEN) and {"x":"…(MY_TOKEN)"}'],
    ['abc /home/somebody german-layout', 'abc /home/somebody german-layout'],
  ])('that are secrets by their names: %s', (text, expected) => {
    expect(withoutValues(text, environment)).toBe(expected);
  });
});

describe('evidence', () => {
  it('is the last five lines, of 500 characters each, as they came', () => {
    const lines = ['0', '1', '2', '3', '  {"type":"error"}  ', 'y'.repeat(501)];
    expect(evidenceOf(lines)).toEqual(['1', '2', '3', '  {"type":"error"}  ', 'y'.repeat(500)]);
  });

  it('never ends in half a character', () => {
    expect(evidenceOf([`${'x'.repeat(499)}\ud83d\ude00`])).toEqual(['x'.repeat(499)]);
    expect(failureMessage(`${'x'.repeat(1999)}\ud83d\ude00`)).toBe('x'.repeat(1999));
  });
});
