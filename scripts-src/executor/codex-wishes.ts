import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, messageOf } from '../platform/errors.ts';
import { faultAtSight } from './schema-sight.ts';

/** What is wrong with a value, and what to do: `<value> <what>: <next>`. */
export interface WishTrouble {
  what: string;
  next: string;
}

/** Larger files are no schema for one message. */
const MAX_SCHEMA_BYTES = 1024 * 1024;

/** Whether a text is a setting for `codex -c`, which ends at once where there is no `=` or a flag in its place (exit 2). */
export function isConfigSetting(text: string): boolean {
  return /^[^-=\s][^=\n\0]*=[^\0]*$/.test(text);
}

/** Whether a text can stand behind a flag of any program as its value: it is no flag itself, and one line. */
export function isFlagValue(text: string): boolean {
  return /^[^-\s\p{Cc}][^\p{Cc}]*$/u.test(text);
}

/** Why an image (absolute) cannot be given to codex, which passes over one that is not there without a word. */
export function imageTrouble(file: string): WishTrouble | undefined {
  if (file.includes(',')) {
    return { what: 'has a comma in its path, which codex takes for two files', next: 'give it another name' };
  }
  return fileTrouble(file);
}

/** Why a file (absolute) is no JSON schema of an object. */
export function schemaTrouble(file: string): WishTrouble | undefined {
  const trouble = fileTrouble(file);
  if (trouble) return trouble;
  const next = 'write a JSON schema of an object into it';
  try {
    if (statSync(file).size > MAX_SCHEMA_BYTES) return { what: 'has more than 1 MiB', next };
    const schema: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      return { what: 'is no JSON object', next };
    }
    const fault = faultAtSight(schema as Readonly<Record<string, unknown>>);
    return fault === undefined
      ? undefined
      : {
          what: `cannot be used (${fault})`,
          next: 'put it right: references lead to places in the same file',
        };
  } catch (error) {
    return { what: `is no JSON (${messageOf(error).slice(0, 120)})`, next };
  }
}

/** Why a folder is no store of pnpm, as far as can be seen before there is a workspace. */
export function storeTroubleAtSight(folder: string): WishTrouble | undefined {
  const next = 'give the absolute path of an existing folder';
  if (!path.isAbsolute(folder)) return { what: 'is no absolute path', next };
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? undefined
    : { what: 'is no folder', next };
}

function fileTrouble(file: string): WishTrouble | undefined {
  const next = 'give the path of a readable file';
  try {
    if (!statSync(file).isFile()) return { what: 'is no regular file', next };
    accessSync(file, constants.R_OK);
    return undefined;
  } catch (error) {
    return { what: `cannot be read (${errnoOf(error) ?? messageOf(error)})`, next };
  }
}
