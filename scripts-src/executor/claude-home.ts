import { opendirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder } from '../platform/home-folder.ts';
import { shortHash } from '../platform/random.ts';
import { accountValues } from './claude-environment.ts';
import { readVariable } from './scrub-environment.ts';
import { isSessionId } from './session-id.ts';

/** Folders of projects that are looked through: each folder that claude ever worked in has one. */
const MOST_PROJECTS = 20_000;

/** Where a claude with this environment has its login and its sessions. */
export function claudeHomeOf(environment: NodeJS.ProcessEnv): string {
  const home = readVariable(environment, 'HOME') || readVariable(environment, 'USERPROFILE') || homeFolder();
  return readVariable(environment, 'CLAUDE_CONFIG_DIR') || join(home, '.claude');
}

/** The account of a claude with this environment: its home and the keys that it is given. They go into the hash only. */
export function claudeAccount(environment: NodeJS.ProcessEnv): string {
  return shortHash([claudeHomeOf(environment), ...accountValues(environment)].join('\0'));
}

/**
 * The log of a claude session (absolute), or undefined while there is none: `projects/<folder's name>/<session>.jsonl`
 * below its home. The folder is named after the one that the session began in, so all of them are looked through.
 *
 * As evidence (measured, 2.1.332): it grows when the prompt is read, when a message is whole and when a tool has
 * answered. It does not grow while an answer streams, nor while a command runs or nothing comes from the server.
 */
export function claudeSessionLog(sessionId: string, environment: NodeJS.ProcessEnv): string | undefined {
  if (!isSessionId(sessionId)) return undefined;
  const projects = join(claudeHomeOf(environment), 'projects');
  try {
    const directory = opendirSync(projects);
    try {
      for (let count = 0; count < MOST_PROJECTS; count++) {
        const entry = directory.readSync();
        if (entry === null) return undefined;
        const file = join(projects, entry.name, `${sessionId}.jsonl`);
        if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    // Not there yet, or not readable: then there is no such evidence.
  }
  return undefined;
}
