import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import path from 'node:path';
import { openPrun, type PrunSaid, type PrunWish, scriptsFolder } from './prun-cli.ts';
import { ROOT, scratch } from './unit-run.ts';

/** How an install ended; 128+n for a signal. */
export interface InstallSaid extends PrunSaid {
  /** stdout without what every install prints of rules. */
  lines: string[];
}

/** A folder with releases of prun, a project, a home, and a state home. */
export interface InstallRoom {
  folder: string;
  project: string;
  home: string;
  stateHome: string;
  /** Where the skill of the project goes. */
  target: string;
  /** A prun folder as it would be unpacked. Each version's scripts and texts differ. */
  release(version: string): string;
  /** `prun install` of the prun folder `from`, in the project. */
  install(from: string, argv?: readonly string[], wish?: PrunWish): Promise<InstallSaid>;
}

/** Opens a room that goes when the test ends. */
export function installRoom(folder = scratch('prun install')): InstallRoom {
  const cli = openPrun(folder);
  const project = path.join(folder, 'project');
  mkdirSync(project);

  return {
    folder,
    project,
    home: cli.home,
    stateHome: cli.stateHome,
    target: path.join(project, '.claude/skills/prun'),
    release(version) {
      const made = path.join(folder, `release ${version}`);
      cpSync(path.join(ROOT, 'skills/prun'), made, { recursive: true });
      cpSync(scriptsFolder(), path.join(made, 'scripts'), { recursive: true });
      for (const name of ['scripts/prun.cjs', 'scripts/reap-watch.cjs', 'scripts/dispatch-task.cjs']) {
        appendFileSync(path.join(made, name), `// release ${version}\n`);
      }
      for (const name of ['SKILL.md', 'references/units.md']) {
        appendFileSync(path.join(made, name), `\nrelease ${version}\n`);
      }
      return made;
    },
    async install(from, argv = [], wish = {}) {
      const script = path.join(from, 'scripts/prun.cjs');
      const said = await cli.run(['install', ...argv], { cwd: project, ...wish, script, code: 'any' });
      const lines = said.stdout.split('\n').filter((line) => line && !/^(?:RULE|SETTINGS|JSON) /.test(line));
      return { ...said, lines };
    },
  };
}

/** All that is below a folder but prun's own list and a fault's mark: path → mode and content, or what else it is. */
export function treeOf(folder: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(path.join(folder, below)).sort()) {
    const file = below === '' ? name : `${below}/${name}`;
    const full = path.join(folder, file);
    const stat = lstatSync(full);
    if (file === '.prun-manifest.json' || name.startsWith('.fault-')) continue;
    if (stat.isSymbolicLink()) found[file] = `link ${readlinkSync(full)}`;
    else if (stat.isDirectory()) Object.assign(found, treeOf(folder, file));
    else {
      const hash = createHash('sha256').update(readFileSync(full)).digest('hex');
      found[file] = `${(stat.mode & 0o777).toString(8)} ${hash}`;
    }
  }
  return found;
}
