/** A word of a `Files:` field that may be a path. */
export interface PathWord {
  /** Relative, with `/`, without line numbers and quotes around it. May be a folder (`src/api/`) or a glob. */
  text: string;
  /** It is surely meant as a path of a file that was changed: only such a one can be missing. */
  isSure: boolean;
  /** Said to be gone again: deleted, temporary, reverted. */
  isGone: boolean;
}

/** Product names that look like files. */
const PRODUCTS =
  /^(?:node|next|nuxt|vue|react|angular|express|three|d3|chart|moment|day|nest|ember|backbone|alpine|solid|bun|deno|require|socket|discord|p5|web|asp|ml)\.(?:js|ts|io|net)$/i;

/** Endings by which a word without a folder is a file's name. */
const ENDINGS = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs json jsonc json5 md mdx rst txt py pyi ipynb rb rs go java kt kts scala swift c h ' +
    'cc cpp cxx hh hpp hxx m mm cs fs fsx vb php pl pm lua r jl ex exs erl hs ml mli clj cljs dart zig nim sh bash zsh ' +
    'fish ps1 bat cmd html htm css scss sass less svg xml yml yaml toml ini cfg conf lock sql graphql gql proto prisma ' +
    'vue svelte astro tf tfvars hcl nix gradle cmake mk csv tsv png jpg jpeg gif webp ico pdf snap patch diff tmpl ' +
    'hbs ejs pug njk env'
  ).split(' '),
);

const WEB_HOST = /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|ai|co|edu|gov)(?:\/|$)/i;

/** The word as a path of the clone, or undefined where it is none. */
export function pathWord(raw: string, isQuoted: boolean): PathWord | undefined {
  const link = /^\[([^\]]*)\]$/.exec(raw)?.[1];
  const word = (link ?? raw).trim();
  // An absolute path that is not in the clone, a home folder, an option, a URL, a place outside.
  if (
    /^(?:\/|~|[A-Za-z]:[\\/]|\\\\|-|\.\.(?:[\\/]|$)|\$|@)/.test(word) ||
    /:\/\/|^(?:mailto|www\.)/.test(word)
  ) {
    return undefined;
  }
  const text = trimmed(word);
  if (text === '' || text === '.' || !/[\p{L}\p{N}]/u.test(text)) return undefined;
  const isSure = isSurePath(text, isQuoted);
  return { text, isSure, isGone: false };
}

function trimmed(word: string): string {
  return word
    .replace(/^[*_<[({'"‘“]+(?=\S)/, (start) => (/^[*_]+$/.test(start) && !/[*_]$/.test(word) ? start : ''))
    .replace(/(?:#L?\d[\w-]*|#.*|::.*|:\d+(?:[-–:,]\d+)*:?)$/, '')
    .replace(/[:.,;!?'"’”>\])]+$/, (end, at: number, whole: string) => keptEnd(end, whole.slice(0, at)))
    .replace(/\*\*$/, (stars, at: number, whole: string) => (whole[at - 1] === '/' ? stars : ''))
    .replace(/\\/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/{2,}/g, '/');
}

/** Brackets belong to the path where they were opened in it: `pages/[id]`. */
function keptEnd(end: string, before: string): string {
  if (end.startsWith(']') && before.includes('[')) return ']';
  return end.startsWith(')') && before.includes('(') ? ')' : '';
}

function isSurePath(text: string, isQuoted: boolean): boolean {
  if (/[\s<>$:|=%@…]|\.\.\./.test(text) || WEB_HOST.test(text)) return false;
  const names = text.split('/').filter(Boolean);
  const last = names.at(-1) ?? '';
  const ending = /[^.]\.([A-Za-z][A-Za-z0-9]{0,9})$/.exec(last)?.[1]?.toLowerCase();
  const isFolder = text.endsWith('/');
  if (names.length > 1) {
    if (!names.some((name) => /[\p{L}]/u.test(name))) return false;
    // `src/a.ts/b.ts` is two files in one word.
    if (!isFolder && names.slice(0, -1).some((name) => ENDINGS.has(/[^.]\.(\w+)$/.exec(name)?.[1] ?? '')))
      return false;
    if (ending !== undefined) return !/^v?\d/.test(last) || ENDINGS.has(ending);
    return isFolder || (isQuoted && names.length > 2);
  }
  if (isFolder) return isQuoted;
  if (ending === undefined || !ENDINGS.has(ending)) return false;
  // `items.map` and `process.env` are code, `Node.js` is a product.
  return !PRODUCTS.test(last) && !(ending === 'env' && !isQuoted);
}
