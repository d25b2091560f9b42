import path from 'node:path';
import { executorByName } from './executor/by-name.ts';
import { EXIT, runMain } from './platform/errors.ts';
import { writeAllSync } from './platform/write-all.ts';
import { currentHost } from './process/host.ts';
import { dispatch } from './supervise/dispatch.ts';
import { parseDispatch } from './supervise/dispatch-arguments.ts';
import { listenForInterruption } from './supervise/interruption.ts';
import { printedName } from './unit/printed-name.ts';

const HELP = `usage: dispatch-task --prompt-file F --result-file F --unit-id ID [flags] [-- CMD WORD…]

Runs one unit on a worker, watches it, ends it when it hangs, and leaves a result file in any case.
Prints one line, STATE-DIR <abs>, when the attempt exists; the end of the worker's output goes to stderr.

  --prompt-file F        what the worker is to do; sent to its stdin byte for byte
  --result-file F        where its result is to be; an older file there is moved to the state dir
  --unit-id ID           letters, digits, - and _
  --workdir DIR          where the worker works (PRUN_SCRATCH_CWD; default: a scratch folder). In a workspace of
                         prun clone its delta is collected at the end and held against what the result claims
  --resume SESSION       codex, claude: this session (sessionId in outcome.json) goes on, in --workdir
  --executor NAME        codex (the default), claude, omp, or command: any program, given after --. {prompt_file},
                         {result_file}, {unit} and {workdir} in its words are replaced; what it prints is the result if
                         it writes none
  --codex-bin FILE       codex: the program (CODEX_BIN; default: codex in PATH)
  --bin FILE             claude, omp: the program (CLAUDE_BIN, OMP_BIN; default: looked up in PATH)
  --model NAME           codex, claude, omp: model for the worker
  --sandbox MODE         codex: read-only, workspace-write or danger-full-access (CODEX_DISPATCH_SANDBOX; the last)
  --reasoning-effort R   codex (CODEX_DISPATCH_REASONING; xhigh), claude: effort; omp: its thinking level
  --no-isolate-mcp       codex, claude: keep the user's config and MCP servers (CODEX_DISPATCH_ISOLATE_MCP=off)
  --no-network           codex: no network in a workspace-write sandbox
  --config KEY=VALUE     codex: a further setting, its value in TOML; may be repeated
  --image FILE           codex: an image that it sees with the prompt; may be repeated
  --output-schema FILE   codex, claude: a JSON schema that its last message must satisfy
  --structured           codex, claude: its last message is prun's structured result (JSON), which becomes the result
  --ephemeral            codex, claude: nothing is kept of the session, so it cannot be resumed
  --pnpm-store DIR       codex: an existing folder (absolute), granted to the sandbox as the store of pnpm
  --permission-mode M    claude: its permission mode (bypassPermissions)
  --stall-threshold SEC  reap after this long without progress, 0 = never (PRUN_STALL_THRESHOLD; 600)
  --timeout SEC          reap after this long in any case, 0 = never (CODEX_DISPATCH_TIMEOUT; 0)
  --max-output BYTES     reap after this much output, also 500M or 2G, 0 = no limit (1G)
  --pass-env NAME        pass on a variable that is kept from workers otherwise; may be repeated
  --state-home DIR       where the state dir is made (TMPDIR, else the system's temp folder)
  --allow-nested         let a worker start prun again
  --contain              run the worker in a pid namespace of its own where that works
  --help                 this text

Exit code: the worker's own; 124 reaped; 126 or 127 the worker cannot be started; 74 no result could be written;
2 usage; 128+n ended by a signal. outcome.json in the state dir decides.
`;

runMain('dispatch-task', async () => {
  const interruption = listenForInterruption();
  const parsed = parseDispatch(process.argv.slice(2), process.env, process.cwd());
  if (!parsed) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (parsed.command.options?.pnpmStore !== undefined) {
    const { requireStore } = await import('./supervise/require-store.ts');
    await requireStore(parsed, parsed.command.options.pnpmStore);
  }
  const guardian = [process.execPath, path.join(__dirname, 'reap-watch.cjs')];
  const prun = path.join(__dirname, 'prun.cjs');
  const request = { ...parsed, executor: executorByName(parsed.executorName), guardian, prun };
  const code = await dispatch(request, await currentHost(), interruption, (stateDir) => {
    writeAllSync(1, `STATE-DIR ${printedName(stateDir)}\n`);
  });
  // Timers and the guardian's pipe may still be open: the unit has ended, and so does this.
  process.exit(code);
});
