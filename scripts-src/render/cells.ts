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

/** The text in exactly `width` cells; cut in its middle, for names that often differ at their ends alone. */
export function padMiddle(text: string, width: number): string {
  const fitted = fitMiddle(text, width);
  return fitted + ' '.repeat(Math.max(0, width - cellsOf(fitted)));
}

/** The text in at most `width` cells, with `…` in its middle for what was left out. */
export function fitMiddle(text: string, width: number): string {
  if (cellsOf(text) <= width) return text;
  if (width < 4) return fitCells(text, width);
  const head = headOf(text, Math.ceil((width - 1) / 2));
  return `${head}…${endOf(text, width - 1 - cellsOf(head))}`;
}

function endOf(text: string, width: number): string {
  let end = '';
  let used = 0;
  for (const grapheme of graphemes(text).reverse()) {
    used += cellsOfGrapheme(grapheme);
    if (used > width) break;
    end = grapheme + end;
  }
  return end;
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

/**
 * The text in lines of at most `width` cells, broken between words; a longer word is broken inside. All lines but the
 * first begin with `indent`.
 */
export function wrapCells(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  const room = () => Math.max(1, lines.length === 0 ? width : width - cellsOf(indent));
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (cellsOf(longer) <= room()) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (cellsOf(line) > room()) {
      const piece = pieceOf(line, room());
      lines.push(piece);
      line = line.slice(piece.length);
    }
  }
  if (line !== '' || lines.length === 0) lines.push(line);
  return lines.map((one, index) => (index === 0 ? one : indent + one));
}

/** A wide character in a line of one cell goes in whole all the same: dropping it would lose text. */
function pieceOf(word: string, width: number): string {
  return headOf(word, width) || (graphemes(word)[0] ?? word);
}
