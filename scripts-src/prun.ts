import { EXIT, runMain, usageError } from './platform/errors.ts';
import { nearestWord } from './platform/nearest-word.ts';
import { version } from './platform/version.ts';

const HELP = `usage: prun <command> [flags]

A run, many units under one supervisor:
  run        start a run from a manifest (JSON or YAML)
  init       make an empty run, with an integration worktree of a repository
  add        add a unit to a run (add-lane is the same)
  start      start units that were added
  wait       sleep until a run needs you, and say why
  status     how a run and its units stand
  list       all runs: age, units, disk
  logs       what a unit's worker prints
  attach     follow a run live
  register   add a unit that runs as a subagent of your own session
  cancel     end units, or a whole run, with all that they started
  resume     a unit's session goes on where it was, or an account that was held is used again
  retry      a fresh attempt for units that failed
  reconcile  whether every unit has a result that can be integrated
  debug      where everything of a run lies, and what it did to your repository
  schema     the JSON Schema of a manifest

Workspaces and what units changed, of a run or without one:
  clone      make throwaway clones of what you see in a repository, one for each unit
  collect    take the deltas of clones: patches against the base
  conflicts  say which deltas clash, and in which order they go together
  apply      put deltas into a working tree, all or nothing; --undo takes them back
  cleanup    remove clones, or all of a run, when their deltas are archived

  doctor     whether prun can work here, and what to do where it cannot
  install    put prun where Claude Code finds it as a skill, upgrade it, or remove it
  demo       show a whole fan-out in about ten seconds, in a temporary folder, without an account

prun <command> --help tells more, prun --version the version.
One unit without a run: dispatch-task, monitor and gather, beside this.
`;

/** Commands by name, each loaded when it is called. `demo-worker` is what the demo's own units call. */
const COMMANDS: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  clone: async (argv) => (await import('./commands/clone.ts')).clone(argv),
  apply: async (argv) => (await import('./commands/apply.ts')).apply(argv),
  cleanup: async (argv) => (await import('./commands/cleanup.ts')).cleanup(argv),
  collect: async (argv) => (await import('./commands/collect.ts')).collect(argv),
  conflicts: async (argv) => (await import('./commands/conflicts.ts')).conflicts(argv),
  add: async (argv) => (await import('./commands/add.ts')).add(argv),
  'add-lane': async (argv) => (await import('./commands/add.ts')).add(argv),
  attach: async (argv) => (await import('./commands/attach.ts')).attach(argv),
  debug: async (argv) => (await import('./commands/debug.ts')).debug(argv),
  init: async (argv) => (await import('./commands/init.ts')).init(argv),
  list: async (argv) => (await import('./commands/list.ts')).list(argv),
  logs: async (argv) => (await import('./commands/logs.ts')).logs(argv),
  start: async (argv) => (await import('./commands/start.ts')).start(argv),
  status: async (argv) => (await import('./commands/status.ts')).status(argv),
  run: async (argv) => (await import('./commands/run.ts')).run(argv, __filename),
  schema: async (argv) => (await import('./commands/schema.ts')).schema(argv),
  wait: async (argv) => (await import('./commands/wait.ts')).wait(argv),
  cancel: async (argv) => (await import('./commands/cancel.ts')).cancel(argv),
  resume: async (argv) => (await import('./commands/resume.ts')).resume(argv),
  retry: async (argv) => (await import('./commands/retry.ts')).retry(argv),
  reconcile: async (argv) => (await import('./commands/reconcile.ts')).reconcile(argv),
  register: async (argv) => (await import('./commands/register.ts')).register(argv),
  install: async (argv) => (await import('./commands/install.ts')).install(argv, __filename),
  doctor: async (argv) => (await import('./commands/doctor.ts')).doctor(argv, __filename),
  demo: async (argv) => (await import('./commands/demo.ts')).demo(argv, __filename),
  // What `run` and `start` leave behind: nobody calls it by hand.
  supervise: async (argv) => (await import('./commands/supervise.ts')).supervise(argv, __filename),
  'doctor-look': async (argv) => (await import('./commands/doctor/look.ts')).look(argv),
  'run-validation': async (argv) =>
    (await import('./commands/run-validation.ts')).runValidation(argv, __filename),
  'demo-worker': async (argv) => (await import('./commands/demo-worker.ts')).playCodex(argv),
};

/** Called by prun alone. */
const INTERNAL = ['supervise', 'run-validation', 'demo-worker', 'doctor-look'];

const [name = '', ...argv] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;

void runMain(command ? `prun ${name}` : 'prun', async () => {
  if (command) return command(argv);
  if (['--help', '-h', 'help'].includes(name)) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (name === '--version') {
    process.stdout.write(`${version}\n`);
    return EXIT.ok;
  }
  if (name === '') throw usageError('no command was given', 'see prun --help');
  const meant = nearestWord(
    name,
    Object.keys(COMMANDS).filter((known) => !INTERNAL.includes(known)),
  );
  const next = 'see prun --help';
  throw usageError(
    `there is no command ${JSON.stringify(name.slice(0, 80))}`,
    meant === undefined ? next : `is ${meant} meant? ${next}`,
  );
});
