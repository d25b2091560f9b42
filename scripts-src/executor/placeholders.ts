/** What `{name}` in a word stands for; a name without a value stays as it is. */
export interface PlaceholderValues {
  unit: string | undefined;
  workdir: string | undefined;
  prompt_file: string | undefined;
  result_file: string | undefined;
}

/**
 * Replaces `{prompt_file}`, `{result_file}`, `{unit}` and `{workdir}` wherever they stand in a word. Everything else in
 * braces stays, and so does what a value brings along: a path with `{unit}` in its name is not filled once more.
 */
export function fillPlaceholders(word: string, values: PlaceholderValues): string {
  return word.replace(
    /\{(prompt_file|result_file|unit|workdir)\}/g,
    (whole, name: keyof PlaceholderValues) => values[name] ?? whole,
  );
}
