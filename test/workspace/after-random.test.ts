import { expect, it } from 'vitest';
import { lines, type RunRoom, runRoom } from './run-room.ts';

interface Unit {
  name: string;
  after: string[];
  /** All that it builds on. */
  ancestors: Set<string>;
  /** Lines that it wrote, by number. */
  own: Map<number, string>;
}

/** Numbers below `n` that a seed gives, the same every time. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * n);
  };
}

function textOf(units: readonly Unit[]): string {
  return lines(Object.fromEntries(units.flatMap(({ own }) => [...own])), 60);
}

/** Plans units that build on one another: each writes a line of its own, and many rewrite one of their ancestors'. */
function plan(below: (n: number) => number): Unit[] {
  const units: Unit[] = [];
  for (let n = 0; n < 5; n++) {
    const after = units.map(({ name }) => name).filter(() => below(2) === 0);
    const ancestors = new Set(
      after.flatMap((name) => [name, ...(units.find((unit) => unit.name === name)?.ancestors ?? [])]),
    );
    const own = new Map([[n * 8 + 2, `u${n}`]]);
    const mayRewrite = units
      .flatMap((unit) => [...unit.own.keys()])
      .filter((line) => units.every((unit) => !unit.own.has(line) || ancestors.has(unit.name)));
    const line = mayRewrite[below(mayRewrite.length + 1)];
    if (line !== undefined) own.set(line, `u${n}, again`);
    units.push({ name: `u${n}`, after, ancestors, own });
  }
  return units;
}

async function make(room: RunRoom, units: readonly Unit[]): Promise<void> {
  for (const { name, after, ancestors, own } of units) {
    const clone = await room.clone(name, ...after.flatMap((parent) => ['--after', parent]));
    const before = units.filter((unit) => ancestors.has(unit.name));
    expect(room.read(clone, 'f'), `${name} after ${after.join(', ')}`).toBe(textOf(before));
    room.write(clone, { f: textOf([...before, { name, after, ancestors, own }]) });
    await room.collect(name);
  }
}

it.each([1, 2, 3, 4])(
  'units that build on one another go together, in every order and at once (seed %i)',
  async (seed) => {
    const room = await runRoom();
    const below = numbers(seed);
    room.write(room.repo, { f: lines({}, 60) });
    const units = plan(below);
    await make(room, units);
    const { stdout } = await room.cli.run(['conflicts', '--run', 'r']);
    const order = /^ORDER (.*)$/m.exec(stdout)?.[1]?.split(' ') ?? [];
    for (const { name, ancestors } of units) {
      for (const parent of ancestors) expect(order.indexOf(parent)).toBeLessThan(order.indexOf(name));
    }
    const shuffled = units.map(({ name }) => name).sort(() => below(3) - 1);
    const named = (names: readonly string[]) => names.flatMap((unit) => ['--unit', unit]);
    await room.cli.run(['apply', '--run', 'r', ...named(shuffled), '--to', room.repo]);
    expect(room.read(room.repo, 'f'), shuffled.join(' ')).toBe(textOf(units));
    await room.cli.undo(room.repo);
    for (const unit of order)
      await room.cli.run(['apply', '--run', 'r', ...named([unit]), '--to', room.repo]);
    expect(room.read(room.repo, 'f'), order.join(' ')).toBe(textOf(units));
  },
);
