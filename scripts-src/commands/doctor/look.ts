import * as z from 'zod/mini';
import { EXIT } from '../../platform/errors.ts';
import type { LookAnswer } from './finding.ts';
import type { LookName, LookWish } from './look-apart.ts';

/** One group of checks each, loaded where it is made. */
const LOOK_BY_NAME: Readonly<Record<LookName, (wish: LookWish) => Promise<LookAnswer>>> = {
  programs: async (wish) => (await import('./programs.ts')).lookAtPrograms(wish),
  'state-home': async (wish) => (await import('./state-home.ts')).lookAtStateHome(wish),
  'temp-folder': async (wish) => (await import('./temp-folder.ts')).lookAtTempFolder(wish),
  here: async (wish) => (await import('./here.ts')).lookAtHere(wish),
  processes: async (wish) => (await import('./leftover-processes.ts')).lookAtProcesses(wish),
};

/** `prun doctor-look NAME WISH`: what `prun doctor` calls for a group of checks. It prints a LookAnswer as JSON. */
export async function look(argv: readonly string[]): Promise<number> {
  const [name = '', wish = ''] = argv;
  const answer = await LOOK_BY_NAME[lookName.parse(name)](lookWish.parse(JSON.parse(wish)));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  return EXIT.ok;
}

const lookName = z.enum(['programs', 'state-home', 'temp-folder', 'here', 'processes']);
const lookWish = z.object({
  stateHome: z.string(),
  tempFolder: z.string(),
  cwd: z.string(),
  program: z.string(),
  limitMs: z.number(),
});
