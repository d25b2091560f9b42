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
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
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
function plainError(thrown) {
  if (thrown instanceof PrunError) return thrown;
  const code = errnoOf(thrown);
  if (code === void 0 || !(thrown instanceof Error && "syscall" in thrown)) return void 0;
  const { syscall } = thrown;
  if (typeof syscall !== "string") return void 0;
  if (code === "ENOENT" && syscall === "uv_cwd") {
    return usageError("the current folder does not exist any more", "change to one that does");
  }
  const where = "path" in thrown && typeof thrown.path === "string" ? ` for ${thrown.path}` : "";
  return new PrunError(code, `${syscall} failed${where} (${code})`, stepAfter(code), 1);
}
function lineOf(error) {
  return `${error.message}: ${error.next}`.replace(/\s*[\r\n]+\s*/g, " ");
}
function stepAfter(code) {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "make room on the disk, and run the command again";
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return "make it readable and writable, or give another folder";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open: raise the limit (ulimit -n), and run the command again";
    default:
      return "look at the path, and run the command again";
  }
}
function ignoreClosedPipe(error) {
  if (errnoOf(error) !== "EPIPE") throw error;
}
async function runMain(program, main) {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  try {
    process.exitCode = await main();
  } catch (thrown) {
    const error = plainError(thrown);
    if (error === void 0) throw thrown;
    process.stderr.write(`${program}: ${lineOf(error)}
`);
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
      unitFailed: 30,
      stalled: 31,
      breakerOpen: 32,
      deadline: 33,
      supervisorLost: 34,
      conflict: 35,
      notReconciled: 36,
      tripwire: 37,
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

// scripts-src/executor/scrub-environment.ts
function readVariable(environment, name) {
  if (environment[name] !== void 0) return environment[name];
  const wanted = name.toUpperCase();
  const key = Object.keys(environment).find((candidate) => candidate.toUpperCase() === wanted);
  return key === void 0 ? void 0 : environment[key];
}
function scrubEnvironment(environment, passEnv, set) {
  const passed = new Set(passEnv.map((name) => name.toUpperCase()));
  const replaced = new Set(Object.keys(set).map((name) => name.toUpperCase()));
  const result = {};
  for (const [name, value] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    if (value === void 0 || replaced.has(upper)) continue;
    if (HIDDEN.test(name) && !passed.has(upper)) continue;
    result[name] = value;
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

// scripts-src/executor/readable-line.ts
function withoutEscapes(text) {
  return text.includes("\x1B") ? text.replace(ESCAPE_SEQUENCES, "") : text;
}
function readableLine(text, max = 200) {
  const plain2 = withoutEscapes(text.slice(0, LOOK_AT)).replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  if (plain2.length <= max && text.length <= LOOK_AT) return plain2;
  return `${plain2.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
var LOOK_AT, ESCAPE_SEQUENCES;
var init_readable_line = __esm({
  "scripts-src/executor/readable-line.ts"() {
    "use strict";
    LOOK_AT = 4096;
    ESCAPE_SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;
  }
});

// scripts-src/executor/failure-evidence.ts
function withoutSecrets(text) {
  return SECRETS.reduce((masked, [pattern, instead]) => masked.replace(pattern, instead), text);
}
function withoutValues(text, environment) {
  let masked = text;
  for (const [name, value = ""] of Object.entries(environment)) {
    if (value.length < LEAST_SECRET || !SECRET_NAME.test(name)) continue;
    for (const form of /* @__PURE__ */ new Set([value, JSON.stringify(value).slice(1, -1)])) {
      masked = masked.replaceAll(form, () => `…(${name})`);
    }
  }
  return masked;
}
function evidenceOf(lines) {
  return lines.slice(-EVIDENCE_LINES).map((line) => bounded(line, EVIDENCE_CHARS));
}
function failureMessage(text) {
  return bounded(text, MESSAGE_CHARS);
}
function bounded(text, max) {
  const masked = withoutSecrets(text.slice(0, LOOK_AT2));
  return masked.length <= max ? masked : masked.slice(0, max).replace(/[\ud800-\udbff]$/, "");
}
var EVIDENCE_LINES, EVIDENCE_CHARS, MESSAGE_CHARS, LOOK_AT2, SECRETS, SECRET_NAME, LEAST_SECRET;
var init_failure_evidence = __esm({
  "scripts-src/executor/failure-evidence.ts"() {
    "use strict";
    EVIDENCE_LINES = 5;
    EVIDENCE_CHARS = 500;
    MESSAGE_CHARS = 2e3;
    LOOK_AT2 = 16384;
    SECRETS = [
      [/\b(sk|pk|rk|xai|gsk|ghp|gho|ghu|ghs|ghr|glpat|npm)([-_])[\w*.-]{6,}/g, "$1$2…"],
      [/\bgithub_pat_\w{6,}/g, "github_pat_…"],
      [/\b(AIza|AKIA|ASIA)[\w-]{8,}/g, "$1…"],
      [/\beyJ[\w-]{8,}(?:\.[\w-]+){0,2}/g, "eyJ…"],
      [/\b(Bearer|Basic)\s+[\w.~+/*-]{8,}=*/g, "$1 …"],
      [
        /\b((?:\w+_)?(?:API_?KEY|ACCESS_?KEY|TOKEN|SECRET|PASSWORD))(\\?["']?\s*[=:]\s*\\?["']?)[^\s"'\\,;]{4,}/gi,
        "$1$2…"
      ]
    ];
    SECRET_NAME = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?)$/i;
    LEAST_SECRET = 8;
  }
});

// scripts-src/platform/home-folder.ts
function homeFolder() {
  const named3 = import_node_os.default.homedir();
  if (import_node_path2.default.isAbsolute(named3)) return named3;
  try {
    return import_node_os.default.userInfo().homedir;
  } catch {
    throw usageError(`HOME is ${JSON.stringify(named3)}, no absolute path`, "set HOME to your home folder");
  }
}
var import_node_os, import_node_path2;
var init_home_folder = __esm({
  "scripts-src/platform/home-folder.ts"() {
    "use strict";
    import_node_os = __toESM(require("node:os"), 1);
    import_node_path2 = __toESM(require("node:path"), 1);
    init_errors();
  }
});

// scripts-src/platform/random.ts
function randomHex(digits) {
  const bytes = Buffer.alloc(Math.ceil(digits / 2));
  try {
    const fd = (0, import_node_fs.openSync)("/dev/urandom", "r");
    try {
      (0, import_node_fs.readSync)(fd, bytes);
    } finally {
      (0, import_node_fs.closeSync)(fd);
    }
  } catch {
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(Math.random() * 256);
  }
  return bytes.toString("hex").slice(0, digits);
}
function shortHash(text) {
  let hash = 2166136261;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
var import_node_fs;
var init_random = __esm({
  "scripts-src/platform/random.ts"() {
    "use strict";
    import_node_fs = require("node:fs");
  }
});

// scripts-src/executor/codex-account.ts
function codexHomeOf(environment) {
  const home = readVariable(environment, "HOME") || readVariable(environment, "USERPROFILE") || homeFolder();
  return readVariable(environment, "CODEX_HOME") || (0, import_node_path4.join)(home, ".codex");
}
function codexAccount(environment, { config: config2 = [] } = {}) {
  const key = readVariable(environment, "CODEX_API_KEY") ?? "";
  const provider = config2.filter((setting) => PROVIDER.test(setting)).sort();
  return shortHash([codexHomeOf(environment), key, ...provider].join("\0"));
}
var import_node_path4, PROVIDER;
var init_codex_account = __esm({
  "scripts-src/executor/codex-account.ts"() {
    "use strict";
    import_node_path4 = require("node:path");
    init_home_folder();
    init_random();
    init_scrub_environment();
    PROVIDER = /^\s*"?(?:model_provider|model_providers|oss_provider|openai_base_url|profile)\b/;
  }
});

// scripts-src/executor/codex-flags.ts
function takesFlag({ probe }, flag) {
  return probe === void 0 || probe.flags.includes(flag);
}
function missingFlag(request) {
  const { probe, options = {}, resume } = request;
  if (!probe) return void 0;
  const hasSchema = options.outputSchema !== void 0 || options.structured === true;
  const needed = [
    ["--sandbox", "every unit has a sandbox mode", true],
    ["--json", "prun follows its events", true],
    ["--model", "a model was asked for", request.model !== void 0],
    ["--output-schema", "its answer is to have a schema", hasSchema],
    ["--ephemeral", "nothing is to be kept of its session", options.ephemeral === true],
    ["--image", "it is to see images", resume === void 0 && (options.images ?? []).length > 0],
    ["resume", "its session is to go on", resume !== void 0]
  ];
  const missing = needed.find(
    ([flag, , isWanted]) => isWanted && !(flag === "resume" ? probe.resumeFlags !== null : probe.flags.includes(flag))
  );
  return missing && { flag: missing[0], why: missing[1] };
}
function missingFlagText({ flag, why }, probe) {
  return [
    `codex ${probe.version} has no exec ${flag}, and ${why}`,
    `update codex (${TESTED_CODEX} has it), or ask for less`
  ];
}
var TESTED_CODEX;
var init_codex_flags = __esm({
  "scripts-src/executor/codex-flags.ts"() {
    "use strict";
    TESTED_CODEX = "0.171.0";
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

// scripts-src/executor/pnpm-pins.ts
function pinnedStore(store) {
  return { npm_config_store_dir: store, pnpm_config_store_dir: store };
}
var init_pnpm_pins = __esm({
  "scripts-src/executor/pnpm-pins.ts"() {
    "use strict";
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
function defaultSettings(request) {
  const list = [];
  if (request.reasoningEffort !== void 0) list.push(`model_reasoning_effort=${request.reasoningEffort}`);
  list.push("features.default_mode_request_user_input=false");
  if (request.isolate) list.push("analytics.enabled=false");
  if (request.sandbox === "workspace-write" && request.network === true) list.push(`${NETWORK}=true`);
  return list;
}
function lastSettings(request) {
  const list = [`shell_environment_policy.set.PRUN_UNIT=${tomlString(request.marker)}`];
  for (const [name, value] of Object.entries(toldBy(request))) {
    list.push(`shell_environment_policy.set.${name}=${tomlString(value)}`);
  }
  const policy = (request.options?.config ?? []).some(
    (setting) => /^\s*"?shell_environment_policy\b/.test(setting)
  );
  list.push(hiddenTrace(request.isolate && !policy, readVariable(request.environment, "RUST_LOG")));
  if (request.sandbox === "workspace-write" && request.network === false) list.push(`${NETWORK}=false`);
  return list;
}
function toldBy({ told: told2, options }) {
  return { ...told2, ...options?.pnpmStore === void 0 ? {} : pinnedStore(options.pnpmStore) };
}
function granted(request) {
  if (request.sandbox !== "workspace-write") return [];
  const { pnpmStore } = request.options ?? {};
  const folders = [(0, import_node_path5.dirname)(request.resultFile), ...pnpmStore === void 0 ? [] : [pnpmStore]];
  if (takesFlag(request, "--add-dir")) return folders.flatMap((folder) => ["--add-dir", folder]);
  return ["-c", `sandbox_workspace_write.writable_roots=[${folders.map(tomlString).join(",")}]`];
}
function optionalFlags(request) {
  const flags = [];
  if (takesFlag(request, "--output-last-message")) flags.push("-o", request.lastMessageFile);
  flags.push("--sandbox", request.sandbox);
  if (takesFlag(request, "--skip-git-repo-check")) flags.push("--skip-git-repo-check");
  if (request.isolate && takesFlag(request, "--ignore-user-config")) flags.push("--ignore-user-config");
  return flags;
}
function wishes({ model, resume, options = {} }) {
  const flags = [];
  if (resume === void 0) flags.push(...(options.images ?? []).map((file) => `--image=${file}`));
  if (model !== void 0) flags.push("-m", model);
  if (options.outputSchema !== void 0) flags.push("--output-schema", options.outputSchema);
  if (options.ephemeral) flags.push("--ephemeral");
  return flags;
}
function codexCommand(request) {
  const missing = missingFlag(request);
  if (missing && request.probe) {
    const [what, next] = missingFlagText(missing, request.probe);
    throw new PrunError("E_CODEX_FLAG", what, next);
  }
  const argv = [request.binary, "exec", "--json", ...optionalFlags(request), ...wishes(request)];
  const config2 = [...defaultSettings(request), ...request.options?.config ?? [], ...lastSettings(request)];
  argv.push(...config2.flatMap((setting) => ["-c", setting]), ...granted(request));
  if (request.resume !== void 0) argv.push("resume", request.resume);
  argv.push("-");
  const environment = scrubEnvironment(request.environment, request.passEnv, {
    ...toldBy(request),
    PRUN_UNIT: request.marker,
    RUST_LOG: traceFilter(readVariable(request.environment, "RUST_LOG"))
  });
  return { argv, environment, stderr: "own" };
}
var import_node_path5, NETWORK;
var init_codex_command = __esm({
  "scripts-src/executor/codex-command.ts"() {
    "use strict";
    import_node_path5 = require("node:path");
    init_errors();
    init_codex_flags();
    init_codex_trace();
    init_pnpm_pins();
    init_scrub_environment();
    NETWORK = "sandbox_workspace_write.network_access";
  }
});

// scripts-src/platform/pause.ts
function pauseSync(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
var init_pause = __esm({
  "scripts-src/platform/pause.ts"() {
    "use strict";
  }
});

// scripts-src/platform/files.ts
function stampOf(file) {
  try {
    const stat = (0, import_node_fs3.statSync)(file, { bigint: true, throwIfNoEntry: false });
    if (!stat?.isFile()) return void 0;
    return {
      inode: String(stat.ino),
      size: Number(stat.size),
      mtimeNs: String(stat.mtimeNs),
      ctimeNs: String(stat.ctimeNs)
    };
  } catch {
    return void 0;
  }
}
function sameStamp(a, b) {
  if (!a || !b) return a === b;
  return a.inode === b.inode && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}
function writeAtomic(file, data, options = {}) {
  const temporary = temporaryBeside(file);
  try {
    writeAll(temporary, data, options.sync ?? true);
    renameRetrying(temporary, file);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}
function writeOnce(file, data, options = {}) {
  const temporary = temporaryBeside(file);
  try {
    writeAll(temporary, data, options.sync ?? true);
    return linkOnce(temporary, file);
  } finally {
    removeQuietly(temporary);
  }
}
function claimName(file, data) {
  let fd;
  try {
    fd = (0, import_node_fs3.openSync)(file, "wx", PRIVATE_FILE);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    (0, import_node_fs3.writeSync)(fd, data);
  } finally {
    (0, import_node_fs3.closeSync)(fd);
  }
  return true;
}
function publishOnce(prepared, file) {
  const won = linkOnce(prepared, file);
  (0, import_node_fs3.unlinkSync)(prepared);
  return won;
}
function removeQuietly(file) {
  try {
    (0, import_node_fs3.unlinkSync)(file);
  } catch {
  }
}
function linkOnce(from, to) {
  try {
    (0, import_node_fs3.linkSync)(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"].includes(errnoOf(error) ?? ""))
      throw error;
    return copyExclusive(from, to);
  }
}
function copyExclusive(from, to) {
  const data = readWhole(from);
  let fd;
  try {
    fd = (0, import_node_fs3.openSync)(to, "wx", PRIVATE_FILE);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    (0, import_node_fs3.writeFileSync)(fd, data);
    (0, import_node_fs3.fsyncSync)(fd);
  } finally {
    (0, import_node_fs3.closeSync)(fd);
  }
  return true;
}
function readWhole(file) {
  const fd = (0, import_node_fs3.openSync)(file, "r");
  try {
    const buffer2 = Buffer.alloc((0, import_node_fs3.fstatSync)(fd).size);
    readFully(fd, buffer2, 0);
    return buffer2;
  } finally {
    (0, import_node_fs3.closeSync)(fd);
  }
}
function writeAll(file, data, sync) {
  const fd = (0, import_node_fs3.openSync)(file, "wx", PRIVATE_FILE);
  try {
    (0, import_node_fs3.writeFileSync)(fd, data);
    if (sync) (0, import_node_fs3.fsyncSync)(fd);
  } finally {
    (0, import_node_fs3.closeSync)(fd);
  }
}
function temporaryBeside(file) {
  return import_node_path6.default.join(import_node_path6.default.dirname(file), `.prun-${process.pid}-${randomHex(8)}.tmp`);
}
function renameRetrying(from, to) {
  for (let attempt = 0; ; attempt++) {
    try {
      (0, import_node_fs3.renameSync)(from, to);
      return;
    } catch (error) {
      const transient = ["EPERM", "EACCES", "EBUSY"].includes(errnoOf(error) ?? "");
      if (process.platform !== "win32" || !transient || attempt >= 20) throw error;
      pauseSync(10);
    }
  }
}
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
function readEnd(file, limit) {
  return readSlice(file, (size) => Math.max(0, size - limit), limit);
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
function sizeOf(file) {
  try {
    return (0, import_node_fs3.statSync)(file).size;
  } catch {
    return 0;
  }
}
function entriesOf(folder) {
  try {
    return (0, import_node_fs3.readdirSync)(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
var import_node_fs3, import_node_path6, PRIVATE_FILE, PRIVATE_DIR;
var init_files = __esm({
  "scripts-src/platform/files.ts"() {
    "use strict";
    import_node_fs3 = require("node:fs");
    import_node_path6 = __toESM(require("node:path"), 1);
    init_errors();
    init_pause();
    init_random();
    PRIVATE_FILE = 384;
    PRIVATE_DIR = 448;
  }
});

// scripts-src/process/types.ts
var LEASES;
var init_types = __esm({
  "scripts-src/process/types.ts"() {
    "use strict";
    LEASES = "PRUN_LEASE";
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
    for (const name of (0, import_node_fs6.readdirSync)(procRoot)) {
      if (!isPidName(name)) continue;
      const found = entry(Number(name));
      if (found && found.startOrder >= since) yield found;
    }
  }
  function marks(of) {
    const environment = readSmall(`${procRoot}/${of.pid}/environ`);
    const limits = readSmall(`${procRoot}/${of.pid}/limits`);
    if (environment === void 0 && limits === void 0) return void 0;
    const found = { threads: [] };
    if (environment) readEnvironmentMarks(environment, found);
    const rss = limits && /^Max resident set\s+(\S+)/m.exec(limits)?.[1];
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
  for (const name of ["CODEX_THREAD_ID", "CODEX_SESSION_ID"]) {
    const value = environmentValue(environment, name);
    if (value) into.threads.push(value);
  }
  const leases = environmentValue(environment, LEASES);
  if (leases) into.threads.push(...leases.split("/"));
  const unit = environmentValue(environment, "PRUN_UNIT");
  if (unit) into.unit = unit;
}
function environmentValue(environment, name) {
  const key = `${name}=`;
  let at = environment.startsWith(key) ? 0 : environment.indexOf(`\0${key}`) + 1;
  if (at === 0 && !environment.startsWith(key)) return void 0;
  at += key.length;
  const end = environment.indexOf("\0", at);
  return environment.slice(at, end < 0 ? void 0 : end);
}
function isPidName(name) {
  const first = name.charCodeAt(0);
  return first >= 49 && first <= 57 && /^\d+$/.test(name);
}
function readSmall(file) {
  try {
    const fd = (0, import_node_fs6.openSync)(file, "r");
    let count3;
    try {
      count3 = (0, import_node_fs6.readSync)(fd, buffer);
    } finally {
      (0, import_node_fs6.closeSync)(fd);
    }
    return count3 < buffer.length ? buffer.toString("latin1", 0, count3) : (0, import_node_fs6.readFileSync)(file, "latin1");
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
var import_node_fs6, TICKS_PER_SECOND, buffer;
var init_linux = __esm({
  "scripts-src/process/linux.ts"() {
    "use strict";
    import_node_fs6 = require("node:fs");
    init_types();
    TICKS_PER_SECOND = 100;
    buffer = Buffer.allocUnsafe(4096);
  }
});

// scripts-src/platform/clock.ts
function monotonicMs() {
  return Number(process.hrtime.bigint() / 1000000n);
}
function wallTime(epochMs = Date.now()) {
  const days = Math.floor(epochMs / 864e5);
  const { year, month, day } = civilDate(days);
  const inDay = Math.floor(epochMs) - days * 864e5;
  const two = (value) => String(value).padStart(2, "0");
  const time3 = [inDay / 36e5, inDay / 6e4 % 60, inDay / 1e3 % 60].map(
    (part) => two(Math.floor(part))
  );
  return `${year}-${two(month)}-${two(day)}T${time3.join(":")}.${String(inDay % 1e3).padStart(3, "0")}Z`;
}
function civilDate(days) {
  const fromMarch0000 = days + 719468;
  const era = Math.floor(fromMarch0000 / 146097);
  const ofEra = fromMarch0000 - era * 146097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36524) - Math.floor(ofEra / 146096)) / 365
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * ofYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const day = ofYear - Math.floor((153 * shifted + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}
var init_clock = __esm({
  "scripts-src/platform/clock.ts"() {
    "use strict";
  }
});

// scripts-src/process/command-runner.ts
function createCommandRunner(options) {
  return (file, argv) => {
    const { spawnSync: spawnSync2 } = childProcess();
    const result = spawnSync2(file, argv, {
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
  return Array.isArray(parsed2) ? parsed2.flatMap((item) => isRecord(item) ? rowOf(item, isoMs(item.Created)) : []) : void 0;
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
      rows.push(...rowOf(block, cimDateMs(block.CreationDate ?? "")));
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
function rowOf(fields, created) {
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
function createWindowsHost(run = windowsRunner(), options = {}) {
  const { now = monotonicMs, self: self2 = process.pid, kill = process.kill.bind(process) } = options;
  let trouble;
  let table;
  let readAt = 0;
  let preferWmic = false;
  function read() {
    const ways = preferWmic ? [readByWmic, readByPowerShell] : [readByPowerShell, readByWmic];
    table = void 0;
    for (const way of ways) {
      const rows = way(run);
      const found = rows && windowsTable(rows);
      if (!found?.entries.has(self2)) continue;
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
    const ended2 = [];
    for (let from = 0; from < ids.length; from += END_AT_ONCE) {
      ended2.push(...endSome(ids.slice(from, from + END_AT_ONCE)));
    }
    return ended2;
  }
  function endSome(ids) {
    const targets = ids.filter((id) => id.boot === BOOT && id.pid > 4 && /^\d{1,15}$/.test(id.start));
    if (targets.length === 0) return [];
    const output = preferWmic ? void 0 : run(powerShell(), powerShellArgs(endScript(targets)));
    if (output?.trim().endsWith("done")) {
      const ended2 = new Set((output.match(/\d+/g) ?? []).map(Number));
      for (const pid of ended2) table?.entries.delete(pid);
      return targets.filter((id) => ended2.has(id.pid));
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
function readByPowerShell(run) {
  const output = run(powerShell(), powerShellArgs(LOOK));
  return output === void 0 ? void 0 : parseWindowsJson(output);
}
function readByWmic(run) {
  const output = run(`${systemFolder()}\\wbem\\WMIC.exe`, [
    "process",
    "get",
    `CreationDate,${COLUMNS}`,
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
var WINDOWS_FRESH_MS, END_AT_ONCE, BOOT, UTF8, COLUMNS, LOOK;
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
    COLUMNS = "ProcessId,ParentProcessId,Name,KernelModeTime,UserModeTime,ReadTransferCount,WriteTransferCount";
    LOOK = [
      UTF8,
      "$ErrorActionPreference = 'Stop'",
      `$all = Get-CimInstance -Query 'SELECT CreationDate,${COLUMNS} FROM Win32_Process'`,
      `$rows = @($all | Where-Object { $_.CreationDate } | ForEach-Object { [pscustomobject]@{ ${COLUMNS.split(
        ","
      ).map((name) => `${name} = $_.${name}`).join("; ")}; Created = $_.CreationDate.ToUniversalTime().ToString('o') } })`,
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
    const [, pidText, ppid, pgid, state = "", month, day, hour, minute, second, year, time3 = "", name] = match;
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
      command: (name ?? "").trim(),
      cpuMs: cpuMsOf(time3)
    });
  }
  deriveSessions(entries, leaders);
  return entries;
}
function deriveSessions(entries, leaders) {
  const visited = /* @__PURE__ */ new Set();
  const known = new Map([...leaders].map((pid) => [pid, pid]));
  for (const first of entries.values()) {
    const path28 = [];
    let entry = first;
    while (entry && !known.has(entry.pid) && !visited.has(entry.pid)) {
      visited.add(entry.pid);
      path28.push(entry);
      entry = relativeInSession(entries, entry);
    }
    const sid = entry && known.get(entry.pid);
    for (const one of path28) if (sid !== void 0) known.set(one.pid, sid);
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
function marksOf(withEnvironment, plain2) {
  if (withEnvironment.start !== plain2.start || !withEnvironment.text.startsWith(plain2.text)) return void 0;
  const environment = withEnvironment.text.slice(plain2.text.length);
  if (!environment.includes("=")) return void 0;
  const unit = valueIn(environment, "PRUN_UNIT");
  const threads = ["CODEX_THREAD_ID", "CODEX_SESSION_ID"].flatMap((name) => valueIn(environment, name) ?? []);
  threads.push(...valueIn(environment, LEASES)?.split("/") ?? []);
  return unit === void 0 ? { threads } : { unit, threads };
}
function valueIn(environment, name) {
  const values = /* @__PURE__ */ new Set();
  for (const match of environment.matchAll(new RegExp(` ${name}=(\\S*)`, "g"))) {
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
  const index = MONTHS3.indexOf(month);
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
var PS_COLUMNS, PS_COMMAND_COLUMNS, MONTHS3, LSTART, ROW, COMMAND_ROW;
var init_ps_output = __esm({
  "scripts-src/process/ps-output.ts"() {
    "use strict";
    init_types();
    PS_COLUMNS = ["pid", "ppid", "pgid", "state", "lstart", "time", "comm"].flatMap((name) => [
      "-o",
      `${name}=`
    ]);
    PS_COMMAND_COLUMNS = ["pid", "lstart", "command"].flatMap((name) => ["-o", `${name}=`]);
    MONTHS3 = "JanFebMarAprMayJunJulAugSepOctNovDec";
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
function createDarwinHost(run = darwinRunner(), options = {}) {
  const { now = monotonicMs, self: self2 = process.pid, kill = process.kill.bind(process) } = options;
  let boot;
  let trouble;
  let table;
  let single = /* @__PURE__ */ new Map();
  function ask(argv) {
    const output = run(PS, argv);
    const entries = output === void 0 ? void 0 : parsePsTable(output);
    trouble = entries?.has(self2) ? void 0 : `${PS} gave no usable process table`;
    return trouble === void 0 ? entries : void 0;
  }
  function readAll() {
    const argv = ["-ax", ...PS_COLUMNS];
    const entries = ask(argv) ?? ask(argv);
    table = entries && { entries, readAt: now() };
    single = /* @__PURE__ */ new Map();
    return table;
  }
  function readOne(before) {
    const { pid } = before;
    const entry = ask(["-p", `${pid},${self2}`, ...PS_COLUMNS])?.get(pid);
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
    const read = (argv) => parsePsCommands(run(PS, [...argv, ...selection, ...PS_COMMAND_COLUMNS]) ?? "");
    const withEnvironment = read(["-E", "-ww"]);
    const plain2 = read(["-ww"]);
    const found = /* @__PURE__ */ new Map();
    for (const [pid, line] of withEnvironment) {
      const without = plain2.get(pid);
      const marks = without && marksOf(line, without);
      if (marks) found.set(pid, { start: line.start, marks });
    }
    return found;
  }
  return {
    platform: "darwin",
    trouble: () => trouble,
    bootId() {
      boot ??= readBootId(run);
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
function readBootId(run) {
  const uuid2 = run(SYSCTL, ["-n", "kern.bootsessionuuid"])?.trim() ?? "";
  if (/^[0-9A-Fa-f-]{36}$/.test(uuid2)) return uuid2;
  const second = /sec = (\d+)/.exec(run(SYSCTL, ["-n", "kern.boottime"]) ?? "")?.[1];
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

// scripts-src/process/identity.ts
function formatIdentity(id) {
  return `${id.boot}:${id.pid}:${id.start}`;
}
function parseIdentity(text) {
  const match = /^([^:]+):(\d+):([^:]+)$/.exec(text.trim());
  if (!match?.[1] || !match[2] || !match[3]) return void 0;
  return { boot: match[1], pid: Number(match[2]), start: match[3] };
}
function identityOf(host, entry) {
  return { boot: host.bootId(), pid: entry.pid, start: entry.start };
}
function identify(host, pid) {
  const entry = host.entry(pid);
  return entry && identityOf(host, entry);
}
function isAlive(host, id) {
  if (id.boot !== host.bootId()) return false;
  const entry = host.entry(id.pid);
  return entry !== void 0 && entry.start === id.start && entry.state !== "zombie";
}
function signalIfSame(host, id, signal) {
  return isAlive(host, id) && host.signal(id.pid, signal);
}
var init_identity = __esm({
  "scripts-src/process/identity.ts"() {
    "use strict";
  }
});

// scripts-src/unit/state-dir.ts
function stateFile(stateDir, file) {
  return import_node_path10.default.join(stateDir, STATE_FILES[file]);
}
function draftOf(stateDir) {
  return import_node_path10.default.join(import_node_path10.default.dirname(stateDir), `.${import_node_path10.default.basename(stateDir)}.draft`);
}
function writeValue(stateDir, file, value) {
  (0, import_node_fs8.writeFileSync)(stateFile(stateDir, file), `${value}
`, { mode: PRIVATE_FILE });
}
var import_node_fs8, import_node_path10, STATE_FILES;
var init_state_dir = __esm({
  "scripts-src/unit/state-dir.ts"() {
    "use strict";
    import_node_fs8 = require("node:fs");
    import_node_path10 = __toESM(require("node:path"), 1);
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
      /** stderr of a worker whose trace shares it, or whose stdout is its answer; in the end the tail has it, too. */
      stderr: "stderr",
      /** Bytes of the tail that are stdout, noted before stderr follows; only where stdout is the worker's answer. */
      stdoutBytes: "stdout-bytes",
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
      /** The JSON schema that the last message is to hold, and the JSON of one that does; only where one was asked for. */
      outputSchema: "output-schema.json",
      structured: "structured.json",
      previousResult: "previous-result",
      emptyResult: "empty-result",
      /** Origin of a result that prun wrote from the worker's own answer, noted before it is written. */
      answered: "answered",
      /** Start fence: whoever creates it may start the worker, or may declare that it never started. */
      started: "started",
      /** Exit code of the worker, written by the shim. */
      exit: "exit",
      /** Identities of the unit's processes, where the system shows no marks (macOS). */
      members: "members",
      /** Fingerprint of the user's repository when the worker was started; only for a unit in a workspace. */
      repository: "repository",
      /** Its delta and the patch that exports it, archived at the end; only for a unit in a workspace. */
      delta: "delta.json",
      patch: "delta.patch",
      /** What the unit's own check printed. */
      verifyLog: "verify.log",
      /** Pid of the guardian, written by its starter: the worker's shim waits for it. */
      guardianPid: ".guardian-pid",
      /** Identity of the guardian. */
      guardian: "guardian"
    };
  }
});

// scripts-src/platform/byte-path.ts
function bytePath(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
function bytePathOf(text) {
  return bytePath(Buffer.from(text, "utf8"));
}
function bytesOf(where) {
  return Buffer.from(where, "latin1");
}
function fileAt(root, where, platform = process.platform) {
  if (platform === "win32") return import_node_path13.default.win32.join(root, textOf(where));
  return Buffer.concat([Buffer.from(`${root}/`), bytesOf(where)]);
}
function below(folder, name) {
  return folder === void 0 || folder === "" ? name : `${folder}/${name}`;
}
function textOf(where) {
  return bytesOf(where).toString("utf8");
}
function shownPath(where) {
  const text = textOf(where);
  const isPlain = !/[\u0000-\u001f\u007f-\u009f"\\\u2028\u2029\ufffd]|^\s|\s$/.test(text);
  return isPlain ? text : quotedPath(where);
}
function quotedPath(where) {
  const escapes = { "\n": "\\n", "	": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\" };
  const body = [...where].map((byte) => {
    const code = byte.charCodeAt(0);
    return escapes[byte] ?? (code < 32 || code > 126 ? `\\${code.toString(8).padStart(3, "0")}` : byte);
  });
  return `"${body.join("")}"`;
}
function pathFromJson(json) {
  return typeof json === "string" ? bytePathOf(json) : bytePath(Buffer.from(json.base64, "base64"));
}
var import_node_path13;
var init_byte_path = __esm({
  "scripts-src/platform/byte-path.ts"() {
    "use strict";
    import_node_path13 = __toESM(require("node:path"), 1);
  }
});

// scripts-src/workspace/tripwire/repository-look.ts
function lookAtRepository(place) {
  return beginLook(place, Number.POSITIVE_INFINITY).finish();
}
function beginLook({ gitDir, commonDir }, budgetMs) {
  const deadline = performance.now() + budgetMs;
  const unread = [];
  const isLinked = import_node_path14.default.resolve(gitDir) !== import_node_path14.default.resolve(commonDir);
  const read = (files, root, where, limit) => {
    try {
      const file = readSeen(fileAt(root, where), limit);
      if (file) files.set(where, file);
      return true;
    } catch (error) {
      noteUnread(unread, where, error);
      return !isMissing(error);
    }
  };
  const readNamed = (files, root, names) => {
    for (const name of names) read(files, root, bytePathOf(name), WHOLE_BYTES);
  };
  const loose = [commonDir, ...isLinked ? [gitDir] : []].flatMap(
    (root) => filesBelow(root, bytePathOf("refs"), unread).map((where) => ({ root, where }))
  );
  const common = /* @__PURE__ */ new Map();
  const own2 = /* @__PURE__ */ new Map();
  readNamed(own2, gitDir, ["HEAD", "config.worktree"]);
  readNamed(common, commonDir, ["packed-refs", "config", ...isLinked ? ["config.worktree"] : []]);
  const tables = tablesOf(gitDir, commonDir, unread);
  const hooks = hooksOf(commonDir, unread, read);
  const worktrees = worktreesOf(commonDir, unread, read);
  const at = wallTime();
  const refs = /* @__PURE__ */ new Map();
  let next = 0;
  let someWerePacked = false;
  const readLoose = (until) => {
    for (; next < loose.length && performance.now() < until; next++) {
      const ref = loose[next];
      if (ref && !read(refs, ref.root, ref.where, REF_BYTES)) someWerePacked = true;
    }
  };
  readLoose(deadline);
  return {
    finish() {
      readLoose(Number.POSITIVE_INFINITY);
      if (someWerePacked) readNamed(common, commonDir, ["packed-refs"]);
      return { at, own: own2, common, refs, tables, hooks, worktrees, unread };
    }
  };
}
function hooksOf(commonDir, unread, read) {
  const hooks = /* @__PURE__ */ new Map();
  const folder = bytePathOf("hooks");
  for (const entry of listed(commonDir, folder, unread)) {
    if (!isFile(entry) || entry.name.endsWith(".sample")) continue;
    read(hooks, commonDir, below(folder, entry.name), HOOK_BYTES);
  }
  return hooks;
}
function worktreesOf(commonDir, unread, read) {
  const worktrees = /* @__PURE__ */ new Map();
  const folder = bytePathOf("worktrees");
  for (const entry of listed(commonDir, folder, unread).filter((one) => one.isDirectory())) {
    for (const name of ["gitdir", "HEAD"]) {
      const where = below(below(folder, entry.name), bytePathOf(name));
      read(worktrees, commonDir, where, REF_BYTES);
    }
  }
  return worktrees;
}
function filesBelow(root, folder, unread) {
  return listed(root, folder, unread).flatMap((entry) => {
    const where = below(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(root, where, unread);
    return isFile(entry) && !where.endsWith(".lock") ? [where] : [];
  });
}
function tablesOf(gitDir, commonDir, unread) {
  const common = readTables(commonDir, unread);
  if (!common) return void 0;
  const isLinked = import_node_path14.default.resolve(gitDir) !== import_node_path14.default.resolve(commonDir);
  return { common, own: isLinked && readTables(gitDir, unread) || [] };
}
function listed(root, folder, unread) {
  try {
    return (0, import_node_fs11.readdirSync)(fileAt(root, folder), { withFileTypes: true, encoding: "latin1" });
  } catch (error) {
    noteUnread(unread, folder, error);
    return [];
  }
}
function isFile(entry) {
  return entry.isFile() || entry.isSymbolicLink();
}
function noteUnread(unread, where, error) {
  if (!isMissing(error)) unread.push({ where, why: errnoOf(error) ?? "cannot be read" });
}
function isMissing(error) {
  return ["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "");
}
function readSeen(file, limit) {
  const fd = (0, import_node_fs11.openSync)(file, import_node_fs11.constants.O_RDONLY | (import_node_fs11.constants.O_NONBLOCK ?? 0));
  try {
    const stat = (0, import_node_fs11.fstatSync)(fd);
    if (!stat.isFile()) return void 0;
    const bytes = Buffer.allocUnsafe(Math.min(stat.size, limit));
    let done = 0;
    while (done < bytes.length) {
      const count3 = (0, import_node_fs11.readSync)(fd, bytes, done, bytes.length - done, done);
      if (count3 === 0) break;
      done += count3;
    }
    return { mode: stat.mode & 4095, bytes: bytes.subarray(0, done) };
  } finally {
    (0, import_node_fs11.closeSync)(fd);
  }
}
function readTables(dir, unread) {
  const folder = import_node_path14.default.join(dir, "reftable");
  for (let tries = 1; ; tries++) {
    try {
      if ((0, import_node_fs11.statSync)(folder, { throwIfNoEntry: false }) === void 0) return void 0;
      const list = readSeen(import_node_path14.default.join(folder, "tables.list"), WHOLE_BYTES)?.bytes.toString("utf8") ?? "";
      const names = list.split("\n").filter(Boolean);
      return names.map((name) => readSeen(import_node_path14.default.join(folder, name), WHOLE_BYTES)?.bytes ?? Buffer.alloc(0));
    } catch (error) {
      if (tries < TABLE_TRIES && isMissing(error)) continue;
      noteUnread(unread, bytePathOf("reftable"), error);
      return void 0;
    }
  }
}
var import_node_fs11, import_node_path14, HOOK_BYTES, REF_BYTES, WHOLE_BYTES, TABLE_TRIES;
var init_repository_look = __esm({
  "scripts-src/workspace/tripwire/repository-look.ts"() {
    "use strict";
    import_node_fs11 = require("node:fs");
    import_node_path14 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_clock();
    init_errors();
    HOOK_BYTES = 1024 * 1024;
    REF_BYTES = 4096;
    WHOLE_BYTES = 256 * 1024 * 1024;
    TABLE_TRIES = 5;
  }
});

// scripts-src/workspace/workspace-of.ts
function workspaceOf(workdir) {
  return placeOn(import_node_path15.default.resolve(workdir)) ?? placeOnRealPath(workdir);
}
function isPlaceInSet(folder) {
  const parent = import_node_path15.default.dirname(folder);
  return import_node_path15.default.basename(parent) === "clones" && (0, import_node_fs12.existsSync)(import_node_path15.default.join(import_node_path15.default.dirname(parent), "set.json"));
}
function placeOnRealPath(workdir) {
  try {
    const real = import_node_fs12.realpathSync.native(workdir);
    return real === import_node_path15.default.resolve(workdir) ? void 0 : placeOn(real);
  } catch {
    return void 0;
  }
}
function placeOn(folder) {
  let clone2 = folder;
  for (let parent = import_node_path15.default.dirname(clone2); parent !== clone2; parent = import_node_path15.default.dirname(clone2)) {
    if (import_node_path15.default.basename(parent).toLowerCase() === "clones") {
      const place = readPlace(import_node_path15.default.dirname(parent), clone2);
      if (place) return place;
    }
    clone2 = parent;
  }
  return void 0;
}
function readPlace(set, clone2) {
  const unit = import_node_path15.default.basename(clone2);
  const record3 = import_node_path15.default.join(set, "units", unit, "workspace.json");
  const setRecord = import_node_path15.default.join(set, "set.json");
  if (!(0, import_node_fs12.existsSync)(record3) || !(0, import_node_fs12.existsSync)(setRecord)) return void 0;
  const workspace = readObject(record3);
  const source = objectIn(readObject(setRecord)?.source);
  const base = typeof workspace?.base === "string" ? workspace.base : null;
  return { set, unit, clone: clone2, ports: portsIn(workspace?.ports), base, source: sourceIn(source) };
}
function portsIn(value) {
  const ports = objectIn(value);
  const { first, last } = ports ?? {};
  return isPort(first) && isPort(last) ? { first, last } : null;
}
function isPort(value) {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < 65536;
}
function sourceIn(source) {
  const { gitDir, commonDir } = source ?? {};
  return typeof gitDir === "string" && typeof commonDir === "string" ? { gitDir, commonDir } : void 0;
}
function readObject(file) {
  try {
    return objectIn(JSON.parse((0, import_node_fs12.readFileSync)(file, "utf8")));
  } catch {
    return void 0;
  }
}
function objectIn(value) {
  return typeof value === "object" && value !== null ? value : void 0;
}
function workspaceEnvironment(workspace) {
  const { clone: clone2, ports } = workspace;
  const place = { PRUN_WORKSPACE: clone2, PRUN_BASE_NOTE: baseNoteIn(workspace) };
  if (!ports) return place;
  const [first, last] = [String(ports.first), String(ports.last)];
  return { ...place, PRUN_PORT_FIRST: first, PRUN_PORT_LAST: last, PORT: first };
}
function baseNoteIn({ set, unit }) {
  const own2 = import_node_path15.default.join(set, "units", unit, "base", "PRUN-BASE.md");
  return (0, import_node_fs12.existsSync)(own2) ? own2 : import_node_path15.default.join(set, "PRUN-BASE.md");
}
function attemptsIn({ set, unit }) {
  try {
    const text = (0, import_node_fs12.readFileSync)(import_node_path15.default.join(set, "units", unit, "attempts"), "utf8");
    return text.split("\n").filter((dir) => import_node_path15.default.isAbsolute(dir) && (0, import_node_fs12.existsSync)(dir));
  } catch {
    return [];
  }
}
function noteAttempt({ set, unit }, stateDir) {
  try {
    (0, import_node_fs12.appendFileSync)(import_node_path15.default.join(set, "units", unit, "attempts"), `${stateDir}
`, { mode: 384 });
  } catch {
  }
}
var import_node_fs12, import_node_path15;
var init_workspace_of = __esm({
  "scripts-src/workspace/workspace-of.ts"() {
    "use strict";
    import_node_fs12 = require("node:fs");
    import_node_path15 = __toESM(require("node:path"), 1);
  }
});

// scripts-src/unit/structured-schema.ts
var STRUCTURED_STATUSES, STRUCTURED_SCHEMA;
var init_structured_schema = __esm({
  "scripts-src/unit/structured-schema.ts"() {
    "use strict";
    STRUCTURED_STATUSES = ["DONE", "DONE_WITH_CONCERNS", "BLOCKED", "NEEDS_CONTEXT"];
    STRUCTURED_SCHEMA = {
      type: "object",
      properties: {
        status: {
          type: "string",
          enum: STRUCTURED_STATUSES,
          description: "DONE: all of it is done. DONE_WITH_CONCERNS: done, and somebody must know the concerns. BLOCKED: it cannot be done. NEEDS_CONTEXT: it cannot be done before a question is answered."
        },
        summary: {
          type: "string",
          description: "What came of it; for BLOCKED and NEEDS_CONTEXT what is in the way or what is to be answered."
        },
        files_changed: {
          type: "array",
          items: { type: "string" },
          description: "Every file made, changed or deleted, relative to the workspace; empty where there is none."
        },
        tests: {
          type: "array",
          items: {
            type: "object",
            properties: {
              command: { type: "string", description: "What was run or checked." },
              result: { type: "string", description: "How it ended." }
            },
            required: ["command", "result"],
            additionalProperties: false
          },
          description: "What was run to check the work; empty where nothing was."
        },
        concerns: {
          type: "array",
          items: { type: "string" },
          description: "Blockers, doubts and follow-ups; empty where there is none."
        }
      },
      required: ["status", "summary", "files_changed", "tests", "concerns"],
      additionalProperties: false
    };
  }
});

// scripts-src/unit/result-contract.ts
function missingInResult(text) {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const said = fieldsThatSaySomething(lines);
  return [
    .../^\s{0,3}#{1,6}\s+.*\bresult\b/i.test(first) ? [] : ["heading"],
    ...FIELDS.filter((field2) => !said.has(field2.toLowerCase()))
  ];
}
function missingInResultFile(file) {
  return missingInResult(readStart(file, LOOK_BYTES3));
}
function fieldsThatSaySomething(lines) {
  const said = /* @__PURE__ */ new Set();
  let open;
  let isFenced = false;
  for (const line of lines) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced) continue;
    const [, name, rest = ""] = FIELD.exec(line) ?? [];
    if (name !== void 0) {
      open = name.toLowerCase();
      if (rest.trim() !== "") said.add(open);
    } else if (open !== void 0 && line.trim() !== "") {
      if (!/^\s{0,3}#/.test(line)) said.add(open);
      open = void 0;
    }
  }
  return said;
}
var LOOK_BYTES3, FIELDS, FIELD;
var init_result_contract = __esm({
  "scripts-src/unit/result-contract.ts"() {
    "use strict";
    init_files();
    LOOK_BYTES3 = 64 * 1024;
    FIELDS = ["Conclusion", "Files", "Open items", "Verification"];
    FIELD = /^\s{0,3}(?:[-*+]\s+|#{1,4}\s+)?(?:\*\*|__|`)?(conclusion|files|open items|verification)(?:\s+(?:changed|made|modified))?(?:\*\*|__|`)?\s*:(?:\*\*|__|`)?(.*)$/i;
  }
});

// scripts-src/unit/result-file.ts
function resultStateOf(file) {
  try {
    if (!(0, import_node_fs18.lstatSync)(file, { throwIfNoEntry: false })) return "missing";
  } catch {
    return "missing";
  }
  const stamp = stampOf(file);
  if (!stamp) return "not-a-file";
  if (stamp.size === 0) return "empty";
  if (!isReadable(file)) return "not-a-file";
  return stamp.size > LOOK_BYTES4 || !INVISIBLE.test(readStart(file, LOOK_BYTES4)) ? "text" : "empty";
}
function isReadable(file) {
  try {
    (0, import_node_fs18.accessSync)(file, import_node_fs18.constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
function moveFile(from, to) {
  try {
    (0, import_node_fs18.renameSync)(from, to);
  } catch (error) {
    if (errnoOf(error) !== "EXDEV") throw error;
    const stat = (0, import_node_fs18.lstatSync)(from);
    if (stat.isSymbolicLink()) (0, import_node_fs18.symlinkSync)((0, import_node_fs18.readlinkSync)(from), to);
    else {
      (0, import_node_fs18.copyFileSync)(from, to);
      (0, import_node_fs18.utimesSync)(to, stat.atime, stat.mtime);
    }
    (0, import_node_fs18.rmSync)(from);
  }
}
function fallbackHeader(unit) {
  return `# ${unit} result (FALLBACK, worker wrote no result file)`;
}
function isOwnFallback(file, unit) {
  return readStart(file, 1024).split(/\r?\n/, 1)[0] === fallbackHeader(unit);
}
var import_node_fs18, LOOK_BYTES4, INVISIBLE;
var init_result_file = __esm({
  "scripts-src/unit/result-file.ts"() {
    "use strict";
    import_node_fs18 = require("node:fs");
    init_errors();
    init_files();
    LOOK_BYTES4 = 65536;
    INVISIBLE = /^[\s\p{Cc}\p{Cf}]*$/u;
  }
});

// scripts-src/executor/failure-advice.ts
function adviceFor(reason, facts = {}) {
  const { executor = "codex", resetAt, retryAfterSeconds, sessionId } = facts;
  const again = againText(facts);
  switch (reason) {
    case "usage-limit":
      return facts.run === void 0 ? `start nothing more on this account before ${resetAt ?? "its limit is reset"}; then ${again}, or log in with another account` : `nothing more starts on this account before ${resetAt ?? "its limit is reset"}; ${again} begins earlier, after a login with another account`;
    case "quota":
      return `buy credits or raise the spend limit of this account (or log in with another one), then ${again}`;
    case "rate-limit":
      return `run fewer units at once, and ${retryAfterSeconds ? `after ${retryAfterSeconds} s ` : ""}${again}`;
    case "auth":
      return `${LOGIN[executor] ?? "check the key of this account"} again or replace the key, then ${again}`;
    case "login":
      return `${LOGIN[executor] ?? "log in"}, then ${again}`;
    case "overloaded":
      return `the server is busy: wait some minutes, then ${again}, or name another --model`;
    case "network":
      return `check the network and the proxy${executor === "codex" ? " (and `codex login status`)" : ""}, then ${again}`;
    case "stream-cut":
      return `the answer broke off: ${again}`;
    case "context":
      return "split the unit, or give it less to read, and start it in a new session";
    case "bad-request":
      return "correct what the message names (prompt, effort, schema, work dir); the same request is refused again";
    case "model-gone":
      return `name another --model, or update ${executor}`;
    case "empty-answer":
      return sessionId ? `ask for the answer in its session ${sessionId}, or ${again} with a clearer prompt` : `${again} with a clearer prompt`;
    case "sandbox-refusal":
      if (executor === "claude") {
        return "give it another --permission-mode; as root, bypassPermissions needs IS_SANDBOX=1 where the machine itself is the sandbox";
      }
      return "give it a wider --sandbox, or a prompt that keeps to what it may do (codex refuses `rm -rf` in every sandbox)";
    case "panic":
      return `read the end of its output; make room on the disk or update ${executor}, then ${again}`;
    case "bad-flags":
      return `update ${executor}, or leave out what it does not know`;
    case "session-live":
      return "wait until that session has ended, or end it; then resume again";
    case "session-lost":
      return "it cannot be resumed: start the unit again, with what is left to do in its prompt";
    case "validation":
      return "read the log of the step that it names; correct that in the unit that made it, and then retry both";
    case "model-error":
      return `read the message; wait or name another --model, then ${again}`;
  }
}
function againText({ unit, run }) {
  if (run === void 0) return `dispatch ${unit ?? "the unit"} again`;
  return `prun resume --run ${run}${unit === void 0 ? "" : ` --unit ${unit}`}`;
}
var LOGIN;
var init_failure_advice = __esm({
  "scripts-src/executor/failure-advice.ts"() {
    "use strict";
    LOGIN = {
      codex: "run `codex login`",
      claude: "run `claude` and /login",
      omp: "log in to omp, or pass its provider key with --pass-env"
    };
  }
});

// scripts-src/executor/failure-kinds.ts
function failureKind(reason) {
  return Object.hasOwn(KINDS2, reason) ? KINDS2[reason] : void 0;
}
var KINDS2, FAILURE_REASONS;
var init_failure_kinds = __esm({
  "scripts-src/executor/failure-kinds.ts"() {
    "use strict";
    KINDS2 = {
      "usage-limit": "account",
      quota: "account",
      auth: "account",
      login: "account",
      "rate-limit": "transient",
      overloaded: "transient",
      network: "transient",
      "stream-cut": "transient",
      context: "unit",
      "bad-request": "unit",
      "model-gone": "unit",
      "empty-answer": "unit",
      "sandbox-refusal": "unit",
      panic: "unit",
      "bad-flags": "unit",
      "session-live": "unit",
      "session-lost": "unit",
      validation: "unit",
      "model-error": "unit"
    };
    FAILURE_REASONS = Object.keys(KINDS2);
  }
});

// scripts-src/supervise/next-step.ts
function nextStep(reason, executor = "codex", failure3 = {}) {
  const own2 = OWN_STEPS[executor]?.[reason] ?? STEPS[reason];
  if (own2 !== void 0) return own2;
  const named3 = FAILURE_REASONS.find((each) => each === reason);
  return named3 ? adviceFor(named3, { ...failure3, executor }) : "review this or dispatch the unit again";
}
var STEPS, OWN_STEPS;
var init_next_step = __esm({
  "scripts-src/supervise/next-step.ts"() {
    "use strict";
    init_failure_advice();
    init_failure_kinds();
    STEPS = {
      "idle-stall": "find out what it waited for, or give it a longer --stall-threshold, then dispatch it again",
      "hard-timeout": "split the unit or give it a longer --timeout, then dispatch it again",
      "output-limit": "look at the end of its output for what it repeats before it is dispatched again",
      "token-limit": "split the unit, or resume its session when its limit has been thought over",
      spawn: "install the Codex CLI (npm install -g @openai/codex) or name another program with --codex-bin",
      workspace: "see why its workspace could not be made, then retry the unit",
      disk: "make room on the disk, then dispatch the unit again",
      "claim-mismatch": "read the delta and the ignored files for what is claimed; then take what is there or dispatch it again with the finding in its prompt",
      schema: "read its last message; resume its session with what is wrong, or dispatch it again",
      "worker-blocked": "read its result, remove what is in the way, and resume its session or dispatch it again",
      "needs-context": "read its result and answer it: resume its session with the answer as its prompt",
      verify: "read the log of its verify command; dispatch it again with the finding in its prompt",
      "nothing-done": "read its result: nothing was changed and no reason given; dispatch it again with a clearer prompt"
    };
    OWN_STEPS = {
      command: { spawn: "name a program that is installed and executable as the first word of its argv" },
      claude: {
        spawn: "install Claude Code (npm install -g @anthropic-ai/claude-code) or name another program with --bin"
      },
      omp: { spawn: "install omp (bun install -g @oh-my-pi/pi-coding-agent) or name another program with --bin" }
    };
  }
});

// scripts-src/supervise/stdout-part.ts
function joinStderr(stateDir) {
  const tail = stateFile(stateDir, "tail");
  try {
    const noted = notedBytes(stateDir);
    const bytes = noted ?? sizeOf(tail);
    if (noted === void 0) writeOnce(stateFile(stateDir, "stdoutBytes"), `${bytes}
`, { sync: false });
    if (notedBytes(stateDir) === bytes && sizeOf(tail) === bytes) append(tail, stderrText(stateDir));
  } catch {
  }
}
function readStdout(stateDir, limit) {
  const tail = stateFile(stateDir, "tail");
  const total = Math.min(sizeOf(tail), notedBytes(stateDir) ?? Number.POSITIVE_INFINITY);
  const fd = openForReading(tail);
  try {
    return { bytes: readRange(fd, 0, Math.min(total, limit)), total };
  } finally {
    (0, import_node_fs19.closeSync)(fd);
  }
}
function waitingStderr(stateDir, limit) {
  return notedBytes(stateDir) === void 0 ? readEnd(stateFile(stateDir, "stderr"), limit) : "";
}
function notedBytes(stateDir) {
  const text = readValue(stateFile(stateDir, "stdoutBytes"));
  return text !== void 0 && /^\d{1,15}$/.test(text) ? Number(text) : void 0;
}
function stderrText(stateDir) {
  const file = stateFile(stateDir, "stderr");
  const text = readEnd(file, FOLLOWING_BYTES);
  if (sizeOf(file) <= FOLLOWING_BYTES) return text;
  return `… the beginning of stderr is in ${file}
${text.slice(text.indexOf("\n") + 1)}`;
}
function append(tail, text) {
  if (text === "") return;
  const fd = (0, import_node_fs19.openSync)(tail, "a+", PRIVATE_FILE);
  try {
    const { size } = (0, import_node_fs19.fstatSync)(fd);
    const isTorn = size > 0 && readRange(fd, size - 1, 1)[0] !== 10;
    const bytes = Buffer.from(isTorn ? `
${text}` : text);
    for (let at = 0; at < bytes.length; ) at += (0, import_node_fs19.writeSync)(fd, bytes, at);
  } finally {
    (0, import_node_fs19.closeSync)(fd);
  }
}
var import_node_fs19, FOLLOWING_BYTES;
var init_stdout_part = __esm({
  "scripts-src/supervise/stdout-part.ts"() {
    "use strict";
    import_node_fs19 = require("node:fs");
    init_files();
    init_state_dir();
    FOLLOWING_BYTES = 1024 * 1024;
  }
});

// scripts-src/supervise/salvage.ts
function salvageResult(request) {
  const { resultFile } = request;
  try {
    const state = resultStateOf(resultFile);
    if (isOwnFallback(resultFile, request.unit)) return keep(resultFile, originOfFallback(resultFile));
    if (state === "text") return keep(resultFile, request.origin ?? "worker");
    if (state === "not-a-file") {
      const what = stampOf(resultFile) ? "cannot be read" : "is not a regular file";
      return { result: null, error: `${resultFile} ${what}`, full: false };
    }
    if (state === "empty") setEmptyAside(request);
    const { text, origin } = fallbackText(request);
    (0, import_node_fs20.mkdirSync)(import_node_path18.default.dirname(resultFile), { recursive: true });
    if (writeOnce(resultFile, text, { sync: request.sync })) return keep(resultFile, origin);
    if (resultStateOf(resultFile) === "text") return keep(resultFile, "worker");
    return { result: null, error: `${resultFile} was taken while it was written`, full: false };
  } catch (error) {
    const errno = errnoOf(error);
    return { result: null, error: messageOf(error), full: errno === "ENOSPC" || errno === "EDQUOT" };
  }
}
function setEmptyAside({
  resultFile,
  stateDir
}) {
  const aside = stateFile(stateDir, "emptyResult");
  moveFile(resultFile, (0, import_node_fs20.existsSync)(aside) ? `${aside}-again` : aside);
}
function keep(file, origin) {
  return { result: { path: file, origin, bytes: stampOf(file)?.size ?? 0 }, error: null, full: false };
}
function originOfFallback(file) {
  return readStart(file, 8192).includes(`
${MESSAGE_FOLLOWS}
`) ? "last-message" : "tail";
}
function fallbackText(request) {
  const { unit, stateDir, verdict, exitNote: exitNote2 } = request;
  const message = lastMessageOf(request);
  const header = [
    fallbackHeader(unit),
    `Conclusion: none from the worker; prun saved what it left (${verdict.reason}${exitNote2}).`,
    `Files: ${filesLine(stateDir)}`,
    `Open items: ${nextStep(verdict.reason, request.executor.name, request.failure)}; all output is in ${stateFile(stateDir, "tail")}`,
    "Verification: none",
    "",
    `Trigger: ${verdict.reason}${exitNote2}`,
    oneLine(verdict.detail),
    ""
  ];
  const body = message ? [MESSAGE_FOLLOWS, "", message] : [
    "The end of the worker's output:",
    "",
    withoutValues(readableTail(stateDir, request.executor), request.environment) || "(it printed nothing)"
  ];
  return { text: `${[...header, ...body].join("\n")}
`, origin: message ? "last-message" : "tail" };
}
function filesLine(stateDir) {
  const scratch = stateFile(stateDir, "scratch");
  const names = filesBelow2(scratch, FILES_NAMED + 1);
  if (names.length === 0) return "unknown; look at the workspace before you use them";
  const more = names.length > FILES_NAMED ? ", …" : "";
  return oneLine(`left in ${scratch}: ${names.slice(0, FILES_NAMED).join(", ")}${more}`);
}
function filesBelow2(folder, most) {
  const found = [];
  const folders = [""];
  for (const below2 of folders) {
    for (const entry of entriesOf(import_node_path18.default.join(folder, below2))) {
      const name = import_node_path18.default.join(below2, entry.name);
      if (found.length >= most || folders.length > FOLDERS_LOOKED_AT) return found;
      if (entry.isDirectory()) folders.push(name);
      else found.push(plain(name));
    }
  }
  return found;
}
function lastMessageOf({
  stateDir,
  lastMessage
}) {
  const written = readStart(stateFile(stateDir, "lastMessage"), MESSAGE_LIMIT);
  const message = written.trim() ? written : lastMessage ?? "";
  return message.trim() ? message.slice(0, MESSAGE_LIMIT) : void 0;
}
function readableTail(stateDir, executor, maxLines = TAIL_LINES) {
  const tail = readEnd(stateFile(stateDir, "tail"), TAIL_LOOK_BYTES);
  const apart = executor.answersOnStdout ? waitingStderr(stateDir, TAIL_LOOK_BYTES) : "";
  const raw = apart && tail && !tail.endsWith("\n") ? `${tail}
${apart}` : tail + apart;
  const events = executor.events();
  const lines = raw.split("\n").map((line) => {
    const event = events.read(line);
    return event ? event.text : plain(line);
  }).filter((line) => line !== void 0);
  while (lines.at(-1) === "") lines.pop();
  return lines.slice(-maxLines).join("\n").slice(-TAIL_TEXT_BYTES);
}
function plain(line) {
  const text = line.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "").replace(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g, "").replace(/^.*\r(?=[^\r])/s, "").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
  return text.length > LINE_CHARS2 ? `${text.slice(0, LINE_CHARS2)} …(${text.length} characters)` : text;
}
function oneLine(text) {
  return text.replace(/\s+/g, " ").slice(0, 1e3);
}
var import_node_fs20, import_node_path18, MESSAGE_LIMIT, TAIL_LOOK_BYTES, TAIL_LINES, TAIL_TEXT_BYTES, LINE_CHARS2, FILES_NAMED, FOLDERS_LOOKED_AT, MESSAGE_FOLLOWS;
var init_salvage = __esm({
  "scripts-src/supervise/salvage.ts"() {
    "use strict";
    import_node_fs20 = require("node:fs");
    import_node_path18 = __toESM(require("node:path"), 1);
    init_failure_evidence();
    init_errors();
    init_files();
    init_result_file();
    init_state_dir();
    init_next_step();
    init_stdout_part();
    MESSAGE_LIMIT = 256 * 1024;
    TAIL_LOOK_BYTES = 512 * 1024;
    TAIL_LINES = 200;
    TAIL_TEXT_BYTES = 32 * 1024;
    LINE_CHARS2 = 500;
    FILES_NAMED = 10;
    FOLDERS_LOOKED_AT = 100;
    MESSAGE_FOLLOWS = "The worker's last message:";
  }
});

// scripts-src/platform/one-line.ts
function oneLine2(text) {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
var init_one_line = __esm({
  "scripts-src/platform/one-line.ts"() {
    "use strict";
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
function isObject2(data) {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}
function isPlainObject(o) {
  if (isObject2(o) === false)
    return false;
  const ctor = o.constructor;
  if (ctor === void 0)
    return true;
  if (typeof ctor !== "function")
    return true;
  const prot = ctor.prototype;
  if (isObject2(prot) === false)
    return false;
  if (Object.prototype.hasOwnProperty.call(prot, "isPrototypeOf") === false) {
    return false;
  }
  return true;
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
function prefixIssues(path28, issues) {
  return issues.map((iss) => {
    var _a3;
    (_a3 = iss).path ?? (_a3.path = []);
    iss.path.unshift(path28);
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
function $constructor(name, initializer2, proto, params) {
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
    } else if (inst._zod.traits.has(name)) {
      return;
    }
    inst._zod.traits.add(name);
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
  Object.defineProperty(Definition, "name", { value: name });
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
      return inst?._zod?.traits?.has(name);
    }
  });
  Object.defineProperty(_, "name", { value: name });
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
function failure2(Err, issues, ctx) {
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
      return result.issues.length ? failure2(_Err, result.issues, ctx) : { success: true, data: result.value };
    };
    safeParse = /* @__PURE__ */ _safeParse($ZodRealError);
    _safeParseAsync = (_Err) => async (schema, value, _ctx) => {
      const ctx = _ctx ? { ..._ctx, async: true } : { async: true };
      let result = schema._zod.run({ value, issues: [] }, ctx);
      if (result instanceof Promise)
        result = await result;
      return result.issues.length ? failure2(_Err, result.issues, ctx) : { success: true, data: result.value };
    };
    safeParseAsync = /* @__PURE__ */ _safeParseAsync($ZodRealError);
  }
});

// node_modules/zod/v4/core/regexes.js
var anyString, number, boolean;
var init_regexes = __esm({
  "node_modules/zod/v4/core/regexes.js"() {
    anyString = /^[\s\S]{0,}$/;
    number = /^-?\d+(?:\.\d+)?$/;
    boolean = /^(?:true|false)$/i;
  }
});

// node_modules/zod/v4/core/checks.js
var $ZodCheck, numericOriginMap, $ZodCheckLessThan;
var init_checks = __esm({
  "node_modules/zod/v4/core/checks.js"() {
    init_core();
    $ZodCheck = /* @__PURE__ */ $constructor("$ZodCheck", (inst, def) => {
      var _a3;
      inst._zod ?? (inst._zod = {});
      inst._zod.def = def;
      (_a3 = inst._zod).onattach ?? (_a3.onattach = []);
    });
    numericOriginMap = {
      number: "number",
      bigint: "bigint",
      object: "date"
    };
    $ZodCheckLessThan = /* @__PURE__ */ $constructor("$ZodCheckLessThan", (inst, def) => {
      $ZodCheck.init(inst, def);
      const origin = numericOriginMap[typeof def.value];
      inst._zod.check = (payload) => {
        if (def.inclusive ? payload.value <= def.value : payload.value < def.value) {
          return;
        }
        payload.issues.push({
          origin: numericOriginMap[typeof payload.value] ?? origin,
          code: "too_big",
          maximum: typeof def.value === "object" ? def.value.getTime() : def.value,
          input: payload.value,
          inclusive: def.inclusive,
          inst,
          continue: !def.abort
        });
      };
    });
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
function handleUnionResults(results, final, inst, ctx) {
  for (const result of results) {
    if (result.issues.length === 0) {
      final.value = result.value;
      return final;
    }
  }
  const nonaborted = results.filter((r) => !aborted(r));
  if (nonaborted.length === 1) {
    final.value = nonaborted[0].value;
    return nonaborted[0];
  }
  final.issues.push({
    code: "invalid_union",
    input: final.value,
    inst,
    errors: results.map((result) => result.issues.map((iss) => finalizeIssue(iss, ctx, config())))
  });
  return final;
}
var $ZodType, toStandardResult, $ZodString, $ZodNumber, $ZodBoolean, $ZodUnknown, $ZodNever, arraySize, $ZodArray, NO_SYMBOL_KEYS, $ZodObject, $ZodUnion, $ZodRecord, $ZodEnum, $ZodNullable;
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
    $ZodUnknown = /* @__PURE__ */ $constructor("$ZodUnknown", (inst, def) => {
      $ZodType.init(inst, def);
      inst._zod.parse = (payload) => payload;
    });
    $ZodNever = /* @__PURE__ */ $constructor("$ZodNever", (inst, def) => {
      $ZodType.init(inst, def);
      inst._zod.parse = (payload, _ctx) => {
        payload.issues.push({
          expected: "never",
          code: "invalid_type",
          input: payload.value,
          inst
        });
        return payload;
      };
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
          const item = input[i];
          const result = def.element._zod.run({
            value: item,
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
          const field2 = shape[key]._zod;
          if (field2.values) {
            if (!Object.prototype.hasOwnProperty.call(propValues, key)) {
              assignProp(propValues, key, /* @__PURE__ */ new Set());
            }
            for (const v of field2.values)
              propValues[key].add(v);
            if (field2.optin !== void 0)
              propValues[key].add(void 0);
          }
        }
        return propValues;
      });
      const isObject3 = isObject2;
      const catchall = def.catchall;
      let value;
      const memo = globalConfig.memoizer;
      memo?.attach(inst);
      inst._zod.parse = (payload, ctx) => {
        value ?? (value = _normalized.value);
        const input = payload.value;
        if (!isObject3(input)) {
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
    $ZodUnion = /* @__PURE__ */ $constructor("$ZodUnion", (inst, def) => {
      $ZodType.init(inst, def);
      defineLazyInternal(inst, "optin", (zod) => zod.def.options.some((o) => o._zod.optin === "defaulted") ? "defaulted" : zod.def.options.some((o) => o._zod.optin !== void 0) ? "optional" : void 0);
      defineLazyInternal(inst, "optout", (zod) => zod.def.options.some((o) => o._zod.optout === "optional") ? "optional" : void 0);
      defineLazyInternal(inst, "values", (zod) => {
        if (zod.def.options.every((o) => o._zod.values)) {
          return new Set(zod.def.options.flatMap((option) => Array.from(option._zod.values)));
        }
        return void 0;
      });
      defineLazyInternal(inst, "pattern", (zod) => {
        if (zod.def.options.every((o) => o._zod.pattern)) {
          const patterns = zod.def.options.map((o) => o._zod.pattern);
          return new RegExp(`^(${patterns.map((p) => cleanRegex(p.source)).join("|")})$`);
        }
        return void 0;
      });
      const first = def.options.length === 1 ? def.options[0]._zod.run : null;
      inst._zod.parse = (payload, ctx) => {
        if (first) {
          return first(payload, ctx);
        }
        let async = false;
        const results = [];
        for (const option of def.options) {
          const result = option._zod.run({
            value: payload.value,
            issues: []
          }, ctx);
          if (result instanceof Promise) {
            results.push(result);
            async = true;
          } else {
            if (result.issues.length === 0)
              return result;
            results.push(result);
          }
        }
        if (!async)
          return handleUnionResults(results, payload, inst, ctx);
        return Promise.all(results).then((results2) => {
          return handleUnionResults(results2, payload, inst, ctx);
        });
      };
    });
    $ZodRecord = /* @__PURE__ */ $constructor("$ZodRecord", (inst, def) => {
      $ZodType.init(inst, def);
      const memo = globalConfig.memoizer;
      memo?.attach(inst);
      inst._zod.parse = (payload, ctx) => {
        const input = payload.value;
        if (!isPlainObject(input)) {
          payload.issues.push({
            expected: "record",
            code: "invalid_type",
            input,
            inst
          });
          return payload;
        }
        const proms = [];
        const values = def.keyType._zod.values;
        if (values && !def.partial) {
          payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
          const recordKeys = /* @__PURE__ */ new Set();
          for (const key of values) {
            if (typeof key === "string" || typeof key === "number" || typeof key === "symbol") {
              recordKeys.add(typeof key === "number" ? key.toString() : key);
              if (key === "__proto__")
                continue;
              const keyResult = def.keyType._zod.run({ value: key, issues: [] }, ctx);
              if (keyResult instanceof Promise) {
                throw new Error("Async schemas not supported in object keys currently");
              }
              if (keyResult.issues.length) {
                payload.issues.push({
                  code: "invalid_key",
                  origin: "record",
                  issues: keyResult.issues.map((iss) => finalizeIssue(iss, ctx, config())),
                  input: key,
                  path: [key],
                  inst
                });
                continue;
              }
              const outKey = keyResult.value;
              if (outKey === "__proto__")
                continue;
              const result = def.valueType._zod.run({ value: input[key], issues: [] }, ctx);
              if (result instanceof Promise) {
                proms.push(result.then((result2) => {
                  if (result2.issues.length) {
                    payload.issues.push(...prefixIssues(key, result2.issues));
                  }
                  payload.value[outKey] = result2.value;
                }));
              } else {
                if (result.issues.length) {
                  payload.issues.push(...prefixIssues(key, result.issues));
                }
                payload.value[outKey] = result.value;
              }
            }
          }
          let unrecognized;
          for (const key in input) {
            if (!recordKeys.has(key)) {
              if (def.mode === "loose") {
                if (key === "__proto__")
                  continue;
                payload.value[key] = input[key];
              } else {
                unrecognized = unrecognized ?? [];
                unrecognized.push(key);
              }
            }
          }
          if (unrecognized && unrecognized.length > 0) {
            payload.issues.push({
              code: "unrecognized_keys",
              input,
              inst,
              keys: unrecognized,
              continue: true
            });
          }
        } else {
          payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
          let unrecognized;
          for (const key of Reflect.ownKeys(input)) {
            if (key === "__proto__")
              continue;
            if (!Object.prototype.propertyIsEnumerable.call(input, key))
              continue;
            let keyResult = def.keyType._zod.run({ value: key, issues: [] }, ctx);
            if (keyResult instanceof Promise) {
              throw new Error("Async schemas not supported in object keys currently");
            }
            const checkNumericKey = typeof key === "string" && number.test(key) && keyResult.issues.length;
            if (checkNumericKey) {
              const retryResult = def.keyType._zod.run({ value: Number(key), issues: [] }, ctx);
              if (retryResult instanceof Promise) {
                throw new Error("Async schemas not supported in object keys currently");
              }
              if (retryResult.issues.length === 0) {
                keyResult = retryResult;
              }
            }
            if (keyResult.issues.length) {
              if (def.mode === "loose") {
                payload.value[key] = input[key];
              } else if (values) {
                unrecognized = unrecognized ?? [];
                unrecognized.push(key);
              } else {
                payload.issues.push({
                  code: "invalid_key",
                  origin: "record",
                  issues: keyResult.issues.map((iss) => finalizeIssue(iss, ctx, config())),
                  input: key,
                  path: [key],
                  inst
                });
              }
              continue;
            }
            const outKey = keyResult.value;
            if (outKey === "__proto__")
              continue;
            const result = def.valueType._zod.run({ value: input[key], issues: [] }, ctx);
            if (result instanceof Promise) {
              proms.push(result.then((result2) => {
                if (result2.issues.length) {
                  payload.issues.push(...prefixIssues(key, result2.issues));
                }
                payload.value[outKey] = result2.value;
              }));
            } else {
              if (result.issues.length) {
                payload.issues.push(...prefixIssues(key, result.issues));
              }
              payload.value[outKey] = result.value;
            }
          }
          if (unrecognized && unrecognized.length > 0) {
            payload.issues.push({
              code: "unrecognized_keys",
              input,
              inst,
              keys: unrecognized,
              continue: true
            });
          }
        }
        if (proms.length) {
          return Promise.all(proms).then(() => payload);
        }
        return payload;
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
function _unknown(Class) {
  return new Class({
    type: "unknown"
  });
}
// @__NO_SIDE_EFFECTS__
function _never(Class, params) {
  return new Class({
    type: "never",
    ...normalizeParams(params)
  });
}
// @__NO_SIDE_EFFECTS__
function _lte(value, params) {
  return new $ZodCheckLessThan({
    check: "less_than",
    ...normalizeParams(params),
    value,
    inclusive: true
  });
}
var init_api = __esm({
  "node_modules/zod/v4/core/api.js"() {
    init_checks();
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
function unknown() {
  return _unknown(ZodMiniUnknown);
}
// @__NO_SIDE_EFFECTS__
function never(params) {
  return _never(ZodMiniNever, params);
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
function strictObject(shape, params) {
  return new ZodMiniObject({
    type: "object",
    shape,
    catchall: /* @__PURE__ */ never(),
    ...normalizeParams(params)
  });
}
// @__NO_SIDE_EFFECTS__
function union(options, params) {
  return new ZodMiniUnion({
    type: "union",
    options,
    ...normalizeParams(params)
  });
}
// @__NO_SIDE_EFFECTS__
function record(keyType, valueType, params) {
  if (!valueType || !valueType._zod) {
    return new ZodMiniRecord({
      type: "record",
      keyType: /* @__PURE__ */ string2(),
      valueType: keyType,
      ...normalizeParams(valueType)
    });
  }
  return new ZodMiniRecord({
    type: "record",
    keyType,
    valueType,
    ...normalizeParams(params)
  });
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
var ZodMiniType, ZodMiniString, ZodMiniNumber, ZodMiniBoolean, ZodMiniUnknown, ZodMiniNever, ZodMiniArray, ZodMiniObject, ZodMiniUnion, ZodMiniRecord, ZodMiniEnum, ZodMiniNullable;
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
    ZodMiniUnknown = /* @__PURE__ */ $constructor("ZodMiniUnknown", (inst, def) => {
      $ZodUnknown.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniNever = /* @__PURE__ */ $constructor("ZodMiniNever", (inst, def) => {
      $ZodNever.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniArray = /* @__PURE__ */ $constructor("ZodMiniArray", (inst, def) => {
      $ZodArray.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniObject = /* @__PURE__ */ $constructor("ZodMiniObject", (inst, def) => {
      $ZodObject.init(inst, def);
      ZodMiniType.init(inst, def);
      installLazyProp(inst, "shape", (self2) => self2._zod.def.shape, false);
    });
    ZodMiniUnion = /* @__PURE__ */ $constructor("ZodMiniUnion", (inst, def) => {
      $ZodUnion.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniRecord = /* @__PURE__ */ $constructor("ZodMiniRecord", (inst, def) => {
      $ZodRecord.init(inst, def);
      ZodMiniType.init(inst, def);
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
    init_core2();
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

// scripts-src/platform/value-at.ts
function valueAt(value, path28) {
  let found = value;
  for (const part of path28) {
    if (typeof found !== "object" || found === null) return void 0;
    found = found[part];
  }
  return found;
}
var init_value_at = __esm({
  "scripts-src/platform/value-at.ts"() {
    "use strict";
  }
});

// scripts-src/unit/structured-result.ts
function jsonOf(message) {
  const text = withoutFence(message.replace(/^\uFEFF/, "").trim());
  try {
    return { value: { json: JSON.parse(text), text } };
  } catch (error) {
    return { wrong: `it is no JSON (${messageOf(error).replace(/\s+/g, " ")})` };
  }
}
function withoutFence(text) {
  const [opening, fence] = /^(```|~~~)[^\n`]*\n/.exec(text) ?? [];
  if (opening === void 0 || fence === void 0) return text;
  const inner = text.slice(opening.length);
  return inner.endsWith(fence) ? inner.slice(0, -fence.length).trim() : text;
}
function readStructured(message) {
  const { value, wrong } = jsonOf(message);
  if (wrong !== void 0) return { wrong };
  const parsed2 = structuredResult.safeParse(value.json);
  if (!parsed2.success) return { wrong: wrongAt(parsed2.error, value.json) };
  if (!hasVisibleText(parsed2.data.summary)) return { wrong: "at summary: it says nothing" };
  return { value: parsed2.data };
}
function hasVisibleText(text) {
  return /[^\s\p{C}]/u.test(text);
}
function wrongAt(error, value) {
  const [issue2] = error.issues;
  if (!issue2) return "it does not hold the schema";
  const path28 = issue2.path.map(String);
  if (issue2.code === "unrecognized_keys") {
    return `${placeOf([...path28, issue2.keys[0] ?? ""])}: the schema has no such key`;
  }
  const found = valueAt(value, path28);
  const wanted = wantedBy(issue2);
  return `${placeOf(path28)}: ${found === void 0 ? "it is missing" : `${shown2(found)} is not ${wanted}`}`;
}
function wantedBy(issue2) {
  if (issue2.code === "invalid_type")
    return /^[aeiou]/.test(issue2.expected) ? `an ${issue2.expected}` : `a ${issue2.expected}`;
  if (issue2.code === "invalid_value") return `one of ${issue2.values.map(String).join(", ")}`;
  return "as the schema wants it";
}
function placeOf(path28) {
  return path28.length === 0 ? "at the top" : `at ${path28.join(".").slice(0, SHOWN_CHARS)}`;
}
function shown2(value) {
  const text = jsonText(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS - 1)}…` : text;
}
function jsonText(value) {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "something nested too deep";
  }
}
var structuredResult, SHOWN_CHARS;
var init_structured_result = __esm({
  "scripts-src/unit/structured-result.ts"() {
    "use strict";
    init_mini();
    init_errors();
    init_value_at();
    init_structured_schema();
    structuredResult = strictObject({
      status: _enum(STRUCTURED_STATUSES),
      summary: string2(),
      files_changed: array(string2()),
      tests: array(strictObject({ command: string2(), result: string2() })),
      concerns: array(string2())
    });
    SHOWN_CHARS = 80;
  }
});

// node_modules/@cfworker/json-schema/dist/esm/deep-compare-strict.js
function deepCompareStrict(a, b) {
  const typeofa = typeof a;
  if (typeofa !== typeof b) {
    return false;
  }
  const aIsArray = Array.isArray(a);
  const bIsArray = Array.isArray(b);
  if (aIsArray !== bIsArray) {
    return false;
  }
  if (aIsArray) {
    const length = a.length;
    if (length !== b.length) {
      return false;
    }
    for (let i = 0; i < length; i++) {
      if (!deepCompareStrict(a[i], b[i])) {
        return false;
      }
    }
    return true;
  }
  if (typeofa === "object") {
    if (!a || !b) {
      return a === b;
    }
    const aKeys = Object.keys(a);
    const bKeys = Object.keys(b);
    const length = aKeys.length;
    if (length !== bKeys.length) {
      return false;
    }
    for (const k of aKeys) {
      if (!Object.prototype.hasOwnProperty.call(b, k)) {
        return false;
      }
      if (!deepCompareStrict(a[k], b[k])) {
        return false;
      }
    }
    return true;
  }
  return a === b;
}
var init_deep_compare_strict = __esm({
  "node_modules/@cfworker/json-schema/dist/esm/deep-compare-strict.js"() {
  }
});

// node_modules/@cfworker/json-schema/dist/esm/pointer.js
function encodePointer(p) {
  return encodeURI(escapePointer(p)).replace(/#/g, "%23");
}
function escapePointer(p) {
  return p.replace(/~/g, "~0").replace(/\//g, "~1");
}
var init_pointer = __esm({
  "node_modules/@cfworker/json-schema/dist/esm/pointer.js"() {
  }
});

// node_modules/@cfworker/json-schema/dist/esm/dereference.js
function normalizeURIFragment(fragment) {
  let normalized = "";
  for (let index = 0; index < fragment.length; ) {
    const character = fragment[index];
    const encoded = fragment.slice(index, index + 3);
    if (character === "%" && uriPercentEncoding.test(encoded)) {
      const decoded = String.fromCharCode(parseInt(encoded.slice(1), 16));
      normalized += uriUnreservedCharacter.test(decoded) ? decoded : encoded.toUpperCase();
      index += 3;
      continue;
    }
    const codePoint = String.fromCodePoint(fragment.codePointAt(index));
    normalized += uriFragmentCharacter.test(codePoint) ? codePoint : encodeURIComponent(codePoint);
    index += codePoint.length;
  }
  return normalized;
}
function resolveURI(reference, baseURI) {
  const url = new URL(reference, baseURI.href);
  url.hash = url.hash ? normalizeURIFragment(url.hash.slice(1)) : "";
  return url;
}
function dereference(schema, lookup = /* @__PURE__ */ Object.create(null), baseURI = initialBaseURI, basePointer = "") {
  if (schema && typeof schema === "object" && !Array.isArray(schema)) {
    const id = schema.$id || schema["id"];
    if (id) {
      const url = resolveURI(id, baseURI);
      if (url.hash.length > 1) {
        lookup[url.href] = schema;
      } else {
        url.hash = "";
        if (basePointer === "") {
          baseURI = url;
        } else {
          dereference(schema, lookup, baseURI);
        }
      }
    }
  } else if (schema !== true && schema !== false) {
    return lookup;
  }
  const schemaURI = baseURI.href + (basePointer ? "#" + basePointer : "");
  if (lookup[schemaURI] !== void 0 && lookup[schemaURI] !== schema) {
    throw new Error(`Duplicate schema URI "${schemaURI}".`);
  }
  lookup[schemaURI] = schema;
  if (schema === true || schema === false) {
    return lookup;
  }
  if (schema.__absolute_uri__ === void 0) {
    Object.defineProperty(schema, "__absolute_uri__", {
      enumerable: false,
      value: schemaURI
    });
  }
  if (schema.$ref && schema.__absolute_ref__ === void 0) {
    const url = resolveURI(schema.$ref, baseURI);
    Object.defineProperty(schema, "__absolute_ref__", {
      enumerable: false,
      value: url.href
    });
  }
  if (schema.$recursiveRef && schema.__absolute_recursive_ref__ === void 0) {
    const url = resolveURI(schema.$recursiveRef, baseURI);
    Object.defineProperty(schema, "__absolute_recursive_ref__", {
      enumerable: false,
      value: url.href
    });
  }
  if (schema.$anchor) {
    const url = resolveURI("#" + schema.$anchor, baseURI);
    lookup[url.href] = schema;
  }
  for (let key in schema) {
    if (ignoredKeyword[key]) {
      continue;
    }
    const keyBase = `${basePointer}/${encodePointer(key)}`;
    const subSchema = schema[key];
    if (Array.isArray(subSchema)) {
      if (schemaArrayKeyword[key]) {
        const length = subSchema.length;
        for (let i = 0; i < length; i++) {
          dereference(subSchema[i], lookup, baseURI, `${keyBase}/${i}`);
        }
      }
    } else if (schemaMapKeyword[key]) {
      for (let subKey in subSchema) {
        dereference(subSchema[subKey], lookup, baseURI, `${keyBase}/${encodePointer(subKey)}`);
      }
    } else {
      dereference(subSchema, lookup, baseURI, keyBase);
    }
  }
  return lookup;
}
var uriFragmentCharacter, uriPercentEncoding, uriUnreservedCharacter, schemaArrayKeyword, schemaMapKeyword, ignoredKeyword, initialBaseURI;
var init_dereference = __esm({
  "node_modules/@cfworker/json-schema/dist/esm/dereference.js"() {
    init_pointer();
    uriFragmentCharacter = /^[A-Za-z0-9._~!$&'()*+,;=:@/?-]$/;
    uriPercentEncoding = /^%[0-9A-Fa-f]{2}$/;
    uriUnreservedCharacter = /^[A-Za-z0-9._~-]$/;
    schemaArrayKeyword = {
      prefixItems: true,
      items: true,
      allOf: true,
      anyOf: true,
      oneOf: true
    };
    schemaMapKeyword = {
      $defs: true,
      definitions: true,
      properties: true,
      patternProperties: true,
      dependentSchemas: true
    };
    ignoredKeyword = {
      id: true,
      $id: true,
      $ref: true,
      $schema: true,
      $anchor: true,
      $vocabulary: true,
      $comment: true,
      default: true,
      enum: true,
      const: true,
      required: true,
      dependentRequired: true,
      type: true,
      maximum: true,
      minimum: true,
      exclusiveMaximum: true,
      exclusiveMinimum: true,
      multipleOf: true,
      maxLength: true,
      minLength: true,
      pattern: true,
      format: true,
      maxItems: true,
      minItems: true,
      uniqueItems: true,
      maxProperties: true,
      minProperties: true
    };
    initialBaseURI = typeof self !== "undefined" && self.location && self.location.origin !== "null" ? new URL(self.location.origin + self.location.pathname + location.search) : new URL("https://github.com/cfworker");
  }
});

// node_modules/@cfworker/json-schema/dist/esm/format.js
function bind(r) {
  return r.test.bind(r);
}
function isLeapYear(year) {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
function date2(str) {
  const matches = str.match(DATE2);
  if (!matches)
    return false;
  const yearPart = matches[1];
  const monthPart = matches[2];
  const dayPart = matches[3];
  if (!yearPart || !monthPart || !dayPart)
    return false;
  const year = +yearPart;
  const month = +monthPart;
  const day = +dayPart;
  const maxDay = month == 2 && isLeapYear(year) ? 29 : DAYS2[month];
  return month >= 1 && month <= 12 && day >= 1 && maxDay !== void 0 && day <= maxDay;
}
function time2(full, str) {
  const matches = str.match(TIME);
  if (!matches)
    return false;
  const hourPart = matches[1];
  const minutePart = matches[2];
  const secondPart = matches[3];
  if (!hourPart || !minutePart || !secondPart)
    return false;
  const hour = +hourPart;
  const minute = +minutePart;
  const second = +secondPart;
  const timeZone = matches[5];
  const offsetSign = matches[6];
  const offsetHour = +(matches[7] ?? 0);
  const offsetMinute = +(matches[8] ?? 0);
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59 || full && timeZone === void 0) {
    return false;
  }
  if (second < 60)
    return true;
  const offsetDirection = offsetSign === "+" ? 1 : offsetSign === "-" ? -1 : 0;
  const utcMinute = (hour * 60 + minute - offsetDirection * (offsetHour * 60 + offsetMinute) + 24 * 60) % (24 * 60);
  return utcMinute === 23 * 60 + 59;
}
function date_time(str) {
  const [datePart, timePart, extra] = str.split(DATE_TIME_SEPARATOR);
  return datePart !== void 0 && timePart !== void 0 && extra === void 0 && date2(datePart) && time2(true, timePart);
}
function uri(str) {
  return NOT_URI_FRAGMENT.test(str) && URI_PATTERN.test(str);
}
function regex(str) {
  if (Z_ANCHOR.test(str))
    return false;
  try {
    new RegExp(str, "u");
    return true;
  } catch (e) {
    return false;
  }
}
var DATE2, DAYS2, TIME, HOSTNAME, URIREF, URITEMPLATE, URL_, UUID, JSON_POINTER, JSON_POINTER_URI_FRAGMENT, RELATIVE_JSON_POINTER, EMAIL_ADDRESS, EMAIL, IPV4, IPV6, DURATION, format, DATE_TIME_SEPARATOR, NOT_URI_FRAGMENT, URI_PATTERN, Z_ANCHOR;
var init_format = __esm({
  "node_modules/@cfworker/json-schema/dist/esm/format.js"() {
    DATE2 = /^(\d\d\d\d)-(\d\d)-(\d\d)$/;
    DAYS2 = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    TIME = /^(\d\d):(\d\d):(\d\d)(\.\d+)?(z|([+-])(\d\d):(\d\d))?$/i;
    HOSTNAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*$/i;
    URIREF = /^(?:[a-z][a-z0-9+\-.]*:)?(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'"()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*)?(?:\?(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;
    URITEMPLATE = /^(?:(?:[^\x00-\x20\x7f"<>%\\^`{|}]|%[0-9a-f]{2})|\{[+#./;?&=,!@|]?(?:[a-z0-9_]|%[0-9a-f]{2})+(?:\.(?:[a-z0-9_]|%[0-9a-f]{2})+)*(?::[1-9][0-9]{0,3}|\*)?(?:,(?:[a-z0-9_]|%[0-9a-f]{2})+(?:\.(?:[a-z0-9_]|%[0-9a-f]{2})+)*(?::[1-9][0-9]{0,3}|\*)?)*\})*$/i;
    URL_ = /^(?:(?:https?|ftp):\/\/)(?:\S+(?::\S*)?@)?(?:(?!10(?:\.\d{1,3}){3})(?!127(?:\.\d{1,3}){3})(?!169\.254(?:\.\d{1,3}){2})(?!192\.168(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z\u{00a1}-\u{ffff}0-9]+-?)*[a-z\u{00a1}-\u{ffff}0-9]+)(?:\.(?:[a-z\u{00a1}-\u{ffff}0-9]+-?)*[a-z\u{00a1}-\u{ffff}0-9]+)*(?:\.(?:[a-z\u{00a1}-\u{ffff}]{2,})))(?::\d{2,5})?(?:\/[^\s]*)?$/iu;
    UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
    JSON_POINTER = /^(?:\/(?:[^~/]|~0|~1)*)*$/;
    JSON_POINTER_URI_FRAGMENT = /^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*$/i;
    RELATIVE_JSON_POINTER = /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/;
    EMAIL_ADDRESS = /^("(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"|[a-z0-9.!#$%&'*+/=?^_`{|}~-]+)@(.+)$/i;
    EMAIL = (input) => {
      const matches = input.match(EMAIL_ADDRESS);
      if (!matches)
        return false;
      const name = matches[1];
      const host = matches[2];
      if (!name || !host || name.length > 64 || host.length > 253)
        return false;
      if (name[0] !== '"' && (name[0] === "." || name.endsWith(".") || name.includes(".."))) {
        return false;
      }
      if (host.startsWith("[") && host.endsWith("]")) {
        const address = host.slice(1, -1);
        if (/^ipv6:/i.test(address))
          return IPV6.test(address.slice(5));
        return IPV4.test(address);
      }
      return HOSTNAME.test(host);
    };
    IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)$/;
    IPV6 = /^((([0-9a-f]{1,4}:){7}([0-9a-f]{1,4}|:))|(([0-9a-f]{1,4}:){6}(:[0-9a-f]{1,4}|((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){5}(((:[0-9a-f]{1,4}){1,2})|:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){4}(((:[0-9a-f]{1,4}){1,3})|((:[0-9a-f]{1,4})?:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){3}(((:[0-9a-f]{1,4}){1,4})|((:[0-9a-f]{1,4}){0,2}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){2}(((:[0-9a-f]{1,4}){1,5})|((:[0-9a-f]{1,4}){0,3}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){1}(((:[0-9a-f]{1,4}){1,6})|((:[0-9a-f]{1,4}){0,4}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(:(((:[0-9a-f]{1,4}){1,7})|((:[0-9a-f]{1,4}){0,5}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:)))$/i;
    DURATION = (input) => /^P(?:\d+W|(?:(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)))$/.test(input);
    format = {
      date: date2,
      time: time2.bind(void 0, true),
      "date-time": date_time,
      duration: DURATION,
      uri,
      "uri-reference": bind(URIREF),
      "uri-template": bind(URITEMPLATE),
      url: bind(URL_),
      email: EMAIL,
      hostname: bind(HOSTNAME),
      ipv4: bind(IPV4),
      ipv6: bind(IPV6),
      regex,
      uuid: bind(UUID),
      "json-pointer": bind(JSON_POINTER),
      "json-pointer-uri-fragment": bind(JSON_POINTER_URI_FRAGMENT),
      "relative-json-pointer": bind(RELATIVE_JSON_POINTER)
    };
    DATE_TIME_SEPARATOR = /t|\s/i;
    NOT_URI_FRAGMENT = /\/|:/;
    URI_PATTERN = /^(?:[a-z][a-z0-9+\-.]*:)(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)(?:\?(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;
    Z_ANCHOR = /[^\\]\\Z/;
  }
});

// node_modules/@cfworker/json-schema/dist/esm/types.js
var OutputFormat;
var init_types2 = __esm({
  "node_modules/@cfworker/json-schema/dist/esm/types.js"() {
    (function(OutputFormat2) {
      OutputFormat2[OutputFormat2["Flag"] = 1] = "Flag";
      OutputFormat2[OutputFormat2["Basic"] = 2] = "Basic";
      OutputFormat2[OutputFormat2["Detailed"] = 4] = "Detailed";
    })(OutputFormat || (OutputFormat = {}));
  }
});

// node_modules/@cfworker/json-schema/dist/esm/ucs2-length.js
function ucs2length(s) {
  let result = 0;
  let length = s.length;
  let index = 0;
  let charCode;
  while (index < length) {
    result++;
    charCode = s.charCodeAt(index++);
    if (charCode >= 55296 && charCode <= 56319 && index < length) {
      charCode = s.charCodeAt(index);
      if ((charCode & 64512) == 56320) {
        index++;
      }
    }
  }
  return result;
}
var init_ucs2_length = __esm({
  "node_modules/@cfworker/json-schema/dist/esm/ucs2-length.js"() {
  }
});

// node_modules/@cfworker/json-schema/dist/esm/validate.js
function hasOwnProperty(instance, key) {
  return Object.prototype.hasOwnProperty.call(instance, key);
}
function decimalInteger(value) {
  const coefficientAndExponent = Math.abs(value).toString().split("e");
  const coefficient = coefficientAndExponent[0];
  const exponent = coefficientAndExponent[1] ?? "0";
  const point = coefficient.indexOf(".");
  const fractionLength = point === -1 ? 0 : coefficient.length - point - 1;
  return [
    BigInt(coefficient.replace(".", "")),
    Number(exponent) - fractionLength
  ];
}
function isMultipleOf(instance, divisor) {
  if (!Number.isFinite(instance) || !Number.isFinite(divisor) || divisor <= 0) {
    return false;
  }
  const [instanceCoefficient, instanceExponent] = decimalInteger(instance);
  const [divisorCoefficient, divisorExponent] = decimalInteger(divisor);
  const exponentDifference = instanceExponent - divisorExponent;
  if (exponentDifference >= 0) {
    return instanceCoefficient * 10n ** BigInt(exponentDifference) % divisorCoefficient === 0n;
  }
  return instanceCoefficient % (divisorCoefficient * 10n ** BigInt(-exponentDifference)) === 0n;
}
function validate2(instance, schema, draft = "2019-09", lookup = dereference(schema), shortCircuit = true, recursiveAnchor = null, instanceLocation = "#", schemaLocation = "#", evaluated = /* @__PURE__ */ Object.create(null)) {
  if (schema === true) {
    return { valid: true, errors: [] };
  }
  if (schema === false) {
    return {
      valid: false,
      errors: [
        {
          instanceLocation,
          keyword: "false",
          keywordLocation: instanceLocation,
          error: "False boolean schema."
        }
      ]
    };
  }
  const rawInstanceType = typeof instance;
  let instanceType;
  switch (rawInstanceType) {
    case "boolean":
    case "number":
    case "string":
      instanceType = rawInstanceType;
      break;
    case "object":
      if (instance === null) {
        instanceType = "null";
      } else if (Array.isArray(instance)) {
        instanceType = "array";
      } else {
        instanceType = "object";
      }
      break;
    default:
      throw new Error(`Instances of "${rawInstanceType}" type are not supported.`);
  }
  const { $ref, $recursiveRef, $recursiveAnchor, type: $type, const: $const, enum: $enum, required: $required, not: $not, anyOf: $anyOf, allOf: $allOf, oneOf: $oneOf, if: $if, then: $then, else: $else, format: $format, properties: $properties, patternProperties: $patternProperties, additionalProperties: $additionalProperties, unevaluatedProperties: $unevaluatedProperties, minProperties: $minProperties, maxProperties: $maxProperties, propertyNames: $propertyNames, dependentRequired: $dependentRequired, dependentSchemas: $dependentSchemas, dependencies: $dependencies, prefixItems: $prefixItems, items: $items, additionalItems: $additionalItems, unevaluatedItems: $unevaluatedItems, contains: $contains, minContains: $minContains, maxContains: $maxContains, minItems: $minItems, maxItems: $maxItems, uniqueItems: $uniqueItems, minimum: $minimum, maximum: $maximum, exclusiveMinimum: $exclusiveMinimum, exclusiveMaximum: $exclusiveMaximum, multipleOf: $multipleOf, minLength: $minLength, maxLength: $maxLength, pattern: $pattern, __absolute_ref__, __absolute_recursive_ref__ } = schema;
  const errors = [];
  if ($recursiveAnchor === true && recursiveAnchor === null) {
    recursiveAnchor = schema;
  }
  if ($recursiveRef === "#") {
    const refSchema = recursiveAnchor === null ? lookup[__absolute_recursive_ref__] : recursiveAnchor;
    const keywordLocation = `${schemaLocation}/$recursiveRef`;
    const result = validate2(instance, recursiveAnchor === null ? schema : recursiveAnchor, draft, lookup, shortCircuit, refSchema, instanceLocation, keywordLocation, evaluated);
    if (!result.valid) {
      errors.push({
        instanceLocation,
        keyword: "$recursiveRef",
        keywordLocation,
        error: "A subschema had errors."
      }, ...result.errors);
    }
  }
  if ($ref !== void 0) {
    const uri2 = __absolute_ref__ || $ref;
    const refSchema = lookup[uri2];
    if (refSchema === void 0) {
      let message = `Unresolved $ref "${$ref}".`;
      if (__absolute_ref__ && __absolute_ref__ !== $ref) {
        message += `  Absolute URI "${__absolute_ref__}".`;
      }
      message += `
Known schemas:
- ${Object.keys(lookup).join("\n- ")}`;
      throw new Error(message);
    }
    const keywordLocation = `${schemaLocation}/$ref`;
    const result = validate2(instance, refSchema, draft, lookup, shortCircuit, recursiveAnchor, instanceLocation, keywordLocation, evaluated);
    if (!result.valid) {
      errors.push({
        instanceLocation,
        keyword: "$ref",
        keywordLocation,
        error: "A subschema had errors."
      }, ...result.errors);
    }
    if (draft === "4" || draft === "7") {
      return { valid: errors.length === 0, errors };
    }
  }
  if (Array.isArray($type)) {
    let length = $type.length;
    let valid = false;
    for (let i = 0; i < length; i++) {
      if (instanceType === $type[i] || $type[i] === "integer" && instanceType === "number" && instance % 1 === 0 && instance === instance) {
        valid = true;
        break;
      }
    }
    if (!valid) {
      errors.push({
        instanceLocation,
        keyword: "type",
        keywordLocation: `${schemaLocation}/type`,
        error: `Instance type "${instanceType}" is invalid. Expected "${$type.join('", "')}".`
      });
    }
  } else if ($type === "integer") {
    if (instanceType !== "number" || instance % 1 || instance !== instance) {
      errors.push({
        instanceLocation,
        keyword: "type",
        keywordLocation: `${schemaLocation}/type`,
        error: `Instance type "${instanceType}" is invalid. Expected "${$type}".`
      });
    }
  } else if ($type !== void 0 && instanceType !== $type) {
    errors.push({
      instanceLocation,
      keyword: "type",
      keywordLocation: `${schemaLocation}/type`,
      error: `Instance type "${instanceType}" is invalid. Expected "${$type}".`
    });
  }
  if ($const !== void 0) {
    if (instanceType === "object" || instanceType === "array") {
      if (!deepCompareStrict(instance, $const)) {
        errors.push({
          instanceLocation,
          keyword: "const",
          keywordLocation: `${schemaLocation}/const`,
          error: `Instance does not match ${JSON.stringify($const)}.`
        });
      }
    } else if (instance !== $const) {
      errors.push({
        instanceLocation,
        keyword: "const",
        keywordLocation: `${schemaLocation}/const`,
        error: `Instance does not match ${JSON.stringify($const)}.`
      });
    }
  }
  if ($enum !== void 0) {
    if (instanceType === "object" || instanceType === "array") {
      if (!$enum.some((value) => deepCompareStrict(instance, value))) {
        errors.push({
          instanceLocation,
          keyword: "enum",
          keywordLocation: `${schemaLocation}/enum`,
          error: `Instance does not match any of ${JSON.stringify($enum)}.`
        });
      }
    } else if (!$enum.some((value) => instance === value)) {
      errors.push({
        instanceLocation,
        keyword: "enum",
        keywordLocation: `${schemaLocation}/enum`,
        error: `Instance does not match any of ${JSON.stringify($enum)}.`
      });
    }
  }
  if ($not !== void 0) {
    const keywordLocation = `${schemaLocation}/not`;
    const result = validate2(instance, $not, draft, lookup, shortCircuit, recursiveAnchor, instanceLocation, keywordLocation);
    if (result.valid) {
      errors.push({
        instanceLocation,
        keyword: "not",
        keywordLocation,
        error: 'Instance matched "not" schema.'
      });
    }
  }
  let subEvaluateds = [];
  if ($anyOf !== void 0) {
    const keywordLocation = `${schemaLocation}/anyOf`;
    const errorsLength = errors.length;
    let anyValid = false;
    for (const [i, subSchema] of $anyOf.entries()) {
      const subEvaluated = Object.create(evaluated);
      const result = validate2(instance, subSchema, draft, lookup, shortCircuit, $recursiveAnchor === true ? recursiveAnchor : null, instanceLocation, `${keywordLocation}/${i}`, subEvaluated);
      errors.push(...result.errors);
      anyValid = anyValid || result.valid;
      if (result.valid) {
        subEvaluateds.push(subEvaluated);
      }
    }
    if (anyValid) {
      errors.length = errorsLength;
    } else {
      errors.splice(errorsLength, 0, {
        instanceLocation,
        keyword: "anyOf",
        keywordLocation,
        error: "Instance does not match any subschemas."
      });
    }
  }
  if ($allOf !== void 0) {
    const keywordLocation = `${schemaLocation}/allOf`;
    const errorsLength = errors.length;
    let allValid = true;
    for (const [i, subSchema] of $allOf.entries()) {
      const subEvaluated = Object.create(evaluated);
      const result = validate2(instance, subSchema, draft, lookup, shortCircuit, $recursiveAnchor === true ? recursiveAnchor : null, instanceLocation, `${keywordLocation}/${i}`, subEvaluated);
      errors.push(...result.errors);
      allValid = allValid && result.valid;
      if (result.valid) {
        subEvaluateds.push(subEvaluated);
      }
    }
    if (allValid) {
      errors.length = errorsLength;
    } else {
      errors.splice(errorsLength, 0, {
        instanceLocation,
        keyword: "allOf",
        keywordLocation,
        error: `Instance does not match every subschema.`
      });
    }
  }
  if ($oneOf !== void 0) {
    const keywordLocation = `${schemaLocation}/oneOf`;
    const errorsLength = errors.length;
    const matches = $oneOf.filter((subSchema, i) => {
      const subEvaluated = Object.create(evaluated);
      const result = validate2(instance, subSchema, draft, lookup, shortCircuit, $recursiveAnchor === true ? recursiveAnchor : null, instanceLocation, `${keywordLocation}/${i}`, subEvaluated);
      errors.push(...result.errors);
      if (result.valid) {
        subEvaluateds.push(subEvaluated);
      }
      return result.valid;
    }).length;
    if (matches === 1) {
      errors.length = errorsLength;
    } else {
      errors.splice(errorsLength, 0, {
        instanceLocation,
        keyword: "oneOf",
        keywordLocation,
        error: `Instance does not match exactly one subschema (${matches} matches).`
      });
    }
  }
  if (instanceType === "object" || instanceType === "array") {
    Object.assign(evaluated, ...subEvaluateds);
  }
  if ($if !== void 0) {
    const keywordLocation = `${schemaLocation}/if`;
    const ifEvaluated = /* @__PURE__ */ Object.create(null);
    const conditionResult = validate2(instance, $if, draft, lookup, shortCircuit, recursiveAnchor, instanceLocation, keywordLocation, ifEvaluated).valid;
    if (conditionResult) {
      Object.assign(evaluated, ifEvaluated);
      if ($then !== void 0) {
        const thenResult = validate2(instance, $then, draft, lookup, shortCircuit, recursiveAnchor, instanceLocation, `${schemaLocation}/then`, evaluated);
        if (!thenResult.valid) {
          errors.push({
            instanceLocation,
            keyword: "if",
            keywordLocation,
            error: `Instance does not match "then" schema.`
          }, ...thenResult.errors);
        }
      }
    } else if ($else !== void 0) {
      const elseResult = validate2(instance, $else, draft, lookup, shortCircuit, recursiveAnchor, instanceLocation, `${schemaLocation}/else`, evaluated);
      if (!elseResult.valid) {
        errors.push({
          instanceLocation,
          keyword: "if",
          keywordLocation,
          error: `Instance does not match "else" schema.`
        }, ...elseResult.errors);
      }
    }
  }
  if (instanceType === "object") {
    if ($required !== void 0) {
      for (const key of $required) {
        if (!hasOwnProperty(instance, key)) {
          errors.push({
            instanceLocation,
            keyword: "required",
            keywordLocation: `${schemaLocation}/required`,
            error: `Instance does not have required property "${key}".`
          });
        }
      }
    }
    const keys = Object.keys(instance);
    if ($minProperties !== void 0 && keys.length < $minProperties) {
      errors.push({
        instanceLocation,
        keyword: "minProperties",
        keywordLocation: `${schemaLocation}/minProperties`,
        error: `Instance does not have at least ${$minProperties} properties.`
      });
    }
    if ($maxProperties !== void 0 && keys.length > $maxProperties) {
      errors.push({
        instanceLocation,
        keyword: "maxProperties",
        keywordLocation: `${schemaLocation}/maxProperties`,
        error: `Instance does not have at least ${$maxProperties} properties.`
      });
    }
    if ($propertyNames !== void 0) {
      const keywordLocation = `${schemaLocation}/propertyNames`;
      for (const key in instance) {
        const subInstancePointer = `${instanceLocation}/${encodePointer(key)}`;
        const result = validate2(key, $propertyNames, draft, lookup, shortCircuit, recursiveAnchor, subInstancePointer, keywordLocation);
        if (!result.valid) {
          errors.push({
            instanceLocation,
            keyword: "propertyNames",
            keywordLocation,
            error: `Property name "${key}" does not match schema.`
          }, ...result.errors);
        }
      }
    }
    if ($dependentRequired !== void 0) {
      const keywordLocation = `${schemaLocation}/dependantRequired`;
      for (const key in $dependentRequired) {
        if (hasOwnProperty(instance, key)) {
          const required3 = $dependentRequired[key];
          for (const dependantKey of required3) {
            if (!hasOwnProperty(instance, dependantKey)) {
              errors.push({
                instanceLocation,
                keyword: "dependentRequired",
                keywordLocation,
                error: `Instance has "${key}" but does not have "${dependantKey}".`
              });
            }
          }
        }
      }
    }
    if ($dependentSchemas !== void 0) {
      for (const [key, dependentSchema] of Object.entries($dependentSchemas)) {
        const keywordLocation = `${schemaLocation}/dependentSchemas`;
        if (hasOwnProperty(instance, key)) {
          const result = validate2(instance, dependentSchema, draft, lookup, shortCircuit, recursiveAnchor, instanceLocation, `${keywordLocation}/${encodePointer(key)}`, evaluated);
          if (!result.valid) {
            errors.push({
              instanceLocation,
              keyword: "dependentSchemas",
              keywordLocation,
              error: `Instance has "${key}" but does not match dependant schema.`
            }, ...result.errors);
          }
        }
      }
    }
    if ($dependencies !== void 0) {
      const keywordLocation = `${schemaLocation}/dependencies`;
      for (const key in $dependencies) {
        if (hasOwnProperty(instance, key)) {
          const propsOrSchema = $dependencies[key];
          if (Array.isArray(propsOrSchema)) {
            for (const dependantKey of propsOrSchema) {
              if (!hasOwnProperty(instance, dependantKey)) {
                errors.push({
                  instanceLocation,
                  keyword: "dependencies",
                  keywordLocation,
                  error: `Instance has "${key}" but does not have "${dependantKey}".`
                });
              }
            }
          } else {
            const result = validate2(instance, propsOrSchema, draft, lookup, shortCircuit, recursiveAnchor, instanceLocation, `${keywordLocation}/${encodePointer(key)}`);
            if (!result.valid) {
              errors.push({
                instanceLocation,
                keyword: "dependencies",
                keywordLocation,
                error: `Instance has "${key}" but does not match dependant schema.`
              }, ...result.errors);
            }
          }
        }
      }
    }
    const thisEvaluated = /* @__PURE__ */ Object.create(null);
    let stop = false;
    if ($properties !== void 0) {
      const keywordLocation = `${schemaLocation}/properties`;
      for (const [key, propertySchema] of Object.entries($properties)) {
        if (!hasOwnProperty(instance, key)) {
          continue;
        }
        const subInstancePointer = `${instanceLocation}/${encodePointer(key)}`;
        const result = validate2(instance[key], propertySchema, draft, lookup, shortCircuit, recursiveAnchor, subInstancePointer, `${keywordLocation}/${encodePointer(key)}`);
        thisEvaluated[key] = true;
        if (result.valid) {
          evaluated[key] = true;
        } else {
          stop = shortCircuit;
          errors.push({
            instanceLocation,
            keyword: "properties",
            keywordLocation,
            error: `Property "${key}" does not match schema.`
          }, ...result.errors);
          if (stop)
            break;
        }
      }
    }
    if (!stop && $patternProperties !== void 0) {
      const keywordLocation = `${schemaLocation}/patternProperties`;
      for (const [pattern, subSchema] of Object.entries($patternProperties)) {
        const regex2 = new RegExp(pattern, "u");
        for (const key in instance) {
          if (!regex2.test(key)) {
            continue;
          }
          const subInstancePointer = `${instanceLocation}/${encodePointer(key)}`;
          const result = validate2(instance[key], subSchema, draft, lookup, shortCircuit, recursiveAnchor, subInstancePointer, `${keywordLocation}/${encodePointer(pattern)}`);
          thisEvaluated[key] = true;
          if (result.valid) {
            evaluated[key] = true;
          } else {
            stop = shortCircuit;
            errors.push({
              instanceLocation,
              keyword: "patternProperties",
              keywordLocation,
              error: `Property "${key}" matches pattern "${pattern}" but does not match associated schema.`
            }, ...result.errors);
          }
        }
      }
    }
    if (!stop && $additionalProperties !== void 0) {
      const keywordLocation = `${schemaLocation}/additionalProperties`;
      for (const key in instance) {
        if (thisEvaluated[key]) {
          continue;
        }
        const subInstancePointer = `${instanceLocation}/${encodePointer(key)}`;
        const result = validate2(instance[key], $additionalProperties, draft, lookup, shortCircuit, recursiveAnchor, subInstancePointer, keywordLocation);
        if (result.valid) {
          evaluated[key] = true;
        } else {
          stop = shortCircuit;
          errors.push({
            instanceLocation,
            keyword: "additionalProperties",
            keywordLocation,
            error: `Property "${key}" does not match additional properties schema.`
          }, ...result.errors);
        }
      }
    } else if (!stop && $unevaluatedProperties !== void 0) {
      const keywordLocation = `${schemaLocation}/unevaluatedProperties`;
      for (const key in instance) {
        if (!evaluated[key]) {
          const subInstancePointer = `${instanceLocation}/${encodePointer(key)}`;
          const result = validate2(instance[key], $unevaluatedProperties, draft, lookup, shortCircuit, recursiveAnchor, subInstancePointer, keywordLocation);
          if (result.valid) {
            evaluated[key] = true;
          } else {
            errors.push({
              instanceLocation,
              keyword: "unevaluatedProperties",
              keywordLocation,
              error: `Property "${key}" does not match unevaluated properties schema.`
            }, ...result.errors);
          }
        }
      }
    }
  } else if (instanceType === "array") {
    if ($maxItems !== void 0 && instance.length > $maxItems) {
      errors.push({
        instanceLocation,
        keyword: "maxItems",
        keywordLocation: `${schemaLocation}/maxItems`,
        error: `Array has too many items (${instance.length} > ${$maxItems}).`
      });
    }
    if ($minItems !== void 0 && instance.length < $minItems) {
      errors.push({
        instanceLocation,
        keyword: "minItems",
        keywordLocation: `${schemaLocation}/minItems`,
        error: `Array has too few items (${instance.length} < ${$minItems}).`
      });
    }
    const length = instance.length;
    let i = 0;
    let stop = false;
    if ($prefixItems !== void 0) {
      const keywordLocation = `${schemaLocation}/prefixItems`;
      const length2 = Math.min($prefixItems.length, length);
      for (; i < length2; i++) {
        const result = validate2(instance[i], $prefixItems[i], draft, lookup, shortCircuit, recursiveAnchor, `${instanceLocation}/${i}`, `${keywordLocation}/${i}`);
        evaluated[i] = true;
        if (!result.valid) {
          stop = shortCircuit;
          errors.push({
            instanceLocation,
            keyword: "prefixItems",
            keywordLocation,
            error: `Items did not match schema.`
          }, ...result.errors);
          if (stop)
            break;
        }
      }
    }
    if ($items !== void 0) {
      const keywordLocation = `${schemaLocation}/items`;
      if (Array.isArray($items)) {
        const length2 = Math.min($items.length, length);
        for (; i < length2; i++) {
          const result = validate2(instance[i], $items[i], draft, lookup, shortCircuit, recursiveAnchor, `${instanceLocation}/${i}`, `${keywordLocation}/${i}`);
          evaluated[i] = true;
          if (!result.valid) {
            stop = shortCircuit;
            errors.push({
              instanceLocation,
              keyword: "items",
              keywordLocation,
              error: `Items did not match schema.`
            }, ...result.errors);
            if (stop)
              break;
          }
        }
      } else {
        for (; i < length; i++) {
          const result = validate2(instance[i], $items, draft, lookup, shortCircuit, recursiveAnchor, `${instanceLocation}/${i}`, keywordLocation);
          evaluated[i] = true;
          if (!result.valid) {
            stop = shortCircuit;
            errors.push({
              instanceLocation,
              keyword: "items",
              keywordLocation,
              error: `Items did not match schema.`
            }, ...result.errors);
            if (stop)
              break;
          }
        }
      }
      if (!stop && $additionalItems !== void 0) {
        const keywordLocation2 = `${schemaLocation}/additionalItems`;
        for (; i < length; i++) {
          const result = validate2(instance[i], $additionalItems, draft, lookup, shortCircuit, recursiveAnchor, `${instanceLocation}/${i}`, keywordLocation2);
          evaluated[i] = true;
          if (!result.valid) {
            stop = shortCircuit;
            errors.push({
              instanceLocation,
              keyword: "additionalItems",
              keywordLocation: keywordLocation2,
              error: `Items did not match additional items schema.`
            }, ...result.errors);
          }
        }
      }
    }
    if ($contains !== void 0) {
      if (length === 0 && $minContains === void 0) {
        errors.push({
          instanceLocation,
          keyword: "contains",
          keywordLocation: `${schemaLocation}/contains`,
          error: `Array is empty. It must contain at least one item matching the schema.`
        });
      } else if ($minContains !== void 0 && length < $minContains) {
        errors.push({
          instanceLocation,
          keyword: "minContains",
          keywordLocation: `${schemaLocation}/minContains`,
          error: `Array has less items (${length}) than minContains (${$minContains}).`
        });
      } else {
        const keywordLocation = `${schemaLocation}/contains`;
        const errorsLength = errors.length;
        let contained = 0;
        for (let j = 0; j < length; j++) {
          const result = validate2(instance[j], $contains, draft, lookup, shortCircuit, recursiveAnchor, `${instanceLocation}/${j}`, keywordLocation);
          if (result.valid) {
            evaluated[j] = true;
            contained++;
          } else {
            errors.push(...result.errors);
          }
        }
        if (contained >= ($minContains || 0)) {
          errors.length = errorsLength;
        }
        if ($minContains === void 0 && contained === 0) {
          errors.splice(errorsLength, 0, {
            instanceLocation,
            keyword: "contains",
            keywordLocation,
            error: `Array does not contain item matching schema.`
          });
        } else if ($minContains !== void 0 && contained < $minContains) {
          errors.push({
            instanceLocation,
            keyword: "minContains",
            keywordLocation: `${schemaLocation}/minContains`,
            error: `Array must contain at least ${$minContains} items matching schema. Only ${contained} items were found.`
          });
        } else if ($maxContains !== void 0 && contained > $maxContains) {
          errors.push({
            instanceLocation,
            keyword: "maxContains",
            keywordLocation: `${schemaLocation}/maxContains`,
            error: `Array may contain at most ${$maxContains} items matching schema. ${contained} items were found.`
          });
        }
      }
    }
    if (!stop && $unevaluatedItems !== void 0) {
      const keywordLocation = `${schemaLocation}/unevaluatedItems`;
      for (i; i < length; i++) {
        if (evaluated[i]) {
          continue;
        }
        const result = validate2(instance[i], $unevaluatedItems, draft, lookup, shortCircuit, recursiveAnchor, `${instanceLocation}/${i}`, keywordLocation);
        evaluated[i] = true;
        if (!result.valid) {
          errors.push({
            instanceLocation,
            keyword: "unevaluatedItems",
            keywordLocation,
            error: `Items did not match unevaluated items schema.`
          }, ...result.errors);
        }
      }
    }
    if ($uniqueItems) {
      for (let j = 0; j < length; j++) {
        const a = instance[j];
        const ao = typeof a === "object" && a !== null;
        for (let k = 0; k < length; k++) {
          if (j === k) {
            continue;
          }
          const b = instance[k];
          const bo = typeof b === "object" && b !== null;
          if (a === b || ao && bo && deepCompareStrict(a, b)) {
            errors.push({
              instanceLocation,
              keyword: "uniqueItems",
              keywordLocation: `${schemaLocation}/uniqueItems`,
              error: `Duplicate items at indexes ${j} and ${k}.`
            });
            j = Number.MAX_SAFE_INTEGER;
            k = Number.MAX_SAFE_INTEGER;
          }
        }
      }
    }
  } else if (instanceType === "number") {
    if (draft === "4") {
      if ($minimum !== void 0 && ($exclusiveMinimum === true && instance <= $minimum || instance < $minimum)) {
        errors.push({
          instanceLocation,
          keyword: "minimum",
          keywordLocation: `${schemaLocation}/minimum`,
          error: `${instance} is less than ${$exclusiveMinimum ? "or equal to " : ""} ${$minimum}.`
        });
      }
      if ($maximum !== void 0 && ($exclusiveMaximum === true && instance >= $maximum || instance > $maximum)) {
        errors.push({
          instanceLocation,
          keyword: "maximum",
          keywordLocation: `${schemaLocation}/maximum`,
          error: `${instance} is greater than ${$exclusiveMaximum ? "or equal to " : ""} ${$maximum}.`
        });
      }
    } else {
      if ($minimum !== void 0 && instance < $minimum) {
        errors.push({
          instanceLocation,
          keyword: "minimum",
          keywordLocation: `${schemaLocation}/minimum`,
          error: `${instance} is less than ${$minimum}.`
        });
      }
      if ($maximum !== void 0 && instance > $maximum) {
        errors.push({
          instanceLocation,
          keyword: "maximum",
          keywordLocation: `${schemaLocation}/maximum`,
          error: `${instance} is greater than ${$maximum}.`
        });
      }
      if ($exclusiveMinimum !== void 0 && instance <= $exclusiveMinimum) {
        errors.push({
          instanceLocation,
          keyword: "exclusiveMinimum",
          keywordLocation: `${schemaLocation}/exclusiveMinimum`,
          error: `${instance} is less than ${$exclusiveMinimum}.`
        });
      }
      if ($exclusiveMaximum !== void 0 && instance >= $exclusiveMaximum) {
        errors.push({
          instanceLocation,
          keyword: "exclusiveMaximum",
          keywordLocation: `${schemaLocation}/exclusiveMaximum`,
          error: `${instance} is greater than or equal to ${$exclusiveMaximum}.`
        });
      }
    }
    if ($multipleOf !== void 0) {
      if (!isMultipleOf(instance, $multipleOf)) {
        errors.push({
          instanceLocation,
          keyword: "multipleOf",
          keywordLocation: `${schemaLocation}/multipleOf`,
          error: `${instance} is not a multiple of ${$multipleOf}.`
        });
      }
    }
  } else if (instanceType === "string") {
    const length = $minLength === void 0 && $maxLength === void 0 ? 0 : ucs2length(instance);
    if ($minLength !== void 0 && length < $minLength) {
      errors.push({
        instanceLocation,
        keyword: "minLength",
        keywordLocation: `${schemaLocation}/minLength`,
        error: `String is too short (${length} < ${$minLength}).`
      });
    }
    if ($maxLength !== void 0 && length > $maxLength) {
      errors.push({
        instanceLocation,
        keyword: "maxLength",
        keywordLocation: `${schemaLocation}/maxLength`,
        error: `String is too long (${length} > ${$maxLength}).`
      });
    }
    if ($pattern !== void 0 && !new RegExp($pattern, "u").test(instance)) {
      errors.push({
        instanceLocation,
        keyword: "pattern",
        keywordLocation: `${schemaLocation}/pattern`,
        error: `String does not match pattern.`
      });
    }
    if ($format !== void 0 && format[$format] && !format[$format](instance)) {
      errors.push({
        instanceLocation,
        keyword: "format",
        keywordLocation: `${schemaLocation}/format`,
        error: `String does not match format "${$format}".`
      });
    }
  }
  return { valid: errors.length === 0, errors };
}
var init_validate = __esm({
  "node_modules/@cfworker/json-schema/dist/esm/validate.js"() {
    init_deep_compare_strict();
    init_dereference();
    init_format();
    init_pointer();
    init_ucs2_length();
  }
});

// node_modules/@cfworker/json-schema/dist/esm/validator.js
var Validator;
var init_validator = __esm({
  "node_modules/@cfworker/json-schema/dist/esm/validator.js"() {
    init_dereference();
    init_validate();
    Validator = class {
      schema;
      draft;
      shortCircuit;
      lookup;
      constructor(schema, draft = "2019-09", shortCircuit = true) {
        this.schema = schema;
        this.draft = draft;
        this.shortCircuit = shortCircuit;
        this.lookup = dereference(schema);
      }
      validate(instance) {
        return validate2(instance, this.schema, this.draft, this.lookup, this.shortCircuit);
      }
      addSchema(schema, id) {
        if (id) {
          schema = { ...schema, $id: id };
        }
        dereference(schema, this.lookup);
      }
    };
  }
});

// node_modules/@cfworker/json-schema/dist/esm/index.js
var init_esm = __esm({
  "node_modules/@cfworker/json-schema/dist/esm/index.js"() {
    init_deep_compare_strict();
    init_dereference();
    init_format();
    init_pointer();
    init_types2();
    init_ucs2_length();
    init_validate();
    init_validator();
  }
});

// scripts-src/supervise/own-schema.ts
function schemaFault(file, value) {
  try {
    const schema = JSON.parse((0, import_node_fs23.readFileSync)(file, "utf8"));
    const { valid, errors } = new Validator(schema, draftOf2(schema), false).validate(value);
    if (valid) return void 0;
    const depth = (place) => place.split("/").length;
    const deepest = errors.reduce(
      (best, one) => depth(one.instanceLocation) > depth(best.instanceLocation) ? one : best
    );
    return `at ${placeOf2(deepest.instanceLocation)}: ${deepest.error}`;
  } catch (error) {
    return `the schema cannot be used (${messageOf(error)})`;
  }
}
function placeOf2(pointer) {
  const keys = pointer.replace(/^#\/?/, "").split("/").filter(Boolean);
  const names = keys.map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.length === 0 ? "the top" : names.join(".");
}
function draftOf2({ $schema = "" }) {
  const name = /draft-0([467])|(2019-09)/.exec($schema);
  if (name?.[1] === "4") return "4";
  return name?.[1] !== void 0 ? "7" : name?.[2] !== void 0 ? "2019-09" : "2020-12";
}
var import_node_fs23;
var init_own_schema = __esm({
  "scripts-src/supervise/own-schema.ts"() {
    "use strict";
    import_node_fs23 = require("node:fs");
    init_esm();
    init_errors();
  }
});

// scripts-src/workspace/claims/path-word.ts
function pathWord(raw, isQuoted) {
  const link = /^\[([^\]]*)\]$/.exec(raw)?.[1];
  const word = (link ?? raw).trim();
  if (/^(?:\/|~|[A-Za-z]:[\\/]|\\\\|-|\.\.(?:[\\/]|$)|\$|@)/.test(word) || /:\/\/|^(?:mailto|www\.)/.test(word)) {
    return void 0;
  }
  const text = trimmed(word);
  if (text === "" || text === "." || !/[\p{L}\p{N}]/u.test(text)) return void 0;
  const isSure = isSurePath(text, isQuoted);
  return { text, isSure, isGone: false };
}
function trimmed(word) {
  return word.replace(/^[*_<[({'"‘“]+(?=\S)/, (start) => /^[*_]+$/.test(start) && !/[*_]$/.test(word) ? start : "").replace(/(?:#L?\d[\w-]*|#.*|::.*|:\d+(?:[-–:,]\d+)*:?)$/, "").replace(/[:.,;!?'"’”>\])]+$/, (end, at, whole) => keptEnd(end, whole.slice(0, at))).replace(/\*\*$/, (stars, at, whole) => whole[at - 1] === "/" ? stars : "").replace(/\\/g, "/").replace(/^(?:\.\/)+/, "").replace(/\/{2,}/g, "/");
}
function keptEnd(end, before) {
  if (end.startsWith("]") && before.includes("[")) return "]";
  return end.startsWith(")") && before.includes("(") ? ")" : "";
}
function isSurePath(text, isQuoted) {
  if (/[\s<>$:|=%@…]|\.\.\./.test(text) || WEB_HOST.test(text)) return false;
  const names = text.split("/").filter(Boolean);
  const last = names.at(-1) ?? "";
  const ending = /[^.]\.([A-Za-z][A-Za-z0-9]{0,9})$/.exec(last)?.[1]?.toLowerCase();
  const isFolder = text.endsWith("/");
  if (names.length > 1) {
    if (!names.some((name) => /[\p{L}]/u.test(name))) return false;
    if (!isFolder && names.slice(0, -1).some((name) => ENDINGS.has(/[^.]\.(\w+)$/.exec(name)?.[1] ?? "")))
      return false;
    if (ending !== void 0) return !/^v?\d/.test(last) || ENDINGS.has(ending);
    return isFolder || isQuoted && names.length > 2;
  }
  if (isFolder) return isQuoted;
  if (ending === void 0 || !ENDINGS.has(ending)) return false;
  return !PRODUCTS.test(last) && !(ending === "env" && !isQuoted);
}
var PRODUCTS, ENDINGS, WEB_HOST;
var init_path_word = __esm({
  "scripts-src/workspace/claims/path-word.ts"() {
    "use strict";
    PRODUCTS = /^(?:node|next|nuxt|vue|react|angular|express|three|d3|chart|moment|day|nest|ember|backbone|alpine|solid|bun|deno|require|socket|discord|p5|web|asp|ml)\.(?:js|ts|io|net)$/i;
    ENDINGS = new Set(
      "ts tsx mts cts js jsx mjs cjs json jsonc json5 md mdx rst txt py pyi ipynb rb rs go java kt kts scala swift c h cc cpp cxx hh hpp hxx m mm cs fs fsx vb php pl pm lua r jl ex exs erl hs ml mli clj cljs dart zig nim sh bash zsh fish ps1 bat cmd html htm css scss sass less svg xml yml yaml toml ini cfg conf lock sql graphql gql proto prisma vue svelte astro tf tfvars hcl nix gradle cmake mk csv tsv png jpg jpeg gif webp ico pdf snap patch diff tmpl hbs ejs pug njk env".split(" ")
    );
    WEB_HOST = /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|ai|co|edu|gov)(?:\/|$)/i;
  }
});

// scripts-src/workspace/claims/claimed-paths.ts
function pathWords(field2) {
  const words = [];
  for (const line of field2.split("\n")) {
    const state = { isMention: false, isDescription: false };
    for (const part of partsOf(line)) {
      if (part.startsAnew) Object.assign(state, { isMention: false, isDescription: false });
      words.push(...readPart(part.text.slice(0, PART_LENGTH), state));
    }
  }
  return words;
}
function partsOf(line) {
  const parts = [];
  let text = "";
  let startsAnew = true;
  let depth = 0;
  let quote = "";
  const cut2 = (isAnew) => {
    parts.push({ text, startsAnew });
    text = "";
    startsAnew = isAnew;
  };
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "`" || char === '"' && line.indexOf('"', at + 1) > 0) quote = char;
    else if ("({[".includes(char)) depth++;
    else if (")}]".includes(char)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && (char === "," || char === "|")) {
      cut2(false);
      continue;
    } else if (depth === 0 && (char === ";" || char === "." && /^\s+[A-Z`]/.test(line.slice(at + 1)))) {
      cut2(true);
      continue;
    }
    text += char;
  }
  cut2(true);
  return parts;
}
function readPart(text, state) {
  const own2 = [];
  let isFirst = true;
  let hasPath = false;
  let isMention = false;
  let isDenied = false;
  for (const [, tick, double, single, note3, bare] of text.matchAll(TOKEN)) {
    if (note3 !== void 0) {
      remark(own2.at(-1), note3);
      const inner = pathWords(note3);
      own2.push(...hasPath || state.isMention ? inner.map(unsure) : inner);
      isFirst = false;
      continue;
    }
    const quoted = tick ?? double ?? single;
    const word = quoted ?? bare ?? "";
    if (bare !== void 0 && BULLET.test(bare)) {
      if (hasPath) state.isDescription = true;
      continue;
    }
    const plain2 = quoted === void 0 ? word.replace(/^[*_]+|[*_:.!?]+$/g, "") : "";
    const wasDenied = isDenied;
    isDenied = DENIAL.test(plain2);
    if (MENTION.test(plain2)) {
      if (hasPath) isMention = true;
      else state.isMention = true;
    } else if (CHANGE.test(plain2)) {
      state.isMention &&= wasDenied;
      isMention &&= wasDenied;
    } else {
      const path28 = pathWord(word, quoted !== void 0);
      const isDoubtful = state.isMention || isMention || state.isDescription && !isFirst;
      if (path28) own2.push(isDoubtful ? unsure(path28) : path28);
      hasPath ||= path28 !== void 0 && (quoted !== void 0 || /[./]/.test(path28.text));
      if (hasPath && word.endsWith(":")) state.isDescription = true;
    }
    if (state.isDescription || hasPath) isFirst = false;
  }
  const description = /(?:\s[-–—]{1,2}|:)\s+([^`]*)$/.exec(text)?.[1];
  if (description !== void 0) for (const path28 of own2) remark(path28, description);
  return own2;
}
function remark(path28, note3) {
  if (!path28) return;
  if (NO_CHANGE.test(note3)) path28.isSure = false;
  if (GONE.test(note3)) path28.isGone = true;
}
function unsure(path28) {
  return { ...path28, isSure: false };
}
var MENTION, DENIAL, CHANGE, NO_CHANGE, GONE, PART_LENGTH, BULLET, TOKEN;
var init_claimed_paths = __esm({
  "scripts-src/workspace/claims/claimed-paths.ts"() {
    "use strict";
    init_path_word();
    MENTION = /^(?:read|reads|reading|review(?:ed|s|ing)?|inspect(?:ed|ing)?|examin(?:ed|ing)|check(?:ed|ing)|unchanged|untouched|unmodified|see|cf|using|used|from|ran|run|running|verified|verifying|tested|testing|consult(?:ed|ing)|referenc(?:ed|es|ing)|refers?|per|like|unlike|not|no|none|nothing|without|except|considered|looked|analy[sz](?:ed|ing)|via|against|instead|copied|based|left|kept|should|would|could|todo|planned|proposed|suggested|recommend(?:ed)?|n\/a)$/i;
    DENIAL = /^(?:no|not|without|never|none|nothing|any|other|further)$/i;
    CHANGE = /^(?:chang(?:ed|es|ing)|modif(?:ied|ies|ying)|add(?:ed|s|ing)?|creat(?:ed|es|ing)|updat(?:ed|es|ing)|new|edit(?:ed|s|ing)?|delet(?:ed|es|ing)|remov(?:ed|es|ing)|renam(?:ed|es|ing)|mov(?:ed|es|ing)|wrote|written|made|extend(?:ed|s)?|rewrote|rewritten|fix(?:ed|es)?|refactor(?:ed)?|touch(?:ed)?|generat(?:ed|es)?|replac(?:ed|es)|introduc(?:ed|es)|implement(?:ed|s)?)$/i;
    NO_CHANGE = /\b(?:read|read-only|unchanged|untouched|unmodified|review(?:ed)?|inspected|existing|already|pre-existing|ignored|git-?ignored|outside|no (?:code )?changes?|no diff|not? (?:changed|modified|touched|edited|committed|tracked|part|created|needed|written)|untracked|todo|planned|proposed|suggested|optional|reference|for context)\b/i;
    GONE = /\b(?:delet|remov|temporar|temp\b|revert|cleaned|undone|renamed|moved|discard)/i;
    PART_LENGTH = 4096;
    BULLET = /^(?:[-–—*+•:]+|\d+[.)])$/;
    TOKEN = /`([^`]+)`|"([^"]+)"|(?<=^|\s)'([^'\s]+)'|\(((?:[^()]|\([^()]*\))*)\)|((?:[^\s`"(),;{]|\{[^{}\s]*\}|\/\([^()\s]*\)(?=\/))+)/g;
  }
});

// scripts-src/workspace/claims/result-fields.ts
function readResultFields(text) {
  const fields = /* @__PURE__ */ new Map();
  let current;
  let isFenced = false;
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      isFenced = !isFenced;
      current = void 0;
      continue;
    }
    if (isFenced) continue;
    const [, name = "", rest = ""] = FIELD2.exec(line) ?? [];
    if (name !== "") {
      const key = name.toLowerCase();
      current = fields.has(key) ? void 0 : [rest];
      if (current) fields.set(key, current);
    } else if (current) {
      if (goesOn(line, current)) current.push(line);
      else current = void 0;
    }
  }
  const textOf2 = (name) => fields.get(name)?.join("\n").trim();
  return {
    conclusion: textOf2("conclusion"),
    files: textOf2("files"),
    openItems: textOf2("open items"),
    verification: textOf2("verification")
  };
}
function goesOn(line, lines) {
  if (/^\s*(?:[-*+•]|\d+[.)])\s+\S/.test(line) || /^\s+\S/.test(line)) return true;
  const isAllBlank = lines.every((one) => one.trim() === "");
  if (line.trim() === "") return isAllBlank;
  return isAllBlank && !line.startsWith("#");
}
var MAX_LINES, FIELD2;
var init_result_fields = __esm({
  "scripts-src/workspace/claims/result-fields.ts"() {
    "use strict";
    MAX_LINES = 2e3;
    FIELD2 = /^\s{0,3}(?:[-*+]\s+|#{1,4}\s+)?(?:\*\*|__|`)?(conclusion|files|open items|verification)(?:\s+(?:changed|made|modified))?(?:\*\*|__|`)?\s*:(?:\*\*|__|`)?(.*)$/i;
  }
});

// scripts-src/supervise/structured-markdown.ts
function markdownOf(unit, result) {
  const { status, summary, files_changed, tests, concerns } = result;
  const named3 = concerns.map(oneLine2).filter((item) => !NONE.test(item));
  const isUnnamed = status === "DONE_WITH_CONCERNS" && named3.length === 0;
  const items = isUnnamed ? ["concerns that it does not name"] : named3.map(noField);
  const conclusion = oneLine2(summary);
  return [
    `# ${unit} result`,
    `Conclusion: ${conclusion}`,
    ...field("Files", files_changed.map(codeWord), "none (read-only)"),
    ...field("Open items", items, "none"),
    ...field("Verification", tests.map(testText), "none"),
    "",
    `Status: ${status}`,
    ...summary.trim() === conclusion ? [] : ["", summary.trim()],
    ""
  ].join("\n");
}
function structuredOf(markdown) {
  const fields = readResultFields(markdown);
  const concerns = itemsOf(fields.openItems);
  return {
    status: concerns.length > 0 ? "DONE_WITH_CONCERNS" : "DONE",
    summary: oneLine2(fields.conclusion ?? ""),
    files_changed: [...new Set(itemsOf(fields.files).flatMap(pathsOf))],
    tests: itemsOf(fields.verification).map(testOf),
    concerns
  };
}
function field(name, entries, none) {
  const items = entries.filter((item) => item !== "");
  if (items.length <= 1) return [`${name}: ${items[0] ?? none}`];
  const more = items.length - MOST_ENTRIES2;
  const lines = items.slice(0, MOST_ENTRIES2).map((item) => `- ${item}`);
  return [`${name}:`, ...lines, ...more > 0 ? [`- and ${more} more`] : []];
}
function noField(item) {
  const isField = Object.values(readResultFields(`- ${item}`)).some((text) => text !== void 0);
  return isField ? `"${item}"` : item;
}
function itemsOf(text = "") {
  if (NONE.test(text)) return [];
  const lines = text.split("\n").map((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, "").trim());
  return lines.filter((line) => line !== "");
}
function pathsOf(item) {
  const word = /^`([^`]+)`$/.exec(item)?.[1];
  if (word !== void 0) return [word];
  return pathWords(item).flatMap(({ text, isSure }) => isSure ? [text] : []);
}
function testText({ command: command2, result }) {
  return noField([codeWord(command2), oneLine2(result)].filter((text) => text !== "").join(": "));
}
function testOf(text) {
  const [, command2, result = ""] = /^`([^`]+)`\s*:?\s*(.*)$/.exec(text) ?? [];
  return command2 === void 0 ? { command: text, result: "" } : { command: command2, result };
}
function codeWord(text) {
  const line = oneLine2(text);
  return line.includes("`") || line === "" ? line : `\`${line}\``;
}
var NONE, MOST_ENTRIES2;
var init_structured_markdown = __esm({
  "scripts-src/supervise/structured-markdown.ts"() {
    "use strict";
    init_one_line();
    init_claimed_paths();
    init_result_fields();
    NONE = /^[\s`"'*_([-]*(?:none|nothing|nil|n\/a|no (?:open items?|blockers?|follow-?ups?|concerns?|files?|changes?))\b|^\s*[-–—]?\s*$/i;
    MOST_ENTRIES2 = 500;
  }
});

// scripts-src/supervise/asked-answer.ts
var asked_answer_exports = {};
__export(asked_answer_exports, {
  readAsked: () => readAsked
});
function readAsked(request) {
  const message = lastMessageOf(request);
  if (message === void 0 && request.written !== "text") return { text: void 0, structured: null };
  const isOwn2 = request.record.outputSchema !== void 0;
  const answer = isOwn2 ? ownAnswer(request, message) : structuredAnswer(request, message);
  if (answer.fault?.reason === "schema" && (message?.length ?? 0) >= MESSAGE_LIMIT) {
    answer.fault.detail += `; only its first ${MESSAGE_LIMIT} bytes were read`;
  }
  return answer;
}
function structuredAnswer(request, message) {
  const { record: record3, stateDir, written } = request;
  const said = message === void 0 ? { wrong: NO_MESSAGE } : readStructured(message);
  if (said.value) {
    const { value } = said;
    keepJson(stateDir, JSON.stringify(value, null, 2));
    const text = markdownOf(record3.unit, value);
    return { text, structured: bounded2(value), fault: faultOf(value), claims: text };
  }
  const markdown = written === "text" ? readStart(record3.resultFile, RESULT_BYTES) : message ?? "";
  const missing = missingInResult(markdown);
  if (missing.length === 0) {
    const value = structuredOf(markdown);
    keepJson(stateDir, JSON.stringify(value, null, 2));
    return { text: markdown, structured: bounded2(value) };
  }
  const file = written === "text" ? `; its result file lacks ${missing.join(", ")}` : "";
  return noAnswer(`the last message is no structured result: ${said.wrong}${file}`);
}
function ownAnswer({ record: record3, stateDir }, message) {
  const said = message === void 0 ? { wrong: NO_MESSAGE } : jsonOf(message);
  const wrong = said.value ? schemaFault(stateFile(stateDir, "outputSchema"), said.value.json) : said.wrong;
  if (!said.value || wrong !== void 0) {
    return noAnswer(`the last message does not hold ${record3.outputSchema}: ${wrong}`);
  }
  keepJson(stateDir, said.value.text);
  return { text: markdownAround(record3, stateDir, said.value), structured: null };
}
function noAnswer(detail) {
  return {
    text: void 0,
    structured: null,
    fault: { reason: "schema", detail: cut(detail, DETAIL_CHARS2) }
  };
}
function faultOf({ status, summary }) {
  const detail = cut(summary, DETAIL_CHARS2);
  if (status === "BLOCKED") return { reason: "worker-blocked", detail };
  return status === "NEEDS_CONTEXT" ? { reason: "needs-context", detail } : void 0;
}
function markdownAround(record3, stateDir, { json: value, text: json }) {
  let fence = "```";
  for (const [ticks] of json.matchAll(/`{3,}/g)) if (ticks.length >= fence.length) fence = `${ticks}\``;
  return [
    `# ${record3.unit} result`,
    `Conclusion: ${cut(conclusionOf(value), ENTRY_CHARS)}`,
    `Files: ${filesOf2(record3, stateDir)}`,
    "Open items: none outside the JSON below",
    "Verification: the JSON below holds its schema",
    "",
    `${fence}json`,
    json,
    fence,
    ""
  ].join("\n");
}
function conclusionOf(value) {
  if (typeof value !== "object" || value === null) {
    return oneLine2(String(value)) || "an empty text, as the schema asked for allows";
  }
  if (Array.isArray(value))
    return `answer in the schema asked for (${value.length} ${value.length === 1 ? "entry" : "entries"})`;
  const texts2 = new Map(
    Object.entries(value).flatMap(
      ([key, text]) => typeof text === "string" && oneLine2(text) !== "" ? [[key, oneLine2(text)]] : []
    )
  );
  const said = CONCLUDING.flatMap((key) => texts2.get(key) ?? []).slice(0, 1);
  const parts = [...texts2.has("verdict") ? [texts2.get("verdict")] : [], ...said];
  if (parts.length > 0) return parts.join(": ");
  const count3 = Object.keys(value).length;
  return `answer in the schema asked for (${count3} ${count3 === 1 ? "property" : "properties"})`;
}
function filesOf2({ base, cwd }, stateDir) {
  if (base !== null) return "as the delta shows; the schema is not asked for them";
  return cwd === stateFile(stateDir, "scratch") ? "none (read-only)" : "none told; the schema is not asked for them";
}
function bounded2({ status, summary, files_changed, tests, concerns }) {
  return {
    status,
    summary: cut(summary, SUMMARY_CHARS),
    files_changed: files_changed.slice(0, MOST_FILES).map((file) => cut(file, ENTRY_CHARS)),
    tests: tests.slice(0, MOST_ENTRIES3).map(({ command: command2, result }) => ({
      command: cut(command2, ENTRY_CHARS),
      result: cut(result, ENTRY_CHARS)
    })),
    concerns: concerns.slice(0, MOST_ENTRIES3).map((concern) => cut(concern, ENTRY_CHARS))
  };
}
function cut(text, chars) {
  const line = oneLine2(text);
  return line.length > chars ? `${line.slice(0, chars - 1)}…` : line;
}
function keepJson(stateDir, text) {
  try {
    writeAtomic(stateFile(stateDir, "structured"), `${text}
`, { sync: false });
  } catch {
  }
}
var SUMMARY_CHARS, ENTRY_CHARS, MOST_FILES, MOST_ENTRIES3, DETAIL_CHARS2, RESULT_BYTES, NO_MESSAGE, CONCLUDING;
var init_asked_answer = __esm({
  "scripts-src/supervise/asked-answer.ts"() {
    "use strict";
    init_files();
    init_one_line();
    init_result_contract();
    init_state_dir();
    init_structured_result();
    init_own_schema();
    init_salvage();
    init_structured_markdown();
    SUMMARY_CHARS = 1e3;
    ENTRY_CHARS = 200;
    MOST_FILES = 50;
    MOST_ENTRIES3 = 20;
    DETAIL_CHARS2 = 400;
    RESULT_BYTES = 1024 * 1024;
    NO_MESSAGE = "there is none";
    CONCLUDING = ["conclusion", "summary", "answer", "result", "message"];
  }
});

// scripts-src/supervise/reap.ts
async function killOnSight(host, family, observer, limitMs) {
  const deadline = monotonicMs() + limitMs;
  const reaped = /* @__PURE__ */ new Map();
  let lastHit;
  for (; ; ) {
    const hits = killMembers(host, family, observer, (member) => {
      reaped.set(`${member.pid}:${member.start}`, named(member));
    });
    const now = monotonicMs();
    if (hits > 0) lastHit = now;
    const isUnreadable = host.trouble?.() !== void 0;
    const quietMs = now >= deadline ? 0 : QUIET_AFTER_HIT_MS;
    if (!isUnreadable && (lastHit === void 0 || hits === 0 && now - lastHit >= quietMs)) {
      return { reaped: [...reaped.values()], survivors: [] };
    }
    if (now >= deadline + DYING_MS) return giveUp(host, family, reaped);
    await sleep(hits > 0 ? BETWEEN_LOOKS_MS : BETWEEN_QUIET_LOOKS_MS);
  }
}
function killMembers(host, family, observer, onKilled) {
  const seen = [];
  lookAtFamilies(host, [family], observer, (_, member) => {
    seen.push(member);
    if (!host.endAll && signalIfSame(host, identityOf(host, member), "SIGKILL")) onKilled(member);
  });
  const ended2 = host.endAll?.(seen.map((member) => identityOf(host, member))) ?? [];
  for (const { pid, start } of ended2) {
    const member = seen.find((one) => one.pid === pid && one.start === start);
    if (member) onKilled(member);
  }
  return seen.length;
}
function giveUp(host, family, reaped) {
  const isUnreadable = host.trouble?.() !== void 0;
  const alive = [...family.members.values()].filter(
    (member) => isUnreadable || isAlive(host, identityOf(host, member))
  );
  for (const member of alive) reaped.delete(`${member.pid}:${member.start}`);
  return { reaped: [...reaped.values()], survivors: alive.map(named) };
}
async function askToEnd(host, family, shimPid, whom, limitMs, ended2) {
  const asked = [...family.members.values()].filter(
    (member) => whom === "leader" ? member.ppid === shimPid : member.pgid === shimPid && member.pid !== shimPid
  );
  if (asked.length === 0) return;
  const canAnswer = asked.filter((member) => member.state !== "stopped");
  for (const member of canAnswer) signalIfSame(host, identityOf(host, member), "SIGINT");
  if (canAnswer.length > 0) await Promise.race([ended2, sleep(limitMs)]);
}
function seeMembers(host, family, observer) {
  lookAtFamilies(host, [family], observer, () => {
  });
}
function named(entry) {
  return { pid: entry.pid, command: entry.command };
}
function sleep(ms) {
  return new Promise((resolve2) => setTimeout(resolve2, ms));
}
var QUIET_AFTER_HIT_MS, BETWEEN_LOOKS_MS, BETWEEN_QUIET_LOOKS_MS, DYING_MS;
var init_reap = __esm({
  "scripts-src/supervise/reap.ts"() {
    "use strict";
    init_clock();
    init_family();
    init_identity();
    QUIET_AFTER_HIT_MS = 150;
    BETWEEN_LOOKS_MS = 5;
    BETWEEN_QUIET_LOOKS_MS = 20;
    DYING_MS = 100;
  }
});

// node_modules/tree-kill/index.js
var require_tree_kill = __commonJS({
  "node_modules/tree-kill/index.js"(exports2, module2) {
    "use strict";
    var childProcess2 = require("child_process");
    var spawn6 = childProcess2.spawn;
    var exec = childProcess2.exec;
    module2.exports = function(pid, signal, callback) {
      if (typeof signal === "function" && callback === void 0) {
        callback = signal;
        signal = void 0;
      }
      pid = parseInt(pid);
      if (Number.isNaN(pid)) {
        if (callback) {
          return callback(new Error("pid must be a number"));
        } else {
          throw new Error("pid must be a number");
        }
      }
      var tree = {};
      var pidsToProcess = {};
      tree[pid] = [];
      pidsToProcess[pid] = 1;
      switch (process.platform) {
        case "win32":
          exec("taskkill /pid " + pid + " /T /F", callback);
          break;
        case "darwin":
          buildProcessTree(pid, tree, pidsToProcess, function(parentPid) {
            return spawn6("pgrep", ["-P", parentPid]);
          }, function() {
            killAll(tree, signal, callback);
          });
          break;
        // case 'sunos':
        //     buildProcessTreeSunOS(pid, tree, pidsToProcess, function () {
        //         killAll(tree, signal, callback);
        //     });
        //     break;
        default:
          buildProcessTree(pid, tree, pidsToProcess, function(parentPid) {
            return spawn6("ps", ["-o", "pid", "--no-headers", "--ppid", parentPid]);
          }, function() {
            killAll(tree, signal, callback);
          });
          break;
      }
    };
    function killAll(tree, signal, callback) {
      var killed = {};
      try {
        Object.keys(tree).forEach(function(pid) {
          tree[pid].forEach(function(pidpid) {
            if (!killed[pidpid]) {
              killPid(pidpid, signal);
              killed[pidpid] = 1;
            }
          });
          if (!killed[pid]) {
            killPid(pid, signal);
            killed[pid] = 1;
          }
        });
      } catch (err) {
        if (callback) {
          return callback(err);
        } else {
          throw err;
        }
      }
      if (callback) {
        return callback();
      }
    }
    function killPid(pid, signal) {
      try {
        process.kill(parseInt(pid, 10), signal);
      } catch (err) {
        if (err.code !== "ESRCH") throw err;
      }
    }
    function buildProcessTree(parentPid, tree, pidsToProcess, spawnChildProcessesList, cb) {
      var ps = spawnChildProcessesList(parentPid);
      var allData = "";
      ps.stdout.on("data", function(data) {
        var data = data.toString("ascii");
        allData += data;
      });
      var onClose = function(code) {
        delete pidsToProcess[parentPid];
        if (code != 0) {
          if (Object.keys(pidsToProcess).length == 0) {
            cb();
          }
          return;
        }
        allData.match(/\d+/g).forEach(function(pid) {
          pid = parseInt(pid, 10);
          tree[parentPid].push(pid);
          tree[pid] = [];
          pidsToProcess[pid] = 1;
          buildProcessTree(pid, tree, pidsToProcess, spawnChildProcessesList, cb);
        });
      };
      ps.on("close", onClose);
    }
  }
});

// scripts-src/process/tree-kill.ts
var tree_kill_exports = {};
__export(tree_kill_exports, {
  TREE_KILL_LIMIT: () => TREE_KILL_LIMIT,
  sweepToolWorks: () => sweepToolWorks,
  sweepTree: () => sweepTree
});
async function sweepTree(host, id, options) {
  const { self: self2 = process.pid, timeoutMs = 1e4, load = loadTreeKill } = options;
  let frozen = [];
  try {
    if (id.boot !== host.bootId()) return "gone";
    if (!options.hasPs()) return "unavailable";
    const treeKill = await load();
    let tree = lookAtTree(host, id);
    if (tree === "unreadable") return "unavailable";
    if (tree === "gone") return "gone";
    if (tree.some((member) => member.pid === self2)) return "unavailable";
    const unix = options.platform !== "win32";
    let settled = !unix && soundOnWindows(host, tree);
    if (unix && tree.length <= TREE_KILL_LIMIT) ({ tree, settled } = freeze(host, id, tree));
    frozen = tree;
    if (settled && tree.length <= TREE_KILL_LIMIT && isAlive(host, id)) {
      await within(timeoutMs, (done) => treeKill(id.pid, "SIGKILL", done));
    }
    endAllOf(host, tree);
    return "swept";
  } catch {
    try {
      endAllOf(host, frozen);
    } catch {
    }
    return frozen.length > 0 ? "swept" : "unavailable";
  }
}
function sweepToolWorks(platform, run = sweepRunner(), parent = process.ppid, self2 = process.pid) {
  if (platform === "win32") return run(taskkill(), ["/?"])?.includes("/T") ?? false;
  if (platform === "darwin") return /^\d+$/m.test(run("pgrep", ["-P", "1"]) ?? "");
  const siblings = run("ps", ["-o", "pid", "--no-headers", "--ppid", String(parent)]) ?? "";
  return siblings.split(/\s+/).includes(String(self2));
}
function taskkill() {
  return `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\taskkill.exe`;
}
function sweepRunner() {
  return createCommandRunner({ timeoutMs: 5e3, maxOutput: 1024 * 1024, env: process.env });
}
async function loadTreeKill() {
  if (process.platform === "win32") process.env.NoDefaultCurrentDirectoryInExePath = "1";
  return (await Promise.resolve().then(() => __toESM(require_tree_kill(), 1))).default;
}
function lookAtTree(host, root) {
  const entries = [...host.look(0)];
  if (entries.length === 0) return "unreadable";
  const found = entries.find((entry) => entry.pid === root.pid && entry.start === root.start);
  if (!found || found.state === "zombie") return "gone";
  const children = /* @__PURE__ */ new Map();
  for (const entry of entries) {
    const siblings = children.get(entry.ppid);
    if (siblings) siblings.push(entry);
    else children.set(entry.ppid, [entry]);
  }
  const tree = [found];
  const seen = /* @__PURE__ */ new Set([found.pid]);
  for (const member of tree) {
    for (const child of children.get(member.pid) ?? []) {
      if (seen.has(child.pid) || child.startOrder < member.startOrder) continue;
      seen.add(child.pid);
      tree.push(child);
    }
  }
  return tree.map((entry) => identityOf(host, entry));
}
function freeze(host, root, first) {
  const stopped = /* @__PURE__ */ new Map();
  let tree = first;
  for (let round = 0; round < FREEZE_ROUNDS; round++) {
    const fresh = tree.filter((member) => stopped.get(member.pid)?.start !== member.start);
    if (fresh.length === 0) return { tree: [...stopped.values()], settled: true };
    for (const member of fresh) {
      stopped.set(member.pid, member);
      signalIfSame(host, member, "SIGSTOP");
    }
    tree = lookAtTree(host, root);
    if (typeof tree === "string") break;
  }
  return { tree: [...stopped.values()], settled: false };
}
function soundOnWindows(host, tree) {
  return isStaleAware(host) && tree.every((member) => host.staleChildren(member.pid).length === 0);
}
function endAllOf(host, tree) {
  if (isStaleAware(host)) {
    host.endAll(tree);
    return;
  }
  for (const member of tree) signalIfSame(host, member, "SIGKILL");
}
function isStaleAware(host) {
  return "staleChildren" in host && "endAll" in host;
}
function within(ms, start) {
  return new Promise((resolve2) => {
    const done = () => {
      clearTimeout(timer);
      process.off("uncaughtException", onUncaught);
      resolve2();
    };
    const onUncaught = (error) => {
      if (!isSpawnFault(error)) throw error;
      done();
    };
    const timer = setTimeout(done, ms);
    process.on("uncaughtException", onUncaught);
    try {
      start(done);
    } catch {
      done();
    }
  });
}
function isSpawnFault(error) {
  return "syscall" in error && /^spawn (ps|pgrep)$/.test(String(error.syscall));
}
var TREE_KILL_LIMIT, FREEZE_ROUNDS;
var init_tree_kill = __esm({
  "scripts-src/process/tree-kill.ts"() {
    "use strict";
    init_command_runner();
    init_identity();
    TREE_KILL_LIMIT = 50;
    FREEZE_ROUNDS = 5;
  }
});

// scripts-src/supervise/end-family.ts
async function endFamily(host, family, rootPid, observer, limitMs) {
  if (host.platform === "linux") return killOnSight(host, family, observer, limitMs);
  const root = family.members.get(rootPid);
  const isRootAlive = root !== void 0 && isAlive(host, identityOf(host, root));
  if (!isRootAlive) family.deadLeader = rootPid;
  const swept = isRootAlive ? await sweepBelow(host, family, root, observer) : [];
  const { reaped, survivors } = await killOnSight(host, family, observer, limitMs);
  return { reaped: [...swept, ...reaped], survivors };
}
async function sweepBelow(host, family, root, observer) {
  lookAtFamilies(host, [family], observer, () => {
  });
  const before = [...family.members.values()];
  const { sweepToolWorks: sweepToolWorks2, sweepTree: sweepTree2 } = await Promise.resolve().then(() => (init_tree_kill(), tree_kill_exports));
  const hasPs = () => sweepToolWorks2(host.platform);
  await sweepTree2(host, identityOf(host, root), { platform: host.platform, hasPs });
  const gone = before.filter((member) => !isAlive(host, identityOf(host, member)));
  return gone.map(({ pid, command: command2 }) => ({ pid, command: command2 }));
}
var init_end_family = __esm({
  "scripts-src/supervise/end-family.ts"() {
    "use strict";
    init_family();
    init_identity();
    init_reap();
  }
});

// scripts-src/workspace/setup/setup-command.ts
function setupCommand(command2, environment, platform = process.platform) {
  const token = randomHex(12);
  const outer = environment.PRUN_UNIT;
  const marker = `${outer ? `${outer}/` : ""}setup-${token}`;
  const marked = { ...environment, PRUN_UNIT: marker };
  if (platform === "win32") {
    const file = environment.ComSpec ?? environment.COMSPEC ?? "cmd.exe";
    const argv = ["/d", "/s", "/c", `"${command2}"`];
    return { file, argv, environment: marked, marker, rssMark: null, isVerbatim: true };
  }
  const kib = platform === "linux" ? rssMarkKib(token) : "";
  const script = '[ -z "$1" ] || ulimit -S -m "$1" 2>/dev/null\nexec /bin/sh -c "$2"';
  return {
    file: "/bin/sh",
    argv: ["-c", script, "prun-setup", kib, command2],
    environment: marked,
    marker,
    rssMark: kib === "" ? null : String(Number(kib) * 1024),
    isVerbatim: false
  };
}
function rssMarkKib(token) {
  const [low, high] = [RSS_MARK_RANGE.from / 1024, RSS_MARK_RANGE.to / 1024];
  return String(low + Number.parseInt(token, 16) % (high - low));
}
var init_setup_command = __esm({
  "scripts-src/workspace/setup/setup-command.ts"() {
    "use strict";
    init_random();
    init_family();
  }
});

// scripts-src/workspace/setup/setup-processes.ts
async function watchSetup(command2) {
  const host = await currentHost();
  const observer = observerOf(host);
  const since = host.entry(process.pid)?.startOrder ?? 0;
  const family = createFamily(command2.marker, command2.rssMark, since);
  return {
    started(pid) {
      const leader = host.entry(pid);
      if (leader) {
        family.members.set(pid, leader);
        family.since = leader.startOrder;
      }
      return processesOf(host, observer, family, pid);
    }
  };
}
function processesOf(host, observer, family, leader) {
  const look = () => lookAtFamilies(host, [family], observer, () => {
  });
  return {
    look,
    async ask(ended2, limitMs) {
      look();
      const group = [...family.members.values()].filter(
        (member) => member.pgid === leader || member.pid === leader
      );
      if (host.platform === "win32") return;
      for (const member of group) signalIfSame(host, identityOf(host, member), "SIGTERM");
      await Promise.race([ended2, pause(limitMs)]);
    },
    async end(limitMs) {
      const root = family.members.get(leader);
      if (host.platform !== "linux" && !(root && isAlive(host, identityOf(host, root))))
        family.deadLeader = leader;
      return killUntilQuiet(host, observer, family, leader, limitMs);
    }
  };
}
async function killUntilQuiet(host, observer, family, leader, limitMs) {
  const deadline = monotonicMs() + limitMs;
  const killed = /* @__PURE__ */ new Map();
  for (let lastHit; ; ) {
    const seen = [];
    lookAtFamilies(host, [family], observer, (_, member) => {
      seen.push(member);
      if (!host.endAll && signalIfSame(host, identityOf(host, member), "SIGKILL")) note(killed, member);
    });
    const gone = host.endAll?.(seen.map((member) => identityOf(host, member))) ?? [];
    for (const member of seen) if (gone.some(({ pid }) => pid === member.pid)) note(killed, member);
    const now = monotonicMs();
    if (seen.length > 0) lastHit = now;
    const isReadable2 = host.trouble?.() === void 0;
    const isQuiet = isReadable2 && seen.length === 0 && (lastHit === void 0 || now - lastHit >= QUIET_MS);
    if (isQuiet || now >= deadline) break;
    await pause(BETWEEN_LOOKS_MS2);
  }
  const survivors = [...family.members.values()].filter((member) => isAlive(host, identityOf(host, member)));
  for (const one of survivors) killed.delete(`${one.pid}:${one.start}`);
  const ended2 = [...killed.values()].filter((one) => one.pid !== leader);
  return { ended: ended2.map(named2), survivors: survivors.map(named2) };
}
function note(killed, member) {
  killed.set(`${member.pid}:${member.start}`, member);
}
function named2({ pid, command: command2 }) {
  return { pid, command: command2 };
}
function pause(ms) {
  return new Promise((resolve2) => setTimeout(resolve2, ms));
}
var QUIET_MS, BETWEEN_LOOKS_MS2;
var init_setup_processes = __esm({
  "scripts-src/workspace/setup/setup-processes.ts"() {
    "use strict";
    init_clock();
    init_family();
    init_host();
    init_identity();
    QUIET_MS = 150;
    BETWEEN_LOOKS_MS2 = 10;
  }
});

// scripts-src/supervise/bounded-log.ts
function boundedLog(file, headBytes = HEAD_BYTES, endBytes = END_BYTES) {
  (0, import_node_fs25.rmSync)(file, { force: true });
  const fd = (0, import_node_fs25.openSync)(file, "wx", PRIVATE_FILE);
  let written = 0;
  let end = [];
  let endSize = 0;
  let leftOut = 0;
  function keep2(chunk) {
    end.push(chunk);
    endSize += chunk.length;
    if (endSize <= endBytes * 2) return;
    const whole = Buffer.concat(end);
    leftOut += whole.length - endBytes;
    end = [Buffer.from(whole.subarray(-endBytes))];
    endSize = endBytes;
  }
  return {
    write(chunk) {
      const head = chunk.subarray(0, Math.max(0, headBytes - written));
      if (head.length > 0) {
        written += head.length;
        put(fd, head);
      }
      if (head.length < chunk.length) keep2(chunk.subarray(head.length));
    },
    close() {
      const whole = Buffer.concat(end);
      const kept = whole.subarray(-endBytes);
      leftOut += whole.length - kept.length;
      if (leftOut > 0) put(fd, Buffer.from(`
… ${leftOut} bytes are left out here …
`));
      put(fd, kept);
      (0, import_node_fs25.closeSync)(fd);
    }
  };
}
function put(fd, bytes) {
  try {
    for (let at = 0; at < bytes.length; ) at += (0, import_node_fs25.writeSync)(fd, bytes, at);
  } catch {
  }
}
var import_node_fs25, HEAD_BYTES, END_BYTES;
var init_bounded_log = __esm({
  "scripts-src/supervise/bounded-log.ts"() {
    "use strict";
    import_node_fs25 = require("node:fs");
    init_files();
    HEAD_BYTES = 4 * 1024 * 1024;
    END_BYTES = 1024 * 1024;
  }
});

// scripts-src/supervise/verify.ts
var verify_exports = {};
__export(verify_exports, {
  runVerify: () => runVerify
});
async function runVerify(request) {
  try {
    return { exitCode: await runCommand(request) };
  } catch (error) {
    process.stderr.write(`prun: verify in ${request.workdir}: ${messageOf(error)}
`);
    return { exitCode: 126 };
  }
}
async function runCommand(request) {
  const environment = scrubEnvironment(request.environment, request.passEnv ?? [], {
    ...request.told,
    PRUN_UNIT: request.marker
  });
  const command2 = setupCommand(request.command, environment);
  const watch = await watchSetup(command2);
  const log = boundedLog(request.log);
  const child = (0, import_node_child_process2.spawn)(command2.file, command2.argv, {
    cwd: request.workdir,
    env: command2.environment,
    // On Windows a console of its own would open.
    detached: request.host.platform !== "win32",
    windowsHide: true,
    windowsVerbatimArguments: command2.isVerbatim,
    stdio: ["ignore", "pipe", "pipe"]
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => log.write(chunk));
  const closed = (0, import_node_events.once)(child, "close").catch(() => void 0);
  const ended2 = new Promise((resolve2, reject) => {
    child.once("error", (error) => reject(cannotStart(request, error)));
    child.once("exit", (code, signal) => resolve2(code ?? 128 + import_node_os4.default.constants.signals[signal ?? "SIGKILL"]));
  });
  try {
    if (child.pid === void 0) return await ended2;
    const processes = watch.started(child.pid);
    request.onStart?.(child.pid);
    const looking = setInterval(() => {
      if (request.host.platform !== "linux") processes.look();
    }, LOOK_MS2);
    const stop = stopper(request);
    try {
      const first = await Promise.race([ended2, stop.stopped]);
      if (typeof first === "string") await processes.ask(ended2, ASK_MS);
      await processes.end(END_MS);
      const code = await Promise.race([ended2, pause2(END_MS)]);
      await Promise.race([closed, pause2(DRAIN_MS)]);
      return typeof first === "string" ? first === "timeout" ? 124 : 130 : code ?? 137;
    } finally {
      clearInterval(looking);
      stop.off();
    }
  } finally {
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    log.close();
  }
}
function stopper({ stop, timeoutSeconds }) {
  let timer;
  const stopped = new Promise((resolve2) => {
    if (timeoutSeconds > 0)
      timer = setTimeout(() => resolve2("timeout"), Math.min(timeoutSeconds * 1e3, LONGEST_MS));
    void stop?.then(() => resolve2("stopped"));
  });
  return { stopped, off: () => clearTimeout(timer) };
}
function pause2(ms) {
  return new Promise((resolve2) => setTimeout(() => resolve2(void 0), ms).unref());
}
function cannotStart(request, error) {
  return new PrunError(
    "E_VERIFY",
    `the verify command cannot be started in ${request.workdir} (${messageOf(error)})`,
    "see that the folder is there and that the system has a shell",
    126
  );
}
var import_node_child_process2, import_node_events, import_node_os4, ASK_MS, END_MS, DRAIN_MS, LOOK_MS2, LONGEST_MS;
var init_verify = __esm({
  "scripts-src/supervise/verify.ts"() {
    "use strict";
    import_node_child_process2 = require("node:child_process");
    import_node_events = require("node:events");
    import_node_os4 = __toESM(require("node:os"), 1);
    init_scrub_environment();
    init_errors();
    init_setup_command();
    init_setup_processes();
    init_bounded_log();
    ASK_MS = 2e3;
    END_MS = 5e3;
    DRAIN_MS = 1e3;
    LOOK_MS2 = 1e3;
    LONGEST_MS = 2 ** 31 - 1;
  }
});

// scripts-src/workspace/claims/claims.ts
function checkClaims(result, delta, place) {
  const fields = readResultFields(result);
  const changed = delta.changed.map(textOf).filter((path28) => !isOwn(path28, place));
  const shared = {
    isEmpty: changed.length === 0 && delta.lost.length === 0,
    hasConclusion: hasText(fields.conclusion)
  };
  if (fields.files === void 0) {
    return { ...shared, claimed: [], unclaimed: [], ignored: [], saysNone: false };
  }
  const field2 = withoutRoots(fields.files.slice(0, FIELD_LENGTH), place.roots);
  const { literal, rest } = takeLiterals(field2, changed);
  const words = pathWords(rest).filter(({ text }) => !isOwn(text, place)).slice(0, Math.max(MIN_WORDS, MAX_COMPARISONS / Math.max(1, changed.length)));
  const index = indexOf(changed);
  const told2 = new Set(literal);
  const missing = [];
  for (const word of words) {
    const found = index.match(word.text);
    for (const path28 of found) told2.add(path28);
    if (found.length === 0 && word.isSure) missing.push(word);
  }
  const ignored = indexOf(delta.ignored.map(textOf));
  const lost = indexOf(delta.lost.map(textOf));
  const isIgnored = ({ text }) => ignored.covers(text);
  const saysNone = NONE2.test(field2) && told2.size === 0;
  const claimed = saysNone ? [] : missing.filter(
    (word) => !isIgnored(word) && !lost.covers(word.text) && !(word.isGone && !place.exists(word.text)) && // The list of ignored files ends somewhere.
    !(delta.ignored.length >= MANY_IGNORED && place.exists(word.text))
  );
  return {
    ...shared,
    claimed: unique(claimed.map(({ text }) => text)),
    unclaimed: delta.changed.filter((path28) => !isOwn(textOf(path28), place) && !told2.has(textOf(path28))).map(shownPath),
    ignored: unique(missing.filter(isIgnored).map(({ text }) => text)),
    saysNone
  };
}
function hasText(field2) {
  return field2 !== void 0 && /[\p{L}\p{N}]/u.test(field2);
}
function isOwn(path28, { resultFile }) {
  const clean = path28.replace(/^\.\//, "");
  if (clean === "agent-io" || clean.startsWith("agent-io/") || clean.includes("/agent-io/")) return true;
  return resultFile !== void 0 && folded(clean) === folded(resultFile.replace(/\\/g, "/"));
}
function withoutRoots(field2, roots) {
  const forms = roots.flatMap((root) => [root, root.replace(/\\/g, "/")]);
  return forms.sort((a, b) => b.length - a.length).reduce((text, root) => text.split(`${root}/`).join("./").split(`${root}\\`).join("./"), field2);
}
function takeLiterals(field2, changed) {
  let rest = field2;
  const literal = [];
  for (const path28 of changed.filter((one) => /[\s,;()'"`|]/.test(one)).slice(0, MAX_LITERALS)) {
    const name = [path28, path28.slice(path28.lastIndexOf("/") + 1)].find((form) => rest.includes(form));
    if (name === void 0) continue;
    literal.push(path28);
    rest = rest.split(name).join(" ");
  }
  return { literal, rest };
}
function indexOf(paths) {
  const entries = paths.map((path28) => ({ path: path28, key: folded(path28).replace(/\/$/, "") }));
  const byPath = /* @__PURE__ */ new Map();
  const byName = /* @__PURE__ */ new Map();
  for (const { path: path28, key } of entries) {
    push(byPath, key, path28);
    push(byName, nameOf(key), { path: path28, key });
  }
  const match = (word) => {
    const wanted = folded(word).replace(/\/$/, "");
    const forms = [wanted, wanted.replace(/^[ab]\//, "")];
    const exact = forms.flatMap((form) => byPath.get(form) ?? []);
    if (exact.length > 0) return exact;
    const inner = wanted.slice(wanted.indexOf("/") + 1);
    const named3 = inner.includes("/") ? byPath.get(inner) : void 0;
    if (named3) return named3;
    const ends = forms.flatMap(
      (form) => (byName.get(nameOf(form)) ?? []).filter(({ key }) => `/${key}`.endsWith(`/${form}`))
    );
    if (ends.length > 0) return ends.map(({ path: path28 }) => path28);
    const glob = /[*?{[]/.test(wanted) ? globMatcher(wanted) : void 0;
    const covered = glob ? entries.filter(({ key }) => glob(key)) : entries.filter(({ key }) => `/${key}`.includes(`/${wanted}/`));
    return covered.map(({ path: path28 }) => path28);
  };
  return {
    match,
    covers(word) {
      if (match(word).length > 0) return true;
      const wanted = `/${folded(word)}/`;
      return entries.some(({ key }) => wanted.includes(`/${key}/`));
    }
  };
}
function nameOf(path28) {
  return path28.slice(path28.lastIndexOf("/") + 1);
}
function push(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
function globMatcher(glob) {
  const parts = glob.split(/(?:\*+\/?)+|\?|\{[^{}]*\}|\[[^\]]*\]/);
  const needles = parts.map((part, i) => (i === 0 ? "/" : "") + part + (i === parts.length - 1 ? "/" : ""));
  return (key) => {
    const path28 = `/${key}/`;
    let from = 0;
    for (const needle of needles) {
      const at = path28.indexOf(needle, from);
      if (at < 0) return false;
      from = at + needle.length;
    }
    return true;
  };
}
function folded(path28) {
  return path28.normalize("NFC").toLowerCase();
}
function unique(texts2) {
  return [...new Set(texts2)];
}
var NONE2, FIELD_LENGTH, MAX_COMPARISONS, MIN_WORDS, MAX_LITERALS, MANY_IGNORED;
var init_claims = __esm({
  "scripts-src/workspace/claims/claims.ts"() {
    "use strict";
    init_byte_path();
    init_claimed_paths();
    init_result_fields();
    NONE2 = /^[\s`"'*_([-]*(?:none|nothing|nil|null|n\/a|na|no (?:files?|changes?|edits?|modifications?)|not applicable|read-only|0 files?|zero files?)\b|^\s*[-–—]\s*$/i;
    FIELD_LENGTH = 65536;
    MAX_COMPARISONS = 1e7;
    MIN_WORDS = 50;
    MAX_LITERALS = 2e3;
    MANY_IGNORED = 200;
  }
});

// scripts-src/workspace/tripwire/ref-tables.ts
function refsOfTables(tables) {
  const refs = /* @__PURE__ */ new Map();
  for (const table of tables) readTable(table, refs);
  return refs;
}
function readHeader(table) {
  const version2 = table[4];
  if (table.toString("latin1", 0, 4) !== "REFT" || version2 !== 1 && version2 !== 2) {
    throw new Error("this is no table of refs");
  }
  const hash = version2 === 1 ? "sha1" : table.toString("latin1", 24, 28);
  const idBytes = ID_BYTES[hash];
  if (idBytes === void 0) throw new Error(`unknown hash ${hash}`);
  return { bytes: version2 === 1 ? 24 : 28, blockSize: table.readUIntBE(5, 3), idBytes };
}
function readTable(table, refs) {
  if (table.length === 0) return;
  const header = readHeader(table);
  const end = endOfRefs(table, header);
  for (let start = 0; start < end; ) {
    const at = start === 0 ? header.bytes : start;
    if (table[at] !== 114) return;
    const blockEnd = start + table.readUIntBE(at + 1, 3);
    if (blockEnd <= at) throw new Error("a block of refs has no length");
    const restarts = table.readUInt16BE(blockEnd - 2);
    readBlock(table, at + 4, blockEnd - 2 - restarts * 3, header.idBytes, refs);
    start = header.blockSize > 0 ? start + header.blockSize : blockEnd;
  }
}
function endOfRefs(table, header) {
  const footer = table.length - header.bytes - 44;
  const field2 = (index) => Number(table.readBigUInt64BE(footer + header.bytes + index * 8));
  const positions = [field2(0), Math.floor(field2(1) / 32), field2(3), footer];
  return Math.min(...positions.filter((position) => position > 0));
}
function readBlock(table, from, end, idBytes, refs) {
  let at = from;
  let name = Buffer.alloc(0);
  const varint = () => {
    let byte = table[at++] ?? 0;
    let value = byte & 127;
    while (byte & 128) {
      byte = table[at++] ?? 0;
      value = (value + 1) * 128 + (byte & 127);
    }
    return value;
  };
  while (at < end) {
    const kept = varint();
    const packed = varint();
    const suffix = Math.floor(packed / 8);
    name = Buffer.concat([name.subarray(0, kept), table.subarray(at, at + suffix)]);
    at += suffix;
    varint();
    const ref = bytePath(name);
    const type = packed % 8;
    if (type === 0) refs.delete(ref);
    else if (type === 3) {
      const length = varint();
      refs.set(ref, `ref: ${table.toString("latin1", at, at + length)}`);
      at += length;
    } else {
      refs.set(ref, table.toString("hex", at, at + idBytes));
      at += type === 2 ? idBytes * 2 : idBytes;
    }
  }
}
var ID_BYTES;
var init_ref_tables = __esm({
  "scripts-src/workspace/tripwire/ref-tables.ts"() {
    "use strict";
    init_byte_path();
    ID_BYTES = { sha1: 20, s256: 32 };
  }
});

// scripts-src/workspace/tripwire/tripwire.ts
var tripwire_exports = {};
__export(tripwire_exports, {
  TRIPWIRE_SCHEMA: () => TRIPWIRE_SCHEMA,
  compareTripwire: () => compareTripwire,
  fingerprintOf: () => fingerprintOf,
  readRefs: () => readRefs,
  takeTripwire: () => takeTripwire
});
function takeTripwire(source) {
  return fingerprintOf(source, lookAtRepository(source));
}
function fingerprintOf({ gitDir, commonDir }, look) {
  const unread = look.unread.map(({ where, why }) => ({ where: shownPath(where), why }));
  const { head, refs } = refsOf(look, unread);
  const others = Object.entries(refs).filter(([name]) => !name.startsWith("refs/heads/prun/"));
  return {
    schema: TRIPWIRE_SCHEMA,
    at: look.at,
    source: { gitDir, commonDir },
    head,
    refs: Object.fromEntries(others),
    config: configOf(look),
    hooks: Object.fromEntries([...look.hooks].map(([name, hook]) => [nameIn(name, "hooks/"), markOf(hook)])),
    worktrees: worktreesOf2(look.worktrees),
    unread
  };
}
function compareTripwire(before, after) {
  const changes = [
    ...before.head === after.head ? [] : [changeOf("HEAD", "HEAD", before.head, after.head)],
    ...differences("ref", before.refs, after.refs),
    ...differences("config", before.config, after.config).map(withoutValues2),
    ...differences("hook", before.hooks, after.hooks).map(withoutValues2),
    ...differences("worktree", pathsOf2(before.worktrees, after), pathsOf2(after.worktrees, before))
  ];
  const unread = [...before.unread, ...after.unread].map(({ where }) => where);
  return changes.filter((change) => !unread.some((where) => hides(where, change)));
}
function readRefs(place) {
  return refsOf(lookAtRepository(place), []);
}
function refsOf(look, unread) {
  const refs = /* @__PURE__ */ new Map();
  const HEAD2 = bytePathOf("HEAD");
  let head = valueIn2(look.own.get(HEAD2));
  if (look.tables) {
    try {
      const common = refsOfTables(look.tables.common);
      const own2 = refsOfTables(look.tables.own);
      head = own2.get(HEAD2) ?? common.get(HEAD2) ?? null;
      for (const [name, value] of [...common, ...own2]) if (name.startsWith("refs/")) refs.set(name, value);
    } catch (error) {
      unread.push({ where: "reftable", why: error instanceof Error ? error.message : String(error) });
    }
  } else {
    for (const [name, value] of packedRefs(look.common.get(bytePathOf("packed-refs")))) refs.set(name, value);
    for (const [name, file] of look.refs) refs.set(name, valueIn2(file) ?? "");
  }
  const shown3 = [...refs].map(([name, value]) => [shownPath(name), value]);
  return { head, refs: Object.fromEntries(shown3.sort(([a], [b]) => a < b ? -1 : 1)) };
}
function packedRefs(file) {
  const lines = file?.bytes.toString("latin1").split("\n") ?? [];
  return lines.flatMap((line) => {
    const cut2 = line.indexOf(" ");
    if (cut2 < 0 || line.startsWith("#") || line.startsWith("^")) return [];
    return [[line.slice(cut2 + 1), line.slice(0, cut2)]];
  });
}
function valueIn2(file) {
  return file ? shownPath(bytePath(Buffer.from(file.bytes.toString("latin1").trim(), "latin1"))) : null;
}
function configOf({ common, own: own2 }) {
  const sections = [];
  const files = [
    ["config", common.get(bytePathOf("config"))],
    ["config.worktree", own2.get(bytePathOf("config.worktree"))],
    ["config.worktree of the main worktree", common.get(bytePathOf("config.worktree"))]
  ];
  for (const [name, file] of files) {
    if (!file) continue;
    for (const [section, lines] of sectionsOf(file.bytes.toString("latin1"))) {
      sections.push([`${name} [${section}]`, hashOf(Buffer.from(lines, "latin1"))]);
    }
  }
  return Object.fromEntries(sections);
}
function sectionsOf(text) {
  const sections = /* @__PURE__ */ new Map();
  let section = "";
  let isOwn2 = false;
  for (const line of text.split("\n")) {
    const header = /^\s*\[\s*([A-Za-z0-9-]+)(.*)/.exec(line);
    if (header) {
      section = header[1]?.toLowerCase() ?? "";
      isOwn2 = section === "branch" && /^\s+"prun\//.test(header[2] ?? "");
    }
    if (!isOwn2 && line.trim() !== "") sections.set(section, `${sections.get(section) ?? ""}${line}
`);
  }
  return sections;
}
function worktreesOf2(files) {
  const found = [];
  for (const [where, file] of files) {
    if (!where.endsWith("/gitdir")) continue;
    const entry = where.slice(0, -"/gitdir".length);
    const link = file.bytes.toString("utf8").trim();
    const head = files.get(`${entry}/HEAD`)?.bytes.toString("latin1") ?? "";
    const place = import_node_path21.default.dirname(link);
    const own2 = head.startsWith("ref: refs/heads/prun/") || isPlaceInSet(place) || workspaceOf(place) !== void 0;
    const shown3 = shownPath(bytePathOf(link.replace(/[\\/]\.git$/, "")));
    found.push([nameIn(entry, "worktrees/"), { path: shown3, own: own2 }]);
  }
  return Object.fromEntries(found);
}
function pathsOf2(worktrees, other) {
  const others = Object.entries(worktrees).filter(([id, { own: own2 }]) => !own2 && !other.worktrees[id]?.own);
  return Object.fromEntries(others.map(([id, worktree]) => [id, worktree.path]));
}
function differences(what, before, after) {
  const names = [.../* @__PURE__ */ new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => before[name] !== after[name]).map((name) => changeOf(what, name, before[name] ?? null, after[name] ?? null));
}
function changeOf(what, name, before, after) {
  const change = before === null ? "added" : after === null ? "removed" : "changed";
  return { what, name, change, ...before === null ? {} : { before }, ...after === null ? {} : { after } };
}
function withoutValues2({ what, name, change }) {
  return { what, name, change };
}
function hides(where, { what, name }) {
  if (what === "ref" && ["packed-refs", "reftable"].includes(where)) return true;
  if (what === "HEAD" && where === "reftable") return true;
  if (what === "config") return name.startsWith(`${where} `);
  const folders = { ref: "", HEAD: "", hook: "hooks/", worktree: "worktrees/" };
  const file = folders[what] + name;
  return file === where || file.startsWith(`${where}/`) || where.startsWith(`${file}/`);
}
function nameIn(where, folder) {
  return shownPath(where.slice(folder.length));
}
function markOf({ mode, bytes }) {
  return `${mode.toString(8)} ${hashOf(bytes)}`;
}
function hashOf(bytes) {
  return (0, import_node_crypto.createHash)("sha256").update(bytes).digest("hex");
}
var import_node_crypto, import_node_path21, TRIPWIRE_SCHEMA;
var init_tripwire = __esm({
  "scripts-src/workspace/tripwire/tripwire.ts"() {
    "use strict";
    import_node_crypto = require("node:crypto");
    import_node_path21 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_workspace_of();
    init_ref_tables();
    init_repository_look();
    TRIPWIRE_SCHEMA = 1;
  }
});

// scripts-src/supervise/member-ledger.ts
function noteMembers(host, stateDir, family, before) {
  const lines = [...family.members.values()].map((member) => formatIdentity(identityOf(host, member)));
  const text = lines.sort().join("\n");
  if (text === before) return before;
  try {
    writeAtomic(stateFile(stateDir, "members"), `${text}
`, { sync: false });
  } catch {
  }
  return text;
}
var init_member_ledger = __esm({
  "scripts-src/supervise/member-ledger.ts"() {
    "use strict";
    init_files();
    init_identity();
    init_state_dir();
  }
});

// scripts-src/supervise/collect-delta.ts
async function collectDelta(collection) {
  const { host, prun, clone: clone2, stateDir, marker, since, stop, limitMs = LIMIT_MS } = collection;
  if (!(0, import_node_fs26.existsSync)(prun)) return { kind: "failed", detail: `${prun} is missing` };
  const mark = `${marker}/collect`;
  let child;
  try {
    const argv = [prun, "collect", clone2, "--json", "--state-dir", stateDir];
    child = (0, import_node_child_process3.spawn)(process.execPath, argv, {
      cwd: stateDir,
      env: { ...process.env, PRUN_UNIT: mark },
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"]
    });
  } catch (error) {
    return { kind: "failed", detail: `prun collect could not be started (${messageOf(error)})` };
  }
  const family = createFamily(mark, null, since);
  const entry = host.entry(child.pid ?? -1);
  if (entry) family.members.set(entry.pid, entry);
  if (host.platform === "darwin") noteMembers(host, stateDir, family, "");
  const end = endOf(child);
  const winner = await Promise.race([
    end,
    sleep(limitMs).then(() => "late"),
    ...stop ? [stop.then(() => "stopped")] : []
  ]);
  await endFamily(host, family, child.pid ?? -1, observerOf(host), KILL_MS);
  if (winner === "stopped") return { kind: "stopped" };
  if (winner === "late") {
    return { kind: "failed", detail: `prun collect took more than ${limitMs / 1e3} s and was ended` };
  }
  return winner;
}
function endOf(child) {
  const output = [];
  let bytes = 0;
  let complaint = "";
  child.stdout?.on("data", (chunk) => {
    bytes += chunk.length;
    if (bytes <= MAX_OUTPUT_BYTES) output.push(chunk);
  });
  child.stderr?.on("data", (chunk) => {
    complaint = (complaint + chunk.toString("utf8")).slice(-MAX_COMPLAINT_BYTES);
  });
  return new Promise((resolve2) => {
    child.once(
      "error",
      (error) => resolve2({ kind: "failed", detail: `prun collect could not be started (${messageOf(error)})` })
    );
    const settle = () => resolve2(resultOf(child, output, bytes, complaint));
    child.once("exit", () => void sleep(OUTPUT_MS).then(settle));
    child.once("close", settle);
  });
}
function resultOf(child, output, bytes, complaint) {
  if (child.exitCode !== 0) {
    const how = child.signalCode ? `was ended by ${child.signalCode}` : `exited with ${child.exitCode}`;
    return { kind: "failed", detail: lastLine(complaint) || `prun collect ${how} and said nothing` };
  }
  if (bytes > MAX_OUTPUT_BYTES) return { kind: "failed", detail: "prun collect printed too much" };
  return { kind: "printed", text: Buffer.concat(output).toString("utf8") };
}
function lastLine(text) {
  return text.trim().split("\n").at(-1)?.slice(0, 400) ?? "";
}
var import_node_child_process3, import_node_fs26, LIMIT_MS, MAX_OUTPUT_BYTES, MAX_COMPLAINT_BYTES, OUTPUT_MS, KILL_MS;
var init_collect_delta = __esm({
  "scripts-src/supervise/collect-delta.ts"() {
    "use strict";
    import_node_child_process3 = require("node:child_process");
    import_node_fs26 = require("node:fs");
    init_errors();
    init_family();
    init_end_family();
    init_member_ledger();
    init_reap();
    LIMIT_MS = 12e4;
    MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
    MAX_COMPLAINT_BYTES = 4096;
    OUTPUT_MS = 1e3;
    KILL_MS = 500;
  }
});

// scripts-src/supervise/delta-facts.ts
function readDelta(text, workspace, patch) {
  const parsed2 = deltaRecord.safeParse(parseJson(text));
  if (!parsed2.success) return void 0;
  const record3 = parsed2.data;
  const count3 = (...kinds) => record3.files.filter(({ status }) => kinds.includes(status)).length;
  const lost = record3.problems.filter((problem) => problem.lost);
  const summary = {
    state: "collected",
    workspace,
    base: record3.base,
    result: record3.result,
    files: record3.files.length,
    added: count3("added"),
    modified: count3("modified", "type-changed"),
    deleted: count3("deleted"),
    commits: record3.commits.length,
    moves: record3.moves.length,
    outside: record3.outside.length,
    problems: record3.problems.length,
    lost: lost.slice(0, LOST_SHOWN).map(({ path: path28, what }) => bounded3(`${shownPath(pathFromJson(path28))}: ${what}`)),
    patch
  };
  const paths = (list) => list.map(({ path: path28 }) => pathFromJson(path28));
  const facts = {
    changed: [...paths(record3.files), ...paths(record3.moves)],
    ignored: record3.ignored.map(pathFromJson),
    lost: paths(lost)
  };
  return { summary, facts };
}
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
function bounded3(text) {
  const line = text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}
var jsonPath, deltaRecord, LOST_SHOWN, MAX_TEXT;
var init_delta_facts = __esm({
  "scripts-src/supervise/delta-facts.ts"() {
    "use strict";
    init_mini();
    init_byte_path();
    jsonPath = union([string2(), object({ base64: string2() })]);
    deltaRecord = object({
      base: string2(),
      result: string2(),
      files: array(
        object({ status: _enum(["added", "modified", "deleted", "type-changed"]), path: jsonPath })
      ),
      moves: array(object({ path: jsonPath })),
      commits: array(unknown()),
      problems: array(object({ path: jsonPath, what: string2(), lost: boolean2() })),
      ignored: array(jsonPath),
      outside: array(jsonPath),
      patch: object({ path: string2() })
    });
    LOST_SHOWN = 10;
    MAX_TEXT = 200;
  }
});

// scripts-src/supervise/end-workspace.ts
var end_workspace_exports = {};
__export(end_workspace_exports, {
  endWorkspace: () => endWorkspace,
  repositoryNow: () => repositoryNow
});
async function endWorkspace(ending) {
  const tripwire2 = repositoryNow(ending.before);
  const { delta, facts } = await deltaOf(ending);
  return {
    delta,
    tripwire: tripwire2,
    claimsOf: (resultFile, text = readStart(resultFile, RESULT_BYTES2)) => facts ? claimsOf(text, facts, claimPlace(resultFile, ending.place)) : void 0
  };
}
async function deltaOf(ending) {
  const { host, place, stateDir, record: record3, prun, notNow, stop } = ending;
  const workspace = place.clone;
  const without = (state, detail) => ({
    delta: {
      state,
      workspace,
      detail: bounded3(detail),
      next: `node ${shellWord(prun)} collect ${shellWord(workspace)}`
    }
  });
  if (notNow !== void 0) return without("not-collected", notNow);
  try {
    const { marker, since } = record3;
    const collected = await collectDelta({ host, prun, clone: workspace, stateDir, marker, since, stop });
    if (collected.kind === "stopped") return without("not-collected", "dispatch-task was stopped meanwhile");
    if (collected.kind === "failed") return without("failed", collected.detail);
    const delta = readDelta(collected.text, workspace, stateFile(stateDir, "patch"));
    if (!delta) return without("failed", "prun collect printed no record of a delta");
    return { delta: delta.summary, facts: delta.facts };
  } catch (error) {
    return without("failed", messageOf(error));
  }
}
function repositoryNow(before) {
  if (!before) return null;
  try {
    return differencesSince(before);
  } catch (error) {
    const seenAt = wallTime();
    return { since: before.at, seenAt, changes: [], more: 0, unread: [bounded3(messageOf(error))] };
  }
}
function differencesSince(before) {
  const after = takeTripwire(before.source);
  const changes = compareTripwire(before, after);
  const unread = [
    ...new Set([...before.unread, ...after.unread].map(({ where, why }) => `${where}: ${why}`))
  ];
  if (changes.length === 0 && unread.length === 0) return null;
  return {
    since: before.at,
    seenAt: after.at,
    changes: changes.slice(0, MAX_ENTRIES).map(({ name, before: from, after: to, ...rest }) => ({
      ...rest,
      name: bounded3(name),
      ...from === void 0 ? {} : { before: bounded3(from) },
      ...to === void 0 ? {} : { after: bounded3(to) }
    })),
    more: Math.max(0, changes.length - MAX_ENTRIES),
    unread: unread.slice(0, MAX_ENTRIES).map(bounded3)
  };
}
function claimsOf(text, facts, place) {
  const check = checkClaims(text, facts, place);
  const lists = { claimed: check.claimed, unclaimed: check.unclaimed, ignored: check.ignored };
  const { claimed, unclaimed, ignored } = lists;
  const summary = {
    claimed: claimed.slice(0, MAX_ENTRIES).map(bounded3),
    unclaimed: unclaimed.slice(0, MAX_ENTRIES).map(bounded3),
    ignored: ignored.slice(0, MAX_ENTRIES).map(bounded3),
    more: Object.values(lists).reduce((sum, list) => sum + Math.max(0, list.length - MAX_ENTRIES), 0)
  };
  return { check, summary };
}
function claimPlace(resultFile, { clone: clone2 }) {
  const real = realPath(clone2);
  const relative = import_node_path22.default.relative(
    real,
    import_node_path22.default.join(realPath(import_node_path22.default.dirname(resultFile)), import_node_path22.default.basename(resultFile))
  );
  const isInside = !relative.startsWith("..") && !import_node_path22.default.isAbsolute(relative);
  return {
    roots: [.../* @__PURE__ */ new Set([clone2, real])],
    resultFile: isInside ? relative : void 0,
    exists: (where) => (0, import_node_fs27.existsSync)(import_node_path22.default.join(clone2, where))
  };
}
function realPath(folder) {
  try {
    return import_node_fs27.realpathSync.native(folder);
  } catch {
    return folder;
  }
}
function shellWord(text) {
  return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
var import_node_fs27, import_node_path22, MAX_ENTRIES, RESULT_BYTES2;
var init_end_workspace = __esm({
  "scripts-src/supervise/end-workspace.ts"() {
    "use strict";
    import_node_fs27 = require("node:fs");
    import_node_path22 = __toESM(require("node:path"), 1);
    init_clock();
    init_errors();
    init_files();
    init_state_dir();
    init_claims();
    init_tripwire();
    init_collect_delta();
    init_delta_facts();
    MAX_ENTRIES = 20;
    RESULT_BYTES2 = 1024 * 1024;
  }
});

// scripts-src/platform/startable-argv.ts
function startableArgv(argv, platform = process.platform) {
  const [file = "", ...rest] = argv;
  if (platform !== "win32" || !/\.(cmd|bat)$/i.test(file)) return [file, rest];
  const quoted = argv.map((word) => `"${word.replace(/"/g, '""')}"`).join(" ");
  return [process.env.ComSpec ?? "cmd.exe", ["/d", "/s", "/c", `"${quoted}"`]];
}
var init_startable_argv = __esm({
  "scripts-src/platform/startable-argv.ts"() {
    "use strict";
  }
});

// scripts-src/workspace/tripwire/kept-tripwire.ts
var kept_tripwire_exports = {};
__export(kept_tripwire_exports, {
  compareWithKept: () => compareWithKept,
  keepTripwire: () => keepTripwire,
  readTripwire: () => readTripwire
});
function keepTripwire(file, kept) {
  writeAtomic(file, `${JSON.stringify(kept)}
`, { sync: false });
}
function readTripwire(file) {
  try {
    return tripwire.parse(JSON.parse((0, import_node_fs33.readFileSync)(file, "utf8")));
  } catch {
    return void 0;
  }
}
function compareWithKept(file) {
  const before = readTripwire(file);
  if (!before) return void 0;
  const after = takeTripwire(before.source);
  return { before, after, changes: compareTripwire(before, after) };
}
var import_node_fs33, texts, tripwire;
var init_kept_tripwire = __esm({
  "scripts-src/workspace/tripwire/kept-tripwire.ts"() {
    "use strict";
    import_node_fs33 = require("node:fs");
    init_mini();
    init_files();
    init_tripwire();
    texts = record(string2(), string2());
    tripwire = object({
      schema: number2().check(_lte(TRIPWIRE_SCHEMA)),
      at: string2(),
      source: object({ gitDir: string2(), commonDir: string2() }),
      head: nullable(string2()),
      refs: texts,
      config: texts,
      hooks: texts,
      worktrees: record(string2(), object({ path: string2(), own: boolean2() })),
      unread: array(object({ where: string2(), why: string2() }))
    });
  }
});

// scripts-src/platform/resolve-program.ts
function resolveProgram(name, cwd, environment, platform = process.platform) {
  const endings = platform === "win32" ? ["", ...(environment.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const isPath = name.includes("/") || platform === "win32" && name.includes("\\");
  const folders = isPath ? [cwd] : (environment.PATH ?? environment.Path ?? "").split(import_node_path26.default.delimiter).map((folder) => folder || cwd);
  let found = { kind: "missing", tried: isPath ? import_node_path26.default.resolve(cwd, name) : name };
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = import_node_path26.default.resolve(folder, name + ending);
      const state = executableState(candidate);
      if (state === "yes") return { kind: "found", path: candidate };
      if (state === "no" && found.kind === "missing") found = { kind: "not-executable", path: candidate };
    }
  }
  return found;
}
function executableState(file) {
  try {
    const stat = (0, import_node_fs35.statSync)(file, { throwIfNoEntry: false });
    if (!stat) return "absent";
    if (!stat.isFile()) return "no";
  } catch {
    return "absent";
  }
  try {
    (0, import_node_fs35.accessSync)(file, import_node_fs35.constants.X_OK);
    return "yes";
  } catch {
    return "no";
  }
}
var import_node_fs35, import_node_path26;
var init_resolve_program = __esm({
  "scripts-src/platform/resolve-program.ts"() {
    "use strict";
    import_node_fs35 = require("node:fs");
    import_node_path26 = __toESM(require("node:path"), 1);
  }
});

// scripts-src/process/ask-program.ts
async function askProgram(argv, { environment, cwd, limitMs, mark = process.env.PRUN_UNIT }) {
  const marker = `${mark ? `${mark}/` : ""}ask-${randomHex(16)}`;
  const answer = { exitCode: null, stdout: "", stderr: "", trouble: void 0 };
  const [file, words] = startableArgv(argv);
  let child;
  try {
    child = (0, import_node_child_process6.spawn)(file, words, {
      cwd,
      env: { ...environment, PRUN_UNIT: marker },
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"]
    });
  } catch (error) {
    return { ...answer, trouble: messageOf(error) };
  }
  for (const name of ["stdout", "stderr"]) {
    child[name]?.setEncoding("utf8").on("data", (text) => {
      answer[name] = `${answer[name]}${text}`.slice(0, MAX_CHARACTERS);
    });
  }
  const end = await endOf3(child, limitMs);
  if (end.isLeft) await endAllOf2(child, marker);
  return { ...answer, exitCode: end.exitCode, trouble: end.trouble };
}
function endOf3(child, limitMs) {
  return new Promise((resolve2) => {
    let end = { exitCode: null, trouble: `it did not end within ${limitMs / 1e3} s`, isLeft: true };
    const done = () => {
      clearTimeout(timer);
      resolve2(end);
    };
    let timer = setTimeout(done, limitMs);
    child.once("error", (error) => {
      end = { exitCode: null, trouble: error.message, isLeft: false };
      done();
    });
    child.once("exit", (exitCode, signal) => {
      end = { exitCode, trouble: signal === null ? void 0 : `it was ended by ${signal}`, isLeft: true };
      clearTimeout(timer);
      timer = setTimeout(done, AFTER_END_MS);
    });
    child.once("close", () => {
      end.isLeft = false;
      done();
    });
  });
}
async function endAllOf2(child, marker) {
  const host = await currentHost();
  const observer = observerOf(host);
  const family = createFamily(marker, null, host.entry(process.pid)?.startOrder ?? 0);
  const { pid } = child;
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  const leader = pid === void 0 || hasEnded ? void 0 : host.entry(pid);
  if (leader) family.members.set(leader.pid, leader);
  else if (pid !== void 0 && host.platform !== "linux") family.deadLeader = pid;
  for (const deadline = monotonicMs() + SWEEP_MS; monotonicMs() < deadline; ) {
    const seen = [];
    lookAtFamilies(host, [family], observer, (_, member) => {
      seen.push(member);
      if (!host.endAll) signalIfSame(host, identityOf(host, member), "SIGKILL");
    });
    host.endAll?.(seen.map((member) => identityOf(host, member)));
    if (seen.length === 0) break;
    await new Promise((resolve2) => setTimeout(resolve2, BETWEEN_LOOKS_MS3));
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
}
var import_node_child_process6, MAX_CHARACTERS, AFTER_END_MS, SWEEP_MS, BETWEEN_LOOKS_MS3;
var init_ask_program = __esm({
  "scripts-src/process/ask-program.ts"() {
    "use strict";
    import_node_child_process6 = require("node:child_process");
    init_clock();
    init_errors();
    init_random();
    init_startable_argv();
    init_family();
    init_host();
    init_identity();
    MAX_CHARACTERS = 64 * 1024;
    AFTER_END_MS = 300;
    SWEEP_MS = 2e3;
    BETWEEN_LOOKS_MS3 = 10;
  }
});

// scripts-src/executor/pnpm-store.ts
async function storeTrouble(request) {
  const { store } = request;
  const trouble = placeTrouble(request) ?? await choiceTrouble(request) ?? await writeTrouble(request);
  return trouble && `pnpm store ${store} cannot be granted: ${trouble}`;
}
function placeTrouble({ store, workspace, kept, environment }) {
  if (!import_node_path31.default.isAbsolute(store)) return "it is no absolute path";
  const stat = (0, import_node_fs39.statSync)(store, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return "it is no folder: make it first (mkdir)";
  const real = (0, import_node_fs39.realpathSync)(store);
  for (const { path: folder, what } of [{ path: workspace, what: "the workspace" }, ...kept]) {
    const other = realOf(folder);
    if (isWithin2(real, other)) return `it lies in ${what} (${folder}): give one outside`;
    if (isWithin2(other, real)) return `${what} (${folder}) lies in it: give a folder for the store alone`;
  }
  const home = [codexHomeOf(environment), readVariable(environment, "HOME") || homeFolder()].find(
    (folder) => isWithin2(realOf(folder), real)
  );
  if (home !== void 0) return `your home (${home}) lies in it: give a folder for the store alone`;
  if (stat.dev !== (0, import_node_fs39.statSync)(workspace).dev) {
    return `it is not on the file system of the workspace (${workspace}): pnpm would copy instead of linking`;
  }
  return void 0;
}
async function choiceTrouble(request) {
  const { store, workspace, passEnv, mark } = request;
  const environment = scrubEnvironment(request.environment, passEnv, {
    ...pinnedStore(store),
    ...ONLY_ANSWER
  });
  const pnpm = resolveProgram("pnpm", workspace, environment);
  if (pnpm.kind !== "found") return "pnpm is not in PATH: install it, or leave the store out";
  const options = { environment, cwd: workspace, limitMs: LIMIT_MS2, mark };
  const answer = await askProgram([pnpm.path, "store", "path"], options);
  const said = answer.stdout.trim().split("\n").at(-1)?.trim() ?? "";
  if (answer.exitCode !== 0) return `pnpm store path failed there (${lastWord(answer)})`;
  if (import_node_path31.default.isAbsolute(said) && isWithin2(realOf(said), (0, import_node_fs39.realpathSync)(store))) return void 0;
  return `pnpm uses ${readableLine(said) || "no store"} in ${workspace}: a setting of the project goes before (storeDir, store-dir)`;
}
async function writeTrouble(request) {
  const { store, workspace, program, sandbox, config: config2, environment, passEnv, mark } = request;
  const file = import_node_path31.default.join(store, `.prun-${randomHex(16)}.tmp`);
  const settings = [
    ...config2,
    `sandbox_mode=${tomlString(sandbox)}`,
    `sandbox_workspace_write.writable_roots=[${tomlString(store)}]`
  ];
  const words = ["sandbox", ...settings.flatMap((setting) => ["-c", setting])];
  const answer = await askProgram([program, ...words, "--", process.execPath, "-e", WRITE, file], {
    environment: scrubEnvironment(environment, passEnv, {}),
    cwd: workspace,
    limitMs: LIMIT_MS2,
    mark
  });
  const isThere = (0, import_node_fs39.existsSync)(file);
  (0, import_node_fs39.rmSync)(file, { force: true });
  if (answer.exitCode === 0 && isThere) return void 0;
  return `a worker cannot write there in codex's sandbox ${sandbox} (${lastWord(answer)})`;
}
function lastWord({ exitCode, stdout, stderr, trouble }) {
  const lines = `${stdout}
${stderr}`.split("\n").filter((line2) => line2.trim() !== "");
  const line = lines.findLast((text) => /error|denied|read-only|cannot/i.test(text)) ?? lines.at(-1);
  return trouble ?? `exit ${exitCode}${line === void 0 ? "" : `, ${readableLine(line)}`}`;
}
function realOf(file) {
  try {
    return (0, import_node_fs39.realpathSync)(file);
  } catch {
    const parent = import_node_path31.default.dirname(file);
    return parent === file ? file : import_node_path31.default.join(realOf(parent), import_node_path31.default.basename(file));
  }
}
function isWithin2(inner, outer) {
  const way = import_node_path31.default.relative(outer, inner);
  return way === "" || !way.startsWith(`..${import_node_path31.default.sep}`) && way !== ".." && !import_node_path31.default.isAbsolute(way);
}
var import_node_fs39, import_node_path31, LIMIT_MS2, ONLY_ANSWER, WRITE;
var init_pnpm_store = __esm({
  "scripts-src/executor/pnpm-store.ts"() {
    "use strict";
    import_node_fs39 = require("node:fs");
    import_node_path31 = __toESM(require("node:path"), 1);
    init_home_folder();
    init_random();
    init_resolve_program();
    init_ask_program();
    init_codex_account();
    init_codex_command();
    init_pnpm_pins();
    init_readable_line();
    init_scrub_environment();
    LIMIT_MS2 = 2e4;
    ONLY_ANSWER = {
      npm_config_manage_package_manager_versions: "false",
      pnpm_config_pm_on_fail: "ignore",
      COREPACK_ENABLE_NETWORK: "0",
      COREPACK_ENABLE_DOWNLOAD_PROMPT: "0"
    };
    WRITE = 'require("node:fs").writeFileSync(process.argv[1], "prun")';
  }
});

// scripts-src/supervise/require-store.ts
var require_store_exports = {};
__export(require_store_exports, {
  requireStore: () => requireStore
});
async function requireStore({
  program,
  workdir,
  stateHome: stateHome2,
  command: command2
}, store) {
  if (program.kind !== "found") return;
  const { sandbox, environment, passEnv } = command2;
  const workspace = workdir ?? stateHome2;
  const kept = workdir === void 0 ? [] : keptFolders(workdir);
  const trouble = await storeTrouble({
    ...{ store, workspace, kept, sandbox, environment, passEnv },
    config: command2.options?.config ?? [],
    program: program.path
  });
  if (trouble === void 0) return;
  throw new PrunError(
    "E_PNPM_STORE",
    trouble,
    "nothing was started; references/executors.md says what is checked"
  );
}
function keptFolders(workdir) {
  const place = workspaceOf(workdir);
  const folders = place?.source ? [import_node_path32.default.dirname(place.source.commonDir)] : [];
  for (let folder = import_node_path32.default.resolve(workdir); ; folder = import_node_path32.default.dirname(folder)) {
    if ((0, import_node_fs40.existsSync)(import_node_path32.default.join(folder, ".git"))) folders.push(folder);
    if (folder === import_node_path32.default.dirname(folder)) break;
  }
  return [
    ...place ? [{ path: place.set, what: "the workspaces of the run" }] : [],
    ...folders.map((folder) => ({ path: folder, what: "the repository" }))
  ];
}
var import_node_fs40, import_node_path32;
var init_require_store = __esm({
  "scripts-src/supervise/require-store.ts"() {
    "use strict";
    import_node_fs40 = require("node:fs");
    import_node_path32 = __toESM(require("node:path"), 1);
    init_pnpm_store();
    init_errors();
    init_workspace_of();
  }
});

// scripts-src/dispatch-task.ts
var import_node_path33 = __toESM(require("node:path"), 1);

// scripts-src/executor/claude-command.ts
var import_node_path = require("node:path");
init_errors();

// scripts-src/executor/claude-environment.ts
init_scrub_environment();
var SIGN_IN = [
  // Keys and tokens, and what goes with them.
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_REFRESH_TOKEN",
  "CLAUDE_CODE_OAUTH_SCOPES",
  "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
  "ANTHROPIC_CUSTOM_HEADERS",
  // Where the login lies.
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_SECURESTORAGE_CONFIG_DIR",
  "ANTHROPIC_CONFIG_DIR",
  "ANTHROPIC_PROFILE",
  "ANTHROPIC_ORGANIZATION_ID",
  "ANTHROPIC_WORKSPACE_ID",
  "ANTHROPIC_FEDERATION_RULE_ID",
  "ANTHROPIC_SERVICE_ACCOUNT_ID",
  "ANTHROPIC_IDENTITY_TOKEN",
  "ANTHROPIC_IDENTITY_TOKEN_FILE",
  "ANTHROPIC_SCOPE",
  // The way to the server.
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_UNIX_SOCKET",
  "CLAUDE_CODE_CLIENT_CERT",
  "CLAUDE_CODE_CLIENT_KEY",
  "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE",
  "CLAUDE_CODE_CERT_STORE",
  "CLAUDE_CODE_PROXY_RESOLVES_HOSTS",
  "CLAUDE_CODE_HTTP_PROXY",
  "CLAUDE_CODE_HTTPS_PROXY",
  "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
  // Other clouds.
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
  "ANTHROPIC_BEDROCK_BASE_URL",
  "ANTHROPIC_BEDROCK_REGION_PREFIX",
  "ANTHROPIC_BEDROCK_SERVICE_TIER",
  "CLAUDE_CODE_USE_MANTLE",
  "CLAUDE_CODE_SKIP_MANTLE_AUTH",
  "ANTHROPIC_BEDROCK_MANTLE_BASE_URL",
  "CLAUDE_CODE_SKIP_ANTHROPIC_AWS_AUTH",
  "ANTHROPIC_AWS_API_KEY",
  "ANTHROPIC_AWS_BASE_URL",
  "ANTHROPIC_AWS_WORKSPACE_ID",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_SKIP_VERTEX_AUTH",
  "ANTHROPIC_VERTEX_PROJECT_ID",
  "ANTHROPIC_VERTEX_BASE_URL",
  "CLAUDE_CODE_SKIP_ANTHROPIC_GOOGLE_CLOUD_AUTH",
  "ANTHROPIC_GOOGLE_CLOUD_PROJECT",
  "ANTHROPIC_GOOGLE_CLOUD_LOCATION",
  "ANTHROPIC_GOOGLE_CLOUD_BASE_URL",
  "ANTHROPIC_GOOGLE_CLOUD_WORKSPACE_ID",
  "CLAUDE_CODE_USE_FOUNDRY",
  "CLAUDE_CODE_SKIP_FOUNDRY_AUTH",
  "ANTHROPIC_FOUNDRY_API_KEY",
  "ANTHROPIC_FOUNDRY_AUTH_TOKEN",
  "ANTHROPIC_FOUNDRY_BASE_URL",
  "ANTHROPIC_FOUNDRY_RESOURCE",
  // What `sonnet` means there: the clouds' names of models differ.
  "ANTHROPIC_DEFAULT_SONNET_MODEL",
  "ANTHROPIC_DEFAULT_OPUS_MODEL",
  "ANTHROPIC_DEFAULT_HAIKU_MODEL",
  "ANTHROPIC_DEFAULT_FABLE_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION",
  // Windows: without it claude does not find its shell.
  "CLAUDE_CODE_GIT_BASH_PATH"
];
var ACCOUNT = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "ANTHROPIC_PROFILE",
  "ANTHROPIC_BASE_URL",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_MANTLE",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
  "AWS_PROFILE",
  "ANTHROPIC_VERTEX_PROJECT_ID",
  "ANTHROPIC_FOUNDRY_RESOURCE"
];
function claudeEnvironment(request) {
  return scrubEnvironment(request.environment, [...SIGN_IN, ...request.passEnv], {
    ...request.told,
    PRUN_UNIT: request.marker
  });
}
function accountValues(environment) {
  return ACCOUNT.map((name) => readVariable(environment, name) ?? "");
}

// scripts-src/executor/claude-command.ts
var MAX_SCHEMA_CHARS = 12e4;
function permissionMode({ options, sandbox }) {
  return options?.permissionMode ?? (sandbox === "read-only" ? "dontAsk" : "bypassPermissions");
}
var ISOLATED = ["--strict-mcp-config", "--setting-sources", "project,local"];
function schemaWord(text) {
  const next = "give a JSON schema that is shorter";
  let word;
  try {
    word = JSON.stringify(JSON.parse(text));
  } catch (error) {
    throw new PrunError("E_SCHEMA", `the output schema is no JSON (${messageOf(error)})`, next);
  }
  if (word.length <= MAX_SCHEMA_CHARS) return word;
  throw new PrunError("E_SCHEMA", `the output schema is longer than ${MAX_SCHEMA_CHARS} characters`, next);
}
function claudeCommand(request) {
  const { model = "sonnet", reasoningEffort, resume, options = {} } = request;
  const mode = permissionMode(request);
  const argv = [request.binary, "-p", "--output-format", "stream-json", "--verbose"];
  argv.push("--include-partial-messages", "--model", model, "--permission-mode", mode);
  if (request.isolate) argv.push(...ISOLATED);
  if (reasoningEffort !== void 0) argv.push("--effort", reasoningEffort);
  if (options.outputSchemaText !== void 0)
    argv.push("--json-schema", schemaWord(options.outputSchemaText));
  if (mode !== "bypassPermissions") argv.push(`--add-dir=${(0, import_node_path.dirname)(request.resultFile)}`);
  if (options.ephemeral) argv.push("--no-session-persistence");
  if (resume !== void 0) argv.push("--resume", resume);
  return { argv, environment: claudeEnvironment(request), stderr: "own" };
}

// scripts-src/executor/codex-items.ts
init_readable_line();
function fieldsOf(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
function parsedFields(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : void 0;
  } catch {
    return void 0;
  }
}
function textField(fields, name) {
  const value = fields[name];
  return typeof value === "string" ? value : void 0;
}
function workerEvent(kind, progress, text = "") {
  const line = readableLine(text);
  return line === "" ? { kind, progress } : { kind, progress, text: line };
}
function bareCommand(item) {
  const command2 = textField(item, "command") ?? "";
  return /^\S*sh -l?c (['"]?)(.*)\1$/s.exec(command2.slice(0, 4096))?.[2] ?? command2;
}
function commandEnd(item) {
  const code = item.exit_code;
  const end = typeof code === "number" ? `exit ${code}` : textField(item, "status") ?? "ended";
  return `${end}: ${bareCommand(item)}`;
}
function changedFiles(item) {
  const changes = Array.isArray(item.changes) ? item.changes : [];
  const paths = changes.slice(0, 5).map((change) => textField(fieldsOf(change), "path") ?? "?");
  const more = changes.length > paths.length ? ` and ${changes.length - paths.length} more` : "";
  return `${item.status === "failed" ? "not edited: " : "edited "}${paths.join(", ")}${more}`;
}
var PATHS_KEPT = 100;
var PATH_CHARS = 4096;
function filesOf(item) {
  const changes = Array.isArray(item.changes) && item.status !== "failed" ? item.changes : [];
  const paths = changes.slice(0, PATHS_KEPT).map((change) => textField(fieldsOf(change), "path") ?? "");
  return paths.filter((path28) => path28 !== "" && path28.length <= PATH_CHARS);
}
function fileChange(phase, item) {
  const event = workerEvent("file-change", true, phase === "completed" ? changedFiles(item) : "");
  const files = filesOf(item);
  return files.length === 0 ? event : { ...event, files };
}
var DENIED = process.platform === "darwin" ? /: (?:Operation not permitted|Read-only file system)\s*$/ : /: Read-only file system\s*$/;
function refusalsIn(item) {
  if (item.type !== "command_execution" || item.status !== "failed") return [];
  const output = textField(item, "aggregated_output") ?? "";
  const lines = output.slice(-16384).split("\n");
  const denied = lines.filter((line) => line.length < 1e3 && DENIED.test(line)).slice(0, 2);
  return denied.map((line) => `$ ${bareCommand(item).slice(0, 200)}: ${line.trim()}`);
}
function toolName(item) {
  const query = textField(item, "query");
  if (item.type === "web_search") return `search: ${query ?? ""}`;
  const tool = textField(item, "tool") ?? textField(item, "type") ?? "tool";
  const server = textField(item, "server");
  return server === void 0 ? `tool ${tool}` : `tool ${server}.${tool}`;
}
function itemEvent(phase, item) {
  switch (item.type) {
    case "command_execution":
      if (phase === "completed") return workerEvent("command-ended", true, commandEnd(item));
      return workerEvent(phase === "started" ? "command-started" : "other", true, `$ ${bareCommand(item)}`);
    case "file_change":
      return fileChange(phase, item);
    case "agent_message":
      return workerEvent("message", true, textField(item, "text"));
    case "reasoning":
      return workerEvent("reasoning", true, textField(item, "text"));
    case "mcp_tool_call":
    case "collab_tool_call":
    case "web_search":
      return workerEvent("tool-call", true, phase === "started" ? toolName(item) : "");
    case "error":
      return workerEvent("error", false, textField(item, "message"));
    default:
      return workerEvent("other", true);
  }
}

// scripts-src/executor/claude-blocks.ts
var SHELLS = /* @__PURE__ */ new Set(["Bash", "PowerShell"]);
var EDITORS = /* @__PURE__ */ new Set(["Edit", "Write", "NotebookEdit", "MultiEdit"]);
function isShell({ name }) {
  return SHELLS.has(name);
}
function calledTool(block) {
  const input = fieldsOf(block.input);
  const keys = [
    "command",
    "file_path",
    "notebook_path",
    "path",
    "pattern",
    "url",
    "query",
    "description",
    "skill"
  ];
  const what = keys.map((key) => textField(input, key)).find((text) => text !== void 0);
  return { name: textField(block, "name") ?? "tool", what: what ?? "" };
}
function callEvent(tool) {
  if (isShell(tool)) return workerEvent("command-started", true, `$ ${tool.what}`);
  if (EDITORS.has(tool.name)) return workerEvent("tool-call", true);
  const name = tool.name.replace(/^mcp__(.+?)__/, "$1.");
  return workerEvent("tool-call", true, `tool ${name}${tool.what === "" ? "" : `: ${tool.what}`}`);
}
function answerText(block) {
  if (typeof block.content === "string") return block.content.slice(0, 500);
  const parts = Array.isArray(block.content) ? block.content : [];
  return (textField(fieldsOf(parts[0]), "text") ?? "").slice(0, 500);
}
function answerEvent(tool, block) {
  if (!tool) return workerEvent("tool-call", true);
  const isError = block.is_error === true;
  if (isShell(tool)) {
    const code = isError ? /^Exit code (\d+)/.exec(answerText(block))?.[1] : "0";
    return workerEvent(
      "command-ended",
      true,
      `${code === void 0 ? "refused" : `exit ${code}`}: ${tool.what}`
    );
  }
  if (EDITORS.has(tool.name)) {
    const event = workerEvent("file-change", true, `${isError ? "not edited: " : "edited "}${tool.what}`);
    return isError || tool.what === "" ? event : { ...event, files: [tool.what] };
  }
  return workerEvent("tool-call", true, isError ? `${tool.name} failed: ${answerText(block)}` : "");
}

// scripts-src/executor/reset-time.ts
var SECOND_MS = 1e3;
var MINUTE_MS = 60 * SECOND_MS;
var HOUR_MS = 60 * MINUTE_MS;
var DAY_MS = 24 * HOUR_MS;
var BELIEVED_MS = 8 * DAY_MS;
var AHEAD_MS = 5 * MINUTE_MS;
var MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
var CLOCK = /^(\d{1,2})(?::(\d\d)(?::\d\d)?)?\s?(?:([ap])\.?m\b)?/i;
var DATE = /^([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}))?,?(?: at)? (?=\d)/i;
var PART = /^(?:about |less than |,? ?and |, ?)?(\d+(?:\.\d+)?|an?)\s?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)(?![a-z])\s*/i;
var UNITS = {
  ms: 1,
  milli: 1,
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS
};
function resetTime(text, saidAt) {
  const said = text.slice(0, 8192);
  const at = told(said, saidAt);
  return at === void 0 ? void 0 : believedTime(unlessJustPast(at, saidAt), saidAt);
}
function unlessJustPast(at, now) {
  return at <= now && now - at < AHEAD_MS ? now + MINUTE_MS : at;
}
function believedTime(at, now) {
  return at > now && at <= now + BELIEVED_MS ? new Date(at).toISOString() : void 0;
}
function secondsToWait(text) {
  const said = text.slice(0, 8192);
  const header = /\bretry[-_ ]after(?:_seconds)?"?\s*[:=]?\s*"?(\d+(?:\.\d+)?)(?![\d\w])/i.exec(said)?.[1];
  const waitMs = header === void 0 ? durationIn(said) : Number(header) * SECOND_MS;
  return waitMs !== void 0 && waitMs > 0 && waitMs <= BELIEVED_MS ? waitMs / SECOND_MS : void 0;
}
function told(said, saidAt) {
  const epoch = /\bresets?_at\\?"?\s*[:=]\s*"?(\d{10})(?:\.\d+)?\b/.exec(said)?.[1];
  if (epoch !== void 0) return Number(epoch) * SECOND_MS;
  const seconds = /\bresets?_in_seconds\\?"?\s*[:=]\s*"?(\d{1,9})\b/.exec(said)?.[1];
  if (seconds !== void 0) return saidAt + Number(seconds) * SECOND_MS;
  for (const { 1: rest = "" } of said.matchAll(
    /\b(?:again|resets?)(?: (?:at|on|after))?[: ]\s*(.{1,60})/gi
  )) {
    const moment = momentOf(rest, saidAt);
    if (moment !== void 0) return moment;
  }
  const waitMs = durationIn(said);
  return waitMs === void 0 ? void 0 : saidAt + waitMs;
}
function momentOf(text, saidAt) {
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(text)?.[0];
  if (iso !== void 0) return finite(Date.parse(iso));
  const date3 = DATE.exec(text);
  const clock = clockOf(date3 ? text.slice(date3[0].length) : text);
  if (!clock) return void 0;
  const today = new Date(saidAt);
  if (!date3) {
    const next = (days) => localTime(today.getFullYear(), today.getMonth(), today.getDate() + days, clock);
    return [next(0), ...onceMore(next(0)), next(1)].map((at) => soonest(at, saidAt)).find((at) => at > saidAt);
  }
  const month = MONTHS.indexOf((date3[1] ?? "").toLowerCase());
  const day = Number(date3[2]);
  if (month < 0 || day < 1 || day > 31) return void 0;
  const years = date3[3] === void 0 ? [today.getFullYear(), today.getFullYear() + 1] : [Number(date3[3])];
  const found = years.map((year) => soonest(localTime(year, month, day, clock), saidAt));
  return found.find((at) => at > saidAt);
}
function clockOf(text) {
  const match = CLOCK.exec(text);
  if (!match) return void 0;
  const [, digits, minutes, half] = match;
  if (minutes === void 0 && half === void 0) return void 0;
  const hour = Number(digits);
  const minute = Number(minutes ?? 0);
  if (minute > 59 || hour > 23 || half !== void 0 && (hour < 1 || hour > 12)) return void 0;
  if (half === void 0) return [hour, minute];
  return [hour % 12 + (half.toLowerCase() === "p" ? 12 : 0), minute];
}
function localTime(year, month, day, [hour, minute]) {
  return new Date(year, month, day, hour, minute).getTime();
}
function onceMore(at) {
  const later = at + HOUR_MS;
  return new Date(later).getHours() === new Date(at).getHours() ? [later] : [];
}
function soonest(at, now) {
  return at <= now && now < at + MINUTE_MS ? at + MINUTE_MS : unlessJustPast(at, now);
}
function durationIn(text) {
  const start = /\b(?:again|resets?|retry|retrying|wait)(?: in| after| for)? (?=(?:about |less than )?(?:\d|an? ))/i.exec(
    text
  );
  if (!start) return void 0;
  let rest = text.slice(start.index + start[0].length);
  let sum;
  for (let part = PART.exec(rest); part; part = PART.exec(rest)) {
    const [whole, count3 = "", name = ""] = part;
    const unit = /^milli/i.test(name) ? "milli" : name.toLowerCase() === "ms" ? "ms" : name[0]?.toLowerCase();
    sum = (sum ?? 0) + (/^an?$/i.test(count3) ? 1 : Number(count3)) * (UNITS[unit ?? ""] ?? 0);
    rest = rest.slice(whole.length);
  }
  return sum;
}
function finite(at) {
  return Number.isFinite(at) ? at : void 0;
}

// scripts-src/executor/claude-reset-time.ts
var MONTHS2 = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
var MINUTE_MS2 = 6e4;
var DAY_MS2 = 24 * 60 * MINUTE_MS2;
function timeFromEpoch(seconds) {
  if (typeof seconds !== "number" || !(seconds > 1e9 && seconds < 1e11)) return void 0;
  return new Date(seconds * 1e3).toISOString();
}
function offsetOf(zone, at) {
  try {
    const parts = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      dateStyle: "short",
      timeStyle: "medium"
    }).formatToParts(at);
    const part = (type) => Number(parts.find((each) => each.type === type)?.value);
    const year = part("year") + (part("year") < 100 ? 2e3 : 0);
    const wall = Date.UTC(year, part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
    return Math.round((wall - at) / MINUTE_MS2);
  } catch {
    return void 0;
  }
}
function instant(fields, zone) {
  const wall = Date.UTC(...fields);
  const first = offsetOf(zone, wall);
  if (first === void 0) return void 0;
  return wall - (offsetOf(zone, wall - first * MINUTE_MS2) ?? first) * MINUTE_MS2;
}
function resetTime2(text, now, localZone = Intl.DateTimeFormat().resolvedOptions().timeZone) {
  const epoch = /limit reached\|(\d{10})\b/i.exec(text)?.[1];
  if (epoch !== void 0) return timeFromEpoch(Number(epoch));
  const said = /\bresets? (?:at )?(?:([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:,? at|,)? )?(\d{1,2})(?::(\d\d))? ?([ap]m)(?: \(([\w/+-]+)\))?/.exec(
    text
  );
  if (!said) return void 0;
  const [, month, day, hour, minute = "0", half, zone = localZone] = said;
  const offset = offsetOf(zone, now);
  const monthIndex = month === void 0 ? void 0 : MONTHS2.indexOf(month.toLowerCase());
  if (offset === void 0 || monthIndex === -1) return void 0;
  const today = new Date(now + offset * MINUTE_MS2);
  const clock = [Number(hour) % 12 + (half === "pm" ? 12 : 0), Number(minute)];
  const year = today.getUTCFullYear();
  const dated = monthIndex !== void 0;
  const date3 = dated ? [monthIndex, Number(day)] : [today.getUTCMonth(), today.getUTCDate()];
  const candidates = dated ? [instant([year, ...date3, ...clock], zone), instant([year + 1, ...date3, ...clock], zone)] : [instant([year, ...date3, ...clock], zone), instant([year, date3[0], date3[1] + 1, ...clock], zone)];
  const earliest = dated ? now - DAY_MS2 : now;
  const found = candidates.map((time3) => time3 && unlessJustPast(time3, now)).find((time3) => time3 !== void 0 && time3 >= earliest);
  return found === void 0 ? void 0 : new Date(found).toISOString();
}

// scripts-src/executor/claude-failure.ts
init_failure_evidence();

// scripts-src/executor/provider-failure.ts
var REASONS = [
  [
    "login",
    /not logged in|please (?:run \/?log ?in|log ?in|sign ?in)|no api key|api key (?:not found|is (?:missing|required))|no (?:models|credentials) available|missing (?:api key|credentials)/
  ],
  [
    "quota",
    /credit balance|billing|insufficient[ _](?:quota|funds|credits)|out of credits|exceeded your current quota/
  ],
  [
    "usage-limit",
    /usage limit|hit your (?:\S+ )?(?:limit|monthly spend)|(?:5-hour|five-hour|weekly|daily|monthly|session|opus|sonnet) limit|limit reached\|\d|limit .{0,40}\bresets\b/
  ],
  [
    "context",
    /prompt is too long|context (?:window|length)|maximum context|too many (?:input )?tokens|input (?:is )?too long/
  ],
  [
    "overloaded",
    /overloaded|\b529\b|at capacity|high demand|service unavailable|\b(?:500|502|503|504)\b|internal server error/
  ],
  ["rate-limit", /rate[ _-]?limit|too many requests|resource[ _]exhausted|\b429\b/],
  [
    "auth",
    /authentication|unauthori[sz]ed|forbidden|permission[ _](?:error|denied)|(?:invalid|incorrect|bad|expired) (?:\S+ )?(?:api[ _-]?key|token|credentials)|api key not valid|\b40[13]\b/
  ],
  [
    "model-gone",
    /model.{0,80}(?:not found|does not exist|may not exist|not available|is not supported)|(?:unknown|no such|no matching) model|no models? match/
  ],
  [
    "stream-cut",
    /econnreset|socket hang up|connection (?:to the api )?was (?:lost|closed)|(?:closed|ended) (?:unexpectedly|before)|terminated|premature close|empty or malformed response|stream (?:was )?(?:cut|interrupted|ended)/
  ],
  [
    "network",
    /econnrefused|enotfound|etimedout|eai_again|ehostunreach|enetunreach|connection (?:refused|error|failed|timed out)|unable to connect|fetch failed|network|\bdns\b|timed? ?out\b|certificate|\btls\b|\b407\b/
  ],
  ["bad-request", /invalid[ _]request|\b400\b|bad request|\b422\b/]
];
function isStatus(text, at) {
  const before = text.slice(0, at);
  return /^\W*$/.test(before) || /(?:error|status|code|http\S{0,6})\W{0,4}$/i.test(before.slice(-20)) || /^\W{1,2}(?:[A-Z][A-Za-z_]{3,}|\{)/.test(text.slice(at + 3, at + 12));
}
function providerFailure(text) {
  const plain2 = text.slice(0, 4e3).replace(/\b[45]\d\d\b/g, (number3, at, whole) => isStatus(whole, at) ? number3 : "").replace(/[\u2018\u2019]/g, "'").replace(/\bhttps?:\/\/\S+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?/g, "").toLowerCase();
  return REASONS.find(([, pattern]) => pattern.test(plain2))?.[0];
}

// scripts-src/executor/claude-failure.ts
var KINDS = /* @__PURE__ */ new Map([
  ["billing_error", "quota"],
  ["overloaded", "overloaded"],
  ["model_not_found", "model-gone"],
  ["oauth_org_not_allowed", "auth"],
  ["max_output_tokens", "model-error"]
]);
var NO_SESSION = /No conversation found with session ID/;
function reasonOf({ kind = "", status, text, isLimitReached }) {
  if (NO_SESSION.test(text)) return "session-lost";
  const known = KINDS.get(kind);
  if (known !== void 0) return known;
  const said = providerFailure(text);
  switch (kind) {
    case "authentication_failed":
      return said === "login" ? "login" : "auth";
    case "rate_limit":
      return isLimitReached || said === "usage-limit" ? "usage-limit" : "rate-limit";
    case "invalid_request":
      return said === "context" || said === "quota" ? said : "bad-request";
    case "server_error":
      return status !== void 0 && status >= 500 ? "overloaded" : said ?? "overloaded";
    default:
      return said ?? "model-error";
  }
}
function claudeFailure(trouble, saidAt) {
  const { text, lines, limitResetAt } = trouble;
  const reason = reasonOf(trouble);
  const resetAt = reason === "usage-limit" ? limitResetAt ?? resetTime2(text, saidAt) : void 0;
  return {
    reason,
    message: failureMessage(text),
    evidence: evidenceOf(lines),
    ...resetAt === void 0 ? {} : { resetAt }
  };
}
function resultText(result) {
  const errors = Array.isArray(result.errors) ? result.errors.filter((each) => typeof each === "string") : [];
  return textField(result, "result") || errors.join("; ") || `claude ended with ${textField(result, "subtype") ?? "an error"}`;
}
function refusedTools(result) {
  const denials = Array.isArray(result.permission_denials) ? result.permission_denials : [];
  const lines = denials.slice(-100).map((each) => {
    const denial = fieldsOf(each);
    const { name, what } = calledTool({ name: denial.tool_name, input: denial.tool_input });
    return failureMessage(`${name}: ${what}`.slice(0, 300));
  });
  return [...new Set(lines)].slice(-5);
}
var AT_END = [
  [
    "sandbox-refusal",
    /--dangerously-skip-permissions cannot be used with root/,
    "claude refuses bypassPermissions for root: set IS_SANDBOX=1 where the machine itself is the sandbox, or give the unit permissionMode: acceptEdits"
  ],
  ["session-lost", NO_SESSION],
  ["session-live", /Session ID \S+ is already in use/],
  [
    "bad-flags",
    /^error: (?:unknown option|option .* (?:argument|is invalid)|unknown command)|^Error: --\S+ /m
  ],
  ["panic", /panic(?:\(|ked| at)|Bun has crashed|Segmentation fault|SIGILL|JavaScript heap out of memory/]
];
function claudeFailureAtEnd(end) {
  if (end.exitCode === 0) return refusal(end.facts);
  const lines = end.stderr.split("\n").filter((line) => line.trim() !== "");
  for (const [reason, pattern, advice] of AT_END) {
    const told2 = lines.find((line) => pattern.test(line));
    if (told2 !== void 0)
      return { reason, message: failureMessage(advice ?? told2), evidence: evidenceOf(lines) };
  }
  return void 0;
}
function refusal({ refusals = [] }) {
  if (refusals.length === 0) return void 0;
  const message = failureMessage(`its permission mode refused: ${refusals.join("; ")}`);
  return { reason: "sandbox-refusal", message, evidence: evidenceOf(refusals) };
}

// scripts-src/executor/token-count.ts
function tokenCount(fields, name) {
  const value = fields[name];
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : void 0;
}

// scripts-src/executor/claude-tokens.ts
function count(usage, name) {
  return tokenCount(usage, name) ?? 0;
}
function countsIn(usage) {
  const cachedInput = count(usage, "cache_read_input_tokens");
  return {
    input: count(usage, "input_tokens") + count(usage, "cache_creation_input_tokens") + cachedInput,
    cachedInput,
    output: count(usage, "output_tokens"),
    reasoningOutput: count(fieldsOf(usage.output_tokens_details), "thinking_tokens")
  };
}
function takeCounts(counts, id, usage) {
  const now = countsIn(fieldsOf(usage));
  const before = counts.get(id);
  if (!before && now.input === 0 && now.output === 0) return;
  counts.set(id, {
    input: Math.max(before?.input ?? 0, now.input),
    cachedInput: Math.max(before?.cachedInput ?? 0, now.cachedInput),
    output: Math.max(before?.output ?? 0, now.output),
    reasoningOutput: Math.max(before?.reasoningOutput ?? 0, now.reasoningOutput)
  });
}
function sumOf(counts) {
  if (counts.size === 0) return void 0;
  const sum = { input: 0, cachedInput: 0, output: 0, reasoningOutput: 0 };
  for (const each of counts.values()) {
    sum.input += each.input;
    sum.cachedInput += each.cachedInput;
    sum.output += each.output;
    sum.reasoningOutput += each.reasoningOutput;
  }
  return sum;
}
function messageId(message) {
  return textField(message, "id") ?? "";
}

// scripts-src/executor/claude-events.ts
var KEPT_LINES = 5;
var KEPT_CHARS = 500;
function moved(state) {
  delete state.trouble;
  state.lines = [];
}
function keepLine(state, line) {
  state.lines = [...state.lines, line.slice(0, KEPT_CHARS)].slice(-KEPT_LINES);
}
function troubleOf(state, told2) {
  const { limit, lines } = state;
  return { ...told2, isLimitReached: limit !== void 0, limitResetAt: limit?.resetAt, lines };
}
function onInit(state, fields) {
  const id = textField(fields, "session_id");
  const isFirst = state.sessionId === void 0;
  if (id !== void 0) state.sessionId = id;
  delete state.ended;
  delete state.failure;
  moved(state);
  if (!isFirst || id === void 0) return workerEvent("turn", true);
  return workerEvent("session", true, `session ${id}`);
}
function onRetry(state, fields, line) {
  keepLine(state, line);
  const status = typeof fields.error_status === "number" ? fields.error_status : void 0;
  const kind = textField(fields, "error");
  const seconds = typeof fields.retry_delay_ms === "number" ? Math.round(fields.retry_delay_ms / 1e3) : 0;
  const cause = [status, kind].filter((part) => part !== void 0).join(" ");
  const text = `retry ${String(fields.attempt)}/${String(fields.max_retries)} in ${seconds} s: ${cause}`;
  state.trouble = troubleOf(state, { kind, status, text });
  return workerEvent("retry", false, text);
}
function onSystem(state, fields, line) {
  const subtype = textField(fields, "subtype") ?? "";
  switch (subtype) {
    case "init":
      return onInit(state, fields);
    case "api_retry":
      return onRetry(state, fields, line);
    case "thinking_tokens":
      return workerEvent("reasoning", true);
    case "task_started":
    case "task_progress":
    case "task_updated":
    case "compact_boundary":
      return workerEvent("other", true);
    case "task_notification":
      return workerEvent("other", true, textField(fields, "summary"));
    default:
      return workerEvent("other", false, textField(fields, "content"));
  }
}
function onRateLimit(state, fields, line) {
  const info = fieldsOf(fields.rate_limit_info);
  const status = textField(info, "status");
  if (status === "allowed") delete state.limit;
  if (status !== "rejected") return workerEvent("other", false);
  keepLine(state, line);
  state.limit = { resetAt: timeFromEpoch(info.resetsAt) };
  return workerEvent("error", false, `limit reached (${textField(info, "rateLimitType") ?? "unknown"})`);
}
function onStream(state, fields) {
  const event = fieldsOf(fields.event);
  const type = textField(event, "type") ?? "";
  if (type === "message_start") {
    const message = fieldsOf(event.message);
    state.streaming = messageId(message);
    takeCounts(state.counts, state.streaming, message.usage);
  }
  if (type === "message_delta") takeCounts(state.counts, state.streaming, event.usage);
  const isPiece = type.startsWith("content_block_");
  if (isPiece) moved(state);
  return workerEvent("other", isPiece);
}
function onOwnMessage(state, fields, text, line) {
  keepLine(state, line);
  const { status } = state.trouble ?? {};
  state.trouble = troubleOf(state, { kind: textField(fields, "error"), status, text });
  return workerEvent("error", false, text);
}
function onAssistant(state, fields, line) {
  const message = fieldsOf(fields.message);
  const blocks = (Array.isArray(message.content) ? message.content : []).map(fieldsOf);
  const said = blocks.map((block) => block.type === "text" ? textField(block, "text") ?? "" : "").join("");
  if (message.model === "<synthetic>") return onOwnMessage(state, fields, said, line);
  moved(state);
  takeCounts(state.counts, messageId(message), message.usage);
  const calls = blocks.filter(({ type }) => type === "tool_use");
  for (const call2 of calls) state.open.set(textField(call2, "id") ?? "", calledTool(call2));
  if (said.trim() !== "" && typeof fields.parent_tool_use_id !== "string") state.lastMessage = said;
  const [call] = calls;
  if (call) return callEvent(calledTool(call));
  return workerEvent(
    said === "" ? "reasoning" : "message",
    true,
    said || textField(blocks[0] ?? {}, "thinking")
  );
}
function onUser(state, fields) {
  const { content } = fieldsOf(fields.message);
  const blocks = (Array.isArray(content) ? content : []).map(fieldsOf);
  const answers = blocks.filter(({ type }) => type === "tool_result");
  const [first] = answers;
  if (!first) return workerEvent("other", false);
  moved(state);
  const tool = state.open.get(textField(first, "tool_use_id") ?? "");
  for (const answer of answers) state.open.delete(textField(answer, "tool_use_id") ?? "");
  return answerEvent(tool, first);
}
function onResult(state, fields) {
  const isError = fields.is_error === true || fields.subtype !== "success";
  delete state.failure;
  if (!isError) return onSuccess(state, fields);
  state.ended = "failed";
  const status = typeof fields.api_error_status === "number" ? fields.api_error_status : state.trouble?.status;
  const isLong = fields.terminal_reason === "prompt_too_long";
  const text = resultText(fields);
  const kind = isLong ? "invalid_request" : state.trouble?.kind;
  state.failure = claudeFailure(troubleOf(state, { kind, status, text }), state.saidAt());
  return workerEvent("end", false, `failed: ${text}`);
}
function onSuccess(state, fields) {
  state.ended = "completed";
  moved(state);
  const text = textField(fields, "result") ?? "";
  if (text.trim() !== "") state.lastMessage = text;
  state.refusals = refusedTools(fields);
  const sum = sumOf(state.counts);
  return workerEvent("end", true, sum ? `done: ${sum.input} tokens in, ${sum.output} out` : "done");
}
function onFields(state, fields, line) {
  const type = textField(fields, "type") ?? "";
  const isKnown = ["system", "assistant", "user", "result", "stream_event", "rate_limit_event"].includes(
    type
  );
  if (isKnown && typeof fields.session_id === "string") state.structured = true;
  if (!state.structured || type === "") return void 0;
  switch (type) {
    case "system":
      return onSystem(state, fields, line);
    case "stream_event":
      return onStream(state, fields);
    case "assistant":
      return onAssistant(state, fields, line);
    case "user":
      return onUser(state, fields);
    case "rate_limit_event":
      return onRateLimit(state, fields, line);
    case "result":
      return onResult(state, fields);
    default:
      return workerEvent("other", false);
  }
}
function factsOf(state) {
  const { structured, sessionId, lastMessage, ended: ended2, trouble } = state;
  const tokens = sumOf(state.counts);
  const failure3 = state.failure ?? (trouble && ended2 === void 0 ? claudeFailure(trouble, state.saidAt()) : void 0);
  return {
    structured,
    ...sessionId === void 0 ? {} : { sessionId },
    ...lastMessage === void 0 ? {} : { lastMessage },
    ...ended2 === void 0 ? {} : { ended: ended2 },
    ...tokens === void 0 ? {} : { tokens },
    ...failure3 === void 0 ? {} : { failure: failure3 },
    ...state.refusals.length === 0 ? {} : { refusals: state.refusals },
    openCommands: [...state.open.values()].filter(isShell).length
  };
}
function claudeEventReader(saidAt = Date.now) {
  const state = {
    structured: false,
    lines: [],
    open: /* @__PURE__ */ new Map(),
    counts: /* @__PURE__ */ new Map(),
    streaming: "",
    refusals: [],
    saidAt
  };
  return {
    read(line) {
      if (!line.startsWith("{")) return void 0;
      const fields = parsedFields(line);
      if (fields) return onFields(state, fields, line);
      return state.structured ? workerEvent("other", false) : void 0;
    },
    facts: () => factsOf(state)
  };
}

// scripts-src/executor/claude-home.ts
var import_node_fs2 = require("node:fs");
var import_node_path3 = require("node:path");
init_home_folder();
init_random();
init_scrub_environment();

// scripts-src/executor/session-id.ts
function isSessionId(text) {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

// scripts-src/executor/claude-home.ts
var MOST_PROJECTS = 2e4;
function claudeHomeOf(environment) {
  const home = readVariable(environment, "HOME") || readVariable(environment, "USERPROFILE") || homeFolder();
  return readVariable(environment, "CLAUDE_CONFIG_DIR") || (0, import_node_path3.join)(home, ".claude");
}
function claudeAccount(environment) {
  return shortHash([claudeHomeOf(environment), ...accountValues(environment)].join("\0"));
}
function claudeSessionLog(sessionId, environment) {
  if (!isSessionId(sessionId)) return void 0;
  const projects = (0, import_node_path3.join)(claudeHomeOf(environment), "projects");
  try {
    const directory = (0, import_node_fs2.opendirSync)(projects);
    try {
      for (let count3 = 0; count3 < MOST_PROJECTS; count3++) {
        const entry = directory.readSync();
        if (entry === null) return void 0;
        const file = (0, import_node_path3.join)(projects, entry.name, `${sessionId}.jsonl`);
        if ((0, import_node_fs2.statSync)(file, { throwIfNoEntry: false })?.isFile()) return file;
      }
    } finally {
      directory.closeSync();
    }
  } catch {
  }
  return void 0;
}

// scripts-src/executor/retry-notice.ts
init_readable_line();
var NOTICES = [
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
var ATTEMPT = /\battempt\s*#?\d+\s*(?:\/|of)\s*\d+/i;
var GOOD_NEWS = /\b(?:passe[sd]|succeeded|success|successful|complete[d]?|fixed|done|ok|finished)\b/i;
function isRetryNotice(line) {
  if (line.length > 400) return false;
  const plain2 = withoutEscapes(line).trim();
  if (plain2 === "" || GOOD_NEWS.test(plain2)) return false;
  return ATTEMPT.test(plain2) || NOTICES.some((notice) => notice.test(plain2));
}

// scripts-src/executor/claude.ts
var OWN_PROCESS = /^(?:.*[\\/])?claude(?:\.exe)?$/i;
var claude = {
  name: "claude",
  answersOnStdout: false,
  program: { name: "claude", variable: "CLAUDE_BIN" },
  needs: [...SIGN_IN, "CLAUDE_BIN"],
  canResume: true,
  countsAttemptOnly: true,
  account: claudeAccount,
  command: claudeCommand,
  events: claudeEventReader,
  classifyStderr: () => "text",
  isRetryNotice,
  sessionLog: claudeSessionLog,
  failureAtEnd: claudeFailureAtEnd,
  isOwnProcess: (command2) => OWN_PROCESS.test(command2)
};

// scripts-src/executor/codex.ts
init_codex_account();
init_codex_command();

// scripts-src/executor/codex-failure.ts
init_failure_evidence();
var REASONS2 = [
  ["usage-limit", /usage[ _]limit/],
  [
    "quota",
    /quota exceeded|exceeded your current quota|insufficient_quota|out of credits|credit limit|purchase more credits|spend(?:ing)? (?:limit|cap)|usage_not_included|to use codex with your chatgpt plan|billing hard limit/
  ],
  [
    "context",
    /context[ _](?:window|length)|ran out of room|maximum context|prompt is too long|too many input tokens/
  ],
  [
    "model-gone",
    /\bmodel\b.{0,80}\b(?:does not exist|not found|not available|is not supported when|requires a newer version|(?:is|was|has been) (?:deprecated|retired|removed|disabled))|model_not_found|(?:unknown|unsupported|no such) model\b/
  ],
  ["rate-limit", /rate[ _-]?limit|too many requests|\bstatus:? 429\b/],
  // A proxy's own login: before `auth`, which is about the account.
  ["network", /\bstatus:? 407\b/],
  ["login", /not (?:logged|signed) in|missing bearer|no (?:credentials|auth) (?:found|available)/],
  [
    "auth",
    /\bstatus:? 40[13]\b|unauthorized|forbidden|(?:incorrect|invalid|missing) api key|(?:log|sign) in again|refresh token|access token|missing environment variable|authentication|not (?:currently )?authorized|do not have access to codex/
  ],
  [
    "overloaded",
    /high (?:demand|load)|at capacity|capacity is unavailable|overloaded|\bstatus:? 5\d\d\b|server error|service unavailable|temporarily unavailable|bad gateway/
  ],
  // No way to the server, also where the words around it are those of a cut stream (the try by WebSocket).
  [
    "network",
    /connection (?:failed|refused|timed out)|error sending request|waiting for network|\bdns\b|unreachable|certificate|\btls\b|tunnel|proxy/
  ],
  ["bad-request", /content_filter/],
  [
    "stream-cut",
    /stream (?:disconnected|closed|ended|error)|idle timeout waiting|incomplete response|error decoding response|connection (?:reset|closed|aborted)|broken pipe|response\.completed/
  ],
  ["network", /\bnetwork\b|transport error|connection error|timed? ?out\b/],
  [
    "bad-request",
    /invalid (?:value|request|prompt|type|schema|image)|invalid_\w+_error|\bstatus:? 4\d\d\b|bad request|unsupported (?:value|parameter)|(?:unknown|missing required) parameter|flagged for|limited access to this content/
  ]
];
function knownFailure(text) {
  const plain2 = text.slice(0, 4e3).replace(/[\u2018\u2019]/g, "'").replace(/\bhttps?:\/\/\S+/g, "").toLowerCase();
  return REASONS2.find(([, pattern]) => pattern.test(plain2))?.[0];
}
function failureReason(message) {
  const body = inBody(withoutRetry(message));
  return knownFailure(body?.text ?? withoutRetry(message)) ?? (body ? "bad-request" : "model-error");
}
function codexFailure(message, lines, saidAt) {
  const reason = failureReason(message);
  const failure3 = {
    reason,
    message: failureMessage(plainMessage(message)),
    evidence: evidenceOf(lines)
  };
  const resetAt = reason === "usage-limit" ? resetTime(message, saidAt) : void 0;
  const retryAfterSeconds = WAITED_FOR.includes(reason) ? secondsToWait(message) : void 0;
  return {
    ...failure3,
    ...resetAt === void 0 ? {} : { resetAt },
    ...retryAfterSeconds === void 0 ? {} : { retryAfterSeconds }
  };
}
var WAITED_FOR = ["rate-limit", "overloaded", "network", "stream-cut"];
function inBody(text) {
  if (!text.startsWith("{")) return void 0;
  try {
    const body = JSON.parse(text);
    const error = body?.error ?? {};
    const message = [error.message, body?.error, body?.detail, body?.message].find(isText);
    if (message === void 0) return void 0;
    const status = typeof body?.status === "number" ? `status ${body.status}` : void 0;
    const names = [error.type, error.code, status].filter(isText);
    return { message, text: [message, ...names].join(" ") };
  } catch {
    return void 0;
  }
}
function isText(value) {
  return typeof value === "string" && value !== "";
}
function withoutRetry(message) {
  const inner = /^Reconnecting\.\.\.[^(]*\((.*)\)\s*$/s.exec(message) ?? OLD_RETRY.exec(message);
  return inner?.[1] ?? message;
}
var OLD_RETRY = /^(?:stream error: )?(.*); retrying \d+\/\d+ in \S+\s*$/s;
function isRetryMessage(message) {
  return /^Reconnecting\b/.test(message) || OLD_RETRY.test(message);
}
function plainMessage(message) {
  const inner = withoutRetry(message);
  return inBody(inner)?.message ?? inner;
}

// scripts-src/executor/codex-long-line.ts
var LONG_LINE = 256 * 1024;
var HEAD = 8192;
var START = /^\{"type":"item\.(started|updated|completed)","item":\{"id":"([^"\\]{1,80})","type":"([a-z_]{1,40})"/;
function longItem(line) {
  const start = START.exec(line.slice(0, HEAD));
  if (!start) return void 0;
  const [, phase, id, type] = start;
  const item = { id, type };
  const command2 = /"command":"((?:[^"\\]|\\.)*)/s.exec(line.slice(0, HEAD))?.[1];
  if (command2 !== void 0) item.command = command2.replace(/\\n/g, " ").replace(/\\(["\\/])/g, "$1");
  const end = /"exit_code":(-?\d+|null),"status":"([a-z_]+)"\}\}\s*$/.exec(line.slice(-200));
  if (end?.[1] !== void 0 && end[1] !== "null") item.exit_code = Number(end[1]);
  if (end) item.status = end[2];
  return { phase, item };
}

// scripts-src/executor/codex-usage.ts
function codexUsage(usage) {
  const input = tokenCount(usage, "input_tokens");
  const output = tokenCount(usage, "output_tokens");
  if (input === void 0 || output === void 0) return void 0;
  return {
    input,
    cachedInput: tokenCount(usage, "cached_input_tokens") ?? 0,
    output,
    reasoningOutput: tokenCount(usage, "reasoning_output_tokens") ?? 0
  };
}

// scripts-src/executor/codex-events.ts
init_readable_line();
var LINES_KEPT = 5;
var LINE_CHARS = 2e3;
var READ_WHOLE = /^(?:agent_message|file_change)$/;
var HEADER = /^\s*session id:\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$/i;
function onItem(state, phase, item) {
  const event = itemEvent(phase, item);
  state.structured = true;
  if (event.progress && state.ended !== "failed") forgetError(state);
  const id = textField(item, "id") ?? "";
  if (event.kind === "command-started") state.open.add(id);
  if (event.kind === "command-ended") state.open.delete(id);
  if (phase === "completed") keepLast(state.refusals, refusalsIn(item));
  const text = textField(item, "text");
  if (event.kind === "message" && phase === "completed" && text !== void 0) state.lastMessage = text;
  return event;
}
function forgetError(state) {
  delete state.failure;
  delete state.lastError;
  state.errorLines.length = 0;
}
function keepLast(list, lines) {
  for (const line of lines) if (list.at(-1) !== line) list.push(line);
  list.splice(0, list.length - LINES_KEPT);
}
function onTurnStarted(state) {
  delete state.ended;
  forgetError(state);
  return workerEvent("turn", true);
}
function onTurnCompleted(state, fields) {
  state.ended = "completed";
  forgetError(state);
  const tokens = codexUsage(fieldsOf(fields.usage));
  if (!tokens) return workerEvent("end", true, "done");
  state.tokens = tokens;
  return workerEvent("end", true, `done: ${tokens.input} tokens in, ${tokens.output} out`);
}
function noteFailure(state, message, line) {
  keepLast(state.errorLines, [line.slice(0, LINE_CHARS)]);
  state.lastError = message;
  state.failure = codexFailure(message, state.errorLines, state.saidAt());
}
function onTurnFailed(state, fields, line) {
  state.ended = "failed";
  const message = textField(fieldsOf(fields.error), "message") ?? state.lastError ?? "the turn failed";
  noteFailure(state, message, line);
  return workerEvent("end", false, `failed: ${plainMessage(message)}`);
}
function onError(state, message, line) {
  if (state.ended === void 0) noteFailure(state, message, line);
  return workerEvent(isRetryMessage(message) ? "retry" : "error", false, message);
}
function onThreadStarted(state, fields) {
  const id = textField(fields, "thread_id");
  if (id !== void 0) state.sessionId = id;
  return workerEvent("session", true, id === void 0 ? "" : `session ${id}`);
}
function onFields2(state, fields, line) {
  const type = textField(fields, "type") ?? "";
  const phase = /^item\.(started|updated|completed)$/.exec(type)?.[1];
  if (phase !== void 0 && typeof fields.item === "object") {
    return onItem(state, phase, fieldsOf(fields.item));
  }
  const message = textField(fields, "message");
  if (type === "error" && message !== void 0) {
    state.structured = true;
    return onError(state, message, line);
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
      return onTurnFailed(state, fields, line);
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
    if (long && !READ_WHOLE.test(textField(long.item, "type") ?? "")) {
      return onItem(state, long.phase, long.item);
    }
    if (!long && !state.structured && !line.startsWith('{"type":"')) return void 0;
  }
  const fields = parsedFields(line);
  if (fields) return onFields2(state, fields, line);
  const torn = state.structured && /^\{"type":"(?:thread|turn|item|error)\b/.test(line);
  return torn ? workerEvent("other", false) : void 0;
}
function factsOf2(state) {
  const { structured, sessionId, lastMessage, tokens, ended: ended2, failure: failure3, refusals, open } = state;
  return {
    structured,
    openCommands: open.size,
    ...sessionId === void 0 ? {} : { sessionId },
    ...lastMessage === void 0 ? {} : { lastMessage },
    ...tokens === void 0 ? {} : { tokens },
    ...ended2 === void 0 ? {} : { ended: ended2 },
    ...failure3 === void 0 ? {} : { failure: failure3 },
    ...refusals.length === 0 ? {} : { refusals: [...refusals] }
  };
}
function codexEventReader(saidAt = Date.now) {
  const state = { structured: false, open: /* @__PURE__ */ new Set(), errorLines: [], refusals: [], saidAt };
  return {
    read: (line) => onLine(state, line),
    facts: () => factsOf2(state)
  };
}

// scripts-src/executor/codex-failure-at-end.ts
init_codex_flags();
init_failure_evidence();
init_readable_line();
var SIGNS = [
  { reason: "session-live", line: /already has an active writer/ },
  { reason: "session-lost", line: /no rollout found for (?:thread|conversation) id/i },
  { reason: "session-lost", line: /created with a different ChatGPT account/ },
  { reason: "login", line: /\bNot (?:logged|signed) in\b/i },
  {
    reason: "bad-flags",
    line: /^error: unexpected argument '([^']+)'/,
    says: ([, flag = ""]) => notKnown(`the flag ${flag}`)
  },
  {
    reason: "bad-flags",
    line: /^error: unrecognized subcommand '([^']+)'/,
    says: ([, word = ""]) => notKnown(`the command ${word}`)
  },
  {
    reason: "bad-flags",
    line: /^error: invalid value '([^']*)' for '([^'\s]+)/,
    says: ([, value = "", flag = ""]) => notKnown(`the value ${value} of ${flag}`)
  },
  {
    reason: "bad-flags",
    line: /Unknown feature flag: (\S+)/,
    says: ([, name = ""]) => notKnown(`the feature ${name}`)
  },
  { reason: "bad-flags", line: /^Error loading config/ },
  { reason: "bad-request", line: /input is not valid UTF-8/ },
  { reason: "bad-request", line: /exceeds the maximum length of \d+ characters/ },
  { reason: "bad-request", line: /^No prompt provided/ },
  { reason: "bad-request", line: /^Failed to (?:read output schema|read image|open image)/ },
  {
    reason: "bad-request",
    line: /^Error: No such file or directory \(os error 2\)/,
    says: () => "codex could not start in its work dir: no such directory"
  }
];
var PANIC = /^thread '.*' (?:\(\d+\) )?panicked at |^The application panicked/;
var PANIC_CODE = 101;
var REFUSED = /\brejected: |\brejected by |blocked by (?:read-only sandbox|policy)|sandbox denied/;
function codexFailureAtEnd({ exitCode, stderr, facts }) {
  const lines = stderr.split("\n").map((line) => withoutEscapes(line).trimEnd()).filter((line) => line !== "");
  if (exitCode === 0) return refusal2(lines, facts);
  const isTold = facts.ended !== void 0;
  return panic(exitCode, lines) ?? signOf(lines) ?? (isTold ? void 0 : errorLine(lines));
}
function errorLine(lines) {
  const line = lines.findLast((text) => /^(?:ERROR|Error): /.test(text));
  const reason = line === void 0 ? void 0 : knownFailure(line);
  return line === void 0 || reason === void 0 ? void 0 : failure(reason, line, [line]);
}
function signOf(lines) {
  for (const { reason, line: pattern, says } of SIGNS) {
    const at = lines.findLastIndex((line2) => pattern.test(line2));
    const line = lines[at];
    const match = line === void 0 ? null : pattern.exec(line);
    if (line === void 0 || !match) continue;
    return failure(reason, says?.(match) ?? line, lines.slice(at, at + 3));
  }
  return void 0;
}
function panic(exitCode, lines) {
  const at = lines.findIndex((line) => PANIC.test(line));
  if (at < 0 && exitCode !== PANIC_CODE) return void 0;
  const said = at < 0 ? [] : lines.slice(at, at + 3);
  const place = said[0] === void 0 ? "" : `: ${said.slice(0, 2).join(" ")}`;
  return failure("panic", `codex itself broke (exit ${exitCode ?? "unknown"})${place}`, said);
}
function refusal2(lines, { refusals = [] }) {
  const told2 = [...lines.filter((line) => REFUSED.test(line)), ...refusals];
  const [first] = told2;
  if (first === void 0) return void 0;
  const more = told2.length > 1 ? ` (and ${told2.length - 1} more)` : "";
  const what = readableLine(withoutStamp(first), 300);
  return failure("sandbox-refusal", `the sandbox or codex's rules refused: ${what}${more}`, told2.slice(0, 5));
}
function withoutStamp(line) {
  return line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z +[A-Z]+ [\w:]+: (?:error=)?/, "");
}
function notKnown(what) {
  return `this codex does not take ${what}: it is older or newer than the one that prun was tested with (${TESTED_CODEX})`;
}
function failure(reason, text, lines) {
  const message = failureMessage(text.replace(/^(?:Error|ERROR|error): /, ""));
  return { reason, message, evidence: evidenceOf(lines) };
}

// scripts-src/executor/codex-log-reset.ts
init_files();
var LOOK_BYTES = 256 * 1024;
var RECORD_CHARS = 16384;
function codexLogReset(file, now) {
  const lines = readEnd(file, LOOK_BYTES).split("\n");
  for (const line of lines.reverse()) {
    if (line.length > RECORD_CHARS || !line.includes('"rate_limits"')) continue;
    const limits = fieldsOf(fieldsOf(parsedFields(line)?.payload).rate_limits);
    const ends = [limits.primary, limits.secondary].flatMap((window) => endOfUsed(fieldsOf(window)));
    return ends.length === 0 ? void 0 : believedTime(Math.max(...ends), now);
  }
  return void 0;
}
function endOfUsed({ used_percent: used, resets_at: at }) {
  return typeof used === "number" && used >= 100 && typeof at === "number" ? [at * 1e3] : [];
}

// scripts-src/executor/codex-log-tokens.ts
init_files();
var LOOK_BYTES2 = 4 * 1024 * 1024;
var RECORD_CHARS2 = 16384;
function codexLogTokens(file) {
  const lines = readEnd(file, LOOK_BYTES2).split("\n");
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? "";
    if (line.length > RECORD_CHARS2 || !/"type":\s*"token_(?:count|usage_record)"/.test(line)) continue;
    const tokens = countsIn2(line);
    if (tokens) return tokens;
  }
  return void 0;
}
function countsIn2(line) {
  const payload = fieldsOf(fieldsOf(parsed(line)).payload);
  const usage = payload.thread_token_usage ?? fieldsOf(payload.info).total_token_usage;
  const counts = fieldsOf(usage);
  return codexUsage(counts);
}
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return void 0;
  }
}

// scripts-src/executor/codex-session-log.ts
var import_node_fs4 = require("node:fs");
var import_node_path7 = require("node:path");
init_codex_account();
var MOST_ENTRIES = 2e4;
var DAYS = [0, -1, 1];
function findEntry(folder, suffix) {
  try {
    const directory = (0, import_node_fs4.opendirSync)(folder);
    try {
      for (let count3 = 0; count3 < MOST_ENTRIES; count3++) {
        const entry = directory.readSync();
        if (entry === null) return void 0;
        if (entry.name.startsWith("rollout-") && entry.name.endsWith(suffix)) return (0, import_node_path7.join)(folder, entry.name);
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
  const home = codexHomeOf(environment);
  const days = [startedAtEpochMs, ...begunAt(sessionId)].flatMap(daysAround);
  for (const day of new Set(days)) {
    const folder = (0, import_node_path7.resolve)(home, "sessions", ...day.split("-"));
    const found = findEntry(folder, `-${sessionId}.jsonl`);
    if (found !== void 0) return found;
  }
  return void 0;
}
function begunAt(sessionId) {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(sessionId) ?? [];
  return high === void 0 || low === void 0 ? [] : [Number.parseInt(high + low, 16)];
}
function daysAround(epochMs) {
  const at = new Date(epochMs);
  return DAYS.map((offset) => {
    const date3 = new Date(at.getFullYear(), at.getMonth(), at.getDate() + offset);
    const parts = [date3.getFullYear(), date3.getMonth() + 1, date3.getDate()];
    return parts.map((part) => String(part).padStart(2, "0")).join("-");
  });
}

// scripts-src/executor/codex.ts
init_codex_trace();
var OWN_PROCESS2 = /^(?:.*[\\/])?codex(?:[-.].*)?$/i;
var codex = {
  name: "codex",
  answersOnStdout: false,
  program: { name: "codex", variable: "CODEX_BIN" },
  canResume: true,
  account: codexAccount,
  command: codexCommand,
  events: codexEventReader,
  classifyStderr,
  isRetryNotice,
  sessionLog: codexSessionLog,
  tokensInLog: codexLogTokens,
  resetInLog: codexLogReset,
  failureAtEnd: codexFailureAtEnd,
  isOwnProcess: (command2) => OWN_PROCESS2.test(command2)
};

// scripts-src/executor/placeholders.ts
function fillPlaceholders(word, values) {
  return word.replace(
    /\{(prompt_file|result_file|unit|workdir)\}/g,
    (_, name) => values[name]
  );
}

// scripts-src/executor/command.ts
init_scrub_environment();

// scripts-src/executor/validation-failure.ts
var VALIDATION_FAILED = "prun-validation: ";
function validationFailure(stderr) {
  const line = stderr.trimEnd().split("\n").at(-1) ?? "";
  if (!line.startsWith(VALIDATION_FAILED)) return void 0;
  return { reason: "validation", message: line.slice(VALIDATION_FAILED.length) };
}

// scripts-src/executor/command.ts
var command = {
  name: "command",
  answersOnStdout: true,
  program: null,
  canResume: false,
  account: () => "",
  command: commandLine,
  events: plainOutput,
  failureAtEnd: ({ stderr }) => validationFailure(stderr),
  classifyStderr: () => "text",
  isRetryNotice,
  sessionLog: () => void 0,
  // All of its processes are the command: what any of them does is work.
  isOwnProcess: () => false
};
function commandLine(request) {
  const { unit, workdir, promptFile, resultFile } = request;
  const values = { unit, workdir, prompt_file: promptFile, result_file: resultFile };
  const words = (request.args ?? []).map((word) => fillPlaceholders(word, values));
  const environment = scrubEnvironment(request.environment, request.passEnv, {
    ...request.told,
    PRUN_UNIT: request.marker
  });
  return { argv: [request.binary, ...words], environment, stderr: "own" };
}
function plainOutput() {
  return { read: () => void 0, facts: () => ({ structured: false, openCommands: 0 }) };
}

// scripts-src/executor/omp.ts
var import_node_path8 = require("node:path");
init_home_folder();
init_random();
init_failure_evidence();
init_readable_line();
init_scrub_environment();
var KEYS = ["GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "XAI_API_KEY"];
var omp = {
  name: "omp",
  answersOnStdout: true,
  program: { name: "omp", variable: "OMP_BIN" },
  canResume: false,
  account: ompAccount,
  command: ompCommand,
  events: () => ({ read: () => void 0, facts: () => ({ structured: false, openCommands: 0 }) }),
  classifyStderr: () => "text",
  isRetryNotice,
  sessionLog: () => void 0,
  failureAtEnd: ompFailure,
  // It prints nothing while it works: what its processes do is the only evidence that there is.
  isOwnProcess: () => false
};
function ompCommand(request) {
  const { model, reasoningEffort } = request;
  const argv = [request.binary, "-p", "--no-session", "--auto-approve"];
  if (model !== void 0) argv.push("--model", model);
  if (reasoningEffort !== void 0) argv.push("--thinking", reasoningEffort);
  argv.push(`@${request.promptFile}`);
  const environment = scrubEnvironment(request.environment, request.passEnv, {
    ...request.told,
    PRUN_UNIT: request.marker
  });
  return { argv, environment, stderr: "own", stdin: "nothing" };
}
function ompAccount(environment) {
  const home = readVariable(environment, "HOME") || readVariable(environment, "USERPROFILE") || homeFolder();
  const place = readVariable(environment, "PI_CODING_AGENT_DIR") || (0, import_node_path8.join)(home, ".omp");
  return shortHash([place, ...KEYS.map((key) => readVariable(environment, key) ?? "")].join("\0"));
}
var OTHERS = /^(?:fatal|remote|hint): |^npm (?:ERR!|error)(?: |$)|^(?:git|ssh|curl|gh|docker): /;
function ompFailure(end) {
  if (end.exitCode === 0) return void 0;
  const lines = withoutEscapes(end.stderr).split("\n").map((line) => line.trim()).filter((line) => line !== "" && !OTHERS.test(line)).slice(-20);
  const told2 = lines.findLast((line) => failureIn(line) !== void 0);
  const reason = told2 === void 0 ? void 0 : failureIn(told2);
  if (told2 === void 0 || reason === void 0) return void 0;
  const resetAt = reason === "usage-limit" ? resetTime(told2, Date.now()) : void 0;
  const retryAfterSeconds = reason === "rate-limit" ? secondsToWait(told2) : void 0;
  return {
    reason,
    message: failureMessage(told2),
    evidence: evidenceOf(lines),
    ...resetAt === void 0 ? {} : { resetAt },
    ...retryAfterSeconds === void 0 ? {} : { retryAfterSeconds }
  };
}
function failureIn(line) {
  return /^Error: unknown flag/i.test(line) ? "bad-flags" : providerFailure(line);
}

// scripts-src/executor/by-name.ts
function executorByName(name) {
  const found = [codex, claude, omp, command].find((executor) => executor.name === name);
  if (found) return found;
  throw new Error(`unknown executor ${name}`);
}

// scripts-src/dispatch-task.ts
init_errors();

// scripts-src/platform/write-all.ts
var import_node_fs5 = require("node:fs");
init_errors();
init_pause();
function writeAllSync(fd, text) {
  let rest = Buffer.from(text);
  for (let tries = 0; rest.length > 0 && tries < 200; tries++) {
    try {
      rest = rest.subarray((0, import_node_fs5.writeSync)(fd, rest));
    } catch (error) {
      if (errnoOf(error) !== "EAGAIN") return;
      pauseSync(5);
    }
  }
}

// scripts-src/dispatch-task.ts
init_host();

// scripts-src/supervise/dispatch.ts
init_errors();

// scripts-src/platform/fault.ts
var import_node_fs7 = require("node:fs");
var import_node_path9 = __toESM(require("node:path"), 1);
function faultPoint(point, folder) {
  const wanted = process.env.PRUN_FAULT;
  if (!wanted) return;
  const stop = wanted === `${point}:stop`;
  if (!stop && wanted !== point) return;
  try {
    (0, import_node_fs7.closeSync)((0, import_node_fs7.openSync)(import_node_path9.default.join(folder, `.fault-${point.replace(/\W/g, "-")}`), "wx"));
  } catch {
    return;
  }
  process.kill(process.pid, stop ? "SIGSTOP" : "SIGKILL");
}

// scripts-src/supervise/dispatch.ts
init_family();
init_identity();

// scripts-src/unit/live-attempt.ts
var import_node_fs9 = require("node:fs");
init_files();
init_identity();
init_state_dir();
function liveAttempt(host, stateDirs) {
  return stateDirs.find((dir) => {
    if ((0, import_node_fs9.existsSync)(stateFile(dir, "outcome"))) return false;
    const written = [...identitiesIn(dir), readValue(stateFile(dir, "guardian"))];
    return written.some((text) => {
      const identity = parseIdentity(text ?? "");
      return identity !== void 0 && isAlive(host, identity);
    });
  });
}
function identitiesIn(stateDir) {
  try {
    const record3 = JSON.parse((0, import_node_fs9.readFileSync)(stateFile(stateDir, "unit"), "utf8"));
    if (typeof record3 !== "object" || record3 === null) return [];
    const { supervisor, worker } = record3;
    return [supervisor, worker].filter((one) => typeof one === "string");
  } catch {
    return [];
  }
}

// scripts-src/unit/result-claim.ts
var import_node_fs10 = require("node:fs");
var import_node_os2 = __toESM(require("node:os"), 1);
var import_node_path12 = __toESM(require("node:path"), 1);
init_files();
init_pause();
init_random();

// scripts-src/platform/state-home.ts
var import_node_path11 = __toESM(require("node:path"), 1);
init_home_folder();
function stateHome(environment, platform = process.platform) {
  if (environment.PRUN_STATE_HOME) return import_node_path11.default.resolve(environment.PRUN_STATE_HOME);
  if (platform === "win32") {
    return import_node_path11.default.join(
      absolute(environment.LOCALAPPDATA) ?? import_node_path11.default.join(homeFolder(), "AppData", "Local"),
      "prun"
    );
  }
  const base = absolute(environment.XDG_STATE_HOME) ?? import_node_path11.default.join(homeFolder(), ".local", "state");
  return import_node_path11.default.join(base, "prun");
}
function absolute(value) {
  return value && import_node_path11.default.isAbsolute(value) ? value : void 0;
}

// scripts-src/unit/result-claim.ts
init_identity();

// scripts-src/unit/guardian.ts
init_files();
init_identity();
init_state_dir();
function isGuarded(stateDir, host) {
  const guardian = guardianOf(stateDir, host);
  return guardian !== void 0 && isAlive(host, guardian);
}
function guardianOf(stateDir, host) {
  const recorded = readValue(stateFile(stateDir, "guardian"));
  if (recorded !== void 0) return parseIdentity(recorded);
  const pid = Number(readValue(stateFile(stateDir, "guardianPid")));
  const entry = Number.isInteger(pid) && pid > 1 ? host.entry(pid) : void 0;
  return entry && /^(?:.*\/)?(?:sh|dash|bash|busybox|ash)$/.test(entry.command) ? identityOf(host, entry) : void 0;
}

// scripts-src/unit/records.ts
var SCHEMA = 1;

// scripts-src/unit/result-claim.ts
init_state_dir();
function claimResult(host, claim2) {
  const folder = writableFolder(claim2.resultFile);
  const record3 = `${JSON.stringify({ schema: SCHEMA, ...claim2 })}
`;
  let newest = folder.isNew ? 0 : newestEpoch(folder.path);
  for (; ; ) {
    const holder = newest > 0 ? readClaim(import_node_path12.default.join(folder.path, String(newest))) : void 0;
    if (holder && isHeld(host, holder)) return holder;
    if (claimName(import_node_path12.default.join(folder.path, String(newest + 1)), record3)) return void 0;
    newest = newestEpoch(folder.path);
  }
}
function writableFolder(resultFile) {
  const [inHome, inTemp] = claimFolders(resultFile);
  try {
    return makeFolder(inHome);
  } catch {
    return makeFolder(inTemp);
  }
}
function makeFolder(folder) {
  const isNew = (0, import_node_fs10.mkdirSync)(folder, { recursive: true, mode: PRIVATE_DIR }) !== void 0;
  if (!isNew) (0, import_node_fs10.accessSync)(folder, import_node_fs10.constants.W_OK);
  return { path: folder, isNew };
}
function isHeld(host, claim2) {
  if (readValue(stateFile(claim2.stateDir, "outcome"))) return false;
  const dispatcher = parseIdentity(claim2.holder);
  if (dispatcher && isAlive(host, dispatcher)) return true;
  return isGuarded(claim2.stateDir, host) || isWorkerAlive(claim2.stateDir, host);
}
function isWorkerAlive(stateDir, host) {
  try {
    const unit = JSON.parse(readValue(stateFile(stateDir, "unit")) ?? "");
    const worker = typeof unit === "object" && unit !== null && "worker" in unit ? unit.worker : void 0;
    const id = typeof worker === "string" ? parseIdentity(worker) : void 0;
    return id !== void 0 && isAlive(host, id);
  } catch {
    return false;
  }
}
function claimFolders(resultFile) {
  const canonical = canonicalPath(resultFile);
  const name = shortHash(canonical) + shortHash([...canonical].reverse().join(""));
  const owner = process.getuid?.() ?? shortHash(import_node_os2.default.homedir());
  return [
    import_node_path12.default.join(stateHome(process.env), "results", name),
    import_node_path12.default.join(import_node_path12.default.resolve(import_node_os2.default.tmpdir()), `prun-results-${owner}`, name)
  ];
}
function canonicalPath(file) {
  const absolute2 = import_node_path12.default.resolve(file);
  let folder = import_node_path12.default.dirname(absolute2);
  try {
    folder = import_node_fs10.realpathSync.native(folder);
  } catch {
  }
  const whole = import_node_path12.default.join(folder, import_node_path12.default.basename(absolute2));
  return process.platform === "linux" ? whole : whole.toLowerCase();
}
function newestEpoch(folder) {
  try {
    if (process.getuid && (0, import_node_fs10.statSync)(folder).uid !== process.getuid()) return 0;
    return (0, import_node_fs10.readdirSync)(folder).reduce(
      (newest, name) => /^\d+$/.test(name) ? Math.max(newest, Number(name)) : newest,
      0
    );
  } catch {
    return 0;
  }
}
var READ_TRIES = 20;
var READ_PAUSE_MS = 5;
function readClaim(file) {
  for (let tries = 0; tries < READ_TRIES; tries++) {
    const claim2 = parseClaim(readValue(file) ?? "");
    if (claim2) return claim2;
    pauseSync(READ_PAUSE_MS);
  }
  return void 0;
}
function parseClaim(text) {
  try {
    const json = JSON.parse(text);
    if (typeof json !== "object" || json === null) return void 0;
    const { stateDir, holder, resultFile } = json;
    if (typeof stateDir !== "string" || typeof holder !== "string" || typeof resultFile !== "string")
      return void 0;
    return { stateDir, holder, resultFile };
  } catch {
    return void 0;
  }
}

// scripts-src/supervise/dispatch.ts
init_state_dir();
init_repository_look();
init_workspace_of();

// scripts-src/supervise/asked-schema.ts
var import_node_fs14 = require("node:fs");

// scripts-src/executor/codex-wishes.ts
var import_node_fs13 = require("node:fs");
var import_node_path16 = __toESM(require("node:path"), 1);
init_errors();

// scripts-src/executor/schema-sight.ts
var ONE = "additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties";
var LISTED = "allOf anyOf items oneOf prefixItems";
var NAMED = "$defs definitions dependencies dependentSchemas patternProperties properties";
var [ONE_SCHEMA, LISTED_SCHEMAS, NAMED_SCHEMAS] = [ONE, LISTED, NAMED].map((words) => words.split(" "));
var TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];
function faultAtSight(root) {
  const names = /* @__PURE__ */ new Set();
  const all = [];
  visit2(root, (schema) => {
    all.push(schema);
    for (const key of ["$id", "id"]) if (typeof schema[key] === "string") names.add(schema[key]);
    for (const key of ["$anchor", "$dynamicAnchor"]) {
      if (typeof schema[key] === "string") names.add(`#${schema[key]}`);
    }
  });
  for (const schema of all) {
    const fault = refFault(root, schema, names) ?? patternFault(schema) ?? typeFault(schema);
    if (fault !== void 0) return fault;
  }
  return void 0;
}
function visit2(root, take) {
  const open = [root];
  while (open.length > 0) {
    const schema = open.pop();
    if (!isObject(schema)) continue;
    take(schema);
    for (const key of ONE_SCHEMA ?? []) open.push(schema[key]);
    for (const key of LISTED_SCHEMAS ?? []) pushAll(open, schema[key], Array.isArray);
    for (const key of NAMED_SCHEMAS ?? []) pushAll(open, schema[key], isObject);
  }
}
function pushAll(list, values, isWanted) {
  if (isWanted(values)) for (const value of Object.values(values)) list.push(value);
}
function refFault(root, schema, names) {
  const seen = /* @__PURE__ */ new Set();
  for (let at = schema; isObject(at) && typeof at.$ref === "string"; ) {
    const ref = at.$ref;
    if (seen.has(at)) return `its $ref ${shown(ref)} leads to itself`;
    seen.add(at);
    if (names.has(ref)) return void 0;
    if (!/^#(?:\/|$)/.test(ref)) {
      const isBelow = [...names].some((name) => name !== "" && ref.startsWith(`${name}#`));
      return isBelow ? void 0 : `its $ref ${shown(ref)} is not in the file`;
    }
    at = pointed(root, ref);
    if (at === void 0) return `its $ref ${shown(ref)} leads to nothing`;
  }
  return void 0;
}
function pointed(root, ref) {
  let at = root;
  for (const part of ref.split("/").slice(1)) {
    const key = unescaped(part);
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return void 0;
    at = at[key];
  }
  return at;
}
function unescaped(part) {
  const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
function patternFault({ pattern, patternProperties }) {
  const patterns = [pattern, ...isObject(patternProperties) ? Object.keys(patternProperties) : []];
  const bad = patterns.find((one) => typeof one === "string" && !isPattern(one));
  return bad === void 0 ? void 0 : `its pattern ${shown(String(bad))} is no regular expression`;
}
function isPattern(text) {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
function typeFault({ type }) {
  if (type === void 0) return void 0;
  const bad = [type].flat().find((one) => !TYPES.includes(String(one)));
  return bad === void 0 ? void 0 : `there is no type ${shown(String(bad))}`;
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function shown(text) {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}

// scripts-src/executor/codex-wishes.ts
var MAX_SCHEMA_BYTES = 1024 * 1024;
function isConfigSetting(text) {
  return /^[^-=\s][^=\n\0]*=[^\0]*$/.test(text);
}
function isFlagValue(text) {
  return /^[^-\s\p{Cc}][^\p{Cc}]*$/u.test(text);
}
function imageTrouble(file) {
  if (file.includes(",")) {
    return { what: "has a comma in its path, which codex takes for two files", next: "give it another name" };
  }
  return fileTrouble(file);
}
function schemaTrouble(file) {
  const trouble = fileTrouble(file);
  if (trouble) return trouble;
  const next = "write a JSON schema of an object into it";
  try {
    if ((0, import_node_fs13.statSync)(file).size > MAX_SCHEMA_BYTES) return { what: "has more than 1 MiB", next };
    const schema = JSON.parse((0, import_node_fs13.readFileSync)(file, "utf8"));
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
      return { what: "is no JSON object", next };
    }
    const fault = faultAtSight(schema);
    return fault === void 0 ? void 0 : {
      what: `cannot be used (${fault})`,
      next: "put it right: references lead to places in the same file"
    };
  } catch (error) {
    return { what: `is no JSON (${messageOf(error).slice(0, 120)})`, next };
  }
}
function storeTroubleAtSight(folder) {
  const next = "give the absolute path of an existing folder";
  if (!import_node_path16.default.isAbsolute(folder)) return { what: "is no absolute path", next };
  return (0, import_node_fs13.statSync)(folder, { throwIfNoEntry: false })?.isDirectory() ? void 0 : { what: "is no folder", next };
}
function fileTrouble(file) {
  const next = "give the path of a readable file";
  try {
    if (!(0, import_node_fs13.statSync)(file).isFile()) return { what: "is no regular file", next };
    (0, import_node_fs13.accessSync)(file, import_node_fs13.constants.R_OK);
    return void 0;
  } catch (error) {
    return { what: `cannot be read (${errnoOf(error) ?? messageOf(error)})`, next };
  }
}

// scripts-src/supervise/asked-schema.ts
init_errors();
init_files();
init_state_dir();
init_structured_schema();
function notedForm({
  structured,
  outputSchema
} = {}) {
  if (outputSchema !== void 0) return { outputSchema };
  return structured ? { structured } : {};
}
function hasAskedForm(record3) {
  return record3.structured === true || record3.outputSchema !== void 0;
}
function withSchemaFile(options, stateDir) {
  if (!options?.structured && options?.outputSchema === void 0) return options;
  const outputSchemaText = schemaText(options);
  return { ...options, outputSchema: stateFile(stateDir, "outputSchema"), outputSchemaText };
}
function schemaText({ outputSchema }) {
  if (outputSchema === void 0) return `${JSON.stringify(STRUCTURED_SCHEMA, null, 2)}
`;
  const trouble = schemaTrouble(outputSchema);
  if (trouble) throw usageError(`the output schema ${outputSchema} ${trouble.what}`, trouble.next);
  return (0, import_node_fs14.readFileSync)(outputSchema, "utf8");
}
function keepSchema(folder, record3) {
  if (!hasAskedForm(record3)) return;
  (0, import_node_fs14.writeFileSync)(stateFile(folder, "outputSchema"), schemaText(record3), { mode: PRIVATE_FILE });
}

// scripts-src/supervise/attempt.ts
var import_node_fs16 = require("node:fs");
var import_node_path17 = __toESM(require("node:path"), 1);
init_clock();
init_errors();
init_files();
init_random();
init_family();
init_identity();
init_state_dir();

// scripts-src/supervise/publish-outcome.ts
var import_node_fs15 = require("node:fs");
init_errors();
init_files();
init_state_dir();
var RESERVE_BYTES = 8192;
function reserveOutcome(folder) {
  (0, import_node_fs15.writeFileSync)(stateFile(folder, "outcomeReserve"), Buffer.alloc(RESERVE_BYTES, 32), { mode: PRIVATE_FILE });
}
function publishOutcome(stateDir, outcome, isHurried) {
  const final = stateFile(stateDir, "outcome");
  const text = `${JSON.stringify(outcome, null, 2)}
`;
  if (outcome.supervisor !== "guardian") setForeignAside(stateDir);
  try {
    return writeOnce(final, text, { sync: !isHurried });
  } catch (error) {
    process.stderr.write(`prun: ${final}: ${messageOf(error)}: using the space that was kept for it
`);
    const reserve = stateFile(stateDir, "outcomeReserve");
    try {
      overwrite(reserve, text.length <= RESERVE_BYTES ? text : shortened(outcome));
      return publishOnce(reserve, final);
    } catch (again) {
      throw new PrunError(
        "E_OUTCOME",
        `the outcome (${outcome.status}, ${outcome.reason}) could not be written to ${final} (${messageOf(again)})`,
        "the worker is gone; look at the result file, and do not remove state dirs of running units",
        EXIT.noResult
      );
    }
  }
}
function setForeignAside(stateDir) {
  const final = stateFile(stateDir, "outcome");
  if (!(0, import_node_fs15.existsSync)(final)) return;
  try {
    (0, import_node_fs15.renameSync)(final, stateFile(stateDir, "foreignOutcome"));
    process.stderr.write(`prun: ${final} was there already, and not by prun: moved to foreign-outcome
`);
  } catch {
  }
}
function overwrite(file, text) {
  const fd = (0, import_node_fs15.openSync)(file, import_node_fs15.constants.O_RDWR | (import_node_fs15.constants.O_NOFOLLOW ?? 0));
  try {
    const written = (0, import_node_fs15.writeSync)(fd, text, 0);
    (0, import_node_fs15.ftruncateSync)(fd, written);
    (0, import_node_fs15.fsyncSync)(fd);
  } finally {
    (0, import_node_fs15.closeSync)(fd);
  }
}
function shortened(outcome) {
  return `${JSON.stringify({
    ...outcome,
    detail: outcome.detail.slice(0, 200),
    resultError: outcome.resultError?.slice(0, 200) ?? null,
    reaped: outcome.reaped.slice(0, 20),
    survivors: outcome.survivors.slice(0, 20),
    claims: null,
    failure: outcome.failure && {
      ...outcome.failure,
      message: outcome.failure.message.slice(0, 200),
      evidence: []
    },
    structured: null,
    tripwire: outcome.tripwire && { ...outcome.tripwire, changes: outcome.tripwire.changes.slice(0, 3) }
  })}
`;
}
function wakeWatchers(stateDir) {
  const now = /* @__PURE__ */ new Date();
  try {
    (0, import_node_fs15.utimesSync)(stateFile(stateDir, "wake"), now, now);
  } catch {
  }
}

// scripts-src/supervise/attempt.ts
function prepareAttempt(host, request) {
  const { unit } = request;
  const token = randomHex(16);
  const name = `prun-task-${shortHash(request.cwd)}-${unit}-${process.pid}-${token}`;
  const stateDir = import_node_path17.default.join(request.stateHome, name);
  const draft = draftOf(stateDir);
  const self2 = host.entry(process.pid);
  if (!self2) throw unreadableTable(host);
  const { marker, rssMarkKib: rssMarkKib2 } = marksOf2(host, unit, token, request.outerMarker);
  const workdir = request.workdir ?? stateFile(stateDir, "scratch");
  const record3 = {
    schema: SCHEMA,
    unit,
    attempt: request.attempt ?? 1,
    executor: request.executorName,
    argv: [],
    cwd: workdir,
    promptFile: request.promptFile,
    resultFile: request.resultFile,
    base: null,
    limits: request.limits,
    marker,
    rssMark: rssMarkKib2 === "" ? null : String(Number(rssMarkKib2) * 1024),
    since: self2.startOrder,
    supervisor: formatIdentity(identityOf(host, self2)),
    worker: null,
    startedAt: wallTime(),
    startedMonotonicMs: monotonicMs(),
    boot: host.bootId(),
    ...request.resumed ? { resumed: request.resumed } : {},
    ...notedForm(request.command?.options)
  };
  return { draft, stateDir, workdir, marker, rssMarkKib: rssMarkKib2, record: record3 };
}
function marksOf2(host, unit, token, outerMarker) {
  const own2 = `${unit}-${token}`;
  return {
    marker: outerMarker ? `${outerMarker}/${own2}` : own2,
    rssMarkKib: host.platform === "linux" ? rssMarkFrom(token) : ""
  };
}
function unreadableTable(host) {
  return new PrunError(
    "E_NO_PROCESS_TABLE",
    `the process table cannot be read (${host.trouble?.() ?? "this process is not in it"})`,
    "make /proc, ps or PowerShell usable for this user and dispatch again",
    EXIT.notExecutable
  );
}
function makeDraft({ draft }) {
  (0, import_node_fs16.mkdirSync)(draft, { mode: PRIVATE_DIR });
}
function fillDraft(attempt, { prompt }, command2) {
  const { draft, record: record3 } = attempt;
  record3.argv = command2.argv;
  (0, import_node_fs16.writeFileSync)(stateFile(draft, "prompt"), prompt, { mode: PRIVATE_FILE });
  (0, import_node_fs16.mkdirSync)(stateFile(draft, "scratch"), { mode: PRIVATE_DIR });
  const empty = ["tail", "wake", ...command2.stderr === "own" ? ["stderr"] : []];
  for (const file of empty) (0, import_node_fs16.closeSync)((0, import_node_fs16.openSync)(stateFile(draft, file), "wx", PRIVATE_FILE));
  reserveOutcome(draft);
  keepSchema(draft, record3);
  (0, import_node_fs16.writeFileSync)(stateFile(draft, "unit"), unitJson(record3), { mode: PRIVATE_FILE });
}
function describeAttempt({ stateDir, record: record3 }) {
  const older = BigInt(stampOf(stateFile(stateDir, "previousResult"))?.mtimeNs ?? "0");
  try {
    writeValue(stateDir, "preMtime", String(older / 1000000000n));
    writeValue(stateDir, "timestamp", Math.floor(Date.now() / 1e3));
    writeValue(stateDir, "resultFile", record3.resultFile);
    writeValue(stateDir, "dispatchPid", process.pid);
  } catch {
  }
}
function publishAttempt(attempt) {
  (0, import_node_fs16.renameSync)(attempt.draft, attempt.stateDir);
}
function discardAttempt(attempt) {
  for (const folder of [attempt.draft, attempt.stateDir]) {
    try {
      (0, import_node_fs16.rmSync)(folder, { recursive: true, force: true });
    } catch {
    }
  }
}
function rewriteUnitRecord(stateDir, record3) {
  try {
    writeAtomic(stateFile(stateDir, "unit"), unitJson(record3), { sync: false });
  } catch {
  }
}
function unitJson(record3) {
  return `${JSON.stringify(record3, null, 2)}
`;
}
function rssMarkFrom(token) {
  const low = RSS_MARK_RANGE.from / 1024;
  return String(low + Number.parseInt(token.slice(0, 10), 16) % low);
}

// scripts-src/supervise/contain.ts
var import_node_child_process = require("node:child_process");
var UNSHARE = ["unshare", "--user", "--map-current-user", "--pid", "--fork", "--kill-child=KILL"];
function containArgv(argv, platform) {
  const [program = "", ...options] = UNSHARE;
  if (platform === "linux") {
    const probe = (0, import_node_child_process.spawnSync)(program, [...options, "true"], { stdio: "ignore", timeout: 2e3 });
    if (probe.status === 0) return [...UNSHARE, ...argv];
  }
  process.stderr.write("dispatch-task: --contain: pid namespaces do not work here: going on without\n");
  return argv;
}

// scripts-src/supervise/end-attempt.ts
var import_node_fs28 = require("node:fs");
init_clock();
init_errors();
init_files();
init_state_dir();
init_workspace_of();

// scripts-src/supervise/classify.ts
init_readable_line();

// scripts-src/supervise/session-check.ts
init_state_dir();

// scripts-src/supervise/line-follower.ts
var import_node_fs17 = require("node:fs");
init_files();
var MAX_LINE_BYTES = 4 * 1024 * 1024;
var CHUNK_BYTES = 256 * 1024;
var FLOOD_BYTES = 32 * 1024 * 1024;
var AFTER_FLOOD_BYTES = 4 * 1024 * 1024;
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
  function skipFlood(file2) {
    if (size - offset <= FLOOD_BYTES) return;
    if (offset === 0) feed(readRange(file2, 0, CHUNK_BYTES));
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
      size = (0, import_node_fs17.fstatSync)(fd).size;
      skipFlood(fd);
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
      if (fd !== void 0) (0, import_node_fs17.closeSync)(fd);
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

// scripts-src/supervise/session-check.ts
var LOOK_MS = 50;
function isOtherSession(asked, { structured, sessionId }) {
  return structured && asked !== void 0 && sessionId !== void 0 && !isSame(asked, sessionId);
}
function isSame(a, b) {
  return a.toLowerCase() === b.toLowerCase();
}
function checkSession(stateDir, executor, asked) {
  const events = executor.events();
  const tail = asked === void 0 ? void 0 : followLines(stateFile(stateDir, "tail"), (line) => {
    if (!isKnown()) events.read(line);
  });
  const isKnown = () => {
    const { structured, sessionId } = events.facts();
    return structured && sessionId !== void 0;
  };
  return {
    nextMs: () => tail === void 0 || isKnown() ? Number.POSITIVE_INFINITY : LOOK_MS,
    isOther() {
      if (tail !== void 0 && !isKnown()) tail.advance();
      return isOtherSession(asked, events.facts());
    },
    close: () => tail?.close()
  };
}

// scripts-src/supervise/classify.ts
var DETAIL_CHARS = 600;
var SESSION_LOST = "session-lost";
function classifyEnd(evidence) {
  const { cause, exit, facts, failure: failure3, askedSession } = evidence;
  if (cause.kind === "reaped")
    return { status: "failed", reason: cause.reason, detail: reapDetail(evidence, cause.reason) };
  if (cause.kind === "cancelled") {
    return { status: "cancelled", reason: "cancelled", detail: `the unit was cancelled by ${cause.by}` };
  }
  if (cause.kind === "spawn-failed") return { status: "failed", reason: "spawn", detail: cause.message };
  if (cause.kind === "dispatcher-signalled") {
    return { status: "interrupted", reason: "signal", detail: `dispatch-task was ended by ${cause.signal}` };
  }
  if (cause.kind === "dispatcher-dead") {
    return { status: "interrupted", reason: "dispatch-dead", detail: deadDetail(facts, cause.detail) };
  }
  if (cause.kind === "other-session" || isOtherSession(askedSession, facts)) {
    return { status: "failed", reason: SESSION_LOST, detail: otherSessionDetail(evidence) };
  }
  if (failure3 && (facts.ended === "failed" || !isCleanExit(exit))) return failedBy(failure3);
  if (exit.kind === "signal") {
    return { status: "failed", reason: "signal", detail: `the worker was ended by ${exit.signal}` };
  }
  if (exit.kind === "code" && exit.code !== 0) {
    return { status: "failed", reason: "exit", detail: `the worker exited with ${exit.code}` };
  }
  if (exit.kind === "lost") {
    return { status: "interrupted", reason: "dispatch-dead", detail: "nobody saw how the worker ended" };
  }
  if (evidence.asked) return { status: "failed", ...evidence.asked };
  return whyNothing(verdictOnWork(evidence), evidence);
}
function verdictOnWork(evidence) {
  const verdict = verdictOnResult(evidence.result, evidence.resultFile);
  if (verdict.status !== "succeeded") return verdict;
  return verdictOnClaims(evidence) ?? verdictOnVerify(evidence.verify) ?? verdict;
}
var NOTHING = ["no-result", "empty-result", "nothing-done"];
var NOT_FATAL = ["sandbox-refusal", "empty-answer"];
function whyNothing(verdict, { facts, failure: failure3, result }) {
  if (!NOTHING.includes(verdict.reason) || result === "not-a-file") return verdict;
  if (failure3 && NOT_FATAL.includes(failure3.reason)) {
    const said = failedBy(failure3);
    return { ...said, detail: `${verdict.detail}: ${said.detail}` };
  }
  const isSilent = facts.structured && facts.ended === "completed" && !facts.lastMessage?.trim();
  if (!isSilent || verdict.reason === "nothing-done") return verdict;
  const detail = "the worker ended its turn without a message and without a result";
  return { status: "failed", reason: "empty-answer", detail };
}
function failedBy({ reason, message }) {
  return { status: "failed", reason, detail: readableLine(message, DETAIL_CHARS) || reason };
}
function verdictOnResult(result, file) {
  switch (result) {
    case "text":
      return { status: "succeeded", reason: "ok", detail: "the worker ended well and left a result" };
    case "empty":
      return {
        status: "failed",
        reason: "empty-result",
        detail: "the worker exited with 0 and left an empty result"
      };
    case "not-a-file":
      return {
        status: "failed",
        reason: "no-result",
        detail: `the worker exited with 0 and ${file} is not a file that can be read`
      };
    case "missing":
      return { status: "failed", reason: "no-result", detail: "the worker exited with 0 and left no result" };
  }
}
function verdictOnClaims({ claims, mayChangeNothing }) {
  if (!claims) return void 0;
  const { claimed, unclaimed, ignored, saysNone, isEmpty, hasConclusion } = claims;
  if (claimed.length > 0) {
    const what = claimed.length === 1 ? "a file that is" : `${claimed.length} files that are`;
    return mismatch(`the result claims ${what} not in the delta: ${someOf(claimed)}`);
  }
  if (saysNone && unclaimed.length > 0) {
    return mismatch(`the result claims no file, and the delta has ${unclaimed.length}: ${someOf(unclaimed)}`);
  }
  if (mayChangeNothing || !isEmpty || ignored.length > 0 || saysNone && hasConclusion) return void 0;
  const detail = "the worker exited with 0, changed nothing in its workspace and gave no reason";
  return { status: "failed", reason: "nothing-done", detail };
}
function verdictOnVerify(verify) {
  if (!verify || verify.exitCode === 0) return void 0;
  const command2 = verify.command.replace(/\s+/g, " ").trim();
  const shown3 = command2.length > 120 ? `${command2.slice(0, 119)}…` : command2;
  const detail = `verify exited with ${verify.exitCode} (${shown3}); see verify.log in its state dir`;
  return { status: "failed", reason: "verify", detail };
}
function mismatch(detail) {
  return { status: "failed", reason: "claim-mismatch", detail };
}
function someOf(paths) {
  const shown3 = paths.slice(0, 3).map((path28) => path28.length > 80 ? `…${path28.slice(-79)}` : path28);
  return shown3.join(", ") + (paths.length > 3 ? ", …" : "");
}
function otherSessionDetail({ facts, askedSession }) {
  const began = facts.sessionId === void 0 ? "another session" : `a new session ${facts.sessionId}`;
  return `${began} began instead of ${askedSession ?? "the one that was to go on"}: nothing of it counts`;
}
function isCleanExit(exit) {
  return exit.kind === "code" && exit.code === 0;
}
function reapDetail({ limits, quiet }, reason) {
  switch (reason) {
    case "idle-stall":
      return `no progress for ${limits.stallThresholdSeconds} s (last evidence: ${quiet})`;
    case "hard-timeout":
      return `still running after ${limits.timeoutSeconds} s (last evidence: ${quiet})`;
    case "output-limit":
      return `more than ${limits.maxOutputBytes} bytes of output (last evidence: ${quiet})`;
    case "token-limit":
      return `more than the ${limits.maxTokens} tokens that were left to it (last evidence: ${quiet})`;
  }
}
var DISPATCH_DEAD = "dispatch-task died without a word and its guardian ended the worker";
function deadDetail(facts, what = DISPATCH_DEAD) {
  return `${what}${facts.sessionId ? `; the session ${facts.sessionId} can be resumed` : ""}`;
}
function exitFromShellCode(code, signalName2) {
  const signal = code > 128 ? signalName2(code - 128) : void 0;
  return signal ? { kind: "signal", signal, inferred: true } : { kind: "code", code };
}

// scripts-src/supervise/conclude.ts
var import_node_fs24 = require("node:fs");
var import_node_os3 = __toESM(require("node:os"), 1);
var import_node_path20 = __toESM(require("node:path"), 1);
init_clock();
init_files();
init_result_contract();
init_result_file();
init_state_dir();

// scripts-src/supervise/answer.ts
var import_node_fs21 = require("node:fs");
var import_node_path19 = __toESM(require("node:path"), 1);
init_files();
init_result_contract();
init_result_file();
init_state_dir();
init_salvage();
init_stdout_part();
var STDOUT_LIMIT = 1024 * 1024;
function keepAnswer(request) {
  const { stateDir, resultFile, left } = request;
  if (left === "text") return notedOrigin(stateDir);
  if (!request.isWell || left === "not-a-file" || isOwnFallback(resultFile, request.unit)) return void 0;
  try {
    const answer = answerOf(request);
    if (!answer) return void 0;
    if (left === "empty") setEmptyAside(request);
    writeAtomic(stateFile(stateDir, "answered"), `${answer.origin}
`, { sync: false });
    (0, import_node_fs21.mkdirSync)(import_node_path19.default.dirname(resultFile), { recursive: true });
    return writeOnce(resultFile, answer.text, { sync: request.sync }) ? answer.origin : void 0;
  } catch {
    return void 0;
  }
}
function notedOrigin(stateDir) {
  const noted = readValue(stateFile(stateDir, "answered"));
  return noted === "stdout" || noted === "last-message" ? noted : void 0;
}
function answerOf(request) {
  if (request.executor.answersOnStdout) {
    const text = stdoutText(request.stateDir);
    return text && { origin: "stdout", text };
  }
  if (request.asked) {
    const { text } = request.asked;
    return text === void 0 ? void 0 : { origin: "last-message", text: ended(text) };
  }
  const message = request.acceptsLastMessage ? lastMessageOf(request) : void 0;
  if (message === void 0 || missingInResult(message).length > 0) return void 0;
  return { origin: "last-message", text: ended(message) };
}
function ended(text) {
  return text.endsWith("\n") ? text : `${text}
`;
}
function stdoutText(stateDir) {
  const { bytes, total } = readStdout(stateDir, STDOUT_LIMIT);
  if (/^[\s\p{Cc}\p{Cf}]*$/u.test(bytes.toString("utf8"))) return void 0;
  if (total <= bytes.length) return bytes;
  const rest = `
… ${total - bytes.length} of ${total} bytes are left out: all is in ${stateFile(stateDir, "tail")}
`;
  return Buffer.concat([bytes, Buffer.from(rest)]);
}

// scripts-src/supervise/evidence-text.ts
var WORDS = {
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
function evidenceText(evidence) {
  if (!evidence) return "none was recorded";
  return `${WORDS[evidence.kind] ?? evidence.kind} at ${evidence.at}, ${evidence.quietSeconds} s before`;
}

// scripts-src/supervise/restored-result.ts
var import_node_fs22 = require("node:fs");
init_files();
init_result_file();
init_state_dir();
var NS_PER_MS = 1000000n;
function setRestoredAside(stateDir, record3) {
  if (!isRestored(stateDir, record3)) return;
  const aside = stateFile(stateDir, "previousResult");
  try {
    moveFile(record3.resultFile, (0, import_node_fs22.existsSync)(aside) ? `${aside}-again` : aside);
  } catch {
  }
}
function isRestored(stateDir, record3) {
  const now = stampOf(record3.resultFile);
  if (!now) return false;
  const nowMs = BigInt(now.mtimeNs) / NS_PER_MS;
  const older = stampOf(stateFile(stateDir, "previousResult"));
  if (older) return now.size === older.size && nowMs === BigInt(older.mtimeNs) / NS_PER_MS;
  const seconds = readValue(stateFile(stateDir, "preMtime")) ?? "0";
  return seconds !== "0" && seconds === String(nowMs / 1000n) && Number(nowMs) < Date.parse(record3.startedAt);
}

// scripts-src/supervise/conclude.ts
init_salvage();

// scripts-src/unit/token-counts.ts
function addTokens(a, b) {
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    output: a.output + b.output,
    reasoningOutput: a.reasoningOutput + b.reasoningOutput
  };
}
function tokensSince(all, before) {
  return {
    input: Math.max(0, all.input - before.input),
    cachedInput: Math.max(0, all.cachedInput - before.cachedInput),
    output: Math.max(0, all.output - before.output),
    reasoningOutput: Math.max(0, all.reasoningOutput - before.reasoningOutput)
  };
}

// scripts-src/supervise/told-tokens.ts
function toldTokens({ executor, record: record3, facts, environment }) {
  const told2 = facts.ended === "completed" && facts.tokens ? facts.tokens : fromLog();
  const { resumed } = record3;
  const isResumed = resumed !== void 0 && resumed.sessionId === facts.sessionId;
  if (!told2 || !isResumed) return { tokens: told2, threadTokens: told2 };
  const before = resumed.tokensBefore;
  if (executor.countsAttemptOnly) {
    return { tokens: told2, threadTokens: before && addTokens(before, told2) };
  }
  return { tokens: before && tokensSince(told2, before), threadTokens: told2 };
  function fromLog() {
    const log = facts.sessionId ? executor.sessionLog(facts.sessionId, environment, Date.parse(record3.startedAt)) : void 0;
    const logged = log === void 0 ? void 0 : executor.tokensInLog?.(log);
    return logged ?? facts.tokens ?? null;
  }
}

// scripts-src/supervise/worker-failure.ts
init_failure_evidence();
init_failure_kinds();
function workerFailure(sources) {
  const { executor, cause, exit, facts, stderr } = sources;
  const hasEnded = cause.kind === "worker-ended" && exit.kind !== "lost";
  const exitCode = exit.kind === "code" ? exit.code : null;
  const atEnd = hasEnded ? executor.failureAtEnd?.({ exitCode, stderr, facts }) : void 0;
  const isNamed = facts.failure !== void 0 && facts.failure.reason !== "model-error";
  const isLastWord = facts.ended !== void 0 && isNamed;
  const failure3 = isLastWord ? facts.failure : atEnd ?? facts.failure;
  return failure3 && withoutKeys(withReset(failure3, sources), sources.environment);
}
function withoutKeys(failure3, environment) {
  const { message, evidence } = failure3;
  return {
    ...failure3,
    message: withoutValues(message, environment),
    ...evidence && { evidence: evidence.map((line) => withoutValues(line, environment)) }
  };
}
function withReset(failure3, sources) {
  const { executor, facts, environment, startedAt } = sources;
  if (failure3.reason !== "usage-limit" || !executor.resetInLog || !facts.sessionId) return failure3;
  const log = executor.sessionLog(facts.sessionId, environment, Date.parse(startedAt));
  const resetAt = log === void 0 ? void 0 : executor.resetInLog(log, Date.now());
  return resetAt === void 0 ? failure3 : { ...failure3, resetAt };
}
function failureOfOutcome(verdict, cause, failure3) {
  if (failure3 && (verdict.reason === failure3.reason || isInterrupted(verdict, cause))) {
    return {
      reason: failure3.reason,
      message: failure3.message,
      evidence: failure3.evidence ?? [],
      resetAt: failure3.resetAt ?? null,
      retryAfterSeconds: failure3.retryAfterSeconds ?? null
    };
  }
  const { reason, detail } = verdict;
  if (!isFailureReason(reason)) return null;
  return { reason, message: detail, evidence: [], resetAt: null, retryAfterSeconds: null };
}
function isInterrupted(verdict, cause) {
  return verdict.status !== "succeeded" && cause.kind !== "worker-ended" && cause.kind !== "other-session";
}
function isFailureReason(reason) {
  return failureKind(reason) !== void 0;
}

// scripts-src/supervise/conclude.ts
var PROMPT_LOOK_BYTES = 4 * 1024 * 1024;
function concludeAttempt(ending) {
  const { stateDir, record: record3, by } = ending;
  const point = { guardian: "guardian", run: "run", "dispatch-task": "dispatch" }[by];
  ending.output.finish();
  const facts = ending.output.events.facts();
  faultPoint(`${point}:drained`, stateDir);
  setRestoredAside(stateDir, record3);
  const { executor, cause, exit } = ending;
  const { resultFile, limits } = record3;
  const quiet = evidenceText(ending.lastEvidence);
  const { environment } = ending;
  const { startedAt } = record3;
  const stderr = ending.output.stderrEnd();
  const failure3 = workerFailure({ executor, cause, exit, facts, stderr, startedAt, environment });
  const naming = {
    cause,
    exit,
    facts,
    failure: failure3,
    resultFile,
    quiet,
    limits,
    mayChangeNothing: executor.answersOnStdout,
    askedSession: record3.resumed?.sessionId
  };
  const written = resultOfWorker(record3, stateDir);
  const isWell = classifyEnd({ ...naming, result: "text" }).status === "succeeded";
  const { lastMessage } = facts;
  const hasAnswered = isWell && (!facts.structured || facts.ended === "completed");
  const asked = hasAnswered ? ending.readAsked?.({ record: record3, stateDir, written, lastMessage }) : void 0;
  const origin = keepAnswer({
    ...{ unit: record3.unit, stateDir, resultFile, executor, left: written },
    ...{ isWell: hasAnswered, lastMessage, asked },
    acceptsLastMessage: by === "run",
    sync: !ending.isHurried
  });
  faultPoint(`${point}:answered`, stateDir);
  const left = origin === void 0 ? written : "text";
  const isFree = origin === "stdout" && missingInResultFile(resultFile).length > 0;
  const isForeign = origin === "last-message" && record3.outputSchema !== void 0;
  const hasClaims = left === "text" && !isFree && !isForeign;
  const claims = hasClaims ? ending.workspace?.claimsOf(resultFile, asked?.claims) : void 0;
  const verdict = classifyEnd({
    ...{ ...naming, result: left, claims: claims?.check, verify: ending.verify },
    asked: asked?.fault
  });
  const mustWrite = !executor.answersOnStdout && !hasAskedForm(record3);
  if (verdict.reason === "no-result" && mustWrite && !promptNames(stateDir, record3)) {
    verdict.detail += `; its prompt does not name ${record3.resultFile}`;
  }
  const salvaged = salvageResult({
    unit: record3.unit,
    stateDir,
    resultFile,
    executor,
    origin,
    verdict,
    failure: verdict.reason === failure3?.reason ? failure3 : void 0,
    exitNote: exitNote(ending),
    lastMessage,
    sync: !ending.isHurried,
    environment
  });
  faultPoint(`${point}:salvaged`, stateDir);
  if (salvaged.full && verdict.status === "failed" && ["no-result", "empty-result", "empty-answer"].includes(verdict.reason)) {
    verdict.reason = "disk";
  }
  const outcome = {
    schema: SCHEMA,
    unit: record3.unit,
    attempt: record3.attempt,
    executor: record3.executor,
    status: verdict.status,
    reason: verdict.reason,
    detail: verdict.detail,
    exitCode: ending.exit.kind === "code" ? ending.exit.code : null,
    signal: ending.exit.kind === "signal" ? ending.exit.signal : null,
    signalInferred: ending.exit.kind === "signal" && ending.exit.inferred,
    result: salvaged.result,
    resultError: salvaged.error,
    sessionId: facts.sessionId ?? null,
    ...toldTokens({ executor, record: record3, facts, environment: ending.environment }),
    structured: asked?.structured ?? null,
    failure: failureOfOutcome(verdict, cause, failure3),
    startedAt: record3.startedAt,
    endedAt: wallTime(),
    durationMs: ending.durationMs,
    lastEvidence: ending.lastEvidence,
    reaped: ending.sweep.reaped,
    survivors: ending.sweep.survivors,
    delta: ending.workspace?.delta ?? null,
    claims: claims?.summary ?? null,
    tripwire: ending.workspace?.tripwire ?? ending.tripwire ?? null,
    verify: ending.verify ?? null,
    supervisor: by,
    stateDir
  };
  const won = publishOutcome(stateDir, outcome, ending.isHurried);
  faultPoint(`${point}:outcome`, stateDir);
  wakeWatchers(stateDir);
  faultPoint(`${point}:woken`, stateDir);
  return won ? outcome : void 0;
}
async function askedReader(record3) {
  return hasAskedForm(record3) ? (await Promise.resolve().then(() => (init_asked_answer(), asked_answer_exports))).readAsked : void 0;
}
function promptNames(stateDir, record3) {
  return readStart(stateFile(stateDir, "prompt"), PROMPT_LOOK_BYTES).includes(
    import_node_path20.default.basename(record3.resultFile)
  );
}
function resultOfWorker(record3, stateDir) {
  if (!isOwnFallback(record3.resultFile, record3.unit)) return resultStateOf(record3.resultFile);
  return (0, import_node_fs24.existsSync)(stateFile(stateDir, "emptyResult")) ? "empty" : "missing";
}
function exitNote({ cause, exit }) {
  if (cause.kind === "reaped") return ", exit code 124";
  if (cause.kind === "spawn-failed") return `, exit code ${cause.exitCode}`;
  if (cause.kind === "dispatcher-signalled") return `, ${cause.signal}`;
  if (cause.kind === "dispatcher-dead") return "";
  if (exit.kind === "code") return `, exit code ${exit.code}`;
  if (exit.kind === "signal") return `, ${exit.signal}`;
  return "";
}
function exitFromFile(stateDir) {
  const text = readValue(stateFile(stateDir, "exit"));
  return text && /^\d+$/.test(text) ? exitFromShellCode(Number(text), signalName) : { kind: "lost" };
}
function signalName(number3) {
  return Object.entries(import_node_os3.default.constants.signals).find(([, value]) => value === number3)?.[0];
}

// scripts-src/supervise/end-attempt.ts
init_end_family();
init_reap();

// scripts-src/supervise/shim.ts
init_state_dir();
var SHIM = `trap : TERM INT HUP
started=$1 exit=$2 guardian=$3 mark=$4 mask=$5
shift 5
tries=0
while [ ! -s "$guardian" ]; do
  tries=$((tries + 1))
  [ $tries -lt 500 ] || exit 125
  PATH=/usr/bin:/bin:$PATH sleep 0.01
done
[ -z "$mark" ] || ulimit -S -m "$mark" 2>/dev/null
umask 077
set -C
{ echo $$ >"$started"; } 2>/dev/null || exit 125
set +C
umask "$mask"
"$@"
code=$?
umask 077
echo $code >"$exit"
exit $code`;
var SHIM_NAME = "prun-shim";
var SHIM_REFUSED = 125;
function shimArgv({ stateDir, rssMarkKib: rssMarkKib2, guardianPidFile }, worker) {
  const files = [stateFile(stateDir, "started"), stateFile(stateDir, "exit")];
  const guardian = guardianPidFile ?? stateFile(stateDir, "guardianPid");
  const mask = process.umask().toString(8);
  return ["-c", SHIM, SHIM_NAME, ...files, guardian, rssMarkKib2, mask, ...worker];
}

// scripts-src/supervise/end-attempt.ts
var ASK_MS2 = 3e3;
var ASK_WHEN_STOPPED_MS = 300;
var KILL_MS2 = 5e3;
var KILL_WHEN_STOPPED_MS = 500;
var SAME_STOP_MS = 50;
var STOPPED = 130;
async function endAttempt(running, ended2) {
  const { stateDir, record: record3, interruption } = running;
  let { cause } = ended2;
  const lastEvidence = ended2.progress.lastEvidence();
  if (cause.kind === "reaped") {
    note2(stateDir, "reapReason", `${cause.reason}
last evidence: ${evidenceText(lastEvidence)}
`);
  }
  if (cause.kind === "dispatcher-signalled") note2(stateDir, "stopSignal", `${cause.signal}
`);
  if (cause.kind === "cancelled") note2(stateDir, "reapReason", `cancelled
by ${cause.by}
`);
  if (cause.kind === "other-session")
    note2(stateDir, "reapReason", `${SESSION_LOST}
another session began
`);
  const sweep = await endProcesses(running, ended2);
  faultPoint("dispatch:reaped", stateDir);
  let exit = await workerExit(ended2, stateDir);
  if (cause.kind === "worker-ended") cause = await afterWorkerEnd(cause, exit, interruption, stateDir);
  if (cause.kind === "spawn-failed") exit = { kind: "code", code: cause.exitCode };
  const workspace = await endWorkspaceOf(running, ended2, cause);
  const verify = isCleanEnd(cause, exit) ? await verifyWork(running, ended2) : void 0;
  const cancelled = interruption.cancelled?.();
  if (verify && cancelled) cause = { kind: "cancelled", by: cancelled.by };
  const outcome = concludeAttempt({
    stateDir,
    record: record3,
    executor: running.executor,
    output: ended2.output,
    cause,
    exit,
    sweep,
    lastEvidence,
    durationMs: durationOf(running),
    by: running.by,
    workspace,
    tripwire: workspace ? void 0 : await repositoryOf(running),
    verify,
    environment: running.environment,
    readAsked: await askedReader(record3),
    isHurried: interruption.signal() !== void 0
  });
  return { outcome, exitCode: exitCodeOf(cause, exit, outcome) };
}
function durationOf({ host, record: record3 }) {
  if (record3.boot === host.bootId()) return monotonicMs() - record3.startedMonotonicMs;
  return Math.max(0, Date.now() - Date.parse(record3.startedAt));
}
function isCleanEnd(cause, exit) {
  return cause.kind === "worker-ended" && exit.kind === "code" && exit.code === 0;
}
async function verifyWork({ host, stateDir, record: record3, environment, interruption, workspace, verify }, { progress }) {
  if (!verify) return void 0;
  progress.noteCollecting("verifying");
  const { runVerify: runVerify2 } = await Promise.resolve().then(() => (init_verify(), verify_exports));
  const log = stateFile(stateDir, "verifyLog");
  const { command: command2, timeoutSeconds, passEnv } = verify;
  const stop = interruption.cancelArrived;
  const { marker, cwd: workdir } = record3;
  if (verify.slots && !await verify.slots.hold(stop)) return { command: command2, exitCode: STOPPED, log };
  const told2 = {
    ...verify.told,
    ...verify.slots?.told(),
    ...workspace ? workspaceEnvironment(workspace) : {}
  };
  try {
    const { exitCode } = await runVerify2({
      host,
      command: command2,
      workdir,
      log,
      environment,
      marker,
      timeoutSeconds,
      passEnv,
      told: told2,
      onStart: verify.slots?.keptBy,
      stop
    });
    return { command: command2, exitCode, log };
  } finally {
    verify.slots?.giveBack();
  }
}
async function endWorkspaceOf({ host, prun, stateDir, record: record3, interruption, workspace, before }, { wasStarted, progress }, cause) {
  if (!workspace) return void 0;
  const { endWorkspace: endWorkspace2 } = await Promise.resolve().then(() => (init_end_workspace(), end_workspace_exports));
  const stop = interruption.arrived;
  const because = interruption.signal() ? "dispatch-task was stopped" : void 0;
  const notNow = wasStarted && cause.kind !== "spawn-failed" ? because : "the worker was not started";
  if (notNow === void 0) progress.noteCollecting("collecting");
  const place = workspace;
  return endWorkspace2({
    host,
    place,
    stateDir,
    record: record3,
    prun,
    before: await before,
    notNow,
    stop
  });
}
async function repositoryOf({ before }) {
  const fingerprint = await before;
  if (!fingerprint) return null;
  const { repositoryNow: repositoryNow2 } = await Promise.resolve().then(() => (init_end_workspace(), end_workspace_exports));
  return repositoryNow2(fingerprint);
}
function note2(stateDir, file, text) {
  try {
    writeAtomic(stateFile(stateDir, file), text, { sync: false });
  } catch {
  }
}
async function endProcesses(running, ended2) {
  const { host, interruption } = running;
  const { worker, family, observer, cause } = ended2;
  if (!worker && !ended2.isAdopted) return { reaped: [], survivors: [] };
  const isStopped = cause.kind === "dispatcher-signalled";
  ended2.output.advance();
  const { sessionId, structured } = ended2.output.events.facts();
  if (sessionId && structured) family.threadIds.add(sessionId);
  if (worker && cause.kind !== "worker-ended" && !interruption.isUrgent()) {
    seeMembers(host, family, observer);
    const whom = structured ? "leader" : "group";
    const answered = isStopped ? worker.ended : Promise.race([worker.ended, interruption.arrived]);
    const isBrief = isStopped || cause.kind === "other-session";
    await askToEnd(host, family, worker.pid, whom, askMs(interruption, isBrief), answered);
  }
  if (cause.kind === "worker-ended" && await running.anybodyLeft?.(family) === false) {
    return { reaped: [], survivors: [] };
  }
  return endFamily(
    host,
    family,
    worker?.pid ?? -1,
    observer,
    interruption.signal() ? KILL_WHEN_STOPPED_MS : KILL_MS2
  );
}
function askMs(interruption, isBrief) {
  return interruption.cancelled?.()?.graceMs ?? (isBrief ? ASK_WHEN_STOPPED_MS : ASK_MS2);
}
async function workerExit({ worker, wasStarted }, stateDir) {
  if (!worker) return wasStarted ? exitFromFile(stateDir) : { kind: "lost" };
  const end = await Promise.race([worker.ended, sleep(200).then(() => void 0)]);
  if (end?.code !== null && end?.code !== void 0) return exitFromShellCode(end.code, signalName);
  const written = exitFromFile(stateDir);
  if (written.kind !== "lost") return written;
  return end?.signal ? { kind: "signal", signal: end.signal, inferred: false } : { kind: "lost" };
}
async function afterWorkerEnd(cause, exit, interruption, stateDir) {
  if (exit.kind === "code" && (exit.code === EXIT.notExecutable || exit.code === EXIT.notFound)) {
    const said = shimComplaint(stateDir);
    if (said) return { kind: "spawn-failed", message: said, exitCode: exit.code };
  }
  if (exit.kind === "code" && exit.code === SHIM_REFUSED && !(0, import_node_fs28.existsSync)(stateFile(stateDir, "started"))) {
    const message = "the guardian could not be started, and a worker that nobody would reap is not started";
    return { kind: "spawn-failed", message, exitCode: EXIT.notExecutable };
  }
  if (exit.kind === "signal" && ["SIGTERM", "SIGINT", "SIGHUP"].includes(exit.signal)) {
    await Promise.race([interruption.arrived, sleep(SAME_STOP_MS)]);
    const signal = interruption.signal();
    if (signal) return { kind: "dispatcher-signalled", signal };
  }
  return cause;
}
function shimComplaint(stateDir) {
  const file = (0, import_node_fs28.existsSync)(stateFile(stateDir, "stderr")) ? "stderr" : "tail";
  const line = readStart(stateFile(stateDir, file), 4096).split("\n").find((text) => text.startsWith(`${SHIM_NAME}:`));
  return line?.replace(/^[^:]*: (?:line )?\d+: /, "");
}
function exitCodeOf(cause, exit, outcome) {
  if (cause.kind === "dispatcher-signalled") return 128 + signalNumber(cause.signal);
  if (outcome?.result === null) return EXIT.noResult;
  if (cause.kind === "reaped") return EXIT.reaped;
  if (cause.kind === "spawn-failed") return cause.exitCode;
  if (exit.kind === "code") return exit.code;
  return exit.kind === "signal" ? 128 + signalNumber(exit.signal) : 1;
}
function signalNumber(name) {
  return Array.from({ length: 64 }, (_, number3) => number3).find((number3) => signalName(number3) === name) ?? 0;
}

// scripts-src/supervise/evidence-sources.ts
init_clock();

// scripts-src/supervise/stall-verdict.ts
var BUSY_CPU_SHARE = 0.05;
var BUSY_CPU_FLOOR_MS = 20;
var BUSY_READ_BYTES_PER_SECOND = 262144;
var BUSY_WRITTEN_BYTES = 1;
var LATE_FACTOR = 3;
function evidenceOfActivity(delta) {
  if (delta.cpuMs >= Math.max(BUSY_CPU_FLOOR_MS, delta.elapsedMs * BUSY_CPU_SHARE)) return "command-cpu";
  if (delta.writtenBytes >= BUSY_WRITTEN_BYTES) return "command-io";
  if (delta.readBytes >= Math.max(1, delta.elapsedMs / 1e3 * BUSY_READ_BYTES_PER_SECOND))
    return "command-io";
  return void 0;
}
function advanceClock(clock, nowMs, intervalMs) {
  const elapsed = Math.max(0, nowMs - clock.lastLookMs);
  return { awakeMs: clock.awakeMs + Math.min(elapsed, intervalMs * LATE_FACTOR), lastLookMs: nowMs };
}
function verdictOn(input) {
  if (input.maxOutputBytes > 0 && input.outputBytes > input.maxOutputBytes) return "output-limit";
  if (input.timeoutMs > 0 && input.awakeMs >= input.timeoutMs) return "hard-timeout";
  const quiet = input.awakeMs - input.lastEvidenceAwakeMs;
  if (input.stallThresholdMs > 0 && quiet >= input.stallThresholdMs) return "idle-stall";
  return void 0;
}

// scripts-src/supervise/activity.ts
var PRINTED_FACTOR = 8;
function createActivityMeter(host, executor, shimPid, speaksInEvents) {
  let before = /* @__PURE__ */ new Map();
  let lastMs;
  let lastOutput = 0;
  let growthBefore = 0;
  function isCommand(member) {
    if (member.pid === shimPid) return false;
    if (!speaksInEvents()) return true;
    return member.ppid !== shimPid && !executor.isOwnProcess(member.command);
  }
  return {
    measure(family, nowMs, outputBytes) {
      const now = /* @__PURE__ */ new Map();
      const delta = { elapsedMs: 0, cpuMs: 0, readBytes: 0, writtenBytes: 0 };
      for (const member of family.members.values()) {
        if (!isCommand(member)) continue;
        const key = `${member.pid}:${member.start}`;
        const counters = countersOf(host, member);
        now.set(key, counters);
        addGrowth(delta, counters, before.get(key));
      }
      before = now;
      delta.elapsedMs = lastMs === void 0 ? 0 : nowMs - lastMs;
      const outputNow = outputBytes();
      const growth = Math.max(0, outputNow - lastOutput);
      delta.writtenBytes -= (growth + growthBefore) * PRINTED_FACTOR;
      growthBefore = growth;
      lastOutput = outputNow;
      const isFirst = lastMs === void 0;
      lastMs = nowMs;
      return isFirst || delta.elapsedMs <= 0 ? void 0 : evidenceOfActivity(delta);
    }
  };
}
function countersOf(host, member) {
  const io = host.io(member.pid);
  return { cpuMs: member.cpuMs, read: io?.read ?? 0, written: io?.written ?? 0 };
}
function addGrowth(delta, now, before) {
  delta.cpuMs += Math.max(0, now.cpuMs - (before?.cpuMs ?? 0));
  if (!before) return;
  delta.readBytes += Math.max(0, now.read - before.read);
  delta.writtenBytes += Math.max(0, now.written - before.written);
}

// scripts-src/supervise/evidence-sources.ts
function evidenceSources({
  host,
  executor,
  record: record3,
  environment
}, worker, output, family, see) {
  const startedAt = Date.parse(record3.startedAt);
  const meter = createActivityMeter(
    host,
    executor,
    worker?.pid ?? -1,
    () => output.events.facts().structured
  );
  let log;
  return {
    output,
    resultFile: record3.resultFile,
    workspace: record3.cwd,
    activity: () => {
      const { sessionId, structured } = output.events.facts();
      if (sessionId && structured) family.threadIds.add(sessionId);
      see(family);
      return meter.measure(family, monotonicMs(), output.bytes);
    },
    sessionLog: () => {
      const { sessionId } = output.events.facts();
      if (sessionId) log ??= executor.sessionLog(sessionId, environment, startedAt);
      return log;
    }
  };
}

// scripts-src/supervise/launch.ts
var import_node_child_process4 = require("node:child_process");
var import_node_fs29 = require("node:fs");
var import_node_os5 = require("node:os");
init_errors();
init_files();
init_startable_argv();
init_state_dir();
function launchWorker(request) {
  const { stateDir, command: command2, platform } = request;
  const stdin = (0, import_node_fs29.openSync)(command2.stdin === "nothing" ? import_node_os5.devNull : stateFile(stateDir, "prompt"), "r");
  const stdout = (0, import_node_fs29.openSync)(stateFile(stateDir, "tail"), "a", PRIVATE_FILE);
  const stderr = command2.stderr === "own" ? (0, import_node_fs29.openSync)(stateFile(stateDir, "stderr"), "a", PRIVATE_FILE) : stdout;
  try {
    const [file, argv] = platform === "win32" ? startableArgv(command2.argv, platform) : ["/bin/sh", shimArgv(request, command2.argv)];
    const child = (0, import_node_child_process4.spawn)(file, argv, {
      cwd: request.workdir,
      env: command2.environment,
      detached: true,
      windowsHide: true,
      stdio: [stdin, stdout, stderr]
    });
    return { pid: child.pid ?? -1, ended: endOf2(child) };
  } finally {
    for (const fd of /* @__PURE__ */ new Set([stdin, stdout, stderr])) (0, import_node_fs29.closeSync)(fd);
  }
}
function startWorker(program, request) {
  if (program.kind !== "found") return void 0;
  try {
    const worker = launchWorker(request);
    return worker.pid > 0 ? worker : void 0;
  } catch {
    return void 0;
  }
}
function spawnFailure(program) {
  if (program.kind === "missing") {
    return { kind: "spawn-failed", message: `${program.tried} was not found`, exitCode: EXIT.notFound };
  }
  const message = program.kind === "found" ? `${program.path} could not be started` : `${program.path} is not executable`;
  return { kind: "spawn-failed", message, exitCode: EXIT.notExecutable };
}
function endOf2(child) {
  return new Promise((resolve2) => {
    child.once("exit", (code, signal) => resolve2({ code, signal }));
    child.once("error", () => resolve2({ code: null, signal: null }));
  });
}

// scripts-src/supervise/lifeline.ts
var import_node_child_process5 = require("node:child_process");
var import_node_events2 = require("node:events");
var import_node_path23 = __toESM(require("node:path"), 1);
init_files();
init_identity();
init_state_dir();
var GUARDIAN = `while read -r word; do [ "$word" = done ] && exit 0; done
tries=0
while [ $tries -lt 5 ]; do "$@" && exit 0; tries=$((tries + 1)); done`;
var STARTER = `trap '' TERM INT HUP
ulimit -S -m unlimited 2>/dev/null
guardian=$1 pidfile=$2 draft=$3 folder=$4
shift 4
read -r made <&3
cd "$draft" 2>/dev/null || cd "$folder" 2>/dev/null || exit 1
( cd /; exec /bin/sh -c "$guardian" prun-guardian "$@" ) <&3 3<&- >/dev/null 2>&1 &
umask 077
echo $! >"$pidfile"`;
var MARKS = ["PRUN_UNIT", "CODEX_THREAD_ID", "CODEX_SESSION_ID"];
function startLifeline(host, place, command2) {
  return host.platform === "win32" ? standBy(host, command2) : waitOnPipe(host, place, command2);
}
function standBy(host, command2) {
  const [file = "", ...argv] = command2;
  const child = (0, import_node_child_process5.spawn)(file, argv, { detached: true, stdio: "ignore", windowsHide: true });
  child.unref();
  let identity;
  return {
    begin() {
    },
    settled: settledOnce(child, "spawn"),
    record(folder) {
      identity = recordGuardian(host, folder, child.pid);
    },
    isAlive: () => isGuardianAlive(host, identity),
    lost: settledOnce(child, "exit"),
    release() {
    }
  };
}
function waitOnPipe(host, { draft, stateDir }, command2) {
  const starter = (0, import_node_child_process5.spawn)(
    "/bin/sh",
    ["-c", STARTER, "prun-lifeline", GUARDIAN, STATE_FILES.guardianPid, draft, stateDir, ...command2],
    {
      detached: true,
      cwd: "/",
      env: withoutMarks(process.env),
      stdio: ["ignore", "ignore", "ignore", "pipe"]
    }
  );
  const pipe = ownEnd(starter);
  const settled = settledOnce(starter, "exit");
  let released = false;
  const lost = new Promise((resolve2) => {
    pipe?.once("close", () => {
      if (!released) resolve2();
    });
  });
  let identity;
  return {
    begin() {
      pipe?.write("made\n");
    },
    settled,
    record(now) {
      identity = recordGuardian(host, now, Number(readValue(import_node_path23.default.join(now, STATE_FILES.guardianPid))));
    },
    isAlive: () => isGuardianAlive(host, identity),
    lost,
    release() {
      released = true;
      pipe?.end("done\n");
    }
  };
}
function withoutMarks(environment) {
  if (!MARKS.some((name) => environment[name] !== void 0)) return void 0;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !MARKS.includes(name)));
}
function ownEnd(starter) {
  const pipe = starter.stdio?.[3];
  if (!pipe) return void 0;
  pipe.unref();
  pipe.on("error", () => {
  });
  return pipe;
}
function recordGuardian(host, folder, pid) {
  const id = pid === void 0 ? void 0 : identify(host, pid);
  if (!id) return "";
  try {
    writeAtomic(import_node_path23.default.join(folder, STATE_FILES.guardian), `${formatIdentity(id)}
`, { sync: false });
  } catch {
  }
  return formatIdentity(id);
}
function isGuardianAlive(host, identity) {
  if (identity === void 0) return true;
  const id = parseIdentity(identity);
  return id !== void 0 && isAlive(host, id);
}
async function settledOnce(child, event) {
  try {
    await (0, import_node_events2.once)(child, event);
  } catch {
  }
}

// scripts-src/supervise/dispatch.ts
init_member_ledger();

// scripts-src/supervise/previous-result.ts
init_errors();
init_result_file();
init_state_dir();
function setPreviousResultAside(resultFile, stateDir) {
  if (resultStateOf(resultFile) === "missing") return;
  try {
    moveFile(resultFile, stateFile(stateDir, "previousResult"));
  } catch (error) {
    throw new PrunError(
      "E_PREVIOUS_RESULT",
      `the older result ${resultFile} cannot be moved out of the way (${messageOf(error)})`,
      "make its folder writable, or give this unit another --result-file",
      EXIT.usage
    );
  }
}

// scripts-src/supervise/progress.ts
var import_node_fs31 = require("node:fs");
init_clock();
init_files();
init_state_dir();

// scripts-src/supervise/workspace-writes.ts
var import_node_fs30 = require("node:fs");
var import_node_path24 = __toESM(require("node:path"), 1);
init_files();
var MAX_ENTRIES2 = 4e3;
var SKIPPED = /* @__PURE__ */ new Set([".git", "node_modules", ".venv", "venv", "__pycache__", "target", ".cache"]);
function newestWrite(workspace) {
  const folders = [workspace];
  let left = MAX_ENTRIES2;
  let newest = 0;
  for (const folder of folders) {
    for (const entry of entriesOf(folder)) {
      if (left-- <= 0) return newest;
      const full = import_node_path24.default.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(full);
      } else if (entry.isFile()) newest = Math.max(newest, modifiedAt(full));
    }
  }
  return newest;
}
function modifiedAt(file) {
  try {
    return (0, import_node_fs30.statSync)(file).mtimeMs;
  } catch {
    return 0;
  }
}

// scripts-src/supervise/progress.ts
function trackProgress(stateDir, boot, sources, intervalMs, quietScanMs2, earlier) {
  let clock = { awakeMs: earlier?.awakeMs ?? 0, lastLookMs: monotonicMs() };
  let lastAwakeMs = clock.awakeMs - (earlier?.quietMs ?? 0);
  let last = record2(boot, "start");
  if (earlier) last = { ...last, kind: earlier.kind, at: earlier.at };
  let resultStamp;
  let logSize;
  let newest;
  let isReadAgain = earlier !== void 0;
  function cheapEvidence() {
    const printed = sources.output.advance();
    const log = sources.sessionLog();
    const size = log === void 0 ? void 0 : sizeOf(log);
    const logGrew = logSize !== void 0 && size !== void 0 && size > logSize;
    logSize = size ?? logSize;
    const stamp = stampOf(sources.resultFile);
    const resultMoved = !sameStamp(stamp, resultStamp);
    resultStamp = stamp;
    return printed ?? (logGrew ? "session-log" : void 0) ?? (resultMoved ? "result-file" : void 0);
  }
  function takeOver({ quietMs }) {
    cheapEvidence();
    const files = [stateFile(stateDir, "tail"), stateFile(stateDir, "stderr"), sources.resultFile];
    const sinceMs = Math.max(0, Date.now() - Math.max(...files.map(writtenMs)));
    if (sinceMs >= quietMs) return;
    lastAwakeMs = clock.awakeMs - sinceMs;
    const at = new Date(Date.now() - sinceMs).toISOString();
    last = { ...record2(boot, "output"), at, monotonicMs: monotonicMs() - sinceMs };
  }
  function workspaceEvidence() {
    if (clock.awakeMs - lastAwakeMs < quietScanMs2) return void 0;
    const seen = newestWrite(sources.workspace);
    const moved2 = newest !== void 0 && seen > newest;
    newest = seen;
    return moved2 ? "workspace" : void 0;
  }
  if (earlier) takeOver(earlier);
  return {
    look() {
      const now = monotonicMs();
      const lateMs = now - clock.lastLookMs - intervalMs * 3;
      clock = advanceClock(clock, now, intervalMs);
      const wasSeen = isReadAgain && !hasNewOutput(stateDir, sources.resultFile, Date.parse(earlier?.at ?? ""));
      isReadAgain = false;
      const cheap = cheapEvidence();
      const kind = (wasSeen ? void 0 : cheap) ?? sources.activity() ?? workspaceEvidence();
      if (kind) {
        lastAwakeMs = clock.awakeMs;
        last = record2(boot, kind);
        writeProgress(stateDir, last);
      } else if (lateMs > 0) {
        last = { ...last, monotonicMs: last.monotonicMs + lateMs };
        writeProgress(stateDir, last);
      }
    },
    awakeMs: () => clock.awakeMs,
    lastEvidenceAwakeMs: () => lastAwakeMs,
    lastEvidence: () => ({
      kind: last.kind,
      at: last.at,
      quietSeconds: Math.round((clock.awakeMs - lastAwakeMs) / 100) / 10
    }),
    noteCollecting: (what) => writeProgress(stateDir, record2(boot, what))
  };
}
function hasNewOutput(stateDir, resultFile, sinceMs) {
  return [stateFile(stateDir, "tail"), stateFile(stateDir, "stderr"), resultFile].some((file) => {
    try {
      return (0, import_node_fs31.statSync)(file).mtimeMs > sinceMs;
    } catch {
      return false;
    }
  });
}
function writtenMs(file) {
  return Number(BigInt(stampOf(file)?.mtimeNs ?? "0") / 1000000n);
}
function record2(boot, kind) {
  return { schema: SCHEMA, boot, monotonicMs: monotonicMs(), at: wallTime(), kind };
}
function writeProgress(stateDir, progress) {
  try {
    writeAtomic(stateFile(stateDir, "progress"), `${JSON.stringify(progress)}
`, { sync: false });
  } catch {
  }
}

// scripts-src/supervise/dispatch.ts
init_reap();

// scripts-src/supervise/show-end.ts
init_next_step();
init_salvage();

// scripts-src/workspace/tripwire/repository-change.ts
function changeLine({ what, name, change, before, after }) {
  const subject = what === name ? name : `${what} ${name}`;
  const [from, to] = [shortened2(before), shortened2(after)];
  if (from && to) return `${subject} ${change} (${from} to ${to})`;
  if (from) return `${subject} ${change} (was ${from})`;
  return to ? `${subject} ${change} (${to})` : `${subject} ${change}`;
}
function shortened2(value) {
  return value?.replace(/^([0-9a-f]{12})[0-9a-f]{20,}$/, "$1");
}

// scripts-src/supervise/tripwire-text.ts
var SHOWN = 3;
function tripwireText({ changes, more, since, seenAt }) {
  const shown3 = changes.slice(0, SHOWN).map(changeLine).join(", ");
  const left = changes.length + more - Math.min(changes.length, SHOWN);
  const rest = left > 0 ? `, and ${left} more` : "";
  return `the user's repository changed between ${since} and ${seenAt}: ${shown3}${rest}`;
}

// scripts-src/supervise/show-end.ts
var TAIL_LINES2 = 80;
var TOLD = [
  "claim-mismatch",
  "nothing-done",
  "schema",
  "worker-blocked",
  "needs-context"
];
function complain(outcome) {
  if (outcome.reason === "spawn") say(`${outcome.detail}: ${nextStep("spawn", outcome.executor)}`);
  if (TOLD.includes(outcome.reason)) {
    say(`${outcome.detail}: ${nextStep(outcome.reason)}`);
  }
  if (outcome.failure?.reason === outcome.reason) {
    const told2 = outcome.detail.replace(/\.$/, "");
    say(`${told2}: ${nextStep(outcome.reason, outcome.executor, outcome.failure)}`);
  }
  if (outcome.tripwire && outcome.tripwire.changes.length > 0) say(tripwireText(outcome.tripwire));
  if (outcome.delta && outcome.delta.state !== "collected") {
    say(`the delta is not collected: ${outcome.delta.detail}: ${outcome.delta.next}`);
  }
  if (outcome.resultError) {
    say(
      `no result could be written to ${outcome.stateDir}: ${outcome.resultError}: read the tail in the state dir`
    );
  }
  for (const survivor of outcome.survivors) {
    say(`process ${survivor.pid} (${survivor.command}) could not be killed: end it by hand`);
  }
}
function say(text) {
  writeAllSync(2, `dispatch-task: ${text}
`);
}
function showTail(stateDir, executor) {
  const text = readableTail(stateDir, executor, TAIL_LINES2);
  if (text) writeAllSync(2, `${text}
`);
}

// scripts-src/supervise/watch-worker.ts
init_files();
init_state_dir();
var LOOK_MIN_MS = 250;
var LOOK_MAX_MS = 5e3;
var SIZE_CHECK_MS = 250;
var LOOK_MAX_WITHOUT_MARKS_MS = 1e3;
function lookIntervalMs(limits, platform) {
  const most = platform === "darwin" ? LOOK_MAX_WITHOUT_MARKS_MS : LOOK_MAX_MS;
  const shortest = Math.min(
    ...[limits.stallThresholdSeconds, limits.timeoutSeconds].filter((limit) => limit > 0)
  );
  return Number.isFinite(shortest) ? Math.min(most, Math.max(LOOK_MIN_MS, shortest * 100)) : most;
}
async function watchWorker(watched) {
  const session = checkSession(watched.stateDir, watched.executor, watched.askedSession);
  try {
    return await watchToItsEnd(watched, session);
  } finally {
    session.close();
  }
}
async function watchToItsEnd(watched, session) {
  const { worker, progress, limits, interruption } = watched;
  const size = outputMeter(watched.stateDir, limits.maxOutputBytes);
  let endedAlready = false;
  let wake = () => {
  };
  void worker.ended.then(() => {
    endedAlready = true;
    wake();
  });
  void interruption.arrived.then(() => wake());
  void interruption.cancelArrived?.then(() => wake());
  let sinceLookMs = 0;
  for (; ; ) {
    const nextMs = Math.min(nextLookMs(watched, sinceLookMs), size.nextCheckMs(), session.nextMs());
    const waitMs = Math.max(10, nextMs);
    if (!endedAlready && !interruption.signal() && !interruption.cancelled?.()) {
      await new Promise((resolve2) => {
        const timer = setTimeout(resolve2, waitMs);
        wake = () => {
          clearTimeout(timer);
          resolve2();
        };
      });
    }
    const signal = interruption.signal();
    if (signal) return { kind: "dispatcher-signalled", signal };
    if (endedAlready) return { kind: "worker-ended" };
    const cancelled = interruption.cancelled?.();
    if (cancelled) return { kind: "cancelled", by: cancelled.by };
    if (session.isOther()) return { kind: "other-session" };
    sinceLookMs += waitMs;
    if (sinceLookMs >= nextLookMs(watched, 0)) {
      sinceLookMs = 0;
      progress.look();
      watched.onLook();
      if (watched.isOverTokens?.()) return { kind: "reaped", reason: "token-limit" };
    }
    const reason = verdictOn({
      awakeMs: progress.awakeMs(),
      lastEvidenceAwakeMs: progress.lastEvidenceAwakeMs(),
      outputBytes: size.check(),
      stallThresholdMs: limits.stallThresholdSeconds * 1e3,
      timeoutMs: limits.timeoutSeconds * 1e3,
      maxOutputBytes: limits.maxOutputBytes
    });
    if (reason) return { kind: "reaped", reason };
  }
}
function nextLookMs({ progress, limits, intervalMs }, passedMs) {
  const untilTimeout = limits.timeoutSeconds > 0 ? limits.timeoutSeconds * 1e3 - progress.awakeMs() : intervalMs;
  const quiet = progress.awakeMs() - progress.lastEvidenceAwakeMs();
  const untilStall = limits.stallThresholdSeconds > 0 ? limits.stallThresholdSeconds * 1e3 - quiet : intervalMs;
  return Math.max(10, Math.min(intervalMs, untilTimeout, untilStall)) - passedMs;
}
function outputMeter(stateDir, limit) {
  const files = [stateFile(stateDir, "tail"), stateFile(stateDir, "stderr")];
  let last = 0;
  let lastAt = performance.now();
  let next = SIZE_CHECK_MS;
  return {
    check() {
      if (limit === 0) return 0;
      const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
      const at = performance.now();
      const perMs = Math.max(0, bytes - last) / Math.max(1, at - lastAt);
      next = perMs > 0 ? Math.min(SIZE_CHECK_MS, Math.max(10, (limit - bytes) / perMs / 2)) : SIZE_CHECK_MS;
      last = bytes;
      lastAt = at;
      return bytes;
    },
    nextCheckMs: () => limit === 0 ? LOOK_MAX_MS : next
  };
}

// scripts-src/supervise/worker-output.ts
var import_node_fs32 = require("node:fs");
init_files();
init_state_dir();
init_stdout_part();
var TRACE_LIMIT_BYTES = 4 * 1024 * 1024;
var WAITING_LINES = 1e3;
var SAID_CHARS = 64 * 1024;
var SAID_LINE_CHARS = 4096;
function followOutput(stateDir, executor) {
  const events = executor.events(() => writtenAt(stateDir));
  let seen;
  const tail = followLines(stateFile(stateDir, "tail"), (line) => {
    const event = events.read(line);
    if (event) seen = event.progress ? "event" : seen;
    else if (!events.facts().structured && line.trim() !== "" && !executor.isRetryNotice(line))
      seen ??= "output";
  });
  const follow = executor.answersOnStdout ? followApart : followStderr;
  const stderr = follow(stateDir, executor, (kind) => {
    seen ??= kind;
  });
  return {
    advance() {
      seen = void 0;
      tail.advance();
      stderr?.advance();
      return seen;
    },
    finish() {
      stderr?.finish();
      tail.advance();
      tail.finish();
      tail.close();
    },
    bytes: () => sizeOf(stateFile(stateDir, "tail")) + (stderr?.bytes() ?? 0),
    stderrEnd: () => stderr?.end() ?? "",
    events
  };
}
function writtenAt(stateDir) {
  const written = (0, import_node_fs32.statSync)(stateFile(stateDir, "tail"), { throwIfNoEntry: false })?.mtimeMs;
  return Math.min(Date.now(), written ?? Number.POSITIVE_INFINITY);
}
function keepEnd() {
  const lines = [];
  let chars = 0;
  function dropOldest() {
    let count3 = 0;
    for (; chars > SAID_CHARS; count3++) chars -= (lines[count3]?.length ?? 0) + 1;
    lines.splice(0, count3);
  }
  return {
    add(line) {
      lines.push(line.slice(0, SAID_LINE_CHARS));
      chars += Math.min(line.length, SAID_LINE_CHARS) + 1;
      if (chars > 2 * SAID_CHARS) dropOldest();
    },
    text: () => lines.join("\n").slice(-SAID_CHARS)
  };
}
function followApart(stateDir, executor, onEvidence) {
  const said = keepEnd();
  const lines = followLines(stateFile(stateDir, "stderr"), (line) => {
    said.add(line);
    if (line.trim() !== "" && !executor.isRetryNotice(line)) onEvidence("output");
  });
  return {
    advance: () => {
      lines.advance();
    },
    finish() {
      lines.advance();
      lines.finish();
      lines.close();
      joinStderr(stateDir);
    },
    bytes: () => sizeOf(stateFile(stateDir, "stderr")),
    end: said.text
  };
}
function followStderr(stateDir, executor, onEvidence) {
  const file = stateFile(stateDir, "stderr");
  if (!(0, import_node_fs32.existsSync)(file)) return void 0;
  let cutBytes = 0;
  const text = [];
  const said = keepEnd();
  const lines = followLines(file, (line) => {
    const kind = executor.classifyStderr(line);
    if (kind === "trace-progress") onEvidence("stream");
    if (kind !== "text") return;
    text.push(line);
    said.add(line);
  });
  function moveText(atEnd) {
    if (text.length === 0) return;
    try {
      if (!appendToTail(stateFile(stateDir, "tail"), `${text.join("\n")}
`, atEnd)) return;
      text.length = 0;
    } catch {
      text.splice(0, Math.max(0, text.length - WAITING_LINES));
    }
  }
  function cut2() {
    if (lines.size() < TRACE_LIMIT_BYTES || lines.offset() !== lines.size()) return;
    const fd = (0, import_node_fs32.openSync)(file, "r+");
    try {
      if ((0, import_node_fs32.fstatSync)(fd).size !== lines.offset()) return;
      (0, import_node_fs32.ftruncateSync)(fd, 0);
    } finally {
      (0, import_node_fs32.closeSync)(fd);
    }
    cutBytes += lines.offset();
    lines.rewind();
  }
  return {
    advance() {
      lines.advance();
      moveText(false);
      if (text.length === 0) cut2();
    },
    finish() {
      lines.advance();
      lines.finish();
      moveText(true);
      lines.close();
    },
    bytes: () => cutBytes + sizeOf(file),
    end: said.text
  };
}
function appendToTail(tail, text, atEnd) {
  const fd = (0, import_node_fs32.openSync)(tail, "a+", PRIVATE_FILE);
  try {
    const size = (0, import_node_fs32.fstatSync)(fd).size;
    const torn = size > 0 && readRange(fd, size - 1, 1)[0] !== 10;
    if (torn && !atEnd) return false;
    (0, import_node_fs32.writeSync)(fd, torn ? `
${text}` : text);
    return true;
  } finally {
    (0, import_node_fs32.closeSync)(fd);
  }
}

// scripts-src/supervise/dispatch.ts
var REPLACE_GUARDIAN_MS = 100;
var LOOK_MS3 = 2;
async function dispatch(request, host, interruption, announce) {
  const attempt = prepareAttempt(host, request);
  const workspace = request.workdir === void 0 ? void 0 : workspaceOf(request.workdir);
  attempt.record.base = workspace?.base ?? null;
  if (workspace) refuseBusy(host, workspace);
  const command2 = buildCommand(request, attempt, workspace);
  const lifeline = startLifeline(host, attempt, guardianArgv(request, attempt));
  try {
    makeDraft(attempt);
    lifeline.begin();
    fillDraft(attempt, request, command2);
    refuseIfClaimed(host, request, attempt);
    publishAttempt(attempt);
    faultPoint("dispatch:published", attempt.stateDir);
    setPreviousResultAside(request.resultFile, attempt.stateDir);
  } catch (error) {
    lifeline.release();
    await lifeline.settled;
    discardAttempt(attempt);
    throw error instanceof PrunError ? error : cannotPrepare(error, request);
  }
  const { stateDir, record: record3 } = attempt;
  faultPoint("dispatch:previous", stateDir);
  const running = {
    ...{ request, attempt, command: command2, lifeline },
    ...{ host, executor: request.executor, prun: request.prun, stateDir, record: record3, interruption, workspace },
    environment: request.command.environment,
    before: Promise.resolve(void 0),
    by: "dispatch-task"
  };
  const source = workspace?.source;
  const begun = source && beginLook(source, LOOK_MS3);
  const worker = interruption.signal() ? void 0 : startOwnWorker(running);
  faultPoint("dispatch:launched", stateDir);
  if (source && begun) running.before = keepFingerprint(stateDir, source, begun.finish());
  if (workspace) noteAttempt(workspace, stateDir);
  describeAttempt(attempt);
  announce(stateDir);
  faultPoint("dispatch:announced", stateDir);
  const { outcome, exitCode } = await superviseAttempt(running, worker);
  if (outcome) complain(outcome);
  running.lifeline.release();
  showTail(stateDir, request.executor);
  return exitCode;
}
function refuseBusy(host, workspace) {
  const stateDir = liveAttempt(host, attemptsIn(workspace));
  if (stateDir === void 0) return;
  throw new PrunError(
    "E_WORKSPACE_BUSY",
    `another unit works in ${workspace.clone} (state dir ${stateDir})`,
    "wait for it or stop it, or make a clone for this unit with prun clone"
  );
}
async function keepFingerprint(stateDir, source, look) {
  const { fingerprintOf: fingerprintOf2 } = await Promise.resolve().then(() => (init_tripwire(), tripwire_exports));
  const { keepTripwire: keepTripwire2 } = await Promise.resolve().then(() => (init_kept_tripwire(), kept_tripwire_exports));
  let before;
  try {
    before = fingerprintOf2(source, look);
    keepTripwire2(stateFile(stateDir, "repository"), before);
  } catch {
  }
  return before;
}
async function superviseAttempt(running, worker) {
  const { request, host, interruption, attempt } = running;
  const { stateDir, record: record3 } = attempt;
  standBehind(running);
  const shim = worker && host.entry(worker.pid);
  record3.worker = shim ? formatIdentity(identityOf(host, shim)) : null;
  if (worker) rewriteUnitRecord(stateDir, record3);
  faultPoint("dispatch:recorded", stateDir);
  const output = followOutput(stateDir, request.executor);
  const family = createFamily(attempt.marker, record3.rssMark, record3.since);
  if (shim) family.members.set(shim.pid, shim);
  const observer = observerOf(host);
  const intervalMs = lookIntervalMs(request.limits, host.platform);
  const progress = trackProgress(
    stateDir,
    record3.boot,
    evidenceSources(running, worker, output, family, (of) => seeMembers(host, of, observer)),
    intervalMs,
    quietScanMs(request)
  );
  let noted = "";
  const keepLedger = () => {
    if (host.platform !== "darwin") return;
    seeMembers(host, family, observer);
    noted = noteMembers(host, stateDir, family, noted);
  };
  const cause = worker ? await watchWorker({
    stateDir,
    worker,
    progress,
    limits: request.limits,
    intervalMs,
    interruption,
    executor: request.executor,
    askedSession: record3.resumed?.sessionId,
    onLook: () => {
      keepGuarded(running);
      keepLedger();
    }
  }) : notStarted(request, interruption);
  faultPoint("dispatch:ended", stateDir);
  const wasStarted = worker !== void 0;
  return endAttempt(running, { worker, wasStarted, output, family, observer, progress, cause });
}
function startOwnWorker({ request, host, attempt, command: command2 }) {
  const { program, contain } = request;
  const isContained = contain && program.kind === "found";
  return startWorker(program, {
    stateDir: attempt.stateDir,
    workdir: attempt.workdir,
    command: isContained ? { ...command2, argv: containArgv(command2.argv, host.platform) } : command2,
    rssMarkKib: attempt.rssMarkKib,
    platform: host.platform
  });
}
function notStarted({ program }, interruption) {
  const signal = interruption.signal();
  return signal ? { kind: "dispatcher-signalled", signal } : spawnFailure(program);
}
function quietScanMs(request) {
  return request.limits.stallThresholdSeconds * 1e3 / 4;
}
function keepGuarded(running) {
  if (running.lifeline.isAlive()) return;
  const { host, request, attempt } = running;
  const next = startLifeline(host, attempt, guardianArgv(request, attempt));
  next.begin();
  running.lifeline = next;
  standBehind(running);
}
function standBehind(running) {
  const { lifeline, attempt } = running;
  void lifeline.settled.then(() => lifeline.record(attempt.stateDir));
  void lifeline.lost.then(() => sleep(REPLACE_GUARDIAN_MS)).then(() => keepGuarded(running));
}
function guardianArgv(request, { stateDir, marker, record: record3 }) {
  const unit = ["--marker", marker, "--since", String(record3.since), "--dispatcher", record3.supervisor];
  return [...request.guardian, "--state-dir", stateDir, ...unit];
}
function buildCommand(request, attempt, workspace) {
  const { program } = request;
  return request.executor.command({
    ...request.command,
    binary: program.kind === "missing" ? program.tried : program.path,
    marker: attempt.marker,
    lastMessageFile: stateFile(attempt.stateDir, "lastMessage"),
    unit: attempt.record.unit,
    workdir: attempt.workdir,
    promptFile: stateFile(attempt.stateDir, "prompt"),
    resultFile: request.resultFile,
    options: withSchemaFile(request.command.options, attempt.stateDir),
    ...workspace ? { told: { ...request.command.told, ...workspaceEnvironment(workspace) } } : {}
  });
}
function cannotPrepare(error, { stateHome: stateHome2 }) {
  return new PrunError(
    "E_STATE_DIR",
    `no state dir can be made in ${stateHome2} (${messageOf(error)})`,
    "make room there, or give another folder with --state-home",
    EXIT.noResult
  );
}
function refuseIfClaimed(host, request, attempt) {
  const holder = claimResult(host, {
    stateDir: attempt.stateDir,
    holder: attempt.record.supervisor,
    resultFile: request.resultFile
  });
  if (!holder) return;
  throw new PrunError(
    "E_RESULT_CLAIMED",
    `another live dispatch writes to ${request.resultFile} (state dir ${holder.stateDir})`,
    "wait for it, stop it (reap-watch --state-dir ends one that was left behind), or give this unit another --result-file"
  );
}

// scripts-src/supervise/dispatch-arguments.ts
var import_node_path30 = __toESM(require("node:path"), 1);

// scripts-src/executor/codex-probe-cache.ts
var import_node_fs34 = require("node:fs");
var import_node_path25 = __toESM(require("node:path"), 1);
init_files();
init_random();
var SCHEMA2 = 1;
var MAX_BYTES = 64 * 1024;
function readProbe(stateHome2, program) {
  try {
    const identity = identityOf2(program);
    return probeIn(JSON.parse(readStart(fileOf(stateHome2, identity), MAX_BYTES)), identity);
  } catch {
    return void 0;
  }
}
function fileOf(stateHome2, { program, size, mtimeNs }) {
  return import_node_path25.default.join(stateHome2, "probes", `${shortHash(`${program}\0${size}\0${mtimeNs}`)}.json`);
}
function identityOf2(program) {
  const real = (0, import_node_fs34.realpathSync)(program);
  const { size, mtimeNs } = (0, import_node_fs34.statSync)(real, { bigint: true });
  return { program: real, size: String(size), mtimeNs: String(mtimeNs) };
}
function probeIn(json, identity) {
  if (typeof json !== "object" || json === null) return void 0;
  const record3 = json;
  const isOurs = record3.schema === SCHEMA2 && record3.program === identity.program && record3.size === identity.size && record3.mtimeNs === identity.mtimeNs;
  const { version: version2, flags, resumeFlags } = record3;
  if (!isOurs || typeof version2 !== "string" || !isTexts(flags)) return void 0;
  if (resumeFlags !== null && !isTexts(resumeFlags)) return void 0;
  return { version: version2, flags, resumeFlags };
}
function isTexts(value) {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

// scripts-src/supervise/dispatch-arguments.ts
init_errors();

// scripts-src/platform/read-flags.ts
init_errors();
function readFlags(argv, names) {
  const read = { help: false, values: /* @__PURE__ */ new Map(), switches: /* @__PURE__ */ new Set(), operands: [] };
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--") {
      read.operands.push(...argv.slice(i + 1));
      break;
    }
    if (word === "--help" || word === "-h") read.help = true;
    else if (names.switches?.includes(word)) read.switches.add(word);
    else if (!word.startsWith("-") || word === "-") read.operands.push(word);
    else {
      const equals = word.indexOf("=");
      const name = equals < 0 ? word : word.slice(0, equals);
      if (names.switches?.includes(name)) throw usageError(`${name} takes no value`, `give it as ${name}`);
      if (!names.values.includes(name)) throw usageError(`unknown flag ${name}`, "see --help for the flags");
      const value = equals < 0 ? argv[++i] : word.slice(equals + 1);
      if (value === void 0) throw usageError(`${name} has no value`, `give it as ${name} <value>`);
      read.values.set(name, [...read.values.get(name) ?? [], value]);
    }
  }
  return read;
}
function lastValue(flags, name) {
  return flags.values.get(name)?.at(-1);
}

// scripts-src/supervise/dispatch-arguments.ts
init_resolve_program();

// scripts-src/platform/whole-seconds.ts
init_errors();
function wholeSeconds(value, name) {
  const seconds = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(seconds * 1e3)) return seconds;
  throw usageError(
    `${name} is ${JSON.stringify(value)}, not a whole number of seconds`,
    `give ${name} a number such as 600`
  );
}
function secondsFrom(setting, given, environment) {
  if (given !== void 0) return wholeSeconds(given, setting.flag);
  const value = environment[setting.variable];
  return value ? wholeSeconds(value, setting.variable) : setting.fallback;
}

// scripts-src/supervise/dispatch-folders.ts
var import_node_fs36 = require("node:fs");
var import_node_os6 = __toESM(require("node:os"), 1);
var import_node_path27 = __toESM(require("node:path"), 1);
init_errors();
function workFolder(flag, variable, cwd) {
  const given = flag ?? (variable || void 0);
  if (given === void 0) return void 0;
  const name = flag === void 0 ? "PRUN_SCRATCH_CWD" : "--workdir";
  const folder = import_node_path27.default.resolve(cwd, given);
  try {
    if ((0, import_node_fs36.statSync)(folder).isDirectory()) return folder;
  } catch (error) {
    throw usageError(
      `${name} ${folder} cannot be used (${messageOf(error)})`,
      "give the path of an existing folder"
    );
  }
  throw usageError(`${name} ${folder} is not a folder`, "give the path of an existing folder");
}
function writableStateHome(flag, environment, cwd) {
  const home = import_node_path27.default.resolve(cwd, flag || environment.TMPDIR || import_node_os6.default.tmpdir());
  try {
    (0, import_node_fs36.mkdirSync)(home, { recursive: true, mode: 448 });
    (0, import_node_fs36.accessSync)(home, import_node_fs36.constants.W_OK | import_node_fs36.constants.X_OK);
    return home;
  } catch (error) {
    const name = flag ? "--state-home" : "the temp folder";
    throw usageError(
      `${name} ${home} cannot be written (${messageOf(error)})`,
      "give a writable folder with --state-home"
    );
  }
}

// scripts-src/supervise/option-flags.ts
var import_node_path28 = __toESM(require("node:path"), 1);

// scripts-src/executor/known-wishes.ts
var KNOWN_BY = {
  argv: ["command"],
  model: ["codex", "claude", "omp"],
  effort: ["codex", "claude", "omp"],
  reasoningEffort: ["codex", "claude", "omp"],
  sandbox: ["codex"],
  network: ["codex"],
  isolateMcp: ["codex", "claude"],
  codexBin: ["codex"],
  bin: ["claude", "omp"],
  config: ["codex"],
  images: ["codex"],
  outputSchema: ["codex", "claude"],
  structured: ["codex", "claude"],
  ephemeral: ["codex", "claude"],
  pnpmStore: ["codex"],
  permissionMode: ["claude"],
  // omp does not say what it uses.
  tokenLimit: ["codex", "claude"]
};
var EXECUTOR_WISHES = Object.keys(KNOWN_BY);
function knowsWish(executor, wish) {
  const known = KNOWN_BY[wish];
  return known.includes(executor);
}

// scripts-src/supervise/option-flags.ts
init_errors();
var WISH_FLAGS = [
  ["--model", "model"],
  ["--reasoning-effort", "effort"],
  ["--effort", "effort"],
  ["--thinking", "effort"],
  ["--sandbox", "sandbox"],
  ["--no-network", "network"],
  ["--no-isolate-mcp", "isolateMcp"],
  ["--codex-bin", "codexBin"],
  ["--bin", "bin"],
  ["--config", "config"],
  ["--image", "images"],
  ["--output-schema", "outputSchema"],
  ["--structured", "structured"],
  ["--ephemeral", "ephemeral"],
  ["--pnpm-store", "pnpmStore"],
  ["--permission-mode", "permissionMode"],
  ["--token-limit", "tokenLimit"]
];
function refuseForeign(flags, executor) {
  const foreign = WISH_FLAGS.find(
    ([flag, wish]) => (flags.values.has(flag) || flags.switches.has(flag)) && !knowsWish(executor, wish)
  );
  if (foreign) throw usageError(`${foreign[0]} does nothing for executor ${executor}`, "leave it out");
}
function optionsFrom(flags, cwd) {
  const value = (name) => lastValue(flags, name);
  refuseFlagsAsValues(flags);
  const schema = fileFrom(value("--output-schema"), "--output-schema", cwd, schemaTrouble);
  if (schema !== void 0 && flags.switches.has("--structured")) {
    throw usageError("--structured brings a schema of its own", "give it or --output-schema, not both");
  }
  const store = value("--pnpm-store");
  if (store !== void 0) {
    refuseTrouble("--pnpm-store", store, storeTroubleAtSight(store));
    if (value("--sandbox") === "read-only") {
      throw usageError("--pnpm-store does nothing in sandbox read-only", "give --sandbox workspace-write");
    }
  }
  return {
    config: flags.values.get("--config")?.map(checkedSetting),
    images: flags.values.get("--image")?.flatMap((image) => fileFrom(image, "--image", cwd, imageTrouble) ?? []),
    outputSchema: schema,
    structured: flags.switches.has("--structured") || void 0,
    ephemeral: flags.switches.has("--ephemeral") || void 0,
    pnpmStore: store,
    permissionMode: value("--permission-mode")
  };
}
var PASSED_ON = ["--model", "--reasoning-effort", "--effort", "--thinking", "--permission-mode"];
function refuseFlagsAsValues(flags) {
  for (const flag of PASSED_ON) {
    const strange = flags.values.get(flag)?.find((value) => !isFlagValue(value));
    if (strange === void 0) continue;
    throw usageError(
      `${flag} is ${JSON.stringify(strange.slice(0, 120))}, which begins with - or a space, or has control characters`,
      "give the name alone"
    );
  }
}
function checkedSetting(setting) {
  if (isConfigSetting(setting)) return setting;
  throw usageError(
    `--config is ${JSON.stringify(setting.slice(0, 120))}, which is no setting`,
    "give it as --config key=value"
  );
}
function fileFrom(name, flag, cwd, troubleOf2) {
  if (name === void 0) return void 0;
  const file = import_node_path28.default.resolve(cwd, name);
  refuseTrouble(flag, file, troubleOf2(file));
  return file;
}
function refuseTrouble(flag, value, trouble) {
  if (trouble) throw usageError(`${flag} ${value} ${trouble.what}`, trouble.next);
}

// scripts-src/supervise/prompt-file.ts
var import_node_buffer = require("node:buffer");
var import_node_fs37 = require("node:fs");
init_errors();
var MAX_PROMPT_CHARACTERS = 1048576;
function readPrompt(file, executor) {
  let prompt;
  try {
    prompt = (0, import_node_fs37.readFileSync)(file);
  } catch (error) {
    throw usageError(
      `--prompt-file ${file} cannot be read (${messageOf(error)})`,
      "give the path of a readable file"
    );
  }
  if (!(0, import_node_buffer.isUtf8)(prompt)) {
    throw usageError(
      `--prompt-file ${file} is not UTF-8 (first bad byte at offset ${badByteOffset(prompt)})`,
      "save it as UTF-8"
    );
  }
  const text = prompt.toString("utf8");
  if (text.trim() === "") throw usageError(`--prompt-file ${file} is empty`, "write the task into it");
  const isLong = executor === "codex" && prompt.length > MAX_PROMPT_CHARACTERS;
  if (isLong && [...text].length > MAX_PROMPT_CHARACTERS) {
    throw usageError(
      `--prompt-file ${file} has more than ${MAX_PROMPT_CHARACTERS} characters, which codex refuses`,
      "put the bulk into a file and name its path in the prompt"
    );
  }
  return prompt;
}
function badByteOffset(bytes) {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = low + high + 1 >> 1;
    const whole = [0, 1, 2, 3].some((cut2) => (0, import_node_buffer.isUtf8)(bytes.subarray(0, Math.max(0, middle - cut2))));
    if (whole) low = middle;
    else high = middle - 1;
  }
  const lengths = [low, low - 1, low - 2, low - 3];
  return lengths.find((length) => length >= 0 && (0, import_node_buffer.isUtf8)(bytes.subarray(0, length))) ?? 0;
}

// scripts-src/supervise/result-place.ts
var import_node_fs38 = require("node:fs");
var import_node_path29 = __toESM(require("node:path"), 1);
init_errors();
function prepareResultFolder(resultFile, promptFile) {
  const there = statOf(resultFile);
  if (there?.isDirectory())
    throw usageError(`--result-file ${resultFile} is a directory`, "give the path of a file");
  if (there && !there.isFile() && !(0, import_node_fs38.lstatSync)(resultFile).isSymbolicLink())
    throw usageError(`--result-file ${resultFile} is not a regular file`, "give the path of a file");
  const prompt = statOf(promptFile);
  if (there && prompt && there.ino === prompt.ino && there.dev === prompt.dev)
    throw usageError(`--result-file ${resultFile} is the prompt file`, "give the result a path of its own");
  const folder = import_node_path29.default.dirname(resultFile);
  try {
    (0, import_node_fs38.mkdirSync)(folder, { recursive: true });
    (0, import_node_fs38.accessSync)(folder, import_node_fs38.constants.W_OK | import_node_fs38.constants.X_OK);
  } catch (error) {
    throw usageError(
      `the folder of --result-file ${resultFile} cannot be written (${messageOf(error)})`,
      "give a path in a writable folder"
    );
  }
}
function statOf(file) {
  try {
    return (0, import_node_fs38.statSync)(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return void 0;
  }
}

// scripts-src/supervise/dispatch-arguments.ts
var DEFAULT_MAX_OUTPUT_BYTES = 1024 ** 3;
var SANDBOXES = ["read-only", "workspace-write", "danger-full-access"];
var EXECUTORS = ["codex", "claude", "omp", "command"];
function parseDispatch(argv, environment, cwd) {
  const { own: own2, words } = atDashes(argv);
  const flags = flagsOf(own2);
  if (flags.help) return void 0;
  const flag = (name) => lastValue(flags, name);
  const outerMarker = outerUnit(environment, flags.switches.has("--allow-nested"));
  const unit = unitId(flag("--unit-id") ?? flag("--unit") ?? flag("--phase"));
  const promptFile = required2(
    flag("--prompt-file") ?? flag("--brief"),
    "--prompt-file",
    "the file that holds the prompt",
    cwd
  );
  const resultFile = required2(
    flag("--result-file"),
    "--result-file",
    "the file that the worker is to write",
    cwd
  );
  const executorName = oneOf(flag("--executor") ?? "codex", EXECUTORS, "--executor");
  refuseWords(executorName, words);
  refuseForeign(flags, executorName);
  const sandbox = sandboxFrom(executorName, flag("--sandbox"), environment);
  const options = optionsFrom(flags, cwd);
  if (options.pnpmStore !== void 0 && sandbox === "read-only") {
    throw usageError(
      "--pnpm-store does nothing in sandbox read-only",
      "give --sandbox workspace-write, or unset CODEX_DISPATCH_SANDBOX"
    );
  }
  const workdir = workFolder(flag("--workdir"), environment.PRUN_SCRATCH_CWD, cwd);
  const session = sessionFrom(flag("--resume"), executorName, workdir);
  const limits = {
    stallThresholdSeconds: secondsFrom(
      { flag: "--stall-threshold", variable: "PRUN_STALL_THRESHOLD", fallback: 600 },
      flag("--stall-threshold"),
      environment
    ),
    timeoutSeconds: secondsFrom(
      { flag: "--timeout", variable: "CODEX_DISPATCH_TIMEOUT", fallback: 0 },
      flag("--timeout"),
      environment
    ),
    maxOutputBytes: byteCount(flag("--max-output"))
  };
  const stateHome2 = writableStateHome(flag("--state-home"), environment, cwd);
  const prompt = readPrompt(promptFile, executorName);
  prepareResultFolder(resultFile, promptFile);
  const isolate = !flags.switches.has("--no-isolate-mcp") && environment.CODEX_DISPATCH_ISOLATE_MCP !== "off";
  const model = flag("--model");
  const effort = flag("--reasoning-effort") ?? usualEffort(executorName, isolate, environment);
  const program = resolveProgram(programName(executorName, flag, words, environment), cwd, environment);
  return {
    unit,
    prompt,
    promptFile,
    resultFile,
    stateHome: stateHome2,
    cwd,
    workdir,
    limits,
    outerMarker,
    executorName,
    contain: flags.switches.has("--contain"),
    program,
    ...session === void 0 ? {} : { resumed: { sessionId: session, tokensBefore: null } },
    command: {
      sandbox,
      ...session === void 0 ? {} : { resume: session },
      ...flags.switches.has("--no-network") ? { network: false } : {},
      ...effort === void 0 ? {} : { reasoningEffort: effort },
      ...model === void 0 ? {} : { model },
      isolate,
      environment,
      passEnv: flags.values.get("--pass-env") ?? [],
      args: words.slice(1),
      options,
      probe: executorName === "codex" && program.kind === "found" ? readProbe(stateHome(environment), program.path) : void 0
    }
  };
}
var FLAGS = {
  values: [
    "--prompt-file",
    "--brief",
    "--result-file",
    "--unit-id",
    "--unit",
    "--phase",
    "--executor",
    "--codex-bin",
    "--bin",
    "--model",
    "--resume",
    "--sandbox",
    "--reasoning-effort",
    "--config",
    "--image",
    "--output-schema",
    "--pnpm-store",
    "--permission-mode",
    "--timeout",
    "--workdir",
    "--stall-threshold",
    "--max-output",
    "--pass-env",
    "--state-home"
  ],
  switches: [
    "--no-isolate-mcp",
    "--no-network",
    "--structured",
    "--ephemeral",
    "--allow-nested",
    "--contain"
  ]
};
function flagsOf(argv) {
  const flags = readFlags(argv, FLAGS);
  const [operand] = flags.operands;
  if (operand !== void 0) {
    throw usageError(
      `unexpected argument ${JSON.stringify(operand)}`,
      "see dispatch-task --help for the flags"
    );
  }
  for (const [name, values] of flags.values) {
    if (values.includes("")) throw usageError(`${name} is ""`, "give it a value, or leave the flag out");
  }
  return flags;
}
function atDashes(argv) {
  const at = argv.indexOf("--");
  return at < 0 ? { own: argv, words: [] } : { own: argv.slice(0, at), words: argv.slice(at + 1) };
}
function sandboxFrom(executorName, flag, environment) {
  const usual = "danger-full-access";
  if (executorName !== "codex") return usual;
  const name = flag ? "--sandbox" : "CODEX_DISPATCH_SANDBOX";
  return oneOf(flag ?? (environment.CODEX_DISPATCH_SANDBOX || usual), SANDBOXES, name);
}
function refuseWords(executor, words) {
  if (executor !== "command") {
    if (words[0] === void 0) return;
    throw usageError(
      `unexpected argument ${JSON.stringify(words[0])}`,
      "only --executor command takes words after --"
    );
  }
  if (!words[0]) {
    throw usageError(
      "--executor command has no command",
      "give its words after --, such as -- ./lint.sh {prompt_file} {result_file}"
    );
  }
}
function programName(executorName, flag, words, environment) {
  const { program } = executorByName(executorName);
  if (program === null) return words[0] ?? "";
  return flag("--codex-bin") ?? flag("--bin") ?? (environment[program.variable] || program.name);
}
function usualEffort(executorName, isolate, environment) {
  if (executorName !== "codex") return void 0;
  return environment.CODEX_DISPATCH_REASONING || (isolate ? "xhigh" : void 0);
}
function outerUnit(environment, allowed) {
  const outer = environment.PRUN_UNIT || void 0;
  if (!outer || allowed) return outer;
  throw usageError(
    `this is a worker of unit ${outer}, and a worker must not start prun again`,
    "do the work here, or let the coordinator dispatch it; --allow-nested overrides this"
  );
}
function unitId(id) {
  if (id === void 0)
    throw usageError("--unit-id is missing", "give the unit a name such as --unit-id api");
  if (/^[A-Za-z0-9_-]{1,100}$/.test(id)) return id;
  throw usageError(
    `--unit-id is ${JSON.stringify(id.slice(0, 120))}`,
    "use up to 100 letters, digits, - and _ only"
  );
}
function required2(value, flag, what, cwd) {
  if (value === void 0 || value === "") throw usageError(`${flag} is missing`, `give it ${what}`);
  return import_node_path30.default.resolve(cwd, value);
}
function oneOf(value, allowed, name) {
  const found = allowed.find((candidate) => candidate === value);
  if (found) return found;
  throw usageError(`${name} is ${JSON.stringify(value)}`, `use ${allowed.join(", ")}`);
}
function sessionFrom(session, executorName, workdir) {
  if (session === void 0) return void 0;
  if (!executorByName(executorName).canResume) {
    throw usageError(`--resume does nothing for executor ${executorName}`, "leave it out");
  }
  if (!isSessionId(session)) {
    throw usageError(
      `--resume is ${JSON.stringify(session.slice(0, 120))}, which is no session id`,
      "give the UUID that outcome.json has as sessionId: by any other name a new session would begin"
    );
  }
  if (workdir !== void 0) return session;
  throw usageError(
    "--resume needs --workdir",
    "give the folder that the session worked in: cwd in its unit.json"
  );
}
function byteCount(value) {
  if (value === void 0) return DEFAULT_MAX_OUTPUT_BYTES;
  const match = /^(\d{1,12})([KMG]?)$/i.exec(value);
  const unit = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[match?.[2]?.toUpperCase() ?? ""];
  if (match && unit) return Number(match[1]) * unit;
  throw usageError(
    `--max-output is ${JSON.stringify(value)}, not a number of bytes`,
    "give a whole number such as 1000000, 500M or 1G; 0 switches the limit off"
  );
}

// scripts-src/supervise/interruption.ts
var SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"];
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

// scripts-src/unit/printed-name.ts
function printedName(name) {
  return /^"|[\u0000-\u001f\u007f\u0085\u2028\u2029]/.test(name) ? JSON.stringify(name).replace(/[\u007f\u0085\u2028\u2029]/g, escapeCode) : name;
}
function escapeCode(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

// scripts-src/dispatch-task.ts
var HELP = `usage: dispatch-task --prompt-file F --result-file F --unit-id ID [flags] [-- CMD WORD…]

Runs one unit on a worker, watches it, ends it when it hangs, and leaves a result file in any case.
Prints one line, STATE-DIR <abs>, when the attempt exists; the end of the worker's output goes to stderr.

  --prompt-file F        what the worker is to do; sent to its stdin byte for byte
  --result-file F        where its result is to be; an older file there is moved to the state dir
  --unit-id ID           letters, digits, - and _
  --workdir DIR          where the worker works (PRUN_SCRATCH_CWD; default: a scratch folder). In a workspace of
                         prun clone its delta is collected at the end and held against what the result claims
  --resume SESSION       codex, claude: this session (sessionId in outcome.json) goes on, in --workdir
  --executor NAME        codex (the default), claude, omp, or command: any program, given after --. {prompt_file},
                         {result_file}, {unit} and {workdir} in its words are replaced; what it prints is the result if
                         it writes none
  --codex-bin FILE       codex: the program (CODEX_BIN; default: codex in PATH)
  --bin FILE             claude, omp: the program (CLAUDE_BIN, OMP_BIN; default: looked up in PATH)
  --model NAME           codex, claude, omp: model for the worker
  --sandbox MODE         codex: read-only, workspace-write or danger-full-access (CODEX_DISPATCH_SANDBOX; the last)
  --reasoning-effort R   codex (CODEX_DISPATCH_REASONING; xhigh), claude: effort; omp: its thinking level
  --no-isolate-mcp       codex, claude: keep the user's config and MCP servers (CODEX_DISPATCH_ISOLATE_MCP=off)
  --no-network           codex: no network in a workspace-write sandbox
  --config KEY=VALUE     codex: a further setting, its value in TOML; may be repeated
  --image FILE           codex: an image that it sees with the prompt; may be repeated
  --output-schema FILE   codex, claude: a JSON schema that its last message must satisfy
  --structured           codex, claude: its last message is prun's structured result (JSON), which becomes the result
  --ephemeral            codex, claude: nothing is kept of the session, so it cannot be resumed
  --pnpm-store DIR       codex: an existing folder (absolute), granted to the sandbox as the store of pnpm
  --permission-mode M    claude: its permission mode (bypassPermissions)
  --stall-threshold SEC  reap after this long without progress, 0 = never (PRUN_STALL_THRESHOLD; 600)
  --timeout SEC          reap after this long in any case, 0 = never (CODEX_DISPATCH_TIMEOUT; 0)
  --max-output BYTES     reap after this much output, also 500M or 2G, 0 = no limit (1G)
  --pass-env NAME        pass on a variable that is kept from workers otherwise; may be repeated
  --state-home DIR       where the state dir is made (TMPDIR, else the system's temp folder)
  --allow-nested         let a worker start prun again
  --contain              run the worker in a pid namespace of its own where that works
  --help                 this text

Exit code: the worker's own; 124 reaped; 126 or 127 the worker cannot be started; 74 no result could be written;
2 usage; 128+n ended by a signal. outcome.json in the state dir decides.
`;
runMain("dispatch-task", async () => {
  const interruption = listenForInterruption();
  const parsed2 = parseDispatch(process.argv.slice(2), process.env, process.cwd());
  if (!parsed2) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (parsed2.command.options?.pnpmStore !== void 0) {
    const { requireStore: requireStore2 } = await Promise.resolve().then(() => (init_require_store(), require_store_exports));
    await requireStore2(parsed2, parsed2.command.options.pnpmStore);
  }
  const guardian = [process.execPath, import_node_path33.default.join(__dirname, "reap-watch.cjs")];
  const prun = import_node_path33.default.join(__dirname, "prun.cjs");
  const request = { ...parsed2, executor: executorByName(parsed2.executorName), guardian, prun };
  const code = await dispatch(request, await currentHost(), interruption, (stateDir) => {
    writeAllSync(1, `STATE-DIR ${printedName(stateDir)}
`);
  });
  process.exit(code);
});
