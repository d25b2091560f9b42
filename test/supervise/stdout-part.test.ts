import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { command } from '../../scripts-src/executor/command.ts';
import { readableTail } from '../../scripts-src/supervise/salvage.ts';
import { joinStderr, readStdout } from '../../scripts-src/supervise/stdout-part.ts';
import { followOutput } from '../../scripts-src/supervise/worker-output.ts';
import { scratch } from '../helpers/unit-run.ts';

function output(stdout: string, stderr: string) {
  const stateDir = scratch();
  const file = (name: string) => path.join(stateDir, name);
  writeFileSync(file('tail'), stdout);
  writeFileSync(file('stderr'), stderr);
  const text = (name: string) => readFileSync(file(name), 'utf8');
  const stdoutText = () => readStdout(stateDir, 1e9).bytes.toString();
  return { stateDir, file, text, stdoutText };
}

describe('stdout and stderr of a command', () => {
  it.each<[string, string, string, string]>([
    ['both', 'out\n', 'err\n', 'out\nerr\n'],
    ['a torn last line', 'out', 'err', 'out\nerr'],
    ['no stdout', '', 'err\n', 'err\n'],
    ['no stderr', 'out', '', 'out'],
    ['nothing', '', '', ''],
  ])('%s: the tail has all, and stdout is known', (_title, stdout, stderr, tail) => {
    const { stateDir, text, stdoutText } = output(stdout, stderr);
    joinStderr(stateDir);
    expect(text('tail')).toBe(tail);
    expect(stdoutText()).toBe(stdout);
  });

  it.each<[string, (file: (name: string) => string) => void]>([
    ['after the note', (file) => writeFileSync(file('tail'), 'out\n')],
    ['in the middle of appending', (file) => writeFileSync(file('tail'), 'out\ner')],
    ['after all', () => {}],
  ])('a supervisor that takes over %s doubles nothing and takes nothing for stdout', (_title, kill) => {
    const { stateDir, file, text, stdoutText } = output('out\n', 'err\n');
    joinStderr(stateDir);
    kill(file);
    joinStderr(stateDir);
    expect(stdoutText()).toBe('out\n');
    expect(['out\nerr\n', 'out\ner']).toContain(text('tail'));
  });

  it('stderr without a bound follows by its end, from the beginning of a line', () => {
    const lines = Array.from({ length: 200_000 }, (_, n) => `line ${n}`).join('\n');
    const { stateDir, file, text } = output('out\n', `${lines}\n`);
    joinStderr(stateDir);
    const all = text('tail').split('\n');
    expect(all[1]).toBe(`… the beginning of stderr is in ${file('stderr')}`);
    expect(all[2]).toMatch(/^line \d+$/);
    expect(all.at(-2)).toBe('line 199999');
    expect(text('tail').length).toBeLessThan(1.1 * 1024 * 1024);
  });

  it('stdout stays whole where stderr cannot be joined', () => {
    const { stateDir, file, stdoutText } = output('out\n', 'err\n');
    mkdirSync(file('stdout-bytes'));
    joinStderr(stateDir);
    expect(stdoutText()).toBe('out\n');
    expect(readableTail(stateDir, command)).toBe('out\nerr');
  });

  it('both are shown while it runs, and once when it has ended', () => {
    const { stateDir } = output('out', 'err\n');
    expect(readableTail(stateDir, command)).toBe('out\nerr');
    joinStderr(stateDir);
    expect(readableTail(stateDir, command)).toBe('out\nerr');
  });

  it.each<[string, string, string, 'output' | undefined]>([
    ['a line on stdout', 'tail', 'step 1\n', 'output'],
    ['a line on stderr', 'stderr', 'step 1\n', 'output'],
    ['a JSON line', 'tail', '{"type":"thread.started"}\n', 'output'],
    ['half a line', 'stderr', 'step', undefined],
    ['an empty line', 'tail', '\n', undefined],
    ['a retry notice on stdout', 'tail', 'Reconnecting... 1/5\n', undefined],
    ['a retry notice on stderr', 'stderr', 'retrying in 3 seconds\n', undefined],
    ['a notice, and a line', 'stderr', 'retrying in 3 seconds\nstep 2\n', 'output'],
  ])('%s as evidence of progress', (_title, name, text, evidence) => {
    const { stateDir, file } = output('', '');
    const followed = followOutput(stateDir, command);
    expect(followed.advance()).toBeUndefined();
    appendFileSync(file(name), text);
    expect(followed.advance()).toBe(evidence);
    expect(followed.advance()).toBeUndefined();
    expect(followed.bytes()).toBe(text.length);
    followed.finish();
  });

  it('output that has gone is no reason to fail at the end', () => {
    const { stateDir, file } = output('out\n', 'err\n');
    const followed = followOutput(stateDir, command);
    rmSync(file('stderr'));
    expect(() => followed.finish()).not.toThrow();
  });
});
