import { type PrunError, usageError } from '../platform/errors.ts';
import { placeName } from '../platform/schema-mistakes.ts';
import { MAX_MISTAKES, type PlacedMistake } from '../run/manifest/mistakes.ts';

/** A line for each mistake, `FILE:LINE:COLUMN: PLACE: TEXT`, so many at most. */
export function mistakeLines(file: string, mistakes: readonly PlacedMistake[]): string[] {
  const lines = mistakes.slice(0, MAX_MISTAKES).map(({ path, line, column, text }) => {
    const place = placeName(path);
    return `${file}:${line}:${column}: ${place === '' ? '' : `${place}: `}${text}`.replace(
      /\s*[\r\n]+\s*/g,
      ' ',
    );
  });
  const more = mistakes.length - lines.length;
  return more > 0 ? [...lines, `… and ${more} more`] : lines;
}

/** What a command ends with after it has printed them. */
export function mistakesError(file: string, mistakes: readonly PlacedMistake[]): PrunError {
  const count = mistakes.length === 1 ? 'one mistake' : `${mistakes.length} mistakes`;
  return usageError(`${file} has ${count}`, 'see the lines above; prun schema prints the keys');
}
