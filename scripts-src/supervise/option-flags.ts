import path from 'node:path';
import {
  imageTrouble,
  isConfigSetting,
  isFlagValue,
  schemaTrouble,
  storeTroubleAtSight,
  type WishTrouble,
} from '../executor/codex-wishes.ts';
import { type ExecutorWish, knowsWish } from '../executor/known-wishes.ts';
import type { WorkerOptions } from '../executor/types.ts';
import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue } from '../platform/read-flags.ts';

/** Flags of a unit that only some executors know, and the key of a manifest that says the same. */
const WISH_FLAGS: readonly (readonly [string, ExecutorWish])[] = [
  ['--model', 'model'],
  ['--reasoning-effort', 'effort'],
  ['--effort', 'effort'],
  ['--thinking', 'effort'],
  ['--sandbox', 'sandbox'],
  ['--no-network', 'network'],
  ['--no-isolate-mcp', 'isolateMcp'],
  ['--codex-bin', 'codexBin'],
  ['--bin', 'bin'],
  ['--config', 'config'],
  ['--image', 'images'],
  ['--output-schema', 'outputSchema'],
  ['--structured', 'structured'],
  ['--ephemeral', 'ephemeral'],
  ['--pnpm-store', 'pnpmStore'],
  ['--permission-mode', 'permissionMode'],
  ['--token-limit', 'tokenLimit'],
];

/** Throws a usage error for a flag that means nothing to the executor: a setting without effect is a mistake. */
export function refuseForeign(flags: FlagValues, executor: string): void {
  const foreign = WISH_FLAGS.find(
    ([flag, wish]) => (flags.values.has(flag) || flags.switches.has(flag)) && !knowsWish(executor, wish),
  );
  if (foreign) throw usageError(`${foreign[0]} does nothing for executor ${executor}`, 'leave it out');
}

/** The wishes for codex and claude that flags can say, checked. Relative paths are taken from `cwd`. */
export function optionsFrom(flags: FlagValues, cwd: string): WorkerOptions {
  const value = (name: string): string | undefined => lastValue(flags, name);
  refuseFlagsAsValues(flags);
  const schema = fileFrom(value('--output-schema'), '--output-schema', cwd, schemaTrouble);
  if (schema !== undefined && flags.switches.has('--structured')) {
    throw usageError('--structured brings a schema of its own', 'give it or --output-schema, not both');
  }
  const store = value('--pnpm-store');
  if (store !== undefined) {
    refuseTrouble('--pnpm-store', store, storeTroubleAtSight(store));
    if (value('--sandbox') === 'read-only') {
      throw usageError('--pnpm-store does nothing in sandbox read-only', 'give --sandbox workspace-write');
    }
  }
  return {
    config: flags.values.get('--config')?.map(checkedSetting),
    images: flags.values
      .get('--image')
      ?.flatMap((image) => fileFrom(image, '--image', cwd, imageTrouble) ?? []),
    outputSchema: schema,
    structured: flags.switches.has('--structured') || undefined,
    ephemeral: flags.switches.has('--ephemeral') || undefined,
    pnpmStore: store,
    permissionMode: value('--permission-mode'),
  };
}

/** Flags whose values become words of the worker's own command line, behind one of its flags. */
const PASSED_ON = ['--model', '--reasoning-effort', '--effort', '--thinking', '--permission-mode'];

function refuseFlagsAsValues(flags: FlagValues): void {
  for (const flag of PASSED_ON) {
    const strange = flags.values.get(flag)?.find((value) => !isFlagValue(value));
    if (strange === undefined) continue;
    throw usageError(
      `${flag} is ${JSON.stringify(strange.slice(0, 120))}, which begins with - or a space, or has control characters`,
      'give the name alone',
    );
  }
}

function checkedSetting(setting: string): string {
  if (isConfigSetting(setting)) return setting;
  throw usageError(
    `--config is ${JSON.stringify(setting.slice(0, 120))}, which is no setting`,
    'give it as --config key=value',
  );
}

function fileFrom(
  name: string | undefined,
  flag: string,
  cwd: string,
  troubleOf: (file: string) => WishTrouble | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  const file = path.resolve(cwd, name);
  refuseTrouble(flag, file, troubleOf(file));
  return file;
}

function refuseTrouble(flag: string, value: string, trouble: WishTrouble | undefined): void {
  if (trouble) throw usageError(`${flag} ${value} ${trouble.what}`, trouble.next);
}
