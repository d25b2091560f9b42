#!/usr/bin/env node
"use strict";
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};
var __export = (target, all) => {
  for (var name2 in all)
    __defProp(target, name2, { get: all[name2], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));

// scripts-src/platform/errors.ts
function usageError(message, next) {
  return new PrunError("E_USAGE", message, next, EXIT.usage);
}
function errnoOf(error) {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return void 0;
}
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
function isCwdGone(error) {
  return errnoOf(error) === "ENOENT" && error instanceof Error && "syscall" in error && error.syscall === "uv_cwd";
}
async function runMain(program, main) {
  try {
    process.exitCode = await main();
  } catch (thrown) {
    const error = isCwdGone(thrown) ? usageError("the current folder does not exist any more", "change to one that does") : thrown;
    if (!(error instanceof PrunError)) throw error;
    process.stderr.write(
      `${program}: ${error.message}: ${error.next}`.replace(/\s*[\r\n]+\s*/g, " ").concat("\n")
    );
    process.exitCode = error.exitCode;
  }
}
var EXIT, PrunError;
var init_errors = __esm({
  "scripts-src/platform/errors.ts"() {
    "use strict";
    EXIT = {
      ok: 0,
      usage: 2,
      attention: 3,
      noResult: 74,
      reaped: 124,
      notExecutable: 126,
      notFound: 127
    };
    PrunError = class extends Error {
      code;
      next;
      exitCode;
      constructor(code, message, next, exitCode = EXIT.usage) {
        super(message);
        this.name = "PrunError";
        this.code = code;
        this.next = next;
        this.exitCode = exitCode;
      }
    };
  }
});

// scripts-src/render/cells.ts
function graphemes(text) {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}
function cellsOfGrapheme(grapheme) {
  if (NO_CELLS.test(grapheme)) return 0;
  return WIDE.test(grapheme) || grapheme.includes("️") ? 2 : 1;
}
function cellsOf(text) {
  if (ASCII.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + cellsOfGrapheme(grapheme), 0);
}
function fitCells(text, width) {
  if (cellsOf(text) <= width) return text;
  return width < 1 ? "" : `${headOf(text, width - 1).trimEnd()}…`;
}
function padCells(text, width) {
  const fitted = fitCells(text, width);
  return fitted + " ".repeat(Math.max(0, width - cellsOf(fitted)));
}
function headOf(text, width) {
  let head = "";
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += cellsOfGrapheme(grapheme);
    if (used > width) break;
    head += grapheme;
  }
  return head;
}
function wrapCells(text, width, indent = "") {
  const lines = [];
  let line = "";
  const room = () => Math.max(1, lines.length === 0 ? width : width - cellsOf(indent));
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (cellsOf(longer) <= room()) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (cellsOf(line) > room()) {
      const piece = pieceOf(line, room());
      lines.push(piece);
      line = line.slice(piece.length);
    }
  }
  if (line !== "" || lines.length === 0) lines.push(line);
  return lines.map((one, index) => index === 0 ? one : indent + one);
}
function pieceOf(word, width) {
  return headOf(word, width) || (graphemes(word)[0] ?? word);
}
var WIDE, NO_CELLS, ASCII, segmenter;
var init_cells = __esm({
  "scripts-src/render/cells.ts"() {
    "use strict";
    WIDE = new RegExp("^(?:[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6\\u{1f000}-\\u{1faff}\\u{20000}-\\u{3fffd}]|\\p{Emoji_Presentation})", "u");
    NO_CELLS = /^[\p{M}\p{Cc}\p{Cf}]*$/u;
    ASCII = /^[\x20-\x7e]*$/;
  }
});

// scripts-src/render/paint.ts
var CODES, noPaint, ansiPaint;
var init_paint = __esm({
  "scripts-src/render/paint.ts"() {
    "use strict";
    CODES = {
      strong: 1,
      faint: 2,
      good: 32,
      bad: 31,
      warn: 33,
      busy: 36
    };
    noPaint = (_, text) => text;
    ansiPaint = (tone, text) => tone === "plain" || text === "" ? text : `\x1B[${CODES[tone]}m${text}\x1B[0m`;
  }
});

// scripts-src/supervise/interruption.ts
function listenForInterruption() {
  let first;
  let count3 = 0;
  const arrived = new Promise((resolve2) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        count3++;
        first ??= signal;
        resolve2(signal);
      });
    }
  });
  return { signal: () => first, arrived, isUrgent: () => count3 > 1 };
}
var SIGNALS;
var init_interruption = __esm({
  "scripts-src/supervise/interruption.ts"() {
    "use strict";
    SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"];
  }
});

// scripts-src/executor/readable-line.ts
function withoutEscapes(text) {
  return text.includes("\x1B") ? text.replace(ESCAPE_SEQUENCES, "") : text;
}
function readableLine(text, max = 200) {
  const plain = withoutEscapes(text.slice(0, LOOK_AT)).replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  if (plain.length <= max && text.length <= LOOK_AT) return plain;
  return `${plain.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
var LOOK_AT, ESCAPE_SEQUENCES;
var init_readable_line = __esm({
  "scripts-src/executor/readable-line.ts"() {
    "use strict";
    LOOK_AT = 4096;
    ESCAPE_SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;
  }
});

// scripts-src/platform/resolve-program.ts
function resolveProgram(name2, cwd, environment, platform = process.platform) {
  const endings = platform === "win32" ? ["", ...(environment.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const isPath = name2.includes("/") || platform === "win32" && name2.includes("\\");
  const folders = isPath ? [cwd] : (environment.PATH ?? environment.Path ?? "").split(import_node_path.default.delimiter).map((folder) => folder || cwd);
  let found = { kind: "missing", tried: isPath ? import_node_path.default.resolve(cwd, name2) : name2 };
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = import_node_path.default.resolve(folder, name2 + ending);
      const state = executableState(candidate);
      if (state === "yes") return { kind: "found", path: candidate };
      if (state === "no" && found.kind === "missing") found = { kind: "not-executable", path: candidate };
    }
  }
  return found;
}
function executableState(file) {
  try {
    const stat = (0, import_node_fs.statSync)(file, { throwIfNoEntry: false });
    if (!stat) return "absent";
    if (!stat.isFile()) return "no";
  } catch {
    return "absent";
  }
  try {
    (0, import_node_fs.accessSync)(file, import_node_fs.constants.X_OK);
    return "yes";
  } catch {
    return "no";
  }
}
var import_node_fs, import_node_path;
var init_resolve_program = __esm({
  "scripts-src/platform/resolve-program.ts"() {
    "use strict";
    import_node_fs = require("node:fs");
    import_node_path = __toESM(require("node:path"), 1);
  }
});

// scripts-src/commands/codex-login.ts
function requireCodex(environment, cwd) {
  const name2 = environment.CODEX_BIN || "codex";
  const program = resolveProgram(name2, cwd, environment);
  if (program.kind !== "found") {
    throw new PrunError(
      "E_NO_CODEX",
      program.kind === "missing" ? `${program.tried} was not found` : `${program.path} is not executable`,
      "install the Codex CLI (npm install -g @openai/codex) or set CODEX_BIN; the demo without --codex needs none"
    );
  }
  if (environment.CODEX_API_KEY) return;
  const run2 = loginStatus(program.path, environment);
  if (run2.status === 0) return;
  const said = run2.error?.message ?? lastLine(`${run2.stdout}${run2.stderr}`);
  throw new PrunError(
    "E_NOT_SIGNED_IN",
    `codex is not signed in (${said || `exit ${run2.status ?? run2.signal}`})`,
    "run codex login and try again; the demo without --codex needs no account"
  );
}
function lastLine(text) {
  return readableLine(text.trim().split("\n").at(-1) ?? "");
}
function loginStatus(file, environment) {
  const options = { env: environment, encoding: "utf8", timeout: LIMIT_MS, windowsHide: true };
  return process.platform === "win32" && /\.(cmd|bat)$/i.test(file) ? (0, import_node_child_process.spawnSync)(`"${file}" login status`, { ...options, shell: true, stdio: ["ignore", "pipe", "pipe"] }) : (0, import_node_child_process.spawnSync)(file, ["login", "status"], { ...options, stdio: ["ignore", "pipe", "pipe"] });
}
var import_node_child_process, LIMIT_MS;
var init_codex_login = __esm({
  "scripts-src/commands/codex-login.ts"() {
    "use strict";
    import_node_child_process = require("node:child_process");
    init_readable_line();
    init_errors();
    init_resolve_program();
    LIMIT_MS = 2e4;
  }
});

// scripts-src/commands/demo-arguments.ts
function parseDemo(argv2) {
  try {
    const { values } = (0, import_node_util.parseArgs)({
      args: [...argv2],
      strict: true,
      allowPositionals: false,
      options: {
        codex: { type: "boolean", default: false },
        keep: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        "no-color": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false }
      }
    });
    const { "no-color": noColor, ...rest } = values;
    return { ...rest, noColor };
  } catch (error) {
    const firstSentence = messageOf(error).split(/\. |\n/)[0] ?? "";
    throw usageError(firstSentence, "see prun demo --help");
  }
}
var import_node_util, DEMO_HELP;
var init_demo_arguments = __esm({
  "scripts-src/commands/demo-arguments.ts"() {
    "use strict";
    import_node_util = require("node:util");
    init_errors();
    DEMO_HELP = `usage: prun demo [--codex] [--keep] [--json] [--no-color]

Shows a whole fan-out in a temporary folder, in about ten seconds: five units at once on workers of their own.
One answers a question, one changes code in a clone, one forgets its result file, one hangs with a process in a
session of its own and is reaped, one crashes. Then the digest, the ledger, the patch, and a look for processes
that are left. Needs git. No account and no network, because an embedded worker plays codex.

  --codex      use the real codex (CODEX_BIN, else codex in PATH); takes a minute or two and spends quota
  --keep       keep the folder; without it nothing stays behind
  --json       one JSON object on stdout at the end, and nothing else
  --no-color   lines without colour and without redrawing (as NO_COLOR, or when stdout is no terminal)
  --help       this text

exit: 0 all five units ended as they were meant to, and no process is left; 1 something differed; 2 wrong call, or
something that the demo needs is missing; 128+n ended by a signal, after ending all workers.
`;
  }
});

// scripts-src/platform/pause.ts
var init_pause = __esm({
  "scripts-src/platform/pause.ts"() {
    "use strict";
  }
});

// scripts-src/platform/random.ts
function randomHex(digits) {
  const bytes = Buffer.alloc(Math.ceil(digits / 2));
  try {
    const fd = (0, import_node_fs2.openSync)("/dev/urandom", "r");
    try {
      (0, import_node_fs2.readSync)(fd, bytes);
    } finally {
      (0, import_node_fs2.closeSync)(fd);
    }
  } catch {
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(Math.random() * 256);
  }
  return bytes.toString("hex").slice(0, digits);
}
var import_node_fs2;
var init_random = __esm({
  "scripts-src/platform/random.ts"() {
    "use strict";
    import_node_fs2 = require("node:fs");
  }
});

// scripts-src/platform/files.ts
function readRange(fd, offset, limit) {
  const buffer2 = Buffer.allocUnsafe(limit);
  return buffer2.subarray(0, readFully(fd, buffer2, offset));
}
function readFully(fd, buffer2, offset) {
  let done = 0;
  while (done < buffer2.length) {
    const count3 = (0, import_node_fs3.readSync)(fd, buffer2, done, buffer2.length - done, offset + done);
    if (count3 === 0) break;
    done += count3;
  }
  return done;
}
function openForReading(file) {
  return (0, import_node_fs3.openSync)(file, import_node_fs3.constants.O_RDONLY | (import_node_fs3.constants.O_NONBLOCK ?? 0));
}
function readStart(file, limit) {
  return readSlice(file, () => 0, limit);
}
function readSlice(file, from, limit) {
  let fd;
  try {
    fd = openForReading(file);
  } catch {
    return "";
  }
  try {
    const stat = (0, import_node_fs3.fstatSync)(fd);
    return stat.isFile() ? readRange(fd, from(stat.size), limit).toString("utf8") : "";
  } catch {
    return "";
  } finally {
    (0, import_node_fs3.closeSync)(fd);
  }
}
function readValue(file) {
  try {
    (0, import_node_fs3.statSync)(file);
  } catch {
    return void 0;
  }
  return readStart(file, 65536).trim();
}
var import_node_fs3, PRIVATE_FILE, PRIVATE_DIR;
var init_files = __esm({
  "scripts-src/platform/files.ts"() {
    "use strict";
    import_node_fs3 = require("node:fs");
    init_errors();
    init_pause();
    init_random();
    PRIVATE_FILE = 384;
    PRIVATE_DIR = 448;
  }
});

// scripts-src/commands/demo-git.ts
function plainGitEnvironment(home, environment) {
  const config2 = import_node_path2.default.join(home, "gitconfig");
  (0, import_node_fs4.writeFileSync)(config2, "", { mode: PRIVATE_FILE });
  const own2 = Object.fromEntries(Object.entries(environment).filter(([name2]) => !/^GIT_/i.test(name2)));
  return { ...own2, GIT_CONFIG_GLOBAL: config2, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
}
function createGit(home, environment) {
  const base = { ...plainGitEnvironment(home, environment), HOME: home, XDG_CONFIG_HOME: home, LC_ALL: "C" };
  return (folder, argv2, more = {}) => {
    const run2 = (0, import_node_child_process2.spawnSync)("git", [...IDENTITY, ...argv2], {
      cwd: folder,
      env: { ...base, ...more },
      maxBuffer: MAX_OUTPUT,
      windowsHide: true
    });
    if (errnoOf(run2.error) === "ENOENT") {
      throw new PrunError(
        "E_NO_GIT",
        "git was not found in PATH",
        "install git (https://git-scm.com) and try again"
      );
    }
    if (run2.status !== 0) {
      const said = run2.error?.message ?? (run2.stderr.toString("utf8").trim().split("\n")[0] || `exit ${run2.status}`);
      throw new PrunError(
        "E_GIT",
        `git ${argv2[0]} failed (${said})`,
        "see whether git works in another folder",
        1
      );
    }
    return run2.stdout;
  };
}
function makeRepository(git, folder, files) {
  for (const [name2, text] of Object.entries(files)) {
    const file = import_node_path2.default.join(folder, name2);
    (0, import_node_fs4.mkdirSync)(import_node_path2.default.dirname(file), { recursive: true });
    (0, import_node_fs4.writeFileSync)(file, text);
  }
  git(folder, ["init", "--quiet", "--template="]);
  git(folder, ["add", "-A"]);
  git(folder, ["commit", "--quiet", "--no-verify", "-m", "A small project"]);
  return git(folder, ["rev-parse", "HEAD"]).toString("utf8").trim();
}
function makeClone(git, project, clone2) {
  git(import_node_path2.default.dirname(clone2), ["clone", "--quiet", "--no-hardlinks", "--template=", project, clone2]);
  git(clone2, ["remote", "remove", "origin"]);
}
function collectDelta(git, clone2, base, scratch) {
  const objects = import_node_path2.default.join(scratch, "objects");
  (0, import_node_fs4.mkdirSync)(objects, { recursive: true });
  const aside = {
    GIT_INDEX_FILE: import_node_path2.default.join(scratch, "index"),
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: import_node_path2.default.join(clone2, ".git", "objects")
  };
  git(clone2, ["read-tree", base], aside);
  git(clone2, ["add", "-A"], aside);
  const diff = [
    "diff",
    "--cached",
    "--binary",
    "--full-index",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv"
  ];
  return git(clone2, [...diff, base], aside);
}
function appliesTo(git, project, patchFile) {
  try {
    git(project, ["apply", "--check", "--whitespace=nowarn", patchFile]);
    return true;
  } catch {
    return false;
  }
}
var import_node_child_process2, import_node_fs4, import_node_path2, MAX_OUTPUT, IDENTITY;
var init_demo_git = __esm({
  "scripts-src/commands/demo-git.ts"() {
    "use strict";
    import_node_child_process2 = require("node:child_process");
    import_node_fs4 = require("node:fs");
    import_node_path2 = __toESM(require("node:path"), 1);
    init_errors();
    init_files();
    MAX_OUTPUT = 16 * 1024 * 1024;
    IDENTITY = [
      "-c",
      "user.name=prun demo",
      "-c",
      "user.email=prun@localhost",
      "-c",
      "commit.gpgSign=false",
      "-c",
      "core.autocrlf=false"
    ];
  }
});

// scripts-src/commands/demo-dispatch.ts
function startDispatch(setup, unit) {
  const { place } = setup;
  (0, import_node_fs5.writeFileSync)(place.promptFile(unit.id), unit.prompt, { mode: PRIVATE_FILE });
  const errors = import_node_path3.default.join(place.folder, `${unit.id}.err`);
  const stderr = (0, import_node_fs5.openSync)(errors, "wx", PRIVATE_FILE);
  const child = (0, import_node_child_process3.spawn)(place.node, [setup.script, ...flagsOf(setup, unit)], {
    cwd: place.folder,
    env: setup.environment,
    // A terminal's Ctrl-C reaches the demo alone, which then asks each dispatcher once. (On Windows a new console.)
    detached: process.platform !== "win32",
    windowsHide: true,
    stdio: ["ignore", "pipe", stderr]
  });
  (0, import_node_fs5.closeSync)(stderr);
  const said = collectStdout(child);
  let exitCode;
  const ended = new Promise((resolve2) => {
    child.once("close", (code, signal) => {
      exitCode = code ?? 128 + (import_node_os.default.constants.signals[signal ?? "SIGHUP"] ?? 0);
      resolve2();
    });
    child.once("error", () => {
      exitCode ??= 1;
      resolve2();
    });
  });
  return {
    unit,
    startedMs: performance.now(),
    stateDir: () => /^STATE-DIR (.+)\r?\n/.exec(said())?.[1],
    exitCode: () => exitCode,
    ended,
    signal: (name2) => child.kill(name2),
    complaint: () => readStart(errors, 500).trim()
  };
}
function flagsOf({ place, codexBin }, unit) {
  return [
    "--prompt-file",
    place.promptFile(unit.id),
    "--result-file",
    place.resultFile(unit.id),
    "--unit-id",
    unit.id,
    "--state-home",
    place.stateHome,
    "--stall-threshold",
    String(unit.stallThresholdSeconds),
    ...unit.mode === "clone" ? ["--workdir", place.clone] : [],
    ...codexBin === void 0 ? [] : ["--codex-bin", codexBin],
    ...unit.flags
  ];
}
function collectStdout(child) {
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  return () => text;
}
function demoEnvironment(place, environment, isReal) {
  const bending = isReal ? /^PRUN_|^GIT_/i : /^PRUN_|^CODEX_DISPATCH_|^GIT_/i;
  const rest = Object.fromEntries(Object.entries(environment).filter(([name2]) => !bending.test(name2)));
  const own2 = isReal ? rest : plainGitEnvironment(place.temp, rest);
  return { ...own2, TMPDIR: place.temp, TEMP: place.temp, TMP: place.temp, PRUN_STATE_HOME: place.temp };
}
var import_node_child_process3, import_node_fs5, import_node_os, import_node_path3;
var init_demo_dispatch = __esm({
  "scripts-src/commands/demo-dispatch.ts"() {
    "use strict";
    import_node_child_process3 = require("node:child_process");
    import_node_fs5 = require("node:fs");
    import_node_os = __toESM(require("node:os"), 1);
    import_node_path3 = __toESM(require("node:path"), 1);
    init_files();
    init_demo_git();
  }
});

// scripts-src/executor/codex-trace.ts
function traceFilter(userValue) {
  const own2 = (userValue ?? "").split(",").map((part) => part.trim());
  return ["error", ...own2.filter((part) => ABOUT_CODEX.test(part)), ...TRACE].join(",");
}
function classifyStderr(line) {
  const log = LOG_LINE.exec(withoutEscapes(line.slice(0, 2e3)));
  if (!log) return "text";
  const [, level, rest = ""] = log;
  const event = THREAD_EVENT.exec(rest)?.[1];
  if (event !== void 0) return MOVED.test(event) ? "trace-progress" : "trace-noise";
  const streamed = STREAM_EVENT.exec(rest)?.[1];
  if (streamed !== void 0) {
    const good = STREAMED.test(streamed) && !rest.includes(" error.message=");
    return good ? "trace-progress" : "trace-noise";
  }
  if (/(?:^|[: ])codex_otel\b/.test(rest)) return "trace-noise";
  return level === "ERROR" && CONNECTING.test(rest) ? "trace-noise" : "text";
}
var TRACE, ABOUT_CODEX, LOG_LINE, THREAD_EVENT, STREAM_EVENT, MOVED, STREAMED, CONNECTING;
var init_codex_trace = __esm({
  "scripts-src/executor/codex-trace.ts"() {
    "use strict";
    init_readable_line();
    TRACE = [
      "codex_otel=off",
      "codex_otel.log_only[{event.kind}]=info",
      "codex_app_server::outgoing_message=trace"
    ];
    ABOUT_CODEX = /^codex(?!_otel)\w*(?:::\w+)*(?:=(?:off|error|warn|info|debug|trace))?$/;
    LOG_LINE = /^\d{4}-\d\d-\d\dT[\d:.]+Z +([A-Z]+) (.*)$/s;
    THREAD_EVENT = /(?:^|[: ])codex_app_server::outgoing_message: app-server event: (\S+)/;
    STREAM_EVENT = /(?:^|[: ])codex_otel\.log_only: event\.name="codex\.sse_event" event\.kind=(\S+)/;
    MOVED = /^(?:item\/|thread\/tokenUsage\/|turn\/(?:plan|diff)\/)/;
    STREAMED = /^response\.(?:completed|[a-z_.]+\.(?:delta|added|done)|[a-z_]+_call\.[a-z_]+)$/;
    CONNECTING = /(?:^|[: ])codex_(?:api|client|http_client|login)[\w:]*: .*(?:connect|websocket|request|retry)/i;
  }
});

// scripts-src/executor/scrub-environment.ts
function readVariable(environment, name2) {
  if (environment[name2] !== void 0) return environment[name2];
  const wanted = name2.toUpperCase();
  const key = Object.keys(environment).find((candidate) => candidate.toUpperCase() === wanted);
  return key === void 0 ? void 0 : environment[key];
}
function scrubEnvironment(environment, passEnv, set) {
  const passed = new Set(passEnv.map((name2) => name2.toUpperCase()));
  const replaced = new Set(Object.keys(set).map((name2) => name2.toUpperCase()));
  const result = {};
  for (const [name2, value] of Object.entries(environment)) {
    const upper = name2.toUpperCase();
    if (value === void 0 || replaced.has(upper)) continue;
    if (HIDDEN.test(name2) && !passed.has(upper)) continue;
    result[name2] = value;
  }
  return Object.assign(result, set);
}
var HIDDEN;
var init_scrub_environment = __esm({
  "scripts-src/executor/scrub-environment.ts"() {
    "use strict";
    HIDDEN = /^(?:CLAUDE|ANTHROPIC|AI_AGENT$|PRUN_|CODEX_DISPATCH_)/i;
  }
});

// scripts-src/executor/codex-command.ts
function tomlString(text) {
  return JSON.stringify(text).replaceAll("", "\\u007f");
}
function hiddenTrace(isolate, userValue) {
  if (userValue === void 0 && isolate) return 'shell_environment_policy.exclude=["RUST_LOG"]';
  return `shell_environment_policy.set.RUST_LOG=${tomlString(userValue ?? "")}`;
}
function settings(request) {
  const list = [];
  if (request.reasoningEffort !== void 0) list.push(`model_reasoning_effort=${request.reasoningEffort}`);
  list.push("features.default_mode_request_user_input=false");
  if (request.isolate) list.push("analytics.enabled=false");
  list.push(`shell_environment_policy.set.PRUN_UNIT=${tomlString(request.marker)}`);
  list.push(hiddenTrace(request.isolate, readVariable(request.environment, "RUST_LOG")));
  if (request.sandbox === "workspace-write" && request.network !== void 0) {
    list.push(`sandbox_workspace_write.network_access=${request.network}`);
  }
  return list;
}
function codexCommand(request) {
  const argv2 = [request.binary, "exec", "--json", "-o", request.lastMessageFile];
  argv2.push("--sandbox", request.sandbox, "--skip-git-repo-check");
  if (request.isolate) argv2.push("--ignore-user-config");
  if (request.model !== void 0) argv2.push("-m", request.model);
  for (const setting of settings(request)) argv2.push("-c", setting);
  if (request.sandbox === "workspace-write") argv2.push("--add-dir", (0, import_node_path4.dirname)(request.resultFile));
  argv2.push("-");
  const environment = scrubEnvironment(request.environment, request.passEnv, {
    PRUN_UNIT: request.marker,
    RUST_LOG: traceFilter(readVariable(request.environment, "RUST_LOG"))
  });
  return { argv: argv2, environment, stderr: "own" };
}
var import_node_path4;
var init_codex_command = __esm({
  "scripts-src/executor/codex-command.ts"() {
    "use strict";
    import_node_path4 = require("node:path");
    init_codex_trace();
    init_scrub_environment();
  }
});

// scripts-src/executor/codex-failure.ts
function knownFailure(text) {
  const plain = text.slice(0, 4e3).replace(/[\u2018\u2019]/g, "'").replace(/\bhttps?:\/\/\S+/g, "").toLowerCase();
  return REASONS.find(([, pattern]) => pattern.test(plain))?.[0];
}
function failureReason(message) {
  return knownFailure(message) ?? "model-error";
}
function messageInBody(text) {
  if (!text.startsWith("{")) return void 0;
  try {
    const body = JSON.parse(text);
    return typeof body?.error?.message === "string" ? body.error.message : void 0;
  } catch {
    return void 0;
  }
}
function plainMessage(message) {
  const inner = /^Reconnecting\.\.\.[^(]*\((.*)\)\s*$/s.exec(message)?.[1] ?? message;
  return messageInBody(inner) ?? inner;
}
var REASONS;
var init_codex_failure = __esm({
  "scripts-src/executor/codex-failure.ts"() {
    "use strict";
    REASONS = [
      [
        "usage-limit",
        /usage[ _]limit|quota exceeded|exceeded your current quota|insufficient_quota|out of credits|purchase more credits|spend(?:ing)? (?:limit|cap)/
      ],
      ["rate-limit", /rate[ _-]?limit|too many requests|\bstatus:? 429\b/],
      // A proxy's own login: before `auth`, which is about the account.
      ["network", /\bstatus:? 407\b/],
      [
        "auth",
        /\bstatus:? 40[13]\b|unauthorized|forbidden|not logged in|(?:incorrect|invalid|missing) api key|(?:log|sign) in again|refresh token|access token|missing environment variable|authentication/
      ],
      [
        "model-error",
        /context window|high demand|at capacity|overloaded|\bstatus:? [45]\d\d\b|does not exist|invalid (?:value|request)|server error/
      ],
      [
        "network",
        /stream disconnected|connection (?:failed|refused|reset|closed|aborted|error|timed out)|error sending request|waiting for network|transport error|\bnetwork\b|\bdns\b|timed? ?out\b|broken pipe|unreachable|certificate|\btls\b/
      ]
    ];
  }
});

// scripts-src/executor/codex-items.ts
function fieldsOf(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
function textField(fields, name2) {
  const value = fields[name2];
  return typeof value === "string" ? value : void 0;
}
function workerEvent(kind, progress, text = "") {
  const line = readableLine(text);
  return line === "" ? { kind, progress } : { kind, progress, text: line };
}
function bareCommand(item2) {
  const command2 = textField(item2, "command") ?? "";
  return /^\S*sh -l?c (['"]?)(.*)\1$/s.exec(command2.slice(0, 4096))?.[2] ?? command2;
}
function commandEnd(item2) {
  const code = item2.exit_code;
  const end = typeof code === "number" ? `exit ${code}` : textField(item2, "status") ?? "ended";
  return `${end}: ${bareCommand(item2)}`;
}
function changedFiles(item2) {
  const changes = Array.isArray(item2.changes) ? item2.changes : [];
  const paths = changes.slice(0, 5).map((change2) => textField(fieldsOf(change2), "path") ?? "?");
  const more = changes.length > paths.length ? ` and ${changes.length - paths.length} more` : "";
  return `${item2.status === "failed" ? "not edited: " : "edited "}${paths.join(", ")}${more}`;
}
function toolName(item2) {
  const query = textField(item2, "query");
  if (item2.type === "web_search") return `search: ${query ?? ""}`;
  const tool = textField(item2, "tool") ?? textField(item2, "type") ?? "tool";
  const server = textField(item2, "server");
  return server === void 0 ? `tool ${tool}` : `tool ${server}.${tool}`;
}
function itemEvent(phase, item2) {
  switch (item2.type) {
    case "command_execution":
      if (phase === "completed") return workerEvent("command-ended", true, commandEnd(item2));
      return workerEvent(phase === "started" ? "command-started" : "other", true, `$ ${bareCommand(item2)}`);
    case "file_change":
      return workerEvent("file-change", true, phase === "completed" ? changedFiles(item2) : "");
    case "agent_message":
      return workerEvent("message", true, textField(item2, "text"));
    case "reasoning":
      return workerEvent("reasoning", true, textField(item2, "text"));
    case "mcp_tool_call":
    case "collab_tool_call":
    case "web_search":
      return workerEvent("tool-call", true, phase === "started" ? toolName(item2) : "");
    case "error":
      return workerEvent("error", false, textField(item2, "message"));
    default:
      return workerEvent("other", true);
  }
}
var init_codex_items = __esm({
  "scripts-src/executor/codex-items.ts"() {
    "use strict";
    init_readable_line();
  }
});

// scripts-src/executor/codex-long-line.ts
function longItem(line) {
  const start = START.exec(line.slice(0, HEAD));
  if (!start) return void 0;
  const [, phase, id, type] = start;
  const item2 = { id, type };
  const command2 = /"command":"((?:[^"\\]|\\.)*)/s.exec(line.slice(0, HEAD))?.[1];
  if (command2 !== void 0) item2.command = command2.replace(/\\n/g, " ").replace(/\\(["\\/])/g, "$1");
  const end = /"exit_code":(-?\d+|null),"status":"([a-z_]+)"\}\}\s*$/.exec(line.slice(-200));
  if (end?.[1] !== void 0 && end[1] !== "null") item2.exit_code = Number(end[1]);
  if (end) item2.status = end[2];
  return { phase, item: item2 };
}
var LONG_LINE, HEAD, START;
var init_codex_long_line = __esm({
  "scripts-src/executor/codex-long-line.ts"() {
    "use strict";
    LONG_LINE = 256 * 1024;
    HEAD = 8192;
    START = /^\{"type":"item\.(started|updated|completed)","item":\{"id":"([^"\\]{1,80})","type":"([a-z_]{1,40})"/;
  }
});

// scripts-src/executor/codex-events.ts
function parsed(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : void 0;
  } catch {
    return void 0;
  }
}
function count(fields, name2) {
  const value = fields[name2];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
function tokenUse(usage) {
  return {
    input: count(usage, "input_tokens"),
    cachedInput: count(usage, "cached_input_tokens"),
    output: count(usage, "output_tokens"),
    reasoningOutput: count(usage, "reasoning_output_tokens")
  };
}
function onItem(state, phase, item2) {
  const event = itemEvent(phase, item2);
  state.structured = true;
  if (event.progress) delete state.lastError;
  const id = textField(item2, "id") ?? "";
  if (event.kind === "command-started") state.open.add(id);
  if (event.kind === "command-ended") state.open.delete(id);
  const text = textField(item2, "text");
  if (event.kind === "message" && phase === "completed" && text !== void 0) state.lastMessage = text;
  return event;
}
function onTurnStarted(state) {
  delete state.ended;
  delete state.lastError;
  return workerEvent("turn", true);
}
function onTurnCompleted(state, fields) {
  state.ended = "completed";
  delete state.lastError;
  if (fields.usage === void 0 || fields.usage === null) return workerEvent("end", true, "done");
  state.tokens = tokenUse(fieldsOf(fields.usage));
  return workerEvent("end", true, `done: ${state.tokens.input} tokens in, ${state.tokens.output} out`);
}
function onTurnFailed(state, fields) {
  state.ended = "failed";
  const message = textField(fieldsOf(fields.error), "message") ?? state.lastError ?? "the turn failed";
  state.lastError = message;
  return workerEvent("end", false, `failed: ${plainMessage(message)}`);
}
function onError(state, message) {
  if (state.ended === void 0) state.lastError = message;
  return workerEvent(/^Reconnecting\b/.test(message) ? "retry" : "error", false, message);
}
function onThreadStarted(state, fields) {
  const id = textField(fields, "thread_id");
  if (id !== void 0) state.sessionId = id;
  return workerEvent("session", true, id === void 0 ? "" : `session ${id}`);
}
function onFields(state, fields) {
  const type = textField(fields, "type") ?? "";
  const phase = /^item\.(started|updated|completed)$/.exec(type)?.[1];
  if (phase !== void 0 && typeof fields.item === "object") {
    return onItem(state, phase, fieldsOf(fields.item));
  }
  const message = textField(fields, "message");
  if (type === "error" && message !== void 0) {
    state.structured = true;
    return onError(state, message);
  }
  if (/^(?:thread|turn|item)\.\w+$/.test(type)) state.structured = true;
  switch (type) {
    case "thread.started":
      return onThreadStarted(state, fields);
    case "turn.started":
      return onTurnStarted(state);
    case "turn.completed":
      return onTurnCompleted(state, fields);
    case "turn.failed":
      return onTurnFailed(state, fields);
    default:
      return state.structured && type !== "" ? workerEvent("other", false) : void 0;
  }
}
function onLine(state, line) {
  if (!line.startsWith("{")) {
    const id = line.length < 200 ? HEADER.exec(withoutEscapes(line))?.[1] : void 0;
    if (id !== void 0 && state.sessionId === void 0) state.sessionId = id;
    return void 0;
  }
  if (line.length > LONG_LINE) {
    const long = longItem(line);
    if (long && long.item.type !== "agent_message") return onItem(state, long.phase, long.item);
    if (!long) return void 0;
  }
  const fields = parsed(line);
  if (fields) return onFields(state, fields);
  const torn = state.structured && /^\{"type":"(?:thread|turn|item|error)\b/.test(line);
  return torn ? workerEvent("other", false) : void 0;
}
function factsOf(state) {
  const { open, lastError, ...known } = state;
  const facts = { ...known, openCommands: open.size };
  if (lastError === void 0 || state.ended === "completed") return facts;
  const message = plainMessage(lastError);
  return { ...facts, failure: { reason: failureReason(message), message: message.slice(0, MESSAGE_CHARS) } };
}
function codexEventReader() {
  const state = { structured: false, open: /* @__PURE__ */ new Set() };
  return {
    read: (line) => onLine(state, line),
    facts: () => factsOf(state)
  };
}
var MESSAGE_CHARS, HEADER;
var init_codex_events = __esm({
  "scripts-src/executor/codex-events.ts"() {
    "use strict";
    init_codex_failure();
    init_codex_items();
    init_codex_long_line();
    init_readable_line();
    MESSAGE_CHARS = 2e3;
    HEADER = /^\s*session id:\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$/i;
  }
});

// scripts-src/executor/codex-session-log.ts
function findEntry(folder, suffix) {
  try {
    const directory = (0, import_node_fs6.opendirSync)(folder);
    try {
      for (let count3 = 0; count3 < MOST_ENTRIES; count3++) {
        const entry = directory.readSync();
        if (entry === null) return void 0;
        if (entry.name.startsWith("rollout-") && entry.name.endsWith(suffix)) return (0, import_node_path5.join)(folder, entry.name);
      }
    } finally {
      directory.closeSync();
    }
  } catch {
  }
  return void 0;
}
function codexSessionLog(sessionId, environment, startedAtEpochMs) {
  if (!/^[\w-]+$/.test(sessionId)) return void 0;
  const home = readVariable(environment, "CODEX_HOME") || (0, import_node_path5.join)(userHome(environment), ".codex");
  for (const offset of DAYS) {
    const start = new Date(startedAtEpochMs);
    const date2 = new Date(start.getFullYear(), start.getMonth(), start.getDate() + offset);
    const parts = [date2.getFullYear(), date2.getMonth() + 1, date2.getDate()];
    const folder = (0, import_node_path5.resolve)(home, "sessions", ...parts.map((part) => String(part).padStart(2, "0")));
    const found = findEntry(folder, `-${sessionId}.jsonl`);
    if (found !== void 0) return found;
  }
  return void 0;
}
function userHome(environment) {
  return environment.HOME || environment.USERPROFILE || (0, import_node_os2.homedir)();
}
var import_node_fs6, import_node_os2, import_node_path5, MOST_ENTRIES, DAYS;
var init_codex_session_log = __esm({
  "scripts-src/executor/codex-session-log.ts"() {
    "use strict";
    import_node_fs6 = require("node:fs");
    import_node_os2 = require("node:os");
    import_node_path5 = require("node:path");
    init_scrub_environment();
    MOST_ENTRIES = 2e4;
    DAYS = [0, -1, 1];
  }
});

// scripts-src/executor/retry-notice.ts
function isRetryNotice(line) {
  if (line.length > 400) return false;
  const plain = withoutEscapes(line).trim();
  if (plain === "" || GOOD_NEWS.test(plain)) return false;
  return ATTEMPT.test(plain) || NOTICES.some((notice) => notice.test(plain));
}
var NOTICES, ATTEMPT, GOOD_NEWS;
var init_retry_notice = __esm({
  "scripts-src/executor/retry-notice.ts"() {
    "use strict";
    init_readable_line();
    NOTICES = [
      /\breconnecting\b\s*(?:\.{2,}|…|$|to\b|in \d|\(|\d)/i,
      // A line that ends in it, or goes on with when, which or how often: not "retrying the failing test with -v".
      /\bretry(?:ing)?\b[\s.…!)\]]*$/i,
      /\bretrying\b\W*(?:in|after) (?:about )?\d/i,
      /\bretrying\b\W*(?:the )?(?:request|connection|download|api|stream|attempt|\d+\b)/i,
      /\bretry(?: attempt)?\s*[#(:]?\s*\d+(?:\s*(?:\/|of|in)\s*\d+|\W*$)/i,
      /\b(?:will|going to) retry\b/i,
      /\btrying again in \d/i,
      /\b(?:try|retry)(?: again)? (?:in|after) \d/i,
      /\bwaiting (?:for|on) (?:the )?(?:network|connection|connectivity|server|api|rate limit)\b/i,
      /\brate[ -]?limit\w*\b.*\b(?:try again|retry|wait|back(?:ing)?[ -]?off)/i,
      /\btoo many requests\b/i,
      /\bback(?:ing)?[ -]?off\b.*\b\d+ ?(?:ms|s|sec|seconds?)\b/i
    ];
    ATTEMPT = /\battempt\s*#?\d+\s*(?:\/|of)\s*\d+/i;
    GOOD_NEWS = /\b(?:passe[sd]|succeeded|success|successful|complete[d]?|fixed|done|ok|finished)\b/i;
  }
});

// scripts-src/executor/codex.ts
var OWN_PROCESS, codex;
var init_codex = __esm({
  "scripts-src/executor/codex.ts"() {
    "use strict";
    init_codex_command();
    init_codex_events();
    init_codex_session_log();
    init_codex_trace();
    init_retry_notice();
    OWN_PROCESS = /^(?:.*[\\/])?codex(?:[-.].*)?$/i;
    codex = {
      name: "codex",
      command: codexCommand,
      events: codexEventReader,
      classifyStderr,
      isRetryNotice,
      sessionLog: codexSessionLog,
      isOwnProcess: (command2) => OWN_PROCESS.test(command2)
    };
  }
});

// scripts-src/render/figures.ts
function durationText(ms) {
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(ms / 1e3);
  const two = (value) => String(value).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${two(Math.floor(seconds % 3600 / 60))}m`;
}
function countOf(count3, one, many = `${one}s`) {
  return `${count3} ${count3 === 1 ? one : many}`;
}
var init_figures = __esm({
  "scripts-src/render/figures.ts"() {
    "use strict";
  }
});

// scripts-src/render/board.ts
function boardLines(title, rows, width, paint) {
  const unitCells = Math.min(UNIT_CELLS, Math.max(0, ...rows.map((row) => cellsOf(row.unit))));
  return [
    paint("strong", fitCells(title, width)),
    ...rows.map((row) => rowLine(row, unitCells, width, paint))
  ];
}
function rowLine(row, unitCells, width, paint) {
  const unit = `  ${padCells(row.unit, unitCells)} `;
  const time2 = durationText(row.elapsedMs).padStart(TIME_CELLS);
  const room = width - cellsOf(unit) - STATE_CELLS - cellsOf(time2) - 2;
  if (room < LEAST_NOW) return narrowLine(row, unit, width, paint);
  const hasEvidence = room - EVIDENCE_CELLS - 2 >= NOW_BESIDE_EVIDENCE;
  const evidence = hasEvidence ? `  ${padCells(row.evidence, EVIDENCE_CELLS)}` : "";
  const state = paint(row.tone, padCells(row.state, STATE_CELLS));
  const now = fitCells(row.now, room - cellsOf(evidence));
  return `${unit}${state}${time2}${paint("faint", evidence)}  ${now}`;
}
function narrowLine(row, unit, width, paint) {
  const head = fitCells(unit, width);
  return head + paint(row.tone, fitCells(row.state, Math.max(0, width - cellsOf(head))));
}
var NOW_BESIDE_EVIDENCE, LEAST_NOW, UNIT_CELLS, STATE_CELLS, TIME_CELLS, EVIDENCE_CELLS;
var init_board = __esm({
  "scripts-src/render/board.ts"() {
    "use strict";
    init_cells();
    init_figures();
    NOW_BESIDE_EVIDENCE = 16;
    LEAST_NOW = 6;
    UNIT_CELLS = 16;
    STATE_CELLS = 11;
    TIME_CELLS = 6;
    EVIDENCE_CELLS = 16;
  }
});

// scripts-src/supervise/evidence-text.ts
function evidenceText(evidence) {
  if (!evidence) return "none was recorded";
  return `${WORDS[evidence.kind] ?? evidence.kind} at ${evidence.at}, ${evidence.quietSeconds} s before`;
}
var WORDS;
var init_evidence_text = __esm({
  "scripts-src/supervise/evidence-text.ts"() {
    "use strict";
    WORDS = {
      start: "the start",
      event: "an event",
      output: "output",
      stream: "a streaming answer",
      "session-log": "the session log",
      "result-file": "a write to the result file",
      "command-cpu": "CPU use of a command",
      "command-io": "I/O of a command",
      workspace: "a write in the workspace"
    };
  }
});

// scripts-src/render/digest.ts
function digestLines(entries, width = Number.POSITIVE_INFINITY, paint = (_, text) => text) {
  const urgent = [...entries].sort((a, b) => weightOf(a) - weightOf(b));
  const shown = entries.length > MAX_UNITS ? urgent.slice(0, MAX_UNITS) : entries;
  const lines = shown.flatMap((entry) => entryLines(entry, width, paint));
  const left = entries.length - shown.length;
  return left > 0 ? [...lines, `${countOf(left, "more unit")}: see the ledger`] : lines;
}
function weightOf({ outcome }) {
  return outcome.status === "succeeded" ? 1 : 0;
}
function entryLines(entry, width, paint) {
  const { outcome } = entry;
  const head = `${outcome.unit}: ${outcome.status} (${outcome.reason}) after ${durationText(outcome.durationMs)}: ${oneLine(entry.conclusion ?? withoutDates(outcome.detail))}`;
  const [first = "", ...rest] = wrapCells(head, width, INDENT);
  const coloured = first.replace(outcome.status, paint(toneOfStatus(outcome.status), outcome.status));
  const body = wrapCells(bodyText(entry), width - INDENT.length).map((line) => INDENT + line);
  return [coloured, ...rest, ...body];
}
function toneOfStatus(status) {
  if (status === "succeeded") return "good";
  return status === "failed" ? "bad" : "warn";
}
function bodyText(entry) {
  const { outcome } = entry;
  const parts = [resultText(entry)];
  if (outcome.reaped.length > 0) parts.push(`reaped ${processNames(outcome.reaped)}`);
  if (outcome.survivors.length > 0) parts.push(`STILL ALIVE: ${processNames(outcome.survivors)}`);
  const evidence = evidenceAge(outcome);
  if (evidence) parts.push(evidence);
  if (outcome.tokens) parts.push(`${outcome.tokens.input} tokens in, ${outcome.tokens.output} out`);
  parts.push(`next: ${nextStep(outcome, entry.mode)}`);
  return parts.join("; ");
}
function resultText({ outcome, resultPath }) {
  const { result } = outcome;
  if (!result) return `no result: ${oneLine(outcome.resultError ?? "none was written")}`;
  const path9 = resultPath ?? result.path;
  if (result.origin === "worker") return `result ${path9} (${result.bytes} bytes)`;
  const source = result.origin === "last-message" ? "its last message" : "the end of its output";
  return `FALLBACK ${path9} (${source})`;
}
function processNames(processes) {
  const counts = /* @__PURE__ */ new Map();
  for (const { command: command2 } of processes) counts.set(command2, (counts.get(command2) ?? 0) + 1);
  const names = [...counts].slice(0, 5).map(([name2, count3]) => oneLine(`${count3} ${name2}`));
  return counts.size > names.length ? `${names.join(", ")} and others` : names.join(", ");
}
function evidenceAge({ lastEvidence, detail }) {
  if (!lastEvidence || detail.includes("last evidence")) return void 0;
  return `last evidence: ${withoutDates(evidenceText(lastEvidence))}`;
}
function withoutDates(text) {
  return text.replace(/ at \d{4}-\d\d-\d\dT[\d:.]+Z/g, "");
}
function nextStep(outcome, mode) {
  if (outcome.status !== "succeeded") return NEXT[outcome.reason] ?? "read outcome.json and the tail";
  return mode === "scratch" ? "read the result" : "read every hunk, then apply the patch";
}
function oneLine(text) {
  const line = text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}
var MAX_UNITS, MAX_TEXT, INDENT, NEXT;
var init_digest = __esm({
  "scripts-src/render/digest.ts"() {
    "use strict";
    init_evidence_text();
    init_cells();
    init_figures();
    MAX_UNITS = 40;
    MAX_TEXT = 300;
    INDENT = "    ";
    NEXT = {
      "no-result": "review the FALLBACK, or dispatch again",
      "empty-result": "review the FALLBACK, or dispatch again",
      "idle-stall": "see in the tail what it waited for, then dispatch again",
      "hard-timeout": "dispatch again with a smaller task or a longer --timeout",
      "output-limit": "see in the tail what flooded, then dispatch again",
      exit: "read the end of the tail, then dispatch again",
      signal: "find out who ended it, then dispatch again",
      spawn: "check that the worker is installed (--codex-bin)",
      "usage-limit": "dispatch nothing more to this account until its limit is lifted",
      "rate-limit": "dispatch again later, with fewer workers",
      auth: "sign in again (codex login), then dispatch again",
      network: "check the connection, then dispatch again",
      "model-error": "check the model's name and state, then dispatch again",
      "dispatch-dead": "resume its session, or dispatch again",
      disk: "make room on the disk, then dispatch again"
    };
  }
});

// scripts-src/render/screen.ts
function createScreen(write) {
  let drawn = [];
  let isOpen = false;
  function rowsDrawn(columns) {
    return drawn.reduce((sum, cells) => sum + Math.max(1, Math.ceil(cells / Math.max(1, columns))), 0);
  }
  return {
    draw(lines, columns) {
      const rows = rowsDrawn(columns);
      const up = rows > 0 ? `\x1B[${rows}A\r` : "";
      const picture = lines.map((line) => `${line}\x1B[K
`).join("");
      write(`${isOpen ? "" : "\x1B[?25l"}${up}${picture}\x1B[J`);
      drawn = lines.map((line) => cellsOf(line.replace(ESCAPES, "")));
      isOpen = true;
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      drawn = [];
      write("\x1B[?25h");
    }
  };
}
var ESCAPES;
var init_screen = __esm({
  "scripts-src/render/screen.ts"() {
    "use strict";
    init_cells();
    ESCAPES = /\x1b\[[0-9;]*m/g;
  }
});

// scripts-src/platform/clock.ts
function monotonicMs() {
  return Number(process.hrtime.bigint() / 1000000n);
}
var init_clock = __esm({
  "scripts-src/platform/clock.ts"() {
    "use strict";
  }
});

// scripts-src/supervise/line-follower.ts
function followLines(file, onLine2) {
  let fd = tryToOpen(file);
  let offset = 0;
  let size = 0;
  let pieces = [];
  let pieceBytes = 0;
  let skipping = false;
  let landedInside = false;
  function take(piece) {
    if (skipping || piece.length === 0) return;
    const room = MAX_LINE_BYTES - pieceBytes;
    pieces.push(Buffer.from(room < piece.length ? piece.subarray(0, room) : piece));
    pieceBytes += Math.min(room, piece.length);
    if (pieceBytes >= MAX_LINE_BYTES) skipping = true;
  }
  function deliver() {
    const line = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    pieces = [];
    pieceBytes = 0;
    skipping = false;
    if (landedInside) {
      landedInside = false;
      return;
    }
    const text = line?.toString("utf8") ?? "";
    onLine2(text.endsWith("\r") ? text.slice(0, -1) : text);
  }
  function feed(chunk) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, at));
      deliver();
      from = at + 1;
    }
    take(chunk.subarray(from));
  }
  function skipFlood() {
    if (size - offset <= FLOOD_BYTES) return;
    offset = size - AFTER_FLOOD_BYTES;
    pieces = [];
    pieceBytes = 0;
    skipping = true;
    landedInside = true;
  }
  return {
    advance(budgetBytes = Number.POSITIVE_INFINITY) {
      fd ??= tryToOpen(file);
      if (fd === void 0) return 0;
      size = (0, import_node_fs7.fstatSync)(fd).size;
      skipFlood();
      let done = 0;
      while (offset < size && done < budgetBytes) {
        const chunk = readRange(fd, offset, Math.min(CHUNK_BYTES, size - offset));
        if (chunk.length === 0) break;
        offset += chunk.length;
        done += chunk.length;
        feed(chunk);
      }
      return done;
    },
    finish() {
      if (pieceBytes > 0) deliver();
    },
    size: () => size,
    offset: () => offset,
    rewind() {
      landedInside = false;
      offset = 0;
    },
    close() {
      if (fd !== void 0) (0, import_node_fs7.closeSync)(fd);
    }
  };
}
function tryToOpen(file) {
  try {
    return openForReading(file);
  } catch {
    return void 0;
  }
}
var import_node_fs7, MAX_LINE_BYTES, CHUNK_BYTES, FLOOD_BYTES, AFTER_FLOOD_BYTES;
var init_line_follower = __esm({
  "scripts-src/supervise/line-follower.ts"() {
    "use strict";
    import_node_fs7 = require("node:fs");
    init_files();
    MAX_LINE_BYTES = 4 * 1024 * 1024;
    CHUNK_BYTES = 256 * 1024;
    FLOOD_BYTES = 32 * 1024 * 1024;
    AFTER_FLOOD_BYTES = 4 * 1024 * 1024;
  }
});

// node_modules/zod/v4/core/util.js
function getEnumValues(entries) {
  const numericValues = Object.values(entries).filter((v) => typeof v === "number");
  const values = Object.entries(entries).filter(([k, _]) => numericValues.indexOf(+k) === -1).map(([_, v]) => v);
  return values;
}
function jsonStringifyReplacer(_, value) {
  if (typeof value === "bigint")
    return value.toString();
  return value;
}
function cached(getter) {
  return new Cached(getter);
}
function cleanRegex(source) {
  const start = source.startsWith("^") ? 1 : 0;
  const end = source.endsWith("$") ? source.length - 1 : source.length;
  return source.slice(start, end);
}
function assignProp(target, prop, value) {
  Object.defineProperty(target, prop, {
    value,
    writable: true,
    enumerable: true,
    configurable: true
  });
}
function isObject(data) {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}
function escapeRegex(str) {
  return str.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
function clone(inst, def, params) {
  const cl = new inst._zod.constr(def ?? inst._zod.def);
  if (!def || params?.parent)
    cl._zod.parent = inst;
  return cl;
}
function normalizeParams(_params) {
  const params = _params;
  if (!params)
    return {};
  if (typeof params === "string")
    return { error: () => params };
  if (params?.message !== void 0) {
    if (params?.error !== void 0)
      throw new Error("Cannot specify both `message` and `error` params");
    params.error = params.message;
  }
  delete params.message;
  if (typeof params.error === "string")
    return { ...params, error: () => params.error };
  return params;
}
function optionalKeys(shape) {
  return Object.keys(shape).filter((k) => {
    return shape[k]._zod.optin !== void 0 && shape[k]._zod.optout === "optional";
  });
}
function aborted(x, startIndex = 0) {
  if (x.aborted === true)
    return true;
  for (let i = startIndex; i < x.issues.length; i++) {
    if (x.issues[i]?.continue !== true) {
      return true;
    }
  }
  return false;
}
function explicitlyAborted(x, startIndex = 0) {
  if (x.aborted === true)
    return true;
  for (let i = startIndex; i < x.issues.length; i++) {
    if (x.issues[i]?.continue === false) {
      return true;
    }
  }
  return false;
}
function prefixIssues(path9, issues) {
  return issues.map((iss) => {
    var _a3;
    (_a3 = iss).path ?? (_a3.path = []);
    iss.path.unshift(path9);
    return iss;
  });
}
function unwrapMessage(message) {
  return typeof message === "string" ? message : message?.message;
}
function sizeCaps(defChecks) {
  const caps = [];
  for (const ch of defChecks ?? []) {
    const d = ch._zod.def;
    if (!/_(length|size)$|_equals$/.test(d.check))
      break;
    const max = d.maximum ?? d.length ?? d.size;
    if (max >= 0)
      caps.push([max, ch]);
  }
  return caps;
}
function attachSchema(issues, start, inst) {
  var _a3;
  for (let i = start; i < issues.length; i++) {
    (_a3 = issues[i]).schema ?? (_a3.schema = inst);
  }
}
function finalizeIssue(iss, ctx, config2) {
  var _a3;
  const traits = iss.inst?._zod?.traits;
  if (traits?.has("$ZodType")) {
    if (traits.has("$ZodCheck"))
      (_a3 = iss).schema ?? (_a3.schema = iss.inst);
    else
      iss.schema = iss.inst;
  }
  const schemaError = iss.schema !== iss.inst ? iss.schema?._zod.def?.error : void 0;
  const message = iss.message ? iss.message : unwrapMessage(iss.inst?._zod.def?.error?.(iss)) ?? unwrapMessage(schemaError?.(iss)) ?? unwrapMessage(ctx?.error?.(iss)) ?? unwrapMessage(config2.customError?.(iss)) ?? unwrapMessage(config2.localeError?.(iss)) ?? "Invalid input";
  const full = {};
  for (const k of Object.keys(iss)) {
    if (k === "inst" || k === "schema" || k === "continue" || k === "input" || k === "__proto__")
      continue;
    full[k] = iss[k];
  }
  full.path ?? (full.path = []);
  full.message = message;
  if (ctx?.reportInput) {
    full.input = iss.input;
  }
  return full;
}
function members(proto, table) {
  for (const key in table) {
    const desc = Object.getOwnPropertyDescriptor(table, key);
    if (desc.get)
      Object.defineProperty(proto, key, { ...desc, enumerable: false });
    else
      defineBound(proto, key, desc.value);
  }
}
function own(inst, key, value, enumerable = true) {
  Object.defineProperty(inst, key, { configurable: true, writable: true, enumerable, value });
  return value;
}
function hide(inst, key, value) {
  return own(inst, key, value, false);
}
function defineBound(proto, key, fn) {
  Object.defineProperty(proto, key, {
    configurable: true,
    get() {
      return this == null ? fn : own(this, key, fn.bind(this));
    },
    set(value) {
      own(this, key, value);
    }
  });
}
function claim(inst, sentinel) {
  const proto = Object.getPrototypeOf(inst);
  return sentinel in proto ? void 0 : proto;
}
function defineLazyInternal(inst, key, compute) {
  const proto = Object.getPrototypeOf(inst._zod);
  if (key in proto && installing !== inst._zod) {
    installing = void 0;
    return;
  }
  installing = inst._zod;
  Object.defineProperty(proto, key, {
    configurable: true,
    get() {
      Object.defineProperty(this, key, breaker);
      const outer = broke;
      broke = false;
      try {
        const value = compute(this);
        if (broke)
          delete this[key];
        else
          Object.defineProperty(this, key, { configurable: true, writable: true, value });
        broke = broke || outer;
        return value;
      } catch (err) {
        delete this[key];
        broke = broke || outer;
        throw err;
      }
    },
    set(value) {
      Object.defineProperty(this, key, { configurable: true, writable: true, value });
    }
  });
}
function installLazyProp(inst, key, make, enumerable) {
  const proto = claim(inst, key);
  if (!proto)
    return;
  Object.defineProperty(proto, key, {
    configurable: true,
    get() {
      const desc = { configurable: true, writable: true, enumerable, value: void 0 };
      Object.defineProperty(this, key, desc);
      desc.value = make(this);
      Object.defineProperty(this, key, desc);
      return desc.value;
    },
    set(value) {
      Object.defineProperty(this, key, { configurable: true, writable: true, enumerable, value });
    }
  });
}
var Cached, captureStackTrace, propertyKeyTypes, installing, broke, breaker;
var init_util = __esm({
  "node_modules/zod/v4/core/util.js"() {
    Cached = class {
      constructor(getter) {
        this._getter = getter;
        this._value = void 0;
      }
      get value() {
        const getter = this._getter;
        if (getter !== void 0) {
          this._value = getter();
          this._getter = void 0;
        }
        return this._value;
      }
    };
    captureStackTrace = "captureStackTrace" in Error ? Error.captureStackTrace : (..._args) => {
    };
    propertyKeyTypes = /* @__PURE__ */ new Set(["string", "number", "symbol"]);
    broke = false;
    breaker = {
      configurable: true,
      get() {
        broke = true;
        return void 0;
      }
    };
  }
});

// node_modules/zod/v4/core/core.js
function newError(Definition) {
  const E = _E;
  if (E) {
    const saved = E.stackTraceLimit;
    if (typeof saved === "number") {
      try {
        E.stackTraceLimit = 0;
      } catch {
        _E = null;
        return new Definition();
      }
      try {
        return new Definition();
      } finally {
        E.stackTraceLimit = saved;
      }
    }
  }
  return new Definition();
}
// @__NO_SIDE_EFFECTS__
function $constructor(name2, initializer2, proto, params) {
  const zodProto = {};
  function Internals(def) {
    this.def = def;
    this.constr = _;
    this.traits = /* @__PURE__ */ new Set();
  }
  Internals.prototype = zodProto;
  const protoMembers = proto;
  const initialized = protoMembers && /* @__PURE__ */ new WeakSet();
  function init(inst, def) {
    if (!inst._zod) {
      _zodDesc.value = new Internals(def);
      try {
        Object.defineProperty(inst, "_zod", _zodDesc);
      } finally {
        _zodDesc.value = void 0;
      }
    } else if (inst._zod.traits.has(name2)) {
      return;
    }
    inst._zod.traits.add(name2);
    initializer2(inst, def);
    if (initialized) {
      const own2 = Object.getPrototypeOf(inst);
      const ctorProto = inst._zod.constr.prototype;
      let up = own2;
      while (up && up !== ctorProto)
        up = Object.getPrototypeOf(up);
      const target = up ?? own2;
      if (!initialized.has(target)) {
        initialized.add(target);
        members(target, protoMembers);
      }
    }
    const proto2 = _.prototype;
    for (const k in proto2) {
      if (!Object.prototype.hasOwnProperty.call(proto2, k))
        continue;
      if (!(k in inst)) {
        inst[k] = proto2[k].bind(inst);
      }
    }
  }
  const Parent = params?.Parent ?? Object;
  class Definition extends Parent {
  }
  Object.defineProperty(Definition, "name", { value: name2 });
  function _(def) {
    const inst = params?.Parent ? newError(Definition) : this;
    init(inst, def);
    const deferred = inst._zod.deferred;
    if (deferred) {
      for (const fn of deferred) {
        fn();
      }
      inst._zod.deferred = void 0;
    }
    const pp = globalThis.__zod_globalConfig?.postProcessor;
    if (pp)
      pp(inst);
    return inst;
  }
  Object.defineProperty(_, "init", { value: init });
  Object.defineProperty(_, Symbol.hasInstance, {
    value: (inst) => {
      if (params?.Parent && inst instanceof params.Parent)
        return true;
      return inst?._zod?.traits?.has(name2);
    }
  });
  Object.defineProperty(_, "name", { value: name2 });
  return _;
}
function config(newConfig) {
  if (newConfig)
    Object.assign(globalConfig, newConfig);
  return globalConfig;
}
var _a, _zodDesc, _E, $ZodAsyncError, globalConfig;
var init_core = __esm({
  "node_modules/zod/v4/core/core.js"() {
    init_util();
    _zodDesc = { value: void 0, enumerable: false };
    _E = "captureStackTrace" in Error ? Error : null;
    $ZodAsyncError = class extends Error {
      constructor() {
        super(`Encountered Promise during synchronous parse. Use .parseAsync() instead.`);
      }
    };
    (_a = globalThis).__zod_globalConfig ?? (_a.__zod_globalConfig = {});
    globalConfig = globalThis.__zod_globalConfig;
  }
});

// node_modules/zod/v4/core/errors.js
function _getMessage() {
  const internals = this._zod;
  internals.message ?? (internals.message = JSON.stringify(internals.def, jsonStringifyReplacer, 2));
  return internals.message;
}
function _setMessage(value) {
  this._zod.message = value;
}
var _messageDesc, _issuesDesc, _installedToString, initializer, $ZodError, $ZodRealError;
var init_errors2 = __esm({
  "node_modules/zod/v4/core/errors.js"() {
    init_core();
    init_util();
    _messageDesc = {
      get: _getMessage,
      set: _setMessage,
      enumerable: true,
      configurable: true
    };
    _issuesDesc = { value: void 0, enumerable: false };
    _installedToString = /* @__PURE__ */ new WeakSet([Object.prototype, Error.prototype]);
    initializer = (inst, def) => {
      inst.name = "$ZodError";
      _issuesDesc.value = def;
      Object.defineProperty(inst, "issues", _issuesDesc);
      _issuesDesc.value = void 0;
      Object.defineProperty(inst, "message", _messageDesc);
      const proto = Object.getPrototypeOf(inst);
      if (!_installedToString.has(proto)) {
        _installedToString.add(proto);
        Object.defineProperty(proto, "toString", {
          configurable: true,
          enumerable: false,
          get() {
            const value = () => this.message;
            Object.defineProperty(this, "toString", { value, configurable: true, writable: true });
            return value;
          },
          set(value) {
            Object.defineProperty(this, "toString", { value, configurable: true, writable: true });
          }
        });
      }
    };
    $ZodError = $constructor("$ZodError", initializer);
    $ZodRealError = $constructor("$ZodError", initializer, void 0, {
      Parent: Error
    });
  }
});

// node_modules/zod/v4/core/parse.js
function failure(Err, issues, ctx) {
  let error;
  return {
    success: false,
    get error() {
      if (!error) {
        error = new Err(issues.map((iss) => finalizeIssue(iss, ctx, config())));
        issues = void 0;
        ctx = void 0;
      }
      return error;
    },
    set error(e) {
      error = e;
      issues = void 0;
      ctx = void 0;
    }
  };
}
var _parse, parse, _parseAsync, parseAsync, _safeParse, safeParse, _safeParseAsync, safeParseAsync;
var init_parse = __esm({
  "node_modules/zod/v4/core/parse.js"() {
    init_core();
    init_errors2();
    init_util();
    _parse = (_Err) => {
      const fn = (schema, value, _ctx, _params) => {
        const ctx = _ctx ? { ..._ctx, async: false } : { async: false };
        const result = schema._zod.run({ value, issues: [] }, ctx);
        if (result instanceof Promise) {
          throw new $ZodAsyncError();
        }
        if (result.issues.length) {
          const e = new (_params?.Err ?? _Err)(result.issues.map((iss) => finalizeIssue(iss, ctx, config())));
          captureStackTrace(e, _params?.callee ?? fn);
          throw e;
        }
        return result.value;
      };
      return fn;
    };
    parse = /* @__PURE__ */ _parse($ZodRealError);
    _parseAsync = (_Err) => {
      const fn = async (schema, value, _ctx, params) => {
        const ctx = _ctx ? { ..._ctx, async: true } : { async: true };
        let result = schema._zod.run({ value, issues: [] }, ctx);
        if (result instanceof Promise)
          result = await result;
        if (result.issues.length) {
          const e = new (params?.Err ?? _Err)(result.issues.map((iss) => finalizeIssue(iss, ctx, config())));
          captureStackTrace(e, params?.callee ?? fn);
          throw e;
        }
        return result.value;
      };
      return fn;
    };
    parseAsync = /* @__PURE__ */ _parseAsync($ZodRealError);
    _safeParse = (_Err) => (schema, value, _ctx) => {
      const ctx = _ctx ? { ..._ctx, async: false } : { async: false };
      const result = schema._zod.run({ value, issues: [] }, ctx);
      if (result instanceof Promise) {
        throw new $ZodAsyncError();
      }
      return result.issues.length ? failure(_Err, result.issues, ctx) : { success: true, data: result.value };
    };
    safeParse = /* @__PURE__ */ _safeParse($ZodRealError);
    _safeParseAsync = (_Err) => async (schema, value, _ctx) => {
      const ctx = _ctx ? { ..._ctx, async: true } : { async: true };
      let result = schema._zod.run({ value, issues: [] }, ctx);
      if (result instanceof Promise)
        result = await result;
      return result.issues.length ? failure(_Err, result.issues, ctx) : { success: true, data: result.value };
    };
    safeParseAsync = /* @__PURE__ */ _safeParseAsync($ZodRealError);
  }
});

// node_modules/zod/v4/core/regexes.js
var anyString, number, boolean, _null;
var init_regexes = __esm({
  "node_modules/zod/v4/core/regexes.js"() {
    anyString = /^[\s\S]{0,}$/;
    number = /^-?\d+(?:\.\d+)?$/;
    boolean = /^(?:true|false)$/i;
    _null = /^null$/i;
  }
});

// node_modules/zod/v4/core/checks.js
var init_checks = __esm({
  "node_modules/zod/v4/core/checks.js"() {
  }
});

// node_modules/zod/v4/core/doc.js
var init_doc = __esm({
  "node_modules/zod/v4/core/doc.js"() {
  }
});

// node_modules/zod/v4/core/versions.js
var version;
var init_versions = __esm({
  "node_modules/zod/v4/core/versions.js"() {
    version = {
      major: 4,
      minor: 6,
      patch: 7
    };
  }
});

// node_modules/zod/v4/core/schemas.js
async function validateAsync(inst, value) {
  const ctx = { async: true };
  return toStandardResult(await inst._zod.run({ value, issues: [] }, ctx), ctx);
}
function standardProps(inst) {
  return {
    validate: (value) => {
      const ctx = { async: false };
      try {
        const r = inst._zod.run({ value, issues: [] }, ctx);
        if (!(r instanceof Promise))
          return toStandardResult(r, ctx);
      } catch (_) {
      }
      return validateAsync(inst, value);
    },
    vendor: "zod",
    version: 1
  };
}
function capSize(inst, size) {
  const caps = sizeCaps(inst._zod.def.checks);
  if (!caps.length)
    return;
  const cap = Math.min(...caps.map((c) => c[0]));
  const parse2 = inst._zod.parse;
  inst._zod.parse = (payload, ctx) => {
    const n = size(payload.value);
    if (n > cap && !ctx?.skipChecks && ctx?.direction !== "backward") {
      for (const [max, ch] of sizeCaps(inst._zod.def.checks)) {
        if (n > max && ch._zod.def.when(payload)) {
          const start = payload.issues.length;
          ch._zod.check(payload);
          payload.issues[start].continue = false;
          attachSchema(payload.issues, start, inst);
          return payload;
        }
      }
    }
    return parse2(payload, ctx);
  };
}
function handleArrayResult(result, final, index) {
  if (result.issues.length) {
    final.issues.push(...prefixIssues(index, result.issues));
  }
  final.value[index] = result.value;
}
function handlePropertyResult(result, final, key, input, optin, optout) {
  const isPresent = key in input;
  const isOptionalOut = optout === "optional";
  if (!isPresent && isOptionalOut && optin === "optional") {
    return;
  }
  if (result.issues.length) {
    if (optin !== void 0 && isOptionalOut && !isPresent) {
      return;
    }
    final.issues.push(...prefixIssues(key, result.issues));
  }
  if (!isPresent && optin === void 0) {
    if (!result.issues.length) {
      final.issues.push({
        code: "invalid_type",
        expected: "nonoptional",
        input: void 0,
        path: [key]
      });
    }
    return;
  }
  if (result.value === void 0) {
    if (isPresent || optin === "defaulted" && !isOptionalOut) {
      final.value[key] = void 0;
    }
  } else {
    final.value[key] = result.value;
  }
}
function normalizeDef(def) {
  const keys = Object.keys(def.shape);
  const ownSymbols = Object.getOwnPropertySymbols(def.shape);
  const symbolKeys = ownSymbols.length ? ownSymbols : NO_SYMBOL_KEYS;
  const allKeys = symbolKeys.length ? [...keys, ...symbolKeys] : keys;
  for (const k of allKeys) {
    if (!def.shape?.[k]?._zod?.traits?.has("$ZodType")) {
      throw new Error(`Invalid element at key "${String(k)}": expected a Zod schema`);
    }
  }
  const okeys = optionalKeys(def.shape);
  return {
    ...def,
    allKeys,
    symbolKeys,
    // string-only: handleCatchall matches it against `for...in`, which never yields a symbol
    keySet: new Set(keys),
    numKeys: keys.length,
    optionalKeys: new Set(okeys)
  };
}
function handleCatchall(proms, input, payload, ctx, def, inst, abortEarly) {
  const unrecognized = [];
  const keySet = def.keySet;
  const _catchall = def.catchall._zod;
  const t = _catchall.def.type;
  const optin = _catchall.optin;
  const optout = _catchall.optout;
  let seen = 0;
  for (const key in input) {
    if (abortEarly && payload.issues.length !== seen) {
      if (aborted(payload, seen))
        break;
      seen = payload.issues.length;
    }
    if (keySet.has(key))
      continue;
    if (key === "__proto__") {
      if (t === "never")
        unrecognized.push(key);
      continue;
    }
    if (t === "never") {
      unrecognized.push(key);
      continue;
    }
    const r = _catchall.run({ value: input[key], issues: [] }, ctx);
    if (r instanceof Promise) {
      proms.push(r.then((r2) => handlePropertyResult(r2, payload, key, input, optin, optout)));
    } else {
      handlePropertyResult(r, payload, key, input, optin, optout);
    }
  }
  if (unrecognized.length) {
    payload.issues.push({
      code: "unrecognized_keys",
      keys: unrecognized,
      input,
      inst,
      // Describes the shape of the input, not the validity of the parsed value, so it never aborts. The parse still fails; the schema's own checks just get to run first, and an enclosing intersection can reconcile the key against a sibling operand.
      continue: true
    });
  }
  if (!proms.length)
    return payload;
  return Promise.all(proms).then(() => {
    return payload;
  });
}
var $ZodType, toStandardResult, $ZodString, $ZodNumber, $ZodBoolean, $ZodNull, $ZodUnknown, arraySize, $ZodArray, NO_SYMBOL_KEYS, $ZodObject, $ZodEnum, $ZodNullable;
var init_schemas = __esm({
  "node_modules/zod/v4/core/schemas.js"() {
    init_core();
    init_regexes();
    init_util();
    init_versions();
    init_util();
    $ZodType = /* @__PURE__ */ $constructor("$ZodType", (inst, def) => {
      var _a3;
      inst ?? (inst = {});
      inst._zod.def = def;
      inst._zod.bag = inst._zod.bag || {};
      inst._zod.version = version;
      const defChecks = inst._zod.def.checks;
      const checks = inst._zod.traits.has("$ZodCheck") ? [inst, ...defChecks ?? []] : defChecks?.length ? [...defChecks] : [];
      for (const ch of checks) {
        for (const fn of ch._zod.onattach) {
          fn(inst);
        }
      }
      if (checks.length === 0) {
        (_a3 = inst._zod).deferred ?? (_a3.deferred = []);
        inst._zod.deferred?.push(() => {
          inst._zod.run = inst._zod.parse;
        });
      } else {
        const runChecks = (payload, checks2, ctx) => {
          if (payload.memo)
            return payload;
          let isAborted = aborted(payload);
          let asyncResult;
          for (const ch of checks2) {
            if (ch._zod.def.when) {
              if (explicitlyAborted(payload))
                continue;
              const shouldRun = ch._zod.def.when(payload);
              if (!shouldRun)
                continue;
            } else if (isAborted) {
              continue;
            }
            const currLen = payload.issues.length;
            const _ = ch._zod.check(payload);
            if (_ instanceof Promise && ctx?.async === false) {
              throw new $ZodAsyncError();
            }
            if (asyncResult || _ instanceof Promise) {
              asyncResult = (asyncResult ?? Promise.resolve()).then(async () => {
                await _;
                const nextLen = payload.issues.length;
                if (nextLen === currLen)
                  return;
                attachSchema(payload.issues, currLen, inst);
                if (!isAborted)
                  isAborted = aborted(payload, currLen);
              });
            } else {
              const nextLen = payload.issues.length;
              if (nextLen === currLen)
                continue;
              attachSchema(payload.issues, currLen, inst);
              if (!isAborted)
                isAborted = aborted(payload, currLen);
            }
          }
          if (asyncResult) {
            return asyncResult.then(() => {
              return payload;
            });
          }
          return payload;
        };
        const handleCanaryResult = (canary, payload, ctx) => {
          if (aborted(canary)) {
            canary.aborted = true;
            return canary;
          }
          const checkResult = runChecks(payload, checks, ctx);
          if (checkResult instanceof Promise) {
            if (ctx.async === false)
              throw new $ZodAsyncError();
            return checkResult.then((checkResult2) => inst._zod.parse(checkResult2, ctx));
          }
          return inst._zod.parse(checkResult, ctx);
        };
        inst._zod.run = (payload, ctx) => {
          if (ctx.skipChecks) {
            return inst._zod.parse(payload, ctx);
          }
          if (ctx.direction === "backward") {
            const canary = inst._zod.parse({ value: payload.value, issues: [] }, { ...ctx, skipChecks: true });
            if (canary instanceof Promise) {
              return canary.then((canary2) => {
                return handleCanaryResult(canary2, payload, ctx);
              });
            }
            return handleCanaryResult(canary, payload, ctx);
          }
          const result = inst._zod.parse(payload, ctx);
          if (result instanceof Promise) {
            if (ctx.async === false)
              throw new $ZodAsyncError();
            return result.then((result2) => runChecks(result2, checks, ctx));
          }
          return runChecks(result, checks, ctx);
        };
      }
    }, {
      // Wrappers extend this by installing a richer factory over it; reading it eagerly would defeat the laziness.
      get "~standard"() {
        return hide(this, "~standard", standardProps(this));
      },
      set "~standard"(value) {
        own(this, "~standard", value);
      }
    });
    toStandardResult = (r, ctx) => r.issues.length ? { issues: r.issues.map((iss) => finalizeIssue(iss, ctx, config())) } : { value: r.value };
    $ZodString = /* @__PURE__ */ $constructor("$ZodString", (inst, def) => {
      $ZodType.init(inst, def);
      inst._zod.pattern = def.pattern ?? anyString;
      inst._zod.parse = (payload, _) => {
        if (def.coerce)
          try {
            payload.value = String(payload.value);
          } catch (_2) {
          }
        if (typeof payload.value === "string")
          return payload;
        payload.issues.push({
          expected: "string",
          code: "invalid_type",
          input: payload.value,
          inst
        });
        return payload;
      };
    });
    $ZodNumber = /* @__PURE__ */ $constructor("$ZodNumber", (inst, def) => {
      $ZodType.init(inst, def);
      inst._zod.pattern = number;
      inst._zod.parse = (payload, _ctx) => {
        if (def.coerce)
          try {
            payload.value = Number(payload.value);
          } catch (_) {
          }
        const input = payload.value;
        if (typeof input === "number" && !Number.isNaN(input) && Number.isFinite(input)) {
          return payload;
        }
        const received = typeof input === "number" ? Number.isNaN(input) ? "NaN" : !Number.isFinite(input) ? String(input) : void 0 : void 0;
        payload.issues.push({
          expected: "number",
          code: "invalid_type",
          input,
          inst,
          ...received ? { received } : {}
        });
        return payload;
      };
    });
    $ZodBoolean = /* @__PURE__ */ $constructor("$ZodBoolean", (inst, def) => {
      $ZodType.init(inst, def);
      inst._zod.pattern = boolean;
      inst._zod.parse = (payload, _ctx) => {
        if (def.coerce)
          try {
            payload.value = Boolean(payload.value);
          } catch (_) {
          }
        const input = payload.value;
        if (typeof input === "boolean")
          return payload;
        payload.issues.push({
          expected: "boolean",
          code: "invalid_type",
          input,
          inst
        });
        return payload;
      };
    });
    $ZodNull = /* @__PURE__ */ $constructor("$ZodNull", (inst, def) => {
      $ZodType.init(inst, def);
      inst._zod.pattern = _null;
      inst._zod.values = /* @__PURE__ */ new Set([null]);
      inst._zod.parse = (payload, _ctx) => {
        const input = payload.value;
        if (input === null)
          return payload;
        payload.issues.push({
          expected: "null",
          code: "invalid_type",
          input,
          inst
        });
        return payload;
      };
    });
    $ZodUnknown = /* @__PURE__ */ $constructor("$ZodUnknown", (inst, def) => {
      $ZodType.init(inst, def);
      inst._zod.parse = (payload) => payload;
    });
    arraySize = (input) => Array.isArray(input) ? input.length : -1;
    $ZodArray = /* @__PURE__ */ $constructor("$ZodArray", (inst, def) => {
      $ZodType.init(inst, def);
      const memo = globalConfig.memoizer;
      memo?.attach(inst);
      inst._zod.parse = (payload, ctx) => {
        const input = payload.value;
        if (!Array.isArray(input)) {
          payload.issues.push({
            expected: "array",
            code: "invalid_type",
            input,
            inst
          });
          return payload;
        }
        payload.value = memo ? memo.alloc(inst, payload, Array(input.length), ctx) : Array(input.length);
        const proms = [];
        const abortEarly = ctx?.abortEarly;
        for (let i = 0; i < input.length; i++) {
          const item2 = input[i];
          const result = def.element._zod.run({
            value: item2,
            issues: []
          }, ctx);
          if (result instanceof Promise) {
            proms.push(result.then((result2) => handleArrayResult(result2, payload, i)));
          } else {
            handleArrayResult(result, payload, i);
            if (abortEarly && result.issues.length !== 0 && aborted(result))
              break;
          }
        }
        if (proms.length) {
          return Promise.all(proms).then(() => payload);
        }
        return payload;
      };
      capSize(inst, arraySize);
    });
    NO_SYMBOL_KEYS = [];
    $ZodObject = /* @__PURE__ */ $constructor("$ZodObject", (inst, def) => {
      $ZodType.init(inst, def);
      const desc = Object.getOwnPropertyDescriptor(def, "shape");
      const sh = desc?.get ? desc.get.raw : def.shape ?? {};
      if (sh) {
        const get = () => {
          const newSh = { ...sh };
          Object.defineProperty(def, "shape", { value: newSh });
          get.raw = newSh;
          return newSh;
        };
        get.raw = sh;
        Object.defineProperty(def, "shape", { get });
      }
      const _normalized = cached(() => normalizeDef(def));
      defineLazyInternal(inst, "propValues", (zod) => {
        const shape = zod.def.shape;
        const propValues = {};
        for (const key in shape) {
          const field = shape[key]._zod;
          if (field.values) {
            if (!Object.prototype.hasOwnProperty.call(propValues, key)) {
              assignProp(propValues, key, /* @__PURE__ */ new Set());
            }
            for (const v of field.values)
              propValues[key].add(v);
            if (field.optin !== void 0)
              propValues[key].add(void 0);
          }
        }
        return propValues;
      });
      const isObject2 = isObject;
      const catchall = def.catchall;
      let value;
      const memo = globalConfig.memoizer;
      memo?.attach(inst);
      inst._zod.parse = (payload, ctx) => {
        value ?? (value = _normalized.value);
        const input = payload.value;
        if (!isObject2(input)) {
          payload.issues.push({
            expected: "object",
            code: "invalid_type",
            input,
            inst
          });
          return payload;
        }
        payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
        const proms = [];
        const shape = value.shape;
        const abortEarly = ctx?.abortEarly;
        let seen = payload.issues.length;
        for (const key of value.allKeys) {
          if (abortEarly && payload.issues.length !== seen) {
            if (aborted(payload, seen))
              break;
            seen = payload.issues.length;
          }
          if (key === "__proto__")
            continue;
          const el = shape[key];
          const optin = el._zod.optin;
          const optout = el._zod.optout;
          const r = el._zod.run({ value: input[key], issues: [] }, ctx);
          if (r instanceof Promise) {
            proms.push(r.then((r2) => handlePropertyResult(r2, payload, key, input, optin, optout)));
          } else {
            handlePropertyResult(r, payload, key, input, optin, optout);
          }
        }
        if (!catchall) {
          return proms.length ? Promise.all(proms).then(() => payload) : payload;
        }
        return handleCatchall(proms, input, payload, ctx, _normalized.value, inst, abortEarly === true);
      };
    });
    $ZodEnum = /* @__PURE__ */ $constructor("$ZodEnum", (inst, def) => {
      $ZodType.init(inst, def);
      const values = getEnumValues(def.entries);
      const valuesSet = new Set(values);
      inst._zod.values = valuesSet;
      defineLazyInternal(inst, "pattern", (zod) => {
        const patternValues = getEnumValues(zod.def.entries).filter((k) => propertyKeyTypes.has(typeof k));
        return new RegExp(patternValues.length ? `^(${patternValues.map((o) => escapeRegex(o.toString())).join("|")})$` : "^[^\\s\\S]$");
      });
      inst._zod.parse = (payload, _ctx) => {
        const input = payload.value;
        if (valuesSet.has(input)) {
          return payload;
        }
        payload.issues.push({
          code: "invalid_value",
          values,
          input,
          inst
        });
        return payload;
      };
    });
    $ZodNullable = /* @__PURE__ */ $constructor("$ZodNullable", (inst, def) => {
      $ZodType.init(inst, def);
      defineLazyInternal(inst, "optin", (zod) => zod.def.innerType._zod.optin);
      defineLazyInternal(inst, "optout", (zod) => zod.def.innerType._zod.optout);
      defineLazyInternal(inst, "pattern", (zod) => {
        const pattern = zod.def.innerType._zod.pattern;
        return pattern ? new RegExp(`^(${cleanRegex(pattern.source)}|null)$`) : void 0;
      });
      defineLazyInternal(inst, "values", (zod) => {
        return zod.def.innerType._zod.values ? /* @__PURE__ */ new Set([...zod.def.innerType._zod.values, null]) : void 0;
      });
      inst._zod.parse = (payload, ctx) => {
        if (payload.value === null)
          return payload;
        return def.innerType._zod.run(payload, ctx);
      };
    });
  }
});

// node_modules/zod/v4/core/memoizer.js
var init_memoizer = __esm({
  "node_modules/zod/v4/core/memoizer.js"() {
  }
});

// node_modules/zod/v4/locales/index.js
var init_locales = __esm({
  "node_modules/zod/v4/locales/index.js"() {
  }
});

// node_modules/zod/v4/core/registries.js
function registry() {
  return new $ZodRegistry();
}
var _a2, $ZodRegistry, globalRegistry;
var init_registries = __esm({
  "node_modules/zod/v4/core/registries.js"() {
    $ZodRegistry = class {
      constructor() {
        this._map = /* @__PURE__ */ new WeakMap();
        this._idmap = /* @__PURE__ */ new Map();
      }
      add(schema, ..._meta) {
        const meta2 = _meta[0];
        this._map.set(schema, meta2);
        if (meta2 && typeof meta2 === "object" && "id" in meta2) {
          this._idmap.set(meta2.id, schema);
        }
        return this;
      }
      clear() {
        this._map = /* @__PURE__ */ new WeakMap();
        this._idmap = /* @__PURE__ */ new Map();
        return this;
      }
      remove(schema) {
        const meta2 = this._map.get(schema);
        if (meta2 && typeof meta2 === "object" && "id" in meta2) {
          this._idmap.delete(meta2.id);
        }
        this._map.delete(schema);
        return this;
      }
      get(schema) {
        const p = schema._zod.parent;
        if (p) {
          const pm = { ...this.get(p) ?? {} };
          delete pm.id;
          const f = { ...pm, ...this._map.get(schema) };
          return Object.keys(f).length ? f : void 0;
        }
        return this._map.get(schema);
      }
      has(schema) {
        return this._map.has(schema);
      }
    };
    (_a2 = globalThis).__zod_globalRegistry ?? (_a2.__zod_globalRegistry = registry());
    globalRegistry = globalThis.__zod_globalRegistry;
  }
});

// node_modules/zod/v4/core/compile.js
var init_compile = __esm({
  "node_modules/zod/v4/core/compile.js"() {
  }
});

// node_modules/zod/v4/core/api.js
function snapshotChecks(def) {
  if (def.checks)
    def.checks = [...def.checks];
  return def;
}
// @__NO_SIDE_EFFECTS__
function _string(Class, params) {
  return new Class(snapshotChecks({ type: "string", ...normalizeParams(params) }));
}
// @__NO_SIDE_EFFECTS__
function _number(Class, params) {
  return new Class(snapshotChecks({ type: "number", checks: [], ...normalizeParams(params) }));
}
// @__NO_SIDE_EFFECTS__
function _boolean(Class, params) {
  return new Class({
    type: "boolean",
    ...normalizeParams(params)
  });
}
// @__NO_SIDE_EFFECTS__
function _null2(Class, params) {
  return new Class({
    type: "null",
    ...normalizeParams(params)
  });
}
// @__NO_SIDE_EFFECTS__
function _unknown(Class) {
  return new Class({
    type: "unknown"
  });
}
var init_api = __esm({
  "node_modules/zod/v4/core/api.js"() {
    init_util();
  }
});

// node_modules/zod/v4/core/to-json-schema.js
var init_to_json_schema = __esm({
  "node_modules/zod/v4/core/to-json-schema.js"() {
  }
});

// node_modules/zod/v4/core/json-schema.js
var init_json_schema = __esm({
  "node_modules/zod/v4/core/json-schema.js"() {
  }
});

// node_modules/zod/v4/core/index.js
var init_core2 = __esm({
  "node_modules/zod/v4/core/index.js"() {
    init_core();
    init_parse();
    init_errors2();
    init_schemas();
    init_memoizer();
    init_checks();
    init_versions();
    init_util();
    init_regexes();
    init_locales();
    init_registries();
    init_doc();
    init_compile();
    init_api();
    init_to_json_schema();
    init_json_schema();
  }
});

// node_modules/zod/v4/mini/parse.js
var init_parse2 = __esm({
  "node_modules/zod/v4/mini/parse.js"() {
    init_core2();
  }
});

// node_modules/zod/v4/mini/schemas.js
// @__NO_SIDE_EFFECTS__
function string2(params) {
  return _string(ZodMiniString, params);
}
// @__NO_SIDE_EFFECTS__
function number2(params) {
  return _number(ZodMiniNumber, params);
}
// @__NO_SIDE_EFFECTS__
function boolean2(params) {
  return _boolean(ZodMiniBoolean, params);
}
// @__NO_SIDE_EFFECTS__
function _null3(params) {
  return _null2(ZodMiniNull, params);
}
// @__NO_SIDE_EFFECTS__
function unknown() {
  return _unknown(ZodMiniUnknown);
}
// @__NO_SIDE_EFFECTS__
function array(element, params) {
  return new ZodMiniArray({
    type: "array",
    element,
    ...normalizeParams(params)
  });
}
// @__NO_SIDE_EFFECTS__
function object(shape, params) {
  const def = {
    type: "object",
    shape: shape ?? {},
    ...normalizeParams(params)
  };
  return new ZodMiniObject(def);
}
// @__NO_SIDE_EFFECTS__
function _enum(values, params) {
  const entries = Array.isArray(values) ? Object.fromEntries(values.map((v) => [v, v])) : values;
  return new ZodMiniEnum({
    type: "enum",
    entries,
    ...normalizeParams(params)
  });
}
// @__NO_SIDE_EFFECTS__
function nullable(innerType) {
  return new ZodMiniNullable({
    type: "nullable",
    innerType
  });
}
var ZodMiniType, ZodMiniString, ZodMiniNumber, ZodMiniBoolean, ZodMiniNull, ZodMiniUnknown, ZodMiniArray, ZodMiniObject, ZodMiniEnum, ZodMiniNullable;
var init_schemas2 = __esm({
  "node_modules/zod/v4/mini/schemas.js"() {
    init_core2();
    init_util();
    init_parse2();
    ZodMiniType = /* @__PURE__ */ $constructor("ZodMiniType", (inst, def) => {
      if (!inst._zod)
        throw new Error("Uninitialized schema in ZodMiniType.");
      $ZodType.init(inst, def);
      inst.def = def;
      inst.type = def.type;
    }, {
      // `with` is an alias for `check`: the same function object, not a wrapper.
      get with() {
        return this.check;
      },
      set with(value) {
        own(this, "with", value);
      },
      parse(data, params) {
        return parse(this, data, params, { callee: this.parse });
      },
      parseAsync(data, params) {
        return parseAsync(this, data, params, { callee: this.parseAsync });
      },
      safeParse(data, params) {
        return safeParse(this, data, params);
      },
      safeParseAsync(data, params) {
        return safeParseAsync(this, data, params);
      },
      check(...checks) {
        const def = this.def;
        return this.clone({
          ...def,
          checks: [
            ...def.checks ?? [],
            ...checks.map((ch) => typeof ch === "function" ? { _zod: { check: ch, def: { check: "custom" }, onattach: [] } } : ch)
          ]
        }, { parent: true });
      },
      clone(_def, params) {
        return clone(this, _def, params);
      },
      brand() {
        return this;
      },
      register(reg, meta2) {
        reg.add(this, meta2);
        return this;
      },
      apply(fn, ...args) {
        return args.length === 0 ? fn(this) : fn(this, ...args);
      }
    });
    ZodMiniString = /* @__PURE__ */ $constructor("ZodMiniString", (inst, def) => {
      $ZodString.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniNumber = /* @__PURE__ */ $constructor("ZodMiniNumber", (inst, def) => {
      $ZodNumber.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniBoolean = /* @__PURE__ */ $constructor("ZodMiniBoolean", (inst, def) => {
      $ZodBoolean.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniNull = /* @__PURE__ */ $constructor("ZodMiniNull", (inst, def) => {
      $ZodNull.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniUnknown = /* @__PURE__ */ $constructor("ZodMiniUnknown", (inst, def) => {
      $ZodUnknown.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniArray = /* @__PURE__ */ $constructor("ZodMiniArray", (inst, def) => {
      $ZodArray.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniObject = /* @__PURE__ */ $constructor("ZodMiniObject", (inst, def) => {
      $ZodObject.init(inst, def);
      ZodMiniType.init(inst, def);
      installLazyProp(inst, "shape", (self) => self._zod.def.shape, false);
    });
    ZodMiniEnum = /* @__PURE__ */ $constructor("ZodMiniEnum", (inst, def) => {
      $ZodEnum.init(inst, def);
      ZodMiniType.init(inst, def);
      inst.options = [...inst._zod.values];
    });
    ZodMiniNullable = /* @__PURE__ */ $constructor("ZodMiniNullable", (inst, def) => {
      $ZodNullable.init(inst, def);
      ZodMiniType.init(inst, def);
    });
  }
});

// node_modules/zod/v4/mini/checks.js
var init_checks2 = __esm({
  "node_modules/zod/v4/mini/checks.js"() {
  }
});

// node_modules/zod/v4/mini/iso.js
var init_iso = __esm({
  "node_modules/zod/v4/mini/iso.js"() {
  }
});

// node_modules/zod/v4/mini/coerce.js
var init_coerce = __esm({
  "node_modules/zod/v4/mini/coerce.js"() {
  }
});

// node_modules/zod/v4/mini/external.js
var init_external = __esm({
  "node_modules/zod/v4/mini/external.js"() {
    init_core2();
    init_parse2();
    init_schemas2();
    init_checks2();
    init_locales();
    init_iso();
    init_coerce();
  }
});

// node_modules/zod/mini/index.js
var init_mini = __esm({
  "node_modules/zod/mini/index.js"() {
    init_external();
  }
});

// scripts-src/unit/records.ts
var SCHEMA;
var init_records = __esm({
  "scripts-src/unit/records.ts"() {
    "use strict";
    SCHEMA = 1;
  }
});

// scripts-src/unit/state-dir.ts
function stateFile(stateDir, file) {
  return import_node_path6.default.join(stateDir, STATE_FILES[file]);
}
var import_node_path6, STATE_FILES;
var init_state_dir = __esm({
  "scripts-src/unit/state-dir.ts"() {
    "use strict";
    import_node_path6 = __toESM(require("node:path"), 1);
    init_files();
    STATE_FILES = {
      /** Epoch seconds of an older result, or 0. */
      preMtime: "pre-mtime",
      /** Epoch seconds of the start. */
      timestamp: "timestamp",
      /** Absolute path of the result. */
      resultFile: "result-file",
      dispatchPid: "dispatch-pid",
      /** All of the worker's stdout and stderr, the executor's trace left out. */
      tail: "tail",
      /** stderr of a worker whose trace shares it; all but the trace is moved to the tail. */
      stderr: "stderr",
      scratch: "work",
      /** First line the reason, then the evidence. Only when the unit was reaped; `dispatch-dead` by a guardian. */
      reapReason: "reap-reason",
      /** Signal that asked the dispatcher to end, as its guardian must know when it does not get that far. */
      stopSignal: "stop-signal",
      unit: "unit.json",
      outcome: "outcome.json",
      /** What stood at the outcome's name before its supervisor wrote it: a worker's own doing. */
      foreignOutcome: "foreign-outcome",
      /** Space kept for the outcome, so that a full disk cannot prevent it. */
      outcomeReserve: ".outcome-reserve",
      progress: "progress",
      /** Quiet file: touched once, after the outcome. Watchers watch it and nothing else. */
      wake: "wake",
      prompt: "prompt",
      lastMessage: "last-message",
      previousResult: "previous-result",
      emptyResult: "empty-result",
      /** Start fence: whoever creates it may start the worker, or may declare that it never started. */
      started: "started",
      /** Exit code of the worker, written by the shim. */
      exit: "exit",
      /** Identities of the unit's processes, where the system shows no marks (macOS). */
      members: "members",
      /** Pid of the guardian, written by its starter: the worker's shim waits for it. */
      guardianPid: ".guardian-pid",
      /** Identity of the guardian. */
      guardian: "guardian"
    };
  }
});

// scripts-src/unit/read-records.ts
function readUnitRecord(stateDir) {
  return readRecord(stateFile(stateDir, "unit"), unitRecord);
}
function readOutcome(stateDir) {
  return readRecord(stateFile(stateDir, "outcome"), outcomeRecord);
}
function readProgress(stateDir) {
  return readRecord(stateFile(stateDir, "progress"), progressRecord);
}
function readRecord(file, schema) {
  const text = readValue(file);
  if (!text) return void 0;
  const json = parseJson(text);
  refuseNewer(json, file);
  const parsed2 = schema.safeParse(json);
  return parsed2.success ? parsed2.data : void 0;
}
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
function refuseNewer(json, file) {
  if (typeof json !== "object" || json === null || !("schema" in json)) return;
  if (typeof json.schema !== "number" || json.schema <= SCHEMA) return;
  throw new PrunError(
    "E_NEWER_SCHEMA",
    `${file} has schema ${json.schema}, this prun knows ${SCHEMA}`,
    "use the newer prun that wrote it"
  );
}
var limits, unitRecord, namedProcesses, outcomeRecord, progressRecord;
var init_read_records = __esm({
  "scripts-src/unit/read-records.ts"() {
    "use strict";
    init_mini();
    init_errors();
    init_files();
    init_records();
    init_state_dir();
    limits = object({
      stallThresholdSeconds: number2(),
      timeoutSeconds: number2(),
      maxOutputBytes: number2()
    });
    unitRecord = object({
      schema: number2(),
      unit: string2(),
      attempt: number2(),
      executor: string2(),
      argv: array(string2()),
      cwd: string2(),
      promptFile: string2(),
      resultFile: string2(),
      base: _null3(),
      limits,
      marker: string2(),
      rssMark: nullable(string2()),
      since: number2(),
      supervisor: string2(),
      worker: nullable(string2()),
      startedAt: string2(),
      startedMonotonicMs: number2(),
      boot: string2()
    });
    namedProcesses = array(object({ pid: number2(), command: string2() }));
    outcomeRecord = object({
      schema: number2(),
      unit: string2(),
      attempt: number2(),
      executor: string2(),
      status: _enum(["succeeded", "failed", "cancelled", "interrupted"]),
      // A reason of a newer version is shown as it is written.
      reason: string2(),
      detail: string2(),
      exitCode: nullable(number2()),
      signal: nullable(string2()),
      signalInferred: boolean2(),
      result: nullable(object({ path: string2(), origin: string2(), bytes: number2() })),
      resultError: nullable(string2()),
      sessionId: nullable(string2()),
      tokens: nullable(
        object({
          input: number2(),
          cachedInput: number2(),
          output: number2(),
          reasoningOutput: number2()
        })
      ),
      startedAt: string2(),
      endedAt: string2(),
      durationMs: number2(),
      lastEvidence: nullable(object({ kind: string2(), at: string2(), quietSeconds: number2() })),
      reaped: namedProcesses,
      survivors: namedProcesses,
      delta: unknown(),
      supervisor: string2(),
      stateDir: string2()
    });
    progressRecord = object({
      schema: number2(),
      boot: string2(),
      monotonicMs: number2(),
      at: string2(),
      kind: string2()
    });
  }
});

// scripts-src/commands/unit-view.ts
function watchStateDir(stateDir, executor) {
  const events = executor.events();
  let says = "";
  let movedMs;
  let outcome;
  let tail;
  function onLine2(line) {
    const event = events.read(line);
    if (event?.progress) movedMs = monotonicMs();
    const isFormal = event?.kind === "session" || event?.kind === "end" && event.progress;
    if (event?.text && !isFormal) says = event.text;
  }
  function evidence() {
    const record = readProgress(stateDir);
    if (!record && movedMs === void 0) return void 0;
    const now = monotonicMs();
    return record && record.monotonicMs >= (movedMs ?? 0) ? { kind: record.kind, quietMs: Math.max(0, now - record.monotonicMs) } : { kind: "event", quietMs: Math.max(0, now - (movedMs ?? now)) };
  }
  function phase() {
    if (outcome) return "ended";
    return (0, import_node_fs8.existsSync)(stateFile(stateDir, "reapReason")) ? "reaping" : "running";
  }
  return {
    look() {
      outcome ??= readOutcome(stateDir);
      const file = stateFile(stateDir, "tail");
      if (!tail && (0, import_node_fs8.existsSync)(file)) tail = followLines(file, onLine2);
      tail?.advance();
      return { phase: phase(), says, evidence: evidence(), outcome };
    },
    close() {
      tail?.close();
      tail = void 0;
    }
  };
}
var import_node_fs8;
var init_unit_view = __esm({
  "scripts-src/commands/unit-view.ts"() {
    "use strict";
    import_node_fs8 = require("node:fs");
    init_clock();
    init_line_follower();
    init_read_records();
    init_state_dir();
  }
});

// scripts-src/commands/demo-live.ts
function showLive(dispatches, title, output) {
  const startedMs = performance.now();
  const screen = createScreen(output.write);
  const units = dispatches.map((dispatch) => {
    return {
      dispatch,
      watch: void 0,
      view: void 0,
      row: startingRow(dispatch),
      isFinal: false,
      told: ""
    };
  });
  const unitCells = Math.max(...dispatches.map(({ unit }) => unit.id.length));
  function lookAt(unit) {
    const { dispatch } = unit;
    if (unit.isFinal) return;
    unit.isFinal = dispatch.exitCode() !== void 0;
    const dir = dispatch.stateDir();
    if (dir) unit.watch ??= watchStateDir(dir, codex);
    unit.view = unit.watch?.look();
    unit.row = rowOf(unit, performance.now() - dispatch.startedMs);
  }
  function drawBoard() {
    const columns = output.columns();
    const time2 = durationText(performance.now() - startedMs);
    const rows = units.map((unit) => unit.row);
    screen.draw(boardLines(`${title} · ${time2}`, rows, columns - 1, output.paint), columns);
  }
  function printChanges() {
    for (const unit of units) {
      const { row } = unit;
      if (row.state === "starting") continue;
      const line = `${row.unit.padEnd(unitCells)}  ${row.state.padEnd(9)}  ${changeText(unit)}`;
      if (line === unit.told) continue;
      unit.told = line;
      const time2 = durationText(performance.now() - startedMs).padStart(6);
      output.write(`${fitCells(`${time2}  ${line}`.trimEnd(), output.columns())}
`);
    }
  }
  return {
    look() {
      for (const unit of units) lookAt(unit);
      if (output.kind === "board") drawBoard();
      if (output.kind === "lines") printChanges();
      return units.every((unit) => unit.isFinal);
    },
    close() {
      screen.close();
      for (const unit of units) unit.watch?.close();
    }
  };
}
function startingRow({ unit }) {
  return { unit: unit.id, state: "starting", tone: "faint", elapsedMs: 0, evidence: "", now: unit.role };
}
function rowOf({ dispatch, view, isFinal }, elapsedMs) {
  const base = { ...startingRow(dispatch), elapsedMs };
  if (view?.outcome) return endedRow(base, view.outcome);
  if (isFinal) return { ...base, state: "lost", tone: "bad", now: readableLine(dispatch.complaint()) };
  if (!view) return base;
  const evidence = evidenceText2(view);
  const now = view.says || "started";
  if (view.phase === "reaping") {
    return { ...base, state: "reaping", tone: "warn", evidence, now: "ending it and all that it started" };
  }
  const isQuiet = quietMsOf(view) >= dispatch.unit.stallThresholdSeconds * 1e3 * QUIET_SHARE;
  return { ...base, state: isQuiet ? "quiet" : "running", tone: isQuiet ? "warn" : "busy", evidence, now };
}
function endedRow(base, outcome) {
  const elapsedMs = outcome.durationMs;
  return {
    ...base,
    elapsedMs,
    state: outcome.status,
    tone: toneOfStatus(outcome.status),
    evidence: "",
    now: `${outcome.reason}${endNote(outcome)}`
  };
}
function endNote({ reaped, result, exitCode, reason, survivors }) {
  const notes = [];
  if (reason === "exit" && exitCode !== null) notes.push(`code ${exitCode}`);
  if (reaped.length > 0) notes.push(`${countOf(reaped.length, "process", "processes")} reaped`);
  if (survivors.length > 0) notes.push(`${survivors.length} STILL ALIVE`);
  if (result?.origin === "worker") notes.push("result written");
  if (result?.origin === "last-message") notes.push("last message saved");
  if (result?.origin === "tail") notes.push("output saved");
  if (!result) notes.push("no result");
  return notes.map((note) => `, ${note}`).join("");
}
function quietMsOf(view) {
  return view.evidence?.quietMs ?? 0;
}
function evidenceText2(view) {
  return view.evidence ? `${view.evidence.kind} ${durationText(view.evidence.quietMs)}` : "";
}
function changeText({ row, dispatch, view }) {
  if (row.state !== "quiet") return row.now;
  return `no progress since ${view?.evidence?.kind ?? "its start"}; the limit is ${dispatch.unit.stallThresholdSeconds}s`;
}
var QUIET_SHARE;
var init_demo_live = __esm({
  "scripts-src/commands/demo-live.ts"() {
    "use strict";
    init_codex();
    init_readable_line();
    init_board();
    init_cells();
    init_digest();
    init_figures();
    init_screen();
    init_unit_view();
    QUIET_SHARE = 0.5;
  }
});

// scripts-src/commands/demo-place.ts
function makeDemoFolder() {
  const home = import_node_os3.default.tmpdir();
  try {
    return (0, import_node_fs9.realpathSync)((0, import_node_fs9.mkdtempSync)(import_node_path7.default.join(home, "prun-demo-")));
  } catch (error) {
    throw usageError(
      `the temp folder ${home} cannot be used (${messageOf(error)})`,
      "set TMPDIR to a writable folder"
    );
  }
}
function fillDemoFolder(folder, environment) {
  const at = (name2) => import_node_path7.default.join(folder, name2);
  for (const name2 of ["agent-io", "state", "tmp", "project"]) (0, import_node_fs9.mkdirSync)(at(name2), { mode: PRIVATE_DIR });
  const git = createGit(at("tmp"), environment);
  const base = makeRepository(git, at("project"), PROJECT);
  makeClone(git, at("project"), at("clone"));
  (0, import_node_fs9.writeFileSync)(at("never-ends.cjs"), NEVER_ENDS, { mode: PRIVATE_FILE });
  return {
    folder,
    io: at("agent-io"),
    stateHome: at("state"),
    temp: at("tmp"),
    project: at("project"),
    clone: at("clone"),
    base,
    neverEnds: at("never-ends.cjs"),
    node: process.execPath,
    git,
    promptFile: (unit) => import_node_path7.default.join(folder, "agent-io", `p-${unit}.md`),
    resultFile: (unit) => import_node_path7.default.join(folder, "agent-io", `r-${unit}.md`)
  };
}
function writeEmbeddedWorker(folder, script) {
  const isWindows = process.platform === "win32";
  const file = import_node_path7.default.join(folder, isWindows ? "codex.cmd" : "codex");
  const text = isWindows ? `@"${process.execPath}" "${script}" demo-worker %*\r
` : `#!/bin/sh
# Plays codex in prun's demo.
exec ${shellWord(process.execPath)} ${shellWord(script)} demo-worker "$@"
`;
  (0, import_node_fs9.writeFileSync)(file, text, { mode: 448 });
  try {
    (0, import_node_fs9.accessSync)(file, import_node_fs9.constants.X_OK);
  } catch {
    throw usageError(
      `no program may run in ${folder}`,
      "set TMPDIR to a folder on a disk that is not mounted noexec"
    );
  }
  return file;
}
function shellWord(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
var import_node_fs9, import_node_os3, import_node_path7, PROJECT, NEVER_ENDS;
var init_demo_place = __esm({
  "scripts-src/commands/demo-place.ts"() {
    "use strict";
    import_node_fs9 = require("node:fs");
    import_node_os3 = __toESM(require("node:os"), 1);
    import_node_path7 = __toESM(require("node:path"), 1);
    init_errors();
    init_files();
    init_demo_git();
    PROJECT = {
      "README.md": "# Titles\n\nTwo helpers for headlines.\n",
      "src/titles.mjs": `/** A headline as part of an address: lower case, words joined by dashes. */
export function slug(title) {
  return title.toLowerCase().replace(/[^a-z0-9]/g, '-');
}

/** A headline that fits into so many characters. */
export function shorten(title, limit) {
  return title.length <= limit ? title : \`\${title.slice(0, limit - 1)}…\`;
}
`,
      "test/titles.test.mjs": `import assert from "node:assert/strict";
import { slug } from "../src/titles.mjs";

assert.equal(slug("Hello World"), "hello-world");
assert.equal(slug(" What -- a day! "), "what-a-day");
console.log("ok");
`
    };
    NEVER_ENDS = `// What the demo's hanging unit runs: leaves a process in a session of its own and never ends, whatever signal asks.
const { spawn } = require('node:child_process');
if (process.argv[2] !== 'grandchild') {
  spawn(process.execPath, [__filename, 'grandchild'], { detached: true, stdio: 'ignore' }).unref();
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
setInterval(() => {}, 2 ** 30);
`;
  }
});

// scripts-src/render/ledger-table.ts
function ledgerLines(rows, width = Number.POSITIVE_INFINITY, paint = (_, text) => text) {
  const clean = rows.map(cleanRow);
  const columns = columnsFor(clean, width);
  const widths = shrink(
    columns.map((column) => cellsNeeded(clean, column)),
    width - GAP.length * (columns.length - 1)
  );
  const line = (texts) => texts.map((text, i) => padCells(text, widths[i] ?? 0)).join(GAP);
  return [
    paint("faint", line(columns.map((column) => TITLES[column])).trimEnd()),
    ...clean.map((row) => {
      const texts = columns.map((column, i) => {
        const cell = padCells(row[column], widths[i] ?? 0);
        return column === "status" ? paint(row.tone, cell) : cell;
      });
      return texts.join(GAP).trimEnd();
    })
  ];
}
function ledgerMarkdown(rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [
    line(COLUMNS.map((column) => TITLES[column])),
    line(COLUMNS.map(() => "---")),
    ...rows.map(cleanRow).map((row) => line(COLUMNS.map((column) => row[column].replace(/([\\|])/g, "\\$1"))))
  ];
}
function cleanRow(row) {
  const clean = { ...row };
  for (const column of COLUMNS) clean[column] = row[column].replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return clean;
}
function cellsNeeded(rows, column) {
  return Math.max(cellsOf(TITLES[column]), ...rows.map((row) => cellsOf(row[column])));
}
function columnsFor(rows, width) {
  let columns = COLUMNS;
  for (const name2 of DISPENSABLE) {
    const needed = columns.reduce((sum, column) => sum + cellsNeeded(rows, column) + GAP.length, -GAP.length);
    if (needed <= width) break;
    columns = columns.filter((column) => column !== name2);
  }
  return columns;
}
function shrink(widths, room) {
  const result = [...widths];
  for (let sum = total(result); sum > room; sum--) {
    const widest = result.indexOf(Math.max(...result));
    if ((result[widest] ?? 0) <= LEAST_CELLS) break;
    result[widest] = (result[widest] ?? 0) - 1;
  }
  return result;
}
function total(widths) {
  return widths.reduce((sum, width) => sum + width, 0);
}
var TITLES, COLUMNS, DISPENSABLE, GAP, LEAST_CELLS;
var init_ledger_table = __esm({
  "scripts-src/render/ledger-table.ts"() {
    "use strict";
    init_cells();
    TITLES = {
      unit: "unit",
      executor: "executor",
      mode: "mode",
      status: "status",
      reason: "reason",
      duration: "time",
      result: "result file"
    };
    COLUMNS = Object.keys(TITLES);
    DISPENSABLE = ["executor", "mode", "duration"];
    GAP = "  ";
    LEAST_CELLS = 4;
  }
});

// scripts-src/render/patch.ts
function patchLines(patch, width, paint, maxLines = MAX_LINES) {
  const all = patch.split("\n");
  if (all.at(-1) === "") all.pop();
  const shown = all.slice(0, maxLines).map((line) => {
    const text = line.replaceAll("	", "    ").replace(new RegExp("\\p{Cc}", "gu"), "?");
    return paint(toneOf(line), fitCells(text, width));
  });
  const left = all.length - shown.length;
  return left > 0 ? [...shown, paint("faint", `… ${countOf(left, "more line")}`)] : shown;
}
function toneOf(line) {
  if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return "faint";
  if (line.startsWith("@@")) return "busy";
  if (line.startsWith("+")) return "good";
  return line.startsWith("-") ? "bad" : "plain";
}
var MAX_LINES;
var init_patch = __esm({
  "scripts-src/render/patch.ts"() {
    "use strict";
    init_cells();
    init_figures();
    MAX_LINES = 40;
  }
});

// scripts-src/process/family.ts
function createFamily(marker, rssMark, since) {
  return {
    marker,
    rssMarks: new Set(rssMark === null ? [] : [rssMark]),
    threadIds: /* @__PURE__ */ new Set(),
    since,
    members: /* @__PURE__ */ new Map()
  };
}
function observerOf(host, pid = process.pid) {
  const own2 = host.entry(pid);
  if (!own2)
    throw new Error(`process ${pid} is not in the process table: ${host.trouble?.() ?? "it cannot be read"}`);
  const pids = /* @__PURE__ */ new Set([pid]);
  for (let next = own2; next && next.ppid > 0 && !pids.has(next.ppid); next = host.entry(next.ppid)) {
    pids.add(next.ppid);
  }
  return { pids, pgid: own2.pgid, sid: own2.sid };
}
function lookAtFamilies(host, families, observer, onMember) {
  const pass = startPass(families, observer, onMember);
  const oldest = Math.min(...families.map((family) => family.since));
  const pidBefore = host.lastPid();
  for (const entry of host.look(oldest)) visit(host, pass, entry);
  chaseNewcomers(host, pass, pidBefore);
  growByKinship(pass);
  if (host.trouble?.() !== void 0) return;
  for (const family of families) family.members = pass.found.get(family) ?? /* @__PURE__ */ new Map();
}
function startPass(families, observer, onMember) {
  const found = new Map(families.map((family) => [family, /* @__PURE__ */ new Map()]));
  return { families, observer, onMember, found, unclaimed: /* @__PURE__ */ new Map() };
}
function visit(host, pass, entry) {
  if (entry.state === "zombie" || pass.observer.pids.has(entry.pid)) return;
  const family = familyByIdentity(pass.families, entry) ?? familyByMarks(pass.families, entry, host.marks(entry));
  if (family) adopt(pass, family, entry);
  else pass.unclaimed.set(entry.pid, entry);
}
function adopt(pass, family, entry) {
  pass.unclaimed.delete(entry.pid);
  pass.found.get(family)?.set(entry.pid, entry);
  pass.onMember(family, entry);
}
function familyByIdentity(families, entry) {
  return families.find((family) => family.members.get(entry.pid)?.start === entry.start);
}
function familyByMarks(families, entry, marks) {
  if (!marks) return void 0;
  for (const family of families) {
    if (entry.startOrder < family.since) continue;
    const byUnit = marks.unit !== void 0 && isWithin(marks.unit, family.marker);
    if (byUnit && marks.rss !== void 0 && isRssMark(marks.rss)) family.rssMarks.add(marks.rss);
    if (byUnit || marks.rss !== void 0 && family.rssMarks.has(marks.rss)) return family;
    if (marks.threads.some((thread) => family.threadIds.has(thread))) return family;
  }
  return void 0;
}
function isWithin(unit, marker) {
  return unit === marker || unit.startsWith(`${marker}/`);
}
function isRssMark(rss) {
  const bytes = Number(rss);
  return bytes >= RSS_MARK_RANGE.from && bytes < RSS_MARK_RANGE.to;
}
function chaseNewcomers(host, pass, from) {
  let seen = from;
  for (let round = 0; round < 10; round++) {
    const last = host.lastPid();
    if (last === void 0 || seen === void 0 || last === seen) return;
    for (let pid = last > seen ? seen + 1 : 2; pid <= last && pid - seen < 5e3; pid++) {
      const entry = host.entry(pid);
      if (entry) visit(host, pass, entry);
    }
    seen = last;
  }
}
function growByKinship(pass) {
  for (let grew = true; grew; ) {
    grew = false;
    for (const family of pass.families) {
      const kin = kinNumbers(pass.found.get(family), pass.observer);
      const left = leftNumber(family, pass);
      if (left !== void 0) {
        kin.pgids.add(left);
        kin.sids.add(left);
      }
      for (const entry of pass.unclaimed.values()) {
        if (entry.startOrder < family.since) continue;
        if (!kin.pids.has(entry.ppid) && !kin.pgids.has(entry.pgid) && !kin.sids.has(entry.sid)) continue;
        adopt(pass, family, entry);
        grew = true;
      }
    }
  }
}
function leftNumber(family, pass) {
  const { deadLeader } = family;
  if (deadLeader === void 0 || deadLeader <= 1 || deadLeader === pass.observer.pgid) return void 0;
  const isTaken = pass.unclaimed.has(deadLeader) || pass.found.get(family)?.has(deadLeader);
  return isTaken ? void 0 : deadLeader;
}
function kinNumbers(members2, observer) {
  const pids = /* @__PURE__ */ new Set();
  const pgids = /* @__PURE__ */ new Set();
  const sids = /* @__PURE__ */ new Set();
  for (const member of members2?.values() ?? []) {
    pids.add(member.pid);
    if (member.pgid > 0 && member.pgid !== observer.pgid) pgids.add(member.pgid);
    if (member.sid > 0 && member.sid !== observer.sid) sids.add(member.sid);
  }
  return { pids, pgids, sids };
}
var RSS_MARK_RANGE;
var init_family = __esm({
  "scripts-src/process/family.ts"() {
    "use strict";
    RSS_MARK_RANGE = { from: 2 ** 52, to: 2 ** 53 };
  }
});

// scripts-src/process/linux.ts
function createLinuxHost(procRoot = "/proc") {
  let boot;
  function entry(pid) {
    const stat = readSmall(`${procRoot}/${pid}/stat`);
    return stat === void 0 ? void 0 : parseStat(stat);
  }
  function* look(since) {
    for (const name2 of (0, import_node_fs10.readdirSync)(procRoot)) {
      if (!isPidName(name2)) continue;
      const found = entry(Number(name2));
      if (found && found.startOrder >= since) yield found;
    }
  }
  function marks(of) {
    const environment = readSmall(`${procRoot}/${of.pid}/environ`);
    const limits2 = readSmall(`${procRoot}/${of.pid}/limits`);
    if (environment === void 0 && limits2 === void 0) return void 0;
    const found = { threads: [] };
    if (environment) readEnvironmentMarks(environment, found);
    const rss = limits2 && /^Max resident set\s+(\S+)/m.exec(limits2)?.[1];
    if (rss) found.rss = rss;
    return found;
  }
  function io(pid) {
    const text = readSmall(`${procRoot}/${pid}/io`);
    if (text === void 0) return void 0;
    const read = /^rchar: (\d+)/m.exec(text)?.[1];
    const written = /^wchar: (\d+)/m.exec(text)?.[1];
    return read && written ? { read: Number(read), written: Number(written) } : void 0;
  }
  function lastPid() {
    const last = readSmall(`${procRoot}/loadavg`)?.trim().split(" ").pop();
    return last && isPidName(last) ? Number(last) : void 0;
  }
  function bootId() {
    boot ??= readSmall(`${procRoot}/sys/kernel/random/boot_id`)?.trim() || "unknown-boot";
    return boot;
  }
  return { platform: "linux", bootId, entry, look, marks, io, lastPid, signal: signalPid };
}
function parseStat(stat) {
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  if (open < 0 || close < open) return void 0;
  const rest = stat.slice(close + 2).split(" ");
  const startOrder = Number(rest[19]);
  if (!Number.isFinite(startOrder)) return void 0;
  const ticks = Number(rest[11]) + Number(rest[12]) + Number(rest[13]) + Number(rest[14]);
  return {
    pid: Number.parseInt(stat, 10),
    ppid: Number(rest[1]),
    pgid: Number(rest[2]),
    sid: Number(rest[3]),
    start: String(startOrder),
    startOrder,
    state: stateOf(rest[0] ?? "", Number(rest[17])),
    command: stat.slice(open + 1, close),
    cpuMs: ticks * 1e3 / TICKS_PER_SECOND
  };
}
function stateOf(letter, threads) {
  if (threads > 1 && letter === "Z") return "alive";
  if (letter === "Z" || letter === "X" || letter === "x") return "zombie";
  if (letter === "T" || letter === "t") return "stopped";
  if (letter === "D") return "uninterruptible";
  return "alive";
}
function readEnvironmentMarks(environment, into) {
  for (const name2 of ["CODEX_THREAD_ID", "CODEX_SESSION_ID"]) {
    const value = environmentValue(environment, name2);
    if (value) into.threads.push(value);
  }
  const unit = environmentValue(environment, "PRUN_UNIT");
  if (unit) into.unit = unit;
}
function environmentValue(environment, name2) {
  const key = `${name2}=`;
  let at = environment.startsWith(key) ? 0 : environment.indexOf(`\0${key}`) + 1;
  if (at === 0 && !environment.startsWith(key)) return void 0;
  at += key.length;
  const end = environment.indexOf("\0", at);
  return environment.slice(at, end < 0 ? void 0 : end);
}
function isPidName(name2) {
  const first = name2.charCodeAt(0);
  return first >= 49 && first <= 57 && /^\d+$/.test(name2);
}
function readSmall(file) {
  try {
    const fd = (0, import_node_fs10.openSync)(file, "r");
    let count3;
    try {
      count3 = (0, import_node_fs10.readSync)(fd, buffer);
    } finally {
      (0, import_node_fs10.closeSync)(fd);
    }
    return count3 < buffer.length ? buffer.toString("latin1", 0, count3) : (0, import_node_fs10.readFileSync)(file, "latin1");
  } catch {
    return void 0;
  }
}
function signalPid(pid, signal) {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
var import_node_fs10, TICKS_PER_SECOND, buffer;
var init_linux = __esm({
  "scripts-src/process/linux.ts"() {
    "use strict";
    import_node_fs10 = require("node:fs");
    TICKS_PER_SECOND = 100;
    buffer = Buffer.allocUnsafe(4096);
  }
});

// scripts-src/process/command-runner.ts
function createCommandRunner(options) {
  return (file, argv2) => {
    const { spawnSync: spawnSync3 } = childProcess();
    const result = spawnSync3(file, argv2, {
      env: { ...options.env, TZ: "UTC", LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: options.timeoutMs,
      maxBuffer: options.maxOutput,
      killSignal: "SIGKILL",
      windowsHide: true
    });
    if (result.error !== void 0 || result.status === null) return void 0;
    return decodeOutput(result.stdout);
  };
}
function decodeOutput(bytes) {
  const text = bytes[0] === 255 && bytes[1] === 254 ? bytes.toString("utf16le") : bytes.toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
function sendSignal(kill, pid, signal) {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false;
  try {
    kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
function childProcess() {
  return (0, import_node_module.createRequire)(process.execPath)("node:child_process");
}
var import_node_module;
var init_command_runner = __esm({
  "scripts-src/process/command-runner.ts"() {
    "use strict";
    import_node_module = require("node:module");
  }
});

// scripts-src/process/windows-output.ts
function parseWindowsJson(text) {
  let parsed2;
  try {
    parsed2 = JSON.parse(text);
  } catch {
    return void 0;
  }
  if (isRecord(parsed2) && Array.isArray(parsed2.value)) parsed2 = parsed2.value;
  return Array.isArray(parsed2) ? parsed2.flatMap((item2) => isRecord(item2) ? rowOf2(item2, isoMs(item2.Created)) : []) : void 0;
}
function parseWmicList(text) {
  const rows = [];
  let block = {};
  for (const line of `${text}
CreationDate=`.split(/[\r\n]+/)) {
    const equals = line.indexOf("=");
    if (equals < 0) continue;
    const key = line.slice(0, equals);
    if (key in block) {
      rows.push(...rowOf2(block, cimDateMs(block.CreationDate ?? "")));
      block = {};
    }
    block[key] = line.slice(equals + 1);
  }
  return rows;
}
function isoMs(value) {
  const match = typeof value === "string" ? /^(.{19}\.\d{3})\d*Z$/.exec(value) : null;
  return match ? Date.parse(`${match[1]}Z`) : Number.NaN;
}
function cimDateMs(text) {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\.(\d{3})\d*([+-]\d{3})$/.exec(text);
  if (!match) return Number.NaN;
  const [year, month, day, hour, minute, second, ms, offset] = match.slice(1).map(Number);
  return Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, (minute ?? 0) - (offset ?? 0), second, ms);
}
function windowsTable(rows) {
  const created = new Map(rows.map((row) => [row.pid, row.created]));
  const table = { entries: /* @__PURE__ */ new Map(), io: /* @__PURE__ */ new Map(), staleChildren: /* @__PURE__ */ new Map() };
  for (const row of rows) {
    const stale = (created.get(row.ppid) ?? 0) > row.created;
    if (stale) {
      const known = table.staleChildren.get(row.ppid);
      if (known) known.push(row.pid);
      else table.staleChildren.set(row.ppid, [row.pid]);
    }
    if (row.io) table.io.set(row.pid, row.io);
    table.entries.set(row.pid, {
      pid: row.pid,
      ppid: stale || row.ppid === row.pid ? 0 : row.ppid,
      pgid: row.pid,
      sid: row.pid,
      start: String(row.created),
      startOrder: row.created,
      state: "alive",
      command: row.name,
      cpuMs: row.cpuMs
    });
  }
  return table;
}
function rowOf2(fields, created) {
  const pid = count2(fields.ProcessId);
  if (!pid || !Number.isFinite(created) || created <= 0) return [];
  const read = count2(fields.ReadTransferCount);
  const written = count2(fields.WriteTransferCount);
  const ticks = (count2(fields.KernelModeTime) ?? 0) + (count2(fields.UserModeTime) ?? 0);
  return [
    {
      pid,
      ppid: count2(fields.ParentProcessId) ?? 0,
      created: Math.trunc(created),
      name: typeof fields.Name === "string" ? fields.Name : "",
      cpuMs: Math.round(ticks / TICKS_PER_MS),
      io: read === void 0 || written === void 0 ? void 0 : { read, written }
    }
  ];
}
function count2(value) {
  if (typeof value === "string" && !/^\d+$/.test(value)) return void 0;
  const number3 = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isFinite(number3) && number3 >= 0 ? number3 : void 0;
}
function isRecord(value) {
  return typeof value === "object" && value !== null;
}
var TICKS_PER_MS;
var init_windows_output = __esm({
  "scripts-src/process/windows-output.ts"() {
    "use strict";
    TICKS_PER_MS = 1e4;
  }
});

// scripts-src/process/windows.ts
var windows_exports = {};
__export(windows_exports, {
  WINDOWS_FRESH_MS: () => WINDOWS_FRESH_MS,
  createWindowsHost: () => createWindowsHost,
  windowsRunner: () => windowsRunner
});
function endScript(ids) {
  const targets = ids.map((id) => {
    const starts = [-1, 0, 1].map((ms) => `'${new Date(Number(id.start) + ms).toISOString().slice(0, 23)}'`);
    return `@{ p = ${id.pid}; s = ${starts.join(",")} }`;
  });
  return [
    `foreach ($t in @(${targets.join(",")})) { try { $p = Get-Process -Id $t.p -ErrorAction Stop; $null = $p.Handle`,
    "if ($t.s -contains $p.StartTime.ToUniversalTime().ToString('o').Substring(0, 23)) { Stop-Process -InputObject $p -Force -ErrorAction Stop; $t.p } } catch { } }",
    "'done'"
  ].join("; ");
}
function windowsRunner() {
  return createCommandRunner({ timeoutMs: 2e4, maxOutput: 64 * 1024 * 1024, env: process.env });
}
function createWindowsHost(run2 = windowsRunner(), options = {}) {
  const { now = monotonicMs, self = process.pid, kill = process.kill.bind(process) } = options;
  let trouble;
  let table;
  let readAt = 0;
  let preferWmic = false;
  function read() {
    const ways = preferWmic ? [readByWmic, readByPowerShell] : [readByPowerShell, readByWmic];
    table = void 0;
    for (const way of ways) {
      const rows = way(run2);
      const found = rows && windowsTable(rows);
      if (!found?.entries.has(self)) continue;
      preferWmic = way === readByWmic;
      table = found;
      break;
    }
    readAt = now();
    trouble = table ? void 0 : "neither PowerShell nor wmic gave a usable process table";
    return table;
  }
  function recent(pid) {
    return table?.entries.has(pid) && now() - readAt <= WINDOWS_FRESH_MS ? table : read();
  }
  function endAll(ids) {
    const ended = [];
    for (let from = 0; from < ids.length; from += END_AT_ONCE) {
      ended.push(...endSome(ids.slice(from, from + END_AT_ONCE)));
    }
    return ended;
  }
  function endSome(ids) {
    const targets = ids.filter((id) => id.boot === BOOT && id.pid > 4 && /^\d{1,15}$/.test(id.start));
    if (targets.length === 0) return [];
    const output = preferWmic ? void 0 : run2(powerShell(), powerShellArgs(endScript(targets)));
    if (output?.trim().endsWith("done")) {
      const ended = new Set((output.match(/\d+/g) ?? []).map(Number));
      for (const pid of ended) table?.entries.delete(pid);
      return targets.filter((id) => ended.has(id.pid));
    }
    const before = read();
    return targets.filter((id) => {
      if (before?.entries.get(id.pid)?.start !== id.start) return false;
      before.entries.delete(id.pid);
      return sendSignal(kill, id.pid, "SIGKILL");
    });
  }
  return {
    platform: "win32",
    trouble: () => trouble,
    bootId: () => BOOT,
    entry: (pid) => recent(pid)?.entries.get(pid),
    look(since) {
      const entries = [...(read() ?? read())?.entries.values() ?? []];
      return entries.filter((entry) => entry.startOrder >= since);
    },
    marks: () => void 0,
    io: (pid) => recent(pid)?.io.get(pid),
    lastPid: () => void 0,
    staleChildren: (pid) => table?.staleChildren.get(pid) ?? [],
    endAll,
    /** SIGKILL and SIGTERM both end the process at once, as in Node. Nothing else can be sent on Windows. */
    signal(pid, signal) {
      if (signal !== "SIGKILL" && signal !== "SIGTERM") return false;
      const known = table?.entries.get(pid) ?? read()?.entries.get(pid);
      return known !== void 0 && endAll([{ boot: BOOT, pid, start: known.start }]).length === 1;
    }
  };
}
function readByPowerShell(run2) {
  const output = run2(powerShell(), powerShellArgs(LOOK));
  return output === void 0 ? void 0 : parseWindowsJson(output);
}
function readByWmic(run2) {
  const output = run2(`${systemFolder()}\\wbem\\WMIC.exe`, [
    "process",
    "get",
    `CreationDate,${COLUMNS2}`,
    "/value"
  ]);
  return output === void 0 ? void 0 : parseWmicList(output);
}
function powerShellArgs(script) {
  return ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", script];
}
function powerShell() {
  return `${systemFolder()}\\WindowsPowerShell\\v1.0\\powershell.exe`;
}
function systemFolder() {
  return `${process.env.SystemRoot ?? "C:\\Windows"}\\System32`;
}
var WINDOWS_FRESH_MS, END_AT_ONCE, BOOT, UTF8, COLUMNS2, LOOK;
var init_windows = __esm({
  "scripts-src/process/windows.ts"() {
    "use strict";
    init_clock();
    init_command_runner();
    init_windows_output();
    WINDOWS_FRESH_MS = 200;
    END_AT_ONCE = 100;
    BOOT = "windows";
    UTF8 = "try { [Console]::OutputEncoding = New-Object Text.UTF8Encoding $false } catch { }";
    COLUMNS2 = "ProcessId,ParentProcessId,Name,KernelModeTime,UserModeTime,ReadTransferCount,WriteTransferCount";
    LOOK = [
      UTF8,
      "$ErrorActionPreference = 'Stop'",
      `$all = Get-CimInstance -Query 'SELECT CreationDate,${COLUMNS2} FROM Win32_Process'`,
      `$rows = @($all | Where-Object { $_.CreationDate } | ForEach-Object { [pscustomobject]@{ ${COLUMNS2.split(
        ","
      ).map((name2) => `${name2} = $_.${name2}`).join("; ")}; Created = $_.CreationDate.ToUniversalTime().ToString('o') } })`,
      "ConvertTo-Json -InputObject $rows -Compress"
    ].join("; ");
  }
});

// scripts-src/process/ps-output.ts
function parsePsTable(text) {
  const entries = /* @__PURE__ */ new Map();
  const leaders = /* @__PURE__ */ new Set();
  for (const line of text.split("\n")) {
    const match = ROW.exec(line);
    if (!match) continue;
    const [, pidText, ppid, pgid, state = "", month, day, hour, minute, second, year, time2 = "", name2] = match;
    const pid = Number(pidText);
    const startOrder = epochOf([month, day, hour, minute, second, year]);
    if (startOrder === void 0 || pid === 0 || entries.has(pid)) continue;
    if (state.includes("s", 1)) leaders.add(pid);
    entries.set(pid, {
      pid,
      ppid: Number(ppid),
      pgid: Number(pgid),
      sid: 0,
      start: String(startOrder / 1e3),
      startOrder,
      state: stateOf2(state),
      command: (name2 ?? "").trim(),
      cpuMs: cpuMsOf(time2)
    });
  }
  deriveSessions(entries, leaders);
  return entries;
}
function deriveSessions(entries, leaders) {
  const visited = /* @__PURE__ */ new Set();
  const known = new Map([...leaders].map((pid) => [pid, pid]));
  for (const first of entries.values()) {
    const path9 = [];
    let entry = first;
    while (entry && !known.has(entry.pid) && !visited.has(entry.pid)) {
      visited.add(entry.pid);
      path9.push(entry);
      entry = relativeInSession(entries, entry);
    }
    const sid = entry && known.get(entry.pid);
    for (const one of path9) if (sid !== void 0) known.set(one.pid, sid);
    first.sid = known.get(first.pid) ?? first.pid;
  }
}
function relativeInSession(entries, entry) {
  const leader = entry.pgid === entry.pid ? void 0 : entries.get(entry.pgid);
  if (leader !== void 0 && leader.pgid === entry.pgid) return leader;
  const parent = entry.ppid > 1 ? entries.get(entry.ppid) : void 0;
  return parent !== void 0 && parent.startOrder <= entry.startOrder ? parent : void 0;
}
function parsePsCommands(text) {
  const commands = /* @__PURE__ */ new Map();
  for (const line of text.split("\n")) {
    const match = COMMAND_ROW.exec(line);
    if (!match) continue;
    const [, pidText, month, day, hour, minute, second, year, command2 = ""] = match;
    const pid = Number(pidText);
    const epoch = epochOf([month, day, hour, minute, second, year]);
    if (epoch === void 0 || commands.has(pid)) continue;
    commands.set(pid, { start: String(epoch / 1e3), text: command2 });
  }
  return commands;
}
function marksOf(withEnvironment, plain) {
  if (withEnvironment.start !== plain.start || !withEnvironment.text.startsWith(plain.text)) return void 0;
  const environment = withEnvironment.text.slice(plain.text.length);
  if (!environment.includes("=")) return void 0;
  const unit = valueIn(environment, "PRUN_UNIT");
  const threads = ["CODEX_THREAD_ID", "CODEX_SESSION_ID"].flatMap((name2) => valueIn(environment, name2) ?? []);
  return unit === void 0 ? { threads } : { unit, threads };
}
function valueIn(environment, name2) {
  const values = /* @__PURE__ */ new Set();
  for (const match of environment.matchAll(new RegExp(` ${name2}=(\\S*)`, "g"))) {
    if (match[1]) values.add(match[1]);
  }
  const [value] = values;
  return values.size === 1 ? value : void 0;
}
function cpuMsOf(text) {
  const match = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d\d)(?:\.(\d\d))?$/.exec(text);
  if (!match) return 0;
  const [days, hours, minutes, seconds, hundredths] = match.slice(1).map((part) => Number(part ?? 0));
  return ((((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1e3 + (hundredths ?? 0) * 10;
}
function epochOf(parts) {
  const [month = "", day, hour, minute, second, year] = parts;
  const index = MONTHS.indexOf(month);
  if (index < 0 || index % 3 !== 0) return void 0;
  return Date.UTC(Number(year), index / 3, Number(day), Number(hour), Number(minute), Number(second));
}
function stateOf2(letters) {
  switch (letters[0]) {
    case "Z":
      return "zombie";
    case "T":
    case "t":
      return "stopped";
    case "U":
    case "D":
      return "uninterruptible";
    default:
      return "alive";
  }
}
var PS_COLUMNS, PS_COMMAND_COLUMNS, MONTHS, LSTART, ROW, COMMAND_ROW;
var init_ps_output = __esm({
  "scripts-src/process/ps-output.ts"() {
    "use strict";
    PS_COLUMNS = ["pid", "ppid", "pgid", "state", "lstart", "time", "comm"].flatMap((name2) => [
      "-o",
      `${name2}=`
    ]);
    PS_COMMAND_COLUMNS = ["pid", "lstart", "command"].flatMap((name2) => ["-o", `${name2}=`]);
    MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    LSTART = "[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\\d{1,2}) (\\d\\d):(\\d\\d):(\\d\\d) (\\d{4})";
    ROW = new RegExp(`^ *(\\d+) +(\\d+) +(\\d+) +(\\S+) +${LSTART} +([\\d:.-]+)(?: (.*))?$`);
    COMMAND_ROW = new RegExp(`^ *(\\d+) +${LSTART} *(?: (.*))?$`);
  }
});

// scripts-src/process/darwin.ts
var darwin_exports = {};
__export(darwin_exports, {
  READ_FRESH_MS: () => READ_FRESH_MS,
  SIGNAL_FRESH_MS: () => SIGNAL_FRESH_MS,
  createDarwinHost: () => createDarwinHost,
  darwinRunner: () => darwinRunner
});
function darwinRunner() {
  return createCommandRunner({
    timeoutMs: 5e3,
    maxOutput: 64 * 1024 * 1024,
    env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" }
  });
}
function createDarwinHost(run2 = darwinRunner(), options = {}) {
  const { now = monotonicMs, self = process.pid, kill = process.kill.bind(process) } = options;
  let boot;
  let trouble;
  let table;
  let single = /* @__PURE__ */ new Map();
  function ask(argv2) {
    const output = run2(PS, argv2);
    const entries = output === void 0 ? void 0 : parsePsTable(output);
    trouble = entries?.has(self) ? void 0 : `${PS} gave no usable process table`;
    return trouble === void 0 ? entries : void 0;
  }
  function readAll() {
    const argv2 = ["-ax", ...PS_COLUMNS];
    const entries = ask(argv2) ?? ask(argv2);
    table = entries && { entries, readAt: now() };
    single = /* @__PURE__ */ new Map();
    return table;
  }
  function readOne(before) {
    const { pid } = before;
    const entry = ask(["-p", `${pid},${self}`, ...PS_COLUMNS])?.get(pid);
    table?.entries.delete(pid);
    single.delete(pid);
    if (entry === void 0) return void 0;
    if (entry.start !== before.start || entry.pgid !== before.pgid) return readAll()?.entries.get(pid);
    entry.sid = before.sid;
    single.set(pid, { entry, readAt: now() });
    return entry;
  }
  function lastRead(pid) {
    const entry = table?.entries.get(pid);
    return entry && table ? { entry, readAt: table.readAt } : single.get(pid);
  }
  function readMarks(selection) {
    const read = (argv2) => parsePsCommands(run2(PS, [...argv2, ...selection, ...PS_COMMAND_COLUMNS]) ?? "");
    const withEnvironment = read(["-E", "-ww"]);
    const plain = read(["-ww"]);
    const found = /* @__PURE__ */ new Map();
    for (const [pid, line] of withEnvironment) {
      const without = plain.get(pid);
      const marks = without && marksOf(line, without);
      if (marks) found.set(pid, { start: line.start, marks });
    }
    return found;
  }
  return {
    platform: "darwin",
    trouble: () => trouble,
    bootId() {
      boot ??= readBootId(run2);
      return boot;
    },
    entry(pid) {
      const known = lastRead(pid);
      if (!known) return readAll()?.entries.get(pid);
      return now() - known.readAt <= READ_FRESH_MS ? known.entry : readOne(known.entry);
    },
    look(since) {
      const first = Math.floor(since / 1e3) * 1e3;
      return [...readAll()?.entries.values() ?? []].filter((entry) => entry.startOrder >= first);
    },
    marks(entry) {
      let found;
      if (table?.entries.get(entry.pid) === entry) {
        table.marks ??= readMarks(["-ax"]);
        found = table.marks;
      } else {
        found = readMarks(["-p", `${entry.pid}`]);
      }
      const read = found.get(entry.pid);
      return read && read.start === entry.start ? read.marks : void 0;
    },
    io: () => void 0,
    lastPid: () => void 0,
    signal(pid, signal) {
      const known = lastRead(pid);
      if (!known) {
        if (!readAll()?.entries.has(pid)) return false;
      } else if (now() - known.readAt > SIGNAL_FRESH_MS) {
        const entry = readOne(known.entry);
        if (entry?.start !== known.entry.start || entry.state === "zombie") return false;
      }
      table?.entries.delete(pid);
      single.delete(pid);
      return sendSignal(kill, pid, signal);
    }
  };
}
function readBootId(run2) {
  const uuid3 = run2(SYSCTL, ["-n", "kern.bootsessionuuid"])?.trim() ?? "";
  if (/^[0-9A-Fa-f-]{36}$/.test(uuid3)) return uuid3;
  const second = /sec = (\d+)/.exec(run2(SYSCTL, ["-n", "kern.boottime"]) ?? "")?.[1];
  return second === void 0 ? "darwin" : `boottime-${second}`;
}
var PS, SYSCTL, READ_FRESH_MS, SIGNAL_FRESH_MS;
var init_darwin = __esm({
  "scripts-src/process/darwin.ts"() {
    "use strict";
    init_clock();
    init_command_runner();
    init_ps_output();
    PS = "/bin/ps";
    SYSCTL = "/usr/sbin/sysctl";
    READ_FRESH_MS = 200;
    SIGNAL_FRESH_MS = 25;
  }
});

// scripts-src/process/host.ts
async function currentHost(platform = process.platform) {
  if (platform === "win32") return (await Promise.resolve().then(() => (init_windows(), windows_exports))).createWindowsHost();
  if (platform === "linux") return createLinuxHost();
  return (await Promise.resolve().then(() => (init_darwin(), darwin_exports))).createDarwinHost();
}
var init_host = __esm({
  "scripts-src/process/host.ts"() {
    "use strict";
    init_linux();
  }
});

// scripts-src/process/identity.ts
function parseIdentity(text) {
  const match = /^([^:]+):(\d+):([^:]+)$/.exec(text.trim());
  if (!match?.[1] || !match[2] || !match[3]) return void 0;
  return { boot: match[1], pid: Number(match[2]), start: match[3] };
}
function isAlive(host, id) {
  if (id.boot !== host.bootId()) return false;
  const entry = host.entry(id.pid);
  return entry !== void 0 && entry.start === id.start && entry.state !== "zombie";
}
var init_identity = __esm({
  "scripts-src/process/identity.ts"() {
    "use strict";
  }
});

// scripts-src/commands/proof.ts
async function findLeftovers(stateDirs) {
  const host = await currentHost();
  const until = performance.now() + PATIENCE_MS;
  for (; ; ) {
    const left = lookOnce(host, stateDirs);
    if (left.length === 0 || performance.now() >= until) {
      const units = stateDirs.filter((dir) => readUnitRecord(dir) !== void 0).length;
      return { units, lookedThrough: [...host.look(0)].length, left };
    }
    await new Promise((resolve2) => setTimeout(resolve2, AGAIN_MS));
  }
}
function lookOnce(host, stateDirs) {
  const left = /* @__PURE__ */ new Map();
  const families = stateDirs.map(familyOf).filter((family) => family !== void 0);
  if (families.length > 0) lookAtFamilies(host, families, observerOf(host), () => {
  });
  for (const family of families) {
    for (const { pid, command: command2 } of family.members.values()) left.set(pid, { pid, command: command2 });
  }
  for (const dir of stateDirs) {
    for (const [name2, written] of supervisorsOf(dir)) {
      const identity = parseIdentity(written ?? "");
      if (identity && isAlive(host, identity)) left.set(identity.pid, { pid: identity.pid, command: name2 });
    }
  }
  return [...left.values()];
}
function familyOf(stateDir) {
  const record = readUnitRecord(stateDir);
  if (!record) return void 0;
  const family = createFamily(record.marker, record.rssMark, record.since);
  const session = readOutcome(stateDir)?.sessionId;
  if (session) family.threadIds.add(session);
  return family;
}
function supervisorsOf(stateDir) {
  return [
    ["dispatch-task", readUnitRecord(stateDir)?.supervisor],
    ["guardian", readValue(stateFile(stateDir, "guardian"))]
  ];
}
function proofLine({ units, lookedThrough, left }) {
  if (left.length === 0) {
    return `no process left: looked for ${units} units' marks, dispatchers and guardians in ${lookedThrough} processes, found 0`;
  }
  const named = left.slice(0, 10).map(({ pid, command: command2 }) => `${pid} (${command2})`);
  return `${left.length} LEFT of ${units} units: ${named.join(", ")}${left.length > named.length ? " and others" : ""}`;
}
var PATIENCE_MS, AGAIN_MS;
var init_proof = __esm({
  "scripts-src/commands/proof.ts"() {
    "use strict";
    init_files();
    init_family();
    init_host();
    init_identity();
    init_read_records();
    init_state_dir();
    PATIENCE_MS = 3e3;
    AGAIN_MS = 50;
  }
});

// scripts-src/commands/demo-report.ts
function makeReport(place, dispatches, leftovers, durationMs) {
  const units = dispatches.map(endedUnit);
  const patch = makePatch(place);
  writeLedger(place, units);
  return { place, units, patch, leftovers, differences: differencesOf(units, patch, leftovers), durationMs };
}
function endedUnit(dispatch) {
  const dir = dispatch.stateDir();
  const outcome = dir === void 0 ? void 0 : readOutcome(dir);
  const head = outcome?.result?.origin === "worker" ? readStart(outcome.result.path, 4096) : "";
  const conclusion = readableLine(/^Conclusion: (.+)$/m.exec(head)?.[1] ?? "") || void 0;
  return { unit: dispatch.unit, outcome, conclusion, complaint: dispatch.complaint() };
}
function makePatch({ git, clone: clone2, project, base, temp, io }) {
  const file = import_node_path8.default.join(io, "change.patch");
  const bytes = collectDelta(git, clone2, base, import_node_path8.default.join(temp, "delta"));
  (0, import_node_fs11.writeFileSync)(file, bytes, { mode: PRIVATE_FILE });
  return { file, text: bytes.toString("utf8"), applies: bytes.length > 0 && appliesTo(git, project, file) };
}
function writeLedger(place, units) {
  const head = ["# Ledger of prun demo", "", `Project: ${place.project}`, `Base commit: ${place.base}`, ""];
  const lines = [...head, ...ledgerMarkdown(ledgerRows(place, units))];
  (0, import_node_fs11.writeFileSync)(import_node_path8.default.join(place.io, "ledger.md"), `${lines.join("\n")}
`, { mode: PRIVATE_FILE });
}
function ledgerRows(place, units) {
  return units.map(({ unit, outcome }) => ({
    unit: unit.id,
    executor: outcome?.executor ?? "codex",
    mode: unit.mode,
    status: outcome?.status ?? "failed",
    reason: outcome?.reason ?? "no outcome",
    duration: durationText(outcome?.durationMs ?? 0),
    result: outcome?.result ? shownPath(place, outcome.result.path) : "none",
    tone: toneOfStatus(outcome?.status ?? "failed")
  }));
}
function shownPath(place, file) {
  return import_node_path8.default.relative(place.folder, file).split(import_node_path8.default.sep).join("/");
}
function differencesOf(units, patch, leftovers) {
  const differences = units.map(differenceOf).filter((text) => text !== void 0);
  if (patch.text === "") differences.push("change: its clone holds no change");
  else if (!patch.applies) differences.push("change: its patch does not apply to the base");
  if (leftovers.units < units.length) differences.push(`only ${leftovers.units} units could be looked for`);
  if (leftovers.left.length > 0)
    differences.push(`${countOf(leftovers.left.length, "process was", "processes were")} left`);
  return differences;
}
function differenceOf({ unit, outcome, complaint }) {
  const { status, reasons, origins } = unit.expected;
  if (!outcome) return `${unit.id}: it has no outcome${complaint ? ` (${readableLine(complaint)})` : ""}`;
  const origin = outcome.result?.origin ?? "nobody";
  if (outcome.status === status && reasons.includes(outcome.reason) && origins.includes(origin))
    return void 0;
  const was = `${outcome.status} (${outcome.reason}), result by ${origin}`;
  return `${unit.id}: ${was}, was meant to be ${status} (${reasons.join(" or ")}), result by ${origins.join(" or ")}`;
}
function reportLines(report, width, paint) {
  const { place, units, patch, leftovers, differences } = report;
  const entries = units.map((unit) => digestEntry(place, unit)).filter((entry) => entry !== void 0);
  const painted = (tone, text) => wrapCells(text, width, "  ").map((line) => paint(tone, line));
  const title = (text) => ["", ...painted("strong", text)];
  const applies = patch.applies ? ", applies to the base" : ", does NOT apply to the base";
  return [
    ...title("Digest"),
    ...digestLines(entries, width, paint),
    ...title("Ledger (agent-io/ledger.md)"),
    ...ledgerLines(ledgerRows(place, units), width, paint),
    ...title(`Patch (agent-io/change.patch${applies})`),
    ...patch.text === "" ? ["(empty)"] : patchLines(patch.text, width, paint),
    "",
    ...painted(leftovers.left.length === 0 ? "good" : "bad", proofLine(leftovers)),
    ...painted(differences.length === 0 ? "good" : "bad", verdictLine(report)),
    ...differences.flatMap((text) => painted("bad", `- ${text}`))
  ];
}
function digestEntry(place, { unit, outcome, conclusion }) {
  if (!outcome) return void 0;
  return {
    outcome,
    mode: unit.mode,
    ...conclusion === void 0 ? {} : { conclusion },
    ...outcome.result ? { resultPath: shownPath(place, outcome.result.path) } : {}
  };
}
function verdictLine({ units, differences, durationMs }) {
  const time2 = durationText(durationMs);
  if (differences.length > 0) return `not as it was meant to be, after ${time2}:`;
  return `all ${units.length} units ended as they were meant to in ${time2}: ${countsOf(units)}`;
}
function countsOf(units) {
  const counts = /* @__PURE__ */ new Map();
  for (const { outcome } of units) {
    const end = endOf(outcome?.reason ?? "");
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  return [...counts].map(([end, count3]) => `${count3} ${end}`).join(", ");
}
function endOf(reason) {
  if (reason === "ok") return "succeeded";
  if (reason === "no-result") return "forgot its result";
  if (reason === "idle-stall" || reason === "hard-timeout") return "reaped";
  return reason === "exit" ? "crashed" : "failed by itself";
}
function reportJson(report, kept) {
  const { place, units, patch, leftovers, differences, durationMs } = report;
  return JSON.stringify({
    schema: SCHEMA,
    ok: differences.length === 0,
    folder: place.folder,
    kept,
    durationMs: Math.round(durationMs),
    units: units.map((ended) => ({
      unit: ended.unit.id,
      mode: ended.unit.mode,
      conclusion: ended.conclusion ?? null,
      ...summaryOf(ended.outcome)
    })),
    patch: patch.text,
    patchApplies: patch.applies,
    lookedThrough: leftovers.lookedThrough,
    left: leftovers.left,
    differences
  });
}
function summaryOf(outcome) {
  if (!outcome) return { status: null, reason: null };
  const { executor, status, reason, detail, exitCode, signal, result, tokens, sessionId } = outcome;
  const { durationMs, lastEvidence, reaped, survivors, stateDir } = outcome;
  const end = { status, reason, detail, exitCode, signal, result, tokens, sessionId };
  return { executor, ...end, durationMs, lastEvidence, reaped, survivors, stateDir };
}
var import_node_fs11, import_node_path8;
var init_demo_report = __esm({
  "scripts-src/commands/demo-report.ts"() {
    "use strict";
    import_node_fs11 = require("node:fs");
    import_node_path8 = __toESM(require("node:path"), 1);
    init_readable_line();
    init_files();
    init_cells();
    init_digest();
    init_figures();
    init_ledger_table();
    init_patch();
    init_read_records();
    init_records();
    init_demo_git();
    init_proof();
  }
});

// scripts-src/commands/demo-units.ts
function demoUnits(place, isReal) {
  const patience = isReal ? 120 : 20;
  const limits2 = (timeout) => ["--timeout", String(timeout)];
  const effort = isReal ? ["--reasoning-effort", "low"] : [];
  const usual = { flags: [...limits2(isReal ? 300 : 60), ...effort], stallThresholdSeconds: patience };
  return [
    {
      id: "answer",
      mode: "scratch",
      role: "a read-only question",
      prompt: answerPrompt(place),
      expected: DONE,
      ...usual
    },
    {
      id: "change",
      mode: "clone",
      role: "a code change in a clone",
      prompt: changePrompt(place),
      expected: DONE,
      ...usual
    },
    {
      id: "forget",
      mode: "scratch",
      role: "answers, but leaves no result file",
      prompt: forgetPrompt(),
      expected: FORGOTTEN,
      ...usual
    },
    {
      id: "hang",
      mode: "scratch",
      role: "hangs, with a process in a session of its own",
      prompt: hangPrompt(place),
      // The real codex may poll its hanging command, which is progress of a kind: then the hard limit decides.
      flags: [...limits2(isReal ? 60 : 30), ...effort],
      stallThresholdSeconds: isReal ? 20 : 3,
      expected: {
        status: "failed",
        reasons: isReal ? ["idle-stall", "hard-timeout"] : ["idle-stall"],
        origins: SALVAGED
      }
    },
    {
      id: "crash",
      mode: "scratch",
      role: isReal ? "fails: its model does not exist" : "crashes",
      prompt: crashPrompt(place),
      expected: { status: "failed", reasons: isReal ? ["model-error", "exit"] : ["exit"], origins: SALVAGED },
      ...usual,
      flags: isReal ? [...usual.flags, "--model", NO_MODEL] : usual.flags
    }
  ];
}
function answerPrompt(place) {
  return `Unit: answer
Project: ${place.project}

Which functions that src/titles.mjs of this project exports are not named in any file below test/? Read only: change
nothing in the project.

${contract(place, "answer", "none (read-only)")}`;
}
function changePrompt(place) {
  return `Unit: change
Project: ${place.clone}

You stand in a throwaway clone of the project, at commit ${place.base}. "node test/titles.test.mjs" fails: slug() in
src/titles.mjs leaves dashes at both ends and repeats them. Correct slug(), nothing else, and run the test again. Do
not commit.

${contract(place, "change", "src/titles.mjs")}`;
}
function forgetPrompt() {
  return `Unit: forget

Say in one sentence why two workers that write the same file are trouble. Answer here, in your last message. Do not
write any file and run no command.
`;
}
function hangPrompt(place) {
  return `Unit: hang

Run this one command in the foreground and wait until it ends, however long that takes. Do nothing else before it ends.

"${place.node}" "${place.neverEnds}"
`;
}
function crashPrompt(place) {
  return `Unit: crash
Project: ${place.project}

List the files of the project. Read only.

${contract(place, "crash", "none (read-only)")}`;
}
function contract(place, unit, files) {
  return `Result file: ${place.resultFile(unit)}
Write it once, in one write, at the end:

# ${unit} result
Conclusion: <one line>
Files: ${files}
Open items: <blockers or follow-ups, or "none">
Verification: <what was run or checked, or "none">

<body>
`;
}
var DONE, FORGOTTEN, SALVAGED, NO_MODEL;
var init_demo_units = __esm({
  "scripts-src/commands/demo-units.ts"() {
    "use strict";
    DONE = { status: "succeeded", reasons: ["ok"], origins: ["worker"] };
    FORGOTTEN = { status: "failed", reasons: ["no-result"], origins: ["last-message"] };
    SALVAGED = ["last-message", "tail"];
    NO_MODEL = "prun-demo-no-such-model";
  }
});

// scripts-src/commands/demo.ts
var demo_exports = {};
__export(demo_exports, {
  demo: () => demo
});
async function demo(argv2, script) {
  const options = parseDemo(argv2);
  if (options.help) {
    process.stdout.write(DEMO_HELP);
    return EXIT.ok;
  }
  refuseNested(process.env);
  const dispatchScript = import_node_path9.default.join(import_node_path9.default.dirname(script), "dispatch-task.cjs");
  if (!(0, import_node_fs12.existsSync)(dispatchScript)) {
    throw usageError(`${dispatchScript} is missing`, "copy the whole prun folder");
  }
  if (options.codex) requireCodex(process.env, process.cwd());
  const interruption = listenForInterruption();
  const output = liveOutput(options, interruption);
  const folder = makeDemoFolder();
  let keep = options.keep;
  try {
    const place = fillDemoFolder(folder, process.env);
    const setup = {
      place,
      script: dispatchScript,
      codexBin: options.codex ? codexOf(process.env) : writeEmbeddedWorker(folder, script),
      environment: demoEnvironment(place, process.env, options.codex)
    };
    const units = demoUnits(place, options.codex);
    introduce(units, options, output);
    const startedMs = performance.now();
    const dispatches = units.map((unit) => startDispatch(setup, unit));
    await watchToTheEnd(dispatches, options, output, interruption);
    const signal = interruption.signal();
    if (signal) return await stopAll(place, dispatches, signal);
    const report = makeReport(
      place,
      dispatches,
      await findLeftovers(stateDirsOf(place)),
      performance.now() - startedMs
    );
    keep ||= report.differences.length > 0;
    if (options.json) print(reportJson(report, keep));
    else
      print(
        [
          ...reportLines(report, output.columns(), output.paint),
          ...wrapCells(farewell(place, keep), output.columns())
        ].join("\n")
      );
    return report.differences.length === 0 ? EXIT.ok : 1;
  } finally {
    if (!keep) (0, import_node_fs12.rmSync)(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
function refuseNested(environment) {
  const outer = environment.PRUN_UNIT;
  if (!outer) return;
  throw usageError(
    `this is a worker of unit ${outer}, and a worker must not start prun again`,
    "run the demo from a shell of your own"
  );
}
function codexOf(environment) {
  const name2 = environment.CODEX_BIN;
  return name2 && /[\\/]/.test(name2) ? import_node_path9.default.resolve(name2) : name2 || void 0;
}
function liveOutput(options, interruption) {
  const { stdout } = process;
  stdout.on("error", () => process.emit("SIGTERM", "SIGTERM"));
  process.stderr.on("error", () => {
  });
  const isPlain = options.noColor || Boolean(process.env.NO_COLOR) || process.env.TERM === "dumb";
  const isTerminal = stdout.isTTY && !isPlain;
  const hasRoom = (stdout.rows || LEAST_ROWS) >= LEAST_ROWS;
  return {
    kind: options.json ? "none" : isTerminal && hasRoom ? "board" : "lines",
    write: (text) => {
      if (!interruption.signal()) stdout.write(text);
    },
    columns: () => stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    paint: isTerminal ? ansiPaint : noPaint
  };
}
function introduce(units, options, output) {
  if (output.kind === "none") return;
  const worker = options.codex ? "the real codex" : "an embedded worker that plays codex (no account, no network)";
  const longest = Math.max(...units.map(({ id }) => id.length));
  const title = wrapCells(`prun demo: ${units.length} units at once on ${worker}`, output.columns(), "  ");
  const roles = units.map(({ id, role }) => {
    const cells = Math.max(0, output.columns() - longest - 4);
    return `  ${id.padEnd(longest)}  ${output.paint("faint", fitCells(role, cells))}`;
  });
  output.write(`${[...title, ...roles].join("\n")}

`);
}
async function watchToTheEnd(dispatches, options, output, interruption) {
  const live = showLive(dispatches, options.codex ? "real codex" : "embedded worker", output);
  try {
    while (!interruption.signal() && !live.look()) {
      await Promise.race([interruption.arrived, sleep(LOOK_MS)]);
    }
  } finally {
    live.close();
  }
}
async function stopAll(place, dispatches, signal) {
  const running = dispatches.filter((dispatch) => dispatch.exitCode() === void 0);
  for (const dispatch of running) dispatch.signal(signal);
  const ended = Promise.all(dispatches.map((dispatch) => dispatch.ended));
  const limit = new Promise((resolve2) => setTimeout(resolve2, STOP_MS).unref());
  await Promise.race([ended, limit]);
  for (const dispatch of dispatches.filter((one) => one.exitCode() === void 0)) dispatch.signal("SIGKILL");
  const leftovers = await findLeftovers(stateDirsOf(place));
  process.stderr.write(
    `prun demo: ended by ${signal}, ${running.length} units stopped; ${proofLine(leftovers)}
`
  );
  return 128 + (import_node_os4.default.constants.signals[signal] ?? 0);
}
function stateDirsOf({ stateHome }) {
  return (0, import_node_fs12.readdirSync)(stateHome).map((name2) => import_node_path9.default.join(stateHome, name2));
}
function farewell(place, keep) {
  return keep ? `kept: ${place.folder}` : "nothing is kept; prun demo --keep keeps the folder";
}
function print(text) {
  process.stdout.write(`${text}
`);
}
function sleep(ms) {
  return new Promise((resolve2) => setTimeout(resolve2, ms));
}
var import_node_fs12, import_node_os4, import_node_path9, LOOK_MS, STOP_MS, LEAST_ROWS;
var init_demo = __esm({
  "scripts-src/commands/demo.ts"() {
    "use strict";
    import_node_fs12 = require("node:fs");
    import_node_os4 = __toESM(require("node:os"), 1);
    import_node_path9 = __toESM(require("node:path"), 1);
    init_errors();
    init_cells();
    init_paint();
    init_interruption();
    init_codex_login();
    init_demo_arguments();
    init_demo_dispatch();
    init_demo_live();
    init_demo_place();
    init_demo_report();
    init_demo_units();
    init_proof();
    LOOK_MS = 100;
    STOP_MS = 6e3;
    LEAST_ROWS = 12;
  }
});

// scripts-src/commands/demo-worker.ts
var demo_worker_exports = {};
__export(demo_worker_exports, {
  playCodex: () => playCodex
});
async function playCodex(argv2) {
  const prompt = (0, import_node_fs13.readFileSync)(0, "utf8");
  const worker = {
    project: lineOf(prompt, "Project"),
    resultFile: lineOf(prompt, "Result file"),
    command: /^"(.+)" "(.+)"$/m.exec(prompt)?.slice(1, 3),
    lastMessageFile: argv2[argv2.indexOf("-o") + 1],
    items: 0
  };
  const play = PARTS[lineOf(prompt, "Unit")];
  if (!play) throw new Error("this worker only knows the units of prun demo");
  emit({ type: "thread.started", thread_id: uuid2() });
  emit({ type: "turn.started" });
  await pause(200);
  await play(worker);
  emit({ type: "turn.completed" });
  return 0;
}
async function answer(worker) {
  await say(worker, "I look at what the project exports and at what its tests name.", 900);
  const exported = await run(worker, "git", ["grep", "-hoE", "export function [a-z]+", "--", "src"]);
  await pause(900);
  const names = [...exported.output.matchAll(/export function (\w+)/g)].map((match) => match[1] ?? "");
  const patterns = names.flatMap((name2) => ["-e", name2]);
  const tests = await run(worker, "git", ["grep", "-how", ...patterns, "--", "test"]);
  await pause(900);
  const untested = names.filter((name2) => !new RegExp(`\\b${name2}\\b`).test(tests.output));
  const conclusion = `${untested.length} of ${names.length} exported functions has no test: ${untested.join(", ")}`;
  writeResult(worker, "answer", conclusion, "none (read-only)", "git grep over src and test");
  await say(worker, `${conclusion}.`, 400);
}
async function change(worker) {
  await say(worker, "First I see the test fail.", 700);
  await run(worker, "node", ["test/titles.test.mjs"]);
  await pause(1200);
  const file = import_node_path10.default.join(process.cwd(), "src", "titles.mjs");
  const source = (0, import_node_fs13.readFileSync)(file, "utf8");
  (0, import_node_fs13.writeFileSync)(
    file,
    source.replace(".replace(/[^a-z0-9]/g, '-')", ".replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')")
  );
  item(worker, "completed", { type: "file_change", changes: [{ path: "src/titles.mjs", kind: "update" }] });
  await pause(1200);
  const test = await run(worker, "node", ["test/titles.test.mjs"]);
  await pause(700);
  const conclusion = "slug() joins words with one dash and leaves none at the ends";
  writeResult(worker, "change", conclusion, "src/titles.mjs", `node test/titles.test.mjs: exit ${test.code}`);
  await say(worker, `${conclusion}.`, 400);
}
async function forget(worker) {
  await say(worker, "No command is needed for this.", 2200);
  await say(worker, "The one that writes last wins, and nobody learns what the other one had written.", 300);
}
async function hang(worker) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {
  });
  await say(worker, "I start it and wait until it ends.", 300);
  const [file = "", script = ""] = worker.command ?? [];
  await run(worker, file, [script]);
}
async function crash(worker) {
  await pause(800);
  await run(worker, "git", ["ls-files"]);
  await pause(600);
  throw new Error("the demo worker crashes here, as it was meant to");
}
async function run(worker, file, argv2) {
  const id = `item_${worker.items++}`;
  const command2 = [file, ...argv2].map((word) => import_node_path10.default.isAbsolute(word) ? import_node_path10.default.basename(word) : word).join(" ");
  emit({ type: "item.started", item: { id, type: "command_execution", command: command2, status: "in_progress" } });
  const end = await runToEnd(
    file === "node" ? process.execPath : file,
    argv2,
    worker.project || process.cwd()
  );
  await pause(400);
  const status = end.code === 0 ? "completed" : "failed";
  const said = { aggregated_output: end.output, exit_code: end.code, status };
  emit({ type: "item.completed", item: { id, type: "command_execution", command: command2, ...said } });
  return end;
}
function runToEnd(file, argv2, cwd) {
  return new Promise((resolve2, reject) => {
    const child = (0, import_node_child_process4.spawn)(file, argv2, { cwd, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.once("error", reject);
    child.once("close", (code) => resolve2({ code: code ?? 1, output }));
  });
}
async function say(worker, text, thenMs) {
  item(worker, "completed", { type: "agent_message", text });
  if (worker.lastMessageFile) (0, import_node_fs13.writeFileSync)(worker.lastMessageFile, text);
  await pause(thenMs);
}
function writeResult(worker, unit, conclusion, files, verification) {
  const lines = [
    `# ${unit} result`,
    `Conclusion: ${conclusion}`,
    `Files: ${files}`,
    "Open items: none",
    `Verification: ${verification}`
  ];
  (0, import_node_fs13.writeFileSync)(worker.resultFile, `${lines.join("\n")}
`);
}
function item(worker, phase, fields) {
  emit({ type: `item.${phase}`, item: { id: `item_${worker.items++}`, ...fields } });
}
function emit(event) {
  process.stdout.write(`${JSON.stringify(event)}
`);
}
function lineOf(prompt, name2) {
  return new RegExp(`^${name2}: (.+)$`, "m").exec(prompt)?.[1] ?? "";
}
function uuid2() {
  const hex = randomHex(32);
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}
function pause(ms) {
  return new Promise((resolve2) => setTimeout(resolve2, ms));
}
var import_node_child_process4, import_node_fs13, import_node_path10, PARTS;
var init_demo_worker = __esm({
  "scripts-src/commands/demo-worker.ts"() {
    "use strict";
    import_node_child_process4 = require("node:child_process");
    import_node_fs13 = require("node:fs");
    import_node_path10 = __toESM(require("node:path"), 1);
    init_random();
    PARTS = {
      answer,
      change,
      forget,
      hang,
      crash
    };
  }
});

// scripts-src/prun.ts
init_errors();
var HELP = `usage: prun <command> [flags]

  demo   show a whole fan-out in about ten seconds, in a temporary folder, without an account

prun <command> --help tells more. Units are run with dispatch-task, and watched with monitor and gather, beside this.
`;
var COMMANDS = {
  demo: async (argv2) => (await Promise.resolve().then(() => (init_demo(), demo_exports))).demo(argv2, __filename),
  "demo-worker": async (argv2) => (await Promise.resolve().then(() => (init_demo_worker(), demo_worker_exports))).playCodex(argv2)
};
var [name = "", ...argv] = process.argv.slice(2);
var command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : void 0;
void runMain(command ? `prun ${name}` : "prun", async () => {
  if (command) return command(argv);
  if (["--help", "-h", "help"].includes(name)) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  throw name === "" ? usageError("no command was given", "see prun --help") : usageError(`there is no command ${JSON.stringify(name.slice(0, 80))}`, "see prun --help");
});
