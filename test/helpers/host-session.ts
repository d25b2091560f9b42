import type { ContentBlock } from './anthropic-reply.ts';
import type { AnthropicRequest } from './anthropic-server.ts';

/** A tool that the stand-in has the model call. */
export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

/** A call that loads a skill. */
export const skillCall = (skill: string): ToolCall => ({ name: 'Skill', input: { skill } });

/** A shell command. */
export const bashCall = (command: string, more: Record<string, unknown> = {}): ToolCall => ({
  name: 'Bash',
  input: { command, description: 'A command of the test', ...more },
});

/** The first lines of a file. */
export const readCall = (file: string): ToolCall => ({ name: 'Read', input: { file_path: file, limit: 2 } });

/** What a session of the host came to, as the model saw it. */
export interface HostSession {
  /** What the host says at its start. */
  skills: string[];
  slashCommands: string[];
  /** Plugins that do not come with the host, as `name@source`. */
  plugins: string[];
  /** MCP servers by name: their state. */
  servers: Record<string, string>;
  /** Lines of the skill listing that name prun. */
  listing: string[];
  /** All text of the conversation but what tools have said. */
  text: string;
  /** What each called tool has said, in order; `ERROR ` before what the model is told as one. */
  answers: string[];
  /** `<summary>` of each notification about a background command. */
  notifications: string[];
  /** Tools that somebody would have been asked about. */
  asked: string[];
  stderr: string;
}

/** Reads what a session printed (`stream-json`) and what it asked the stand-in. */
export function sessionOf(
  { code, stdout, stderr }: { code: number; stdout: string; stderr: string },
  requests: readonly AnthropicRequest[],
): HostSession {
  if (code !== 0) throw new Error(`claude ended with ${code}: ${stderr}${stdout.slice(-2000)}`);
  const events = stdout.split('\n').filter(Boolean).map(readEvent);
  const start = events.find(({ type, subtype }) => type === 'system' && subtype === 'init') ?? {};
  // Each turn has a result, also the one that a notification begins.
  const denials = events.flatMap(({ permission_denials }) => permission_denials ?? []);
  const last = requests.findLast(({ body }) => body?.tools?.some(({ name }) => name === 'Bash'));
  const blocks = (last?.body?.messages ?? []).flatMap(({ content }) => blocksOf(content));
  const text = blocks.map((block) => block.text ?? '').join('\n');
  return {
    skills: (start.skills ?? []).filter(isOurs),
    slashCommands: (start.slash_commands ?? []).filter(isOurs),
    plugins: (start.plugins ?? [])
      .map(({ source }) => source)
      .filter((source) => !source.endsWith('@builtin')),
    servers: Object.fromEntries((start.mcp_servers ?? []).map(({ name, status }) => [name, status])),
    listing: text.match(/^- (?:\S+:)?prun(?:@\S+)?(?::.*)?$/gm) ?? [],
    text,
    answers: blocks.filter(({ type }) => type === 'tool_result').map(answerOf),
    notifications: [...text.matchAll(/<summary>(.*)<\/summary>/g)].map(([, said]) => said ?? ''),
    asked: [...new Map(denials.map(({ tool_use_id, tool_name }) => [tool_use_id, tool_name])).values()],
    stderr,
  };
}

/** The lines of the host that are looked at, and their fields. */
interface HostEvent {
  type?: string;
  subtype?: string;
  skills?: string[];
  slash_commands?: string[];
  plugins?: { source: string }[];
  mcp_servers?: { name: string; status: string }[];
  permission_denials?: { tool_use_id: string; tool_name: string }[];
}

function readEvent(line: string): HostEvent {
  return JSON.parse(line);
}

const isOurs = (name: string): boolean => name.includes('prun');

function blocksOf(content: string | ContentBlock[] | undefined): ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
}

function answerOf({ content, is_error }: ContentBlock): string {
  const said = blocksOf(content)
    .map(({ text = '' }) => text)
    .join('\n');
  return is_error ? `ERROR ${said}` : said;
}
