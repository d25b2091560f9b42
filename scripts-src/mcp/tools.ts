import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import { clientRoots } from './client-roots.ts';
import type { McpContext, ToolCall } from './mcp-context.ts';
import { answered } from './tool-answer.ts';
import { debugTask, implementTask, resumeSession } from './tool-calls.ts';
import { debugInput, implementInput, resumeInput, taskOutput } from './tool-schemas.ts';
import { workspaceRootOf } from './workspace-root.ts';

const IMPLEMENT = `Have a Codex worker do one task in a workspace, and wait for it. The worker sees the prompt only: say what to do, what to leave alone and how to check it. Calls in one message run at the same time; tasks that may touch the same files belong in isolation "clone". It never commits.`;
const RESUME = `Go on with the session of an earlier task: an answer to its question, a remark on its work, the next step, or a task that was cancelled or timed out. Same folder and sandbox as before, also after a restart of this server.`;
const DEBUG = `Have a Codex worker find the cause of a fault. Its sandbox is read-only: it reads, runs what writes nothing, and changes no file.`;

const WRITES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
const READS = { readOnlyHint: true, idempotentHint: false, openWorldHint: true };

type Answer = CallToolResult | InputRequiredResult;

/** Registers the tools of prun at a server. */
export function registerTools(server: McpServer, context: McpContext): void {
  const outputSchema = taskOutput;
  server.registerTool(
    'codex_implement',
    { description: IMPLEMENT, inputSchema: implementInput, outputSchema, annotations: WRITES },
    (input, request) =>
      inRoot(server, request, input.workspaceRoot, (root) =>
        answered(context, callOf(context, request), (call) => implementTask(context, call, root(), input)),
      ),
  );
  server.registerTool(
    'codex_debug',
    { description: DEBUG, inputSchema: debugInput, outputSchema, annotations: READS },
    (input, request) =>
      inRoot(server, request, input.workspaceRoot, (root) =>
        answered(context, callOf(context, request), (call) => debugTask(context, call, root(), input)),
      ),
  );
  server.registerTool(
    'codex_resume',
    { description: RESUME, inputSchema: resumeInput, outputSchema, annotations: WRITES },
    (input, request) =>
      answered(context, callOf(context, request), (call) => resumeSession(context, call, input)),
  );
}

/** Works in the folder that the call names, else in the client's root, which may have to be asked for first. */
async function inRoot(
  server: McpServer,
  request: ServerContext,
  given: string | undefined,
  work: (root: () => string) => Promise<Answer>,
): Promise<Answer> {
  if (given !== undefined) return work(() => workspaceRootOf(given, undefined));
  const roots = clientRoots(server, request);
  return roots.kind === 'ask' ? roots.result : work(() => workspaceRootOf(undefined, roots.uris));
}

/** What the call of a tool has of its request: when it is over, and whom to tell of progress. */
function callOf({ closing, say }: McpContext, { mcpReq }: ServerContext): ToolCall {
  const progressToken = mcpReq._meta?.progressToken;
  const signal = AbortSignal.any([mcpReq.signal, closing]);
  if (progressToken === undefined) return { signal, progress: undefined };
  return {
    signal,
    progress(progress, message) {
      if (signal.aborted) return;
      const params = { progressToken, progress, message };
      // The client may have gone: then the call is over in a moment.
      mcpReq.notify({ method: 'notifications/progress', params }).catch((error) => say(String(error)));
    },
  };
}
