import type { ExecutorName, WorkspaceMode } from '../records.ts';
import { promptSection, verification } from './prompt-section.ts';
import { type ReturnForm, returnContract } from './return-contract.ts';
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
  /** Whether others work in the same files at the same time. */
  sharesTree?: boolean | undefined;
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
  /** How it gives its result back; left out: as a file. */
  form?: ReturnForm;
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
    promptSection(
      `You are the worker of unit ${facts.unit} in run ${facts.run}`,
      'A coordinator reads your result and integrates it. Other units work at the same time, each on a task of its own.',
    ),
    promptSection('Where you work', ...place(facts)),
    promptSection('Rules', ...workerRules(facts.mode, hasNoFolder(facts)).map((rule) => `- ${rule}`)),
    ...sharedContext(facts.context),
    ...earlierAttempt(facts.earlier, facts.mode),
    promptSection('Your task', facts.prompt),
    promptSection(
      'Your result',
      ...verification(facts.verify),
      returnContract(facts.unit, facts.resultFile, facts.form),
    ),
  ];
  return parts.join('\n');
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
    ...(facts.sharesTree ? [SHARED_TREE] : []),
    ...(baseNote === null ? [] : [`What you start from, and what is missing here, is said in ${baseNote}`]),
    ...(owns.length === 0 ? [] : [`You own: ${owns.join(', ')}. Everything else is only to be read.`]),
    ...(ports === null
      ? []
      : [
          `A server that you start listens on a port from ${ports.first} to ${ports.last} ($PORT is the first).`,
        ]),
  ];
}

const SHARED_TREE =
  'Others may edit them at this moment: read a file again right before you edit it, and leave changes that are not yours.';

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
    ? [promptSection(title, `Read this file first: ${context.file}`)]
    : [promptSection(title, `All workers of the run have this text (${context.file}):`, '', context.text)];
}

function earlierAttempt(earlier: PromptFacts['earlier'], mode: WorkspaceMode): string[] {
  if (earlier === null) return [];
  const { attempt, reason, detail, resultFile, patch } = earlier;
  const why = detail === '' ? reason : `${reason}: ${detail}`;
  const end = reason === 'ok' ? 'ended well, and is asked for again' : `did not end well (${why})`;
  return [
    promptSection(
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
