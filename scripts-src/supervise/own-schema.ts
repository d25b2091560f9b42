import { readFileSync } from 'node:fs';
import { type Schema, Validator } from '@cfworker/json-schema';
import { messageOf } from '../platform/errors.ts';

/**
 * What is wrong with a value by a JSON schema in a file (draft 2020-12, the older ones as far as they agree), and at which
 * key, in one line; undefined where it holds. A schema that cannot be used is said, too. Never throws.
 */
export function schemaFault(file: string, value: unknown): string | undefined {
  try {
    const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
    const { valid, errors } = new Validator(schema, draftOf(schema), false).validate(value);
    if (valid) return undefined;
    // The one that lies deepest says it plainest; those above only repeat that something below them is wrong.
    const depth = (place: string) => place.split('/').length;
    const deepest = errors.reduce((best, one) =>
      depth(one.instanceLocation) > depth(best.instanceLocation) ? one : best,
    );
    return `at ${placeOf(deepest.instanceLocation)}: ${deepest.error}`;
  } catch (error) {
    return `the schema cannot be used (${messageOf(error)})`;
  }
}

/** `#/tests/0/command` as `tests.0.command`. */
function placeOf(pointer: string): string {
  const keys = pointer.replace(/^#\/?/, '').split('/').filter(Boolean);
  const names = keys.map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.length === 0 ? 'the top' : names.join('.');
}

function draftOf({ $schema = '' }: Schema): '4' | '7' | '2019-09' | '2020-12' {
  const name = /draft-0([467])|(2019-09)/.exec($schema);
  if (name?.[1] === '4') return '4';
  return name?.[1] !== undefined ? '7' : name?.[2] !== undefined ? '2019-09' : '2020-12';
}
