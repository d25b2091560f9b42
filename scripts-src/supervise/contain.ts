import { spawnSync } from 'node:child_process';

/** unshare(1) as the outermost parent: when it is killed, the kernel kills the whole namespace. */
export const UNSHARE = ['unshare', '--user', '--map-current-user', '--pid', '--fork', '--kill-child=KILL'];

/**
 * Wraps a worker in a pid namespace of its own where a probe shows that it works (Linux; some distributions forbid
 * it). Elsewhere the argv is returned as it is, with a line on stderr: the marks and the sweep do without.
 */
export function containArgv(argv: string[], platform: NodeJS.Platform): string[] {
  const [program = '', ...options] = UNSHARE;
  if (platform === 'linux') {
    const probe = spawnSync(program, [...options, 'true'], { stdio: 'ignore', timeout: 2000 });
    if (probe.status === 0) return [...UNSHARE, ...argv];
  }
  process.stderr.write('dispatch-task: --contain: pid namespaces do not work here: going on without\n');
  return argv;
}
