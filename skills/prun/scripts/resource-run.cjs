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

// scripts-src/process/types.ts
var LEASES;
var init_types = __esm({
  "scripts-src/process/types.ts"() {
    "use strict";
    LEASES = "PRUN_LEASE";
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
  const time = [inDay / 36e5, inDay / 6e4 % 60, inDay / 1e3 % 60].map(
    (part) => two(Math.floor(part))
  );
  return `${year}-${two(month)}-${two(day)}T${time.join(":")}.${String(inDay % 1e3).padStart(3, "0")}Z`;
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
  const rows2 = [];
  let block = {};
  for (const line of `${text}
CreationDate=`.split(/[\r\n]+/)) {
    const equals = line.indexOf("=");
    if (equals < 0) continue;
    const key = line.slice(0, equals);
    if (key in block) {
      rows2.push(...rowOf(block, cimDateMs(block.CreationDate ?? "")));
      block = {};
    }
    block[key] = line.slice(equals + 1);
  }
  return rows2;
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
function windowsTable(rows2) {
  const created = new Map(rows2.map((row) => [row.pid, row.created]));
  const table = { entries: /* @__PURE__ */ new Map(), io: /* @__PURE__ */ new Map(), staleChildren: /* @__PURE__ */ new Map() };
  for (const row of rows2) {
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
  const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number >= 0 ? number : void 0;
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
      const rows2 = way(run);
      const found = rows2 && windowsTable(rows2);
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
    const [, pidText, ppid, pgid, state = "", month, day, hour, minute, second, year, time = "", name] = match;
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
      cpuMs: cpuMsOf(time)
    });
  }
  deriveSessions(entries, leaders);
  return entries;
}
function deriveSessions(entries, leaders) {
  const visited = /* @__PURE__ */ new Set();
  const known = new Map([...leaders].map((pid) => [pid, pid]));
  for (const first of entries.values()) {
    const path21 = [];
    let entry = first;
    while (entry && !known.has(entry.pid) && !visited.has(entry.pid)) {
      visited.add(entry.pid);
      path21.push(entry);
      entry = relativeInSession(entries, entry);
    }
    const sid = entry && known.get(entry.pid);
    for (const one of path21) if (sid !== void 0) known.set(one.pid, sid);
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
  const uuid = run(SYSCTL, ["-n", "kern.bootsessionuuid"])?.trim() ?? "";
  if (/^[0-9A-Fa-f-]{36}$/.test(uuid)) return uuid;
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

// node_modules/tree-kill/index.js
var require_tree_kill = __commonJS({
  "node_modules/tree-kill/index.js"(exports2, module2) {
    "use strict";
    var childProcess2 = require("child_process");
    var spawn3 = childProcess2.spawn;
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
            return spawn3("pgrep", ["-P", parentPid]);
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
            return spawn3("ps", ["-o", "pid", "--no-headers", "--ppid", parentPid]);
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
    let settled2 = !unix && soundOnWindows(host, tree);
    if (unix && tree.length <= TREE_KILL_LIMIT) ({ tree, settled: settled2 } = freeze(host, id, tree));
    frozen = tree;
    if (settled2 && tree.length <= TREE_KILL_LIMIT && isAlive(host, id)) {
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
function within(ms, start2) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      process.off("uncaughtException", onUncaught);
      resolve();
    };
    const onUncaught = (error) => {
      if (!isSpawnFault(error)) throw error;
      done();
    };
    const timer = setTimeout(done, ms);
    process.on("uncaughtException", onUncaught);
    try {
      start2(done);
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

// scripts-src/platform/errors.ts
var EXIT = {
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
var PrunError = class extends Error {
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

// scripts-src/platform/one-line.ts
function oneLine(text) {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

// scripts-src/platform/write-all.ts
var import_node_fs = require("node:fs");

// scripts-src/platform/pause.ts
function pauseSync(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

// scripts-src/platform/write-all.ts
function writeAllSync(fd, text) {
  let rest = Buffer.from(text);
  for (let tries = 0; rest.length > 0 && tries < 200; tries++) {
    try {
      rest = rest.subarray((0, import_node_fs.writeSync)(fd, rest));
    } catch (error) {
      if (errnoOf(error) !== "EAGAIN") return;
      pauseSync(5);
    }
  }
}

// scripts-src/process/linux.ts
var import_node_fs2 = require("node:fs");
init_types();
var TICKS_PER_SECOND = 100;
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
var buffer = Buffer.allocUnsafe(4096);
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

// scripts-src/process/host.ts
async function currentHost(platform = process.platform) {
  if (platform === "win32") return (await Promise.resolve().then(() => (init_windows(), windows_exports))).createWindowsHost();
  if (platform === "linux") return createLinuxHost();
  return (await Promise.resolve().then(() => (init_darwin(), darwin_exports))).createDarwinHost();
}

// scripts-src/validate/lease-arguments.ts
var import_node_path = __toESM(require("node:path"), 1);

// scripts-src/platform/read-flags.ts
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
function wholeSeconds(value, name) {
  const seconds = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(seconds * 1e3)) return seconds;
  throw usageError(
    `${name} is ${JSON.stringify(value)}, not a whole number of seconds`,
    `give ${name} a number such as 600`
  );
}

// scripts-src/validate/lease-arguments.ts
var DEFAULT_TIMEOUT = 3600;
var LEASE_HELP = `usage: resource-run --resource NAME … [--timeout SEC] (-- CMD WORD… | --hold DIR)
       resource-run --list [--json]

Runs a command while it holds named slots of this machine, which all projects and runs of its user share. Waits its
turn, first come, first served; several names are given together or not at all.

  --resource NAME       heavy (1 slot), implementation (2), simulator-<id> (1 each), or a name of slots.json in the
                        resource home, such as {"heavy": 2, "gpu": 1}; may be repeated
  --timeout SEC         longest wait, 0 = no limit (3600)
  -- CMD WORD…          the command, in a process group of its own; when it ends, all that it started is ended
  --hold DIR            hold the slots without a command: DIR is made, and DIR/ready.json says when they are held;
                        make DIR/release to give them back, which ready.json records
  --list                who holds and who waits; with --json as JSON
  --resource-home DIR   where slots are kept (PRUN_RESOURCE_HOME; default: resources in the state home)
  --help                this text

Exit code: the command's own; 124 the wait was too long; 126 or 127 the command cannot be started; 2 usage, or the
resource home cannot be used; 128+n ended by a signal.
`;
var VALUES = ["--resource", "--timeout", "--hold", "--resource-home"];
var SWITCHES = ["--list", "--json"];
function parseLease(argv, cwd) {
  const end = argv.indexOf("--");
  const flags = readFlags(end < 0 ? argv : argv.slice(0, end), { values: VALUES, switches: SWITCHES });
  if (flags.help) return { kind: "help" };
  const command = end < 0 ? [] : argv.slice(end + 1);
  const [stray] = flags.operands;
  if (stray !== void 0) {
    throw usageError(`unexpected word ${JSON.stringify(stray.slice(0, 80))}`, "give the command after --");
  }
  const home = pathFrom(lastValue(flags, "--resource-home"), "--resource-home", cwd);
  const names = flags.values.get("--resource") ?? [];
  const hold = pathFrom(lastValue(flags, "--hold"), "--hold", cwd);
  const json = flags.switches.has("--json");
  if (flags.switches.has("--list")) {
    if (names.length > 0 || hold !== void 0 || end >= 0) {
      throw usageError("--list goes with --json and --resource-home alone", "call it twice");
    }
    return { kind: "list", home, json };
  }
  if (json) throw usageError("--json goes with --list", "leave it out");
  if (names.length === 0)
    throw usageError("--resource is missing", "name what to hold, as in --resource heavy");
  if (hold !== void 0 && end >= 0) {
    throw usageError("--hold and a command were both given", "give one of the two");
  }
  if (hold === void 0 && (command[0] ?? "") === "") {
    throw usageError("there is no command", "give it after --, or hold the slots with --hold DIR");
  }
  const timeout = lastValue(flags, "--timeout");
  return {
    kind: hold === void 0 ? "run" : "hold",
    home,
    resources: [...new Set(names)].sort(),
    timeoutSeconds: timeout === void 0 ? DEFAULT_TIMEOUT : wholeSeconds(timeout, "--timeout"),
    argv: [...command],
    folder: hold ?? ""
  };
}
function pathFrom(value, flag, cwd) {
  if (value === "") throw usageError(`${flag} is empty`, `give ${flag} a folder`);
  return value === void 0 ? void 0 : import_node_path.default.resolve(cwd, value);
}

// scripts-src/validate/lease-guard.ts
var import_node_path15 = __toESM(require("node:path"), 1);

// scripts-src/platform/files.ts
var import_node_fs4 = require("node:fs");
var import_node_path2 = __toESM(require("node:path"), 1);

// scripts-src/platform/random.ts
var import_node_fs3 = require("node:fs");
function randomHex(digits) {
  const bytes = Buffer.alloc(Math.ceil(digits / 2));
  try {
    const fd = (0, import_node_fs3.openSync)("/dev/urandom", "r");
    try {
      (0, import_node_fs3.readSync)(fd, bytes);
    } finally {
      (0, import_node_fs3.closeSync)(fd);
    }
  } catch {
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(Math.random() * 256);
  }
  return bytes.toString("hex").slice(0, digits);
}

// scripts-src/platform/files.ts
var PRIVATE_FILE = 384;
var PRIVATE_DIR = 448;
function stampOf(file) {
  try {
    const stat = (0, import_node_fs4.statSync)(file, { bigint: true, throwIfNoEntry: false });
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
function claimName(file, data) {
  let fd;
  try {
    fd = (0, import_node_fs4.openSync)(file, "wx", PRIVATE_FILE);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    (0, import_node_fs4.writeSync)(fd, data);
  } finally {
    (0, import_node_fs4.closeSync)(fd);
  }
  return true;
}
function writeNew(file, data) {
  writeAll(file, data, false);
}
function publishOnce(prepared, file) {
  const won = linkOnce(prepared, file);
  (0, import_node_fs4.unlinkSync)(prepared);
  return won;
}
function removeQuietly(file) {
  try {
    (0, import_node_fs4.unlinkSync)(file);
  } catch {
  }
}
function linkOnce(from, to) {
  try {
    (0, import_node_fs4.linkSync)(from, to);
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
    fd = (0, import_node_fs4.openSync)(to, "wx", PRIVATE_FILE);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    (0, import_node_fs4.writeFileSync)(fd, data);
    (0, import_node_fs4.fsyncSync)(fd);
  } finally {
    (0, import_node_fs4.closeSync)(fd);
  }
  return true;
}
function readWhole(file) {
  const fd = (0, import_node_fs4.openSync)(file, "r");
  try {
    const buffer2 = Buffer.alloc((0, import_node_fs4.fstatSync)(fd).size);
    readFully(fd, buffer2, 0);
    return buffer2;
  } finally {
    (0, import_node_fs4.closeSync)(fd);
  }
}
function writeAll(file, data, sync) {
  const fd = (0, import_node_fs4.openSync)(file, "wx", PRIVATE_FILE);
  try {
    (0, import_node_fs4.writeFileSync)(fd, data);
    if (sync) (0, import_node_fs4.fsyncSync)(fd);
  } finally {
    (0, import_node_fs4.closeSync)(fd);
  }
}
function temporaryBeside(file) {
  return import_node_path2.default.join(import_node_path2.default.dirname(file), `.prun-${process.pid}-${randomHex(8)}.tmp`);
}
function isTemporary(name) {
  return /^\.prun-\d+-[0-9a-f]{8}\.tmp$/.test(name);
}
function renameRetrying(from, to) {
  for (let attempt = 0; ; attempt++) {
    try {
      (0, import_node_fs4.renameSync)(from, to);
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
    const count2 = (0, import_node_fs4.readSync)(fd, buffer2, done, buffer2.length - done, offset + done);
    if (count2 === 0) break;
    done += count2;
  }
  return done;
}
function openForReading(file) {
  return (0, import_node_fs4.openSync)(file, import_node_fs4.constants.O_RDONLY | (import_node_fs4.constants.O_NONBLOCK ?? 0));
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
    const stat = (0, import_node_fs4.fstatSync)(fd);
    return stat.isFile() ? readRange(fd, from(stat.size), limit).toString("utf8") : "";
  } catch {
    return "";
  } finally {
    (0, import_node_fs4.closeSync)(fd);
  }
}
function readValue(file) {
  try {
    (0, import_node_fs4.statSync)(file);
  } catch {
    return void 0;
  }
  return readStart(file, 65536).trim();
}
function entriesOf(folder) {
  try {
    return (0, import_node_fs4.readdirSync)(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

// scripts-src/process/family.ts
var RSS_MARK_RANGE = { from: 2 ** 52, to: 2 ** 53 };
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
  const own = host.entry(pid);
  if (!own)
    throw new Error(`process ${pid} is not in the process table: ${host.trouble?.() ?? "it cannot be read"}`);
  const pids = /* @__PURE__ */ new Set([pid]);
  for (let next = own; next && next.ppid > 0 && !pids.has(next.ppid); next = host.entry(next.ppid)) {
    pids.add(next.ppid);
  }
  return { pids, pgid: own.pgid, sid: own.sid };
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
function kinNumbers(members, observer) {
  const pids = /* @__PURE__ */ new Set();
  const pgids = /* @__PURE__ */ new Set();
  const sids = /* @__PURE__ */ new Set();
  for (const member of members?.values() ?? []) {
    pids.add(member.pid);
    if (member.pgid > 0 && member.pgid !== observer.pgid) pgids.add(member.pgid);
    if (member.sid > 0 && member.sid !== observer.sid) sids.add(member.sid);
  }
  return { pids, pgids, sids };
}

// scripts-src/validate/lease-guard.ts
init_identity();

// scripts-src/supervise/member-ledger.ts
init_identity();

// scripts-src/unit/state-dir.ts
var import_node_path3 = __toESM(require("node:path"), 1);
var STATE_FILES = {
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
function stateFile(stateDir, file) {
  return import_node_path3.default.join(stateDir, STATE_FILES[file]);
}

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
function recallMembers(host, stateDir, family) {
  for (const line of (readValue(stateFile(stateDir, "members")) ?? "").split("\n")) {
    const id = parseIdentity(line);
    const entry = id && id.boot === host.bootId() ? host.entry(id.pid) : void 0;
    if (entry && entry.start === id?.start) family.members.set(entry.pid, entry);
  }
}

// scripts-src/supervise/reap.ts
init_clock();
init_identity();
var QUIET_AFTER_HIT_MS = 150;
var BETWEEN_LOOKS_MS = 5;
var BETWEEN_QUIET_LOOKS_MS = 20;
var DYING_MS = 100;
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
  for (const { pid, start: start2 } of ended) {
    const member = seen.find((one) => one.pid === pid && one.start === start2);
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
function seeMembers(host, family, observer) {
  lookAtFamilies(host, [family], observer, () => {
  });
}
function named(entry) {
  return { pid: entry.pid, command: entry.command };
}
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// scripts-src/supervise/stand-behind.ts
var import_node_fs5 = require("node:fs");
var import_node_path5 = __toESM(require("node:path"), 1);

// scripts-src/supervise/lifeline.ts
var import_node_child_process = require("node:child_process");
var import_node_events = require("node:events");
var import_node_path4 = __toESM(require("node:path"), 1);
init_identity();
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
function startLifeline(host, place, command) {
  return host.platform === "win32" ? standBy(host, command) : waitOnPipe(host, place, command);
}
function standBy(host, command) {
  const [file = "", ...argv] = command;
  const child = (0, import_node_child_process.spawn)(file, argv, { detached: true, stdio: "ignore", windowsHide: true });
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
function waitOnPipe(host, { draft, stateDir }, command) {
  const starter = (0, import_node_child_process.spawn)(
    "/bin/sh",
    ["-c", STARTER, "prun-lifeline", GUARDIAN, STATE_FILES.guardianPid, draft, stateDir, ...command],
    {
      detached: true,
      cwd: "/",
      env: withoutMarks(process.env),
      stdio: ["ignore", "ignore", "ignore", "pipe"]
    }
  );
  const pipe = ownEnd(starter);
  const settled2 = settledOnce(starter, "exit");
  let released2 = false;
  const lost = new Promise((resolve) => {
    pipe?.once("close", () => {
      if (!released2) resolve();
    });
  });
  let identity;
  return {
    begin() {
      pipe?.write("made\n");
    },
    settled: settled2,
    record(now) {
      identity = recordGuardian(host, now, Number(readValue(import_node_path4.default.join(now, STATE_FILES.guardianPid))));
    },
    isAlive: () => isGuardianAlive(host, identity),
    lost,
    release() {
      released2 = true;
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
    writeAtomic(import_node_path4.default.join(folder, STATE_FILES.guardian), `${formatIdentity(id)}
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
    await (0, import_node_events.once)(child, event);
  } catch {
  }
}

// scripts-src/supervise/stand-behind.ts
var REPLACE_GUARDIAN_MS = 100;
function standBehind(host, folder, command) {
  (0, import_node_fs5.mkdirSync)(folder, { recursive: true, mode: PRIVATE_DIR });
  const pidFile = import_node_path5.default.join(folder, STATE_FILES.guardianPid);
  (0, import_node_fs5.rmSync)(pidFile, { force: true });
  let isReleased = false;
  let lifeline;
  const begin = () => {
    lifeline = startLifeline(host, { draft: folder, stateDir: folder }, command);
    lifeline.begin();
    const { settled: settled2, lost, record } = lifeline;
    void settled2.then(() => record(folder));
    void lost.then(() => new Promise((resolve) => setTimeout(resolve, REPLACE_GUARDIAN_MS))).then(() => {
      if (!isReleased) begin();
    });
  };
  begin();
  return {
    pidFile,
    release() {
      isReleased = true;
      lifeline.release();
    }
  };
}

// scripts-src/validate/end-leased.ts
init_clock();
init_identity();

// scripts-src/supervise/end-family.ts
init_identity();
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
  return gone.map(({ pid, command }) => ({ pid, command }));
}

// scripts-src/validate/end-leased.ts
var ASK_MS = 1e3;
var KILL_MS = 5e3;
var BETWEEN_LOOKS_MS2 = 20;
async function endLeased(ended) {
  const { host, family, observer, leader, signal, hurry } = ended;
  seeMembers(host, family, observer);
  if (family.members.size === 0 && host.platform === "linux") return { reaped: [], survivors: [] };
  if (host.platform !== "win32") {
    for (const member of family.members.values()) signalIfSame(host, identityOf(host, member), signal);
    let isHurried = false;
    void hurry?.then(() => {
      isHurried = true;
    });
    const until = monotonicMs() + ASK_MS;
    while (canAnswer(family) && !isHurried && monotonicMs() < until) {
      await sleep(BETWEEN_LOOKS_MS2);
      seeMembers(host, family, observer);
    }
  }
  return endFamily(host, family, leader, observer, KILL_MS);
}
function canAnswer(family) {
  return [...family.members.values()].some(({ state }) => state !== "stopped");
}

// scripts-src/validate/hold-record.ts
var import_node_path6 = __toESM(require("node:path"), 1);
var READY = "ready.json";
var READY_BYTES = 1e5;
function writeHold(folder, record) {
  writeAtomic(import_node_path6.default.join(folder, READY), `${JSON.stringify(record, null, 2)}
`);
}
function noteInterrupted(folder) {
  try {
    const record = JSON.parse(readStart(import_node_path6.default.join(folder, READY), READY_BYTES));
    if (typeof record !== "object" || record === null || !("state" in record) || record.state !== "held")
      return;
    const text = JSON.stringify({ ...record, state: "interrupted", endedAt: null }, null, 2);
    writeAtomic(import_node_path6.default.join(folder, READY), `${text}
`, { sync: false });
  } catch {
  }
}

// scripts-src/validate/lease-alive.ts
var import_node_fs6 = require("node:fs");
var import_node_path7 = __toESM(require("node:path"), 1);
init_clock();
init_identity();

// scripts-src/unit/guardian.ts
init_identity();
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

// scripts-src/validate/lease-alive.ts
var UNWRITTEN_MS = 2e3;
var CLOCK_MS = 2e3;
var unwritten = /* @__PURE__ */ new Map();
var LEADER_FILE = "leader";
function isWaiterAlive(host, { owner }) {
  return isIdentityAlive(host, owner);
}
function isHolderAlive(host, lease) {
  if (isIdentityAlive(host, lease.owner)) return true;
  if (lease.keepers.some((keeper) => isKeeperAlive(host, keeper))) return true;
  const { folder } = lease;
  if (folder === null) return false;
  if (isGuarded(folder, host)) return true;
  const leader = readValue(import_node_path7.default.join(folder, LEADER_FILE));
  if (leader !== void 0 && isIdentityAlive(host, leader)) return true;
  return isStarted(host, lease, stateFile(folder, "started"));
}
function isKeeperAlive(host, keeper) {
  if (!import_node_path7.default.isAbsolute(keeper)) return isIdentityAlive(host, keeper);
  const identity = readValue(keeper);
  return identity !== void 0 && isIdentityAlive(host, identity);
}
function isIdentityAlive(host, identity) {
  const id = parseIdentity(identity);
  return id !== void 0 && isAlive(host, id);
}
function isStarted(host, lease, fence) {
  if (claimFence(fence)) return false;
  const text = readValue(fence);
  if (text === "") return isFresh(fence);
  unwritten.delete(fence);
  const pid = Number(text);
  const entry = Number.isInteger(pid) && pid > 1 ? host.entry(pid) : void 0;
  if (!entry || entry.state === "zombie") return false;
  const marks = host.marks(entry);
  if (marks?.unit !== void 0 || (marks?.threads.length ?? 0) > 0) {
    return lease.marker === null ? marks?.threads.includes(lease.id) === true : marks?.unit === lease.marker;
  }
  return host.platform !== "linux" && entry.startOrder <= writtenAt(fence) + CLOCK_MS;
}
function claimFence(fence) {
  try {
    return claimName(fence, "");
  } catch {
    return (0, import_node_fs6.statSync)(fence, { throwIfNoEntry: false }) === void 0;
  }
}
function isFresh(fence) {
  const since = unwritten.get(fence) ?? monotonicMs();
  unwritten.set(fence, since);
  return monotonicMs() - since < UNWRITTEN_MS;
}
function writtenAt(file) {
  return (0, import_node_fs6.statSync)(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

// scripts-src/validate/lease-changes.ts
var import_node_fs11 = require("node:fs");
var import_node_path14 = __toESM(require("node:path"), 1);
init_clock();

// scripts-src/validate/lease-grants.ts
function giveSlots({ epoch, holders, waiters }, slotsOf, now) {
  const held = [...holders];
  const waiting = [];
  const kept = [];
  const inOrder = [...waiters].sort(
    (a, b) => Number(isNested(b)) - Number(isNested(a)) || a.number - b.number
  );
  for (const lease of inOrder) {
    const inTheWay = isNested(lease) ? held : [...held, ...kept];
    if (fits(lease, inTheWay, slotsOf)) {
      held.push({ ...lease, heldSince: now });
      continue;
    }
    const earlier = [...held, ...waiting].filter(({ number }) => number < lease.number);
    if (fits(lease, earlier, slotsOf)) kept.push(lease);
    waiting.push(lease);
  }
  return { epoch, holders: held, waiters: waiting.sort((a, b) => a.number - b.number) };
}
function isNested({ outer }) {
  return outer.length > 0;
}
function fits({ resources }, others, slotsOf) {
  return resources.every((name) => usersOf(others, name).length < (slotsOf(name) ?? 1));
}
function usersOf(leases, name) {
  return leases.filter(({ resources }) => resources.includes(name));
}
function blockersOf(lease, { holders }, slotsOf) {
  const full = lease.resources.filter((name) => usersOf(holders, name).length >= (slotsOf(name) ?? 1));
  return holders.filter(({ resources }) => resources.some((name) => full.includes(name)));
}
function wouldWaitForEver(wish, table, slotsOf) {
  let holders = table.holders;
  let waiters = [...table.waiters, wish].filter(isNested);
  for (; ; ) {
    const stuck = new Set(waiters.flatMap(({ outer }) => outer));
    const left = holders.filter(({ id }) => stuck.has(id));
    const rest = waiters.filter((lease) => !fits(lease, left, slotsOf));
    if (!rest.includes(wish)) return false;
    if (left.length === holders.length && rest.length === waiters.length) return true;
    [holders, waiters] = [left, rest];
  }
}

// scripts-src/validate/lease-slots.ts
var import_node_fs7 = require("node:fs");
var import_node_path8 = __toESM(require("node:path"), 1);

// scripts-src/platform/nearest-word.ts
var LEAST_BEGINNING = 3;
function nearestWord(word, candidates) {
  const wanted = plain(word);
  const begun = new Set(candidates.filter((candidate) => plain(candidate).startsWith(wanted)));
  if (wanted.length >= LEAST_BEGINNING && begun.size === 1) return [...begun][0];
  let best;
  let least = Math.min(Math.max(1, Math.floor(wanted.length / 3)), wanted.length - 1) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate), least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}
function plain(word) {
  return word.slice(0, 100).toLowerCase().replace(/[-_ ]/g, "");
}
function editDistance(a, b, limit) {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let [before, last] = [
    Array(b.length + 1).fill(0),
    Array.from({ length: b.length + 1 }, (_, n) => n)
  ];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? limit;
}

// scripts-src/validate/lease-slots.ts
var DEFAULTS = { heavy: 1, implementation: 2 };
var SIMULATOR = /^simulator-[A-Za-z0-9._-]+$/;
var MACHINE_NAMES = Object.keys(DEFAULTS);
var NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
var MOST = 1e3;
var SLOTS_FILE = "slots.json";
function readSlots(home) {
  const named2 = new Map([...Object.entries(DEFAULTS), ...configured(import_node_path8.default.join(home, SLOTS_FILE))]);
  return { named: named2, of: (name) => named2.get(name) ?? (SIMULATOR.test(name) ? 1 : void 0) };
}
function configured(file) {
  let text;
  try {
    text = textOf(file);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "")) return [];
    throw usageError(`${file} cannot be read (${errnoOf(error) ?? messageOf(error)})`, "make it readable");
  }
  if (text === void 0) throw usageError(`${file} is no file`, `remove it, or ${EXAMPLE}`);
  let value;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw usageError(`${file} is no JSON (${messageOf(error)})`, EXAMPLE);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw usageError(`${file} holds no object of names and numbers`, EXAMPLE);
  }
  return Object.entries(value).map(([name, slots]) => [name, slotsIn(file, name, slots)]);
}
function textOf(file) {
  const fd = openForReading(file);
  try {
    return (0, import_node_fs7.fstatSync)(fd).isFile() ? (0, import_node_fs7.readFileSync)(fd, "utf8") : void 0;
  } finally {
    (0, import_node_fs7.closeSync)(fd);
  }
}
var EXAMPLE = 'write it as {"heavy": 1, "gpu": 2}';
function slotsIn(file, name, slots) {
  if (!NAME.test(name)) {
    throw usageError(`${file} names ${JSON.stringify(name)}`, "use letters, digits, dots, - and _ in a name");
  }
  if (typeof slots === "number" && Number.isInteger(slots) && slots >= 1 && slots <= MOST) return slots;
  throw usageError(
    `${file} gives ${name} ${JSON.stringify(slots)} slots, not a whole number from 1 to ${MOST}`,
    EXAMPLE
  );
}
function requireNames(names, slots, home) {
  const unknown = names.find((name) => slots.of(name) === void 0);
  if (unknown === void 0) return;
  const known = [...slots.named].map(([name, number]) => `${name} (${number})`);
  const near = nearestWord(unknown, [...slots.named.keys()]);
  throw usageError(
    `there is no resource ${JSON.stringify(unknown.slice(0, 80))}${near === void 0 ? "" : `: is ${near} meant?`}`,
    `known are ${[...known, "simulator-<id> (1)"].join(", ")}; more go into ${import_node_path8.default.join(home, SLOTS_FILE)}`
  );
}

// scripts-src/validate/lease-store.ts
var import_node_fs10 = require("node:fs");
var import_node_path13 = __toESM(require("node:path"), 1);

// scripts-src/validate/lease-place.ts
var import_node_fs9 = require("node:fs");
var import_node_path12 = __toESM(require("node:path"), 1);

// scripts-src/platform/make-folders.ts
var import_node_fs8 = require("node:fs");
var import_node_path9 = __toESM(require("node:path"), 1);
function makeFolders(folder, mode = PRIVATE_DIR) {
  if ((0, import_node_fs8.statSync)(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = import_node_path9.default.dirname(folder);
  if (above !== folder) makeFolders(above, mode);
  try {
    (0, import_node_fs8.mkdirSync)(folder, { mode });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

// scripts-src/platform/state-home.ts
var import_node_path11 = __toESM(require("node:path"), 1);

// scripts-src/platform/home-folder.ts
var import_node_os = __toESM(require("node:os"), 1);
var import_node_path10 = __toESM(require("node:path"), 1);
function homeFolder() {
  const named2 = import_node_os.default.homedir();
  if (import_node_path10.default.isAbsolute(named2)) return named2;
  try {
    return import_node_os.default.userInfo().homedir;
  } catch {
    throw usageError(`HOME is ${JSON.stringify(named2)}, no absolute path`, "set HOME to your home folder");
  }
}

// scripts-src/platform/state-home.ts
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

// scripts-src/validate/lease-place.ts
init_identity();
var OLD_MS = 30 * 24 * 36e5;
function resourceHome(environment, flag) {
  const given = flag ?? (environment.PRUN_RESOURCE_HOME || void 0);
  return given === void 0 ? import_node_path12.default.join(stateHome(environment), "resources") : import_node_path12.default.resolve(given);
}
function leasePlace(host, home) {
  const boot = import_node_path12.default.join(home, host.bootId());
  const below = (name) => import_node_path12.default.join(boot, name);
  return { host, home, tables: below("tables"), drafts: below("drafts"), leases: below("leases") };
}
function makeLeasePlace(host, home) {
  const place = leasePlace(host, home);
  makeLeaseFolders(place);
  if (!identify(host, process.pid)) {
    const why = host.trouble?.() ?? "this process is not in it";
    throw new PrunError("E_PROCESSES", `the process table cannot be read (${why})`, "try again");
  }
  removeOldBoots(place);
  return place;
}
function makeLeaseFolders({ home, tables, drafts, leases }) {
  try {
    for (const folder of [tables, drafts, leases]) makeFolders(folder);
  } catch (error) {
    throw unusable(home, error);
  }
}
function makeLeaseFolder({ home }, folder) {
  try {
    (0, import_node_fs9.mkdirSync)(folder, { mode: PRIVATE_DIR });
  } catch (error) {
    throw unusable(home, error);
  }
}
function unusable(home, error) {
  const code = errnoOf(error);
  if (code === void 0 || error instanceof PrunError) return error;
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  const next = isFull ? "make room on the disk, or give another folder with --resource-home" : "make it yours and writable, or give another folder with --resource-home or PRUN_RESOURCE_HOME";
  return new PrunError("E_RESOURCE_HOME", `the resource home ${home} cannot be written (${code})`, next);
}
function removeOldBoots({ home, tables }) {
  const own = import_node_path12.default.basename(import_node_path12.default.dirname(tables));
  try {
    for (const name of (0, import_node_fs9.readdirSync)(home)) {
      const changed = (0, import_node_fs9.statSync)(import_node_path12.default.join(home, name, "tables"), { throwIfNoEntry: false })?.mtimeMs;
      if (name === own || changed === void 0 || Date.now() - changed < OLD_MS) continue;
      (0, import_node_fs9.rmSync)(import_node_path12.default.join(home, name), { recursive: true, force: true });
    }
  } catch {
  }
}

// scripts-src/validate/lease-table.ts
var SCHEMA = 1;
var TABLE_BYTES = 4e6;
function formatTable({ holders, waiters }) {
  return `${JSON.stringify({ schema: SCHEMA, holders, waiters })}
`;
}
function parseTable(text, epoch) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return void 0;
  }
  if (!isRecord2(value) || typeof value.schema !== "number") return void 0;
  if (value.schema > SCHEMA) return "newer";
  const [holders, waiters] = [value.holders, value.waiters];
  if (!Array.isArray(holders) || !Array.isArray(waiters)) return void 0;
  if (![...holders, ...waiters].every(isLease)) return void 0;
  return { epoch, holders, waiters };
}
function isRecord2(value) {
  return typeof value === "object" && value !== null;
}
function isLease(value) {
  if (!isRecord2(value)) return false;
  const { id, number, resources, kind, owner, keepers, folder, marker, what, since, heldSince, outer } = value;
  return [id, owner, what, since].every(isText) && typeof number === "number" && [resources, keepers, outer].every((list) => Array.isArray(list) && list.every(isText)) && [folder, marker, heldSince].every((text) => text === null || isText(text)) && (kind === "command" || kind === "hold" || kind === "unit");
}
function isText(value) {
  return typeof value === "string";
}
function standingOf(table, id) {
  if (table.holders.some((lease) => lease.id === id)) return "held";
  return table.waiters.some((lease) => lease.id === id) ? "waiting" : "gone";
}

// scripts-src/validate/lease-store.ts
var KEPT = 32;
var UNWRITTEN_MS2 = 5;
var UNWRITTEN_LOOKS = 10;
function newestEpoch({ tables }) {
  return epochsIn(tables).at(-1) ?? 0;
}
function epochsIn(tables) {
  let names;
  try {
    names = (0, import_node_fs10.readdirSync)(tables);
  } catch {
    return [];
  }
  return names.filter((name) => /^[1-9]\d{0,14}$/.test(name)).map(Number).sort((a, b) => a - b);
}
function newestTable({ tables, home }) {
  const epochs = epochsIn(tables);
  const newest = epochs.at(-1) ?? 0;
  for (const epoch of epochs.reverse()) {
    const file = import_node_path13.default.join(tables, String(epoch));
    let table = parseTable(readStart(file, TABLE_BYTES), newest);
    for (let looks = 0; !table && epoch === newest && looks < UNWRITTEN_LOOKS; looks++) {
      pauseSync(UNWRITTEN_MS2);
      table = parseTable(readStart(file, TABLE_BYTES), newest);
    }
    if (table === "newer") {
      throw new PrunError("E_SCHEMA", `a newer prun keeps the slots in ${home}`, "use that version of prun");
    }
    if (table) return table;
  }
  return { epoch: newest, holders: [], waiters: [] };
}
function changeTable(place, change) {
  for (let tries = 0; ; tries++) {
    const table = newestTable(place);
    const next = change(table);
    if (next === void 0) return table;
    const epoch = table.epoch + 1;
    if (publish(place, epoch, next) && newestEpoch(place) === epoch) {
      removeOld(place, epoch);
      return { ...next, epoch };
    }
    if (tries > 2) pauseSync(1 + Math.random() * Math.min(tries, 20));
  }
}
function publish(place, epoch, table) {
  if (!(0, import_node_fs10.existsSync)(place.drafts) || !(0, import_node_fs10.existsSync)(place.tables)) makeLeaseFolders(place);
  const draft = temporaryBeside(import_node_path13.default.join(place.drafts, "table"));
  try {
    writeNew(draft, formatTable(table));
    return publishOnce(draft, import_node_path13.default.join(place.tables, String(epoch)));
  } catch (error) {
    removeQuietly2(draft);
    throw unusable(place.home, error);
  }
}
function removeOld({ tables, drafts, host }, epoch) {
  for (const old of epochsIn(tables)) if (old <= epoch - KEPT) removeQuietly2(import_node_path13.default.join(tables, String(old)));
  if (epoch % KEPT !== 0) return;
  for (const name of (0, import_node_fs10.readdirSync)(drafts)) {
    const writer = Number(name.split("-")[1]);
    if (isTemporary(name) && host.entry(writer) === void 0) removeQuietly2(import_node_path13.default.join(drafts, name));
  }
}
function removeQuietly2(file) {
  try {
    (0, import_node_fs10.unlinkSync)(file);
  } catch {
  }
}

// scripts-src/validate/lease-changes.ts
function askForLease(place, wish, refuse) {
  return changeTable(place, (table) => {
    if (standingOf(table, wish.id) !== "gone") return settled(place, table);
    const waiter = { ...wish, number: table.epoch + 1, heldSince: null };
    refuse?.(waiter, table);
    const asked = { ...table, waiters: [...table.waiters, waiter] };
    return settled(place, asked) ?? asked;
  });
}
function giveBackLease(place, id) {
  const table = changeTable(place, (now) => {
    if (standingOf(now, id) === "gone") return void 0;
    const without = withoutLeases(now, /* @__PURE__ */ new Set([id]));
    return settled(place, without) ?? without;
  });
  removeFolder(place, id);
  return table;
}
function withdrawWish(place, id) {
  const table = changeTable(place, (now) => {
    if (standingOf(now, id) !== "waiting") return void 0;
    const without = withoutLeases(now, /* @__PURE__ */ new Set([id]));
    return settled(place, without) ?? without;
  });
  return standingOf(table, id) === "held";
}
function settleLeases(place) {
  return changeTable(place, (table) => settled(place, table));
}
function settled(place, table) {
  const dead = /* @__PURE__ */ new Set();
  for (const lease of table.holders) if (!isHolderAlive(place.host, lease)) dead.add(lease.id);
  for (const lease of table.waiters) if (!isWaiterAlive(place.host, lease)) dead.add(lease.id);
  const living = withoutLeases(table, dead);
  const given = giveWhatIsFree(place, living);
  for (const id of dead) removeFolder(place, id);
  const isSame = dead.size === 0 && given.holders.length === table.holders.length;
  return isSame ? void 0 : given;
}
function giveWhatIsFree(place, table) {
  try {
    return giveSlots(table, readSlots(place.home).of, wallTime());
  } catch (error) {
    if (error instanceof PrunError) return table;
    throw error;
  }
}
function withoutLeases(table, ids) {
  const others = (lease) => !ids.has(lease.id);
  return { ...table, holders: table.holders.filter(others), waiters: table.waiters.filter(others) };
}
function leaseFolder({ leases }, id) {
  return import_node_path14.default.join(leases, id);
}
function removeFolder(place, id) {
  try {
    (0, import_node_fs11.rmSync)(leaseFolder(place, id), { recursive: true, force: true });
  } catch {
  }
}
function removeLeftFolders(place) {
  const folders = entriesOf(place.leases);
  if (folders.length === 0) return;
  const table = newestTable(place);
  for (const { name } of folders) if (standingOf(table, name) === "gone") removeFolder(place, name);
}

// scripts-src/validate/lease-marks.ts
init_types();
function newMarks(platform) {
  const token = randomHex(16);
  const [low, high] = [RSS_MARK_RANGE.from / 1024, RSS_MARK_RANGE.to / 1024];
  const kib = low + Number.parseInt(token.slice(0, 12), 16) % (high - low);
  return { id: `${process.pid}-${token}`, rssMarkKib: platform === "linux" ? String(kib) : "" };
}
function leasedEnvironment(environment, id, outer) {
  return { ...environment, [LEASES]: [...outer, id].join("/") };
}
function leasesIn(environment) {
  return (environment[LEASES] ?? "").split("/").filter((id) => id !== "");
}
function leaseFamily({ id, rssMarkKib }, since) {
  const rssMark = rssMarkKib === "" ? null : String(Number(rssMarkKib) * 1024);
  const family = createFamily(`lease ${id}`, rssMark, since);
  family.threadIds.add(id);
  return family;
}

// scripts-src/validate/lease-guard.ts
var GUARD = "--guard";
var DYING_MS2 = 10;
var STAND_BY_MS = 1e3;
var HURRIED_LOOKS = 50;
var NEWBORN_MS = 60;
function standBehindLease({ place, marks, script, hold }, folder, since) {
  const { host } = place;
  const self = identify(host, process.pid);
  const owner = self ? formatIdentity(self) : "-";
  const words = [place.home, marks.id, marks.rssMarkKib || "-", String(since), owner, hold ?? "-"];
  return standBehind(host, folder, [process.execPath, script, GUARD, ...words]);
}
async function guardLease(words) {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {
  });
  const [home, id, rss, since, owner, hold] = words;
  const ownerId = parseIdentity(owner ?? "");
  if (!home || !id || !rss || !hold || !ownerId || !Number.isFinite(Number(since))) {
    throw usageError(`${GUARD} is for guardians`, "see resource-run --help for what can be called");
  }
  const host = await currentHost();
  const place = leasePlace(host, home);
  const folder = leaseFolder(place, id);
  for (let looks = 0; isAlive(host, ownerId); looks++) {
    await sleep(looks < HURRIED_LOOKS ? DYING_MS2 : STAND_BY_MS);
  }
  claimFence(stateFile(folder, "started"));
  const marks = { id, rssMarkKib: rss === "-" ? "" : rss };
  await endCommand(host, marks, folder, Number(since));
  if (host.platform === "win32") {
    await sleep(NEWBORN_MS);
    await endCommand(host, marks, folder, Number(since));
  }
  if (hold !== "-") noteInterrupted(hold);
  giveBackLease(place, id);
}
async function endCommand(host, marks, folder, since) {
  const family = leaseFamily(marks, since);
  const leader = parseIdentity(readValue(import_node_path15.default.join(folder, LEADER_FILE)) ?? "")?.pid ?? -1;
  recallMembers(host, folder, family);
  await endLeased({ host, family, observer: observerOf(host), leader, signal: "SIGTERM" });
}

// scripts-src/validate/lease-stop.ts
var import_node_os2 = require("node:os");
var SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"];
function listenForStop() {
  let first;
  let hurry = () => {
  };
  const hurried = new Promise((resolve) => {
    hurry = resolve;
  });
  const arrived = new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (first !== void 0) hurry();
        first ??= signal;
        resolve(signal);
      });
    }
  });
  return {
    arrived,
    hurried,
    signal: () => first,
    exitCode: () => first === void 0 ? void 0 : 128 + import_node_os2.constants.signals[first],
    followTerminal
  };
}
function followTerminal({ resized, stopped, continued }) {
  if (process.platform === "win32") return () => {
  };
  const stop = () => {
    stopped();
    process.kill(process.pid, "SIGSTOP");
  };
  process.on("SIGWINCH", resized);
  process.on("SIGTSTP", stop);
  process.on("SIGCONT", continued);
  return () => {
    process.off("SIGWINCH", resized);
    process.off("SIGTSTP", stop);
    process.off("SIGCONT", continued);
  };
}

// scripts-src/platform/local-time.ts
function localTime(epochMs, nowEpochMs) {
  const [then, now] = [new Date(epochMs), new Date(nowEpochMs)];
  const two = (value) => String(value).padStart(2, "0");
  const isNear = Math.abs(epochMs - nowEpochMs) < 6e5;
  const words = [then.getHours(), then.getMinutes(), ...isNear ? [then.getSeconds()] : []];
  const time = words.map(two).join(":");
  if (then.toDateString() === now.toDateString()) return time;
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}

// scripts-src/validate/lease-text.ts
init_identity();
var WHAT_CHARS = 100;
var NAMED = 3;
function whatOf(argv) {
  const line = oneLine(argv.join(" "));
  return line.length > WHAT_CHARS ? `${line.slice(0, WHAT_CHARS - 1)}…` : line;
}
function pidOf({ owner }) {
  return parseIdentity(owner)?.pid ?? 0;
}
function holderText(lease, nowEpochMs) {
  const since = localTime(Date.parse(lease.heldSince ?? lease.since), nowEpochMs);
  return `${lease.what} (pid ${pidOf(lease)}, since ${since})`;
}
function waitText(lease, table, slotsOf, nowEpochMs) {
  const blockers = blockersOf(lease, table, slotsOf);
  const shown = blockers.slice(0, NAMED).map((holder) => holderText(holder, nowEpochMs));
  const more = blockers.length > NAMED ? [`${blockers.length - NAMED} more`] : [];
  const earlier = table.waiters.filter(
    ({ number, resources }) => number < lease.number && resources.some((name) => lease.resources.includes(name))
  ).length;
  const facts = [
    ...blockers.length > 0 ? [`held by ${[...shown, ...more].join(" and ")}`] : [],
    ...earlier > 0 ? [`${earlier} ${earlier === 1 ? "waits" : "wait"} before it`] : []
  ];
  return [lease.resources.join(" and "), ...facts].join(", ");
}
function slotViews(table, named2, slotsOf) {
  const used = [...table.holders, ...table.waiters].flatMap(({ resources }) => resources);
  return [.../* @__PURE__ */ new Set([...named2.keys(), ...used])].sort().map((name) => ({
    name,
    slots: slotsOf(name) ?? 1,
    holders: usersOf(table.holders, name).map(leaseView),
    waiters: usersOf(table.waiters, name).map(leaseView)
  }));
}
function leaseView(lease) {
  const { kind, what, resources, since, heldSince } = lease;
  return { pid: pidOf(lease), kind, what, resources, since, heldSince };
}
var ROWS = 10;
function listText(views, nowEpochMs) {
  const lines = views.flatMap(({ name, slots, holders, waiters }) => [
    `${name}: ${holders.length} of ${slots} held${waiters.length > 0 ? `, ${waiters.length} waiting` : ""}`,
    ...rows("held", holders, nowEpochMs),
    ...rows("waits", waiters, nowEpochMs)
  ]);
  return `${lines.join("\n")}
`;
}
function rows(word, leases, nowEpochMs) {
  const shown = leases.slice(0, ROWS).map(({ pid, what, since, heldSince }) => {
    return `  ${word} since ${localTime(Date.parse(heldSince ?? since), nowEpochMs)}  pid ${pid}  ${what}`;
  });
  return leases.length > ROWS ? [...shown, `  and ${leases.length - ROWS} more`] : shown;
}

// scripts-src/validate/list-leases.ts
function listLeases(host, environment, { home: flag, json }) {
  const home = resourceHome(environment, flag);
  const slots = readSlots(home);
  const table = newestTable(leasePlace(host, home));
  const living = {
    ...table,
    holders: table.holders.filter((lease) => isHolderAlive(host, lease)),
    waiters: table.waiters.filter((lease) => isWaiterAlive(host, lease))
  };
  const views = slotViews(living, slots.named, slots.of);
  if (json) return `${JSON.stringify({ schema: 1, home, slots: views })}
`;
  return listText(views, Date.now());
}

// scripts-src/validate/run-leased.ts
init_clock();
init_identity();

// scripts-src/validate/lease-hold.ts
var import_node_fs13 = require("node:fs");
var import_node_path17 = __toESM(require("node:path"), 1);
init_clock();
init_identity();

// scripts-src/unit/watch-files.ts
var import_node_fs12 = require("node:fs");
var import_node_path16 = __toESM(require("node:path"), 1);
function createFileWatch() {
  const watchers = /* @__PURE__ */ new Map();
  function add(file, changed) {
    if (watchers.has(file)) return true;
    try {
      const watcher = (0, import_node_fs12.watch)(file, (event, name) => {
        if (event === "rename" && name === import_node_path16.default.basename(file)) drop(file);
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

// scripts-src/validate/lease-hold.ts
var RELEASE = "release";
var LOOK_MS = 500;
function makeHoldFolder(folder) {
  try {
    (0, import_node_fs13.mkdirSync)(folder, { mode: PRIVATE_DIR });
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST") throw usageError(`${folder} exists`, "give --hold a folder that does not");
    if (code === "ENOENT") throw usageError(`${import_node_path17.default.dirname(folder)} does not exist`, "make it first");
    throw usageError(`${folder} cannot be made (${code ?? messageOf(error)})`, "give --hold another folder");
  }
}
function removeHoldFolder(folder) {
  try {
    (0, import_node_fs13.rmdirSync)(folder);
  } catch {
  }
}
async function holdSlots({ place, marks, resources, folder, script, stop }) {
  const { host } = place;
  const own = leaseFolder(place, marks.id);
  makeLeaseFolder(place, own);
  const self = identify(host, process.pid);
  const guard = standBehindLease(
    { place, marks, script, hold: folder },
    own,
    host.entry(process.pid)?.startOrder ?? 0
  );
  const record = {
    ...{ schema: 1, state: "held", resources },
    holder: { pid: process.pid, identity: self ? formatIdentity(self) : "" },
    ...{ since: wallTime(), endedAt: null, signal: null }
  };
  try {
    writeHold(folder, record);
    await Promise.race([released(folder), stop.arrived]);
    const signal = stop.signal() ?? null;
    const state = signal === null ? "released" : "interrupted";
    if ((0, import_node_fs13.existsSync)(folder)) noteEnd(folder, { ...record, state, endedAt: wallTime(), signal });
    return stop.exitCode() ?? EXIT.ok;
  } finally {
    guard.release();
  }
}
function noteEnd(folder, record) {
  try {
    writeHold(folder, record);
  } catch (error) {
    process.stderr.write(`resource-run: ${folder} does not say that it ended (${messageOf(error)})
`);
  }
}
function released(folder) {
  const watch2 = createFileWatch();
  return new Promise((resolve) => {
    const look = () => {
      if ((0, import_node_fs13.existsSync)(folder) && !(0, import_node_fs13.existsSync)(import_node_path17.default.join(folder, RELEASE))) return;
      clearInterval(timer);
      watch2.close();
      resolve();
    };
    const timer = setInterval(look, LOOK_MS);
    watch2.add(folder, look);
    look();
  });
}

// scripts-src/validate/lease-wait.ts
init_clock();

// scripts-src/validate/lease-desk.ts
var import_node_path18 = __toESM(require("node:path"), 1);
var FIRST_MS = 120;
var SECOND_MS = 1e3;
var OTHERS_MS = 8e3;
var LOOKED_AT = 2;
var UNWATCHED_MS = 400;
var SOON_MS = 2;
function openLeaseDesk(place, calls) {
  const wishes = /* @__PURE__ */ new Map();
  const unreturned = /* @__PURE__ */ new Set();
  let table = newestTable(place);
  const watch2 = createFileWatch();
  let timer;
  let soon;
  let trouble = "";
  const slotsFile = import_node_path18.default.join(place.home, SLOTS_FILE);
  let slotsStamp = stampOf(slotsFile);
  function take(next) {
    table = next;
    for (const id of wishes.keys()) if (standingOf(table, id) === "held") wishes.delete(id);
    calls.onChange(table);
    arm();
  }
  function arm() {
    clearTimeout(timer);
    timer = void 0;
    if (wishes.size === 0 && unreturned.size === 0) {
      watch2.close();
      return;
    }
    const isWatched = watch2.add(place.tables, () => {
      soon ??= setTimeout(readSoon, SOON_MS);
    });
    const pauses = [...wishes.keys()].map((id) => pauseOf(earlierThan(table, id).length));
    const ms = Math.min(...pauses, unreturned.size > 0 ? SECOND_MS : OTHERS_MS);
    timer = setTimeout(tick, isWatched ? ms : Math.min(ms, UNWATCHED_MS));
  }
  function readSoon() {
    soon = void 0;
    attempt(() => {
      if (newestEpoch(place) !== table.epoch) take(asked(newestTable(place)));
    });
  }
  function asked(now) {
    let next = now;
    for (const [id, wish] of wishes) if (standingOf(next, id) === "gone") next = askForLease(place, wish);
    return next;
  }
  function tick() {
    if (isWorthALook()) settle();
    arm();
  }
  function isWorthALook() {
    if (trouble !== "" || unreturned.size > 0 || !watch2.isWatched(place.tables)) return true;
    const stamp = stampOf(slotsFile);
    const hasOtherSlots = !sameStamp(stamp, slotsStamp);
    slotsStamp = stamp;
    return hasOtherSlots || [...wishes.keys()].some((id) => hasDeadBefore(place.host, table, id));
  }
  function settle() {
    attempt(() => {
      for (const id of unreturned) returned(id);
      const { epoch } = table;
      const next = asked(settleLeases(place));
      if (wishes.size > 0) readSlots(place.home);
      trouble = "";
      if (next.epoch !== epoch) take(next);
    });
  }
  function attempt(act) {
    try {
      act();
    } catch (error) {
      const known = plainError(error);
      const text = known ? `${known.message}: ${known.next}` : messageOf(error);
      if (text !== trouble) calls.onTrouble(text);
      trouble = text;
    }
  }
  function returned(id) {
    giveBackLease(place, id);
    unreturned.delete(id);
  }
  return {
    table: () => table,
    ask(wish, refuse) {
      wishes.set(wish.id, wish);
      try {
        take(askForLease(place, wish, refuse));
      } catch (error) {
        wishes.delete(wish.id);
        arm();
        throw error;
      }
    },
    resume(wish) {
      wishes.set(wish.id, wish);
      take(newestTable(place));
    },
    withdraw(id) {
      wishes.delete(id);
      let isHeld = standingOf(table, id) === "held";
      attempt(() => {
        isHeld = withdrawWish(place, id);
      });
      arm();
      return isHeld;
    },
    giveBack(id) {
      unreturned.add(id);
      attempt(() => returned(id));
      arm();
    },
    close() {
      clearTimeout(timer);
      clearTimeout(soon);
      watch2.close();
    }
  };
}
function earlierThan({ waiters }, id) {
  const own = waiters.find((lease) => lease.id === id);
  if (!own) return [];
  return waiters.filter(
    ({ number, resources }) => number < own.number && resources.some((name) => own.resources.includes(name))
  );
}
function pauseOf(before) {
  return before === 0 ? FIRST_MS : before === 1 ? SECOND_MS : OTHERS_MS;
}
function hasDeadBefore(host, table, id) {
  const own = table.waiters.find((lease) => lease.id === id);
  if (!own) return true;
  const holders = table.holders.filter(
    ({ resources }) => resources.some((name) => own.resources.includes(name))
  );
  return holders.some((lease) => !isHolderAlive(host, lease)) || earlierThan(table, id).slice(0, LOOKED_AT).some((lease) => !isWaiterAlive(host, lease));
}

// scripts-src/validate/lease-wait.ts
var QUIET_MS = 250;
var CALM_MS = 5e3;
var LONGEST_MS = 2 ** 31 - 1;
async function waitForLease(place, wish, { timeoutSeconds, stopped, refuse, say: say2 }) {
  const from = monotonicMs();
  let settle = (_) => {
  };
  const ended = new Promise((resolve) => {
    settle = resolve;
  });
  const sharesName = ({ resources }) => resources.some((name) => wish.resources.includes(name));
  const desk = openLeaseDesk(place, {
    onChange(table) {
      if (standingOf(table, wish.id) === "held") settle("held");
      else
        speech.look(
          table.holders.filter(sharesName).map(({ id }) => id).join()
        );
    },
    onTrouble: (text2) => say2(`it waits, and cannot take what is free: ${text2}`)
  });
  const text = () => textNow(place, desk.table(), wish.id);
  const speech = calmSpeech(text, (line) => say2(`waiting for ${line}`));
  const limitMs = timeoutSeconds > 0 ? Math.min(timeoutSeconds * 1e3, LONGEST_MS) : void 0;
  const timer = limitMs === void 0 ? void 0 : setTimeout(() => settle("timeout"), limitMs);
  void stopped.then(() => settle("stopped"));
  try {
    removeLeftFolders(place);
    desk.ask(wish, refuse);
    const kind = await ended;
    const last = kind === "timeout" ? text() : "";
    const isHeld = kind === "held" || desk.withdraw(wish.id);
    if (kind === "stopped") {
      if (isHeld) desk.giveBack(wish.id);
      return { kind };
    }
    if (!isHeld) return { kind: "timeout", text: last };
    if (speech.hasSpoken()) {
      say2(`has ${wish.resources.join(" and ")} after ${Math.round((monotonicMs() - from) / 1e3)} s`);
    }
    return { kind: "held" };
  } finally {
    clearTimeout(timer);
    speech.end();
    desk.close();
  }
}
function textNow(place, table, id) {
  const lease = table.waiters.find((one) => one.id === id);
  if (!lease) return "";
  try {
    return waitText(lease, table, readSlots(place.home).of, Date.now());
  } catch {
    return lease.resources.join(" and ");
  }
}
function calmSpeech(text, say2) {
  const from = monotonicMs();
  let saidKey;
  let lastMs = Number.NEGATIVE_INFINITY;
  let timer;
  return {
    look(key) {
      clearTimeout(timer);
      if (key === saidKey) return;
      const dueMs = Math.max(from + QUIET_MS, lastMs + CALM_MS);
      timer = setTimeout(
        () => {
          const line = text();
          if (line === "") return;
          [saidKey, lastMs] = [key, monotonicMs()];
          say2(line);
        },
        Math.max(0, dueMs - monotonicMs())
      );
    },
    hasSpoken: () => saidKey !== void 0,
    end: () => clearTimeout(timer)
  };
}

// scripts-src/validate/leased-command.ts
var import_node_child_process2 = require("node:child_process");
var import_node_fs15 = require("node:fs");
var import_node_os3 = require("node:os");
var import_node_path20 = __toESM(require("node:path"), 1);

// scripts-src/platform/resolve-program.ts
var import_node_fs14 = require("node:fs");
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
    const stat = (0, import_node_fs14.statSync)(file, { throwIfNoEntry: false });
    if (!stat) return "absent";
    if (!stat.isFile()) return "no";
  } catch {
    return "absent";
  }
  try {
    (0, import_node_fs14.accessSync)(file, import_node_fs14.constants.X_OK);
    return "yes";
  } catch {
    return "no";
  }
}

// scripts-src/platform/require-program.ts
function requireProgram(name, cwd, environment) {
  const program = resolveProgram(name, cwd, environment);
  if (program.kind === "found") return program.path;
  if (program.kind === "missing") {
    const next2 = "give a program that is on PATH, or its path";
    throw new PrunError("E_COMMAND", `${program.tried} was not found`, next2, EXIT.notFound);
  }
  const next = "make it executable, or start it by its interpreter";
  throw new PrunError("E_COMMAND", `${program.path} is not executable`, next, EXIT.notExecutable);
}

// scripts-src/platform/startable-argv.ts
function startableArgv(argv, platform = process.platform) {
  const [file = "", ...rest] = argv;
  if (platform !== "win32" || !/\.(cmd|bat)$/i.test(file)) return [file, rest];
  const quoted = argv.map((word) => `"${word.replace(/"/g, '""')}"`).join(" ");
  return [process.env.ComSpec ?? "cmd.exe", ["/d", "/s", "/c", `"${quoted}"`]];
}

// scripts-src/validate/leased-command.ts
init_identity();

// scripts-src/supervise/shim.ts
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
function shimArgv({ stateDir, rssMarkKib, guardianPidFile }, worker) {
  const files = [stateFile(stateDir, "started"), stateFile(stateDir, "exit")];
  const guardian = guardianPidFile ?? stateFile(stateDir, "guardianPid");
  const mask = process.umask().toString(8);
  return ["-c", SHIM, SHIM_NAME, ...files, guardian, rssMarkKib, mask, ...worker];
}

// scripts-src/validate/leased-command.ts
var LOOK_MS2 = 1e3;
function resolvedArgv(argv, cwd, environment) {
  const [name = "", ...words] = argv;
  return [requireProgram(name, cwd, environment), ...words];
}
async function runLeased(command) {
  const { place, marks, stop } = command;
  const { host } = place;
  const folder = leaseFolder(place, marks.id);
  makeLeaseFolder(place, folder);
  const family = leaseFamily(marks, host.entry(process.pid)?.startOrder ?? 0);
  const observer = observerOf(host);
  const guard = standBehindLease(command, folder, family.since);
  const child = start(command, folder);
  const ended = endOf(child);
  if (child.pid === void 0) throw await cannotStart(command, ended);
  noteLeader(host, family, folder, child.pid);
  const stopFollowing = followSignals(host, family, observer, stop);
  const ledger = host.platform === "linux" ? void 0 : keepLedger(host, family, observer, folder);
  try {
    await Promise.race([ended, stop.arrived]);
    const signal = stop.signal();
    await endLeased({
      ...{ host, family, observer, leader: child.pid, signal: signal ?? "SIGTERM" },
      hurry: stop.hurried
    });
    const { code } = await ended;
    if (code === SHIM_REFUSED && !(0, import_node_fs15.existsSync)(stateFile(folder, "started"))) throw noGuardian();
    return stop.exitCode() ?? code;
  } finally {
    clearInterval(ledger);
    stopFollowing();
    guard.release();
  }
}
function start({ place, marks, outer, argv }, folder) {
  const isWindows = place.host.platform === "win32";
  const [file, words] = isWindows ? startableArgv(argv) : ["/bin/sh", shimArgv({ stateDir: folder, rssMarkKib: marks.rssMarkKib }, [...argv])];
  return (0, import_node_child_process2.spawn)(file, words, {
    env: leasedEnvironment(process.env, marks.id, outer),
    // On Windows a console of its own would open.
    detached: !isWindows,
    windowsHide: true,
    stdio: "inherit"
  });
}
function endOf(child) {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      resolve({ code: code ?? 128 + import_node_os3.constants.signals[signal ?? "SIGKILL"] });
    });
    child.once("error", (error) => resolve({ code: EXIT.notExecutable, error }));
  });
}
async function cannotStart({ argv }, ended) {
  const { error } = await ended;
  const why = errnoOf(error) ?? "no process could be started";
  return new PrunError(
    "E_COMMAND",
    `${argv[0]} could not be started (${why})`,
    "try again",
    EXIT.notExecutable
  );
}
function noGuardian() {
  return new PrunError(
    "E_GUARDIAN",
    "the guardian could not be started, and a command that nobody would end is not started",
    "see that /bin/sh works, and try again",
    EXIT.notExecutable
  );
}
function noteLeader(host, family, folder, pid) {
  const leader = host.entry(pid);
  if (!leader) return;
  family.members.set(pid, leader);
  try {
    writeAtomic(import_node_path20.default.join(folder, LEADER_FILE), `${formatIdentity(identityOf(host, leader))}
`, {
      sync: false
    });
  } catch {
  }
}
function followSignals(host, family, observer, stop) {
  const pass = (signal) => () => {
    seeMembers(host, family, observer);
    for (const member of family.members.values()) signalIfSame(host, identityOf(host, member), signal);
  };
  return stop.followTerminal({
    resized: pass("SIGWINCH"),
    // Not SIGTSTP: a group without a parent in its session ignores it (setpgid(2), orphaned groups).
    stopped: pass("SIGSTOP"),
    continued: pass("SIGCONT")
  });
}
function keepLedger(host, family, observer, folder) {
  let noted = "";
  return setInterval(() => {
    seeMembers(host, family, observer);
    noted = noteMembers(host, folder, family, noted);
  }, LOOK_MS2);
}

// scripts-src/validate/run-leased.ts
async function runUnderLease(work, surroundings) {
  const { host, environment, cwd, script, stop, say: say2 } = surroundings;
  const home = resourceHome(environment, work.home);
  const slots = readSlots(home);
  requireNames(work.resources, slots, home);
  const argv = work.kind === "run" ? resolvedArgv(work.argv, cwd, environment) : [];
  const place = makeLeasePlace(host, home);
  const marks = newMarks(host.platform);
  const outer = outerLeases(host, newestTable(place), environment);
  const wish = { ...wishOf(work, marks.id, place), ...namesBelow(outer, work.resources) };
  if (work.kind === "hold") makeHoldFolder(work.folder);
  const wait = await waitForLease(place, wish, {
    timeoutSeconds: work.timeoutSeconds,
    stopped: stop.arrived,
    refuse: (waiter, table) => refuseDeadlock(waiter, table, outer, slots),
    say: say2
  }).catch((error) => {
    if (work.kind === "hold") removeHoldFolder(work.folder);
    throw error;
  });
  if (wait.kind !== "held") {
    if (work.kind === "hold") removeHoldFolder(work.folder);
    const code = stop.exitCode();
    if (code !== void 0) return code;
    say2(
      `waited ${work.timeoutSeconds} s for ${wait.kind === "timeout" ? wait.text : ""}: wait longer with --timeout, or see resource-run --list`
    );
    return EXIT.reaped;
  }
  try {
    const held = { place, marks, script, stop };
    return work.kind === "hold" ? await holdSlots({ ...held, resources: work.resources, folder: work.folder }) : await runLeased({ ...held, outer: wish.outer, argv });
  } finally {
    giveBack(place, marks.id);
  }
}
function wishOf(work, id, place) {
  const self = identify(place.host, process.pid);
  if (!self) throw new PrunError("E_PROCESSES", "this process is not in the process table", "try again");
  return {
    id,
    kind: work.kind === "hold" ? "hold" : "command",
    owner: formatIdentity(self),
    keepers: [],
    folder: leaseFolder(place, id),
    marker: null,
    what: work.kind === "hold" ? whatOf(["--hold", work.folder]) : whatOf(work.argv),
    since: wallTime()
  };
}
function outerLeases(host, table, environment) {
  const named2 = new Set(leasesIn(environment));
  const { pids } = observerOf(host);
  const isAncestor = (lease) => {
    const id = parseIdentity(lease.owner);
    return lease.kind === "command" && id !== void 0 && pids.has(id.pid) && host.entry(id.pid)?.start === id.start;
  };
  return table.holders.filter((lease) => named2.has(lease.id) || isAncestor(lease));
}
function namesBelow(outer, resources) {
  const held = new Set(outer.flatMap((lease) => lease.resources));
  return { outer: outer.map(({ id }) => id), resources: resources.filter((name) => !held.has(name)) };
}
function refuseDeadlock(wish, table, outer, slots) {
  if (wish.outer.length === 0 || wish.resources.length === 0) return;
  if (!wouldWaitForEver(wish, table, slots.of)) return;
  const [first] = outer;
  const held = [...new Set(outer.flatMap(({ resources }) => resources))].join(" and ");
  throw usageError(
    `this runs below ${first ? `${first.what} (pid ${pidOf(first)})` : "a command"}, which holds ${held}; a wait for ${wish.resources.join(" and ")} would never end, because its holder waits for ${held}`,
    "name all of them in the outer resource-run"
  );
}
function giveBack(place, id) {
  try {
    giveBackLease(place, id);
  } catch {
  }
}

// scripts-src/resource-run.ts
function say(line) {
  writeAllSync(2, `resource-run: ${oneLine(line)}
`);
}
void runMain("resource-run", async () => {
  const [word, ...words] = process.argv.slice(2);
  if (word === GUARD) {
    await guardLease(words);
    process.exit(EXIT.ok);
  }
  const request = parseLease(process.argv.slice(2), process.cwd());
  if (request.kind === "help") {
    writeAllSync(1, LEASE_HELP);
    return EXIT.ok;
  }
  const host = await currentHost();
  if (request.kind === "list") {
    writeAllSync(1, listLeases(host, process.env, request));
    return EXIT.ok;
  }
  const code = await runUnderLease(request, {
    host,
    environment: process.env,
    cwd: process.cwd(),
    script: __filename,
    stop: listenForStop(),
    say
  });
  process.exit(code);
});
