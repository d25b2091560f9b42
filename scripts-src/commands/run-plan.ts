import path from 'node:path';
import { dependencyOrder } from '../run/manifest/dependency-order.ts';
import { unusualLimits } from '../run/manifest/new-spec.ts';
import { returnForm } from '../run/prompt/return-contract.ts';
import { wholePrompt } from '../run/prompt/whole-prompt.ts';
import type { ScheduleSettings, UnitSpec } from '../run/records.ts';
import { contextFileOf, defaultResultFile, runsFolder } from '../run/run-folder.ts';
import { SET_FILES, setsFolder } from '../workspace/workspace-set.ts';

/** What would be started. Paths are absolute. */
export interface RunPlan {
  /** Name of the run; a run that will get a name of its own has a stand-in here. */
  run: string;
  stateHome: string;
  repository: string | null;
  schedule: ScheduleSettings;
  /** Units that would run at once if it were started now. */
  jobsNow: number;
  resources: Record<string, number>;
  context: string | undefined;
  units: readonly UnitSpec[];
}

const UNIT_LINES = 36;
/** What is printed of whole prompts, bytes. */
const PROMPT_BYTES = 8 * 1024;

/** Stands where the run's own name will be. */
export const NEW_RUN = 'RUN-ID';
/** Stands where the name of an attempt's state dir will be. */
const NEW_STATE_DIR = 'STATE-DIR';

/** The plan as text: a line for the run, a line a unit in the order of their starts, and whole prompts that fit. */
export function planText(plan: RunPlan, isTerminal: boolean): string {
  const units = inOrder(plan.units);
  const lines = units.slice(0, UNIT_LINES).map(unitLine);
  if (units.length > UNIT_LINES) lines.push(`… and ${units.length - UNIT_LINES} more units (--json)`);
  // A coordinator pays for what it reads, and the parts that prun adds are the same for all units: it gets one.
  const shown = isTerminal ? units.length : 1;
  return [runLine(plan), ...lines, ...promptBlocks(plan, units, shown), ''].join('\n');
}

/** The plan as facts, with the whole prompt of every unit. */
export function planJson(plan: RunPlan): Record<string, unknown> {
  const { run, repository, schedule, resources, jobsNow } = plan;
  const units = inOrder(plan.units).map(({ prompt, token, addedAt, schema, ...spec }) => ({
    ...spec,
    wholePrompt: promptOf(plan, { prompt, token, addedAt, schema, ...spec }),
  }));
  return { run: run === NEW_RUN ? null : run, repository, schedule, jobsNow, resources, units };
}

/** The whole prompt that a unit would get. What is known only at its start (ports, its base's commit) is left out. */
export function promptOf(plan: RunPlan, spec: UnitSpec): string {
  const { run, stateHome, context, repository } = plan;
  const folder = path.join(runsFolder(stateHome), run);
  const set = path.join(setsFolder(stateHome), run);
  const hasWorkspace = spec.mode === 'clone' || spec.mode === 'worktree';
  return wholePrompt({
    run,
    unit: spec.id,
    executor: spec.executor,
    mode: spec.mode,
    resultFile: spec.resultFile ?? defaultResultFile({ folder }, spec.id),
    workspace: hasWorkspace
      ? path.join(set, SET_FILES.clones, spec.id)
      : spec.mode === 'inplace'
        ? repository
        : null,
    baseNote: hasWorkspace ? path.join(set, SET_FILES.note) : null,
    owns: spec.owns,
    context: context === undefined ? null : { file: contextFileOf({ folder }), text: context },
    prompt: spec.prompt,
    ports: null,
    verify: spec.verify,
    form: returnForm(spec.options, path.join(folder, 'attempts', NEW_STATE_DIR)),
    earlier: null,
  });
}

function inOrder(specs: readonly UnitSpec[]): UnitSpec[] {
  const byId = new Map(specs.map((spec) => [spec.id, spec]));
  return dependencyOrder(specs).order.flatMap((id) => byId.get(id) ?? []);
}

function runLine({ run, repository, schedule, units, jobsNow }: RunPlan): string {
  const { jobs, delaySeconds, memfreeBytes, load, tokenLimit = 0 } = schedule;
  return [
    `PLAN run=${run === NEW_RUN ? 'new' : run} units=${units.length} jobs=${jobs ?? `auto(${jobsNow})`}`,
    ...(delaySeconds > 0 ? [`delay=${delaySeconds}`] : []),
    ...(memfreeBytes === null ? [] : [`memfree=${memfreeBytes}`]),
    ...(load === null ? [] : [`load=${load}`]),
    ...(tokenLimit > 0 ? [`tokenLimit=${tokenLimit}`] : []),
    `repo=${repository ?? 'none'}`,
  ].join(' ');
}

function unitLine(spec: UnitSpec): string {
  const list = (name: string, values: readonly string[]): string[] =>
    values.length === 0
      ? []
      : [`${name}=${values.slice(0, 5).join(',')}${values.length > 5 ? `,… (${values.length})` : ''}`];
  return [
    `UNIT ${spec.id} ${spec.executor} ${spec.mode}`,
    ...list('after', spec.after),
    ...list('owns', spec.owns),
    ...list('resources', spec.resources),
    ...(spec.verify === null ? [] : [`verify=${JSON.stringify(spec.verify.slice(0, 80))}`]),
    ...list('verifyResources', spec.verifyResources ?? []),
    ...(spec.retries > 0 ? [`retries=${spec.retries}`] : []),
    ...unusualLimits(spec),
    ...(spec.options?.tokenLimit === undefined ? [] : [`tokenLimit=${spec.options.tokenLimit}`]),
  ].join(' ');
}

function promptBlocks(plan: RunPlan, units: readonly UnitSpec[], shown: number): string[] {
  const blocks: string[] = [];
  let bytes = 0;
  for (const [n, spec] of units.entries()) {
    const text = promptOf(plan, spec);
    bytes += Buffer.byteLength(text);
    if (n >= shown || (bytes > PROMPT_BYTES && n > 0) || bytes > 3 * PROMPT_BYTES) {
      const left = units.length - n;
      const next = 'one whole with --unit ID, all with --json';
      return [...blocks, '', `… and ${left === 1 ? '1 more prompt' : `${left} more prompts`}: ${next}`];
    }
    blocks.push('', `PROMPT ${spec.id}`, text);
  }
  return blocks;
}
