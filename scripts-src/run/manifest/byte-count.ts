/** How a number of bytes is written: `1000000`, `500K`, `64M`, `1G`. */
export const BYTE_COUNT = /^\d{1,12}[KMGkmg]?$/;

/** Bytes of a text such as `64M` (K, M, G are powers of 1024), undefined for anything else. */
export function byteCount(text: string): number | undefined {
  if (!BYTE_COUNT.test(text)) return undefined;
  const factor = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[text.at(-1)?.toUpperCase() ?? ''];
  return factor === undefined ? Number(text) : Number(text.slice(0, -1)) * factor;
}
