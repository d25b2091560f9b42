import { Transform } from 'node:stream';

/** The library's own limit is 10 MiB, and a line beyond it ends the connection, with all tasks that run. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** Where the id of a request is looked for in a message that is not read, bytes from its start and from its end. */
const LOOK_BYTES = 1024;
const NEWLINE = 10;

/** The id of a request, as it stands in the message: at its start or, as the official clients write it, at its end. */
const ID_AT_START = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]{1,200}")\s*,/;
const ID_AT_END = /,\s*"id"\s*:\s*(\d+|"[^"\\]{1,200}")\s*\}\s*$/;

/**
 * Passes on the messages of a client, whole lines, and leaves out those that are longer than MAX_MESSAGE_BYTES. `onTooLong`
 * hears of each of those with the id of its request; undefined where none can be told.
 */
export function messageLines(onTooLong: (id: number | string | undefined) => void): Transform {
  let kept: Buffer[] = [];
  let bytes = 0;
  /** Start and end of a line that is left out. */
  let skipped: { start: string; end: Buffer } | undefined;

  function take(part: Buffer): void {
    bytes += part.length;
    if (skipped) {
      skipped.end = endOf(Buffer.concat([skipped.end, part]));
      return;
    }
    kept.push(part);
    if (bytes <= MAX_MESSAGE_BYTES) return;
    const all = Buffer.concat(kept);
    skipped = { start: all.toString('latin1', 0, LOOK_BYTES), end: endOf(all) };
    kept = [];
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, end + 1));
        if (skipped) onTooLong(idIn(skipped.start, skipped.end.toString('latin1')));
        else this.push(Buffer.concat(kept));
        [kept, bytes, skipped] = [[], 0, undefined];
        from = end + 1;
      }
      if (from < chunk.length) take(chunk.subarray(from));
      done();
    },
  });
}

function endOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(-LOOK_BYTES));
}

function idIn(start: string, end: string): number | string | undefined {
  const found = (ID_AT_START.exec(start) ?? ID_AT_END.exec(end))?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as number | string);
}
