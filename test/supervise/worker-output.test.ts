import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codex } from '../../scripts-src/executor/codex.ts';
import { command } from '../../scripts-src/executor/command.ts';
import { followOutput } from '../../scripts-src/supervise/worker-output.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'prun-output-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let dirs = 0;

const NOISE =
  '2026-11-30T02:54:39.543197Z TRACE codex_app_server::outgoing_message: app-server event: thread/started targeted_connections=0';
const DELTA =
  '2026-11-30T02:54:39.734173Z TRACE codex_app_server::outgoing_message: app-server event: item/agentMessage/delta targeted_connections=1';

function unit() {
  const stateDir = path.join(root, String(++dirs));
  mkdirSync(stateDir);
  const file = (name: string) => path.join(stateDir, name);
  for (const name of ['tail', 'stderr']) writeFileSync(file(name), '');
  return {
    stateDir,
    file,
    output: followOutput(stateDir, codex),
    stdout: (text: string) => appendFileSync(file('tail'), text),
    stderr: (text: string) => appendFileSync(file('stderr'), text),
    tail: () => readFileSync(file('tail'), 'utf8'),
  };
}

describe('what a worker prints', () => {
  it('is evidence, strongest first, once', () => {
    const { output, stdout, stderr } = unit();
    expect(output.advance()).toBeUndefined();
    stdout('plain\n');
    expect(output.advance()).toBe('output');
    expect(output.advance()).toBeUndefined();
    stderr(`${DELTA}\n`);
    expect(output.advance()).toBe('stream');
    stdout('{"type":"turn.started"}\n');
    stderr(`${DELTA}\n`);
    expect(output.advance()).toBe('event');
  });

  it.each([
    ['a blank line', '\n  \n'],
    ['a retry notice', 'Retrying in 5s...\n'],
    ['an error event', '{"type":"error","message":"Reconnecting... 1/5 (x)"}\n'],
    ['half a line', 'no end'],
  ])('is no evidence where it is %s', (_, text) => {
    const { output, stdout } = unit();
    stdout(text);
    expect(output.advance()).toBeUndefined();
  });

  it('reaches the tail without the trace, in whole lines', () => {
    const { output, stdout, stderr, tail } = unit();
    stdout('{"type":"turn.started"}\n');
    stderr(`${NOISE}\nWARNING: rm -rf was refused\n${DELTA}\nthread 'main' panicked\n`);
    output.advance();
    expect(tail()).toBe('{"type":"turn.started"}\nWARNING: rm -rf was refused\nthread \'main\' panicked\n');
    output.finish();
    expect(tail()).not.toContain('TRACE');
  });

  it('never stands in the middle of a line that the worker has yet to end', () => {
    const { output, stdout, stderr, tail } = unit();
    stdout('{"type":"turn.');
    stderr('a warning\n');
    output.advance();
    expect(tail()).toBe('{"type":"turn.');
    stdout('started"}\n');
    output.advance();
    expect(tail()).toBe('{"type":"turn.started"}\na warning\n');
    expect(output.events.facts().structured).toBe(true);
    stdout('torn at the end');
    stderr('last words');
    output.finish();
    expect(tail()).toBe('{"type":"turn.started"}\na warning\ntorn at the end\nlast words\n');
  });

  it('is read to its end by finish, a last line without newline included', () => {
    const { output, stdout } = unit();
    stdout('{"type":"turn.started"}\n{"type":"turn.completed","usage":{"input_tokens":7,"output_tokens":2}}');
    output.finish();
    expect(output.events.facts()).toMatchObject({ ended: 'completed', tokens: { input: 7, output: 2 } });
  });

  it('counts in bytes, the trace that was cut included', () => {
    const { output, stderr, stdout, file, tail } = unit();
    const chunk = `${NOISE}\n`.repeat(10_000);
    let written = 0;
    for (let round = 0; round < 12; round++) {
      stderr(chunk);
      written += chunk.length;
      output.advance();
    }
    expect(statSync(file('stderr')).size).toBeLessThan(4 * 1024 * 1024 + chunk.length);
    expect(written).toBeGreaterThan(12 * 1024 * 1024);
    stdout('x\n');
    expect(output.bytes()).toBe(written + 2);
    // What comes after a cut is read like what came before.
    stderr('a late warning\n');
    output.advance();
    expect(tail()).toBe('x\na late warning\n');
  });

  it('is not lost while the tail cannot be written', () => {
    const { output, stderr, file, tail } = unit();
    rmSync(file('tail'));
    mkdirSync(file('tail'));
    stderr('said in between\n');
    output.advance();
    rmSync(file('tail'), { recursive: true });
    writeFileSync(file('tail'), '');
    output.advance();
    expect(tail()).toBe('said in between\n');
    chmodSync(file('tail'), 0o600);
  });

  it('needs no stderr file', () => {
    const stateDir = path.join(root, String(++dirs));
    mkdirSync(stateDir);
    writeFileSync(path.join(stateDir, 'tail'), 'line\n');
    const output = followOutput(stateDir, codex);
    expect(output.advance()).toBe('output');
    expect(output.bytes()).toBe(5);
    output.finish();
  });
});

describe('the end of stderr', () => {
  it('is its text without the trace, at most 64 KiB, and the last line without a newline', () => {
    const { output, stderr } = unit();
    stderr(`first\n${NOISE}\n${DELTA}\nError: second\n`);
    output.advance();
    expect(output.stderrEnd()).toBe('first\nError: second');
    stderr(`${'x'.repeat(999)}\n`.repeat(100));
    stderr('Not logged in');
    output.finish();
    expect(output.stderrEnd().endsWith('\nNot logged in')).toBe(true);
    expect(output.stderrEnd().length).toBeLessThanOrEqual(66 * 1024);
    expect(output.stderrEnd()).not.toContain('first');
  });

  it('is read to its end, too, where stdout is the answer', () => {
    const { stateDir, stderr } = unit();
    const output = followOutput(stateDir, command);
    stderr('one\ntwo');
    output.finish();
    expect(output.stderrEnd()).toBe('one\ntwo');
  });
});

describe('a limit that is told with a clock\u2019s time', () => {
  it('ends by the moment when it was written, not when it is read', () => {
    const { stateDir, file, stdout } = unit();
    const said = new Date(2026, 0, 15, 19, 0, 0);
    stdout('{"type":"turn.failed","error":{"message":"You hit your usage limit, try again at 7:24 PM."}}\n');
    utimesSync(file('tail'), said, said);
    const output = followOutput(stateDir, codex);
    output.finish();
    expect(output.events.facts().failure?.resetAt).toBe(new Date(2026, 0, 15, 19, 24).toISOString());
  });
});
