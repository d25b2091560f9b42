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

/** Names of variables whose values are secrets, and the shortest value that is taken for one. */
const SECRET_NAME = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?)$/i;
const LEAST_SECRET = 8;

/**
 * Text without the secrets of an environment, whatever their form: a server that refuses a key may print it whole. In
 * place of a value stands the name of its variable.
 */
export function withoutValues(text: string, environment: NodeJS.ProcessEnv): string {
  let masked = text;
  for (const [name, value = ''] of Object.entries(environment)) {
    if (value.length < LEAST_SECRET || !SECRET_NAME.test(name)) continue;
    // As it is, and as it stands in a line of JSON.
    for (const form of new Set([value, JSON.stringify(value).slice(1, -1)])) {
      masked = masked.replaceAll(form, () => `…(${name})`);
    }
  }
  return masked;
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
