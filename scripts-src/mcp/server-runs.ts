import { existsSync } from 'node:fs';
import { wallTime } from '../platform/clock.ts';
import { usageError } from '../platform/errors.ts';
import { randomHex } from '../platform/random.ts';
import type { ProcessHost } from '../process/types.ts';
import { createRun, type Run, runFile } from '../run/run-folder.ts';
import { readSource, type SourceRepository } from '../workspace/base/source-repo.ts';
import { refuseStateAmongFiles } from '../workspace/base/state-home-place.ts';
import { type RunFollower, runFollower } from './run-follower.ts';

/** Calls of one message run at the same time; more than these wait for each other. */
const JOBS = 30;

/** A run of this server, and what its calls share. */
export interface ServerRun {
  run: Run;
  follower: RunFollower;
}

/** The runs of this server, one for each folder that calls work in. */
export interface ServerRuns {
  /** The run for new tasks in a folder, made at the first of them. `top`: of the git tree that it lies in, null without one. */
  forRoot(workspaceRoot: string, top: string | null): Promise<ServerRun>;
  /** Follows a run that an earlier server has made. */
  follower(run: Run): RunFollower;
}

/** The runs of this server, none before the first call. */
export function serverRuns(host: ProcessHost, stateHome: string): ServerRuns {
  const runs = new Map<string, { made: Promise<ServerRun>; run: Run | undefined }>();
  const followers = new Map<string, RunFollower>();

  function follower(run: Run): RunFollower {
    const known = followers.get(run.folder) ?? runFollower(host, run);
    followers.set(run.folder, known);
    return known;
  }

  return {
    follower,
    forRoot(workspaceRoot, top) {
      // A folder may become a repository in the lifetime of a server.
      const key = `${workspaceRoot}\0${top}`;
      const known = runs.get(key);
      // A run that was cleaned up is over: the next task begins another one.
      if (known && (!known.run || existsSync(runFile(known.run, 'record')))) return known.made;
      const made = makeRun(stateHome, top).then((run) => ({ run, follower: follower(run) }));
      const entry: { made: Promise<ServerRun>; run: Run | undefined } = { made, run: undefined };
      runs.set(key, entry);
      made.then(
        ({ run }) => {
          entry.run = run;
        },
        // A later call tries again: the disk may have room by then.
        () => runs.delete(key),
      );
      return made;
    },
  };
}

function makeRun(stateHome: string, repository: string | null): Promise<Run> {
  return createRun(stateHome, runName(), {
    repository,
    integration: null,
    schedule: { jobs: JOBS, delaySeconds: 0, memfreeBytes: null, load: null },
    resources: {},
    outerMarker: null,
  });
}

function runName(): string {
  const time = wallTime().replace(/\..*$/, '').replace(/[-:]/g, '').replace('T', '-');
  return `mcp-${time}-${randomHex(8)}`;
}

/** The repository that a folder lies in; a folder without one is a place to work in, too. */
export async function sourceOf(workspaceRoot: string): Promise<SourceRepository | undefined> {
  try {
    return await readSource(workspaceRoot);
  } catch {
    // Not a repository, or one that git cannot read: a clone of it says why.
    return undefined;
  }
}

/** Throws a usage error where no clone can be made of what the folder holds. */
export async function requireClonable(
  source: SourceRepository | undefined,
  workspaceRoot: string,
  stateHome: string,
): Promise<void> {
  if (source) return refuseStateAmongFiles(source, stateHome);
  throw usageError(
    `isolation is "clone", and ${workspaceRoot} is in no git repository that can be read`,
    'use isolation "inplace", or make it a repository',
  );
}
