import path from 'node:path';
import type { InstallArguments } from './install-arguments.ts';
import { liesIn, realPathOf } from './install-target.ts';

/** The permission rules that let the coordinator work without a question, and where they would stand. */
export interface RuleOffer {
  rules: string[];
  /** Absolute. prun never writes it. */
  settingsFile: string;
}

/** Where the prun folder is. */
interface RulePlace {
  /** As the host names it. */
  folder: string;
  /** What it is, or will be, a link to. */
  linkedTo?: string;
}

/**
 * The rules for the prun folder of a project, or of a home. The host compares them with the text of a command: a relative
 * one fits only in the project's folder, an absolute one where the coordinator takes the folder that the host names.
 * Outside of the project reading the references is asked for, too (measured on Claude Code 2.1.332).
 */
export function ruleOffer({
  scope,
  base,
  folder,
  linkedTo,
}: Pick<InstallArguments, 'scope' | 'base'> & RulePlace): RuleOffer {
  const absolute = slashed(folder);
  const rules = ['Skill(prun)', 'Bash(codex login status)'];
  if (scope === 'project') rules.push(bashRule(slashed(path.relative(base, folder))));
  rules.push(bashRule(absolute));
  // Reads are compared by the real path (measured with a link at home).
  const real = realPathOf(linkedTo ?? folder);
  const isOutside = scope === 'user' || !liesIn(real, realPathOf(base));
  if (isOutside) rules.push(...new Set([readRule(absolute), readRule(slashed(real))]));
  const settings = scope === 'user' ? ['settings.json'] : ['.claude', 'settings.local.json'];
  return { rules, settingsFile: path.join(base, ...settings) };
}

function slashed(folder: string): string {
  return folder.split(path.sep).join('/');
}

/** Two slashes begin an absolute path; one of Windows has none of its own. */
function readRule(absolute: string): string {
  return `Read(/${absolute.startsWith('/') ? '' : '/'}${absolute}/**)`;
}

/** A command with a blank in its path is written in double quotes, and the rule begins as it does (measured). */
function bashRule(folder: string): string {
  return `Bash(node ${/\s/.test(folder) ? '"' : ''}${folder}/scripts/*)`;
}

/** What would stand in the settings, ready to paste. */
export function settingsFragment(rules: readonly string[]): { permissions: { allow: readonly string[] } } {
  return { permissions: { allow: rules } };
}
