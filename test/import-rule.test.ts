import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const source = path.resolve(import.meta.dirname, '../scripts-src');

/**
 * DESIGN: entry points → commands, mcp → run, validate, render → supervise → executor, workspace, unit → process,
 * platform. A run's supervisor leases what its units need, so validate stands below run.
 */
const floors: Record<string, number> = {
  '.': 5,
  commands: 4,
  mcp: 4,
  run: 3,
  validate: 2.5,
  render: 3,
  supervise: 2,
  executor: 1,
  workspace: 1,
  unit: 1,
  process: 0.5,
  platform: 0,
  // package.json, for the version.
  '..': -1,
};

interface Import {
  from: string;
  to: string;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(full) : [full];
  });
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const matches = text.matchAll(/(?:from\s+|import\(\s*|import\s+)'(\.[^']+)'/g);
  return [...matches].map(([, target]) => ({
    from: path.relative(source, file),
    to: path.relative(source, path.resolve(path.dirname(file), target ?? '')),
  }));
}

const roomOf = (file: string) => path.dirname(file).split(path.sep)[0] ?? '.';
const all = filesBelow(source)
  .filter((file) => file.endsWith('.ts'))
  .flatMap(importsOf);

it('imports run downwards only, room by room', () => {
  expect(all.length).toBeGreaterThan(50);
  const wrong = all.filter(({ from, to }) => {
    const [here, there] = [roomOf(from), roomOf(to)];
    if (here === there) return here === '.';
    return (floors[there] ?? 99) >= (floors[here] ?? -1);
  });
  expect(wrong).toEqual([]);
});

it('knows every room', () => {
  const rooms = readdirSync(source, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  expect(rooms.filter((room) => floors[room] === undefined)).toEqual([]);
});

it('has no circle among files', () => {
  const graph = new Map<string, string[]>();
  for (const { from, to } of all) graph.set(from, [...(graph.get(from) ?? []), to]);
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[][] = [];
  const visit = (file: string, trail: string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      circles.push([...trail.slice(trail.indexOf(file)), file]);
      return;
    }
    state.set(file, 'open');
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    state.set(file, 'done');
  };
  for (const file of graph.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

it('names every file by what it does, without default exports or classes (errors excepted)', () => {
  const offenders = filesBelow(source).filter((file) => {
    const text = readFileSync(file, 'utf8');
    return /^export default/m.test(text) || /^(?:export )?class (?!\w*Error\b)/m.test(text);
  });
  expect(offenders).toEqual([]);
});
