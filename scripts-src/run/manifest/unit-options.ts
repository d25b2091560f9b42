import path from 'node:path';
import {
  imageTrouble,
  schemaTrouble,
  storeTroubleAtSight,
  type WishTrouble,
} from '../../executor/codex-wishes.ts';
import { knowsWish } from '../../executor/known-wishes.ts';
import type { WorkerOptions } from '../../executor/types.ts';
import type { ManifestUnit } from './manifest-schema.ts';
import type { Wrong } from './mistakes.ts';
import { programFrom, type UnitWish } from './new-spec.ts';

/** What the wishes of a unit stand among. */
interface Around {
  /** Keys above the units that hold for every unit. */
  defaults: Partial<ManifestUnit>;
  /** Folder that relative paths are taken from. */
  folder: string;
}

/** Names what is wrong with the wishes that only some executors know: files that are not there, and contradictions. */
export function checkOptions(
  unit: ManifestUnit,
  { executor, defaults, folder }: Around & { executor: UnitWish['executor'] },
  wrong: Wrong,
): void {
  // What stands above the units and is nothing for this executor is not used.
  const {
    images = [],
    outputSchema,
    structured,
    pnpmStore,
  } = optionsOf(unit, executor, { defaults, folder });
  const at = (key: keyof ManifestUnit): string[] => (unit[key] === undefined ? [] : [key]);
  const told = (key: keyof ManifestUnit, what: string, trouble: WishTrouble | undefined): void => {
    if (trouble) wrong(at(key), `${what} ${trouble.what}: ${trouble.next}`);
  };
  for (const [n, file] of images.entries()) {
    const trouble = imageTrouble(file);
    if (trouble) {
      wrong(unit.images ? ['images', n] : [], `the image ${file} ${trouble.what}: ${trouble.next}`);
    }
  }
  if (outputSchema !== undefined) {
    told('outputSchema', `the schema ${outputSchema}`, schemaTrouble(outputSchema));
    if (structured) {
      wrong(at('outputSchema'), 'structured brings a schema of its own: give one of them');
    }
  }
  if (pnpmStore === undefined) return;
  told('pnpmStore', pnpmStore, storeTroubleAtSight(pnpmStore));
  if ((unit.sandbox ?? defaults.sandbox) === 'read-only') {
    wrong(at('pnpmStore'), 'does nothing in sandbox read-only: give sandbox: workspace-write');
  }
}

/** The wishes of a unit, those of the run among them, as far as its executor knows them. Paths are absolute. */
export function optionsOf(
  unit: ManifestUnit,
  executor: UnitWish['executor'],
  { defaults, folder }: Around,
): WorkerOptions {
  const both = { ...defaults, ...unit };
  const known = <K extends keyof WorkerOptions & keyof ManifestUnit>(key: K): ManifestUnit[K] | undefined =>
    knowsWish(executor, key) ? both[key] : undefined;
  const file = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : path.resolve(folder, name);
  const bin = known('bin');
  return {
    bin: bin === undefined ? undefined : programFrom(bin, folder),
    config: known('config'),
    images: known('images')?.map((image) => path.resolve(folder, image)),
    outputSchema: file(known('outputSchema')),
    structured: known('structured'),
    ephemeral: known('ephemeral'),
    pnpmStore: known('pnpmStore'),
    permissionMode: known('permissionMode'),
    tokenLimit: known('tokenLimit'),
  };
}
