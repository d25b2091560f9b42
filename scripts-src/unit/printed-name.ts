/**
 * A path or name as it stands in a line of output. One with a control character (a newline would break the line
 * format) or a leading quote is printed as a JSON string; all others as they are, spaces included. An absolute path
 * never begins with a quote, so a reader can tell the two apart.
 */
export function printedName(name: string): string {
  return /^"|[\u0000-\u001f\u007f\u0085\u2028\u2029]/.test(name)
    ? JSON.stringify(name).replace(/[\u007f\u0085\u2028\u2029]/g, escapeCode)
    : name;
}

function escapeCode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
