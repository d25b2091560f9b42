import { expect, it } from 'vitest';
import { faultAtSight } from '../../scripts-src/executor/schema-sight.ts';

const deep = (levels: number): Record<string, unknown> => {
  let schema: Record<string, unknown> = { type: 'strin' };
  for (let n = 0; n < levels; n++) schema = { items: schema };
  return schema;
};

it.each<[string, Record<string, unknown>]>([
  ['nothing', {}],
  ['a tree of itself', { type: 'object', properties: { child: { $ref: '#' } } }],
  ['a definition', { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': { type: ['string', 'null'] } } }],
  ['an anchor', { $ref: '#x', $defs: { y: { $anchor: 'x' } } }],
  ['its own id', { $id: 'https://example.com/a', properties: { b: { $ref: 'https://example.com/a#/x' } } }],
  ['a property that is called like a keyword', { properties: { type: { const: 1 }, $ref: {}, pattern: {} } }],
  [
    'data that looks like a schema',
    { enum: [{ $ref: 'x' }], default: { type: 'none' }, const: { pattern: '(' } },
  ],
  ['a false schema', { additionalProperties: false, items: true, not: { pattern: '^a$' } }],
])('a schema with %s is usable', (_, schema) => {
  expect(faultAtSight(schema)).toBeUndefined();
});

it.each<[string, Record<string, unknown>, string]>([
  ['itself', { $ref: '#' }, 'its $ref "#" leads to itself'],
  [
    'a ring',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    'leads to itself',
  ],
  [
    'an address',
    { items: { $ref: 'https://example.com/x' } },
    'its $ref "https://example.com/x" is not in the file',
  ],
  ['a file', { anyOf: [{ $ref: 'other.json' }] }, 'its $ref "other.json" is not in the file'],
  ['nothing', { properties: { a: { $ref: '#/$defs/x' } } }, 'its $ref "#/$defs/x" leads to nothing'],
  ['what every object has', { $ref: '#/toString' }, 'leads to nothing'],
  [
    'a pattern that is none',
    { properties: { a: { pattern: '(' } } },
    'its pattern "(" is no regular expression',
  ],
  ['such a name', { patternProperties: { '[': {} } }, 'its pattern "[" is no regular expression'],
  ['a type that there is not', { items: [{ type: ['string', 'strin'] }] }, 'there is no type "strin"'],
  ['one far down', deep(100_000), 'there is no type "strin"'],
])('a schema that leads to %s is not', (_, schema, fault) => {
  expect(faultAtSight(schema)).toContain(fault);
});
