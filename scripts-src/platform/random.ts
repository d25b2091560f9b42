import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Random hex digits for unique names. Reads the kernel's source directly where there is one: loading Node's
 * crypto module costs about 7 ms, a seventh of a hot script's start.
 */
export function randomHex(digits: number): string {
  const bytes = Buffer.alloc(Math.ceil(digits / 2));
  try {
    const fd = openSync('/dev/urandom', 'r');
    try {
      readSync(fd, bytes);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Windows, or a sandbox without devices. Math.random is seeded by the system; names are claimed exclusively.
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(Math.random() * 256);
  }
  return bytes.toString('hex').slice(0, digits);
}

/** FNV-1a over UTF-8 as 8 hex digits: a short stable name for a path, no more. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
