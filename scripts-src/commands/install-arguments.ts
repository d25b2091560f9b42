import path from 'node:path';
import { claudeHomeOf } from '../executor/claude-home.ts';
import { usageError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { refuseOperands, stateHomeFrom } from './clone-arguments.ts';

/** What `prun install` prints for --help. */
export const INSTALL_HELP = `usage: prun install [--project DIR | --user] [--copy | --link] [flags]
       prun install --uninstall [--project DIR | --user] [flags]

Puts the prun folder that this script lies in (a clone, an unpacked release, the npm package) where Claude Code finds it as
a skill: .claude/skills/prun of a project, or of your home. Run again, it upgrades what is there, also while runs are live:
what runs keeps its code, and a file is the old one or the new one, never half. It writes no settings: it prints the
permission rules, where they would go, and a JSON fragment.

  INSTALLED|UPGRADED|UNCHANGED|REMOVED <folder>
  FILES added=N replaced=N removed=N same=N
  CHANGED <file>     it was not as prun had put it there; the old one is kept (--uninstall leaves it where it is)
  KEPT <folder>      where the old ones of CHANGED files are
  OWN <file>         yours, left alone
  NOTE <text>        what else to know
  RULE <rule>        a permission rule; SETTINGS <file> is where rules go, JSON <fragment> is what would stand there

flags
  --project DIR     the project (default: the current folder)
  --user            all your projects: ~/.claude, or CLAUDE_CONFIG_DIR
  --copy            copies the folder (the default)
  --link            makes a link to this folder instead, which has to stay where it is
  --dry-run         says what would be done, behind DRY-RUN, and does nothing
  --uninstall       removes what prun install put there; your files and changed ones stay. Refused while processes use it
  --state-home DIR  where prun keeps its state (PRUN_STATE_HOME): two installs at once wait for each other there
  --json            all facts as JSON
  --help            this text

exit: 0 done, or nothing to do; 2 wrong arguments, or something else is in the way; 1 the disk refuses
`;

/** The parsed command line of `prun install`. */
export interface InstallArguments {
  scope: 'project' | 'user';
  /** The project's folder, or the home of Claude Code's settings; absolute. */
  base: string;
  /** Where the skill goes, absolute. */
  target: string;
  /** undefined: neither --copy nor --link was given. */
  form: 'copy' | 'link' | undefined;
  dryRun: boolean;
  uninstall: boolean;
  json: boolean;
  stateHome: string;
}

/** Reads the command line of `prun install`; undefined when help was asked for. */
export function parseInstall(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd: string,
): InstallArguments | undefined {
  const flags = readFlags(argv, {
    values: ['--project', '--state-home'],
    switches: ['--user', '--copy', '--link', '--dry-run', '--uninstall', '--json'],
  });
  if (flags.help) return undefined;
  refuseOperands(flags, 'install');
  const has = (name: string): boolean => flags.switches.has(name) || flags.values.has(name);
  for (const [one, other] of EXCLUSIVE) {
    if (has(one) && has(other)) throw usageError(`${one} and ${other} were given`, 'give one of them');
  }
  const project = lastValue(flags, '--project');
  if (project === '') throw usageError('--project is empty', 'give a folder');
  const scope = flags.switches.has('--user') ? 'user' : 'project';
  const base = path.resolve(cwd, scope === 'user' ? claudeHomeOf(environment) : (project ?? '.'));
  const skills = scope === 'user' ? path.join(base, 'skills') : path.join(base, '.claude', 'skills');
  return {
    scope,
    base,
    target: path.join(skills, 'prun'),
    form: flags.switches.has('--link') ? 'link' : flags.switches.has('--copy') ? 'copy' : undefined,
    dryRun: flags.switches.has('--dry-run'),
    uninstall: flags.switches.has('--uninstall'),
    json: flags.switches.has('--json'),
    stateHome: stateHomeFrom(flags, environment, cwd),
  };
}

const EXCLUSIVE = [
  ['--project', '--user'],
  ['--copy', '--link'],
  ['--uninstall', '--copy'],
  ['--uninstall', '--link'],
] as const;
