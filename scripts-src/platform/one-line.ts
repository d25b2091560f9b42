/** A text of others as one line: line breaks, control characters and runs of blanks become a blank each. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
