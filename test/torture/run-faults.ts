import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../helpers/unit-run.ts';
import type { Blow } from './run-case.ts';

/** Every fault point that a run's supervisor comes by, so that none is forgotten when one is added. */
export function runFaultPoints(): string[] {
  const found = new Set<string>();
  for (const file of readdirSync(path.join(ROOT, 'scripts-src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(path.join(ROOT, 'scripts-src', file), 'utf8');
    for (const [, point = ''] of text.matchAll(/faultPoint\(\s*['`]([^'`]+)['`]/g)) {
      // conclude.ts serves all supervisors: its points carry the name of who concludes.
      found.add(point.replace(/^\$\{\w+\}/, 'run'));
    }
  }
  // Before the run has its name there is nothing to go on with.
  return [...found].filter((point) => point.startsWith('run:') && point !== 'run:draft').sort();
}

/** Only a successor comes by some points: then the first supervisor has to die. */
export function blowsBefore(point: string): Blow[] {
  return point === 'run:adopted' ? [{ victim: 'supervisor', afterMs: 700 }] : [];
}
