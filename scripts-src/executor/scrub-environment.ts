/**
 * Names that a worker must not see: the host session's keys and settings (FACTS-claude-code.md, Environment of
 * the Bash child), and prun's own settings, which would steer a prun that the worker might call.
 */
const HIDDEN = /^(?:CLAUDE|ANTHROPIC|AI_AGENT$|PRUN_|CODEX_DISPATCH_)/i;

/** The value of a variable. Windows does not tell upper from lower case in names, so neither does this. */
export function readVariable(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  if (environment[name] !== undefined) return environment[name];
  const wanted = name.toUpperCase();
  const key = Object.keys(environment).find((candidate) => candidate.toUpperCase() === wanted);
  return key === undefined ? undefined : environment[key];
}

/**
 * A copy of an environment without the host's and prun's own variables, whatever the case of their names.
 * `passEnv` names what goes through all the same; `set` is put in last and replaces every spelling of its names.
 */
export function scrubEnvironment(
  environment: NodeJS.ProcessEnv,
  passEnv: readonly string[],
  set: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed = new Set(passEnv.map((name) => name.toUpperCase()));
  const replaced = new Set(Object.keys(set).map((name) => name.toUpperCase()));
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    if (value === undefined || replaced.has(upper)) continue;
    if (HIDDEN.test(name) && !passed.has(upper)) continue;
    result[name] = value;
  }
  return Object.assign(result, set);
}
