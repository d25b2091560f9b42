import type { CallToolResult } from '@modelcontextprotocol/server';
import { lineOf, PrunError, plainError } from '../platform/errors.ts';
import type { McpContext, ToolCall } from './mcp-context.ts';
import { answerText } from './task-answer.ts';
import type { TaskOutput } from './tool-schemas.ts';

/** Ends that a caller must do something about before any task can work. */
const HOPELESS = ['spawn', 'login', 'auth', 'bad-flags'];

/**
 * The result of a tool's call: of a task that has ended, or the error that says why none was started. A fault of prun itself
 * is told the client as well, and its stack goes to stderr.
 */
export async function answered(
  context: McpContext,
  call: ToolCall,
  work: (call: ToolCall) => Promise<TaskOutput>,
): Promise<CallToolResult> {
  const working = begun(() => {
    // What is started now would not be seen by those who end all tasks.
    if (context.closing.aborted) throw new PrunError('E_CLOSING', 'the server ends', 'start it again');
    return work(call);
  });
  context.calls.add(working);
  try {
    const output = await working;
    const content = [{ type: 'text' as const, text: answerText(output) }];
    const isError = output.status === 'FAILED' && HOPELESS.includes(output.reason);
    return { content, structuredContent: output, ...(isError ? { isError } : {}) };
  } catch (thrown) {
    const error = plainError(thrown);
    if (!error) context.say(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    const text = error
      ? lineOf(error)
      : `this is a fault of prun: ${String(thrown)}: see the server's stderr`;
    return { content: [{ type: 'text', text }], isError: true };
  } finally {
    context.calls.delete(working);
  }
}

/** Also what is thrown before the first wait is a rejection. */
async function begun<T>(work: () => Promise<T>): Promise<T> {
  return work();
}
