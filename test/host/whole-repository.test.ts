import { renameSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { copyRepository, hostPlaces } from '../helpers/host-room.ts';
import { expectFirstSteps, rulesOf, type Way } from '../helpers/host-way.ts';

// A git clone of the whole repository as `.claude/skills/prun`, with the real claude.

const newPlace = hostPlaces();

it('is one skill, whose scripts lie deeper', async () => {
  const place = await newPlace();
  const source = await copyRepository(path.join(place.home, 'source'));
  const base = path.join(place.project, '.claude/skills/prun');
  await place.run('git', ['clone', '-q', source, base]);
  // What is run is the clone, and nothing of where it came from.
  renameSync(source, `${source}-gone`);
  const prun = '.claude/skills/prun/skills/prun';
  const way: Way = { name: 'prun', base, prun, absolute: path.join(place.project, prun) };
  place.allow(rulesOf(way));
  // Trusted or not: the folder is no plugin, and there is nothing to connect.
  place.trust();
  const session = await expectFirstSteps(place, way);
  expect([session.plugins, session.servers]).toEqual([[], {}]);
});
