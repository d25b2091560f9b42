/** Bounds of what an outcome keeps of a failure. */
const EVIDENCE_LINES = 5;
const EVIDENCE_CHARS = 500;
const MESSAGE_CHARS = 2000;

/** Longer input is cut before it is searched. */
const LOOK_AT = 16_384;

/**
 * Keys and tokens by the forms that their makers give them, and values behind a name that says what they are. A server
 * that refuses a key likes to print it.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(sk|pk|rk|xai|gsk|ghp|gho|ghu|ghs|ghr|glpat|npm)([-_])[\w*.-]{6,}/g, '$1$2…'],
  [/\bgithub_pat_\w{6,}/g, 'github_pat_…'],
  [/\b(AIza|AKIA|ASIA)[\w-]{8,}/g, '$1…'],
  [/\beyJ[\w-]{8,}(?:\.[\w-]+){0,2}/g, 'eyJ…'],
  [/\b(Bearer|Basic)\s+[\w.~+/*-]{8,}=*/g, '$1 …'],
  [
    /\b((?:\w+_)?(?:API_?KEY|ACCESS_?KEY|TOKEN|SECRET|PASSWORD))(\\?["']?\s*[=:]\s*\\?["']?)[^\s"'\\,;]{4,}/gi,
    '$1$2…',
  ],
];

/** Text with the keys and tokens in it made unreadable; all else stays as it is. */
export function withoutSecrets(text: string): string {
  return SECRETS.reduce((masked, [pattern, instead]) => masked.replace(pattern, instead), text);
}

/** The last of the lines that told of a failure, as they came but for secrets: at most 5 of at most 500 characters. */
export function evidenceOf(lines: readonly string[]): string[] {
  return lines.slice(-EVIDENCE_LINES).map((line) => bounded(line, EVIDENCE_CHARS));
}

/** What a failure says, for people, without secrets, at most 2,000 characters. */
export function failureMessage(text: string): string {
  return bounded(text, MESSAGE_CHARS);
}

function bounded(text: string, max: number): string {
  const masked = withoutSecrets(text.slice(0, LOOK_AT));
  // A high surrogate at the cut is half of a character.
  return masked.length <= max ? masked : masked.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
