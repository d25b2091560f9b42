import { describe, expect, it } from 'vitest';
import { codexFailureAtEnd } from '../../scripts-src/executor/codex-failure-at-end.ts';
import type { FailureReason, WorkerFacts } from '../../scripts-src/executor/types.ts';

const FACTS: WorkerFacts = { structured: true, openCommands: 0 };
const NOTICE = 'WARNING: proceeding, even though we could not create PATH aliases';
const at = (stderr: string, exitCode: number | null = 1, facts = FACTS) =>
  codexFailureAtEnd({ exitCode, stderr, facts });

describe('what the end of a codex tells', () => {
  it('is no error of somebody else where the events have told the end', () => {
    const line = 'Error: 401 Unauthorized (linear-mcp)';
    expect(at(line, 1, { ...FACTS, ended: 'failed' })).toBeUndefined();
    expect(at(line)).toMatchObject({ reason: 'auth' });
  });

  it.each<[number | null, string, FailureReason, RegExp]>([
    [
      101,
      "\nthread 'main' panicked at library/std/src/io/stdio.rs:1021:9:\nfailed printing to stdout: Broken pipe\nnote: run with",
      'panic',
      /^codex itself broke \(exit 101\): thread 'main' panicked at .* failed printing to stdout: Broken pipe$/,
    ],
    [null, "thread 'tokio-rt' (77) panicked at x.rs:1:1:\nboom", 'panic', /exit unknown/],
    [101, '', 'panic', /^codex itself broke \(exit 101\)$/],
    [
      1,
      'Error: thread/resume: thread 01a already has an active writer',
      'session-live',
      /^thread\/resume: thread 01a already/,
    ],
    [1, 'Not logged in', 'login', /^Not logged in$/],
    [1, '\x1b[31mError loading config.toml:\x1b[0m invalid type', 'bad-flags', /^Error loading config\.toml/],
    [2, "error: unrecognized subcommand 'fork'", 'bad-flags', /does not take the command fork/],
    // A codex that prints no events tells the server's failure here.
    [1, 'ERROR: You\u2019ve hit your usage limit. Try again at 7:24 PM.', 'usage-limit', /^You\u2019ve hit/],
    [1, 'Error: unexpected status 401 Unauthorized: no', 'auth', /401/],
  ])('exit %s, %j: %s', (exitCode, stderr, reason, message) => {
    const failure = at(`${NOTICE}\n${stderr}\n`, exitCode);
    expect(failure).toMatchObject({ reason, message: expect.stringMatching(message) });
    expect(failure?.message).not.toMatch(/^(?:Error|error|ERROR): /);
    expect(failure?.evidence?.join('\n')).not.toContain('PATH aliases');
  });

  it.each<[number | null, string]>([
    [1, ''],
    [1, NOTICE],
    [1, 'Error: something that nobody has seen yet'],
    [0, 'Not logged in'],
    [0, "error: unexpected argument '--x' found"],
    [0, 'ERROR codex_core::tools::router: error=apply_patch verification failed: No such file'],
    [null, 'the user said: usage limit'],
  ])('exit %s, %j: nothing', (exitCode, stderr) => {
    expect(at(stderr, exitCode)).toBeUndefined();
  });

  it('is what was refused, where codex ended well', () => {
    const line =
      '2026-11-30T19:52:08.255990Z ERROR codex_core::tools::router: error=exec_command failed: Rejected("`rm -rf x` rejected: rm -f style commands are not permitted")';
    const refusals = ['$ echo x: y: Read-only file system'];
    expect(at(`${NOTICE}\n${line}`, 0)).toEqual({
      reason: 'sandbox-refusal',
      message:
        'the sandbox or codex\'s rules refused: exec_command failed: Rejected("`rm -rf x` rejected: rm -f style commands are not permitted")',
      evidence: [line],
    });
    expect(at(line, 0, { ...FACTS, refusals })).toMatchObject({
      message: expect.stringMatching(/ \(and 1 more\)$/),
      evidence: [line, ...refusals],
    });
  });
});
