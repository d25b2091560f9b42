import { readVariable, scrubEnvironment } from './scrub-environment.ts';
import type { CommandRequest } from './types.ts';

/**
 * Variables of the scrubbed kinds that a claude worker needs to sign in, to find its account and to reach its server:
 * nothing else of the host session's reaches it (names: Claude Code 2.1.332). Proxies and the clouds' own variables
 * (`HTTPS_PROXY`, `AWS_…`, `GOOGLE_…`) are never scrubbed.
 */
export const SIGN_IN: readonly string[] = [
  // Keys and tokens, and what goes with them.
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_REFRESH_TOKEN',
  'CLAUDE_CODE_OAUTH_SCOPES',
  'CLAUDE_CODE_API_KEY_HELPER_TTL_MS',
  'ANTHROPIC_CUSTOM_HEADERS',
  // Where the login lies.
  'CLAUDE_CONFIG_DIR',
  'CLAUDE_SECURESTORAGE_CONFIG_DIR',
  'ANTHROPIC_CONFIG_DIR',
  'ANTHROPIC_PROFILE',
  'ANTHROPIC_ORGANIZATION_ID',
  'ANTHROPIC_WORKSPACE_ID',
  'ANTHROPIC_FEDERATION_RULE_ID',
  'ANTHROPIC_SERVICE_ACCOUNT_ID',
  'ANTHROPIC_IDENTITY_TOKEN',
  'ANTHROPIC_IDENTITY_TOKEN_FILE',
  'ANTHROPIC_SCOPE',
  // The way to the server.
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_UNIX_SOCKET',
  'CLAUDE_CODE_CLIENT_CERT',
  'CLAUDE_CODE_CLIENT_KEY',
  'CLAUDE_CODE_CLIENT_KEY_PASSPHRASE',
  'CLAUDE_CODE_CERT_STORE',
  'CLAUDE_CODE_PROXY_RESOLVES_HOSTS',
  'CLAUDE_CODE_HTTP_PROXY',
  'CLAUDE_CODE_HTTPS_PROXY',
  'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
  // Other clouds.
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_SKIP_BEDROCK_AUTH',
  'ANTHROPIC_BEDROCK_BASE_URL',
  'ANTHROPIC_BEDROCK_REGION_PREFIX',
  'ANTHROPIC_BEDROCK_SERVICE_TIER',
  'CLAUDE_CODE_USE_MANTLE',
  'CLAUDE_CODE_SKIP_MANTLE_AUTH',
  'ANTHROPIC_BEDROCK_MANTLE_BASE_URL',
  'CLAUDE_CODE_SKIP_ANTHROPIC_AWS_AUTH',
  'ANTHROPIC_AWS_API_KEY',
  'ANTHROPIC_AWS_BASE_URL',
  'ANTHROPIC_AWS_WORKSPACE_ID',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_SKIP_VERTEX_AUTH',
  'ANTHROPIC_VERTEX_PROJECT_ID',
  'ANTHROPIC_VERTEX_BASE_URL',
  'CLAUDE_CODE_SKIP_ANTHROPIC_GOOGLE_CLOUD_AUTH',
  'ANTHROPIC_GOOGLE_CLOUD_PROJECT',
  'ANTHROPIC_GOOGLE_CLOUD_LOCATION',
  'ANTHROPIC_GOOGLE_CLOUD_BASE_URL',
  'ANTHROPIC_GOOGLE_CLOUD_WORKSPACE_ID',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_SKIP_FOUNDRY_AUTH',
  'ANTHROPIC_FOUNDRY_API_KEY',
  'ANTHROPIC_FOUNDRY_AUTH_TOKEN',
  'ANTHROPIC_FOUNDRY_BASE_URL',
  'ANTHROPIC_FOUNDRY_RESOURCE',
  // What `sonnet` means there: the clouds' names of models differ.
  'ANTHROPIC_DEFAULT_SONNET_MODEL',
  'ANTHROPIC_DEFAULT_OPUS_MODEL',
  'ANTHROPIC_DEFAULT_HAIKU_MODEL',
  'ANTHROPIC_DEFAULT_FABLE_MODEL',
  'ANTHROPIC_SMALL_FAST_MODEL',
  'ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION',
  // Windows: without it claude does not find its shell.
  'CLAUDE_CODE_GIT_BASH_PATH',
];

/** Of these the account depends: whose key it is, where the login lies, and which server is asked. */
const ACCOUNT: readonly string[] = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'ANTHROPIC_PROFILE',
  'ANTHROPIC_BASE_URL',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_MANTLE',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
  'AWS_PROFILE',
  'ANTHROPIC_VERTEX_PROJECT_ID',
  'ANTHROPIC_FOUNDRY_RESOURCE',
];

/** The environment of a claude worker: the caller's without the host session's, and with what it needs to sign in. */
export function claudeEnvironment(request: CommandRequest): Record<string, string> {
  return scrubEnvironment(request.environment, [...SIGN_IN, ...request.passEnv], {
    ...request.told,
    PRUN_UNIT: request.marker,
  });
}

/** Values that tell one account of claude from another, in a fixed order. They hold secrets: only for a hash. */
export function accountValues(environment: NodeJS.ProcessEnv): string[] {
  return ACCOUNT.map((name) => readVariable(environment, name) ?? '');
}
