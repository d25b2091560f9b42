// From what `script` of util-linux wrote down to asciicast, version 2: a header, then [seconds, 'o', text] a line.
import { StringDecoder } from 'node:string_decoder';

export const COLUMNS = 100;
export const ROWS = 32;

/**
 * The recording as asciicast. `names`: paths of the machine that recorded, and what stands for them.
 * @param {{log: Buffer, timing: string}} recorded @param {[string, string][]} names
 */
export function castOf({ log, timing }, names) {
  const header = { version: 2, width: COLUMNS, height: ROWS, title: 'A fan-out with prun' };
  const decoder = new StringDecoder('utf8');
  // The first line is script's own.
  let at = log.indexOf('\n') + 1;
  let seconds = 0;
  const events = [];
  for (const [, delta, bytes] of timing.matchAll(/^O ([\d.]+) (\d+)$/gm)) {
    seconds += Number(delta);
    const text = decoder.write(log.subarray(at, at + Number(bytes)));
    at += Number(bytes);
    events.push([Number(seconds.toFixed(3)), 'o', renamed(text, names)]);
  }
  return [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join('');
}

function renamed(text, names) {
  return names.reduce((done, [from, to]) => done.replaceAll(from, to), text);
}
