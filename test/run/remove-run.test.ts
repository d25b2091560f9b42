import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeClaim } from '../../scripts-src/process/claim.ts';
import { currentHost } from '../../scripts-src/process/host.ts';
import { removeRun } from '../../scripts-src/run/remove-run.ts';
import { postRequest } from '../../scripts-src/run/requests.ts';
import { runFile } from '../../scripts-src/run/run-folder.ts';
import { writtenRun } from '../helpers/run-fixture.ts';
import { openStage } from '../helpers/state-dir-fixture.ts';
import { scratch } from '../helpers/unit-run.ts';

const host = await currentHost();

async function unsupervised() {
  const home = path.join(scratch('prun remove'), 'state');
  mkdirSync(home);
  return writtenRun(home, 'x', ['api'], { isSupervised: false });
}

describe('the removal of a run', () => {
  it('takes its folder, and leaves nothing under any name', async () => {
    const { run, stateHome } = await unsupervised();
    expect(await removeRun(host, run)).toBeUndefined();
    expect(readdirSync(path.join(stateHome, 'runs'))).toEqual([]);
    expect(await removeRun(host, run)).toBeUndefined();
  });

  it('waits for nobody for long: a run that is supervised stays', async () => {
    const { run } = await unsupervised();
    const stage = openStage();
    try {
      const { identity } = await stage.sleeper();
      takeClaim(host, runFile(run, 'supervisors'), identity);
      expect(await removeRun(host, run)).toBe(`its supervisor is still at work (${identity})`);
      expect(existsSync(runFile(run, 'record'))).toBe(true);
    } finally {
      await stage.clear();
    }
  });

  it('leaves a run of which something has just been asked', async () => {
    const { run } = await unsupervised();
    postRequest(run, { type: 'start', units: null, schedule: {}, environment: null });
    expect(await removeRun(host, run)).toContain('has just asked');
    expect(existsSync(runFile(run, 'record'))).toBe(true);
  });

  it('that comes second makes nothing anew, and takes nothing of somebody else', async () => {
    const { run } = await unsupervised();
    for (const name of readdirSync(run.folder)) rmSync(path.join(run.folder, name), { recursive: true });
    writeFileSync(path.join(run.folder, 'own'), '');
    expect(await removeRun(host, run)).toBeUndefined();
    expect(readdirSync(run.folder)).toEqual(['own']);
  });
});
