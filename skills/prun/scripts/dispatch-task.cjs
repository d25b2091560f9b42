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

// scripts-src/platform/pause.ts
function pauseSync(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
var init_pause = __esm({
  "scripts-src/platform/pause.ts"() {
    "use strict";
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
    for (const name of (0, import_node_fs3.readdirSync)(procRoot)) {
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
    const fd = (0, import_node_fs3.openSync)(file, "r");
    let count3;
    try {
      count3 = (0, import_node_fs3.readSync)(fd, buffer);
    } finally {
      (0, import_node_fs3.closeSync)(fd);
    }
    return count3 < buffer.length ? buffer.toString("latin1", 0, count3) : (0, import_node_fs3.readFileSync)(file, "latin1");
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
var import_node_fs3, TICKS_PER_SECOND, buffer;
var init_linux = __esm({
  "scripts-src/process/linux.ts"() {
    "use strict";
    import_node_fs3 = require("node:fs");
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
  const time2 = [inDay / 36e5, inDay / 6e4 % 60, inDay / 1e3 % 60].map(
    (part) => two(Math.floor(part))
  );
  return `${year}-${two(month)}-${two(day)}T${time2.join(":")}.${String(inDay % 1e3).padStart(3, "0")}Z`;
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
    const path20 = [];
    let entry = first;
    while (entry && !known.has(entry.pid) && !visited.has(entry.pid)) {
      visited.add(entry.pid);
      path20.push(entry);
      entry = relativeInSession(entries, entry);
    }
    const sid = entry && known.get(entry.pid);
    for (const one of path20) if (sid !== void 0) known.set(one.pid, sid);
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

// scripts-src/platform/random.ts
function randomHex(digits) {
  const bytes = Buffer.alloc(Math.ceil(digits / 2));
  try {
    const fd = (0, import_node_fs5.openSync)("/dev/urandom", "r");
    try {
      (0, import_node_fs5.readSync)(fd, bytes);
    } finally {
      (0, import_node_fs5.closeSync)(fd);
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
var import_node_fs5;
var init_random = __esm({
  "scripts-src/platform/random.ts"() {
    "use strict";
    import_node_fs5 = require("node:fs");
  }
});

// scripts-src/platform/files.ts
function stampOf(file) {
  try {
    const stat = (0, import_node_fs6.statSync)(file, { bigint: true, throwIfNoEntry: false });
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
    fd = (0, import_node_fs6.openSync)(file, "wx", PRIVATE_FILE);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    (0, import_node_fs6.writeSync)(fd, data);
  } finally {
    (0, import_node_fs6.closeSync)(fd);
  }
  return true;
}
function publishOnce(prepared, file) {
  const won = linkOnce(prepared, file);
  (0, import_node_fs6.unlinkSync)(prepared);
  return won;
}
function removeQuietly(file) {
  try {
    (0, import_node_fs6.unlinkSync)(file);
  } catch {
  }
}
function linkOnce(from, to) {
  try {
    (0, import_node_fs6.linkSync)(from, to);
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
    fd = (0, import_node_fs6.openSync)(to, "wx", PRIVATE_FILE);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    (0, import_node_fs6.writeFileSync)(fd, data);
    (0, import_node_fs6.fsyncSync)(fd);
  } finally {
    (0, import_node_fs6.closeSync)(fd);
  }
  return true;
}
function readWhole(file) {
  const fd = (0, import_node_fs6.openSync)(file, "r");
  try {
    const buffer2 = Buffer.alloc((0, import_node_fs6.fstatSync)(fd).size);
    readFully(fd, buffer2, 0);
    return buffer2;
  } finally {
    (0, import_node_fs6.closeSync)(fd);
  }
}
function writeAll(file, data, sync) {
  const fd = (0, import_node_fs6.openSync)(file, "wx", PRIVATE_FILE);
  try {
    (0, import_node_fs6.writeFileSync)(fd, data);
    if (sync) (0, import_node_fs6.fsyncSync)(fd);
  } finally {
    (0, import_node_fs6.closeSync)(fd);
  }
}
function temporaryBeside(file) {
  return import_node_path4.default.join(import_node_path4.default.dirname(file), `.prun-${process.pid}-${randomHex(8)}.tmp`);
}
function renameRetrying(from, to) {
  for (let attempt = 0; ; attempt++) {
    try {
      (0, import_node_fs6.renameSync)(from, to);
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
    const count3 = (0, import_node_fs6.readSync)(fd, buffer2, done, buffer2.length - done, offset + done);
    if (count3 === 0) break;
    done += count3;
  }
  return done;
}
function openForReading(file) {
  return (0, import_node_fs6.openSync)(file, import_node_fs6.constants.O_RDONLY | (import_node_fs6.constants.O_NONBLOCK ?? 0));
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
    const stat = (0, import_node_fs6.fstatSync)(fd);
    return stat.isFile() ? readRange(fd, from(stat.size), limit).toString("utf8") : "";
  } catch {
    return "";
  } finally {
    (0, import_node_fs6.closeSync)(fd);
  }
}
function readValue(file) {
  try {
    (0, import_node_fs6.statSync)(file);
  } catch {
    return void 0;
  }
  return readStart(file, 65536).trim();
}
function sizeOf(file) {
  try {
    return (0, import_node_fs6.statSync)(file).size;
  } catch {
    return 0;
  }
}
function entriesOf(folder) {
  try {
    return (0, import_node_fs6.readdirSync)(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
var import_node_fs6, import_node_path4, PRIVATE_FILE, PRIVATE_DIR;
var init_files = __esm({
  "scripts-src/platform/files.ts"() {
    "use strict";
    import_node_fs6 = require("node:fs");
    import_node_path4 = __toESM(require("node:path"), 1);
    init_errors();
    init_pause();
    init_random();
    PRIVATE_FILE = 384;
    PRIVATE_DIR = 448;
  }
});

// scripts-src/unit/state-dir.ts
function stateFile(stateDir, file) {
  return import_node_path5.default.join(stateDir, STATE_FILES[file]);
}
function draftOf(stateDir) {
  return import_node_path5.default.join(import_node_path5.default.dirname(stateDir), `.${import_node_path5.default.basename(stateDir)}.draft`);
}
function writeValue(stateDir, file, value) {
  (0, import_node_fs7.writeFileSync)(stateFile(stateDir, file), `${value}
`, { mode: PRIVATE_FILE });
}
var import_node_fs7, import_node_path5, STATE_FILES;
var init_state_dir = __esm({
  "scripts-src/unit/state-dir.ts"() {
    "use strict";
    import_node_fs7 = require("node:fs");
    import_node_path5 = __toESM(require("node:path"), 1);
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
  if (platform === "win32") return import_node_path8.default.win32.join(root, textOf(where));
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
var import_node_path8;
var init_byte_path = __esm({
  "scripts-src/platform/byte-path.ts"() {
    "use strict";
    import_node_path8 = __toESM(require("node:path"), 1);
  }
});

// scripts-src/workspace/tripwire/repository-look.ts
function lookAtRepository(place) {
  return beginLook(place, Number.POSITIVE_INFINITY).finish();
}
function beginLook({ gitDir, commonDir }, budgetMs) {
  const deadline = performance.now() + budgetMs;
  const unread = [];
  const isLinked = import_node_path9.default.resolve(gitDir) !== import_node_path9.default.resolve(commonDir);
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
  const isLinked = import_node_path9.default.resolve(gitDir) !== import_node_path9.default.resolve(commonDir);
  return { common, own: isLinked && readTables(gitDir, unread) || [] };
}
function listed(root, folder, unread) {
  try {
    return (0, import_node_fs10.readdirSync)(fileAt(root, folder), { withFileTypes: true, encoding: "latin1" });
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
  const fd = (0, import_node_fs10.openSync)(file, import_node_fs10.constants.O_RDONLY | (import_node_fs10.constants.O_NONBLOCK ?? 0));
  try {
    const stat = (0, import_node_fs10.fstatSync)(fd);
    if (!stat.isFile()) return void 0;
    const bytes = Buffer.allocUnsafe(Math.min(stat.size, limit));
    let done = 0;
    while (done < bytes.length) {
      const count3 = (0, import_node_fs10.readSync)(fd, bytes, done, bytes.length - done, done);
      if (count3 === 0) break;
      done += count3;
    }
    return { mode: stat.mode & 4095, bytes: bytes.subarray(0, done) };
  } finally {
    (0, import_node_fs10.closeSync)(fd);
  }
}
function readTables(dir, unread) {
  const folder = import_node_path9.default.join(dir, "reftable");
  for (let tries = 1; ; tries++) {
    try {
      if ((0, import_node_fs10.statSync)(folder, { throwIfNoEntry: false }) === void 0) return void 0;
      const list = readSeen(import_node_path9.default.join(folder, "tables.list"), WHOLE_BYTES)?.bytes.toString("utf8") ?? "";
      const names = list.split("\n").filter(Boolean);
      return names.map((name) => readSeen(import_node_path9.default.join(folder, name), WHOLE_BYTES)?.bytes ?? Buffer.alloc(0));
    } catch (error) {
      if (tries < TABLE_TRIES && isMissing(error)) continue;
      noteUnread(unread, bytePathOf("reftable"), error);
      return void 0;
    }
  }
}
var import_node_fs10, import_node_path9, HOOK_BYTES, REF_BYTES, WHOLE_BYTES, TABLE_TRIES;
var init_repository_look = __esm({
  "scripts-src/workspace/tripwire/repository-look.ts"() {
    "use strict";
    import_node_fs10 = require("node:fs");
    import_node_path9 = __toESM(require("node:path"), 1);
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
  return placeOn(import_node_path10.default.resolve(workdir)) ?? placeOnRealPath(workdir);
}
function placeOnRealPath(workdir) {
  try {
    const real = import_node_fs11.realpathSync.native(workdir);
    return real === import_node_path10.default.resolve(workdir) ? void 0 : placeOn(real);
  } catch {
    return void 0;
  }
}
function placeOn(folder) {
  let clone2 = folder;
  for (let parent = import_node_path10.default.dirname(clone2); parent !== clone2; parent = import_node_path10.default.dirname(clone2)) {
    if (import_node_path10.default.basename(parent).toLowerCase() === "clones") {
      const place = readPlace(import_node_path10.default.dirname(parent), clone2);
      if (place) return place;
    }
    clone2 = parent;
  }
  return void 0;
}
function readPlace(set, clone2) {
  const unit = import_node_path10.default.basename(clone2);
  const record3 = import_node_path10.default.join(set, "units", unit, "workspace.json");
  const setRecord = import_node_path10.default.join(set, "set.json");
  if (!(0, import_node_fs11.existsSync)(record3) || !(0, import_node_fs11.existsSync)(setRecord)) return void 0;
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
    return objectIn(JSON.parse((0, import_node_fs11.readFileSync)(file, "utf8")));
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
  const own2 = import_node_path10.default.join(set, "units", unit, "base", "PRUN-BASE.md");
  return (0, import_node_fs11.existsSync)(own2) ? own2 : import_node_path10.default.join(set, "PRUN-BASE.md");
}
function attemptsIn({ set, unit }) {
  try {
    const text = (0, import_node_fs11.readFileSync)(import_node_path10.default.join(set, "units", unit, "attempts"), "utf8");
    return text.split("\n").filter((dir) => import_node_path10.default.isAbsolute(dir) && (0, import_node_fs11.existsSync)(dir));
  } catch {
    return [];
  }
}
function noteAttempt({ set, unit }, stateDir) {
  try {
    (0, import_node_fs11.appendFileSync)(import_node_path10.default.join(set, "units", unit, "attempts"), `${stateDir}
`, { mode: 384 });
  } catch {
  }
}
var import_node_fs11, import_node_path10;
var init_workspace_of = __esm({
  "scripts-src/workspace/workspace-of.ts"() {
    "use strict";
    import_node_fs11 = require("node:fs");
    import_node_path10 = __toESM(require("node:path"), 1);
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
  const ended = host.endAll?.(seen.map((member) => identityOf(host, member))) ?? [];
  for (const { pid, start } of ended) {
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
async function askToEnd(host, family, shimPid, whom, limitMs, ended) {
  const asked = [...family.members.values()].filter(
    (member) => whom === "leader" ? member.ppid === shimPid : member.pgid === shimPid && member.pid !== shimPid
  );
  if (asked.length === 0) return;
  const canAnswer = asked.filter((member) => member.state !== "stopped");
  for (const member of canAnswer) signalIfSame(host, identityOf(host, member), "SIGINT");
  if (canAnswer.length > 0) await Promise.race([ended, sleep(limitMs)]);
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
    var spawn5 = childProcess2.spawn;
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
            return spawn5("pgrep", ["-P", parentPid]);
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
            return spawn5("ps", ["-o", "pid", "--no-headers", "--ppid", parentPid]);
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
  const { self = process.pid, timeoutMs = 1e4, load = loadTreeKill } = options;
  let frozen = [];
  try {
    if (id.boot !== host.bootId()) return "gone";
    if (!options.hasPs()) return "unavailable";
    const treeKill = await load();
    let tree = lookAtTree(host, id);
    if (tree === "unreadable") return "unavailable";
    if (tree === "gone") return "gone";
    if (tree.some((member) => member.pid === self)) return "unavailable";
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
function sweepToolWorks(platform, run = sweepRunner(), parent = process.ppid, self = process.pid) {
  if (platform === "win32") return run(taskkill(), ["/?"])?.includes("/T") ?? false;
  if (platform === "darwin") return /^\d+$/m.test(run("pgrep", ["-P", "1"]) ?? "");
  const siblings = run("ps", ["-o", "pid", "--no-headers", "--ppid", String(parent)]) ?? "";
  return siblings.split(/\s+/).includes(String(self));
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
    async ask(ended, limitMs) {
      look();
      const group = [...family.members.values()].filter(
        (member) => member.pgid === leader || member.pid === leader
      );
      if (host.platform === "win32") return;
      for (const member of group) signalIfSame(host, identityOf(host, member), "SIGTERM");
      await Promise.race([ended, pause(limitMs)]);
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
  const ended = [...killed.values()].filter((one) => one.pid !== leader);
  return { ended: ended.map(named2), survivors: survivors.map(named2) };
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
  (0, import_node_fs19.rmSync)(file, { force: true });
  const fd = (0, import_node_fs19.openSync)(file, "wx", PRIVATE_FILE);
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
      (0, import_node_fs19.closeSync)(fd);
    }
  };
}
function put(fd, bytes) {
  try {
    for (let at = 0; at < bytes.length; ) at += (0, import_node_fs19.writeSync)(fd, bytes, at);
  } catch {
  }
}
var import_node_fs19, HEAD_BYTES, END_BYTES;
var init_bounded_log = __esm({
  "scripts-src/supervise/bounded-log.ts"() {
    "use strict";
    import_node_fs19 = require("node:fs");
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
  const ended = new Promise((resolve2, reject) => {
    child.once("error", (error) => reject(cannotStart(request, error)));
    child.once("exit", (code, signal) => resolve2(code ?? 128 + import_node_os5.default.constants.signals[signal ?? "SIGKILL"]));
  });
  try {
    if (child.pid === void 0) return await ended;
    const processes = watch.started(child.pid);
    const looking = setInterval(() => {
      if (request.host.platform !== "linux") processes.look();
    }, LOOK_MS);
    const stop = stopper(request);
    try {
      const first = await Promise.race([ended, stop.stopped]);
      if (typeof first === "string") await processes.ask(ended, ASK_MS);
      await processes.end(END_MS);
      const code = await Promise.race([ended, pause2(END_MS)]);
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
var import_node_child_process2, import_node_events, import_node_os5, ASK_MS, END_MS, DRAIN_MS, LOOK_MS, LONGEST_MS;
var init_verify = __esm({
  "scripts-src/supervise/verify.ts"() {
    "use strict";
    import_node_child_process2 = require("node:child_process");
    import_node_events = require("node:events");
    import_node_os5 = __toESM(require("node:os"), 1);
    init_scrub_environment();
    init_errors();
    init_setup_command();
    init_setup_processes();
    init_bounded_log();
    ASK_MS = 2e3;
    END_MS = 5e3;
    DRAIN_MS = 1e3;
    LOOK_MS = 1e3;
    LONGEST_MS = 2 ** 31 - 1;
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
function pathWords(field) {
  const words = [];
  for (const line of field.split("\n")) {
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
  const cut = (isAnew) => {
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
      cut(false);
      continue;
    } else if (depth === 0 && (char === ";" || char === "." && /^\s+[A-Z`]/.test(line.slice(at + 1)))) {
      cut(true);
      continue;
    }
    text += char;
  }
  cut(true);
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
      const path20 = pathWord(word, quoted !== void 0);
      const isDoubtful = state.isMention || isMention || state.isDescription && !isFirst;
      if (path20) own2.push(isDoubtful ? unsure(path20) : path20);
      hasPath ||= path20 !== void 0 && (quoted !== void 0 || /[./]/.test(path20.text));
      if (hasPath && word.endsWith(":")) state.isDescription = true;
    }
    if (state.isDescription || hasPath) isFirst = false;
  }
  const description = /(?:\s[-–—]{1,2}|:)\s+([^`]*)$/.exec(text)?.[1];
  if (description !== void 0) for (const path20 of own2) remark(path20, description);
  return own2;
}
function remark(path20, note3) {
  if (!path20) return;
  if (NO_CHANGE.test(note3)) path20.isSure = false;
  if (GONE.test(note3)) path20.isGone = true;
}
function unsure(path20) {
  return { ...path20, isSure: false };
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
  return { conclusion: textOf2("conclusion"), files: textOf2("files") };
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

// scripts-src/workspace/claims/claims.ts
function checkClaims(result, delta, place) {
  const fields = readResultFields(result);
  const changed = delta.changed.map(textOf).filter((path20) => !isOwn(path20, place));
  const shared = {
    isEmpty: changed.length === 0 && delta.lost.length === 0,
    hasConclusion: hasText(fields.conclusion)
  };
  if (fields.files === void 0) {
    return { ...shared, claimed: [], unclaimed: [], ignored: [], saysNone: false };
  }
  const field = withoutRoots(fields.files.slice(0, FIELD_LENGTH), place.roots);
  const { literal, rest } = takeLiterals(field, changed);
  const words = pathWords(rest).filter(({ text }) => !isOwn(text, place)).slice(0, Math.max(MIN_WORDS, MAX_COMPARISONS / Math.max(1, changed.length)));
  const index = indexOf(changed);
  const told = new Set(literal);
  const missing = [];
  for (const word of words) {
    const found = index.match(word.text);
    for (const path20 of found) told.add(path20);
    if (found.length === 0 && word.isSure) missing.push(word);
  }
  const ignored = indexOf(delta.ignored.map(textOf));
  const lost = indexOf(delta.lost.map(textOf));
  const isIgnored = ({ text }) => ignored.covers(text);
  const saysNone = NONE.test(field) && told.size === 0;
  const claimed = saysNone ? [] : missing.filter(
    (word) => !isIgnored(word) && !lost.covers(word.text) && !(word.isGone && !place.exists(word.text)) && // The list of ignored files ends somewhere.
    !(delta.ignored.length >= MANY_IGNORED && place.exists(word.text))
  );
  return {
    ...shared,
    claimed: unique(claimed.map(({ text }) => text)),
    unclaimed: delta.changed.filter((path20) => !isOwn(textOf(path20), place) && !told.has(textOf(path20))).map(shownPath),
    ignored: unique(missing.filter(isIgnored).map(({ text }) => text)),
    saysNone
  };
}
function hasText(field) {
  return field !== void 0 && /[\p{L}\p{N}]/u.test(field);
}
function isOwn(path20, { resultFile }) {
  const clean = path20.replace(/^\.\//, "");
  if (clean === "agent-io" || clean.startsWith("agent-io/") || clean.includes("/agent-io/")) return true;
  return resultFile !== void 0 && folded(clean) === folded(resultFile.replace(/\\/g, "/"));
}
function withoutRoots(field, roots) {
  const forms = roots.flatMap((root) => [root, root.replace(/\\/g, "/")]);
  return forms.sort((a, b) => b.length - a.length).reduce((text, root) => text.split(`${root}/`).join("./").split(`${root}\\`).join("./"), field);
}
function takeLiterals(field, changed) {
  let rest = field;
  const literal = [];
  for (const path20 of changed.filter((one) => /[\s,;()'"`|]/.test(one)).slice(0, MAX_LITERALS)) {
    const name = [path20, path20.slice(path20.lastIndexOf("/") + 1)].find((form) => rest.includes(form));
    if (name === void 0) continue;
    literal.push(path20);
    rest = rest.split(name).join(" ");
  }
  return { literal, rest };
}
function indexOf(paths) {
  const entries = paths.map((path20) => ({ path: path20, key: folded(path20).replace(/\/$/, "") }));
  const byPath = /* @__PURE__ */ new Map();
  const byName = /* @__PURE__ */ new Map();
  for (const { path: path20, key } of entries) {
    push(byPath, key, path20);
    push(byName, nameOf(key), { path: path20, key });
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
    if (ends.length > 0) return ends.map(({ path: path20 }) => path20);
    const glob = /[*?{[]/.test(wanted) ? globMatcher(wanted) : void 0;
    const covered = glob ? entries.filter(({ key }) => glob(key)) : entries.filter(({ key }) => `/${key}`.includes(`/${wanted}/`));
    return covered.map(({ path: path20 }) => path20);
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
function nameOf(path20) {
  return path20.slice(path20.lastIndexOf("/") + 1);
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
    const path20 = `/${key}/`;
    let from = 0;
    for (const needle of needles) {
      const at = path20.indexOf(needle, from);
      if (at < 0) return false;
      from = at + needle.length;
    }
    return true;
  };
}
function folded(path20) {
  return path20.normalize("NFC").toLowerCase();
}
function unique(texts2) {
  return [...new Set(texts2)];
}
var NONE, FIELD_LENGTH, MAX_COMPARISONS, MIN_WORDS, MAX_LITERALS, MANY_IGNORED;
var init_claims = __esm({
  "scripts-src/workspace/claims/claims.ts"() {
    "use strict";
    init_byte_path();
    init_claimed_paths();
    init_result_fields();
    NONE = /^[\s`"'*_([-]*(?:none|nothing|nil|null|n\/a|na|no (?:files?|changes?|edits?|modifications?)|not applicable|read-only|0 files?|zero files?)\b|^\s*[-–—]\s*$/i;
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
  const field = (index) => Number(table.readBigUInt64BE(footer + header.bytes + index * 8));
  const positions = [field(0), Math.floor(field(1) / 32), field(3), footer];
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
    ...differences("config", before.config, after.config).map(withoutValues),
    ...differences("hook", before.hooks, after.hooks).map(withoutValues),
    ...differences("worktree", pathsOf(before.worktrees, after), pathsOf(after.worktrees, before))
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
  const shown = [...refs].map(([name, value]) => [shownPath(name), value]);
  return { head, refs: Object.fromEntries(shown.sort(([a], [b]) => a < b ? -1 : 1)) };
}
function packedRefs(file) {
  const lines = file?.bytes.toString("latin1").split("\n") ?? [];
  return lines.flatMap((line) => {
    const cut = line.indexOf(" ");
    if (cut < 0 || line.startsWith("#") || line.startsWith("^")) return [];
    return [[line.slice(cut + 1), line.slice(0, cut)]];
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
    const own2 = head.startsWith("ref: refs/heads/prun/") || workspaceOf(import_node_path15.default.dirname(link)) !== void 0;
    const shown = shownPath(bytePathOf(link.replace(/[\\/]\.git$/, "")));
    found.push([nameIn(entry, "worktrees/"), { path: shown, own: own2 }]);
  }
  return Object.fromEntries(found);
}
function pathsOf(worktrees, other) {
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
function withoutValues({ what, name, change }) {
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
var import_node_crypto, import_node_path15, TRIPWIRE_SCHEMA;
var init_tripwire = __esm({
  "scripts-src/workspace/tripwire/tripwire.ts"() {
    "use strict";
    import_node_crypto = require("node:crypto");
    import_node_path15 = __toESM(require("node:path"), 1);
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
  if (!(0, import_node_fs20.existsSync)(prun)) return { kind: "failed", detail: `${prun} is missing` };
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
var import_node_child_process3, import_node_fs20, LIMIT_MS, MAX_OUTPUT_BYTES, MAX_COMPLAINT_BYTES, OUTPUT_MS, KILL_MS;
var init_collect_delta = __esm({
  "scripts-src/supervise/collect-delta.ts"() {
    "use strict";
    import_node_child_process3 = require("node:child_process");
    import_node_fs20 = require("node:fs");
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
function prefixIssues(path20, issues) {
  return issues.map((iss) => {
    var _a3;
    (_a3 = iss).path ?? (_a3.path = []);
    iss.path.unshift(path20);
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
var $ZodType, toStandardResult, $ZodString, $ZodNumber, $ZodBoolean, $ZodUnknown, arraySize, $ZodArray, NO_SYMBOL_KEYS, $ZodObject, $ZodUnion, $ZodRecord, $ZodEnum, $ZodNullable;
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
var ZodMiniType, ZodMiniString, ZodMiniNumber, ZodMiniBoolean, ZodMiniUnknown, ZodMiniArray, ZodMiniObject, ZodMiniUnion, ZodMiniRecord, ZodMiniEnum, ZodMiniNullable;
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
    ZodMiniArray = /* @__PURE__ */ $constructor("ZodMiniArray", (inst, def) => {
      $ZodArray.init(inst, def);
      ZodMiniType.init(inst, def);
    });
    ZodMiniObject = /* @__PURE__ */ $constructor("ZodMiniObject", (inst, def) => {
      $ZodObject.init(inst, def);
      ZodMiniType.init(inst, def);
      installLazyProp(inst, "shape", (self) => self._zod.def.shape, false);
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
    lost: lost.slice(0, LOST_SHOWN).map(({ path: path20, what }) => bounded(`${shownPath(pathFromJson(path20))}: ${what}`)),
    patch
  };
  const paths = (list) => list.map(({ path: path20 }) => pathFromJson(path20));
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
function bounded(text) {
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
    claimsOf: (resultFile) => facts ? claimsOf(resultFile, facts, ending.place) : void 0
  };
}
async function deltaOf(ending) {
  const { host, place, stateDir, record: record3, prun, notNow, stop } = ending;
  const workspace = place.clone;
  const without = (state, detail) => ({
    delta: {
      state,
      workspace,
      detail: bounded(detail),
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
    return { since: before.at, seenAt, changes: [], more: 0, unread: [bounded(messageOf(error))] };
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
      name: bounded(name),
      ...from === void 0 ? {} : { before: bounded(from) },
      ...to === void 0 ? {} : { after: bounded(to) }
    })),
    more: Math.max(0, changes.length - MAX_ENTRIES),
    unread: unread.slice(0, MAX_ENTRIES).map(bounded)
  };
}
function claimsOf(resultFile, facts, place) {
  const check = checkClaims(readStart(resultFile, RESULT_BYTES), facts, claimPlace(resultFile, place));
  const lists = { claimed: check.claimed, unclaimed: check.unclaimed, ignored: check.ignored };
  const { claimed, unclaimed, ignored } = lists;
  const summary = {
    claimed: claimed.slice(0, MAX_ENTRIES).map(bounded),
    unclaimed: unclaimed.slice(0, MAX_ENTRIES).map(bounded),
    ignored: ignored.slice(0, MAX_ENTRIES).map(bounded),
    more: Object.values(lists).reduce((sum, list) => sum + Math.max(0, list.length - MAX_ENTRIES), 0)
  };
  return { check, summary };
}
function claimPlace(resultFile, { clone: clone2 }) {
  const real = realPath(clone2);
  const relative = import_node_path16.default.relative(
    real,
    import_node_path16.default.join(realPath(import_node_path16.default.dirname(resultFile)), import_node_path16.default.basename(resultFile))
  );
  const isInside = !relative.startsWith("..") && !import_node_path16.default.isAbsolute(relative);
  return {
    roots: [.../* @__PURE__ */ new Set([clone2, real])],
    resultFile: isInside ? relative : void 0,
    exists: (where) => (0, import_node_fs21.existsSync)(import_node_path16.default.join(clone2, where))
  };
}
function realPath(folder) {
  try {
    return import_node_fs21.realpathSync.native(folder);
  } catch {
    return folder;
  }
}
function shellWord(text) {
  return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
var import_node_fs21, import_node_path16, MAX_ENTRIES, RESULT_BYTES;
var init_end_workspace = __esm({
  "scripts-src/supervise/end-workspace.ts"() {
    "use strict";
    import_node_fs21 = require("node:fs");
    import_node_path16 = __toESM(require("node:path"), 1);
    init_clock();
    init_errors();
    init_files();
    init_state_dir();
    init_claims();
    init_tripwire();
    init_collect_delta();
    init_delta_facts();
    MAX_ENTRIES = 20;
    RESULT_BYTES = 1024 * 1024;
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
    return tripwire.parse(JSON.parse((0, import_node_fs28.readFileSync)(file, "utf8")));
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
var import_node_fs28, texts, tripwire;
var init_kept_tripwire = __esm({
  "scripts-src/workspace/tripwire/kept-tripwire.ts"() {
    "use strict";
    import_node_fs28 = require("node:fs");
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

// scripts-src/dispatch-task.ts
var import_node_path21 = __toESM(require("node:path"), 1);

// scripts-src/executor/codex-command.ts
var import_node_path = require("node:path");

// scripts-src/executor/readable-line.ts
var LOOK_AT = 4096;
var ESCAPE_SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;
function withoutEscapes(text) {
  return text.includes("\x1B") ? text.replace(ESCAPE_SEQUENCES, "") : text;
}
function readableLine(text, max = 200) {
  const plain2 = withoutEscapes(text.slice(0, LOOK_AT)).replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  if (plain2.length <= max && text.length <= LOOK_AT) return plain2;
  return `${plain2.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

// scripts-src/executor/codex-trace.ts
var TRACE = [
  "codex_otel=off",
  "codex_otel.log_only[{event.kind}]=info",
  "codex_app_server::outgoing_message=trace"
];
var ABOUT_CODEX = /^codex(?!_otel)\w*(?:::\w+)*(?:=(?:off|error|warn|info|debug|trace))?$/;
function traceFilter(userValue) {
  const own2 = (userValue ?? "").split(",").map((part) => part.trim());
  return ["error", ...own2.filter((part) => ABOUT_CODEX.test(part)), ...TRACE].join(",");
}
var LOG_LINE = /^\d{4}-\d\d-\d\dT[\d:.]+Z +([A-Z]+) (.*)$/s;
var THREAD_EVENT = /(?:^|[: ])codex_app_server::outgoing_message: app-server event: (\S+)/;
var STREAM_EVENT = /(?:^|[: ])codex_otel\.log_only: event\.name="codex\.sse_event" event\.kind=(\S+)/;
var MOVED = /^(?:item\/|thread\/tokenUsage\/|turn\/(?:plan|diff)\/)/;
var STREAMED = /^response\.(?:completed|[a-z_.]+\.(?:delta|added|done)|[a-z_]+_call\.[a-z_]+)$/;
var CONNECTING = /(?:^|[: ])codex_(?:api|client|http_client|login)[\w:]*: .*(?:connect|websocket|request|retry)/i;
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

// scripts-src/executor/codex-command.ts
init_scrub_environment();
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
  for (const [name, value] of Object.entries(request.told ?? {})) {
    list.push(`shell_environment_policy.set.${name}=${tomlString(value)}`);
  }
  list.push(hiddenTrace(request.isolate, readVariable(request.environment, "RUST_LOG")));
  if (request.sandbox === "workspace-write" && request.network !== void 0) {
    list.push(`sandbox_workspace_write.network_access=${request.network}`);
  }
  return list;
}
function codexCommand(request) {
  const argv = [request.binary, "exec", "--json", "-o", request.lastMessageFile];
  argv.push("--sandbox", request.sandbox, "--skip-git-repo-check");
  if (request.isolate) argv.push("--ignore-user-config");
  if (request.model !== void 0) argv.push("-m", request.model);
  for (const setting of settings(request)) argv.push("-c", setting);
  if (request.sandbox === "workspace-write") argv.push("--add-dir", (0, import_node_path.dirname)(request.resultFile));
  argv.push("-");
  const environment = scrubEnvironment(request.environment, request.passEnv, {
    ...request.told,
    PRUN_UNIT: request.marker,
    RUST_LOG: traceFilter(readVariable(request.environment, "RUST_LOG"))
  });
  return { argv, environment, stderr: "own" };
}

// scripts-src/executor/codex-failure.ts
var REASONS = [
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
function knownFailure(text) {
  const plain2 = text.slice(0, 4e3).replace(/[\u2018\u2019]/g, "'").replace(/\bhttps?:\/\/\S+/g, "").toLowerCase();
  return REASONS.find(([, pattern]) => pattern.test(plain2))?.[0];
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

// scripts-src/executor/codex-items.ts
function fieldsOf(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
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
      return workerEvent("file-change", true, phase === "completed" ? changedFiles(item) : "");
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

// scripts-src/executor/codex-events.ts
var MESSAGE_CHARS = 2e3;
var HEADER = /^\s*session id:\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$/i;
function parsed(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : void 0;
  } catch {
    return void 0;
  }
}
function count(fields, name) {
  const value = fields[name];
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
function onItem(state, phase, item) {
  const event = itemEvent(phase, item);
  state.structured = true;
  if (event.progress) delete state.lastError;
  const id = textField(item, "id") ?? "";
  if (event.kind === "command-started") state.open.add(id);
  if (event.kind === "command-ended") state.open.delete(id);
  const text = textField(item, "text");
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

// scripts-src/executor/codex-session-log.ts
var import_node_fs = require("node:fs");
var import_node_os = require("node:os");
var import_node_path2 = require("node:path");
init_scrub_environment();
var MOST_ENTRIES = 2e4;
var DAYS = [0, -1, 1];
function findEntry(folder, suffix) {
  try {
    const directory = (0, import_node_fs.opendirSync)(folder);
    try {
      for (let count3 = 0; count3 < MOST_ENTRIES; count3++) {
        const entry = directory.readSync();
        if (entry === null) return void 0;
        if (entry.name.startsWith("rollout-") && entry.name.endsWith(suffix)) return (0, import_node_path2.join)(folder, entry.name);
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
  const home = readVariable(environment, "CODEX_HOME") || (0, import_node_path2.join)(userHome(environment), ".codex");
  for (const offset of DAYS) {
    const start = new Date(startedAtEpochMs);
    const date2 = new Date(start.getFullYear(), start.getMonth(), start.getDate() + offset);
    const parts = [date2.getFullYear(), date2.getMonth() + 1, date2.getDate()];
    const folder = (0, import_node_path2.resolve)(home, "sessions", ...parts.map((part) => String(part).padStart(2, "0")));
    const found = findEntry(folder, `-${sessionId}.jsonl`);
    if (found !== void 0) return found;
  }
  return void 0;
}
function userHome(environment) {
  return environment.HOME || environment.USERPROFILE || (0, import_node_os.homedir)();
}

// scripts-src/executor/retry-notice.ts
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

// scripts-src/executor/codex.ts
var OWN_PROCESS = /^(?:.*[\\/])?codex(?:[-.].*)?$/i;
var codex = {
  name: "codex",
  answersOnStdout: false,
  command: codexCommand,
  events: codexEventReader,
  classifyStderr,
  isRetryNotice,
  sessionLog: codexSessionLog,
  isOwnProcess: (command2) => OWN_PROCESS.test(command2)
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
var command = {
  name: "command",
  answersOnStdout: true,
  command: commandLine,
  events: plainOutput,
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

// scripts-src/executor/by-name.ts
function executorByName(name) {
  const found = [codex, command].find((executor) => executor.name === name);
  if (found) return found;
  throw new Error(`unknown executor ${name}`);
}

// scripts-src/dispatch-task.ts
init_errors();

// scripts-src/platform/write-all.ts
var import_node_fs2 = require("node:fs");
init_errors();
init_pause();
function writeAllSync(fd, text) {
  let rest = Buffer.from(text);
  for (let tries = 0; rest.length > 0 && tries < 200; tries++) {
    try {
      rest = rest.subarray((0, import_node_fs2.writeSync)(fd, rest));
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
var import_node_fs4 = require("node:fs");
var import_node_path3 = __toESM(require("node:path"), 1);
function faultPoint(point, folder) {
  const wanted = process.env.PRUN_FAULT;
  if (!wanted) return;
  const stop = wanted === `${point}:stop`;
  if (!stop && wanted !== point) return;
  try {
    (0, import_node_fs4.closeSync)((0, import_node_fs4.openSync)(import_node_path3.default.join(folder, `.fault-${point.replace(/\W/g, "-")}`), "wx"));
  } catch {
    return;
  }
  process.kill(process.pid, stop ? "SIGSTOP" : "SIGKILL");
}

// scripts-src/supervise/dispatch.ts
init_family();
init_identity();

// scripts-src/unit/live-attempt.ts
var import_node_fs8 = require("node:fs");
init_files();
init_identity();
init_state_dir();
function liveAttempt(host, stateDirs) {
  return stateDirs.find((dir) => {
    if ((0, import_node_fs8.existsSync)(stateFile(dir, "outcome"))) return false;
    const written = [...identitiesIn(dir), readValue(stateFile(dir, "guardian"))];
    return written.some((text) => {
      const identity = parseIdentity(text ?? "");
      return identity !== void 0 && isAlive(host, identity);
    });
  });
}
function identitiesIn(stateDir) {
  try {
    const record3 = JSON.parse((0, import_node_fs8.readFileSync)(stateFile(stateDir, "unit"), "utf8"));
    if (typeof record3 !== "object" || record3 === null) return [];
    const { supervisor, worker } = record3;
    return [supervisor, worker].filter((one) => typeof one === "string");
  } catch {
    return [];
  }
}

// scripts-src/unit/result-claim.ts
var import_node_fs9 = require("node:fs");
var import_node_os3 = __toESM(require("node:os"), 1);
var import_node_path7 = __toESM(require("node:path"), 1);
init_files();
init_pause();
init_random();

// scripts-src/platform/state-home.ts
var import_node_os2 = __toESM(require("node:os"), 1);
var import_node_path6 = __toESM(require("node:path"), 1);
function stateHome(environment, platform = process.platform) {
  if (environment.PRUN_STATE_HOME) return import_node_path6.default.resolve(environment.PRUN_STATE_HOME);
  if (platform === "win32") {
    return import_node_path6.default.join(
      absolute(environment.LOCALAPPDATA) ?? import_node_path6.default.join(import_node_os2.default.homedir(), "AppData", "Local"),
      "prun"
    );
  }
  const base = absolute(environment.XDG_STATE_HOME) ?? import_node_path6.default.join(import_node_os2.default.homedir(), ".local", "state");
  return import_node_path6.default.join(base, "prun");
}
function absolute(value) {
  return value && import_node_path6.default.isAbsolute(value) ? value : void 0;
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
    const holder = newest > 0 ? readClaim(import_node_path7.default.join(folder.path, String(newest))) : void 0;
    if (holder && isHeld(host, holder)) return holder;
    if (claimName(import_node_path7.default.join(folder.path, String(newest + 1)), record3)) return void 0;
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
  const isNew = (0, import_node_fs9.mkdirSync)(folder, { recursive: true, mode: PRIVATE_DIR }) !== void 0;
  if (!isNew) (0, import_node_fs9.accessSync)(folder, import_node_fs9.constants.W_OK);
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
  const owner = process.getuid?.() ?? shortHash(import_node_os3.default.homedir());
  return [
    import_node_path7.default.join(stateHome(process.env), "results", name),
    import_node_path7.default.join(import_node_path7.default.resolve(import_node_os3.default.tmpdir()), `prun-results-${owner}`, name)
  ];
}
function canonicalPath(file) {
  const absolute2 = import_node_path7.default.resolve(file);
  let folder = import_node_path7.default.dirname(absolute2);
  try {
    folder = import_node_fs9.realpathSync.native(folder);
  } catch {
  }
  const whole = import_node_path7.default.join(folder, import_node_path7.default.basename(absolute2));
  return process.platform === "linux" ? whole : whole.toLowerCase();
}
function newestEpoch(folder) {
  try {
    if (process.getuid && (0, import_node_fs9.statSync)(folder).uid !== process.getuid()) return 0;
    return (0, import_node_fs9.readdirSync)(folder).reduce(
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

// scripts-src/supervise/attempt.ts
var import_node_fs18 = require("node:fs");
var import_node_path14 = __toESM(require("node:path"), 1);
init_clock();
init_errors();
init_files();
init_random();
init_family();
init_identity();
init_state_dir();

// scripts-src/supervise/conclude.ts
var import_node_fs17 = require("node:fs");
var import_node_os4 = __toESM(require("node:os"), 1);
var import_node_path13 = __toESM(require("node:path"), 1);
init_clock();
init_errors();
init_files();

// scripts-src/unit/result-contract.ts
init_files();
var LOOK_BYTES = 64 * 1024;
var FIELDS = ["Conclusion", "Files", "Open items", "Verification"];
var FIELD = /^\s{0,3}(?:[-*+]\s+|#{1,4}\s+)?(?:\*\*|__|`)?(conclusion|files|open items|verification)(?:\s+(?:changed|made|modified))?(?:\*\*|__|`)?\s*:(?:\*\*|__|`)?(.*)$/i;
function missingInResult(text) {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const said = fieldsThatSaySomething(lines);
  return [
    .../^\s{0,3}#{1,6}\s+.*\bresult\b/i.test(first) ? [] : ["heading"],
    ...FIELDS.filter((field) => !said.has(field.toLowerCase()))
  ];
}
function missingInResultFile(file) {
  return missingInResult(readStart(file, LOOK_BYTES));
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

// scripts-src/unit/result-file.ts
var import_node_fs12 = require("node:fs");
init_errors();
init_files();
var LOOK_BYTES2 = 65536;
var INVISIBLE = /^[\s\p{Cc}\p{Cf}]*$/u;
function resultStateOf(file) {
  try {
    if (!(0, import_node_fs12.lstatSync)(file, { throwIfNoEntry: false })) return "missing";
  } catch {
    return "missing";
  }
  const stamp = stampOf(file);
  if (!stamp) return "not-a-file";
  if (stamp.size === 0) return "empty";
  if (!isReadable(file)) return "not-a-file";
  return stamp.size > LOOK_BYTES2 || !INVISIBLE.test(readStart(file, LOOK_BYTES2)) ? "text" : "empty";
}
function isReadable(file) {
  try {
    (0, import_node_fs12.accessSync)(file, import_node_fs12.constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
function moveFile(from, to) {
  try {
    (0, import_node_fs12.renameSync)(from, to);
  } catch (error) {
    if (errnoOf(error) !== "EXDEV") throw error;
    const stat = (0, import_node_fs12.lstatSync)(from);
    if (stat.isSymbolicLink()) (0, import_node_fs12.symlinkSync)((0, import_node_fs12.readlinkSync)(from), to);
    else {
      (0, import_node_fs12.copyFileSync)(from, to);
      (0, import_node_fs12.utimesSync)(to, stat.atime, stat.mtime);
    }
    (0, import_node_fs12.rmSync)(from);
  }
}
function fallbackHeader(unit) {
  return `# ${unit} result (FALLBACK, worker wrote no result file)`;
}
function isOwnFallback(file, unit) {
  return readStart(file, 1024).split(/\r?\n/, 1)[0] === fallbackHeader(unit);
}

// scripts-src/supervise/conclude.ts
init_state_dir();

// scripts-src/supervise/answer.ts
var import_node_fs15 = require("node:fs");
var import_node_path12 = __toESM(require("node:path"), 1);
init_files();
init_state_dir();

// scripts-src/supervise/salvage.ts
var import_node_fs14 = require("node:fs");
var import_node_path11 = __toESM(require("node:path"), 1);
init_errors();
init_files();
init_state_dir();

// scripts-src/supervise/next-step.ts
var STEPS = {
  "usage-limit": "dispatch nothing more to this account before its limit resets; then dispatch the unit again",
  "rate-limit": "run fewer units at once and dispatch this one again",
  auth: "run `codex login` (`codex login status` tells) before anything is dispatched again",
  network: "check the network, then dispatch the unit again",
  "model-error": "read the message; wait, or choose another model, then dispatch the unit again",
  "idle-stall": "find out what it waited for, or give it a longer --stall-threshold, then dispatch it again",
  "hard-timeout": "split the unit or give it a longer --timeout, then dispatch it again",
  "output-limit": "look at the end of its output for what it repeats before it is dispatched again",
  spawn: "install the Codex CLI (npm install -g @openai/codex) or name another program with --codex-bin",
  workspace: "see why its workspace could not be made, then retry the unit",
  disk: "make room on the disk, then dispatch the unit again",
  "claim-mismatch": "read the delta and the ignored files for what is claimed; then take what is there or dispatch it again with the finding in its prompt",
  verify: "read the log of its verify command; dispatch it again with the finding in its prompt",
  "nothing-done": "read its result: nothing was changed and no reason given; dispatch it again with a clearer prompt"
};
var COMMAND_STEPS = {
  spawn: "name a program that is installed and executable as the first word of its argv"
};
function nextStep(reason, executor = "codex") {
  const own2 = executor === "command" ? COMMAND_STEPS[reason] : void 0;
  return own2 ?? STEPS[reason] ?? "review this or dispatch the unit again";
}

// scripts-src/supervise/stdout-part.ts
var import_node_fs13 = require("node:fs");
init_files();
init_state_dir();
var FOLLOWING_BYTES = 1024 * 1024;
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
    (0, import_node_fs13.closeSync)(fd);
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
  const fd = (0, import_node_fs13.openSync)(tail, "a+", PRIVATE_FILE);
  try {
    const { size } = (0, import_node_fs13.fstatSync)(fd);
    const isTorn = size > 0 && readRange(fd, size - 1, 1)[0] !== 10;
    const bytes = Buffer.from(isTorn ? `
${text}` : text);
    for (let at = 0; at < bytes.length; ) at += (0, import_node_fs13.writeSync)(fd, bytes, at);
  } finally {
    (0, import_node_fs13.closeSync)(fd);
  }
}

// scripts-src/supervise/salvage.ts
var MESSAGE_LIMIT = 256 * 1024;
var TAIL_LOOK_BYTES = 512 * 1024;
var TAIL_LINES = 200;
var TAIL_TEXT_BYTES = 32 * 1024;
var LINE_CHARS = 500;
var FILES_NAMED = 10;
var FOLDERS_LOOKED_AT = 100;
var MESSAGE_FOLLOWS = "The worker's last message:";
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
    (0, import_node_fs14.mkdirSync)(import_node_path11.default.dirname(resultFile), { recursive: true });
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
  moveFile(resultFile, (0, import_node_fs14.existsSync)(aside) ? `${aside}-again` : aside);
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
    `Open items: ${nextStep(verdict.reason, request.executor.name)}; all output is in ${stateFile(stateDir, "tail")}`,
    "Verification: none",
    "",
    `Trigger: ${verdict.reason}${exitNote2}`,
    oneLine(verdict.detail),
    ""
  ];
  const body = message ? [MESSAGE_FOLLOWS, "", message] : [
    "The end of the worker's output:",
    "",
    readableTail(stateDir, request.executor) || "(it printed nothing)"
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
    for (const entry of entriesOf(import_node_path11.default.join(folder, below2))) {
      const name = import_node_path11.default.join(below2, entry.name);
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
  return text.length > LINE_CHARS ? `${text.slice(0, LINE_CHARS)} …(${text.length} characters)` : text;
}
function oneLine(text) {
  return text.replace(/\s+/g, " ").slice(0, 1e3);
}

// scripts-src/supervise/answer.ts
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
    (0, import_node_fs15.mkdirSync)(import_node_path12.default.dirname(resultFile), { recursive: true });
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
  const message = request.acceptsLastMessage ? lastMessageOf(request) : void 0;
  if (message === void 0 || missingInResult(message).length > 0) return void 0;
  return { origin: "last-message", text: message.endsWith("\n") ? message : `${message}
` };
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

// scripts-src/supervise/classify.ts
function classifyEnd(evidence) {
  const { cause, exit, facts, result } = evidence;
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
  if (facts.failure && (facts.ended === "failed" || !isCleanExit(exit))) {
    return { status: "failed", reason: facts.failure.reason, detail: facts.failure.message };
  }
  if (exit.kind === "signal") {
    return { status: "failed", reason: "signal", detail: `the worker was ended by ${exit.signal}` };
  }
  if (exit.kind === "code" && exit.code !== 0) {
    return { status: "failed", reason: "exit", detail: `the worker exited with ${exit.code}` };
  }
  if (exit.kind === "lost") {
    return { status: "interrupted", reason: "dispatch-dead", detail: "nobody saw how the worker ended" };
  }
  const verdict = verdictOnResult(result, evidence.resultFile);
  if (verdict.status !== "succeeded") return verdict;
  return verdictOnClaims(evidence) ?? verdictOnVerify(evidence.verify) ?? verdict;
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
  const shown = command2.length > 120 ? `${command2.slice(0, 119)}…` : command2;
  const detail = `verify exited with ${verify.exitCode} (${shown}); see verify.log in its state dir`;
  return { status: "failed", reason: "verify", detail };
}
function mismatch(detail) {
  return { status: "failed", reason: "claim-mismatch", detail };
}
function someOf(paths) {
  const shown = paths.slice(0, 3).map((path20) => path20.length > 80 ? `…${path20.slice(-79)}` : path20);
  return shown.join(", ") + (paths.length > 3 ? ", …" : "");
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
var import_node_fs16 = require("node:fs");
init_files();
init_state_dir();
var NS_PER_MS = 1000000n;
function setRestoredAside(stateDir, record3) {
  if (!isRestored(stateDir, record3)) return;
  const aside = stateFile(stateDir, "previousResult");
  try {
    moveFile(record3.resultFile, (0, import_node_fs16.existsSync)(aside) ? `${aside}-again` : aside);
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
var RESERVE_BYTES = 8192;
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
  const naming = {
    cause,
    exit,
    facts,
    resultFile,
    quiet,
    limits,
    mayChangeNothing: executor.answersOnStdout
  };
  const written = resultOfWorker(record3, stateDir);
  const origin = keepAnswer({
    ...{ unit: record3.unit, stateDir, resultFile, executor, left: written },
    isWell: classifyEnd({ ...naming, result: "text" }).status === "succeeded",
    lastMessage: facts.lastMessage,
    acceptsLastMessage: by === "run",
    sync: !ending.isHurried
  });
  faultPoint(`${point}:answered`, stateDir);
  const left = origin === void 0 ? written : "text";
  const hasClaims = left === "text" && (origin !== "stdout" || missingInResultFile(resultFile).length === 0);
  const claims = hasClaims ? ending.workspace?.claimsOf(resultFile) : void 0;
  const verdict = classifyEnd({ ...naming, result: left, claims: claims?.check, verify: ending.verify });
  if (verdict.reason === "no-result" && !executor.answersOnStdout && !promptNames(stateDir, record3)) {
    verdict.detail += `; its prompt does not name ${record3.resultFile}`;
  }
  const salvaged = salvageResult({
    unit: record3.unit,
    stateDir,
    resultFile,
    executor,
    origin,
    verdict,
    exitNote: exitNote(ending),
    lastMessage: facts.lastMessage,
    sync: !ending.isHurried
  });
  faultPoint(`${point}:salvaged`, stateDir);
  if (salvaged.full && verdict.status === "failed" && ["no-result", "empty-result"].includes(verdict.reason)) {
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
    tokens: facts.tokens ?? null,
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
function promptNames(stateDir, record3) {
  return readStart(stateFile(stateDir, "prompt"), PROMPT_LOOK_BYTES).includes(
    import_node_path13.default.basename(record3.resultFile)
  );
}
function resultOfWorker(record3, stateDir) {
  if (!isOwnFallback(record3.resultFile, record3.unit)) return resultStateOf(record3.resultFile);
  return (0, import_node_fs17.existsSync)(stateFile(stateDir, "emptyResult")) ? "empty" : "missing";
}
function reserveOutcome(folder) {
  (0, import_node_fs17.writeFileSync)(stateFile(folder, "outcomeReserve"), Buffer.alloc(RESERVE_BYTES, 32), { mode: PRIVATE_FILE });
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
  if (!(0, import_node_fs17.existsSync)(final)) return;
  try {
    (0, import_node_fs17.renameSync)(final, stateFile(stateDir, "foreignOutcome"));
    process.stderr.write(`prun: ${final} was there already, and not by prun: moved to foreign-outcome
`);
  } catch {
  }
}
function overwrite(file, text) {
  const fd = (0, import_node_fs17.openSync)(file, import_node_fs17.constants.O_RDWR | (import_node_fs17.constants.O_NOFOLLOW ?? 0));
  try {
    const written = (0, import_node_fs17.writeSync)(fd, text, 0);
    (0, import_node_fs17.ftruncateSync)(fd, written);
    (0, import_node_fs17.fsyncSync)(fd);
  } finally {
    (0, import_node_fs17.closeSync)(fd);
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
    tripwire: outcome.tripwire && { ...outcome.tripwire, changes: outcome.tripwire.changes.slice(0, 3) }
  })}
`;
}
function wakeWatchers(stateDir) {
  const now = /* @__PURE__ */ new Date();
  try {
    (0, import_node_fs17.utimesSync)(stateFile(stateDir, "wake"), now, now);
  } catch {
  }
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
  return Object.entries(import_node_os4.default.constants.signals).find(([, value]) => value === number3)?.[0];
}

// scripts-src/supervise/attempt.ts
function prepareAttempt(host, request) {
  const { unit } = request;
  const token = randomHex(16);
  const name = `prun-task-${shortHash(request.cwd)}-${unit}-${process.pid}-${token}`;
  const stateDir = import_node_path14.default.join(request.stateHome, name);
  const draft = draftOf(stateDir);
  const self = host.entry(process.pid);
  if (!self) throw unreadableTable(host);
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
    since: self.startOrder,
    supervisor: formatIdentity(identityOf(host, self)),
    worker: null,
    startedAt: wallTime(),
    startedMonotonicMs: monotonicMs(),
    boot: host.bootId()
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
  (0, import_node_fs18.mkdirSync)(draft, { mode: PRIVATE_DIR });
}
function fillDraft(attempt, { prompt }, command2) {
  const { draft, record: record3 } = attempt;
  record3.argv = command2.argv;
  (0, import_node_fs18.writeFileSync)(stateFile(draft, "prompt"), prompt, { mode: PRIVATE_FILE });
  (0, import_node_fs18.mkdirSync)(stateFile(draft, "scratch"), { mode: PRIVATE_DIR });
  const empty = ["tail", "wake", ...command2.stderr === "own" ? ["stderr"] : []];
  for (const file of empty) (0, import_node_fs18.closeSync)((0, import_node_fs18.openSync)(stateFile(draft, file), "wx", PRIVATE_FILE));
  reserveOutcome(draft);
  (0, import_node_fs18.writeFileSync)(stateFile(draft, "unit"), unitJson(record3), { mode: PRIVATE_FILE });
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
  (0, import_node_fs18.renameSync)(attempt.draft, attempt.stateDir);
}
function discardAttempt(attempt) {
  for (const folder of [attempt.draft, attempt.stateDir]) {
    try {
      (0, import_node_fs18.rmSync)(folder, { recursive: true, force: true });
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
var import_node_fs22 = require("node:fs");
init_clock();
init_errors();
init_files();
init_state_dir();
init_workspace_of();
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
async function endAttempt(running, ended) {
  const { stateDir, record: record3, interruption } = running;
  let { cause } = ended;
  const lastEvidence = ended.progress.lastEvidence();
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
  const sweep = await endProcesses(running, ended);
  faultPoint("dispatch:reaped", stateDir);
  let exit = await workerExit(ended, stateDir);
  if (cause.kind === "worker-ended") cause = await afterWorkerEnd(cause, exit, interruption, stateDir);
  if (cause.kind === "spawn-failed") exit = { kind: "code", code: cause.exitCode };
  const workspace = await endWorkspaceOf(running, ended, cause);
  const verify = isCleanEnd(cause, exit) ? await verifyWork(running, ended) : void 0;
  const cancelled = interruption.cancelled?.();
  if (verify && cancelled) cause = { kind: "cancelled", by: cancelled.by };
  const outcome = concludeAttempt({
    stateDir,
    record: record3,
    executor: running.executor,
    output: ended.output,
    cause,
    exit,
    sweep,
    lastEvidence,
    durationMs: durationOf(running),
    by: running.by,
    workspace,
    tripwire: workspace ? void 0 : await repositoryOf(running),
    verify,
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
  const told = { ...verify.told, ...workspace ? workspaceEnvironment(workspace) : {} };
  const stop = interruption.cancelArrived;
  const { marker, cwd: workdir } = record3;
  const { exitCode } = await runVerify2({
    host,
    command: command2,
    workdir,
    log,
    environment,
    marker,
    timeoutSeconds,
    passEnv,
    told,
    stop
  });
  return { command: command2, exitCode, log };
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
async function endProcesses(running, ended) {
  const { host, interruption } = running;
  const { worker, family, observer, cause } = ended;
  if (!worker && !ended.isAdopted) return { reaped: [], survivors: [] };
  const isStopped = cause.kind === "dispatcher-signalled";
  ended.output.advance();
  const { sessionId, structured } = ended.output.events.facts();
  if (sessionId && structured) family.threadIds.add(sessionId);
  if (worker && cause.kind !== "worker-ended" && !interruption.isUrgent()) {
    seeMembers(host, family, observer);
    const whom = structured ? "leader" : "group";
    const answered = isStopped ? worker.ended : Promise.race([worker.ended, interruption.arrived]);
    await askToEnd(host, family, worker.pid, whom, askMs(interruption, isStopped), answered);
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
function askMs(interruption, isStopped) {
  return interruption.cancelled?.()?.graceMs ?? (isStopped ? ASK_WHEN_STOPPED_MS : ASK_MS2);
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
  if (exit.kind === "code" && exit.code === SHIM_REFUSED && !(0, import_node_fs22.existsSync)(stateFile(stateDir, "started"))) {
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
  const file = (0, import_node_fs22.existsSync)(stateFile(stateDir, "stderr")) ? "stderr" : "tail";
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
var import_node_fs23 = require("node:fs");
init_errors();
init_files();
init_state_dir();
function launchWorker(request) {
  const { stateDir, command: command2, platform } = request;
  const stdin = (0, import_node_fs23.openSync)(stateFile(stateDir, "prompt"), "r");
  const stdout = (0, import_node_fs23.openSync)(stateFile(stateDir, "tail"), "a", PRIVATE_FILE);
  const stderr = command2.stderr === "own" ? (0, import_node_fs23.openSync)(stateFile(stateDir, "stderr"), "a", PRIVATE_FILE) : stdout;
  try {
    const [file, argv] = platform === "win32" ? windowsCommand(command2.argv) : ["/bin/sh", shimArgv(request, command2.argv)];
    const child = (0, import_node_child_process4.spawn)(file, argv, {
      cwd: request.workdir,
      env: command2.environment,
      detached: true,
      windowsHide: true,
      stdio: [stdin, stdout, stderr]
    });
    return { pid: child.pid ?? -1, ended: endOf2(child) };
  } finally {
    for (const fd of /* @__PURE__ */ new Set([stdin, stdout, stderr])) (0, import_node_fs23.closeSync)(fd);
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
function windowsCommand(argv) {
  const [file = "", ...rest] = argv;
  if (!/\.(cmd|bat)$/i.test(file)) return [file, rest];
  const quoted = argv.map((word) => `"${word.replace(/"/g, '""')}"`).join(" ");
  return [process.env.ComSpec ?? "cmd.exe", ["/d", "/s", "/c", `"${quoted}"`]];
}

// scripts-src/supervise/lifeline.ts
var import_node_child_process5 = require("node:child_process");
var import_node_events2 = require("node:events");
var import_node_path17 = __toESM(require("node:path"), 1);
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
      identity = recordGuardian(host, now, Number(readValue(import_node_path17.default.join(now, STATE_FILES.guardianPid))));
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
    writeAtomic(import_node_path17.default.join(folder, STATE_FILES.guardian), `${formatIdentity(id)}
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
var import_node_fs25 = require("node:fs");
init_clock();
init_files();
init_state_dir();

// scripts-src/supervise/workspace-writes.ts
var import_node_fs24 = require("node:fs");
var import_node_path18 = __toESM(require("node:path"), 1);
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
      const full = import_node_path18.default.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(full);
      } else if (entry.isFile()) newest = Math.max(newest, modifiedAt(full));
    }
  }
  return newest;
}
function modifiedAt(file) {
  try {
    return (0, import_node_fs24.statSync)(file).mtimeMs;
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
    const moved = newest !== void 0 && seen > newest;
    newest = seen;
    return moved ? "workspace" : void 0;
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
      return (0, import_node_fs25.statSync)(file).mtimeMs > sinceMs;
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
  const shown = changes.slice(0, SHOWN).map(changeLine).join(", ");
  const left = changes.length + more - Math.min(changes.length, SHOWN);
  const rest = left > 0 ? `, and ${left} more` : "";
  return `the user's repository changed between ${since} and ${seenAt}: ${shown}${rest}`;
}

// scripts-src/supervise/show-end.ts
var TAIL_LINES2 = 80;
function complain(outcome) {
  if (outcome.reason === "spawn") say(`${outcome.detail}: ${nextStep("spawn", outcome.executor)}`);
  if (outcome.reason === "claim-mismatch" || outcome.reason === "nothing-done") {
    say(`${outcome.detail}: ${nextStep(outcome.reason)}`);
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
    const waitMs = Math.max(10, Math.min(nextLookMs(watched, sinceLookMs), size.nextCheckMs()));
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
    sinceLookMs += waitMs;
    if (sinceLookMs >= nextLookMs(watched, 0)) {
      sinceLookMs = 0;
      progress.look();
      watched.onLook();
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
var import_node_fs27 = require("node:fs");
init_files();
init_state_dir();

// scripts-src/supervise/line-follower.ts
var import_node_fs26 = require("node:fs");
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
      size = (0, import_node_fs26.fstatSync)(fd).size;
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
      if (fd !== void 0) (0, import_node_fs26.closeSync)(fd);
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

// scripts-src/supervise/worker-output.ts
var TRACE_LIMIT_BYTES = 4 * 1024 * 1024;
var WAITING_LINES = 1e3;
function followOutput(stateDir, executor) {
  const events = executor.events();
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
    events
  };
}
function followApart(stateDir, executor, onEvidence) {
  const lines = followLines(stateFile(stateDir, "stderr"), (line) => {
    if (line.trim() !== "" && !executor.isRetryNotice(line)) onEvidence("output");
  });
  return {
    advance: () => {
      lines.advance();
    },
    finish() {
      lines.close();
      joinStderr(stateDir);
    },
    bytes: () => sizeOf(stateFile(stateDir, "stderr"))
  };
}
function followStderr(stateDir, executor, onEvidence) {
  const file = stateFile(stateDir, "stderr");
  if (!(0, import_node_fs27.existsSync)(file)) return void 0;
  let cutBytes = 0;
  const text = [];
  const lines = followLines(file, (line) => {
    const kind = executor.classifyStderr(line);
    if (kind === "trace-progress") onEvidence("stream");
    else if (kind === "text") text.push(line);
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
  function cut() {
    if (lines.size() < TRACE_LIMIT_BYTES || lines.offset() !== lines.size()) return;
    const fd = (0, import_node_fs27.openSync)(file, "r+");
    try {
      if ((0, import_node_fs27.fstatSync)(fd).size !== lines.offset()) return;
      (0, import_node_fs27.ftruncateSync)(fd, 0);
    } finally {
      (0, import_node_fs27.closeSync)(fd);
    }
    cutBytes += lines.offset();
    lines.rewind();
  }
  return {
    advance() {
      lines.advance();
      moveText(false);
      if (text.length === 0) cut();
    },
    finish() {
      lines.advance();
      lines.finish();
      moveText(true);
      lines.close();
    },
    bytes: () => cutBytes + sizeOf(file)
  };
}
function appendToTail(tail, text, atEnd) {
  const fd = (0, import_node_fs27.openSync)(tail, "a+", PRIVATE_FILE);
  try {
    const size = (0, import_node_fs27.fstatSync)(fd).size;
    const torn = size > 0 && readRange(fd, size - 1, 1)[0] !== 10;
    if (torn && !atEnd) return false;
    (0, import_node_fs27.writeSync)(fd, torn ? `
${text}` : text);
    return true;
  } finally {
    (0, import_node_fs27.closeSync)(fd);
  }
}

// scripts-src/supervise/dispatch.ts
var REPLACE_GUARDIAN_MS = 100;
var LOOK_MS2 = 2;
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
  const begun = source && beginLook(source, LOOK_MS2);
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
var import_node_buffer = require("node:buffer");
var import_node_fs30 = require("node:fs");
var import_node_os6 = __toESM(require("node:os"), 1);
var import_node_path20 = __toESM(require("node:path"), 1);
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

// scripts-src/platform/resolve-program.ts
var import_node_fs29 = require("node:fs");
var import_node_path19 = __toESM(require("node:path"), 1);
function resolveProgram(name, cwd, environment, platform = process.platform) {
  const endings = platform === "win32" ? ["", ...(environment.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const isPath = name.includes("/") || platform === "win32" && name.includes("\\");
  const folders = isPath ? [cwd] : (environment.PATH ?? environment.Path ?? "").split(import_node_path19.default.delimiter).map((folder) => folder || cwd);
  let found = { kind: "missing", tried: isPath ? import_node_path19.default.resolve(cwd, name) : name };
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = import_node_path19.default.resolve(folder, name + ending);
      const state = executableState(candidate);
      if (state === "yes") return { kind: "found", path: candidate };
      if (state === "no" && found.kind === "missing") found = { kind: "not-executable", path: candidate };
    }
  }
  return found;
}
function executableState(file) {
  try {
    const stat = (0, import_node_fs29.statSync)(file, { throwIfNoEntry: false });
    if (!stat) return "absent";
    if (!stat.isFile()) return "no";
  } catch {
    return "absent";
  }
  try {
    (0, import_node_fs29.accessSync)(file, import_node_fs29.constants.X_OK);
    return "yes";
  } catch {
    return "no";
  }
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

// scripts-src/supervise/dispatch-arguments.ts
var MAX_PROMPT_CHARACTERS = 1048576;
var DEFAULT_MAX_OUTPUT_BYTES = 1024 ** 3;
var SANDBOXES = ["read-only", "workspace-write", "danger-full-access"];
var EXECUTORS = ["codex", "command"];
var CODEX_FLAGS = [
  "--codex-bin",
  "--model",
  "--sandbox",
  "--reasoning-effort",
  "--no-isolate-mcp"
];
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
  refuseForeign(executorName, flags, words);
  const sandbox = oneOf(
    flag("--sandbox") ?? (environment.CODEX_DISPATCH_SANDBOX || "danger-full-access"),
    SANDBOXES,
    flag("--sandbox") ? "--sandbox" : "CODEX_DISPATCH_SANDBOX"
  );
  const workdir = workFolder(flag("--workdir"), environment.PRUN_SCRATCH_CWD, cwd);
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
  const effort = flag("--reasoning-effort") ?? (environment.CODEX_DISPATCH_REASONING || (isolate ? "xhigh" : void 0));
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
    program: resolveProgram(programName(flag("--codex-bin"), words, environment), cwd, environment),
    command: {
      sandbox,
      ...effort === void 0 ? {} : { reasoningEffort: effort },
      ...model === void 0 ? {} : { model },
      isolate,
      environment,
      passEnv: flags.values.get("--pass-env") ?? [],
      args: words.slice(1)
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
    "--model",
    "--sandbox",
    "--reasoning-effort",
    "--timeout",
    "--workdir",
    "--stall-threshold",
    "--max-output",
    "--pass-env",
    "--state-home"
  ],
  switches: ["--no-isolate-mcp", "--allow-nested", "--contain"]
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
function refuseForeign(executor, flags, words) {
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
  const foreign = CODEX_FLAGS.find((name) => flags.values.has(name) || flags.switches.has(name));
  if (foreign) throw usageError(`${foreign} is a setting of codex`, "leave it out with --executor command");
}
function programName(codexBin, words, environment) {
  return words[0] ?? codexBin ?? (environment.CODEX_BIN || "codex");
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
  return import_node_path20.default.resolve(cwd, value);
}
function oneOf(value, allowed, name) {
  const found = allowed.find((candidate) => candidate === value);
  if (found) return found;
  throw usageError(`${name} is ${JSON.stringify(value)}`, `use ${allowed.join(", ")}`);
}
function workFolder(flag, variable, cwd) {
  const given = flag ?? (variable || void 0);
  if (given === void 0) return void 0;
  const name = flag === void 0 ? "PRUN_SCRATCH_CWD" : "--workdir";
  const folder = import_node_path20.default.resolve(cwd, given);
  try {
    if ((0, import_node_fs30.statSync)(folder).isDirectory()) return folder;
  } catch (error) {
    throw usageError(
      `${name} ${folder} cannot be used (${messageOf(error)})`,
      "give the path of an existing folder"
    );
  }
  throw usageError(`${name} ${folder} is not a folder`, "give the path of an existing folder");
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
function writableStateHome(flag, environment, cwd) {
  const home = import_node_path20.default.resolve(cwd, flag || environment.TMPDIR || import_node_os6.default.tmpdir());
  try {
    (0, import_node_fs30.mkdirSync)(home, { recursive: true, mode: 448 });
    (0, import_node_fs30.accessSync)(home, import_node_fs30.constants.W_OK | import_node_fs30.constants.X_OK);
    return home;
  } catch (error) {
    const name = flag ? "--state-home" : "the temp folder";
    throw usageError(
      `${name} ${home} cannot be written (${messageOf(error)})`,
      "give a writable folder with --state-home"
    );
  }
}
function readPrompt(file, executor) {
  let prompt;
  try {
    prompt = (0, import_node_fs30.readFileSync)(file);
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
    const whole = [0, 1, 2, 3].some((cut) => (0, import_node_buffer.isUtf8)(bytes.subarray(0, Math.max(0, middle - cut))));
    if (whole) low = middle;
    else high = middle - 1;
  }
  const lengths = [low, low - 1, low - 2, low - 3];
  return lengths.find((length) => length >= 0 && (0, import_node_buffer.isUtf8)(bytes.subarray(0, length))) ?? 0;
}
function prepareResultFolder(resultFile, promptFile) {
  const there = statOf(resultFile);
  if (there?.isDirectory())
    throw usageError(`--result-file ${resultFile} is a directory`, "give the path of a file");
  if (there && !there.isFile() && !(0, import_node_fs30.lstatSync)(resultFile).isSymbolicLink())
    throw usageError(`--result-file ${resultFile} is not a regular file`, "give the path of a file");
  const prompt = statOf(promptFile);
  if (there && prompt && there.ino === prompt.ino && there.dev === prompt.dev)
    throw usageError(`--result-file ${resultFile} is the prompt file`, "give the result a path of its own");
  const folder = import_node_path20.default.dirname(resultFile);
  try {
    (0, import_node_fs30.mkdirSync)(folder, { recursive: true });
    (0, import_node_fs30.accessSync)(folder, import_node_fs30.constants.W_OK | import_node_fs30.constants.X_OK);
  } catch (error) {
    throw usageError(
      `the folder of --result-file ${resultFile} cannot be written (${messageOf(error)})`,
      "give a path in a writable folder"
    );
  }
}
function statOf(file) {
  try {
    return (0, import_node_fs30.statSync)(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return void 0;
  }
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
var HELP = `usage: dispatch-task --prompt-file F --result-file F --unit-id ID [options] [-- CMD WORD…]

Runs one unit on a worker, watches it, ends it when it hangs, and leaves a result file in any case.
Prints one line, STATE-DIR <abs>, when the attempt exists; the end of the worker's output goes to stderr.

  --prompt-file F        what the worker is to do; sent to its stdin byte for byte
  --result-file F        where its result is to be; an older file there is moved to the state dir
  --unit-id ID           letters, digits, - and _
  --workdir DIR          where the worker works (PRUN_SCRATCH_CWD; default: a scratch folder). In a workspace of
                         prun clone its delta is collected at the end and held against what the result claims
  --executor NAME        codex (the default), or command: any program, given after --. {prompt_file}, {result_file},
                         {unit} and {workdir} in its words are replaced; what it prints is the result if it writes none
  --codex-bin FILE       the codex to run (CODEX_BIN; default: codex in PATH)
  --model NAME           model for the worker
  --sandbox MODE         read-only, workspace-write or danger-full-access (CODEX_DISPATCH_SANDBOX; the last)
  --reasoning-effort R   (CODEX_DISPATCH_REASONING; xhigh)
  --no-isolate-mcp       keep the user's codex config and MCP servers (CODEX_DISPATCH_ISOLATE_MCP=off)
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
  const guardian = [process.execPath, import_node_path21.default.join(__dirname, "reap-watch.cjs")];
  const prun = import_node_path21.default.join(__dirname, "prun.cjs");
  const request = { ...parsed2, executor: executorByName(parsed2.executorName), guardian, prun };
  const code = await dispatch(request, await currentHost(), interruption, (stateDir) => {
    writeAllSync(1, `STATE-DIR ${printedName(stateDir)}
`);
  });
  process.exit(code);
});
