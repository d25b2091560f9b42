import type { CommandRequest, ProgramProbe } from './types.ts';

/** The codex that prun was tested with: what is said of one that lacks a flag, and what is assumed of an unknown one. */
export const TESTED_CODEX = '0.171.0';

/** A flag of `codex exec` that a unit cannot do without. */
export interface MissingFlag {
  flag: string;
  /** One line: what needs it. */
  why: string;
}

/** Whether the codex at hand takes a flag of `codex exec`; one that was not asked is taken for the tested one. */
export function takesFlag({ probe }: Pick<CommandRequest, 'probe'>, flag: string): boolean {
  return probe === undefined || probe.flags.includes(flag);
}

/** The first flag that is needed for what was asked and that the codex at hand does not take. */
export function missingFlag(
  request: Pick<CommandRequest, 'probe' | 'options' | 'model' | 'resume'>,
): MissingFlag | undefined {
  const { probe, options = {}, resume } = request;
  if (!probe) return undefined;
  const hasSchema = options.outputSchema !== undefined || options.structured === true;
  const needed: [string, string, boolean][] = [
    ['--sandbox', 'every unit has a sandbox mode', true],
    ['--json', 'prun follows its events', true],
    ['--model', 'a model was asked for', request.model !== undefined],
    ['--output-schema', 'its answer is to have a schema', hasSchema],
    ['--ephemeral', 'nothing is to be kept of its session', options.ephemeral === true],
    ['--image', 'it is to see images', resume === undefined && (options.images ?? []).length > 0],
    ['resume', 'its session is to go on', resume !== undefined],
  ];
  const missing = needed.find(
    ([flag, , isWanted]) =>
      isWanted && !(flag === 'resume' ? probe.resumeFlags !== null : probe.flags.includes(flag)),
  );
  return missing && { flag: missing[0], why: missing[1] };
}

/** What is said of a codex without a flag: what is wrong, and what to do. */
export function missingFlagText({ flag, why }: MissingFlag, probe: ProgramProbe): [string, string] {
  return [
    `codex ${probe.version} has no exec ${flag}, and ${why}`,
    `update codex (${TESTED_CODEX} has it), or ask for less`,
  ];
}

/** The flags that a help text of codex lists, long and short. */
export function flagsInHelp(help: string): string[] {
  return [...help.matchAll(/^ +(?:(-[A-Za-z0-9]), )?(--[a-z][a-z0-9-]*)\b/gm)].flatMap(([, short, long]) =>
    [short, long].filter((flag) => flag !== undefined),
  );
}

/** Whether a help text of codex lists a command of that name. */
export function hasCommandInHelp(help: string, command: string): boolean {
  return new RegExp(`^ +${command}(?: |$)`, 'm').test(help);
}

/** The version in the answer to `--version`; undefined for a program that is no codex. */
export function versionOf(answer: string): string | undefined {
  return /^codex(?:-[a-z]+)* v?(\d+\.\d+\.\d+\S*)\s*$/m.exec(answer)?.[1];
}
