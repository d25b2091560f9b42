import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { resolveProgram } from '../../scripts-src/platform/resolve-program.ts';
import { openPrun, type PrunCli, type PrunSaid, type PrunWish } from './prun-cli.ts';
import { program, scratch } from './unit-run.ts';

/** One check of `prun doctor --json`. */
export interface DoctorCheck {
  id: string;
  state: 'ok' | 'note' | 'problem';
  fact: string;
  do: string | null;
}

/** The whole of `prun doctor --json`. */
export interface DoctorJson {
  schema: number;
  ok: boolean;
  checks: DoctorCheck[];
  jobs: number;
}

/** A machine in a folder: a PATH of its own, homes, and the compiled `prun doctor`. */
export interface DoctorRoom {
  folder: string;
  cli: PrunCli;
  /** The only folder of PATH: git and a few tools of the system, and what a test puts there. */
  bin: string;
  temp: string;
  /** Runs `prun doctor`; any exit code. */
  run(flags?: readonly string[], wish?: PrunWish): Promise<PrunSaid>;
  /** The same with `--json`. */
  json(flags?: readonly string[], wish?: PrunWish): Promise<DoctorJson & { code: number }>;
  /** Its one check of that name. */
  check(id: string, wish?: PrunWish): Promise<DoctorCheck>;
}

/** Opens a room that goes with the test. Where PATH is not its own, a test says so. */
export function doctorRoom(folder = scratch('prun doctor')): DoctorRoom {
  const cli = openPrun(folder);
  const bin = path.join(folder, 'bin');
  const temp = path.join(folder, 'temp');
  for (const place of [bin, temp]) mkdirSync(place, { recursive: true });
  for (const name of ['git', 'sh', 'unshare', 'true', 'sleep', 'ps']) {
    const found = resolveProgram(name, folder, process.env);
    if (found.kind === 'found') symlinkSync(found.path, path.join(bin, name));
  }
  const run = (flags: readonly string[] = [], wish: PrunWish = {}): Promise<PrunSaid> =>
    cli.run(['doctor', ...flags], {
      code: 'any',
      cwd: folder,
      ...wish,
      environment: {
        PATH: bin,
        TMPDIR: temp,
        CODEX_HOME: path.join(folder, 'codex-home'),
        ...wish.environment,
      },
    });
  const json: DoctorRoom['json'] = async (flags = [], wish = {}) => {
    const { code, stdout } = await run(['--json', ...flags], wish);
    return { ...(JSON.parse(stdout) as DoctorJson), code };
  };
  return {
    ...{ folder, cli, bin, temp, run, json },
    async check(id, wish) {
      const { checks } = await json([], wish);
      const found = checks.find((check) => check.id === id);
      if (!found) throw new Error(`no check ${id} among ${checks.map((check) => check.id).join(', ')}`);
      return found;
    },
  };
}

/** A codex that answers the doctor's questions as one that is signed in; `before` is shell text that comes first. */
export function goodCodex(bin: string, before = ''): string {
  const help =
    'Usage: codex exec\n\nCommands:\n  resume  goes on\n\nOptions:\n  -s, --sandbox <M>\n      --json\n  -m, --model <M>\n  -c, --config <K>\n  -i, --image <F>\n      --output-schema <F>\n      --ephemeral\n';
  const text = `${before}
case "$*" in
  --version) echo codex-cli 0.171.0 ;;
  'login status') echo 'Logged in using an API key - sk-secret-of-the-account' >&2 ;;
  *) printf '%s' '${help}' ;;
esac`;
  return program(bin, 'codex', `#!/bin/sh\n${text}\n`);
}

/** Everything below some folders: kind, mode, size and time of change of each name. */
export function snapshot(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (!stat) return [`${folder} is not there`];
    const line = [folder, stat.mode.toString(8), stat.isDirectory() ? '' : stat.size, stat.mtimeMs].join(' ');
    if (!stat.isDirectory()) return [line];
    return [
      line,
      ...snapshot(
        ...readdirSync(folder)
          .sort()
          .map((name) => path.join(folder, name)),
      ),
    ];
  });
}

/** Mounts a small tmpfs that goes with the test; false where that is not allowed (a container, an ordinary user). */
export function mountedSmall(folder: string, kib: number, atEnd: (end: () => void) => void): boolean {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false;
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k,mode=700`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    return false;
  }
  atEnd(() => execFileSync('umount', ['-l', folder]));
  return readFileSync('/proc/mounts', 'utf8').includes('tmpfs');
}
