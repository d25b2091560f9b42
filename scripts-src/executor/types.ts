/** What a worker's event means to prun, whatever its executor calls it. */
export type WorkerEventKind =
  | 'session'
  | 'turn'
  | 'message'
  | 'reasoning'
  | 'command-started'
  | 'command-ended'
  | 'file-change'
  | 'tool-call'
  | 'usage'
  | 'retry'
  | 'error'
  | 'end'
  | 'other';

/** One line of a worker's event stream, understood. */
export interface WorkerEvent {
  kind: WorkerEventKind;
  /** True when work moved forward; a retry notice or a non-fatal error is output, not progress. */
  progress: boolean;
  /** One short readable line for people, without control characters; undefined when there is nothing to show. */
  text?: string;
  /** Files that the worker says it has changed, for `file-change`; at most 100. */
  files?: readonly string[];
}

/** Token counts as the executor reports them for the whole thread. */
export interface TokenUse {
  input: number;
  cachedInput: number;
  output: number;
  reasoningOutput: number;
}

/** Kinds of workers that prun starts itself. */
export type ExecutorKind = 'codex' | 'claude' | 'omp' | 'command';

/** Why an account, a server, a model or the program itself ended the work. executor/failure-kinds.ts says what follows. */
export type FailureReason =
  /** The plan's allowance is used up; it comes back at a known time. */
  | 'usage-limit'
  /** Nothing is left to pay with. */
  | 'quota'
  /** Too many requests at once. */
  | 'rate-limit'
  /** The server refuses the credentials. */
  | 'auth'
  /** Nobody is logged in. */
  | 'login'
  /** The server or the model has too much to do. */
  | 'overloaded'
  /** No way to the server. */
  | 'network'
  /** The answer broke off. */
  | 'stream-cut'
  /** The conversation is longer than the model takes. */
  | 'context'
  /** The server refuses the request as it is. */
  | 'bad-request'
  /** The account has no such model. */
  | 'model-gone'
  /** The worker ended well and said nothing. */
  | 'empty-answer'
  /** What it wanted to do was refused by its sandbox or its rules. */
  | 'sandbox-refusal'
  /** The program itself broke. */
  | 'panic'
  /** The program does not know a flag that it was given. */
  | 'bad-flags'
  /** The session that was to go on is in use. */
  | 'session-live'
  /** The session that was to go on is not there any more, or another one began. */
  | 'session-lost'
  /** The validation of a run did not pass; the message begins with its status. */
  | 'validation'
  | 'model-error';

/** A failure that the worker or its program reported. */
export interface WorkerFailure {
  reason: FailureReason;
  /** What was said, for people, bounded. */
  message: string;
  /** The lines that it was told by, as they came, bounded: at most 5 of at most 500 characters. */
  evidence?: readonly string[];
  /** When the account can be used again, ISO 8601, where that was said. */
  resetAt?: string;
  /** Seconds to wait before another try, where the server said so. */
  retryAfterSeconds?: number;
}

/** Wishes that only some executors know; what an executor does not know is refused where it is asked for. */
export interface WorkerOptions {
  /** The program, for claude and omp (codex has `codexBin`). */
  bin?: string | undefined;
  /** codex: further `-c key=value`. */
  config?: readonly string[] | undefined;
  /** codex: images to begin with (absolute). */
  images?: readonly string[] | undefined;
  /** A JSON schema that the last message must satisfy (absolute). */
  outputSchema?: string | undefined;
  /** The same as text, for a program that takes no file. */
  outputSchemaText?: string | undefined;
  /** The last message is prun's own structured result (unit/structured-result.ts). */
  structured?: boolean | undefined;
  /** codex, claude: nothing is kept of the session; it cannot be resumed. */
  ephemeral?: boolean | undefined;
  /** codex: the store of pnpm (absolute), granted to its sandbox. */
  pnpmStore?: string | undefined;
  /** claude: its permission mode. */
  permissionMode?: string | undefined;
  /** Tokens after which the unit is ended, in and out together. */
  tokenLimit?: number | undefined;
}

/** What is known of the flags of an executor's program. */
export interface ProgramProbe {
  /** As it says itself, such as `0.171.0`. */
  version: string;
  /** Its flags, long and short, with their dashes. */
  flags: readonly string[];
  /** Those of the command that lets a session go on; null where it has none. */
  resumeFlags: readonly string[] | null;
}

/** All that a finished or running stream of events says. */
export interface WorkerFacts {
  /** True once a line was recognised as an event of this executor; a worker that prints plain text never sets it. */
  structured: boolean;
  sessionId?: string;
  /** The last message of the worker: its answer, when the stream ended well. */
  lastMessage?: string;
  tokens?: TokenUse;
  /** `completed` or `failed` when the stream said so; undefined when it just stopped. */
  ended?: 'completed' | 'failed';
  /** Set when a terminal error was reported, or the last error line before a silent end. */
  failure?: WorkerFailure;
  /** What its sandbox or its rules have refused, in its own words; at most 5 lines. It may have found another way. */
  refusals?: readonly string[];
  /** Commands that were started and have not ended. */
  openCommands: number;
}

/**
 * Reads a worker's stdout line by line (without the newline). Never throws: unknown, torn, repeated-key and
 * oversized lines are tolerated.
 */
export interface EventReader {
  /** The event of this line, or undefined for text that is no event (plain output). */
  read(line: string): WorkerEvent | undefined;
  facts(): WorkerFacts;
}

/** What is asked of an executor to build one worker's command line. */
export interface CommandRequest {
  /** Absolute path of the program. */
  binary: string;
  /** Value for PRUN_UNIT. */
  marker: string;
  /** Where the worker's last message is to be written (absolute), in the state dir. */
  lastMessageFile: string;
  /** Absolute; used for the sandbox grant when the sandbox is workspace-write. */
  resultFile: string;
  sandbox: 'read-only' | 'workspace-write' | 'danger-full-access';
  /** Network access of commands in a workspace-write sandbox; undefined: the executor's default. */
  network?: boolean;
  /** undefined: leave it to the user's config. */
  reasoningEffort?: string;
  model?: string;
  /** True: the user's config, MCP servers and profiles are left out. */
  isolate: boolean;
  /** The environment of the caller, untouched. */
  environment: NodeJS.ProcessEnv;
  /** Names that are passed on although the scrub would remove them. */
  passEnv: string[];
  /** What prun itself tells the worker (ports, its workspace); replaces variables of those names. */
  told?: Readonly<Record<string, string>>;
  /** Words after the program, with placeholders, for an executor that takes any argv. */
  args?: readonly string[];
  /** The session that goes on; undefined for a new one. */
  resume?: string | undefined;
  options?: WorkerOptions | undefined;
  /** undefined: the program is taken for the tested version. */
  probe?: ProgramProbe | undefined;
  /** The unit's name, the folder that the worker works in and the file with its prompt: what placeholders stand for. */
  unit: string;
  workdir: string;
  promptFile: string;
}

/** A worker's command line and environment, ready to start. */
export interface WorkerCommand {
  /** The program is the first word. */
  argv: string[];
  environment: Record<string, string>;
  /**
   * `own`: stderr gets a file of its own. Where it carries a trace all else is moved into the tail while the worker runs;
   * where stdout is the answer it follows in the tail at the end. `tail`: shares the tail.
   */
  stderr: 'own' | 'tail';
  /** What it reads on stdin: the prompt (where this is left out), or nothing, where it has the prompt by another way. */
  stdin?: 'prompt' | 'nothing';
}

/** How one line of an executor's stderr is treated when it has a file of its own. */
export type StderrLine = 'trace-progress' | 'trace-noise' | 'text';

/** A kind of worker. One file each in this folder. */
export interface Executor {
  readonly name: ExecutorKind;
  /** The program by default, and the caller's variable that names another; null where the unit brings its own argv. */
  readonly program: { name: string; variable: string } | null;
  /** Variables that are hidden from other workers (scrub-environment.ts) and that this one reads all the same. */
  readonly needs?: readonly string[];
  /** Whether a session of it can go on in a further attempt (`CommandRequest.resume`). */
  readonly canResume: boolean;
  /**
   * True where stdout is the worker's answer: it becomes the result of a unit that wrote none and ended well, and stderr
   * is kept apart from it.
   */
  readonly answersOnStdout: boolean;
  command(request: CommandRequest): WorkerCommand;
  /**
   * A new reader for one attempt's stdout. `saidAt`: epoch ms of about the moment when the line was printed that is being
   * read, for clock times in it; the present moment by default.
   */
  events(saidAt?: () => number): EventReader;
  classifyStderr(line: string): StderrLine;
  /**
   * True when the failing or repeating line of plain output is a retry notice and therefore no progress
   * (PEERS.md scenario 9).
   */
  isRetryNotice(line: string): boolean;
  /** Existing file that grows with the session (absolute), or undefined when it cannot be found (yet). */
  sessionLog(sessionId: string, environment: NodeJS.ProcessEnv, startedAtEpochMs: number): string | undefined;
  /** The newest token counts in the end of a session log, for a worker that was ended before it told them; never throws. */
  tokensInLog?(file: string): TokenUse | undefined;
  /** When a used-up limit ends, as the end of a session log tells it (ISO 8601); `now` is epoch ms. Never throws. */
  resetInLog?(file: string, now: number): string | undefined;
  /** True where the counts are those of the process alone, and not of the whole thread with what went before. */
  readonly countsAttemptOnly?: boolean;
  /**
   * A short name for the account that a worker with this environment and these wishes uses, the same for the same account;
   * it holds no secret. Executors without an account give ''.
   */
  account(environment: NodeJS.ProcessEnv, options?: WorkerOptions): string;
  /**
   * What the end of the process tells beside its events: a panic, a refused flag. `stderr`: its last 64 KiB or so, without
   * the trace. After an exit with 0 only what was refused (`sandbox-refusal`) or not said (`empty-answer`): it counts where
   * the unit leaves no result.
   */
  failureAtEnd?(end: {
    exitCode: number | null;
    stderr: string;
    facts: WorkerFacts;
  }): WorkerFailure | undefined;
  /** True for the executor's own processes, whose CPU use is no evidence of a running command. */
  isOwnProcess(command: string): boolean;
}
