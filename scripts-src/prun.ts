import { EXIT, runMain, usageError } from './platform/errors.ts';

const HELP = `usage: prun <command> [flags]

  clone      make throwaway clones of what you see in a repository, one for each unit
  collect    take the deltas of clones: patches against the base
  conflicts  say which deltas clash, and in which order they go together
  apply      put deltas into a working tree, all or nothing; --undo takes them back
  cleanup    remove clones when their deltas are archived
  demo       show a whole fan-out in about ten seconds, in a temporary folder, without an account

prun <command> --help tells more. Units are run with dispatch-task, and watched with monitor and gather, beside this.
`;

/** Commands by name, each loaded when it is called. `demo-worker` is what the demo's own units call. */
const COMMANDS: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  clone: async (argv) => (await import('./commands/clone.ts')).clone(argv),
  apply: async (argv) => (await import('./commands/apply.ts')).apply(argv),
  cleanup: async (argv) => (await import('./commands/cleanup.ts')).cleanup(argv),
  collect: async (argv) => (await import('./commands/collect.ts')).collect(argv),
  conflicts: async (argv) => (await import('./commands/conflicts.ts')).conflicts(argv),
  run: async (argv) => (await import('./commands/run.ts')).run(argv),
  schema: async (argv) => (await import('./commands/schema.ts')).schema(argv),
  wait: async (argv) => (await import('./commands/wait.ts')).wait(argv),
  cancel: async (argv) => (await import('./commands/cancel.ts')).cancel(argv),
  retry: async (argv) => (await import('./commands/retry.ts')).retry(argv),
  reconcile: async (argv) => (await import('./commands/reconcile.ts')).reconcile(argv),
  register: async (argv) => (await import('./commands/register.ts')).register(argv),
  demo: async (argv) => (await import('./commands/demo.ts')).demo(argv, __filename),
  // What `run` and `start` leave behind: nobody calls it by hand.
  supervise: async (argv) => (await import('./commands/supervise.ts')).supervise(argv, __filename),
  'demo-worker': async (argv) => (await import('./commands/demo-worker.ts')).playCodex(argv),
};

const [name = '', ...argv] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;

void runMain(command ? `prun ${name}` : 'prun', async () => {
  if (command) return command(argv);
  if (['--help', '-h', 'help'].includes(name)) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  throw name === ''
    ? usageError('no command was given', 'see prun --help')
    : usageError(`there is no command ${JSON.stringify(name.slice(0, 80))}`, 'see prun --help');
});
