import { rmSync } from 'node:fs';
import path from 'node:path';
import { EXIT, usageError } from '../platform/errors.ts';
import { writeAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { type FlagValues, readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import type { ProcessHost } from '../process/types.ts';
import { askSupervisor } from '../run/ask-supervisor.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { readTextFile } from '../run/manifest/text-file.ts';
import { isTooLong, MAX_PROMPT_BYTES } from '../run/manifest/unit-rules.ts';
import { requireHome } from '../run/require-home.ts';
import { resumableOf } from '../run/resumable.ts';
import { promptFileOf, type Run } from '../run/run-folder.ts';
import { type RunView, viewRun } from '../run/run-view.ts';
import { ANSWER_MS, environmentFor, NOTHING, type Requeued, refuseNamed, requeueReport } from './requeue.ts';
import { type NamedRun, runOfFlags, unitsOfFlag } from './run-of-flags.ts';

/** What `prun resume --help` prints. */
export const RESUME_HELP = `usage: prun resume --run ID [--unit UNIT]… [--prompt-file FILE] [flags]

With --unit: the session of the unit's worker goes on, after a failure, a reap or an interruption, or with a remark
after a success. It works in the same folder, with the files as they are and in the same sandbox, and gives a fresh
result; the row of the ledger counts one attempt more. Where another session begins instead, its worker is ended
(session-lost). A unit without a session, one whose session was not kept, and one whose workspace is gone are refused:
prun retry begins them anew. Units that were built on an older result of a resumed one are named as stale.
Without --unit: an account that a breaker holds (usage limit, quota, login) is used again now, and all units that
wait for it go on. Returns at once.

  --run ID            the run
  --unit UNIT         this unit's session (repeat it)
  --prompt-file FILE  what its worker is told now, byte for byte; without it: to go on with its task
  --state-home DIR    where prun keeps its state (PRUN_STATE_HOME)
  --json              what was asked for as JSON

--phase and --brief are other names for --unit and --prompt-file.

exit: 0 they are queued, or nothing is held; 2 wrong arguments, or the session of a named unit cannot go on; 30 the
supervisor refused one; 34 no supervisor could be made to do it
`;

/** `prun resume`: sessions go on where they were. */
export async function resume(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, {
    values: ['--run', '--unit', '--phase', '--prompt-file', '--brief', '--state-home'],
    switches: ['--json'],
  });
  if (flags.help) {
    process.stdout.write(RESUME_HELP);
    return EXIT.ok;
  }
  const remark = remarkOf(flags, process.cwd());
  const named = runOfFlags(flags, 'resume');
  requireHome(named.run);
  const host = await currentHost();
  // What a dead supervisor left open is settled first.
  await ensureSupervisor(host, named.run);
  const view = viewRun(named.run);
  const units = [...new Set([...unitsOfFlag(view, flags), ...unitsOfFlag(view, flags, '--phase')])];
  if (units.length === 0 && remark !== undefined) {
    throw usageError('--prompt-file needs --unit', 'name the units whose workers are to be told');
  }
  const sessions = sessionsOf(named, view, units);
  const answer =
    units.length === 0 ? await resumeHeld(host, view) : await resumeSessions(host, view, units, remark);
  process.stdout.write(
    flags.switches.has('--json')
      ? `${JSON.stringify(factsOf(named, answer, sessions), null, 2)}\n`
      : requeueReport(
          'RESUME',
          named,
          answer,
          (id) => unitLine(view, id, sessions),
          () => NOTHING_HELD,
        ),
  );
  return answer.refused.length > 0 ? EXIT.unitFailed : EXIT.ok;
}

const NOTHING_HELD = 'no account is held; --unit names a unit whose session is to go on';

/** What the workers are told, undefined where nobody said anything. Throws a usage error for a file that is no text. */
function remarkOf(flags: FlagValues, cwd: string): string | undefined {
  const given = ['--prompt-file', '--brief'].flatMap((name) => flags.values.get(name) ?? []);
  const [name, second] = given;
  if (name === undefined) return undefined;
  if (second !== undefined) {
    throw usageError('--prompt-file is given twice', 'give one for all units, and call it again for others');
  }
  const file = path.resolve(cwd, name);
  const read = readTextFile(file, MAX_PROMPT_BYTES);
  if (read.kind === 'bad') throw usageError(`--prompt-file ${file} ${read.why}`, read.next);
  if (!isTooLong(read.text)) return read.text;
  throw usageError(
    `--prompt-file ${file} has more characters than codex takes`,
    'put the bulk into another file and name its path in the text',
  );
}

/** Their sessions by unit. Throws a usage error where one of them cannot go on: then none does. */
function sessionsOf({ command }: NamedRun, view: RunView, units: readonly string[]): Map<string, string> {
  const sessions = new Map<string, string>();
  const against = units.flatMap((id) => {
    const unit = view.units.get(id);
    if (!unit) return [];
    const resumable = resumableOf(view, unit);
    if (resumable.kind === 'none') {
      const { why, lost } = resumable;
      if (lost === undefined) return [{ id, why }];
      const force = unit.state === 'succeeded' ? ['--force'] : [];
      return [{ id, why: lost, next: `a fresh attempt: ${command('retry', '--unit', id, ...force)}` }];
    }
    sessions.set(id, resumable.session.sessionId);
    return [];
  });
  refuseNamed('resumed', against, units.length);
  return sessions;
}

async function resumeSessions(
  host: ProcessHost,
  view: RunView,
  units: readonly string[],
  remark: string | undefined,
): Promise<Requeued> {
  const { run } = view;
  const environment = environmentFor(view, units);
  const wanted = units.map((unit) => ({ unit, promptFile: keptRemark(run, unit, remark) }));
  const answer = await askSupervisor(host, run, { type: 'resume', units: wanted, environment }, ANSWER_MS);
  for (const { unit, promptFile } of wanted) {
    const isRefused = answer.refused.some((refused) => refused.unit === unit);
    if (isRefused && promptFile !== null) rmSync(promptFile, { force: true });
  }
  return answer;
}

/** The remark is kept in the run: the file that it came from may be gone when the worker starts. */
function keptRemark(run: Run, unit: string, remark: string | undefined): string | null {
  if (remark === undefined) return null;
  const prompts = path.dirname(promptFileOf(run, unit));
  const file = path.join(prompts, `${unit}.remark-${randomHex(8)}.md`);
  writeAtomic(file, remark);
  return file;
}

/** All that an open breaker holds goes on. */
async function resumeHeld(host: ProcessHost, view: RunView): Promise<Requeued> {
  const parked = [...view.units.values()].filter(({ state, queuedWhy }) => {
    return state === 'queued' && queuedWhy === 'parked';
  });
  if (view.breakers.size === 0 && parked.length === 0) return NOTHING;
  const waiting = [...view.units.values()].filter(({ state }) => state === 'queued').map(({ id }) => id);
  const environment = environmentFor(view, waiting);
  return askSupervisor(host, view.run, { type: 'resume', units: null, environment }, ANSWER_MS);
}

function factsOf({ run }: NamedRun, { units, refused }: Requeued, sessions: ReadonlyMap<string, string>) {
  return { run: run.record.id, units, refused, sessions: Object.fromEntries(sessions) };
}

/** A unit that was held keeps its number: its attempt has not begun. */
function unitLine({ units }: RunView, id: string, sessions: ReadonlyMap<string, string>): string {
  const attempt = units.get(id)?.attempt ?? 0;
  const session = sessions.get(id);
  if (session === undefined) return `UNIT ${id} queued attempt=${attempt}`;
  return `UNIT ${id} queued attempt=${attempt + 1} session=${session}`;
}
