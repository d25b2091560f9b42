import { EXIT } from '../platform/errors.ts';
import { readFlags } from '../platform/read-flags.ts';
import { manifestJsonSchema } from '../run/manifest/manifest-schema.ts';
import { refuseOperands } from './clone-arguments.ts';

const SCHEMA_HELP = `usage: prun schema

Prints the JSON Schema of a manifest for prun run: every key, what it means, its default. Editors check a YAML file by it
with a first line "# yaml-language-server: $schema=<file>".
`;

/** `prun schema`: the JSON Schema of a manifest. */
export async function schema(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, { values: [], switches: ['--json'] });
  refuseOperands(flags, 'schema');
  process.stdout.write(flags.help ? SCHEMA_HELP : `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
  return EXIT.ok;
}
