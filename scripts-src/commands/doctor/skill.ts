import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { claudeHomeOf } from '../../executor/claude-home.ts';
import { lstatOrNone } from '../../platform/files.ts';
import { version as ownVersion } from '../../platform/version.ts';
import { quotedWord } from '../../run/command-text.ts';
import { MANIFEST, readManifest } from '../install-manifest.ts';
import { isSkillOfPrun, versionIn } from '../install-source.ts';
import { type Finding, fine, note, problem } from './finding.ts';
import type { LookWish } from './look-apart.ts';

const ID = 'skill';
/** What a run needs beside `prun.cjs`. */
const SIBLINGS = ['dispatch-task', 'reap-watch', 'monitor', 'gather'];

/** A place where Claude Code looks for skills and finds prun. */
interface Installed {
  /** As Claude Code sees it. */
  place: string;
  /** Links resolved. */
  folder: string;
  version: string | null;
}

/** Whether the scripts are whole, agree with their SKILL.md, and lie where Claude Code finds them. */
export function skillFinding({ cwd, program }: Pick<LookWish, 'cwd' | 'program'>): Finding {
  const scripts = path.dirname(program);
  const missing = SIBLINGS.map((name) => `${name}.cjs`).filter(
    (name) => !existsSync(path.join(scripts, name)),
  );
  if (missing.length > 0) {
    return problem(
      ID,
      `${scripts} lacks ${missing.join(', ')}`,
      `get prun again, whole, and run ${installCommand(program)}`,
    );
  }
  return scriptsTrouble(program) ?? versionsFinding(program, placesOf(cwd, process.env));
}

/** What is wrong with the folder that this script lies in. */
function scriptsTrouble(program: string): Finding | undefined {
  const scripts = path.dirname(program);
  const dull =
    process.platform === 'win32' ? [] : readdirSync(scripts).filter((name) => isDull(scripts, name));
  if (dull.length > 0) {
    const step = `chmod +x ${dull.map((name) => quotedWord(path.join(scripts, name))).join(' ')}`;
    return note(ID, `not executable in ${scripts}: ${dull.join(', ')}`, step);
  }
  const folder = path.dirname(scripts);
  if (!isSkillOfPrun(folder)) return undefined;
  const written = versionIn(folder);
  if (written !== null && written !== ownVersion) {
    return note(
      ID,
      `the SKILL.md in ${folder} is of ${written}, its scripts of ${ownVersion}`,
      'get prun again, whole',
    );
  }
  if (existsSync(path.join(folder, MANIFEST)) && (readManifest(folder)?.replaced ?? []).length > 0) {
    return note(ID, `an upgrade of ${folder} was interrupted`, installCommand(program, folder));
  }
  return undefined;
}

function isDull(scripts: string, name: string): boolean {
  return /\.(?:cjs|sh)$/.test(name) && !(statSync(path.join(scripts, name)).mode & 0o100);
}

function versionsFinding(program: string, places: readonly Installed[]): Finding {
  const scripts = path.dirname(program);
  const own = places.find(({ folder }) => isBelow(folder, scripts));
  const other = places.find(({ version }) => version !== null && version !== ownVersion);
  if (other) {
    return note(
      ID,
      `${ownVersion}, ${scripts}; but Claude Code has ${other.version} in ${other.place}`,
      `if this is the newer of the two: ${installCommand(program, other.place)}`,
    );
  }
  if (own) {
    const how = own.folder === own.place ? '' : `, a link to ${own.folder}`;
    return fine(ID, `${ownVersion}, ${own.place}${how}`);
  }
  if (isBelow(path.join(claudeHomeOf(process.env), 'plugins'), scripts)) {
    return fine(ID, `${ownVersion}, a plugin in ${path.dirname(scripts)}`);
  }
  const [found] = places;
  if (found) return fine(ID, `${ownVersion}, ${found.place}; this is ${scripts}`);
  return note(
    ID,
    `${ownVersion}, ${scripts}: Claude Code finds no skill prun from here`,
    installCommand(program),
  );
}

/**
 * `prun install` as it can be typed where no `prun` is in PATH, and with its target: the current folder may be the clone that
 * prun was got with. `installed`: where it lies already, for an upgrade.
 */
function installCommand(program: string, installed?: string): string {
  return `node ${quotedWord(program)} install ${installed === undefined ? '--project <your project>' : targetOf(installed)}`;
}

/** The flag of `prun install` that leads to a folder `<base>/skills/prun`. */
function targetOf(installed: string): string {
  const base = path.resolve(installed, '../..');
  if (base === path.resolve(claudeHomeOf(process.env))) return '--user';
  const isOfProject = path.basename(base) === '.claude';
  return `--project ${isOfProject ? quotedWord(path.dirname(base)) : '<your project>'}`;
}

/** Where Claude Code finds prun from a folder: in it, above it, and in the user's own settings. */
function placesOf(cwd: string, environment: NodeJS.ProcessEnv): Installed[] {
  const candidates = [path.join(claudeHomeOf(environment), 'skills', 'prun')];
  for (let here = cwd; ; here = path.dirname(here)) {
    candidates.unshift(path.join(here, '.claude', 'skills', 'prun'));
    if (path.dirname(here) === here) break;
  }
  return [...new Set(candidates)].flatMap((place) => {
    if (lstatOrNone(place) === undefined || !isSkillOfPrun(place)) return [];
    return [{ place, folder: realpathSync(place), version: versionIn(place) }];
  });
}

function isBelow(folder: string, place: string): boolean {
  const inside = path.relative(folder, place);
  return inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside);
}
