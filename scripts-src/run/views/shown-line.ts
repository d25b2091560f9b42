import { withoutEscapes } from '../../executor/readable-line.ts';

const LINE_CHARS = 500;

/** One line of a worker's output as a terminal would leave it: no escapes, no control characters, cut where it is long. */
export function shownLine(line: string): string {
  const text = withoutEscapes(line)
    // A progress bar draws its line again: what comes last stays.
    .replace(/^.*\r(?=[^\r])/s, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  return text.length > LINE_CHARS ? `${text.slice(0, LINE_CHARS)} …(${text.length} characters)` : text;
}
