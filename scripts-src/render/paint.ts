/** What a piece of output is, for colour. Meaning never hangs on colour alone: the words say it too. */
export type Tone = 'plain' | 'strong' | 'faint' | 'good' | 'bad' | 'warn' | 'busy';

/** Puts a tone on a finished piece of text; the text's width in cells does not change. */
export type Paint = (tone: Tone, text: string) => string;

const CODES: Record<Exclude<Tone, 'plain'>, number> = {
  strong: 1,
  faint: 2,
  good: 32,
  bad: 31,
  warn: 33,
  busy: 36,
};

/** No colours: for files, pipes and NO_COLOR. */
export const noPaint: Paint = (_, text) => text;

/** The terminal's own eight colours, so that every theme stays readable. */
export const ansiPaint: Paint = (tone, text) =>
  tone === 'plain' || text === '' ? text : `\x1b[${CODES[tone]}m${text}\x1b[0m`;
