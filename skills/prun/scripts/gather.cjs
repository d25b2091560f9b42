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

// scripts-src/platform/clock.ts
function monotonicMs() {
  return Number(process.hrtime.bigint() / 1000000n);
}
var init_clock = __esm({
  "scripts-src/platform/clock.ts"() {
    "use strict";
  }
});

// scripts-src/platform/errors.ts
function usageError(message, next) {
  return new PrunError("E_USAGE", message, next, EXIT.usage);
}
function errnoOf(error) {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return void 0;
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
async function runMain(program, main2) {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  try {
    process.exitCode = await main2();
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

// scripts-src/unit/printed-name.ts
function printedName(name) {
  return /^"|[\u0000-\u001f\u007f\u0085\u2028\u2029]/.test(name) ? JSON.stringify(name).replace(/[\u007f\u0085\u2028\u2029]/g, escapeCode) : name;
}
function escapeCode(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
var init_printed_name = __esm({
  "scripts-src/unit/printed-name.ts"() {
    "use strict";
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
    for (const name of (0, import_node_fs2.readdirSync)(procRoot)) {
      if (!isPidName(name)) continue;
      const found = entry(Number(name));
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
    const fd = (0, import_node_fs2.openSync)(file, "r");
    let count2;
    try {
      count2 = (0, import_node_fs2.readSync)(fd, buffer);
    } finally {
      (0, import_node_fs2.closeSync)(fd);
    }
    return count2 < buffer.length ? buffer.toString("latin1", 0, count2) : (0, import_node_fs2.readFileSync)(file, "latin1");
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
var import_node_fs2, TICKS_PER_SECOND, buffer;
var init_linux = __esm({
  "scripts-src/process/linux.ts"() {
    "use strict";
    import_node_fs2 = require("node:fs");
    init_types();
    TICKS_PER_SECOND = 100;
    buffer = Buffer.allocUnsafe(4096);
  }
});

// scripts-src/process/command-runner.ts
function createCommandRunner(options) {
  return (file, argv) => {
    const { spawnSync } = childProcess();
    const result = spawnSync(file, argv, {
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
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch {
    return void 0;
  }
  if (isRecord(parsed) && Array.isArray(parsed.value)) parsed = parsed.value;
  return Array.isArray(parsed) ? parsed.flatMap((item) => isRecord(item) ? rowOf(item, isoMs(item.Created)) : []) : void 0;
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
  const pid = count(fields.ProcessId);
  if (!pid || !Number.isFinite(created) || created <= 0) return [];
  const read = count(fields.ReadTransferCount);
  const written = count(fields.WriteTransferCount);
  const ticks = (count(fields.KernelModeTime) ?? 0) + (count(fields.UserModeTime) ?? 0);
  return [
    {
      pid,
      ppid: count(fields.ParentProcessId) ?? 0,
      created: Math.trunc(created),
      name: typeof fields.Name === "string" ? fields.Name : "",
      cpuMs: Math.round(ticks / TICKS_PER_MS),
      io: read === void 0 || written === void 0 ? void 0 : { read, written }
    }
  ];
}
function count(value) {
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
  const { now = monotonicMs, self = process.pid, kill = process.kill.bind(process) } = options;
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
    const output = preferWmic ? void 0 : run(powerShell(), powerShellArgs(endScript(targets)));
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
    const [, pidText, ppid, pgid, state = "", month, day, hour, minute, second, year, time2 = "", name] = match;
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
    const path8 = [];
    let entry = first;
    while (entry && !known.has(entry.pid) && !visited.has(entry.pid)) {
      visited.add(entry.pid);
      path8.push(entry);
      entry = relativeInSession(entries, entry);
    }
    const sid = entry && known.get(entry.pid);
    for (const one of path8) if (sid !== void 0) known.set(one.pid, sid);
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
    const [, pidText, month, day, hour, minute, second, year, command = ""] = match;
    const pid = Number(pidText);
    const epoch = epochOf([month, day, hour, minute, second, year]);
    if (epoch === void 0 || commands.has(pid)) continue;
    commands.set(pid, { start: String(epoch / 1e3), text: command });
  }
  return commands;
}
function marksOf(withEnvironment, plain) {
  if (withEnvironment.start !== plain.start || !withEnvironment.text.startsWith(plain.text)) return void 0;
  const environment = withEnvironment.text.slice(plain.text.length);
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
    init_types();
    PS_COLUMNS = ["pid", "ppid", "pgid", "state", "lstart", "time", "comm"].flatMap((name) => [
      "-o",
      `${name}=`
    ]);
    PS_COMMAND_COLUMNS = ["pid", "lstart", "command"].flatMap((name) => ["-o", `${name}=`]);
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
function createDarwinHost(run = darwinRunner(), options = {}) {
  const { now = monotonicMs, self = process.pid, kill = process.kill.bind(process) } = options;
  let boot;
  let trouble;
  let table;
  let single = /* @__PURE__ */ new Map();
  function ask(argv) {
    const output = run(PS, argv);
    const entries = output === void 0 ? void 0 : parsePsTable(output);
    trouble = entries?.has(self) ? void 0 : `${PS} gave no usable process table`;
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
    const read = (argv) => parsePsCommands(run(PS, [...argv, ...selection, ...PS_COMMAND_COLUMNS]) ?? "");
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

// scripts-src/platform/pause.ts
function pauseSync(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
var init_pause = __esm({
  "scripts-src/platform/pause.ts"() {
    "use strict";
  }
});

// scripts-src/platform/random.ts
function shortHash(text) {
  let hash = 2166136261;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
var init_random = __esm({
  "scripts-src/platform/random.ts"() {
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
function readRange(fd, offset, limit) {
  const buffer2 = Buffer.allocUnsafe(limit);
  return buffer2.subarray(0, readFully(fd, buffer2, offset));
}
function readFully(fd, buffer2, offset) {
  let done = 0;
  while (done < buffer2.length) {
    const count2 = (0, import_node_fs3.readSync)(fd, buffer2, done, buffer2.length - done, offset + done);
    if (count2 === 0) break;
    done += count2;
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
var import_node_fs3;
var init_files = __esm({
  "scripts-src/platform/files.ts"() {
    "use strict";
    import_node_fs3 = require("node:fs");
    init_errors();
    init_pause();
    init_random();
  }
});

// scripts-src/process/identity.ts
function parseIdentity(text) {
  const match = /^([^:]+):(\d+):([^:]+)$/.exec(text.trim());
  if (!match?.[1] || !match[2] || !match[3]) return void 0;
  return { boot: match[1], pid: Number(match[2]), start: match[3] };
}
function identityOf(host, entry) {
  return { boot: host.bootId(), pid: entry.pid, start: entry.start };
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

// scripts-src/unit/landing.ts
function judgeLanding(facts, windowSeconds, nowMs) {
  if (!facts.hasText || facts.supervision === "held") return WAITING;
  if (facts.supervision === "ended") return { landed: true, dueMs: Number.POSITIVE_INFINITY };
  const leftMs = windowSeconds * 1e3 - facts.quietMs;
  return leftMs > 0 ? { landed: false, dueMs: nowMs + leftMs } : { landed: true, dueMs: Number.POSITIVE_INFINITY };
}
var WAITING;
var init_landing = __esm({
  "scripts-src/unit/landing.ts"() {
    "use strict";
    WAITING = { landed: false, dueMs: Number.POSITIVE_INFINITY };
  }
});

// scripts-src/unit/quiet-file.ts
function createQuietFile(clocks) {
  const offset = clocks.wallMs() - clocks.nowMs();
  let seen;
  let sinceMs = 0;
  return {
    quietMs(stamp) {
      const nowMs = clocks.nowMs();
      if (!seen || !sameStamp(seen, stamp)) {
        seen = stamp;
        sinceMs = nowMs;
      }
      const wallMs = clocks.wallMs();
      const stepped = Math.abs(wallMs - nowMs - offset) > CLOCK_STEP_MS;
      return Math.max(nowMs - sinceMs, stepped ? 0 : wallMs - mtimeMs(stamp));
    }
  };
}
function mtimeMs(stamp) {
  return Number(BigInt(stamp.mtimeNs) / 1000000n);
}
var CLOCK_STEP_MS;
var init_quiet_file = __esm({
  "scripts-src/unit/quiet-file.ts"() {
    "use strict";
    init_files();
    CLOCK_STEP_MS = 1e3;
  }
});

// scripts-src/platform/home-folder.ts
function homeFolder() {
  const named = import_node_os.default.homedir();
  if (import_node_path2.default.isAbsolute(named)) return named;
  try {
    return import_node_os.default.userInfo().homedir;
  } catch {
    throw usageError(`HOME is ${JSON.stringify(named)}, no absolute path`, "set HOME to your home folder");
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

// scripts-src/platform/state-home.ts
function stateHome(environment, platform = process.platform) {
  if (environment.PRUN_STATE_HOME) return import_node_path3.default.resolve(environment.PRUN_STATE_HOME);
  if (platform === "win32") {
    return import_node_path3.default.join(
      absolute(environment.LOCALAPPDATA) ?? import_node_path3.default.join(homeFolder(), "AppData", "Local"),
      "prun"
    );
  }
  const base = absolute(environment.XDG_STATE_HOME) ?? import_node_path3.default.join(homeFolder(), ".local", "state");
  return import_node_path3.default.join(base, "prun");
}
function absolute(value) {
  return value && import_node_path3.default.isAbsolute(value) ? value : void 0;
}
var import_node_path3;
var init_state_home = __esm({
  "scripts-src/platform/state-home.ts"() {
    "use strict";
    import_node_path3 = __toESM(require("node:path"), 1);
    init_home_folder();
  }
});

// scripts-src/unit/state-dir.ts
function stateFile(stateDir, file) {
  return import_node_path4.default.join(stateDir, STATE_FILES[file]);
}
var import_node_path4, STATE_FILES;
var init_state_dir = __esm({
  "scripts-src/unit/state-dir.ts"() {
    "use strict";
    import_node_path4 = __toESM(require("node:path"), 1);
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

// scripts-src/unit/guardian.ts
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
var init_guardian = __esm({
  "scripts-src/unit/guardian.ts"() {
    "use strict";
    init_files();
    init_identity();
    init_state_dir();
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

// scripts-src/unit/result-claim.ts
function findClaim(resultFile) {
  for (const folder of claimFolders(resultFile)) {
    const newest = newestEpoch(folder);
    const claim2 = newest > 0 ? readClaim(import_node_path5.default.join(folder, String(newest))) : void 0;
    if (claim2 && sameResult(claim2.resultFile, resultFile)) return claim2;
  }
  return void 0;
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
    import_node_path5.default.join(stateHome(process.env), "results", name),
    import_node_path5.default.join(import_node_path5.default.resolve(import_node_os2.default.tmpdir()), `prun-results-${owner}`, name)
  ];
}
function canonicalPath(file) {
  const absolute2 = import_node_path5.default.resolve(file);
  let folder = import_node_path5.default.dirname(absolute2);
  try {
    folder = import_node_fs4.realpathSync.native(folder);
  } catch {
  }
  const whole = import_node_path5.default.join(folder, import_node_path5.default.basename(absolute2));
  return process.platform === "linux" ? whole : whole.toLowerCase();
}
function sameResult(a, b) {
  return canonicalPath(a) === canonicalPath(b);
}
function newestEpoch(folder) {
  try {
    if (process.getuid && (0, import_node_fs4.statSync)(folder).uid !== process.getuid()) return 0;
    return (0, import_node_fs4.readdirSync)(folder).reduce(
      (newest, name) => /^\d+$/.test(name) ? Math.max(newest, Number(name)) : newest,
      0
    );
  } catch {
    return 0;
  }
}
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
var import_node_fs4, import_node_os2, import_node_path5, READ_TRIES, READ_PAUSE_MS;
var init_result_claim = __esm({
  "scripts-src/unit/result-claim.ts"() {
    "use strict";
    import_node_fs4 = require("node:fs");
    import_node_os2 = __toESM(require("node:os"), 1);
    import_node_path5 = __toESM(require("node:path"), 1);
    init_files();
    init_pause();
    init_random();
    init_state_home();
    init_identity();
    init_guardian();
    init_records();
    init_state_dir();
    READ_TRIES = 20;
    READ_PAUSE_MS = 5;
  }
});

// scripts-src/unit/result-file.ts
function resultStateOf(file) {
  try {
    if (!(0, import_node_fs5.lstatSync)(file, { throwIfNoEntry: false })) return "missing";
  } catch {
    return "missing";
  }
  const stamp = stampOf(file);
  if (!stamp) return "not-a-file";
  if (stamp.size === 0) return "empty";
  if (!isReadable(file)) return "not-a-file";
  return stamp.size > LOOK_BYTES || !INVISIBLE.test(readStart(file, LOOK_BYTES)) ? "text" : "empty";
}
function isReadable(file) {
  try {
    (0, import_node_fs5.accessSync)(file, import_node_fs5.constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
function isFallback(file) {
  const firstLine = readStart(file, 512).split(/\r?\n/, 1)[0] ?? "";
  return /^# .* result \(FALLBACK, worker wrote no result file\)$/.test(firstLine);
}
var import_node_fs5, LOOK_BYTES, INVISIBLE;
var init_result_file = __esm({
  "scripts-src/unit/result-file.ts"() {
    "use strict";
    import_node_fs5 = require("node:fs");
    init_errors();
    init_files();
    LOOK_BYTES = 65536;
    INVISIBLE = /^[\s\p{Cc}\p{Cf}]*$/u;
  }
});

// scripts-src/unit/awaited-result.ts
function createAwaitedResult(file, name, world) {
  const { clocks } = world;
  const quiet = createQuietFile(clocks);
  const warned = /* @__PURE__ */ new Set();
  let claim2;
  let holder;
  let claimAtMs = Number.NEGATIVE_INFINITY;
  function look() {
    if (claim2 && holder && !hasOutcome(claim2) && isAlive(world.host(), holder)) return WAITING;
    const stamp = (0, import_node_fs6.existsSync)(file) && resultStateOf(file) === "text" ? stampOf(file) : void 0;
    const nowMs = clocks.nowMs();
    if (stamp || nowMs >= claimAtMs + CLAIM_PAUSE_MS) {
      claim2 = findClaim(file);
      holder = claim2 && parseIdentity(claim2.holder);
      claimAtMs = nowMs;
    }
    const facts = {
      hasText: stamp !== void 0,
      quietMs: stamp ? quiet.quietMs(stamp) : 0,
      supervision: claim2 ? supervisionOf(claim2, stamp) : "none"
    };
    const landing = judgeLanding(facts, world.windowSeconds, nowMs);
    if (landing.landed && isFallback(file)) {
      world.warn(`${name} is a FALLBACK: the worker wrote no result file`);
    }
    return landing;
  }
  function supervisionOf(by, stamp) {
    if (!hasOutcome(by) && isHeld(world.host(), by)) return "held";
    if (!hasOutcome(by)) {
      if ((0, import_node_fs6.existsSync)(by.stateDir)) warnOnce(by, `its dispatcher died without an outcome: see ${by.stateDir}`);
      return "none";
    }
    const outcome = world.readOutcome(by.stateDir);
    if (outcome?.result) return isCovered(by, stamp) ? "ended" : "none";
    if (!stamp) warnOnce(by, reasonOf(outcome, by));
    return "none";
  }
  function isCovered(by, stamp) {
    const outcome = stampOf(stateFile(by.stateDir, "outcome"));
    return stamp !== void 0 && outcome !== void 0 && BigInt(stamp.mtimeNs) <= BigInt(outcome.mtimeNs);
  }
  function reasonOf(outcome, by) {
    if (!outcome) return `its outcome cannot be read: see ${by.stateDir}`;
    const why = outcome.resultError ?? outcome.detail;
    return `no result was written (${outcome.status}, ${outcome.reason}): ${oneLine(why)}: see ${by.stateDir}`;
  }
  function warnOnce(by, text) {
    if (warned.has(by.stateDir)) return;
    warned.add(by.stateDir);
    world.warn(`${name}: ${text}`);
  }
  return { look, stateDir: () => claim2?.stateDir };
}
function hasOutcome(claim2) {
  return (0, import_node_fs6.existsSync)(stateFile(claim2.stateDir, "outcome"));
}
function oneLine(text) {
  return text.replace(/\s+/g, " ").trim();
}
var import_node_fs6, CLAIM_PAUSE_MS;
var init_awaited_result = __esm({
  "scripts-src/unit/awaited-result.ts"() {
    "use strict";
    import_node_fs6 = require("node:fs");
    init_files();
    init_identity();
    init_landing();
    init_quiet_file();
    init_result_claim();
    init_result_file();
    init_state_dir();
    CLAIM_PAUSE_MS = 3e4;
  }
});

// scripts-src/unit/keep-looking.ts
function keepLooking(waiting) {
  const { count: count2, nowMs } = waiting;
  const roundMs = Math.max(50, Math.min(waiting.roundMs, waiting.pollMs));
  const turn = Math.max(TURN, Math.ceil(count2 * roundMs / Math.max(roundMs, waiting.pollMs)));
  const woken = new Set(Array(count2).keys());
  const deadlineMs = waiting.timeoutMs > 0 ? nowMs() + waiting.timeoutMs : Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  let roundAtMs = nowMs() + roundMs;
  let next = 0;
  let timer;
  let over = false;
  let settle;
  const ended = new Promise((resolve, reject) => {
    settle = { resolve, reject };
  });
  arm();
  return { wake, ended };
  function wake(index) {
    woken.add(index);
    if (!over) arm();
  }
  function arm() {
    let atMs = Math.min(roundAtMs, deadlineMs);
    if (woken.size > 0) atMs = lastMs + PAUSE_MS;
    else for (let index = 0; index < count2; index++) atMs = Math.min(atMs, waiting.dueMs(index));
    clearTimeout(timer);
    timer = setTimeout(run, Math.max(0, Math.max(atMs, lastMs + PAUSE_MS) - nowMs()));
  }
  function run() {
    try {
      const answer = lookNow();
      over = answer !== void 0;
      if (answer === void 0) arm();
      else settle?.resolve(answer);
    } catch (error) {
      over = true;
      settle?.reject(error);
    }
  }
  function lookNow() {
    lastMs = nowMs();
    if (lastMs >= deadlineMs) return waiting.look([...Array(count2).keys()]) ?? waiting.timedOut();
    if (lastMs >= roundAtMs) takeTurn();
    for (let index = 0; index < count2; index++) if (waiting.dueMs(index) <= lastMs) woken.add(index);
    const indexes = [...woken];
    woken.clear();
    return indexes.length > 0 ? waiting.look(indexes) : void 0;
  }
  function takeTurn() {
    roundAtMs = lastMs + roundMs;
    for (let i = 0; i < Math.min(turn, count2); i++) {
      woken.add(next);
      next = (next + 1) % count2;
    }
  }
}
var TURN, PAUSE_MS;
var init_keep_looking = __esm({
  "scripts-src/unit/keep-looking.ts"() {
    "use strict";
    TURN = 50;
    PAUSE_MS = 20;
  }
});

// node_modules/zod/v4/core/util.js
var util_exports = {};
__export(util_exports, {
  BIGINT_FORMAT_RANGES: () => BIGINT_FORMAT_RANGES,
  CONSTANT_CATCH: () => CONSTANT_CATCH,
  Class: () => Class,
  NUMBER_FORMAT_RANGES: () => NUMBER_FORMAT_RANGES,
  aborted: () => aborted,
  allowsEval: () => allowsEval,
  assert: () => assert,
  assertEqual: () => assertEqual,
  assertIs: () => assertIs,
  assertNever: () => assertNever,
  assertNotEqual: () => assertNotEqual,
  assignProp: () => assignProp,
  attachSchema: () => attachSchema,
  base64ToUint8Array: () => base64ToUint8Array,
  base64urlToUint8Array: () => base64urlToUint8Array,
  cached: () => cached,
  captureStackTrace: () => captureStackTrace,
  cleanEnum: () => cleanEnum,
  cleanRegex: () => cleanRegex,
  clone: () => clone,
  cloneDef: () => cloneDef,
  codePointLength: () => codePointLength,
  constantCatch: () => constantCatch,
  createTransparentProxy: () => createTransparentProxy,
  defineLazy: () => defineLazy,
  defineLazyInternal: () => defineLazyInternal,
  derived: () => derived,
  esc: () => esc,
  escapeRegex: () => escapeRegex,
  explicitlyAborted: () => explicitlyAborted,
  extend: () => extend,
  finalizeIssue: () => finalizeIssue,
  floatSafeRemainder: () => floatSafeRemainder,
  getElementAtPath: () => getElementAtPath,
  getEnumValues: () => getEnumValues,
  getLengthableOrigin: () => getLengthableOrigin,
  getParsedType: () => getParsedType,
  getSizableOrigin: () => getSizableOrigin,
  hexToUint8Array: () => hexToUint8Array,
  hide: () => hide,
  installLazyProp: () => installLazyProp,
  isObject: () => isObject,
  isPlainObject: () => isPlainObject,
  issue: () => issue,
  joinValues: () => joinValues,
  jsonStringifyReplacer: () => jsonStringifyReplacer,
  members: () => members,
  merge: () => merge,
  mergeDefs: () => mergeDefs,
  normalizeParams: () => normalizeParams,
  nullish: () => nullish,
  numKeys: () => numKeys,
  objectClone: () => objectClone,
  omit: () => omit,
  optionalKeys: () => optionalKeys,
  own: () => own,
  parsedType: () => parsedType,
  partial: () => partial,
  pick: () => pick,
  prefixIssues: () => prefixIssues,
  primitiveTypes: () => primitiveTypes,
  promiseAllObject: () => promiseAllObject,
  propertyKeyTypes: () => propertyKeyTypes,
  randomString: () => randomString,
  rawShape: () => rawShape,
  required: () => required,
  safeExtend: () => safeExtend,
  shallowClone: () => shallowClone,
  sizeCaps: () => sizeCaps,
  slugify: () => slugify,
  stringifyPrimitive: () => stringifyPrimitive,
  toZod: () => toZod,
  uint8ArrayToBase64: () => uint8ArrayToBase64,
  uint8ArrayToBase64url: () => uint8ArrayToBase64url,
  uint8ArrayToHex: () => uint8ArrayToHex,
  unwrapMessage: () => unwrapMessage
});
function assertEqual(val) {
  return val;
}
function assertNotEqual(val) {
  return val;
}
function toZod() {
  return (schema) => schema;
}
function assertIs(_arg) {
}
function assertNever(_x) {
  throw new Error("Unexpected value in exhaustive check");
}
function assert(_) {
}
function getEnumValues(entries) {
  const numericValues = Object.values(entries).filter((v) => typeof v === "number");
  const values = Object.entries(entries).filter(([k, _]) => numericValues.indexOf(+k) === -1).map(([_, v]) => v);
  return values;
}
function joinValues(array2, separator = "|") {
  return array2.map((val) => stringifyPrimitive(val)).join(separator);
}
function jsonStringifyReplacer(_, value) {
  if (typeof value === "bigint")
    return value.toString();
  return value;
}
function cached(getter) {
  return new Cached(getter);
}
function nullish(input) {
  return input === null || input === void 0;
}
function cleanRegex(source) {
  const start = source.startsWith("^") ? 1 : 0;
  const end = source.endsWith("$") ? source.length - 1 : source.length;
  return source.slice(start, end);
}
function floatSafeRemainder(val, step) {
  const ratio = val / step;
  const roundedRatio = Math.round(ratio);
  const tolerance = 4 * Number.EPSILON * Math.max(Math.abs(ratio), 1);
  if (Math.abs(ratio - roundedRatio) < tolerance)
    return 0;
  return ratio - roundedRatio;
}
function defineLazy(object2, key, getter) {
  let value = void 0;
  Object.defineProperty(object2, key, {
    get() {
      if (value === EVALUATING) {
        return void 0;
      }
      if (value === void 0) {
        value = EVALUATING;
        value = getter();
      }
      return value;
    },
    set(v) {
      Object.defineProperty(object2, key, {
        value: v
        // configurable: true,
      });
    },
    configurable: true
  });
}
function objectClone(obj) {
  return Object.create(Object.getPrototypeOf(obj), Object.getOwnPropertyDescriptors(obj));
}
function assignProp(target, prop, value) {
  Object.defineProperty(target, prop, {
    value,
    writable: true,
    enumerable: true,
    configurable: true
  });
}
function rawShape(def) {
  const desc = Object.getOwnPropertyDescriptor(def, "shape");
  return desc?.get ? desc.get.raw : desc?.value;
}
function sourceShape(schema) {
  return rawShape(schema._zod.def) ?? schema._zod.def.shape;
}
function deferProp(target, key, getter) {
  Object.defineProperty(target, key, {
    get() {
      const value = getter();
      assignProp(this, key, value);
      return value;
    },
    enumerable: true,
    configurable: true
  });
}
function putProp(target, key, value) {
  if (key in target)
    assignProp(target, key, value);
  else
    target[key] = value;
}
function mirrorShape(target, source, keys, wrap) {
  const raw = sourceShape(source);
  for (const key of keys) {
    const desc = Object.getOwnPropertyDescriptor(raw, key);
    if (!desc.enumerable)
      continue;
    if (desc.get) {
      deferProp(target, key, () => {
        const value = source._zod.def.shape[key];
        return wrap ? wrap(value, key) : value;
      });
    } else
      putProp(target, key, wrap ? wrap(desc.value, key) : desc.value);
  }
}
function mirrorProps(target, source) {
  for (const key of Reflect.ownKeys(source)) {
    const desc = Object.getOwnPropertyDescriptor(source, key);
    if (!desc.enumerable)
      continue;
    if (desc.get)
      deferProp(target, key, () => source[key]);
    else
      putProp(target, key, desc.value);
  }
}
function mergeDefs(...defs) {
  const mergedDescriptors = {};
  for (const def of defs) {
    const descriptors = Object.getOwnPropertyDescriptors(def);
    Object.assign(mergedDescriptors, descriptors);
  }
  return Object.defineProperties({}, mergedDescriptors);
}
function cloneDef(schema) {
  return mergeDefs(schema._zod.def);
}
function getElementAtPath(obj, path8) {
  if (!path8)
    return obj;
  return path8.reduce((acc, key) => acc?.[key], obj);
}
function promiseAllObject(promisesObj) {
  const keys = Object.keys(promisesObj);
  const promises = keys.map((key) => promisesObj[key]);
  return Promise.all(promises).then((results) => {
    const resolvedObj = {};
    for (let i = 0; i < keys.length; i++) {
      resolvedObj[keys[i]] = results[i];
    }
    return resolvedObj;
  });
}
function randomString(length = 10) {
  const chars = "abcdefghijklmnopqrstuvwxyz";
  let str = "";
  for (let i = 0; i < length; i++) {
    str += chars[Math.floor(Math.random() * chars.length)];
  }
  return str;
}
function esc(str) {
  return JSON.stringify(str);
}
function slugify(input) {
  return input.toLowerCase().trim().replace(/[^\w\s-]/g, "").replace(/[\s_-]+/g, "-").replace(/^-+|-+$/g, "");
}
function isObject(data) {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}
function isPlainObject(o) {
  if (isObject(o) === false)
    return false;
  const ctor = o.constructor;
  if (ctor === void 0)
    return true;
  if (typeof ctor !== "function")
    return true;
  const prot = ctor.prototype;
  if (isObject(prot) === false)
    return false;
  if (Object.prototype.hasOwnProperty.call(prot, "isPrototypeOf") === false) {
    return false;
  }
  return true;
}
function shallowClone(o) {
  if (isPlainObject(o))
    return { ...o };
  if (Array.isArray(o))
    return [...o];
  if (o instanceof Map)
    return new Map(o);
  if (o instanceof Set)
    return new Set(o);
  return o;
}
function numKeys(data) {
  let keyCount = 0;
  for (const key in data) {
    if (Object.prototype.hasOwnProperty.call(data, key)) {
      keyCount++;
    }
  }
  return keyCount;
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
function createTransparentProxy(getter) {
  let target;
  return new Proxy({}, {
    get(_, prop, receiver) {
      target ?? (target = getter());
      return Reflect.get(target, prop, receiver);
    },
    set(_, prop, value, receiver) {
      target ?? (target = getter());
      return Reflect.set(target, prop, value, receiver);
    },
    has(_, prop) {
      target ?? (target = getter());
      return Reflect.has(target, prop);
    },
    deleteProperty(_, prop) {
      target ?? (target = getter());
      return Reflect.deleteProperty(target, prop);
    },
    ownKeys(_) {
      target ?? (target = getter());
      return Reflect.ownKeys(target);
    },
    getOwnPropertyDescriptor(_, prop) {
      target ?? (target = getter());
      return Reflect.getOwnPropertyDescriptor(target, prop);
    },
    defineProperty(_, prop, descriptor) {
      target ?? (target = getter());
      return Reflect.defineProperty(target, prop, descriptor);
    }
  });
}
function stringifyPrimitive(value) {
  if (typeof value === "bigint")
    return value.toString() + "n";
  if (typeof value === "string")
    return `"${value}"`;
  return `${value}`;
}
function optionalKeys(shape) {
  return Object.keys(shape).filter((k) => {
    return shape[k]._zod.optin !== void 0 && shape[k]._zod.optout === "optional";
  });
}
function pick(schema, mask) {
  const currDef = schema._zod.def;
  const checks = currDef.checks;
  const hasChecks = checks && checks.length > 0;
  if (hasChecks) {
    throw new Error(".pick() cannot be used on object schemas containing refinements");
  }
  const newShape = {};
  mirrorShape(newShape, schema, maskedKeys(schema, mask));
  return clone(schema, mergeDefs(currDef, { shape: newShape, checks: [] }));
}
function maskedKeys(schema, mask) {
  const raw = sourceShape(schema);
  const keys = [];
  for (const key of Reflect.ownKeys(mask)) {
    if (!Object.getOwnPropertyDescriptor(raw, key)?.enumerable) {
      throw new Error(`Unrecognized key: "${String(key)}"`);
    }
    if (mask[key])
      keys.push(key);
  }
  return keys;
}
function omit(schema, mask) {
  const currDef = schema._zod.def;
  const checks = currDef.checks;
  const hasChecks = checks && checks.length > 0;
  if (hasChecks) {
    throw new Error(".omit() cannot be used on object schemas containing refinements");
  }
  const omitted = new Set(maskedKeys(schema, mask));
  const newShape = {};
  mirrorShape(newShape, schema, Reflect.ownKeys(sourceShape(schema)).filter((key) => !omitted.has(key)));
  return clone(schema, mergeDefs(currDef, { shape: newShape, checks: [] }));
}
function extend(schema, shape) {
  if (!isPlainObject(shape)) {
    throw new Error("Invalid input to extend: expected a plain object");
  }
  const checks = schema._zod.def.checks;
  const hasChecks = checks && checks.length > 0;
  if (hasChecks) {
    const existingShape = sourceShape(schema);
    for (const key of Reflect.ownKeys(shape)) {
      if (Object.getOwnPropertyDescriptor(existingShape, key) !== void 0) {
        throw new Error("Cannot overwrite keys on object schemas containing refinements. Use `.safeExtend()` instead.");
      }
    }
  }
  return clone(schema, mergeDefs(schema._zod.def, { shape: extended(schema, shape) }));
}
function extended(schema, shape) {
  const newShape = {};
  mirrorShape(newShape, schema, Reflect.ownKeys(sourceShape(schema)));
  mirrorProps(newShape, shape);
  return newShape;
}
function safeExtend(schema, shape) {
  if (!isPlainObject(shape)) {
    throw new Error("Invalid input to safeExtend: expected a plain object");
  }
  return clone(schema, mergeDefs(schema._zod.def, { shape: extended(schema, shape) }));
}
function merge(a, b) {
  if (!b?._zod?.def) {
    throw new Error("Invalid input to merge: expected an object schema. To merge a plain shape, use `.extend()`.");
  }
  if (a._zod.def.checks?.length) {
    throw new Error(".merge() cannot be used on object schemas containing refinements. Use .safeExtend() instead.");
  }
  const newShape = {};
  mirrorShape(newShape, a, Reflect.ownKeys(sourceShape(a)));
  mirrorShape(newShape, b, Reflect.ownKeys(sourceShape(b)));
  const def = mergeDefs(a._zod.def, {
    shape: newShape,
    get catchall() {
      return b._zod.def.catchall;
    },
    checks: b._zod.def.checks ?? []
  });
  return clone(a, def);
}
function partial(Class2, schema, mask, name = "partial") {
  const currDef = schema._zod.def;
  const checks = currDef.checks;
  const hasChecks = checks && checks.length > 0;
  if (hasChecks) {
    throw new Error(`.${name}() cannot be used on object schemas containing refinements`);
  }
  const selected = mask ? new Set(maskedKeys(schema, mask)) : void 0;
  const newShape = {};
  mirrorShape(newShape, schema, Reflect.ownKeys(sourceShape(schema)), Class2 && ((value, key) => selected && !selected.has(key) ? value : new Class2({ type: "optional", innerType: value })));
  return clone(schema, mergeDefs(schema._zod.def, { shape: newShape, checks: [] }));
}
function required(Class2, schema, mask) {
  const selected = mask ? new Set(maskedKeys(schema, mask)) : void 0;
  const newShape = {};
  mirrorShape(newShape, schema, Reflect.ownKeys(sourceShape(schema)), (value, key) => (
    // overwrite with non-optional
    selected && !selected.has(key) ? value : new Class2({ type: "nonoptional", innerType: value })
  ));
  return clone(schema, mergeDefs(schema._zod.def, { shape: newShape }));
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
function prefixIssues(path8, issues) {
  return issues.map((iss) => {
    var _a3;
    (_a3 = iss).path ?? (_a3.path = []);
    iss.path.unshift(path8);
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
function getSizableOrigin(input) {
  if (input instanceof Set)
    return "set";
  if (input instanceof Map)
    return "map";
  if (input instanceof File)
    return "file";
  return "unknown";
}
function codePointLength(str) {
  const units = str.length;
  if (!highSurrogate.test(str))
    return units;
  let count2 = units;
  for (let i = 0; i < units - 1; i++) {
    if ((str.charCodeAt(i) & 64512) === 55296 && (str.charCodeAt(i + 1) & 64512) === 56320) {
      count2--;
      i++;
    }
  }
  return count2;
}
function getLengthableOrigin(input) {
  if (Array.isArray(input))
    return "array";
  if (typeof input === "string")
    return "string";
  return "unknown";
}
function parsedType(data) {
  const t = typeof data;
  switch (t) {
    case "number": {
      return Number.isNaN(data) ? "nan" : "number";
    }
    case "object": {
      if (data === null) {
        return "null";
      }
      if (Array.isArray(data)) {
        return "array";
      }
      const obj = data;
      if (obj && Object.getPrototypeOf(obj) !== Object.prototype && "constructor" in obj && obj.constructor) {
        return obj.constructor.name;
      }
    }
  }
  return t;
}
function issue(...args) {
  const [iss, input, inst] = args;
  if (typeof iss === "string") {
    return {
      message: iss,
      code: "custom",
      input,
      inst
    };
  }
  return { ...iss };
}
function cleanEnum(obj) {
  return Object.entries(obj).filter(([k, _]) => {
    return Number.isNaN(Number.parseInt(k, 10));
  }).map((el) => el[1]);
}
function base64ToUint8Array(base64) {
  const binaryString = atob(base64);
  const bytes = new Uint8Array(binaryString.length);
  for (let i = 0; i < binaryString.length; i++) {
    bytes[i] = binaryString.charCodeAt(i);
  }
  return bytes;
}
function uint8ArrayToBase64(bytes) {
  let binaryString = "";
  for (let i = 0; i < bytes.length; i++) {
    binaryString += String.fromCharCode(bytes[i]);
  }
  return btoa(binaryString);
}
function base64urlToUint8Array(base64url) {
  const base64 = base64url.replace(/-/g, "+").replace(/_/g, "/");
  const padding = "=".repeat((4 - base64.length % 4) % 4);
  return base64ToUint8Array(base64 + padding);
}
function uint8ArrayToBase64url(bytes) {
  return uint8ArrayToBase64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}
function hexToUint8Array(hex) {
  const cleanHex = hex.replace(/^0x/, "");
  if (cleanHex.length % 2 !== 0) {
    throw new Error("Invalid hex string length");
  }
  const bytes = new Uint8Array(cleanHex.length / 2);
  for (let i = 0; i < cleanHex.length; i += 2) {
    bytes[i / 2] = Number.parseInt(cleanHex.slice(i, i + 2), 16);
  }
  return bytes;
}
function uint8ArrayToHex(bytes) {
  return Array.from(bytes).map((b) => b.toString(16).padStart(2, "0")).join("");
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
// @__NO_SIDE_EFFECTS__
function derived(computes, table) {
  for (const key in computes) {
    const compute = computes[key];
    Object.defineProperty(table, key, {
      configurable: true,
      enumerable: true,
      get() {
        return own(this, key, compute(this));
      },
      set(value) {
        own(this, key, value);
      }
    });
  }
  return table;
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
function constantCatch(value) {
  const fn = () => value;
  fn[CONSTANT_CATCH] = true;
  return fn;
}
var Cached, EVALUATING, captureStackTrace, allowsEval, getParsedType, propertyKeyTypes, primitiveTypes, NUMBER_FORMAT_RANGES, BIGINT_FORMAT_RANGES, highSurrogate, Class, installing, broke, breaker, CONSTANT_CATCH;
var init_util = __esm({
  "node_modules/zod/v4/core/util.js"() {
    init_core();
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
    EVALUATING = /* @__PURE__ */ Symbol("evaluating");
    captureStackTrace = "captureStackTrace" in Error ? Error.captureStackTrace : (..._args) => {
    };
    allowsEval = /* @__PURE__ */ cached(() => {
      if (globalConfig.jitless) {
        return false;
      }
      if (typeof navigator !== "undefined" && navigator?.userAgent?.includes("Cloudflare")) {
        return false;
      }
      try {
        const F = Function;
        new F("");
        return true;
      } catch (_) {
        return false;
      }
    });
    getParsedType = (data) => {
      const t = typeof data;
      switch (t) {
        case "undefined":
          return "undefined";
        case "string":
          return "string";
        case "number":
          return Number.isNaN(data) ? "nan" : "number";
        case "boolean":
          return "boolean";
        case "function":
          return "function";
        case "bigint":
          return "bigint";
        case "symbol":
          return "symbol";
        case "object":
          if (Array.isArray(data)) {
            return "array";
          }
          if (data === null) {
            return "null";
          }
          if (data.then && typeof data.then === "function" && data.catch && typeof data.catch === "function") {
            return "promise";
          }
          if (typeof Map !== "undefined" && data instanceof Map) {
            return "map";
          }
          if (typeof Set !== "undefined" && data instanceof Set) {
            return "set";
          }
          if (typeof Date !== "undefined" && data instanceof Date) {
            return "date";
          }
          if (typeof File !== "undefined" && data instanceof File) {
            return "file";
          }
          return "object";
        default:
          throw new Error(`Unknown data type: ${t}`);
      }
    };
    propertyKeyTypes = /* @__PURE__ */ new Set(["string", "number", "symbol"]);
    primitiveTypes = /* @__PURE__ */ new Set([
      "string",
      "number",
      "bigint",
      "boolean",
      "symbol",
      "undefined"
    ]);
    NUMBER_FORMAT_RANGES = /* @__PURE__ */ (() => ({
      safeint: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
      int32: [-2147483648, 2147483647],
      uint32: [0, 4294967295],
      float32: [-34028234663852886e22, 34028234663852886e22],
      float64: [-Number.MAX_VALUE, Number.MAX_VALUE]
    }))();
    BIGINT_FORMAT_RANGES = {
      int64: [/* @__PURE__ */ BigInt("-9223372036854775808"), /* @__PURE__ */ BigInt("9223372036854775807")],
      uint64: [/* @__PURE__ */ BigInt(0), /* @__PURE__ */ BigInt("18446744073709551615")]
    };
    highSurrogate = /[\uD800-\uDBFF]/;
    Class = class {
      constructor(..._args) {
      }
    };
    broke = false;
    breaker = {
      configurable: true,
      get() {
        broke = true;
        return void 0;
      }
    };
    CONSTANT_CATCH = "~constantCatch";
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
var anyString, number, boolean;
var init_regexes = __esm({
  "node_modules/zod/v4/core/regexes.js"() {
    anyString = /^[\s\S]{0,}$/;
    number = /^-?\d+(?:\.\d+)?$/;
    boolean = /^(?:true|false)$/i;
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
function discriminatorMap(def) {
  const map = /* @__PURE__ */ new Map();
  for (const option of def.options) {
    const values = option._zod.propValues?.[def.discriminator];
    if (!values || values.size === 0)
      throw new Error(`Invalid discriminated union option at index "${def.options.indexOf(option)}"`);
    for (const value of values) {
      if (map.has(value)) {
        if (value !== void 0)
          throw new Error(`Duplicate discriminator value "${String(value)}"`);
        map.set(value, null);
      } else {
        map.set(value, option);
      }
    }
  }
  return map;
}
function handleOptionalResult(payload, result) {
  payload.value = result.issues.length ? void 0 : result.value;
  return payload;
}
function handleCatchResult(payload, result, def, ctx) {
  if (!result.issues.length) {
    payload.value = result.value;
    if (result.memo)
      payload.memo = true;
    return payload;
  }
  payload.value = def.catchValue({
    ...result,
    value: payload.value,
    error: {
      issues: result.issues.map((iss) => finalizeIssue(iss, ctx, config()))
    },
    input: payload.value
  });
  return payload;
}
var $ZodType, toStandardResult, $ZodString, $ZodNumber, $ZodBoolean, $ZodNever, arraySize, $ZodArray, NO_SYMBOL_KEYS, $ZodObject, $ZodUnion, $ZodDiscriminatedUnion, $ZodEnum, $ZodLiteral, $ZodOptional, $ZodNullable, $ZodCatch;
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
    $ZodDiscriminatedUnion = /* @__PURE__ */ $constructor("$ZodDiscriminatedUnion", (inst, def) => {
      def.inclusive = false;
      $ZodUnion.init(inst, def);
      const _super = inst._zod.parse;
      defineLazyInternal(inst, "propValues", (zod) => {
        const propValues = {};
        let undefinedCount = 0;
        for (const option of zod.def.options) {
          const pv = option._zod.propValues;
          if (!pv || Object.keys(pv).length === 0)
            throw new Error(`Invalid discriminated union option at index "${zod.def.options.indexOf(option)}"`);
          if (pv[zod.def.discriminator]?.has(void 0))
            undefinedCount++;
          for (const [k, v] of Object.entries(pv)) {
            if (!Object.prototype.hasOwnProperty.call(propValues, k)) {
              assignProp(propValues, k, /* @__PURE__ */ new Set());
            }
            for (const val of v) {
              propValues[k].add(val);
            }
          }
        }
        if (!zod.def.unionFallback && undefinedCount > 1)
          propValues[zod.def.discriminator]?.delete(void 0);
        return propValues;
      });
      def.options.forEach((option, i) => {
        const propShape = rawShape(option._zod.def);
        if (propShape && !Object.prototype.hasOwnProperty.call(propShape, def.discriminator)) {
          throw new Error(`Invalid discriminated union option at index "${i}"`);
        }
      });
      const disc = cached(() => discriminatorMap(def));
      inst._zod.parse = (payload, ctx) => {
        const input = payload.value;
        if (!isObject(input)) {
          payload.issues.push({
            code: "invalid_type",
            expected: "object",
            input,
            inst
          });
          return payload;
        }
        const value = input?.[def.discriminator];
        const opt = disc.value.get(value);
        if (opt && (value !== void 0 || ctx.direction !== "backward")) {
          return opt._zod.run(payload, ctx);
        }
        if (def.unionFallback || ctx.direction === "backward") {
          return _super(payload, ctx);
        }
        payload.issues.push({
          code: "invalid_union",
          errors: [],
          note: "No matching discriminator",
          discriminator: def.discriminator,
          options: Array.from(disc.value.keys()).filter((value2) => disc.value.get(value2) !== null),
          input,
          path: [def.discriminator],
          inst
        });
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
    $ZodLiteral = /* @__PURE__ */ $constructor("$ZodLiteral", (inst, def) => {
      $ZodType.init(inst, def);
      const values = new Set(def.values);
      inst._zod.values = values;
      defineLazyInternal(inst, "pattern", (zod) => {
        const vals = zod.def.values;
        return new RegExp(vals.length ? `^(${vals.map((o) => typeof o === "string" ? escapeRegex(o) : o ? escapeRegex(o.toString()) : String(o)).join("|")})$` : "^[^\\s\\S]$");
      });
      inst._zod.parse = (payload, _ctx) => {
        const input = payload.value;
        if (values.has(input)) {
          return payload;
        }
        payload.issues.push({
          code: "invalid_value",
          values: def.values,
          input,
          inst
        });
        return payload;
      };
    });
    $ZodOptional = /* @__PURE__ */ $constructor("$ZodOptional", (inst, def) => {
      $ZodType.init(inst, def);
      defineLazyInternal(inst, "optin", (zod) => zod.def.innerType._zod.optin === "defaulted" ? "defaulted" : "optional");
      inst._zod.optout = "optional";
      defineLazyInternal(inst, "values", (zod) => {
        const values = zod.def.innerType._zod.values;
        return values ? /* @__PURE__ */ new Set([...values, void 0]) : void 0;
      });
      defineLazyInternal(inst, "pattern", (zod) => {
        const pattern = zod.def.innerType._zod.pattern;
        return pattern ? new RegExp(`^(${cleanRegex(pattern.source)})?$`) : void 0;
      });
      inst._zod.parse = (payload, ctx) => {
        if (payload.value === void 0) {
          if (def.innerType._zod.optin !== "defaulted")
            return payload;
          const result = def.innerType._zod.run({ value: payload.value, issues: [] }, ctx);
          if (result instanceof Promise)
            return result.then((result2) => handleOptionalResult(payload, result2));
          return handleOptionalResult(payload, result);
        }
        return def.innerType._zod.run(payload, ctx);
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
    $ZodCatch = /* @__PURE__ */ $constructor("$ZodCatch", (inst, def) => {
      $ZodType.init(inst, def);
      defineLazyInternal(inst, "optin", (zod) => zod.def.innerType._zod.optin === "defaulted" ? "defaulted" : "optional");
      defineLazyInternal(inst, "optout", (zod) => zod.def.innerType._zod.optout);
      defineLazyInternal(inst, "values", (zod) => zod.def.innerType._zod.values);
      inst._zod.parse = (payload, ctx) => {
        if (ctx.direction === "backward") {
          return def.innerType._zod.run(payload, ctx);
        }
        const result = def.innerType._zod.run({ value: payload.value, issues: [] }, ctx);
        if (result instanceof Promise) {
          return result.then((result2) => handleCatchResult(payload, result2, def, ctx));
        }
        return handleCatchResult(payload, result, def, ctx);
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
function _string(Class2, params) {
  return new Class2(snapshotChecks({ type: "string", ...normalizeParams(params) }));
}
// @__NO_SIDE_EFFECTS__
function _number(Class2, params) {
  return new Class2(snapshotChecks({ type: "number", checks: [], ...normalizeParams(params) }));
}
// @__NO_SIDE_EFFECTS__
function _boolean(Class2, params) {
  return new Class2({
    type: "boolean",
    ...normalizeParams(params)
  });
}
// @__NO_SIDE_EFFECTS__
function _never(Class2, params) {
  return new Class2({
    type: "never",
    ...normalizeParams(params)
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
function discriminatedUnion(discriminator, options, params) {
  return new ZodMiniDiscriminatedUnion({
    type: "union",
    options,
    discriminator,
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
function literal(value, params) {
  return new ZodMiniLiteral({
    type: "literal",
    values: Array.isArray(value) ? value : [value],
    ...normalizeParams(params)
  });
}
// @__NO_SIDE_EFFECTS__
function optional(innerType) {
  return new ZodMiniOptional({
    type: "optional",
    innerType
  });
}
// @__NO_SIDE_EFFECTS__
function nullable(innerType) {
  return new ZodMiniNullable({
    type: "nullable",
    innerType
  });
}
// @__NO_SIDE_EFFECTS__
function _catch(innerType, catchValue) {
  return new ZodMiniCatch({
    type: "catch",
    innerType,
    catchValue: typeof catchValue === "function" ? catchValue : util_exports.constantCatch(catchValue)
  });
}
var ZodMiniType, ZodMiniString, ZodMiniNumber, ZodMiniBoolean, ZodMiniNever, ZodMiniArray, ZodMiniObject, ZodMiniDiscriminatedUnion, ZodMiniEnum, ZodMiniLiteral, ZodMiniOptional, ZodMiniNullable, ZodMiniCatch;
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
      installLazyProp(inst, "shape", (self) => self._zod.def.shape, false);
    });
    ZodMiniDiscriminatedUnion = /* @__PURE__ */ $constructor("ZodMiniDiscriminatedUnion", (inst, def) => {
      $ZodDiscriminatedUnion.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniEnum = /* @__PURE__ */ $constructor("ZodMiniEnum", (inst, def) => {
      $ZodEnum.init(inst, def);
      ZodMiniType.init(inst, def);
      inst.options = [...inst._zod.values];
    });
    ZodMiniLiteral = /* @__PURE__ */ $constructor("ZodMiniLiteral", (inst, def) => {
      $ZodLiteral.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniOptional = /* @__PURE__ */ $constructor("ZodMiniOptional", (inst, def) => {
      $ZodOptional.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniNullable = /* @__PURE__ */ $constructor("ZodMiniNullable", (inst, def) => {
      $ZodNullable.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniCatch = /* @__PURE__ */ $constructor("ZodMiniCatch", (inst, def) => {
      $ZodCatch.init(inst, def);
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

// scripts-src/platform/value-at.ts
var init_value_at = __esm({
  "scripts-src/platform/value-at.ts"() {
    "use strict";
  }
});

// scripts-src/unit/structured-schema.ts
var STRUCTURED_STATUSES;
var init_structured_schema = __esm({
  "scripts-src/unit/structured-schema.ts"() {
    "use strict";
    STRUCTURED_STATUSES = ["DONE", "DONE_WITH_CONCERNS", "BLOCKED", "NEEDS_CONTEXT"];
  }
});

// scripts-src/unit/structured-result.ts
var structuredResult;
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
  }
});

// scripts-src/unit/read-records.ts
function orNull(schema) {
  return _catch(nullable(schema), null);
}
function readOutcome(stateDir) {
  return readRecord(stateFile(stateDir, "outcome"), outcomeRecord);
}
function readRecord(file, schema) {
  const text = readValue(file);
  if (!text) return void 0;
  const json = parseJson(text);
  refuseNewer(json, file);
  const parsed = schema.safeParse(json);
  return parsed.success ? parsed.data : void 0;
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
var limits, tokenCounts, unitRecord, namedProcesses, deltaSummary, claimSummary, tripwireSummary, verifySummary, outcomeRecord, progressRecord;
var init_read_records = __esm({
  "scripts-src/unit/read-records.ts"() {
    "use strict";
    init_mini();
    init_errors();
    init_files();
    init_records();
    init_state_dir();
    init_structured_result();
    limits = object({
      stallThresholdSeconds: number2(),
      timeoutSeconds: number2(),
      maxOutputBytes: number2(),
      maxTokens: optional(number2())
    });
    tokenCounts = object({
      input: number2(),
      cachedInput: number2(),
      output: number2(),
      reasoningOutput: number2()
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
      base: nullable(string2()),
      limits,
      marker: string2(),
      rssMark: nullable(string2()),
      since: number2(),
      supervisor: string2(),
      worker: nullable(string2()),
      startedAt: string2(),
      startedMonotonicMs: number2(),
      boot: string2(),
      resumed: optional(object({ sessionId: string2(), tokensBefore: nullable(tokenCounts) })),
      structured: optional(boolean2()),
      outputSchema: optional(string2())
    });
    namedProcesses = array(object({ pid: number2(), command: string2() }));
    deltaSummary = discriminatedUnion("state", [
      object({
        state: literal("collected"),
        workspace: string2(),
        base: string2(),
        result: string2(),
        files: number2(),
        added: number2(),
        modified: number2(),
        deleted: number2(),
        commits: number2(),
        moves: number2(),
        outside: number2(),
        problems: number2(),
        lost: array(string2()),
        patch: string2()
      }),
      object({
        state: _enum(["failed", "not-collected"]),
        workspace: string2(),
        detail: string2(),
        next: string2()
      })
    ]);
    claimSummary = object({
      claimed: array(string2()),
      unclaimed: array(string2()),
      ignored: array(string2()),
      more: number2()
    });
    tripwireSummary = object({
      since: string2(),
      seenAt: string2(),
      changes: array(
        object({
          what: _enum(["ref", "HEAD", "config", "hook", "worktree"]),
          name: string2(),
          change: _enum(["added", "removed", "changed"]),
          before: optional(string2()),
          after: optional(string2())
        })
      ),
      more: number2(),
      unread: array(string2())
    });
    verifySummary = object({ command: string2(), exitCode: number2(), log: string2() });
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
      tokens: nullable(tokenCounts),
      threadTokens: optional(nullable(tokenCounts)),
      structured: optional(orNull(structuredResult)),
      failure: optional(
        nullable(
          object({
            reason: string2(),
            message: string2(),
            evidence: array(string2()),
            resetAt: nullable(string2()),
            retryAfterSeconds: nullable(number2())
          })
        )
      ),
      startedAt: string2(),
      endedAt: string2(),
      durationMs: number2(),
      lastEvidence: nullable(object({ kind: string2(), at: string2(), quietSeconds: number2() })),
      reaped: namedProcesses,
      survivors: namedProcesses,
      delta: orNull(deltaSummary),
      claims: orNull(claimSummary),
      tripwire: orNull(tripwireSummary),
      verify: orNull(verifySummary),
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

// scripts-src/unit/table-view.ts
function createTableView(host) {
  let snapshot;
  const remembering = {
    ...host,
    entry(pid) {
      snapshot ??= new Map([...host.look(0)].map((entry) => [entry.pid, entry]));
      return snapshot.get(pid);
    }
  };
  return {
    host: () => host.platform === "linux" ? host : remembering,
    refresh: () => {
      snapshot = void 0;
    },
    roundMs: ROUND_MS[host.platform]
  };
}
var ROUND_MS;
var init_table_view = __esm({
  "scripts-src/unit/table-view.ts"() {
    "use strict";
    ROUND_MS = { linux: 1e3, darwin: 5e3, win32: 15e3 };
  }
});

// scripts-src/unit/watch-files.ts
function createFileWatch() {
  const watchers = /* @__PURE__ */ new Map();
  function add(file, changed) {
    if (watchers.has(file)) return true;
    try {
      const watcher = (0, import_node_fs7.watch)(file, (event, name) => {
        if (event === "rename" && name === import_node_path6.default.basename(file)) drop(file);
        changed(name ?? void 0);
      });
      watchers.set(file, watcher);
      watcher.on("error", () => drop(file));
      return true;
    } catch {
      return false;
    }
  }
  function drop(file) {
    watchers.get(file)?.close();
    watchers.delete(file);
  }
  return {
    add,
    isWatched: (file) => watchers.has(file),
    close: () => [...watchers.keys()].forEach(drop)
  };
}
var import_node_fs7, import_node_path6;
var init_watch_files = __esm({
  "scripts-src/unit/watch-files.ts"() {
    "use strict";
    import_node_fs7 = require("node:fs");
    import_node_path6 = __toESM(require("node:path"), 1);
  }
});

// scripts-src/unit/watch-results.ts
var watch_results_exports = {};
__export(watch_results_exports, {
  watchResults: () => watchResults
});
async function watchResults(request, clocks, voice) {
  const table = createTableView(await currentHost());
  const world = {
    host: table.host,
    clocks,
    readOutcome,
    warn: voice.warn,
    windowSeconds: request.stableWindowSeconds
  };
  const files = request.resultFiles;
  const results = files.map((file) => createAwaitedResult(file, printedName(file), world));
  const dueMs = files.map(() => 0);
  const missing = new Set(files.keys());
  const inFolder = indexesByFolder(files);
  const watch2 = createFileWatch();
  const wait = keepLooking({
    count: files.length,
    pollMs: request.pollSeconds * 1e3,
    roundMs: table.roundMs,
    timeoutMs: request.timeoutSeconds * 1e3,
    nowMs: clocks.nowMs,
    look,
    dueMs: (index) => dueMs[index] ?? Number.POSITIVE_INFINITY,
    timedOut: namesOfMissing
  });
  try {
    return await wait.ended;
  } finally {
    watch2.close();
  }
  function look(indexes) {
    table.refresh();
    for (const index of [...indexes].sort((a, b) => a - b)) if (missing.has(index)) lookAt(index);
    return missing.size === 0 ? [] : void 0;
  }
  function lookAt(index) {
    const file = files[index] ?? "";
    watchFolder(import_node_path7.default.dirname(file));
    const landing = results[index]?.look();
    dueMs[index] = landing?.dueMs ?? Number.POSITIVE_INFINITY;
    if (landing?.landed) {
      missing.delete(index);
      voice.landed(printedName(file));
    } else watchOutcome(index);
  }
  function watchFolder(folder) {
    if (watch2.isWatched(folder) || !(0, import_node_fs8.existsSync)(folder)) return;
    watch2.add(folder, (name) => {
      const found = inFolder.get(folder) ?? /* @__PURE__ */ new Map();
      const indexes = name === void 0 ? [...found.values()].flat() : found.get(name) ?? [];
      for (const index of indexes) wait.wake(index);
    });
  }
  function watchOutcome(index) {
    const stateDir = results[index]?.stateDir();
    if (!stateDir) return;
    const wake = stateFile(stateDir, "wake");
    if (watch2.isWatched(wake) || !(0, import_node_fs8.existsSync)(wake)) return;
    if (watch2.add(wake, () => wait.wake(index))) wait.wake(index);
  }
  function namesOfMissing() {
    return [...missing].map((index) => printedName(files[index] ?? ""));
  }
}
function indexesByFolder(files) {
  const folders = /* @__PURE__ */ new Map();
  for (const [index, file] of files.entries()) {
    const names = folders.get(import_node_path7.default.dirname(file)) ?? /* @__PURE__ */ new Map();
    folders.set(import_node_path7.default.dirname(file), names);
    names.set(import_node_path7.default.basename(file), [...names.get(import_node_path7.default.basename(file)) ?? [], index]);
  }
  return folders;
}
var import_node_fs8, import_node_path7;
var init_watch_results = __esm({
  "scripts-src/unit/watch-results.ts"() {
    "use strict";
    import_node_fs8 = require("node:fs");
    import_node_path7 = __toESM(require("node:path"), 1);
    init_host();
    init_awaited_result();
    init_keep_looking();
    init_printed_name();
    init_read_records();
    init_state_dir();
    init_table_view();
    init_watch_files();
  }
});

// scripts-src/gather.ts
init_clock();
init_errors();

// scripts-src/unit/gather-arguments.ts
var import_node_fs = require("node:fs");
var import_node_path = __toESM(require("node:path"), 1);
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

// scripts-src/unit/gather-arguments.ts
init_printed_name();
var SETTINGS = {
  poll: { flag: "--poll", variable: "PRUN_GATHER_POLL", fallback: 5 },
  timeout: { flag: "--timeout", variable: "AGENT_CONFIG_GATHER_TIMEOUT", fallback: 3600 },
  stableWindow: { flag: "--stable-window", variable: "PRUN_GATHER_STABLE_WINDOW", fallback: 10 }
};
var GATHER_HELP = `usage: gather [flags] <result-file>...

Waits until every result file has landed, and says so as each one does.

  GATHER-START count=N timeout=Ss
  DONE <absolute path>       a path with a control character in it is printed as a JSON string
  TIMEOUT remaining=<k>

A file has landed when it is a regular file with text in it that was quiet for the window. The result of a live
dispatch-task lands with its outcome instead, at once and not before. A FALLBACK lands with a warning on stderr.

flags (whole seconds)   variable                      default
  --poll S              PRUN_GATHER_POLL              5      each file is looked at this often at the least
  --timeout S           AGENT_CONFIG_GATHER_TIMEOUT   3600   0 = off
  --stable-window S     PRUN_GATHER_STABLE_WINDOW     10     quiet time of a result without a supervisor; 0 = none
  --help                                                     this text
A flag wins over its variable.

exit: 0 all landed; 2 timeout or wrong call; 128+n ended by signal n.
`;
function parseGather(argv, environment) {
  const flags = readFlags(argv, { values: Object.values(SETTINGS).map((setting) => setting.flag) });
  const seconds = (name) => secondsFrom(SETTINGS[name], lastValue(flags, SETTINGS[name].flag), environment);
  if (!flags.help && (flags.operands.length === 0 || flags.operands.includes(""))) {
    throw usageError(
      flags.operands.length === 0 ? "no result file given" : 'result file "" is an empty name',
      "give the path of each result file that you wait for"
    );
  }
  return {
    help: flags.help,
    resultFiles: distinctFiles(flags.operands),
    pollSeconds: flags.help ? 0 : seconds("poll"),
    timeoutSeconds: flags.help ? 0 : seconds("timeout"),
    stableWindowSeconds: flags.help ? 0 : seconds("stableWindow")
  };
}
function distinctFiles(operands) {
  const byRealPath = /* @__PURE__ */ new Map();
  for (const operand of operands) {
    const absolute2 = import_node_path.default.resolve(operand);
    if ((0, import_node_fs.statSync)(absolute2, { throwIfNoEntry: false })?.isDirectory()) {
      process.stderr.write(`gather: ${printedName(absolute2)} is a folder: give the path of a result file
`);
    }
    const real = import_node_path.default.join(realFolder(import_node_path.default.dirname(absolute2)), import_node_path.default.basename(absolute2));
    if (!byRealPath.has(real)) byRealPath.set(real, absolute2);
  }
  return [...byRealPath.values()];
}
function realFolder(folder) {
  try {
    return (0, import_node_fs.realpathSync)(folder);
  } catch {
    return folder;
  }
}

// scripts-src/unit/watcher-manners.ts
var SIGNAL_EXITS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
function endQuietly() {
  for (const [signal, code] of Object.entries(SIGNAL_EXITS)) process.on(signal, () => process.exit(code));
  process.stdout.on("error", () => process.exit(process.exitCode ?? 141));
  process.stderr.on("error", () => {
  });
}
function printLines(lines) {
  process.stdout.write(`${lines.join("\n")}
`);
}

// scripts-src/gather.ts
var NAMED = 5;
async function main(argv, environment) {
  endQuietly();
  const request = parseGather(argv, environment);
  if (request.help) {
    process.stdout.write(GATHER_HELP);
    return EXIT.ok;
  }
  printLines([`GATHER-START count=${request.resultFiles.length} timeout=${request.timeoutSeconds}s`]);
  const { watchResults: watchResults2 } = await Promise.resolve().then(() => (init_watch_results(), watch_results_exports));
  const missing = await watchResults2(
    request,
    { nowMs: monotonicMs, wallMs: Date.now },
    { landed: (name) => printLines([`DONE ${name}`]), warn }
  );
  if (missing.length === 0) return EXIT.ok;
  printLines([`TIMEOUT remaining=${missing.length}`]);
  for (const name of missing.slice(0, NAMED)) warn(`${name} has not landed`);
  if (missing.length > NAMED) warn(`${missing.length - NAMED} more have not landed`);
  return EXIT.usage;
}
function warn(line) {
  process.stderr.write(`gather: ${line}
`);
}
void runMain("gather", () => main(process.argv.slice(2), process.env));
