import { ansiPaint, noPaint, type Paint } from './paint.ts';

const USUAL_COLUMNS = 80;

/**
 * How many cells a line of a terminal has. `own`: what the terminal itself says, undefined or 0 where it does not. COLUMNS
 * of the environment counts where it is smaller, or where nothing else is known.
 */
export function terminalColumns(
  own: number | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): number {
  const wished = /^\d{1,5}$/.test(environment.COLUMNS ?? '') ? Number(environment.COLUMNS) : 0;
  if (!own) return wished || USUAL_COLUMNS;
  return wished > 0 ? Math.min(own, wished) : own;
}

/** Colours for a terminal, none where the environment does not want them (NO_COLOR) or it has none (TERM=dumb). */
export function terminalPaint(environment: Readonly<Record<string, string | undefined>>): Paint {
  return environment.NO_COLOR || environment.TERM === 'dumb' ? noPaint : ansiPaint;
}
