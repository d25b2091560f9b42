// Draws an asciicast as one animated SVG: what a terminal would show after each output, one picture below the other in a
// strip that a window moves along. Without animation (printed, or where less motion is wished) the last one is seen.
import xterm from '@xterm/headless';

const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 14;
const BAR = 30;
/** Pictures that come sooner after one another become one, seconds. */
const LEAST_SECONDS = 0.09;
/** Nothing happens for longer than this, seconds. */
const MOST_SECONDS = 1.6;
const END_SECONDS = 5;
const COLOURS = ['#6b7280', '#f07178', '#a6e22e', '#e6c07b', '#61afef', '#c792ea', '#56d4dd', '#d7dae0'];
const TEXT = '#d7dae0';
const GROUND = '#16181d';

/** The SVG of a recording. Pure: the same recording gives the same bytes. @param {string} cast asciicast, version 2 */
export async function drawCast(cast) {
  const [header, ...events] = cast
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const pictures = await picturesOf(header, events);
  return svgOf(header, timed(pictures));
}

/** What the terminal shows over time: [seconds, rows as SVG text]. */
async function picturesOf({ width, height }, events) {
  const terminal = new xterm.Terminal({
    cols: width,
    rows: height,
    allowProposedApi: true,
    convertEol: false,
  });
  const pictures = [];
  for (const [seconds, , text] of events) {
    await new Promise((resolve) => terminal.write(text, resolve));
    const rows = Array.from({ length: height }, (_, row) => rowOf(terminal, row));
    const last = pictures.at(-1);
    if (last && seconds - last.seconds < LEAST_SECONDS) last.rows = rows;
    else if (!last || last.rows.join('\n') !== rows.join('\n')) pictures.push({ seconds, rows });
  }
  terminal.dispose();
  return pictures;
}

/** One row of the screen: its runs of equal style as tspans, empty where there is nothing. */
function rowOf(terminal, row) {
  const buffer = terminal.buffer.active;
  const line = buffer.getLine(buffer.baseY + row);
  const runs = [];
  for (let column = 0; line && column < terminal.cols; column += 1) {
    const cell = line.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const text = cell.getChars() || ' ';
    const last = runs.at(-1);
    if (last?.style === style) last.text += text;
    else runs.push({ style, text, column });
  }
  return runs
    .filter(({ text }) => text.trim() !== '')
    .map(({ style, text, column }) => {
      const shown = text.trim();
      const x = round(PADDING + (column + text.length - text.trimStart().length) * CELL_WIDTH);
      return `<tspan x="${x}"${style}>${escaped(shown)}</tspan>`;
    })
    .join('');
}

function styleOf(cell) {
  const colour = cell.isFgDefault() ? TEXT : (COLOURS[cell.getFgColor() % 8] ?? TEXT);
  const fill = colour === TEXT ? '' : ` fill="${colour}"`;
  return `${fill}${cell.isBold() ? ' font-weight="bold"' : ''}${cell.isDim() ? ' opacity=".6"' : ''}`;
}

function timed(pictures) {
  let start = 0;
  return pictures.map(({ seconds, rows }, n) => {
    const next = pictures[n + 1]?.seconds;
    const shown = next === undefined ? END_SECONDS : Math.min(MOST_SECONDS, next - seconds);
    const from = start;
    start += shown;
    return { rows, from, until: start };
  });
}

function svgOf({ width, height, title }, pictures) {
  const total = pictures.at(-1)?.until ?? 1;
  const [wide, high] = [round(width * CELL_WIDTH + 2 * PADDING), height * LINE_HEIGHT + PADDING];
  const ids = new Map();
  for (const { rows } of pictures) for (const row of rows) if (row && !ids.has(row)) ids.set(row, ids.size);
  const definitions = [...ids].map(([row, id]) => `<text id="r${id}" xml:space="preserve">${row}</text>`);
  const frames = pictures.map(({ rows }, n) => {
    const used = rows.map((row, at) =>
      row ? `<use href="#r${ids.get(row)}" y="${n * high + (at + 1) * LINE_HEIGHT}"/>` : '',
    );
    return used.join('');
  });
  const steps = pictures.map(
    ({ from }, n) => `${percent(from / total)}{transform:translateY(${-n * high}px)}`,
  );
  // An attribute: renderers without style sheets show the last picture, too.
  const end = `translate(0 ${-(pictures.length - 1) * high})`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high + BAR}" width="${wide}" height="${high + BAR}" role="img">
<title>${escaped(title)}</title>
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:${TEXT};white-space:pre}
@media (prefers-reduced-motion:no-preference){#strip{animation:play ${round(total)}s step-end infinite}}
@keyframes play{${steps.join('')}}
</style>
<defs>
${definitions.join('\n')}
<clipPath id="window"><rect width="${wide}" height="${high}"/></clipPath>
</defs>
<rect width="${wide}" height="${high + BAR}" rx="8" fill="${GROUND}"/>
<circle cx="20" cy="15" r="5" fill="#f07178"/><circle cx="38" cy="15" r="5" fill="#e6c07b"/><circle cx="56" cy="15" r="5" fill="#a6e22e"/>
<g transform="translate(0 ${BAR})" clip-path="url(#window)"><g id="strip" transform="${end}">
${frames.join('\n')}
</g></g>
</svg>
`;
}

function percent(share) {
  return `${Math.round(share * 100_000) / 1000}%`;
}

function round(number) {
  return Math.round(number * 100) / 100;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
