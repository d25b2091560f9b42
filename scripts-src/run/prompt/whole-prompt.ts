import type { ExecutorName, WorkspaceMode } from '../records.ts';
import { returnContract } from './return-contract.ts';
import { workerRules } from './worker-rules.ts';

/** A longer context is named by its path only: every worker would pay for it, whether it needs it or not. */
export const CONTEXT_TEXT_BYTES = 8192;

/** What a worker is told, beside its task. Paths are absolute. */
export interface PromptFacts {
  run: string;
  unit: string;
  /** A subagent of a session has no folder of its own in mode scratch. Left out: one of the others. */
  executor?: ExecutorName;
  mode: WorkspaceMode;
  resultFile: string;
  /** Where it works; null: the folder that it starts in. */
  workspace: string | null;
  /** The note about what the workspace starts from. */
  baseNote: string | null;
  /** Globs of what it may touch, empty when nobody said. */
  owns: readonly string[];
  /** What all workers of the run are to know. */
  context: { file: string; text: string } | null;
  /** The task, byte for byte. */
  prompt: string;
  ports: { first: number; last: number } | null;
  /** The command that is run after it. */
  verify: string | null;
  /** What became of the attempt before this one. */
  earlier: {
    attempt: number;
    reason: string;
    detail: string;
    resultFile: string | null;
    patch: string | null;
  } | null;
}

/**
 * The whole text that a worker gets: who and where it is, its rules, the shared context, its task as it was given, and
 * the return contract. The same facts give the same text.
 */
export function wholePrompt(facts: PromptFacts): string {
  const parts = [
    section(
      `You are the worker of unit ${facts.unit} in run ${facts.run}`,
      'A coordinator reads your result and integrates it. Other units work at the same time, each on a task of its own.',
    ),
    section('Where you work', ...place(facts)),
    section('Rules', ...workerRules(facts.mode, hasNoFolder(facts)).map((rule) => `- ${rule}`)),
    ...sharedContext(facts.context),
    ...earlierAttempt(facts.earlier, facts.mode),
    section('Your task', facts.prompt),
    section('Your result', ...verification(facts.verify), returnContract(facts.unit, facts.resultFile)),
  ];
  return parts.join('\n');
}

function section(title: string, ...lines: readonly string[]): string {
  return [`# ${title}`, '', ...lines, ''].join('\n');
}

/** It starts where its session is: in the user's own files. */
function hasNoFolder({ executor, workspace }: PromptFacts): boolean {
  return executor === 'session' && workspace === null;
}

function place(facts: PromptFacts): string[] {
  const { mode, workspace, baseNote, owns, ports } = facts;
  return [
    ...(hasNoFolder(facts)
      ? ['You have no folder of your own. The files where you start are not yours.']
      : folderLines(mode, workspace)),
    ...(baseNote === null ? [] : [`What you start from, and what is missing here, is said in ${baseNote}`]),
    ...(owns.length === 0 ? [] : [`You own: ${owns.join(', ')}. Everything else is only to be read.`]),
    ...(ports === null
      ? []
      : [
          `A server that you start listens on a port from ${ports.first} to ${ports.last} ($PORT is the first).`,
        ]),
  ];
}

function folderLines(mode: WorkspaceMode, workspace: string | null): string[] {
  if (workspace === null) return ['You start in an empty folder of your own: notes and trials belong there.'];
  const stop = 'If `pwd` shows another folder, change to it; if you cannot, stop and report it.';
  switch (mode) {
    case 'scratch':
      return [`You start in ${workspace}`, 'It is yours: notes and trials belong there.'];
    case 'clone':
      return [`Work in ${workspace}`, stop, 'It is a throwaway clone without a remote.'];
    case 'worktree':
      return [
        `Work in ${workspace}`,
        stop,
        "It is a worktree on a branch of its own; refs, remotes and hooks are the user's repository's.",
      ];
    case 'inplace':
      return [
        `Work in ${workspace}`,
        stop,
        "These are the user's own files: there is no other copy of them.",
      ];
  }
}

function sharedContext(context: PromptFacts['context']): string[] {
  if (context === null) return [];
  const title = 'Shared context';
  return Buffer.byteLength(context.text) > CONTEXT_TEXT_BYTES
    ? [section(title, `Read this file first: ${context.file}`)]
    : [section(title, `All workers of the run have this text (${context.file}):`, '', context.text)];
}

function earlierAttempt(earlier: PromptFacts['earlier'], mode: WorkspaceMode): string[] {
  if (earlier === null) return [];
  const { attempt, reason, detail, resultFile, patch } = earlier;
  const why = detail === '' ? reason : `${reason}: ${detail}`;
  const end = reason === 'ok' ? 'ended well, and is asked for again' : `did not end well (${why})`;
  return [
    section(
      'An earlier attempt',
      `Attempt ${attempt} of this unit ${end}.`,
      ...(resultFile === null ? [] : [`What it left as its result: ${resultFile}`]),
      ...(patch === null ? [] : [`What it changed, and what is not in your files: ${patch}`]),
      mode === 'inplace'
        ? 'Look at what is in the files before you build on what it says. Do not repeat what failed.'
        : 'You start afresh. Do not repeat what failed.',
    ),
  ];
}

function verification(verify: string | null): string[] {
  if (verify === null) return [];
  return [
    'After your end this is run where you work, and your work counts only if it ends with 0:',
    '',
    `    ${verify}`,
    '',
  ];
}
