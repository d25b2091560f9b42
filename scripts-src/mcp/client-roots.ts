import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod/mini';

/** The roots of a client: its answer, or what asks for it. */
export type ClientRoots =
  | { kind: 'known'; uris: string[] | undefined }
  /** To be given back to the client, which then calls again. */
  | { kind: 'ask'; result: InputRequiredResult };

/** What a client says of its roots; undefined where it names none. Asks for them when they are not there yet. */
export function clientRoots(server: McpServer, { mcpReq }: ServerContext): ClientRoots {
  const answer = rootsAnswer.safeParse(mcpReq.inputResponses?.roots);
  if (answer.success) return { kind: 'known', uris: answer.data.roots.map(({ uri }) => uri) };
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const named = capabilities.safeParse(envelope[CLIENT_CAPABILITIES_META_KEY]);
  const has = named.success ? named.data : server.server.getClientCapabilities();
  const wasAsked = mcpReq.inputResponses !== undefined;
  if (!has?.roots || wasAsked) return { kind: 'known', uris: undefined };
  return { kind: 'ask', result: inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }) };
}

const rootsAnswer = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/** Where a request itself names what its client can do: the protocol of 2026-07-28. */
const capabilities = z.object({ roots: z.optional(z.unknown()) });
