/** What `{name}` in a word stands for. */
export interface PlaceholderValues {
  unit: string;
  workdir: string;
  prompt_file: string;
  result_file: string;
}

/**
 * Replaces `{prompt_file}`, `{result_file}`, `{unit}` and `{workdir}` wherever they stand in a word. Everything else in
 * braces stays, and so does what a value brings along: a path with `{unit}` in its name is not filled once more.
 */
export function fillPlaceholders(word: string, values: PlaceholderValues): string {
  return word.replace(
    /\{(prompt_file|result_file|unit|workdir)\}/g,
    (_, name: keyof PlaceholderValues) => values[name],
  );
}
