import { statSync } from 'node:fs';
import path from 'node:path';
import { monotonicMs, wallTime } from '../../platform/clock.ts';
import { notedForm } from '../../supervise/asked-schema.ts';
import { marksOf } from '../../supervise/attempt.ts';
import { readUnitRecord } from '../../unit/read-records.ts';
import { SCHEMA, type UnitRecord } from '../../unit/records.ts';
import { stateFile } from '../../unit/state-dir.ts';
import { SET_FILES, setsFolder } from '../../workspace/workspace-set.ts';
import { defaultResultFile, promptFileOf } from '../run-folder.ts';
import { type Supervision, unitOf } from './supervision.ts';

const STATE_DIR = /^prun-task-[0-9a-f]{8}-.+-\d+-([0-9a-f]{16})$/;

/**
 * What `unit.json` of an attempt said, put together anew where it is empty or torn: the marks of its processes follow from
 * the state dir's name, the rest from what was asked. Without it nobody would find the worker, and it would run on beside
 * the next attempt (promise P2). undefined where the folder has no name of prun's.
 */
export function restoredRecord(
  supervision: Supervision,
  id: string,
  stateDir: string,
): UnitRecord | undefined {
  const token = STATE_DIR.exec(path.basename(stateDir))?.[1];
  if (token === undefined) return undefined;
  const { host, view } = supervision;
  const { run } = view;
  const { spec, attempt, resume } = unitOf(supervision, id);
  const { marker, rssMarkKib } = marksOf(host, id, token, run.record.outerMarker ?? undefined);
  const isMade = spec.mode === 'clone' || spec.mode === 'worktree';
  const clone = path.join(setsFolder(run.stateHome), run.record.id, SET_FILES.clones, id);
  const last = resume === null ? undefined : readUnitRecord(resume.stateDir);
  const inPlace = spec.mode === 'inplace' ? (spec.workspace ?? run.record.repository) : null;
  return {
    schema: SCHEMA,
    unit: id,
    attempt,
    executor: spec.executor,
    argv: spec.argv,
    cwd: last?.cwd ?? (isMade ? clone : (inPlace ?? stateFile(stateDir, 'scratch'))),
    promptFile: promptFileOf(run, id),
    resultFile: spec.resultFile ?? defaultResultFile(run, id),
    base: null,
    limits: spec.limits,
    marker,
    rssMark: rssMarkKib === '' ? null : String(Number(rssMarkKib) * 1024),
    // Nothing is known of its start; the marks alone decide who belongs to it.
    since: 0,
    supervisor: '',
    worker: null,
    startedAt: wallTime(statSync(stateDir).birthtimeMs || Date.now()),
    startedMonotonicMs: monotonicMs(),
    boot: host.bootId(),
    ...notedForm(spec.options),
    ...(resume === null ? {} : { resumed: { sessionId: resume.sessionId, tokensBefore: null } }),
  };
}
