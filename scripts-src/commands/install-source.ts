import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { readStart } from '../platform/files.ts';
import { type ManifestRow, readManifest, sha256Of } from './install-manifest.ts';

/** One file that is put in place. */
export interface SkillFile extends ManifestRow {
  data: Buffer;
  mode: number;
}

/** The prun folder that the running script lies in. */
export interface SkillSource {
  /** Absolute, links resolved. */
  folder: string;
  /** As its SKILL.md says; null where it says none. */
  version: string | null;
  files: SkillFile[];
}

/** Without these nothing works; the others are what the folder holds. */
const NEEDED = ['prun', 'dispatch-task', 'reap-watch', 'monitor', 'gather'].map(
  (name) => `scripts/${name}.cjs`,
);
/** What begins with a dot is the user's or the system's, but for these. */
const DOTTED = ['.claude-plugin', '.mcp.json'];

/** Reads the prun folder around a script: the one that holds its `scripts`. Throws a usage error where it is not whole. */
export function readSource(script: string): SkillSource {
  const folder = path.dirname(path.dirname(script));
  const next = 'get prun again: clone its repository, unpack a release, or use npx prun-skill install';
  if (!isSkillOfPrun(folder))
    throw usageError(`${folder} is no prun folder: it has no SKILL.md of prun`, next);
  const listed = readManifest(folder)?.files.map(({ file }) => file);
  const names = listed ?? namesBelow(folder, '');
  const missing = [...NEEDED, ...names].find((name) => !existsSync(path.join(folder, name)));
  if (missing !== undefined) throw usageError(`${folder} is not whole: ${missing} is missing`, next);
  const files = [...names].sort().map((file): SkillFile => {
    const data = readFileSync(path.join(folder, file));
    return { file, bytes: data.length, sha256: sha256Of(data), data, mode: modeOf(file) };
  });
  return { folder, version: versionIn(folder), files };
}

/** Whether a folder holds the SKILL.md of prun. */
export function isSkillOfPrun(folder: string): boolean {
  const head = frontMatter(folder);
  return /^name:\s*["']?prun["']?\s*$/m.test(head);
}

/** The version that the SKILL.md of a folder names, or null. */
export function versionIn(folder: string): string | null {
  return /^\s+version:\s*["']?([^"'\s]+)/m.exec(frontMatter(folder))?.[1] ?? null;
}

/** Mode of a file of the prun folder: archives and Windows lose it, its name tells. */
export function modeOf(file: string): number {
  return /^scripts\/[^/]+\.(?:cjs|sh)$/.test(file) ? 0o755 : 0o644;
}

function frontMatter(folder: string): string {
  const text = readStart(path.join(folder, 'SKILL.md'), 16_384);
  return /^\ufeff?---\r?\n([\s\S]*?)^---\s*$/m.exec(text)?.[1] ?? '';
}

function namesBelow(folder: string, below: string): string[] {
  return readdirSync(path.join(folder, below)).flatMap((name) => {
    const file = below === '' ? name : `${below}/${name}`;
    if (name === 'node_modules' || (name.startsWith('.') && !DOTTED.includes(file))) return [];
    const stat = lstatSync(path.join(folder, file));
    if (stat.isDirectory()) return namesBelow(folder, file);
    return stat.isFile() ? [file] : [];
  });
}
