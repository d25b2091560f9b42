import { describe, expect, it } from 'vitest';
import { parseGather } from '../../scripts-src/unit/gather-arguments.ts';

describe('parseGather', () => {
  it('has the defaults of the contract', () => {
    expect(parseGather(['/nowhere/a'], {})).toEqual({
      help: false,
      resultFiles: ['/nowhere/a'],
      pollSeconds: 5,
      timeoutSeconds: 3600,
      stableWindowSeconds: 10,
    });
  });

  it('reads the variables, and a flag wins', () => {
    const environment = {
      AGENT_CONFIG_GATHER_TIMEOUT: '7',
      PRUN_GATHER_POLL: '8',
      PRUN_GATHER_STABLE_WINDOW: '0',
    };
    expect(parseGather(['a', '--timeout=0'], environment)).toMatchObject({
      timeoutSeconds: 0,
      pollSeconds: 8,
      stableWindowSeconds: 0,
    });
  });

  it('resolves relative paths and counts a file once', () => {
    expect(parseGather(['a', './a', '../x/b', `${process.cwd()}/a`], {}).resultFiles).toHaveLength(2);
  });

  it.each([
    [[], {}, 'no result file given'],
    [[''], {}, 'empty name'],
    [['a', '--stall-threshold', '1'], {}, 'unknown flag --stall-threshold'],
    [['a', '--timeout', '1h'], {}, '--timeout is "1h"'],
    [['a'], { AGENT_CONFIG_GATHER_TIMEOUT: 'x' }, 'AGENT_CONFIG_GATHER_TIMEOUT is "x"'],
  ])('%j with %j: %s', (argv, environment, message) => {
    expect(() => parseGather(argv, environment)).toThrow(message);
  });
});
