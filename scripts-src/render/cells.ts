/** Characters that take two cells of a terminal: East Asian wide and full-width ones (UAX #11), and pictures. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})/u;
/** Characters that take none by themselves. */
const NO_CELLS = /^[\p{M}\p{Cc}\p{Cf}]*$/u;
const ASCII = /^[\x20-\x7e]*$/;

let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

function cellsOfGrapheme(grapheme: string): number {
  if (NO_CELLS.test(grapheme)) return 0;
  // U+FE0F asks for the picture form of what stands before it.
  return WIDE.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1;
}

/** How many cells of a terminal a text takes. Text with escape sequences has no width: colour comes afterwards. */
export function cellsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + cellsOfGrapheme(grapheme), 0);
}

/** The text in at most `width` cells, with `…` for what was left out. */
export function fitCells(text: string, width: number): string {
  if (cellsOf(text) <= width) return text;
  return width < 1 ? '' : `${headOf(text, width - 1).trimEnd()}…`;
}

/** The text in exactly `width` cells: cut, or filled up with spaces. */
export function padCells(text: string, width: number): string {
  const fitted = fitCells(text, width);
  return fitted + ' '.repeat(Math.max(0, width - cellsOf(fitted)));
}

function headOf(text: string, width: number): string {
  let head = '';
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += cellsOfGrapheme(grapheme);
    if (used > width) break;
    head += grapheme;
  }
  return head;
}

/** The text in lines of at most `width` cells, broken between words; a longer word is broken inside. */
export function wrapCells(text: string, width: number): string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (cellsOf(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = piecesOf(word, room);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = [];
  let rest = word;
  while (cellsOf(rest) > width) {
    // A wide character in a line of one cell goes in whole all the same: dropping it would lose text.
    const piece = headOf(rest, width) || (graphemes(rest)[0] ?? rest);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}
