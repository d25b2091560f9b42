import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { EXIT, errnoOf, messageOf, PrunError } from '../platform/errors.ts';
import { currentHost } from '../process/host.ts';
import { isAlive } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { askSupervisor } from '../run/ask-supervisor.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { postPrepared } from '../run/requests.ts';
import { type Run, readRun } from '../run/run-folder.ts';
import { isFinalState, viewRun } from '../run/run-view.ts';
import { endMarked } from '../run/supervisor/supervisor-mark.ts';
import { untilEnded } from '../run/until-ended.ts';
import type { McpContext } from './mcp-context.ts';
import { ownedUnits, ownerOf, serverMark, serverRecords } from './server-record.ts';

const OWNER_LOOK_MS = 500;
const ANSWER_MS = 60_000;
const SETTLE_MS = 120_000;

/**
 * Ends what a dead server has left behind: every unit of its record that is not over, with all that it started. On
 * Windows, where it stands by from the beginning, it waits for the server's death. Throws PrunError where a unit is not
 * gone in time; its guardian then tries again.
 */
export async function reapServer(folder: string): Promise<void> {
  const host = await currentHost();
  await ownerGone(host, folder);
  await endMarked(host, serverMark(folder));
  for (const [run, units] of ownedUnits(folder)) await endUnits(host, run, units, path.basename(folder));
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Ends what servers have left behind whose guardians were killed with them. Goes on by itself; what goes wrong is said.
 */
export function reapDeadServers({
  host,
  stateHome,
  say,
}: Pick<McpContext, 'host' | 'stateHome' | 'say'>): void {
  for (const folder of serverRecords(stateHome)) {
    const owner = ownerOf(folder);
    // One without an owner is being made at this moment.
    if (!owner || isAlive(host, owner)) continue;
    reapServer(folder).catch((error) => say(`${folder}: ${messageOf(error)}`));
  }
}

async function ownerGone(host: ProcessHost, folder: string): Promise<void> {
  const owner = ownerOf(folder);
  while (owner && isAlive(host, owner) && existsSync(folder)) {
    await new Promise((resolve) => setTimeout(resolve, OWNER_LOOK_MS));
  }
}

async function endUnits(
  host: ProcessHost,
  folder: string,
  units: readonly string[],
  by: string,
): Promise<void> {
  const run = readRun(folder);
  // Removed meanwhile: its supervisor has ended the workers.
  if (!run) return;
  const view = viewRun(run);
  const open = units.filter((id) => {
    const unit = view.units.get(id);
    return unit !== undefined && !isFinalState(unit.state);
  });
  if (open.length === 0) return;
  const refused = new Set(await cancelUnits(host, run, open, by));
  const left = await untilEnded(view, {
    units: open.filter((unit) => !refused.has(unit)),
    limitMs: SETTLE_MS,
    ensure: () => ensureSupervisor(host, run),
  });
  if (left.length === 0) return;
  throw new PrunError(
    'E_NOT_GONE',
    `${left.join(', ')} of ${folder} are not gone`,
    'see prun debug',
    EXIT.supervisorLost,
  );
}

/** Has a run's supervisor end units; gives those that it refuses, because they are over already. */
async function cancelUnits(
  host: ProcessHost,
  run: Run,
  units: readonly string[],
  by: string,
): Promise<string[]> {
  const request = { type: 'cancel' as const, units: [...units], graceSeconds: 1 };
  try {
    const { refused } = await askSupervisor(host, run, request, ANSWER_MS);
    return refused.map(({ unit }) => unit);
  } catch (error) {
    // On a full disk what the server has prepared has to do, without an answer.
    if (errnoOf(error) === undefined) throw error;
    const posted = units.filter((unit) => postPrepared(run, { unit, by }));
    if (posted.length === 0) throw error;
    return [];
  }
}
