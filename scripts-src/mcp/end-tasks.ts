import { messageOf } from '../platform/errors.ts';
import type { McpContext } from './mcp-context.ts';

/** A host that stops a server waits 1.4 s and then kills it (FACTS-claude-code.md), ms. */
const LIMIT_MS = 1000;

/**
 * Ends all tasks of this server: their cancel requests are posted before this returns to the event loop. What is not over
 * within a second the runs' supervisors end all the same, and the guardian, which is not sent home then, sees to that.
 */
export async function endTasks(context: McpContext, closing: AbortController): Promise<void> {
  closing.abort();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), LIMIT_MS);
  });
  const ended = await Promise.race([Promise.allSettled(context.calls), late]);
  clearTimeout(timer);
  if (ended === 'late') return;
  try {
    context.record.release();
  } catch (error) {
    // Its folder stays: a guardian that finds nothing to end does no harm.
    context.say(messageOf(error));
  }
}
