import { type BytePath, bytePath } from '../../platform/byte-path.ts';

/** Values of refs by name, as their files would hold them: an object id, or `ref: <target>`. */
export type RefValues = Map<BytePath, string>;

/** Bytes of an object id for each hash that a table's header can name; version 1 has no such field. */
const ID_BYTES: Readonly<Record<string, number>> = { sha1: 20, s256: 32 };

/**
 * Refs of a reftable stack (git's Documentation/technical/reftable.txt): later tables win, and a deletion takes a ref
 * out. Throws where a table is none.
 */
export function refsOfTables(tables: readonly Buffer[]): RefValues {
  const refs: RefValues = new Map();
  for (const table of tables) readTable(table, refs);
  return refs;
}

interface Header {
  bytes: number;
  blockSize: number;
  idBytes: number;
}

function readHeader(table: Buffer): Header {
  const version = table[4];
  if (table.toString('latin1', 0, 4) !== 'REFT' || (version !== 1 && version !== 2)) {
    throw new Error('this is no table of refs');
  }
  const hash = version === 1 ? 'sha1' : table.toString('latin1', 24, 28);
  const idBytes = ID_BYTES[hash];
  if (idBytes === undefined) throw new Error(`unknown hash ${hash}`);
  return { bytes: version === 1 ? 24 : 28, blockSize: table.readUIntBE(5, 3), idBytes };
}

/** Blocks of refs come first; the first block shares its place with the header and counts its length from there. */
function readTable(table: Buffer, refs: RefValues): void {
  if (table.length === 0) return;
  const header = readHeader(table);
  const end = endOfRefs(table, header);
  for (let start = 0; start < end; ) {
    const at = start === 0 ? header.bytes : start;
    // 'r'. A table may hold nothing but a log.
    if (table[at] !== 0x72) return;
    const blockEnd = start + table.readUIntBE(at + 1, 3);
    if (blockEnd <= at) throw new Error('a block of refs has no length');
    const restarts = table.readUInt16BE(blockEnd - 2);
    readBlock(table, at + 4, blockEnd - 2 - restarts * 3, header.idBytes, refs);
    start = header.blockSize > 0 ? start + header.blockSize : blockEnd;
  }
}

/** Where the first section behind the refs begins: their index, object ids or the log, else the footer. */
function endOfRefs(table: Buffer, header: Header): number {
  const footer = table.length - header.bytes - 44;
  const field = (index: number) => Number(table.readBigUInt64BE(footer + header.bytes + index * 8));
  const positions = [field(0), Math.floor(field(1) / 32), field(3), footer];
  return Math.min(...positions.filter((position) => position > 0));
}

function readBlock(table: Buffer, from: number, end: number, idBytes: number, refs: RefValues): void {
  let at = from;
  let name = Buffer.alloc(0);
  const varint = () => {
    let byte = table[at++] ?? 0;
    let value = byte & 0x7f;
    while (byte & 0x80) {
      byte = table[at++] ?? 0;
      value = (value + 1) * 128 + (byte & 0x7f);
    }
    return value;
  };
  while (at < end) {
    const kept = varint();
    const packed = varint();
    const suffix = Math.floor(packed / 8);
    name = Buffer.concat([name.subarray(0, kept), table.subarray(at, at + suffix)]);
    at += suffix;
    varint();
    const ref = bytePath(name);
    const type = packed % 8;
    if (type === 0) refs.delete(ref);
    else if (type === 3) {
      const length = varint();
      refs.set(ref, `ref: ${table.toString('latin1', at, at + length)}`);
      at += length;
    } else {
      refs.set(ref, table.toString('hex', at, at + idBytes));
      at += type === 2 ? idBytes * 2 : idBytes;
    }
  }
}
