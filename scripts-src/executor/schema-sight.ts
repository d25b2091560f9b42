/** What a schema's parts are called: keywords with one schema, with a list of them, and with schemas by name. */
const ONE =
  'additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties';
const LISTED = 'allOf anyOf items oneOf prefixItems';
const NAMED = '$defs definitions dependencies dependentSchemas patternProperties properties';
const [ONE_SCHEMA, LISTED_SCHEMAS, NAMED_SCHEMAS] = [ONE, LISTED, NAMED].map((words) => words.split(' '));

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];

/** An object in a schema file. */
type Json = Readonly<Record<string, unknown>>;

/**
 * What makes a JSON schema unusable that can be told without a value: a reference that leads out of the file, to nothing
 * or to itself, a pattern that is none, a type that there is not. One short text, undefined where nothing is found. A worker
 * would do all of its work before the first check of its answer told that. Pure.
 */
export function faultAtSight(root: Json): string | undefined {
  const names = new Set<string>();
  const all: Json[] = [];
  visit(root, (schema) => {
    all.push(schema);
    for (const key of ['$id', 'id']) if (typeof schema[key] === 'string') names.add(schema[key]);
    for (const key of ['$anchor', '$dynamicAnchor']) {
      if (typeof schema[key] === 'string') names.add(`#${schema[key]}`);
    }
  });
  for (const schema of all) {
    const fault = refFault(root, schema, names) ?? patternFault(schema) ?? typeFault(schema);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Every schema of a file, each once; without recursion, because nobody bounds how deep they lie. */
function visit(root: Json, take: (schema: Json) => void): void {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const schema = open.pop();
    if (!isObject(schema)) continue;
    take(schema);
    for (const key of ONE_SCHEMA ?? []) open.push(schema[key]);
    for (const key of LISTED_SCHEMAS ?? []) pushAll(open, schema[key], Array.isArray);
    for (const key of NAMED_SCHEMAS ?? []) pushAll(open, schema[key], isObject);
  }
}

function pushAll(list: unknown[], values: unknown, isWanted: (values: unknown) => boolean): void {
  if (isWanted(values)) for (const value of Object.values(values as object)) list.push(value);
}

function refFault(root: Json, schema: Json, names: ReadonlySet<string>): string | undefined {
  const seen = new Set<unknown>();
  for (let at: unknown = schema; isObject(at) && typeof at.$ref === 'string'; ) {
    const ref = at.$ref;
    if (seen.has(at)) return `its $ref ${shown(ref)} leads to itself`;
    seen.add(at);
    if (names.has(ref)) return undefined;
    if (!/^#(?:\/|$)/.test(ref)) {
      // A place below an $id is left to the check of the answer.
      const isBelow = [...names].some((name) => name !== '' && ref.startsWith(`${name}#`));
      return isBelow ? undefined : `its $ref ${shown(ref)} is not in the file`;
    }
    at = pointed(root, ref);
    if (at === undefined) return `its $ref ${shown(ref)} leads to nothing`;
  }
  return undefined;
}

/** What a pointer (`#/$defs/x`) leads to; undefined for nothing. */
function pointed(root: Json, ref: string): unknown {
  let at: unknown = root;
  for (const part of ref.split('/').slice(1)) {
    const key = unescaped(part);
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Json)[key];
  }
  return at;
}

function unescaped(part: string): string {
  const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(key);
  } catch {
    // A percent sign that stands for itself.
    return key;
  }
}

function patternFault({ pattern, patternProperties }: Json): string | undefined {
  const patterns = [pattern, ...(isObject(patternProperties) ? Object.keys(patternProperties) : [])];
  const bad = patterns.find((one) => typeof one === 'string' && !isPattern(one));
  return bad === undefined ? undefined : `its pattern ${shown(String(bad))} is no regular expression`;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function typeFault({ type }: Json): string | undefined {
  if (type === undefined) return undefined;
  const bad = [type].flat().find((one) => !TYPES.includes(String(one)));
  return bad === undefined ? undefined : `there is no type ${shown(String(bad))}`;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
