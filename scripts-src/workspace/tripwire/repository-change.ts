/** A difference of the user's repository between two looks. Names and values are one line each. */
export interface RepositoryChange {
  what: 'ref' | 'HEAD' | 'config' | 'hook' | 'worktree';
  name: string;
  change: 'added' | 'removed' | 'changed';
  /** The value before and after; left out for config, which may hold secrets, and for hooks. */
  before?: string;
  after?: string;
}

/** A difference in one line: `ref refs/heads/main changed (1a2b… to 3c4d…)`. */
export function changeLine({ what, name, change, before, after }: RepositoryChange): string {
  const subject = what === name ? name : `${what} ${name}`;
  const [from, to] = [shortened(before), shortened(after)];
  if (from && to) return `${subject} ${change} (${from} to ${to})`;
  if (from) return `${subject} ${change} (was ${from})`;
  return to ? `${subject} ${change} (${to})` : `${subject} ${change}`;
}

/** Object ids are long, and the record has them whole. */
function shortened(value: string | undefined): string | undefined {
  return value?.replace(/^([0-9a-f]{12})[0-9a-f]{20,}$/, '$1');
}
