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
  return (file, argv2) => {
    const { spawnSync } = childProcess();
    const result = spawnSync(file, argv2, {
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
  const text2 = bytes[0] === 255 && bytes[1] === 254 ? bytes.toString("utf16le") : bytes.toString("utf8");
  return text2.startsWith("\uFEFF") ? text2.slice(1) : text2;
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
function parseWindowsJson(text2) {
  let parsed;
  try {
    parsed = JSON.parse(text2);
  } catch {
    return void 0;
  }
  if (isRecord(parsed) && Array.isArray(parsed.value)) parsed = parsed.value;
  return Array.isArray(parsed) ? parsed.flatMap((item) => isRecord(item) ? rowOf(item, isoMs(item.Created)) : []) : void 0;
}
function parseWmicList(text2) {
  const rows = [];
  let block = {};
  for (const line of `${text2}
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
function cimDateMs(text2) {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\.(\d{3})\d*([+-]\d{3})$/.exec(text2);
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
function parsePsTable(text2) {
  const entries = /* @__PURE__ */ new Map();
  const leaders = /* @__PURE__ */ new Set();
  for (const line of text2.split("\n")) {
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
    const path19 = [];
    let entry = first;
    while (entry && !known.has(entry.pid) && !visited.has(entry.pid)) {
      visited.add(entry.pid);
      path19.push(entry);
      entry = relativeInSession(entries, entry);
    }
    const sid = entry && known.get(entry.pid);
    for (const one of path19) if (sid !== void 0) known.set(one.pid, sid);
    first.sid = known.get(first.pid) ?? first.pid;
  }
}
function relativeInSession(entries, entry) {
  const leader = entry.pgid === entry.pid ? void 0 : entries.get(entry.pgid);
  if (leader !== void 0 && leader.pgid === entry.pgid) return leader;
  const parent = entry.ppid > 1 ? entries.get(entry.ppid) : void 0;
  return parent !== void 0 && parent.startOrder <= entry.startOrder ? parent : void 0;
}
function parsePsCommands(text2) {
  const commands2 = /* @__PURE__ */ new Map();
  for (const line of text2.split("\n")) {
    const match = COMMAND_ROW.exec(line);
    if (!match) continue;
    const [, pidText, month, day, hour, minute, second, year, command = ""] = match;
    const pid = Number(pidText);
    const epoch = epochOf([month, day, hour, minute, second, year]);
    if (epoch === void 0 || commands2.has(pid)) continue;
    commands2.set(pid, { start: String(epoch / 1e3), text: command });
  }
  return commands2;
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
function cpuMsOf(text2) {
  const match = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d\d)(?:\.(\d\d))?$/.exec(text2);
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
  function ask(argv2) {
    const output = run(PS, argv2);
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
    const read = (argv2) => parsePsCommands(run(PS, [...argv2, ...selection, ...PS_COMMAND_COLUMNS]) ?? "");
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

// scripts-src/process/identity.ts
function formatIdentity(id) {
  return `${id.boot}:${id.pid}:${id.start}`;
}
function parseIdentity(text2) {
  const match = /^([^:]+):(\d+):([^:]+)$/.exec(text2.trim());
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
    var spawn4 = childProcess2.spawn;
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
            return spawn4("pgrep", ["-P", parentPid]);
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
            return spawn4("ps", ["-o", "pid", "--no-headers", "--ppid", parentPid]);
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

// scripts-src/process/linux.ts
var import_node_fs = require("node:fs");
init_types();
var TICKS_PER_SECOND = 100;
function createLinuxHost(procRoot = "/proc") {
  let boot;
  function entry(pid) {
    const stat = readSmall(`${procRoot}/${pid}/stat`);
    return stat === void 0 ? void 0 : parseStat(stat);
  }
  function* look(since) {
    for (const name of (0, import_node_fs.readdirSync)(procRoot)) {
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
    const text2 = readSmall(`${procRoot}/${pid}/io`);
    if (text2 === void 0) return void 0;
    const read = /^rchar: (\d+)/m.exec(text2)?.[1];
    const written = /^wchar: (\d+)/m.exec(text2)?.[1];
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
    const fd = (0, import_node_fs.openSync)(file, "r");
    let count2;
    try {
      count2 = (0, import_node_fs.readSync)(fd, buffer);
    } finally {
      (0, import_node_fs.closeSync)(fd);
    }
    return count2 < buffer.length ? buffer.toString("latin1", 0, count2) : (0, import_node_fs.readFileSync)(file, "latin1");
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

// scripts-src/platform/files.ts
var import_node_fs3 = require("node:fs");
var import_node_path = __toESM(require("node:path"), 1);

// scripts-src/platform/pause.ts
function pauseSync(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

// scripts-src/platform/random.ts
var import_node_fs2 = require("node:fs");
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

// scripts-src/platform/files.ts
var PRIVATE_FILE = 384;
var PRIVATE_DIR = 448;
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
  return import_node_path.default.join(import_node_path.default.dirname(file), `.prun-${process.pid}-${randomHex(8)}.tmp`);
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
    const count2 = (0, import_node_fs3.readSync)(fd, buffer2, done, buffer2.length - done, offset + done);
    if (count2 === 0) break;
    done += count2;
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
function lstatOrNone(file) {
  try {
    return (0, import_node_fs3.lstatSync)(file);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "")) return void 0;
    throw error;
  }
}

// scripts-src/unit/printed-name.ts
function printedName(name) {
  return /^"|[\u0000-\u001f\u007f\u0085\u2028\u2029]/.test(name) ? JSON.stringify(name).replace(/[\u007f\u0085\u2028\u2029]/g, escapeCode) : name;
}
function escapeCode(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

// scripts-src/validate/validation-records.ts
var VALIDATION_SCHEMA = 1;
var STAGES = ["build", "verify", "health", "smoke", "test", "collect", "recover"];
var STATUS_CODES = {
  passed: 0,
  "passed-after-recovery": 0,
  "build-failed": 1,
  "artifact-verification-failed": 1,
  "test-failed": 1,
  "infrastructure-failed": 2,
  "invalid-evidence": 3
};
var STATUSES = [...Object.keys(STATUS_CODES), "cancelled"];
function isPassed(status) {
  return status === "passed" || status === "passed-after-recovery";
}
var VALIDATION_FILES = {
  result: "result.json",
  /** There while the validation runs, and after one that was killed. */
  progress: "progress.json",
  logs: "logs",
  /** What the validator needs while it runs. */
  own: ".validator"
};

// scripts-src/render/cells.ts
var WIDE = new RegExp("^(?:[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6\\u{1f000}-\\u{1faff}\\u{20000}-\\u{3fffd}]|\\p{Emoji_Presentation})", "u");
var NO_CELLS = /^[\p{M}\p{Cc}\p{Cf}]*$/u;
var ASCII = /^[\x20-\x7e]*$/;
var segmenter;
function graphemes(text2) {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return [...segmenter.segment(text2)].map(({ segment }) => segment);
}
function cellsOfGrapheme(grapheme) {
  if (NO_CELLS.test(grapheme)) return 0;
  return WIDE.test(grapheme) || grapheme.includes("️") ? 2 : 1;
}
function cellsOf(text2) {
  if (ASCII.test(text2)) return text2.length;
  return graphemes(text2).reduce((sum, grapheme) => sum + cellsOfGrapheme(grapheme), 0);
}
function fitCells(text2, width) {
  if (cellsOf(text2) <= width) return text2;
  return width < 1 ? "" : `${headOf(text2, width - 1).trimEnd()}…`;
}
function headOf(text2, width) {
  let head = "";
  let used = 0;
  for (const grapheme of graphemes(text2)) {
    used += cellsOfGrapheme(grapheme);
    if (used > width) break;
    head += grapheme;
  }
  return head;
}

// scripts-src/render/figures.ts
function durationText(ms) {
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(ms / 1e3);
  const two = (value) => String(value).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${two(Math.floor(seconds % 3600 / 60))}m`;
}

// scripts-src/render/paint.ts
var CODES = {
  strong: 1,
  faint: 2,
  good: 32,
  bad: 31,
  warn: 33,
  busy: 36
};
var noPaint = (_, text2) => text2;
var ansiPaint = (tone, text2) => tone === "plain" || text2 === "" ? text2 : `\x1B[${CODES[tone]}m${text2}\x1B[0m`;

// scripts-src/render/terminal.ts
var USUAL_COLUMNS = 80;
function terminalColumns(own2, environment) {
  const wished = /^\d{1,5}$/.test(environment.COLUMNS ?? "") ? Number(environment.COLUMNS) : 0;
  if (!own2) return wished || USUAL_COLUMNS;
  return wished > 0 ? Math.min(own2, wished) : own2;
}
function terminalPaint(environment) {
  return environment.NO_COLOR || environment.TERM === "dumb" ? noPaint : ansiPaint;
}

// scripts-src/render/progress-line.ts
var PATIENCE_MS = 1e3;
var REDRAW_MS = 100;
function progressLine(output, now = () => performance.now()) {
  const from = now();
  let text2 = "";
  let shown = "";
  const draw = () => {
    if (now() - from < PATIENCE_MS || text2 === shown) return;
    output.write(
      `\r\x1B[K${fitCells(text2, Math.max(1, terminalColumns(output.columns, process.env) - 1))}`
    );
    shown = text2;
  };
  const timer = output.isTTY ? setInterval(draw, REDRAW_MS).unref() : void 0;
  return {
    say(next) {
      text2 = next.replace(new RegExp("\\p{Cc}+", "gu"), " ");
    },
    clear() {
      clearInterval(timer);
      if (shown !== "") output.write("\r\x1B[K");
      shown = "";
    }
  };
}

// scripts-src/render/validation-lines.ts
var TAIL_LINES = 20;
var TAIL_BYTES = 4096;
var REFRESH_MS = 500;
function validationTeller(output, environment) {
  const paint = output.isTTY ? terminalPaint(environment) : noPaint;
  const columns = output.isTTY ? terminalColumns(output.columns, environment) : Number.POSITIVE_INFINITY;
  const write = (line) => output.write(`${fitted(line, columns)}
`);
  let progress;
  let timer;
  const clear = () => {
    clearInterval(timer);
    progress?.clear();
    progress = void 0;
  };
  return {
    listener: {
      started({ output: folder, commit }) {
        write(`VALIDATE ${commit.slice(0, 12)} ${printedName(folder)}`);
      },
      stepStarted({ sequence, stage, log }) {
        const from = performance.now();
        progress = progressLine(output);
        const say = () => progress?.say(`${sequence} ${stage} ${durationText(performance.now() - from)}  ${lastLine(log)}`);
        say();
        timer = setInterval(say, REFRESH_MS).unref();
      },
      stepEnded(step, log) {
        clear();
        write(stepLine(step, paint));
        if (step.outcome !== "ok") for (const line of tailOf(log)) write(paint("faint", `  | ${line}`));
      }
    },
    tellEnd(result, file) {
      clear();
      const tone = isPassed(result.status) ? "good" : "bad";
      output.write(`${paint(tone, result.status)}: ${result.reason}
`);
      output.write(`EVIDENCE ${printedName(file)}
`);
    },
    clear
  };
}
function stepLine({ sequence, stage, outcome, exitCode, signal, seconds, leftovers }, paint) {
  const how = outcome === "ok" ? paint("good", "ok") : paint("bad", outcome === "failed" ? `failed(${signal ?? exitCode})` : outcome);
  const left = leftovers.length === 0 ? "" : ` ended ${leftovers.length} left behind (${leftovers[0]?.command})`;
  return `STEP ${sequence} ${stage} ${how} ${durationText(seconds * 1e3)}${left}`;
}
function tailOf(log) {
  return cleanLines(readEnd(log, TAIL_BYTES)).slice(-TAIL_LINES);
}
function lastLine(log) {
  return cleanLines(readEnd(log, 2e3)).at(-1)?.trim().slice(0, 200) ?? "";
}
function cleanLines(text2) {
  return text2.replace(/\u001b\[[\d;?]*[A-Za-z]/g, "").split(/[\r\n]+/).map((line) => line.replace(/\t/g, "  ").replace(new RegExp("\\p{Cc}", "gu"), "")).filter((line) => line.trim() !== "");
}
function fitted(line, columns) {
  return line.includes("\x1B") || !Number.isFinite(columns) ? line : fitCells(line, Math.max(1, columns - 1));
}
var SHOWN_STEPS = 24;
function validationJson(result, file) {
  const { schema, status, reason, exitCode, commit, tree, fingerprints, recovered, reused, seconds, steps } = result;
  const failed = steps.findLast(({ outcome }) => outcome !== "ok");
  return JSON.stringify({
    ...{ schema, status, reason, exitCode, result: file, commit, tree },
    buildFingerprint: fingerprints.build,
    ...{ recovered, reused: reused?.result ?? null, seconds },
    failed: failed && !isPassed(status) ? shortStep(failed) : null,
    steps: steps.slice(0, SHOWN_STEPS).map(shortStep)
  });
}
function shortStep({ sequence, stage, outcome, exitCode, seconds, log }) {
  return { sequence, stage, outcome, exitCode, seconds, log };
}
function evidenceLines({
  evidence,
  status,
  result,
  differences,
  notChecked
}) {
  return [
    `EVIDENCE ${evidence} ${status ?? "no status"} ${printedName(result)}`,
    ...differences.map((line) => `  DIFFERS ${line}`),
    ...notChecked.map((line) => `  NOT CHECKED ${line}`)
  ];
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

// scripts-src/supervise/end-owned.ts
init_identity();

// scripts-src/supervise/end-family.ts
init_identity();

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
  return gone.map(({ pid, command }) => ({ pid, command }));
}

// scripts-src/supervise/member-ledger.ts
init_identity();

// scripts-src/unit/state-dir.ts
var import_node_path2 = __toESM(require("node:path"), 1);
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
  return import_node_path2.default.join(stateDir, STATE_FILES[file]);
}

// scripts-src/supervise/member-ledger.ts
function noteMembers(host, stateDir, family, before) {
  const lines = [...family.members.values()].map((member) => formatIdentity(identityOf(host, member)));
  const text2 = lines.sort().join("\n");
  if (text2 === before) return before;
  try {
    writeAtomic(stateFile(stateDir, "members"), `${text2}
`, { sync: false });
  } catch {
  }
  return text2;
}
function recallMembers(host, stateDir, family) {
  for (const line of (readValue(stateFile(stateDir, "members")) ?? "").split("\n")) {
    const id = parseIdentity(line);
    const entry = id && id.boot === host.bootId() ? host.entry(id.pid) : void 0;
    if (entry && entry.start === id?.start) family.members.set(entry.pid, entry);
  }
}

// scripts-src/supervise/end-owned.ts
var END_OWNED = "--end-owned";
var KILL_MS = 5e3;
var NEWBORN_MS = 60;
var OWNER_LOOK_MS = 20;
async function endOwned(words) {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {
  });
  const [marker, rssMark, since, owner, folder] = words;
  const id = parseIdentity(owner ?? "");
  if (!marker || !rssMark || !folder || !id || !Number.isFinite(Number(since))) {
    throw usageError(`${END_OWNED} is for guardians`, "see --help for what can be called");
  }
  const host = await currentHost();
  while (isAlive(host, id)) await sleep(OWNER_LOOK_MS);
  const family = createFamily(marker, rssMark === "-" ? null : rssMark, Number(since));
  recallMembers(host, folder, family);
  await endFamily(host, family, -1, observerOf(host), KILL_MS);
  await sleep(NEWBORN_MS);
  const { survivors } = await endFamily(host, family, -1, observerOf(host), KILL_MS);
  return survivors.length === 0 ? EXIT.ok : EXIT.attention;
}

// scripts-src/supervise/interruption.ts
var SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"];
function listenForInterruption() {
  let first;
  let count2 = 0;
  const arrived = new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        count2++;
        first ??= signal;
        resolve(signal);
      });
    }
  });
  return { signal: () => first, arrived, isUrgent: () => count2 > 1 };
}

// scripts-src/validate/evidence.ts
var import_node_fs11 = require("node:fs");
var import_node_os2 = require("node:os");
var import_node_path9 = __toESM(require("node:path"), 1);
init_identity();

// scripts-src/validate/fingerprint.ts
var import_node_crypto = require("node:crypto");
var import_node_fs4 = require("node:fs");
function sha256(data) {
  return (0, import_node_crypto.createHash)("sha256").update(data).digest("hex");
}
function sha256OfFile(file) {
  const hash = (0, import_node_crypto.createHash)("sha256");
  const piece = Buffer.allocUnsafe(256 * 1024);
  const fd = (0, import_node_fs4.openSync)(file, "r");
  try {
    let bytes = 0;
    for (let count2 = (0, import_node_fs4.readSync)(fd, piece); count2 > 0; count2 = (0, import_node_fs4.readSync)(fd, piece)) {
      hash.update(piece.subarray(0, count2));
      bytes += count2;
    }
    return { sha256: hash.digest("hex"), bytes };
  } finally {
    (0, import_node_fs4.closeSync)(fd);
  }
}
function buildFingerprint({ commit, tree, commands: commands2, environment }) {
  return sha256(JSON.stringify([commit, tree, commands2.build ?? null, commands2.verify ?? null, environment]));
}
function environmentFingerprint(environment) {
  const sorted = Object.entries(environment).sort(([a], [b]) => a < b ? -1 : 1);
  return sha256(JSON.stringify(sorted));
}

// scripts-src/validate/job.ts
var import_node_fs5 = require("node:fs");
var import_node_path3 = __toESM(require("node:path"), 1);

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

// scripts-src/platform/value-at.ts
function valueAt(value, path19) {
  let found = value;
  for (const part of path19) {
    if (typeof found !== "object" || found === null) return void 0;
    found = found[part];
  }
  return found;
}

// scripts-src/platform/schema-mistakes.ts
function placeName(path19) {
  const parts = path19.map((part) => typeof part === "number" ? `[${part}]` : `.${keyName(part)}`);
  return parts.join("").replace(/^\./, "");
}
function keyName(key) {
  return /^[\w-]{1,80}$/.test(key) ? key : quoted(key);
}
function quoted(value) {
  const text2 = JSON.stringify(value) ?? String(value);
  return text2.length > 80 ? `${text2.slice(0, 77)}…${text2.at(-1) ?? ""}` : text2;
}
function mistakesFrom(error, value, at, unknownKey2) {
  return error.issues.flatMap((issue2) => {
    const within2 = issue2.path.map((part) => typeof part === "symbol" ? String(part) : part);
    const path19 = [...at, ...within2];
    if (issue2.code === "unrecognized_keys") {
      return issue2.keys.map((key) => ({ path: [...path19, key], text: unknownKey2(key) }));
    }
    const found = valueAt(value, within2);
    if (found === void 0) return [{ path: path19, text: "is missing" }];
    return [{ path: path19, text: found === null ? "is empty" : `${quoted(found)} ${issue2.message}` }];
  });
}

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
var Cached = class {
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
function assignProp(target, prop, value) {
  Object.defineProperty(target, prop, {
    value,
    writable: true,
    enumerable: true,
    configurable: true
  });
}
var captureStackTrace = "captureStackTrace" in Error ? Error.captureStackTrace : (..._args) => {
};
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
var propertyKeyTypes = /* @__PURE__ */ new Set(["string", "number", "symbol"]);
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
var NUMBER_FORMAT_RANGES = /* @__PURE__ */ (() => ({
  safeint: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  float32: [-34028234663852886e22, 34028234663852886e22],
  float64: [-Number.MAX_VALUE, Number.MAX_VALUE]
}))();
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
function prefixIssues(path19, issues) {
  return issues.map((iss) => {
    var _a2;
    (_a2 = iss).path ?? (_a2.path = []);
    iss.path.unshift(path19);
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
  var _a2;
  for (let i = start; i < issues.length; i++) {
    (_a2 = issues[i]).schema ?? (_a2.schema = inst);
  }
}
function finalizeIssue(iss, ctx, config2) {
  var _a2;
  const traits = iss.inst?._zod?.traits;
  if (traits?.has("$ZodType")) {
    if (traits.has("$ZodCheck"))
      (_a2 = iss).schema ?? (_a2.schema = iss.inst);
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
var highSurrogate = /[\uD800-\uDBFF]/;
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
var installing;
var broke = false;
var breaker = {
  configurable: true,
  get() {
    broke = true;
    return void 0;
  }
};
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

// node_modules/zod/v4/core/core.js
var _a;
var _zodDesc = { value: void 0, enumerable: false };
var _E = "captureStackTrace" in Error ? Error : null;
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
var $ZodAsyncError = class extends Error {
  constructor() {
    super(`Encountered Promise during synchronous parse. Use .parseAsync() instead.`);
  }
};
(_a = globalThis).__zod_globalConfig ?? (_a.__zod_globalConfig = {});
var globalConfig = globalThis.__zod_globalConfig;
function config(newConfig) {
  if (newConfig)
    Object.assign(globalConfig, newConfig);
  return globalConfig;
}

// node_modules/zod/v4/core/errors.js
function _getMessage() {
  const internals = this._zod;
  internals.message ?? (internals.message = JSON.stringify(internals.def, jsonStringifyReplacer, 2));
  return internals.message;
}
function _setMessage(value) {
  this._zod.message = value;
}
var _messageDesc = {
  get: _getMessage,
  set: _setMessage,
  enumerable: true,
  configurable: true
};
var _issuesDesc = { value: void 0, enumerable: false };
var _installedToString = /* @__PURE__ */ new WeakSet([Object.prototype, Error.prototype]);
var initializer = (inst, def) => {
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
var $ZodError = $constructor("$ZodError", initializer);
var $ZodRealError = $constructor("$ZodError", initializer, void 0, {
  Parent: Error
});

// node_modules/zod/v4/core/parse.js
var _parse = (_Err) => {
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
var parse = /* @__PURE__ */ _parse($ZodRealError);
var _parseAsync = (_Err) => {
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
var parseAsync = /* @__PURE__ */ _parseAsync($ZodRealError);
var _safeParse = (_Err) => (schema, value, _ctx) => {
  const ctx = _ctx ? { ..._ctx, async: false } : { async: false };
  const result = schema._zod.run({ value, issues: [] }, ctx);
  if (result instanceof Promise) {
    throw new $ZodAsyncError();
  }
  return result.issues.length ? failure(_Err, result.issues, ctx) : { success: true, data: result.value };
};
var safeParse = /* @__PURE__ */ _safeParse($ZodRealError);
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
var _safeParseAsync = (_Err) => async (schema, value, _ctx) => {
  const ctx = _ctx ? { ..._ctx, async: true } : { async: true };
  let result = schema._zod.run({ value, issues: [] }, ctx);
  if (result instanceof Promise)
    result = await result;
  return result.issues.length ? failure(_Err, result.issues, ctx) : { success: true, data: result.value };
};
var safeParseAsync = /* @__PURE__ */ _safeParseAsync($ZodRealError);

// node_modules/zod/v4/core/regexes.js
var anyString = /^[\s\S]{0,}$/;
var number = /^-?\d+(?:\.\d+)?$/;
var boolean = /^(?:true|false)$/i;

// node_modules/zod/v4/core/checks.js
var $ZodCheck = /* @__PURE__ */ $constructor("$ZodCheck", (inst, def) => {
  var _a2;
  inst._zod ?? (inst._zod = {});
  inst._zod.def = def;
  (_a2 = inst._zod).onattach ?? (_a2.onattach = []);
});
var _whenHasLength = (payload) => {
  const val = payload.value;
  return !nullish(val) && val.length !== void 0;
};
var numericOriginMap = {
  number: "number",
  bigint: "bigint",
  object: "date"
};
var $ZodCheckLessThan = /* @__PURE__ */ $constructor("$ZodCheckLessThan", (inst, def) => {
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
var $ZodCheckGreaterThan = /* @__PURE__ */ $constructor("$ZodCheckGreaterThan", (inst, def) => {
  $ZodCheck.init(inst, def);
  const origin = numericOriginMap[typeof def.value];
  inst._zod.check = (payload) => {
    if (def.inclusive ? payload.value >= def.value : payload.value > def.value) {
      return;
    }
    payload.issues.push({
      origin: numericOriginMap[typeof payload.value] ?? origin,
      code: "too_small",
      minimum: typeof def.value === "object" ? def.value.getTime() : def.value,
      input: payload.value,
      inclusive: def.inclusive,
      inst,
      continue: !def.abort
    });
  };
});
var $ZodCheckNumberFormat = /* @__PURE__ */ $constructor("$ZodCheckNumberFormat", (inst, def) => {
  $ZodCheck.init(inst, def);
  def.format = def.format || "float64";
  const isInt = def.format?.includes("int");
  const origin = isInt ? "int" : "number";
  const [minimum, maximum] = NUMBER_FORMAT_RANGES[def.format];
  inst._zod.check = (payload) => {
    const input = payload.value;
    if (isInt) {
      if (!Number.isInteger(input)) {
        payload.issues.push({
          expected: origin,
          format: def.format,
          code: "invalid_type",
          continue: false,
          input,
          inst
        });
        return;
      }
      if (!Number.isSafeInteger(input)) {
        if (input > 0) {
          payload.issues.push({
            input,
            code: "too_big",
            maximum: Number.MAX_SAFE_INTEGER,
            note: "Integers must be within the safe integer range.",
            inst,
            origin,
            inclusive: true,
            continue: !def.abort
          });
        } else {
          payload.issues.push({
            input,
            code: "too_small",
            minimum: Number.MIN_SAFE_INTEGER,
            note: "Integers must be within the safe integer range.",
            inst,
            origin,
            inclusive: true,
            continue: !def.abort
          });
        }
        return;
      }
    }
    if (input < minimum) {
      payload.issues.push({
        origin: "number",
        input,
        code: "too_small",
        minimum,
        inclusive: true,
        inst,
        continue: !def.abort
      });
    }
    if (input > maximum) {
      payload.issues.push({
        origin: "number",
        input,
        code: "too_big",
        maximum,
        inclusive: true,
        inst,
        continue: !def.abort
      });
    }
  };
});
var $ZodCheckMinLength = /* @__PURE__ */ $constructor("$ZodCheckMinLength", (inst, def) => {
  var _a2;
  $ZodCheck.init(inst, def);
  (_a2 = inst._zod.def).when ?? (_a2.when = _whenHasLength);
  inst._zod.check = (payload) => {
    const input = payload.value;
    const units = input.length;
    const length = typeof input === "string" && units >= def.minimum && units < def.minimum * 2 ? codePointLength(input) : units;
    if (length >= def.minimum)
      return;
    const origin = getLengthableOrigin(input);
    payload.issues.push({
      origin,
      code: "too_small",
      minimum: def.minimum,
      inclusive: true,
      input,
      inst,
      continue: !def.abort
    });
  };
});
var $ZodCheckStringFormat = /* @__PURE__ */ $constructor("$ZodCheckStringFormat", (inst, def) => {
  var _a2, _b;
  $ZodCheck.init(inst, def);
  if (def.pattern)
    (_a2 = inst._zod).check ?? (_a2.check = (payload) => {
      def.pattern.lastIndex = 0;
      if (def.pattern.test(payload.value))
        return;
      payload.issues.push({
        origin: "string",
        code: "invalid_format",
        format: def.format,
        input: payload.value,
        ...def.pattern ? { pattern: def.pattern.toString() } : {},
        inst,
        continue: !def.abort
      });
    });
  else
    (_b = inst._zod).check ?? (_b.check = () => {
    });
});
var $ZodCheckRegex = /* @__PURE__ */ $constructor("$ZodCheckRegex", (inst, def) => {
  $ZodCheckStringFormat.init(inst, def);
  inst._zod.check = (payload) => {
    def.pattern.lastIndex = 0;
    if (def.pattern.test(payload.value))
      return;
    payload.issues.push({
      origin: "string",
      code: "invalid_format",
      format: "regex",
      input: payload.value,
      pattern: def.pattern.toString(),
      inst,
      continue: !def.abort
    });
  };
});

// node_modules/zod/v4/core/versions.js
var version = {
  major: 4,
  minor: 6,
  patch: 7
};

// node_modules/zod/v4/core/schemas.js
var $ZodType = /* @__PURE__ */ $constructor("$ZodType", (inst, def) => {
  var _a2;
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
    (_a2 = inst._zod).deferred ?? (_a2.deferred = []);
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
var toStandardResult = (r, ctx) => r.issues.length ? { issues: r.issues.map((iss) => finalizeIssue(iss, ctx, config())) } : { value: r.value };
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
var $ZodString = /* @__PURE__ */ $constructor("$ZodString", (inst, def) => {
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
var $ZodNumber = /* @__PURE__ */ $constructor("$ZodNumber", (inst, def) => {
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
var $ZodNumberFormat = /* @__PURE__ */ $constructor("$ZodNumberFormat", (inst, def) => {
  $ZodCheckNumberFormat.init(inst, def);
  $ZodNumber.init(inst, def);
});
var $ZodBoolean = /* @__PURE__ */ $constructor("$ZodBoolean", (inst, def) => {
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
var $ZodNever = /* @__PURE__ */ $constructor("$ZodNever", (inst, def) => {
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
var arraySize = (input) => Array.isArray(input) ? input.length : -1;
function handleArrayResult(result, final, index) {
  if (result.issues.length) {
    final.issues.push(...prefixIssues(index, result.issues));
  }
  final.value[index] = result.value;
}
var $ZodArray = /* @__PURE__ */ $constructor("$ZodArray", (inst, def) => {
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
var NO_SYMBOL_KEYS = [];
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
var $ZodObject = /* @__PURE__ */ $constructor("$ZodObject", (inst, def) => {
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
  const isObject3 = isObject;
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
var $ZodRecord = /* @__PURE__ */ $constructor("$ZodRecord", (inst, def) => {
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
var $ZodEnum = /* @__PURE__ */ $constructor("$ZodEnum", (inst, def) => {
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
function handleOptionalResult(payload, result) {
  payload.value = result.issues.length ? void 0 : result.value;
  return payload;
}
var $ZodOptional = /* @__PURE__ */ $constructor("$ZodOptional", (inst, def) => {
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
var $ZodNullable = /* @__PURE__ */ $constructor("$ZodNullable", (inst, def) => {
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
var $ZodCustom = /* @__PURE__ */ $constructor("$ZodCustom", (inst, def) => {
  $ZodCheck.init(inst, def);
  $ZodType.init(inst, def);
  inst._zod.parse = (payload, _) => {
    return payload;
  };
  inst._zod.check = (payload) => {
    const input = payload.value;
    const r = def.fn(input);
    if (r instanceof Promise) {
      return r.then((r2) => handleRefineResult(r2, payload, input, inst));
    }
    handleRefineResult(r, payload, input, inst);
    return;
  };
});
function handleRefineResult(result, payload, input, inst) {
  if (!result) {
    const _iss = {
      code: "custom",
      input,
      inst,
      // incorporates params.error into issue reporting
      path: [...inst._zod.def.path ?? []],
      // incorporates params.error into issue reporting
      continue: !inst._zod.def.abort
      // params: inst._zod.def.params,
    };
    if (inst._zod.def.params)
      _iss.params = inst._zod.def.params;
    payload.issues.push(issue(_iss));
  }
}

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
function _int(Class, params) {
  return new Class({
    type: "number",
    check: "number_format",
    abort: false,
    format: "safeint",
    ...normalizeParams(params)
  });
}
// @__NO_SIDE_EFFECTS__
function _boolean(Class, params) {
  return new Class({
    type: "boolean",
    ...normalizeParams(params)
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
// @__NO_SIDE_EFFECTS__
function _gte(value, params) {
  return new $ZodCheckGreaterThan({
    check: "greater_than",
    ...normalizeParams(params),
    value,
    inclusive: true
  });
}
// @__NO_SIDE_EFFECTS__
function _minLength(minimum, params) {
  return new $ZodCheckMinLength({
    check: "min_length",
    ...normalizeParams(params),
    minimum
  });
}
// @__NO_SIDE_EFFECTS__
function _regex(pattern, params) {
  return new $ZodCheckRegex({
    check: "string_format",
    format: "regex",
    ...normalizeParams(params),
    pattern
  });
}
// @__NO_SIDE_EFFECTS__
function _refine(Class, fn, _params) {
  const schema = new Class({
    type: "custom",
    check: "custom",
    fn,
    ...normalizeParams(_params)
  });
  return schema;
}

// node_modules/zod/v4/mini/schemas.js
var ZodMiniType = /* @__PURE__ */ $constructor("ZodMiniType", (inst, def) => {
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
var ZodMiniString = /* @__PURE__ */ $constructor("ZodMiniString", (inst, def) => {
  $ZodString.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function string2(params) {
  return _string(ZodMiniString, params);
}
var ZodMiniNumber = /* @__PURE__ */ $constructor("ZodMiniNumber", (inst, def) => {
  $ZodNumber.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function number2(params) {
  return _number(ZodMiniNumber, params);
}
var ZodMiniNumberFormat = /* @__PURE__ */ $constructor("ZodMiniNumberFormat", (inst, def) => {
  $ZodNumberFormat.init(inst, def);
  ZodMiniNumber.init(inst, def);
});
function int(params) {
  return _int(ZodMiniNumberFormat, params);
}
var ZodMiniBoolean = /* @__PURE__ */ $constructor("ZodMiniBoolean", (inst, def) => {
  $ZodBoolean.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function boolean2(params) {
  return _boolean(ZodMiniBoolean, params);
}
var ZodMiniNever = /* @__PURE__ */ $constructor("ZodMiniNever", (inst, def) => {
  $ZodNever.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function never(params) {
  return _never(ZodMiniNever, params);
}
var ZodMiniArray = /* @__PURE__ */ $constructor("ZodMiniArray", (inst, def) => {
  $ZodArray.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function array(element, params) {
  return new ZodMiniArray({
    type: "array",
    element,
    ...normalizeParams(params)
  });
}
var ZodMiniObject = /* @__PURE__ */ $constructor("ZodMiniObject", (inst, def) => {
  $ZodObject.init(inst, def);
  ZodMiniType.init(inst, def);
  installLazyProp(inst, "shape", (self) => self._zod.def.shape, false);
});
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
var ZodMiniRecord = /* @__PURE__ */ $constructor("ZodMiniRecord", (inst, def) => {
  $ZodRecord.init(inst, def);
  ZodMiniType.init(inst, def);
});
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
function partialRecord(keyType, valueType, params) {
  return new ZodMiniRecord({
    type: "record",
    keyType,
    valueType,
    ...normalizeParams(params),
    partial: true
  });
}
var ZodMiniEnum = /* @__PURE__ */ $constructor("ZodMiniEnum", (inst, def) => {
  $ZodEnum.init(inst, def);
  ZodMiniType.init(inst, def);
  inst.options = [...inst._zod.values];
});
// @__NO_SIDE_EFFECTS__
function _enum(values, params) {
  const entries = Array.isArray(values) ? Object.fromEntries(values.map((v) => [v, v])) : values;
  return new ZodMiniEnum({
    type: "enum",
    entries,
    ...normalizeParams(params)
  });
}
var ZodMiniOptional = /* @__PURE__ */ $constructor("ZodMiniOptional", (inst, def) => {
  $ZodOptional.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function optional(innerType) {
  return new ZodMiniOptional({
    type: "optional",
    innerType
  });
}
var ZodMiniNullable = /* @__PURE__ */ $constructor("ZodMiniNullable", (inst, def) => {
  $ZodNullable.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function nullable(innerType) {
  return new ZodMiniNullable({
    type: "nullable",
    innerType
  });
}
var ZodMiniCustom = /* @__PURE__ */ $constructor("ZodMiniCustom", (inst, def) => {
  $ZodCustom.init(inst, def);
  ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function refine(fn, _params = {}) {
  return _refine(ZodMiniCustom, fn, _params);
}

// scripts-src/executor/scrub-environment.ts
function readVariable(environment, name) {
  if (environment[name] !== void 0) return environment[name];
  const wanted = name.toUpperCase();
  const key = Object.keys(environment).find((candidate) => candidate.toUpperCase() === wanted);
  return key === void 0 ? void 0 : environment[key];
}

// scripts-src/validate/step-environment.ts
init_types();
var AMBIENT = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TMP", "TEMP", "LANG", "TZ"];
var AMBIENT_WINDOWS = [
  "SystemRoot",
  "SystemDrive",
  "ComSpec",
  "PATHEXT",
  "OS",
  "USERNAME",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "APPDATA",
  "LOCALAPPDATA",
  "ProgramData",
  "ProgramFiles",
  "ProgramFiles(x86)",
  "CommonProgramFiles",
  "NUMBER_OF_PROCESSORS",
  "PROCESSOR_ARCHITECTURE"
];
function stepEnvironment(wish, caller, platform = process.platform) {
  const locale = Object.keys(caller).filter((name) => /^LC_[A-Z]+$/.test(name));
  const ambient = platform === "win32" ? [...AMBIENT, ...AMBIENT_WINDOWS] : AMBIENT;
  const environment = {};
  for (const name of [...ambient, ...locale, ...wish.inherit]) {
    const value = platform === "win32" ? readVariable(caller, name) : caller[name];
    if (value !== void 0) environment[name] = value;
  }
  return { ...environment, ...wish.set };
}
function toldVariables(told) {
  return {
    VALIDATE_RUN_OUTPUT: told.output,
    VALIDATE_RUN_STARTED_AT: told.startedAt,
    VALIDATE_RUN_COMMIT: told.commit,
    VALIDATE_RUN_BUILD_FINGERPRINT: told.buildFingerprint,
    VALIDATE_RUN_STAGE: told.stage,
    VALIDATE_RUN_SEQUENCE: String(told.sequence)
  };
}
var OF_LEASES = [LEASES, "PRUN_RESOURCE_HOME"];
function leaseVariables(caller) {
  const found = OF_LEASES.flatMap((name) => {
    const value = caller[name];
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}
function isReservedName(name) {
  return /^(?:VALIDATE_RUN_|PRUN_(?:UNIT|LEASE|RESOURCE_HOME)$)/i.test(name);
}

// scripts-src/validate/job-schema.ts
var NO_TEXT = "is no text: put it in quotes";
var noNul = () => refine((value) => !value.includes("\0"), "has a NUL character: take it away");
var text = () => string2(NO_TEXT).check(_minLength(1, "is empty"), noNul());
var NO_ARGV = 'is no list of words: write it as ["program", "argument"]';
var argv = () => optional(
  array(string2(NO_TEXT).check(noNul()), NO_ARGV).check(
    _minLength(1, "has no words: give the program first, or leave the key out"),
    refine((words) => words[0] !== "", "begins with an empty word: give the program first")
  )
);
var NO_NAME = "is no name of a variable: use letters, digits and _";
var RESERVED = "is given by validate-run itself: take it away";
var NAME = /^[A-Za-z_][A-Za-z0-9_()]*$/;
function nameFault(name) {
  if (!NAME.test(name)) return NO_NAME;
  return isReservedName(name) ? RESERVED : void 0;
}
var variableName = () => string2(NO_TEXT).check(
  _regex(NAME, NO_NAME),
  refine((name) => !isReservedName(name), RESERVED)
);
var NO_SECONDS = "is no whole number of seconds; 0 is no limit";
var jobSchema = strictObject(
  {
    worktree: text(),
    commit: string2(NO_TEXT).check(
      _regex(
        /^[0-9a-fA-F]{7,64}$/,
        "is no commit id: a name may move, so give what git rev-parse HEAD prints"
      )
    ),
    environment: optional(
      record(
        string2(),
        string2("has a value that is no text: put it in quotes").check(noNul()),
        'is no list of names with values: write it as {"NAME": "value"}'
      )
    ),
    inherit_environment: optional(array(variableName(), 'is no list of names: write it as ["NAME"]')),
    step_timeout: optional(
      number2(NO_SECONDS).check(int(NO_SECONDS), _gte(0, NO_SECONDS), _lte(2e6, "is too long"))
    ),
    build: argv(),
    verify: argv(),
    health: argv(),
    smoke: argv(),
    test: argv(),
    collect: argv(),
    recover: argv()
  },
  'is no job: write it as {"worktree": "…", "commit": "…", "smoke": […], "test": […]}'
);
var JOB_KEYS = Object.keys(jobSchema.def.shape);

// scripts-src/validate/job.ts
var STEP_TIMEOUT_SECONDS = 1800;
var OTHER_WORDS = {
  repo: "worktree",
  cwd: "worktree",
  sha: "commit",
  ref: "commit",
  env: "environment",
  passenv: "inherit_environment",
  timeout: "step_timeout",
  tests: "test"
};
function readJob(file, place) {
  const absolute = import_node_path3.default.resolve(file);
  const bytes = readBytes(absolute);
  const value = parsedJson(absolute, bytes);
  const filled = place && isObject2(value) ? { ...value, ...place } : value;
  const parsed = jobSchema.safeParse(filled);
  const written = parsed.success ? [] : mistakesFrom(parsed.error, hideValues(filled), [], unknownKey).map(plainer);
  const mistakes = [...written, ...ruleMistakes(filled)];
  if (!parsed.success || mistakes.length > 0) throw mistakesError(absolute, mistakes);
  const leftAside = place && isObject2(value) ? Object.keys(place).filter((key) => key in value) : [];
  return jobFrom(absolute, parsed.data, leftAside);
}
function jobFrom(file, written, leftAside) {
  const commands2 = {};
  for (const stage of STAGES) {
    const argv2 = written[stage];
    if (argv2) commands2[stage] = argv2;
  }
  const said = {
    environment: written.environment ?? {},
    inheritEnvironment: written.inherit_environment ?? [],
    stepTimeoutSeconds: written.step_timeout ?? STEP_TIMEOUT_SECONDS,
    commands: commands2
  };
  return {
    file,
    sha256: sha256(JSON.stringify({ ...said, environment: Object.entries(said.environment).sort() })),
    worktree: import_node_path3.default.resolve(import_node_path3.default.dirname(file), written.worktree),
    commit: written.commit.toLowerCase(),
    ...said,
    leftAside
  };
}
function readBytes(file) {
  try {
    return (0, import_node_fs5.readFileSync)(file);
  } catch (error) {
    const why = errnoOf(error) === "ENOENT" ? "does not exist" : `cannot be read (${messageOf(error)})`;
    throw usageError(`the job ${file} ${why}`, "give the path of a JSON file; --help shows one");
  }
}
function parsedJson(file, bytes) {
  try {
    return JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    throw usageError(`the job ${file} is no JSON (${messageOf(error)})`, "write it as --help shows it");
  }
}
function isObject2(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function ruleMistakes(value) {
  if (!isObject2(value)) return [];
  const { smoke, test, build, verify: verify2, environment } = value;
  const names = Object.keys(isObject2(environment) ? environment : {}).flatMap((name) => {
    const text2 = nameFault(name);
    return text2 === void 0 ? [] : [{ path: ["environment", name], text: text2 }];
  });
  const missing = "is missing: every job has both smoke and test";
  const unchecked = "is missing: a build needs a command that checks what it made";
  return [
    ...names,
    ...smoke === void 0 ? [{ path: ["smoke"], text: missing }] : [],
    ...test === void 0 ? [{ path: ["test"], text: missing }] : [],
    ...build !== void 0 && verify2 === void 0 ? [{ path: ["verify"], text: unchecked }] : []
  ];
}
function plainer({ path: where, text: text2 }) {
  if (where[0] === "environment") {
    return { path: where, text: text2.replace(/^"\(\w+\)" /, "") };
  }
  const asText = /^"(.*)" is no list of words/.exec(text2);
  if (!asText?.[1]) return { path: where, text: text2 };
  const words = asText[1].trim().split(/\s+/);
  return { path: where, text: `is a text, and no shell reads it: write it as ${JSON.stringify(words)}` };
}
function hideValues(value) {
  if (!isObject2(value) || value.environment === void 0) return value;
  if (!isObject2(value.environment)) return { ...value, environment: `(${typeof value.environment})` };
  const hidden = Object.entries(value.environment).map(([name, one]) => [name, `(${typeof one})`]);
  return { ...value, environment: Object.fromEntries(hidden) };
}
function unknownKey(key) {
  const meant = OTHER_WORDS[key.toLowerCase().replace(/[-_]/g, "")] ?? nearestWord(key, JOB_KEYS);
  return meant === void 0 ? `is no key of a job: they are ${JOB_KEYS.join(", ")}` : `is no key of a job: is ${meant} meant?`;
}
var SHOWN_MISTAKES = 10;
function mistakesError(file, mistakes) {
  const shown = mistakes.slice(0, SHOWN_MISTAKES).map(({ path: where, text: text2 }) => {
    const place = placeName(where);
    return place === "" ? text2 : `${place} ${text2}`;
  });
  const more = mistakes.length - shown.length;
  const all = [...shown, ...more > 0 ? [`${more} more`] : []].join("; ");
  return usageError(`the job ${file}: ${all}`, "put it right; --help shows a job");
}

// scripts-src/validate/result-file.ts
var import_node_fs6 = require("node:fs");
var import_node_path4 = __toESM(require("node:path"), 1);
var namedProcess = object({ pid: number2(), command: string2() });
var commands = partialRecord(_enum(STAGES), array(string2()));
var resultSchema = object({
  schema: number2(),
  status: _enum(STATUSES),
  reason: string2(),
  exitCode: number2(),
  signal: nullable(string2()),
  startedAt: string2(),
  endedAt: string2(),
  seconds: number2(),
  worktree: string2(),
  commit: string2(),
  tree: nullable(string2()),
  job: object({ file: string2(), sha256: string2() }),
  commands,
  stepTimeoutSeconds: number2(),
  environment: array(string2()),
  fingerprints: object({ build: string2(), environment: string2() }),
  reused: nullable(object({ result: string2(), sha256: string2() })),
  recovered: boolean2(),
  checks: number2(),
  steps: array(
    object({
      sequence: number2(),
      stage: _enum(STAGES),
      argv: array(string2()),
      outcome: _enum(["ok", "failed", "timeout", "cancelled"]),
      exitCode: number2(),
      signal: nullable(string2()),
      startedAt: string2(),
      seconds: number2(),
      log: string2(),
      logBytes: number2(),
      logSha256: string2(),
      leftovers: array(namedProcess),
      survivors: array(namedProcess)
    })
  ),
  checksum: string2()
});
function readResult(file, name) {
  let bytes;
  let json;
  try {
    bytes = (0, import_node_fs6.readFileSync)(file);
    json = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    const why = errnoOf(error) === "ENOENT" ? "does not exist" : `cannot be read (${messageOf(error)})`;
    throw usageError(`${name} ${file} ${why}`, "give the result.json of a validation that has ended");
  }
  const schema = object({ schema: number2() }).safeParse(json);
  if (schema.success && schema.data.schema > VALIDATION_SCHEMA) {
    throw usageError(`${name} ${file} was written by a newer prun`, "use that one, or validate again");
  }
  const parsed = resultSchema.safeParse(json);
  if (!parsed.success) {
    throw usageError(`${name} ${file} is no result of validate-run`, "give the result.json of a validation");
  }
  const { checksum, ...rest } = parsed.data;
  const isAsRead = JSON.stringify(json) === JSON.stringify(parsed.data);
  const isWhole = isAsRead && checksum === checksumOf(rest);
  return { result: parsed.data, sha256: sha256(bytes), isWhole };
}
function checksumOf(rest) {
  return sha256(JSON.stringify(rest));
}
var RESERVE_BYTES = 128 * 1024;
function reserveResult(output) {
  (0, import_node_fs6.writeFileSync)(reserveOf(output), Buffer.alloc(RESERVE_BYTES, 32), { mode: PRIVATE_FILE });
}
function reserveOf(output) {
  return import_node_path4.default.join(output, VALIDATION_FILES.own, "reserve");
}
function writeResult(output, rest) {
  const ordered = resultSchema.parse({ ...rest, checksum: "" });
  const { checksum: _, ...record2 } = ordered;
  const result = { ...record2, checksum: checksumOf(record2) };
  const file = import_node_path4.default.join(output, VALIDATION_FILES.result);
  (0, import_node_fs6.rmSync)(reserveOf(output), { force: true });
  if (!writeOnce(file, `${JSON.stringify(result, null, 2)}
`)) {
    throw usageError(`${file} is there already, and not by this validation`, "let no step write it");
  }
  (0, import_node_fs6.rmSync)(import_node_path4.default.join(output, VALIDATION_FILES.progress), { force: true });
  (0, import_node_fs6.rmSync)(import_node_path4.default.join(output, VALIDATION_FILES.own), { recursive: true, force: true, maxRetries: 5 });
  return { file, result };
}
var progressSchema = object({
  schema: number2(),
  validator: string2(),
  startedAt: string2(),
  step: nullable(object({ sequence: number2(), stage: string2() }))
});
function noteProgress(output, progress) {
  const text2 = `${JSON.stringify(progress)}
`;
  writeAtomic(import_node_path4.default.join(output, VALIDATION_FILES.progress), text2, { sync: false });
}
function readProgressNote(output) {
  try {
    const json = JSON.parse((0, import_node_fs6.readFileSync)(import_node_path4.default.join(output, VALIDATION_FILES.progress), "utf8"));
    const parsed = progressSchema.safeParse(json);
    return parsed.success ? parsed.data : void 0;
  } catch {
    return void 0;
  }
}

// scripts-src/validate/watch-tree.ts
var import_node_fs10 = require("node:fs");
var import_node_path8 = __toESM(require("node:path"), 1);

// scripts-src/platform/byte-path.ts
var import_node_path5 = __toESM(require("node:path"), 1);
function bytesOf(where) {
  return Buffer.from(where, "latin1");
}
function splitPaths(output) {
  const text2 = output.toString("latin1");
  return (text2.endsWith("\0") ? text2.slice(0, -1) : text2).split("\0").filter(Boolean);
}
function fileAt(root, where, platform = process.platform) {
  if (platform === "win32") return import_node_path5.default.win32.join(root, textOf(where));
  return Buffer.concat([Buffer.from(`${root}/`), bytesOf(where)]);
}
function parentOf(where) {
  const cut = where.lastIndexOf("/");
  return cut < 0 ? void 0 : where.slice(0, cut);
}
function below(folder, name) {
  return folder === void 0 || folder === "" ? name : `${folder}/${name}`;
}
function textOf(where) {
  return bytesOf(where).toString("utf8");
}
function shownPath(where) {
  const text2 = textOf(where);
  const isPlain = !/[\u0000-\u001f\u007f-\u009f"\\\u2028\u2029\ufffd]|^\s|\s$/.test(text2);
  return isPlain ? text2 : quotedPath(where);
}
function quotedPath(where) {
  const escapes = { "\n": "\\n", "	": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\" };
  const body = [...where].map((byte) => {
    const code = byte.charCodeAt(0);
    return escapes[byte] ?? (code < 32 || code > 126 ? `\\${code.toString(8).padStart(3, "0")}` : byte);
  });
  return `"${body.join("")}"`;
}

// scripts-src/platform/git.ts
var import_node_child_process = require("node:child_process");
var import_node_fs7 = require("node:fs");
var GitError = class extends PrunError {
  argv;
  status;
  stderr;
  constructor(argv2, status, stderr) {
    const said = lastLines(stderr);
    super(
      "E_GIT",
      `git ${argv2.slice(0, 3).join(" ")} failed (${status ?? "ended by a signal"})${said ? `: ${said}` : ""}`,
      nextStepFor(stderr),
      1
    );
    this.name = "GitError";
    this.argv = argv2;
    this.status = status;
    this.stderr = stderr;
  }
};
async function runGit(place, argv2, call = {}) {
  const child = startGit(place, argv2, call);
  const stdout = [];
  const stderr = [];
  child.stdout?.on("data", (chunk) => stdout.push(chunk));
  child.stderr?.on("data", (chunk) => stderr.push(chunk));
  child.stdin?.on("error", () => {
  });
  const ended = new Promise((resolve, reject) => {
    child.once("error", (error) => reject(cannotStart(error, place)));
    child.once("close", (code2) => resolve(code2));
  });
  child.stdin?.end(call.input ?? "");
  let isLate = false;
  const limit = setTimeoutOf(call.limitMs, () => {
    isLate = true;
    child.kill("SIGKILL");
  });
  const code = await ended.finally(() => clearTimeout(limit));
  if (isLate) throw tookTooLong(argv2, place, call.limitMs ?? 0);
  const said = Buffer.concat(stderr).toString("utf8");
  if (code === null || !(call.answers ?? [0]).includes(code)) throw new GitError(argv2, code, said);
  return { code, stdout: Buffer.concat(stdout), stderr: said };
}
function startGit(place, argv2, call) {
  try {
    return (0, import_node_child_process.spawn)("git", [...argv2], {
      cwd: folderOf(place),
      env: gitEnvironment(place, process.env),
      stdio: ["pipe", call.stdoutFd ?? "pipe", "pipe"],
      windowsHide: true
    });
  } catch (error) {
    throw cannotStart(error, place);
  }
}
function folderOf(place) {
  return place.cwd ?? place.workTree ?? place.gitDir;
}
function setTimeoutOf(limitMs, end) {
  return limitMs === void 0 ? void 0 : setTimeout(end, limitMs);
}
function tookTooLong(argv2, place, limitMs) {
  return new PrunError(
    "E_GIT_TIME",
    `git ${argv2.slice(0, 3).join(" ")} in ${folderOf(place)} did not end within ${limitMs / 1e3} s`,
    "see whether the disk answers, and whether a pipe lies where git reads a file",
    1
  );
}
async function gitBytes(place, argv2, call) {
  return (await runGit(place, argv2, call)).stdout;
}
async function gitText(place, argv2, call) {
  return (await gitBytes(place, argv2, call)).toString("utf8").replace(/\n$/, "");
}
function gitEnvironment(place, environment) {
  const inherited = Object.entries(environment).filter(([name]) => !/^GIT_/i.test(name));
  const settings = [
    // git takes the last value of a key: the caller cannot take back what prun needs.
    ...place.asUser ? callersSettings(environment) : [],
    ["core.hooksPath", NOWHERE],
    ["core.fsmonitor", "false"],
    ["core.untrackedCache", "false"],
    ["core.splitIndex", "false"],
    ["core.pager", "cat"],
    ["core.quotePath", "false"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
    ["commit.gpgSign", "false"],
    ["advice.detachedHead", "false"],
    ["protocol.allow", "never"],
    ...Object.entries(place.config ?? {})
  ];
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    ...place.asUser ? callersFiles(environment) : { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: NOWHERE },
    ...place.gitDir === void 0 ? {} : { GIT_DIR: place.gitDir },
    ...place.workTree === void 0 ? {} : { GIT_WORK_TREE: place.workTree },
    ...place.indexFile === void 0 ? {} : { GIT_INDEX_FILE: place.indexFile },
    ...place.alternates?.length ? { GIT_ALTERNATE_OBJECT_DIRECTORIES: place.alternates.map(quoteAlternate).join(pathDelimiter()) } : {},
    ...AUTHOR,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], n) => [
        [`GIT_CONFIG_KEY_${n}`, key],
        [`GIT_CONFIG_VALUE_${n}`, value]
      ])
    )
  };
}
var CONFIG_FILES = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];
function callersFiles(environment) {
  return Object.fromEntries(
    CONFIG_FILES.flatMap((name) => {
      const value = environment[name];
      return value === void 0 ? [] : [[name, value]];
    })
  );
}
function callersSettings(environment) {
  const given = environment.GIT_CONFIG_COUNT ?? "";
  const count2 = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  return Array.from({ length: count2 }, (_, n) => n).flatMap((n) => {
    const key = environment[`GIT_CONFIG_KEY_${n}`];
    const value = environment[`GIT_CONFIG_VALUE_${n}`];
    return key === void 0 || value === void 0 ? [] : [[key, value]];
  });
}
var NOWHERE = "/dev/null";
var AUTHOR = {
  GIT_AUTHOR_NAME: "prun",
  GIT_AUTHOR_EMAIL: "prun@localhost",
  GIT_COMMITTER_NAME: "prun",
  GIT_COMMITTER_EMAIL: "prun@localhost"
};
function pathDelimiter() {
  return process.platform === "win32" ? ";" : ":";
}
function quoteAlternate(folder) {
  if (process.platform === "win32" || !/[:"\n\\]/.test(folder)) return folder;
  return `"${folder.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
function cannotStart(error, place) {
  const folder = folderOf(place);
  const why = errnoOf(error) ?? messageOf(error);
  const what = `git cannot be started in ${folder} (${why})`;
  if (["EMFILE", "ENFILE"].includes(why)) {
    return new PrunError(
      "E_GIT_START",
      `${what}: too many files are open`,
      "raise the limit (ulimit -n), or run fewer things at once",
      1
    );
  }
  if (["EAGAIN", "ENOMEM"].includes(why)) {
    return new PrunError(
      "E_GIT_START",
      `${what}: the system has no room for another process`,
      "end some programs, and run the command again",
      1
    );
  }
  if (why === "E2BIG") {
    return new PrunError(
      "E_GIT_START",
      `${what}: environment and arguments are too long`,
      "call prun with fewer variables",
      1
    );
  }
  if (folder !== void 0 && !isFolder(folder)) {
    return new PrunError(
      "E_GIT_START",
      `${what}: that folder is not there, or may not be entered`,
      "see that it is there, and run the command again",
      1
    );
  }
  if (why === "EACCES") {
    return new PrunError(
      "E_GIT_START",
      what,
      "see that the folder may be entered and that git may be executed",
      EXIT.notExecutable
    );
  }
  return new PrunError(
    "E_GIT_MISSING",
    `${what}: there is no git in PATH`,
    "install git 2.38 or newer",
    EXIT.notFound
  );
}
function isFolder(folder) {
  try {
    return (0, import_node_fs7.statSync)(folder).isDirectory();
  } catch {
    return false;
  }
}
function lastLines(stderr) {
  return stderr.trim().split("\n").slice(-3).join("; ").slice(-500);
}
function nextStepFor(stderr) {
  if (stderr.includes("dubious ownership")) {
    return "the repository belongs to another user: git config --global --add safe.directory <path> allows it";
  }
  if (/No space left|Disk quota/i.test(stderr)) return "make room on the disk, and run the command again";
  if (/is not a git command|unknown option/i.test(stderr)) return "install git 2.38 or newer";
  return "see what git says, put it right, and run the command again; nothing was changed";
}

// scripts-src/validate/file-stamps.ts
var import_node_fs8 = require("node:fs");
var TOP = "";
function stampFiles(workTree, paths) {
  const files = /* @__PURE__ */ new Map();
  const folders = /* @__PURE__ */ new Map([[TOP, stampAt(workTree, TOP)]]);
  for (const file of paths) {
    files.set(file, stampAt(workTree, file));
    for (let up = parentOf(file); up !== void 0 && !folders.has(up); up = parentOf(up)) {
      folders.set(up, stampAt(workTree, up));
    }
  }
  return { files, folders };
}
function stampAt(workTree, where) {
  try {
    const stat = (0, import_node_fs8.lstatSync)(where === TOP ? workTree : fileAt(workTree, where), { bigint: true });
    return stampFrom(stat);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "")) return null;
    throw error;
  }
}
function stampFrom({ dev, ino, mode, size, mtimeNs, ctimeNs, nlink }) {
  return { identity: `${dev}:${ino}`, mode, size, mtimeNs, ctimeNs, links: nlink };
}
function stampDifference(before, now) {
  for (const [where, old] of before.files) {
    const what = fileDifference(old, now.files.get(where) ?? null);
    if (what) return `${shownPath(where)} ${what}`;
  }
  for (const [where, old] of before.folders) {
    const what = folderDifference(old, now.folders.get(where) ?? null);
    if (what) return `the folder ${where === TOP ? "of the worktree" : shownPath(where)} ${what}`;
  }
  return void 0;
}
function fileDifference(before, now) {
  if (before === null || now === null) return before === now ? void 0 : "was removed or made";
  if (before.identity !== now.identity) return "was replaced by another file";
  if (before.mode !== now.mode) return `has mode ${octal(now.mode)}, not ${octal(before.mode)} as before`;
  if (before.size !== now.size) return `has ${now.size} bytes, not ${before.size} as before`;
  if (before.mtimeNs !== now.mtimeNs) return "was written or touched";
  if (before.ctimeNs !== now.ctimeNs && before.links === now.links) {
    return "was changed and put back, or had its mode or times set (its ctime moved)";
  }
  return void 0;
}
function folderDifference(before, now) {
  if (before === null || now === null) return before === now ? void 0 : "was removed or made";
  if (before.identity !== now.identity) return "was replaced by another one";
  if (before.mode !== now.mode) return `has mode ${octal(now.mode)}, not ${octal(before.mode)} as before`;
  const isMoved = before.ctimeNs !== now.ctimeNs && before.mtimeNs === now.mtimeNs;
  return isMoved ? "was moved away and back, or had its mode set (its ctime moved alone)" : void 0;
}
function octal(mode) {
  return (mode & 0o7777n).toString(8);
}
function freshness({ files }, nowMs) {
  let newest = 0n;
  let isCoarse = files.size > 0;
  for (const stamp of files.values()) {
    if (stamp === null) continue;
    if (stamp.ctimeNs > newest) newest = stamp.ctimeNs;
    if (stamp.ctimeNs % 1000000000n !== 0n) isCoarse = false;
  }
  return { ageMs: nowMs - Number(newest / 1000000n), isCoarse };
}

// scripts-src/validate/git-facts.ts
var import_node_fs9 = require("node:fs");
var import_node_path7 = __toESM(require("node:path"), 1);

// scripts-src/platform/home-folder.ts
var import_node_os = __toESM(require("node:os"), 1);
var import_node_path6 = __toESM(require("node:path"), 1);
function homeFolder() {
  const named2 = import_node_os.default.homedir();
  if (import_node_path6.default.isAbsolute(named2)) return named2;
  try {
    return import_node_os.default.userInfo().homedir;
  } catch {
    throw usageError(`HOME is ${JSON.stringify(named2)}, no absolute path`, "set HOME to your home folder");
  }
}

// scripts-src/validate/git-facts.ts
async function readGitFacts(place) {
  const facts = /* @__PURE__ */ new Map();
  const git = { gitDir: place.gitDir, workTree: place.workTree, asUser: true };
  facts.set(".git", gitIdentity(place));
  facts.set("HEAD", headTrace(place));
  facts.set(INDEX, (await gitBytes(git, ["ls-files", "-z", "--stage", "-v"])).toString("latin1"));
  const settings = await readSettings(git);
  for (const [key, value] of settings) facts.set(`the setting ${key}`, value);
  for (const file of ruleFiles(place, settings)) facts.set(file, contentHash(file));
  return facts;
}
var INDEX = "the index";
function factDifference(before, now) {
  for (const name of /* @__PURE__ */ new Set([...before.keys(), ...now.keys()])) {
    if (before.get(name) === now.get(name)) continue;
    if (name === ".git") return ".git is not the same any more";
    if (name === "HEAD") return "HEAD was moved (commit, reset or checkout), even if it is back";
    if (name === INDEX) return `${name} was changed: ${changedEntry(before.get(name), now.get(name))}`;
    return `${name} was changed`;
  }
  return void 0;
}
function changedEntry(before = "", now = "") {
  const [old, young] = [new Set(before.split("\0")), new Set(now.split("\0"))];
  const entry = [...old].find((one) => !young.has(one)) ?? [...young].find((one) => !old.has(one)) ?? "";
  return shownPath(entry.slice(entry.indexOf("	") + 1));
}
function gitIdentity({ workTree, gitDir, commonDir }) {
  const dotGit = lstatOrNone(import_node_path7.default.join(workTree, ".git"));
  const parts = [dotGit && `${dotGit.dev}:${dotGit.ino}:${dotGit.mode & 61440}`];
  if (dotGit?.isFile()) parts.push(readEnd(import_node_path7.default.join(workTree, ".git"), 4096));
  for (const folder of [gitDir, commonDir]) {
    const stat = (0, import_node_fs9.statSync)(folder, { throwIfNoEntry: false });
    parts.push(stat && `${stat.dev}:${stat.ino}`);
  }
  return parts.map((part) => part ?? "none").join("\n");
}
function headTrace({ gitDir }) {
  const head = import_node_path7.default.join(gitDir, "HEAD");
  const stat = (0, import_node_fs9.statSync)(head, { bigint: true, throwIfNoEntry: false });
  const lastMove = readEnd(import_node_path7.default.join(gitDir, "logs", "HEAD"), 4096).trimEnd().split("\n").at(-1) ?? "";
  return [readEnd(head, 4096), stat ? `${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}` : "", lastMove].join(
    "\n"
  );
}
var HARMLESS = /^core\.(?:hookspath|editor|pager|askpass|sshcommand|fsmonitor|untrackedcache|splitindex|compression|loosecompression|packed\w+|delta\w+|bigfilethreshold|commitgraph|multipackindex|logallrefupdates|fsync\w*|abbrev|quotepath|preloadindex|commentchar|commentstring|notesref|createobject|sharedrepository|warnambiguousrefs|repositoryformatversion|bare)$/;
async function readSettings(git) {
  const listed = await gitBytes(git, ["config", "--list", "-z"]);
  const found = /* @__PURE__ */ new Map();
  for (const entry of listed.toString("utf8").split("\0").filter(Boolean)) {
    const cut = entry.indexOf("\n");
    const key = cut < 0 ? entry : entry.slice(0, cut);
    if (!/^(?:core|filter|extensions)\./.test(key) || HARMLESS.test(key)) continue;
    found.set(key, `${found.get(key) ?? ""}
${cut < 0 ? "true" : entry.slice(cut + 1)}`);
  }
  return found;
}
function ruleFiles({ gitDir, commonDir, workTree }, settings) {
  const configHome = process.env.XDG_CONFIG_HOME || import_node_path7.default.join(homeFolder(), ".config");
  const named2 = (key, usual) => {
    const value = settings.get(key)?.split("\n").at(-1);
    if (!value) return import_node_path7.default.join(configHome, "git", usual);
    return import_node_path7.default.resolve(workTree, value.replace(/^~(?=\/)/, homeFolder()));
  };
  const inCommon = ["info/exclude", "info/attributes", "info/grafts"].map(
    (name) => import_node_path7.default.join(commonDir, name)
  );
  return [
    ...inCommon,
    import_node_path7.default.join(gitDir, "info/sparse-checkout"),
    named2("core.excludesfile", "ignore"),
    named2("core.attributesfile", "attributes")
  ];
}
var FOLDER_RULES = [".gitignore", ".gitattributes"];
function readFolderRules({ workTree }, folders) {
  const facts = /* @__PURE__ */ new Map();
  for (const folder of folders) {
    for (const name of FOLDER_RULES) {
      const file = below(folder, name);
      facts.set(shownPath(file), contentHash(fileAt(workTree, file)));
    }
  }
  return facts;
}
function contentHash(file) {
  try {
    return sha256((0, import_node_fs9.readFileSync)(file));
  } catch {
    return "none";
  }
}
async function readStatus(git) {
  const flags = ["--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignore-submodules=all"];
  const output = (await gitBytes(git, ["status", ...flags, "--no-renames"])).toString("latin1");
  let head = "";
  const changes = [];
  for (const entry of output.split("\0").filter(Boolean)) {
    if (entry.startsWith("# branch.oid ")) head = entry.slice("# branch.oid ".length);
    else if (!entry.startsWith("# ")) changes.push(changeText(entry));
  }
  const more = changes.length - 3;
  return { head, changes: more > 0 ? [...changes.slice(0, 3), `${more} more`] : changes };
}
function changeText(entry) {
  const [kind = "", xy = ""] = entry.split(" ", 2);
  const fields = kind === "1" ? 8 : kind === "u" ? 10 : 1;
  const where = shownPath(entry.split(" ").slice(fields).join(" "));
  if (kind === "?") return `${where} is not in the commit`;
  return `${where} ${xy.includes("D") ? "is missing" : "is not as in the commit"}`;
}

// scripts-src/validate/watch-tree.ts
var FINE_MS = 30;
var COARSE_MS = 2100;
var STRICT = {
  "core.trustctime": "true",
  "core.checkStat": "default",
  "core.sparseCheckout": "false",
  "core.ignoreStat": "false",
  ...process.platform === "win32" ? {} : { "core.fileMode": "true" }
};
async function treePlaceOf(folder, name) {
  if (!(0, import_node_fs10.existsSync)(folder))
    throw usageError(`${name} ${folder} does not exist`, "give the top of a git work tree");
  const here = { cwd: folder, asUser: true };
  const ask = (question) => gitText(here, ["rev-parse", "--path-format=absolute", question]);
  try {
    const top = await ask("--show-toplevel");
    if ((0, import_node_fs10.realpathSync)(top) !== (0, import_node_fs10.realpathSync)(folder)) {
      throw usageError(`${name} ${folder} is not the top of its work tree`, `give ${top}`);
    }
    const [gitDir, commonDir] = [await ask("--git-dir"), await ask("--git-common-dir")];
    return {
      workTree: (0, import_node_fs10.realpathSync)(folder),
      gitDir: import_node_path8.default.normalize(gitDir),
      commonDir: import_node_path8.default.normalize(commonDir)
    };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const next = error.stderr.includes("dubious ownership") ? error.next : "give the top of a git work tree";
    throw usageError(`${name} ${folder} cannot be used (${error.message})`, next);
  }
}
async function watchTree(place, commit, indexFile) {
  try {
    return await beginWatch(place, commit, indexFile);
  } catch (error) {
    return { kind: "different", difference: `the tree cannot be compared: ${whyNot(error)}` };
  }
}
async function beginWatch(place, wanted, indexFile) {
  const git = { ...placeOf(place), indexFile, config: STRICT };
  const different = (difference2) => ({ kind: "different", difference: difference2 });
  const commit = await gitText(git, ["rev-parse", "--verify", "HEAD^{commit}"]);
  if (!commit.startsWith(wanted)) return different(`HEAD is ${commit}, not ${wanted}`);
  const outside = await readGitFacts(place);
  await gitBytes(git, ["read-tree", commit]);
  const entries = parseEntries(await gitBytes(git, ["ls-files", "-z", "--stage"]));
  const staged = await stagedDifference(place, entries);
  if (staged) return different(staged);
  const stamps = await settledStamps(place, entries.files);
  const facts = new Map([...outside, ...readFolderRules(place, stamps.folders.keys())]);
  await runGit(git, ["update-index", "-q", "--really-refresh"], { answers: [0, 1] });
  const submodules = await watchSubmodules(place, entries, indexFile);
  if (typeof submodules === "string") return different(submodules);
  const state = { place, git, commit, facts, stamps, entries, submodules };
  const difference = await compare(state);
  if (difference) return different(difference);
  const tree = await gitText(git, ["rev-parse", "--verify", `${commit}^{tree}`]);
  return { kind: "watch", watch: { commit, tree, difference: () => compare(state) } };
}
async function compare(state) {
  try {
    return await firstDifference(state);
  } catch (error) {
    return `the tree cannot be compared: ${whyNot(error)}`;
  }
}
async function firstDifference(state) {
  const { place, git, commit, facts, entries, submodules } = state;
  const status = await readStatus(git);
  if (status.head !== commit) return `HEAD is ${status.head}, not ${commit}`;
  if (status.changes.length > 0) return status.changes.join("; ");
  const stamps = stampFiles(place.workTree, entries.files);
  const stampedNow = stampDifference(state.stamps, stamps);
  if (stampedNow) return stampedNow;
  const rules = readFolderRules(place, stamps.folders.keys());
  const changed = factDifference(facts, new Map([...await readGitFacts(place), ...rules]));
  if (changed) return changed;
  state.stamps = stamps;
  return submoduleDifference(place, submodules);
}
function placeOf({ gitDir, workTree }) {
  return { gitDir, workTree, asUser: true };
}
function whyNot(error) {
  return (plainError(error)?.message ?? messageOf(error)).replace(/\s+/g, " ").slice(0, 300);
}
function parseEntries(output) {
  const found = { files: [], submodules: /* @__PURE__ */ new Map(), lines: /* @__PURE__ */ new Map() };
  for (const line of splitPaths(output)) {
    const cut = line.indexOf("	");
    const [mode, id = ""] = line.slice(0, cut).split(" ");
    const where = line.slice(cut + 1);
    found.lines.set(where, line.slice(0, cut));
    if (mode === "160000") found.submodules.set(where, id);
    else found.files.push(where);
  }
  return found;
}
async function stagedDifference(place, { lines }) {
  const own2 = parseEntries(await gitBytes(placeOf(place), ["ls-files", "-z", "--stage"])).lines;
  for (const where of /* @__PURE__ */ new Set([...lines.keys(), ...own2.keys()])) {
    if (lines.get(where) !== own2.get(where))
      return `${shownPath(where)} is staged otherwise than in the commit`;
  }
  return void 0;
}
async function settledStamps({ workTree }, files) {
  const stamps = stampFiles(workTree, files);
  const { ageMs, isCoarse } = freshness(stamps, Date.now());
  const neededMs = isCoarse ? COARSE_MS : FINE_MS;
  if (ageMs >= neededMs || ageMs < -neededMs) return stamps;
  await new Promise((resolve) => setTimeout(resolve, neededMs - ageMs));
  return stampFiles(workTree, files);
}
async function watchSubmodules({ workTree }, { submodules }, indexFile) {
  const watched = /* @__PURE__ */ new Map();
  for (const [where, id] of submodules) {
    const folder = import_node_path8.default.join(workTree, textOf(where));
    if (isEmpty(folder)) {
      watched.set(where, "empty");
      continue;
    }
    const name = `the submodule ${shownPath(where)}`;
    const begun = await watchTree(await treePlaceOf(folder, name), id, `${indexFile}-${watched.size}`);
    if (begun.kind === "different") return `${name}: ${begun.difference}`;
    watched.set(where, begun.watch);
  }
  return watched;
}
async function submoduleDifference({ workTree }, submodules) {
  for (const [where, watch] of submodules) {
    const name = `the submodule ${shownPath(where)}`;
    if (watch === "empty") {
      if (!isEmpty(import_node_path8.default.join(workTree, textOf(where)))) return `${name} has files now`;
      continue;
    }
    const difference = await watch.difference();
    if (difference) return `${name}: ${difference}`;
  }
  return void 0;
}
function isEmpty(folder) {
  return !(0, import_node_fs10.existsSync)(folder) || (0, import_node_fs10.readdirSync)(folder).length === 0;
}

// scripts-src/validate/evidence.ts
async function checkEvidence(file, host) {
  const absolute = resultIn(import_node_path9.default.resolve(file));
  const output = import_node_path9.default.dirname(absolute);
  const unfinished = (0, import_node_fs11.existsSync)(absolute) ? void 0 : whyUnfinished(output, host);
  if (unfinished) {
    const unknown = { status: null, commit: null, tree: null, notChecked: [] };
    return { evidence: "incomplete", result: absolute, differences: [unfinished], ...unknown };
  }
  const { result, isWhole } = readResult(absolute, "--verify-evidence");
  const differences = isWhole ? [] : ["result.json was changed after it was written"];
  const notChecked = [];
  for (const step of result.steps) push(differences, logDifference(output, step));
  push(differences, fingerprintDifference(result));
  compareJob(result, differences, notChecked);
  await compareWorktree(result, differences, notChecked);
  const evidence = differences.length === 0 ? "agrees" : "differs";
  const { status, commit, tree } = result;
  return { evidence, result: absolute, status, commit, tree, differences, notChecked };
}
function resultIn(file) {
  const isFolder2 = (0, import_node_fs11.statSync)(file, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder2 ? import_node_path9.default.join(file, VALIDATION_FILES.result) : file;
}
function push(lines, line) {
  if (line !== void 0) lines.push(line);
}
function whyUnfinished(output, host) {
  const note = readProgressNote(output);
  if (!note) return void 0;
  const where = note.step ? `in step ${note.step.sequence} (${note.step.stage})` : "before its first step";
  const validator = parseIdentity(note.validator);
  const isRunning = validator !== void 0 && isAlive(host, validator);
  return isRunning ? `the validation is still running, ${where}` : `the validation was killed ${where}`;
}
function logDifference(output, { log, logSha256, logBytes }) {
  const file = import_node_path9.default.resolve(output, log);
  try {
    const now = sha256OfFile(file);
    if (now.sha256 === logSha256) return void 0;
    return `${log} is not as it was written (${now.bytes} bytes, then ${logBytes})`;
  } catch (error) {
    return `${log} cannot be read (${messageOf(error)})`;
  }
}
function fingerprintDifference({
  commit,
  tree,
  commands: commands2,
  fingerprints
}) {
  const { environment } = fingerprints;
  const again = buildFingerprint({ commit, tree: tree ?? "", commands: commands2, environment });
  return again === fingerprints.build ? void 0 : "the build fingerprint does not follow from its inputs";
}
function compareJob({ job, commands: commands2, worktree, commit }, differences, notChecked) {
  if (!(0, import_node_fs11.existsSync)(job.file)) {
    notChecked.push(`the job ${job.file} is not there any more`);
    return;
  }
  try {
    const now = readJob(job.file, { worktree, commit });
    if (now.sha256 === job.sha256) return;
    const isOther = JSON.stringify(now.commands) !== JSON.stringify(commands2);
    differences.push(
      `the job ${job.file} has ${isOther ? "other commands" : "another environment or time limit"} now`
    );
  } catch (error) {
    differences.push(`the job ${job.file} is not what it was (${messageOf(error)})`);
  }
}
async function compareWorktree({ worktree, commit }, differences, notChecked) {
  if (!(0, import_node_fs11.existsSync)(worktree)) {
    notChecked.push(`the worktree ${worktree} is gone: its HEAD and files`);
    return;
  }
  const scratch = (0, import_node_fs11.mkdtempSync)(import_node_path9.default.join((0, import_node_os2.tmpdir)(), "prun-evidence-"));
  try {
    const begun = await watchTree(
      await treePlaceOf(worktree, "the worktree"),
      commit,
      import_node_path9.default.join(scratch, "index")
    );
    if (begun.kind === "different") differences.push(`the worktree ${worktree}: ${begun.difference}`);
  } catch (error) {
    const known = plainError(error);
    if (known === void 0) throw error;
    differences.push(known.message);
  } finally {
    (0, import_node_fs11.rmSync)(scratch, { recursive: true, force: true });
  }
}

// scripts-src/validate/reused-build.ts
var import_node_path10 = __toESM(require("node:path"), 1);
function readReusedBuild(file, job) {
  const absolute = import_node_path10.default.resolve(file);
  const { result, sha256: sha2562, isWhole } = readResult(absolute, "--reuse-build");
  if (!isWhole) throw notThat(absolute, "was changed after it was written");
  if (result.status === "invalid-evidence") throw notThat(absolute, "is invalid evidence: its tree moved");
  if (!job.commands.verify) {
    throw usageError("--reuse-build needs a verify", "give the job a command that checks what was built");
  }
  const isBuilt = result.reused !== null || isGood(result, "build");
  if (!isBuilt || !isGood(result, "verify")) {
    throw notThat(absolute, `has no build that was verified (${result.status})`);
  }
  return { file: absolute, sha256: sha2562, result };
}
function isGood({ steps }, stage) {
  return steps.filter((step) => step.stage === stage).at(-1)?.outcome === "ok";
}
function requireEqualBuild({ file, result }, now) {
  if (result.fingerprints.build === now.fingerprints.build) return;
  const isOther = (stage) => JSON.stringify(result.commands[stage] ?? null) !== JSON.stringify(now.commands[stage] ?? null);
  const different = [
    ...result.commit === now.commit ? [] : [`its commit is ${result.commit}`],
    ...isOther("build") ? ["its build command is another one"] : [],
    ...isOther("verify") ? ["its verify command is another one"] : [],
    ...result.fingerprints.environment === now.fingerprints.environment ? [] : ["its environment was another one"]
  ];
  throw notThat(file, `was made from something else: ${different.join(", ") || "its tree is another one"}`);
}
function notThat(file, why) {
  return usageError(`--reuse-build ${file} ${why}`, "leave --reuse-build away, so that it is built");
}

// scripts-src/validate/validate.ts
var import_node_fs16 = require("node:fs");
var import_node_os4 = require("node:os");
var import_node_path17 = __toESM(require("node:path"), 1);
init_clock();

// scripts-src/supervise/owned-commands.ts
var import_node_child_process3 = require("node:child_process");
var import_node_os3 = require("node:os");

// scripts-src/platform/resolve-program.ts
var import_node_fs12 = require("node:fs");
var import_node_path11 = __toESM(require("node:path"), 1);
function resolveProgram(name, cwd, environment, platform = process.platform) {
  const endings = platform === "win32" ? ["", ...(environment.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const isPath = name.includes("/") || platform === "win32" && name.includes("\\");
  const folders = isPath ? [cwd] : (environment.PATH ?? environment.Path ?? "").split(import_node_path11.default.delimiter).map((folder) => folder || cwd);
  let found = { kind: "missing", tried: isPath ? import_node_path11.default.resolve(cwd, name) : name };
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = import_node_path11.default.resolve(folder, name + ending);
      const state = executableState(candidate);
      if (state === "yes") return { kind: "found", path: candidate };
      if (state === "no" && found.kind === "missing") found = { kind: "not-executable", path: candidate };
    }
  }
  return found;
}
function executableState(file) {
  try {
    const stat = (0, import_node_fs12.statSync)(file, { throwIfNoEntry: false });
    if (!stat) return "absent";
    if (!stat.isFile()) return "no";
  } catch {
    return "absent";
  }
  try {
    (0, import_node_fs12.accessSync)(file, import_node_fs12.constants.X_OK);
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
function startableArgv(argv2, platform = process.platform) {
  const [file = "", ...rest] = argv2;
  if (platform !== "win32" || !/\.(cmd|bat)$/i.test(file)) return [file, rest];
  const quoted2 = argv2.map((word) => `"${word.replace(/"/g, '""')}"`).join(" ");
  return [process.env.ComSpec ?? "cmd.exe", ["/d", "/s", "/c", `"${quoted2}"`]];
}

// scripts-src/supervise/owned-commands.ts
init_identity();

// scripts-src/supervise/attempt.ts
init_clock();
init_identity();

// scripts-src/executor/schema-sight.ts
var ONE = "additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties";
var LISTED = "allOf anyOf items oneOf prefixItems";
var NAMED = "$defs definitions dependencies dependentSchemas patternProperties properties";
var [ONE_SCHEMA, LISTED_SCHEMAS, NAMED_SCHEMAS] = [ONE, LISTED, NAMED].map((words) => words.split(" "));

// scripts-src/executor/codex-wishes.ts
var MAX_SCHEMA_BYTES = 1024 * 1024;

// scripts-src/supervise/attempt.ts
function marksOf2(host, unit, token, outerMarker) {
  const own2 = `${unit}-${token}`;
  return {
    marker: outerMarker ? `${outerMarker}/${own2}` : own2,
    rssMarkKib: host.platform === "linux" ? rssMarkFrom(token) : ""
  };
}
function rssMarkFrom(token) {
  const low = RSS_MARK_RANGE.from / 1024;
  return String(low + Number.parseInt(token.slice(0, 10), 16) % low);
}

// scripts-src/supervise/stand-behind.ts
var import_node_fs13 = require("node:fs");
var import_node_path13 = __toESM(require("node:path"), 1);

// scripts-src/supervise/lifeline.ts
var import_node_child_process2 = require("node:child_process");
var import_node_events = require("node:events");
var import_node_path12 = __toESM(require("node:path"), 1);
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
  const [file = "", ...argv2] = command;
  const child = (0, import_node_child_process2.spawn)(file, argv2, { detached: true, stdio: "ignore", windowsHide: true });
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
  const starter = (0, import_node_child_process2.spawn)(
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
  const settled = settledOnce(starter, "exit");
  let released = false;
  const lost = new Promise((resolve) => {
    pipe?.once("close", () => {
      if (!released) resolve();
    });
  });
  let identity;
  return {
    begin() {
      pipe?.write("made\n");
    },
    settled,
    record(now) {
      identity = recordGuardian(host, now, Number(readValue(import_node_path12.default.join(now, STATE_FILES.guardianPid))));
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
    writeAtomic(import_node_path12.default.join(folder, STATE_FILES.guardian), `${formatIdentity(id)}
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
  (0, import_node_fs13.mkdirSync)(folder, { recursive: true, mode: PRIVATE_DIR });
  const pidFile = import_node_path13.default.join(folder, STATE_FILES.guardianPid);
  (0, import_node_fs13.rmSync)(pidFile, { force: true });
  let isReleased = false;
  let lifeline;
  const begin = () => {
    lifeline = startLifeline(host, { draft: folder, stateDir: folder }, command);
    lifeline.begin();
    const { settled, lost, record: record2 } = lifeline;
    void settled.then(() => record2(folder));
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

// scripts-src/supervise/owned-commands.ts
var GUARDIAN_MS = 5e3;
var KILL_MS2 = 5e3;
var LOOK_MS = 20;
var LEDGER_MS = 1e3;
var MARKED = `[ -z "$1" ] || ulimit -S -m "$1" 2>/dev/null
shift
exec "$@"`;
async function ownCommands({ host, name, folder, script }) {
  const self = host.entry(process.pid);
  if (!self) {
    throw new PrunError(
      "E_NO_PROCESS_TABLE",
      `the process table cannot be read (${host.trouble?.() ?? "this process is not in it"})`,
      "make /proc, ps or PowerShell usable for this user, and run the command again",
      126
    );
  }
  const { marker, rssMarkKib } = marksOf2(host, name, randomHex(16), process.env.PRUN_UNIT || void 0);
  const rssMark = rssMarkKib === "" ? null : String(Number(rssMarkKib) * 1024);
  const owner = formatIdentity(identityOf(host, self));
  const words = [marker, rssMark ?? "-", String(self.startOrder), owner, folder];
  const guard = standBehind(host, folder, [process.execPath, script, END_OWNED, ...words]);
  await guardianStandsBy(host, guard.pidFile);
  return {
    start(command) {
      const family = createFamily(marker, rssMark, self.startOrder);
      return startMarked(host, { command, family, rssMarkKib, folder });
    },
    release: guard.release
  };
}
async function guardianStandsBy(host, pidFile) {
  for (let waited = 0; host.platform !== "win32" && !readValue(pidFile); waited += LOOK_MS / 4) {
    if (waited > GUARDIAN_MS) {
      throw new PrunError(
        "E_GUARDIAN",
        `no process could be started that stands behind this one (${pidFile} stays empty)`,
        "see that /bin/sh works and that the system has room for processes",
        126
      );
    }
    await sleep(LOOK_MS / 4);
  }
}
function startMarked(host, { command, family, rssMarkKib, folder }) {
  const argv2 = [
    requireProgram(command.argv[0] ?? "", command.cwd, command.environment),
    ...command.argv.slice(1)
  ];
  const [file, words] = host.platform === "win32" ? startableArgv(argv2, host.platform) : ["/bin/sh", ["-c", MARKED, "prun-command", rssMarkKib, ...argv2]];
  const child = (0, import_node_child_process3.spawn)(file, words, {
    cwd: command.cwd,
    env: { ...command.environment, PRUN_UNIT: family.marker },
    // On Windows a console of its own would open.
    detached: host.platform !== "win32",
    windowsHide: true,
    stdio: command.stdio
  });
  const pid = child.pid ?? -1;
  const leader = host.entry(pid);
  if (leader) family.members.set(pid, leader);
  const ended = endOf(child, command);
  const ledger = host.platform === "linux" ? void 0 : keepLedger(host, family, folder);
  return {
    pid,
    ended,
    async end(askMs) {
      try {
        const asked = await askAll(host, family, askMs);
        const { reaped, survivors } = await endFamily(host, family, pid, observerOf(host), KILL_MS2);
        const known = new Set(asked.map((one) => one.pid));
        const all = [...asked, ...reaped.filter((one) => !known.has(one.pid))];
        return { reaped: all.filter((one) => !survivors.some((left) => left.pid === one.pid)), survivors };
      } finally {
        clearInterval(ledger);
      }
    }
  };
}
function endOf(child, { argv: argv2 }) {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      resolve({ code: code ?? 128 + import_node_os3.constants.signals[signal ?? "SIGKILL"], signal });
    });
    child.once("error", (error) => {
      process.stderr.write(`prun: ${argv2[0]} could not be started (${errnoOf(error) ?? error.message})
`);
      resolve({ code: 126, signal: null });
    });
  });
}
async function askAll(host, family, limitMs) {
  const observer = observerOf(host);
  seeMembers(host, family, observer);
  if (host.platform === "win32" || limitMs <= 0) return [];
  const asked = [...family.members.values()];
  for (const member of asked) signalIfSame(host, identityOf(host, member), "SIGTERM");
  const isThere = () => asked.filter((member) => isAlive(host, identityOf(host, member)));
  for (let waited = 0; waited < limitMs && isThere().some((one) => one.state !== "stopped"); waited += LOOK_MS) {
    await sleep(LOOK_MS);
  }
  const left = new Set(isThere().map((one) => one.pid));
  return asked.filter((one) => !left.has(one.pid)).map(({ pid, command }) => ({ pid, command }));
}
function keepLedger(host, family, folder) {
  let noted = "";
  return setInterval(() => {
    seeMembers(host, family, observerOf(host));
    noted = noteMembers(host, folder, family, noted);
  }, LEDGER_MS).unref();
}

// scripts-src/validate/in-order.ts
async function validateInOrder(stages) {
  const artifact = await buildAndVerify(stages);
  if (artifact) return artifact;
  const first = await checkOnce(stages);
  if (first.status !== "unhealthy") return first;
  const broken = await recover(stages, first.reason);
  if (broken) return broken;
  const second = await checkOnce(stages);
  if (second.status === "unhealthy") {
    return { status: "infrastructure-failed", reason: `${second.reason}, also after a recovery` };
  }
  if (second.status !== "passed") return second;
  return { status: "passed-after-recovery", reason: `${second.reason}, after a recovery (${first.reason})` };
}
async function buildAndVerify(stages) {
  const build = stages.isReused ? OK : await runIfThere(stages, "build");
  if (build.kind === "stop") return build.verdict;
  if (build.kind === "failed") return { status: "build-failed", reason: build.why };
  return verify(stages);
}
async function verify(stages) {
  const end = await runIfThere(stages, "verify");
  if (end.kind === "stop") return end.verdict;
  if (end.kind === "failed") return { status: "artifact-verification-failed", reason: end.why };
  return void 0;
}
async function checkOnce(stages) {
  const before = await health(stages);
  if (before) return before;
  for (const stage of ["smoke", "test"]) {
    const end = await stages.run(stage);
    if (end.kind === "stop") return end.verdict;
    const after = await health(stages);
    if (after) return after;
    if (end.kind === "failed") return { status: "test-failed", reason: end.why };
  }
  return { status: "passed", reason: "smoke and test ended well" };
}
async function health(stages) {
  const end = await runIfThere(stages, "health");
  if (end.kind === "stop") return end.verdict;
  return end.kind === "failed" ? { status: "unhealthy", reason: end.why } : void 0;
}
async function recover(stages, why) {
  const collected = await runIfThere(stages, "collect");
  if (collected.kind === "stop") return collected.verdict;
  if (!stages.has("recover")) {
    return { status: "infrastructure-failed", reason: `${why}, and the job has no recover` };
  }
  const recovered = await stages.run("recover");
  if (recovered.kind === "stop") return recovered.verdict;
  if (recovered.kind === "failed") {
    return { status: "infrastructure-failed", reason: `${why}, and ${recovered.why}` };
  }
  return verify(stages);
}
var OK = { kind: "ok" };
async function runIfThere(stages, stage) {
  return stages.has(stage) ? stages.run(stage) : OK;
}

// scripts-src/validate/output-folder.ts
var import_node_fs14 = require("node:fs");
var import_node_path14 = __toESM(require("node:path"), 1);
async function makeOutput(output, place) {
  const above = nearestFolder(import_node_path14.default.dirname(output));
  const real = import_node_path14.default.join((0, import_node_fs14.realpathSync)(above), import_node_path14.default.relative(above, output));
  await refuseInsideTree(real, place);
  try {
    (0, import_node_fs14.mkdirSync)(import_node_path14.default.dirname(real), { recursive: true, mode: PRIVATE_DIR });
    (0, import_node_fs14.mkdirSync)(real, { mode: PRIVATE_DIR });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    throw usageError(
      `--output ${output} exists already`,
      "give a folder that is new: evidence is never overwritten"
    );
  }
  for (const name of [VALIDATION_FILES.logs, VALIDATION_FILES.own]) {
    (0, import_node_fs14.mkdirSync)(import_node_path14.default.join(real, name), { mode: PRIVATE_DIR });
  }
  return real;
}
function nearestFolder(folder) {
  return (0, import_node_fs14.existsSync)(folder) ? folder : nearestFolder(import_node_path14.default.dirname(folder));
}
async function refuseInsideTree(output, { workTree, gitDir, commonDir }) {
  for (const own2 of [gitDir, commonDir]) {
    if (isInside(output, own2)) {
      throw usageError(`--output ${output} is inside ${own2}`, "give a folder outside of the repository");
    }
  }
  if (!isInside(output, workTree)) return;
  const asked = import_node_path14.default.relative(workTree, import_node_path14.default.join(output, VALIDATION_FILES.result));
  const { code } = await runGit({ gitDir, workTree, asUser: true }, ["check-ignore", "-q", "--", asked], {
    answers: [0, 1]
  });
  if (code === 0) return;
  throw usageError(
    `--output ${output} is inside the worktree, and git does not ignore it`,
    "give a folder outside of it: the tree that is validated must stay clean"
  );
}
function isInside(where, folder) {
  const way = import_node_path14.default.relative(folder, where);
  return way === "" || !(way === ".." || way.startsWith(`..${import_node_path14.default.sep}`) || import_node_path14.default.isAbsolute(way));
}

// scripts-src/validate/run-stage.ts
var import_node_path16 = __toESM(require("node:path"), 1);
init_identity();

// scripts-src/validate/run-step.ts
var import_node_fs15 = require("node:fs");
var import_node_path15 = __toESM(require("node:path"), 1);
init_clock();
var ASK_MS = 1e3;
var CANCEL_MS = 600;
var LONGEST_MS = 2 ** 31 - 1;
var SHOWN_PROCESSES = 20;
async function runStep(commands2, request, interruption) {
  const from = monotonicMs();
  const startedAt = wallTime();
  const log = logOf(request);
  const file = import_node_path15.default.join(request.output, log);
  const end = await runInLog(commands2, request, interruption, file);
  const { sha256: sha2562, bytes } = sha256OfFile(file);
  return {
    sequence: request.sequence,
    stage: request.stage,
    argv: request.argv,
    ...end,
    startedAt,
    seconds: (monotonicMs() - from) / 1e3,
    log,
    logBytes: bytes,
    logSha256: sha2562
  };
}
function logOf({ sequence, stage }) {
  return `${VALIDATION_FILES.logs}/${String(sequence).padStart(2, "0")}-${stage}.log`;
}
async function runInLog(commands2, { argv: argv2, worktree, environment, timeoutSeconds }, interruption, file) {
  const log = (0, import_node_fs15.openSync)(file, "wx", PRIVATE_FILE);
  let step;
  try {
    step = commands2.start({ argv: argv2, cwd: worktree, environment, stdio: ["ignore", log, log] });
  } catch (error) {
    const refused = plainError(error) ?? new PrunError("E_STEP", String(error), "look at the command", 126);
    (0, import_node_fs15.writeSync)(log, `validate-run: ${refused.message}: ${refused.next}
`);
    const none = { signal: null, leftovers: [], survivors: [] };
    return { outcome: "failed", exitCode: refused.exitCode, ...none };
  } finally {
    (0, import_node_fs15.closeSync)(log);
  }
  return seeToEnd(step, interruption, timeoutSeconds);
}
async function seeToEnd(step, interruption, seconds) {
  let timer;
  const late = new Promise((resolve) => {
    if (seconds > 0) timer = setTimeout(() => resolve("timeout"), Math.min(seconds * 1e3, LONGEST_MS));
  });
  const cancelled2 = interruption.arrived.then(() => "cancelled");
  const first = await Promise.race([step.ended, late, cancelled2]);
  clearTimeout(timer);
  const { reaped, survivors } = await step.end(typeof first === "string" ? CANCEL_MS : ASK_MS);
  const listed = { survivors: survivors.slice(0, SHOWN_PROCESSES) };
  if (typeof first !== "string") {
    const outcome = first.code === 0 ? "ok" : "failed";
    const leftovers = reaped.filter(({ pid }) => pid !== step.pid).slice(0, SHOWN_PROCESSES);
    return { outcome, exitCode: first.code, signal: first.signal, leftovers, ...listed };
  }
  const { signal } = survivors.some(({ pid }) => pid === step.pid) ? { signal: null } : await step.ended;
  return { outcome: first, exitCode: first === "timeout" ? 124 : 130, signal, leftovers: [], ...listed };
}

// scripts-src/validate/run-stage.ts
var SIGNAL_MS = 100;
function cancelled(signal, when) {
  return { status: "cancelled", reason: `${signal} ${when}`, signal };
}
async function runStage(validation, stage) {
  const { job, interruption, listener, output, worktree, steps } = validation;
  const sequence = steps.length + 1;
  const argv2 = job.commands[stage] ?? [];
  const name = `step ${sequence} (${stage})`;
  const moved = await compareTree(validation, `before ${name}`);
  if (moved) return moved;
  const early = interruption.signal();
  if (early) return { kind: "stop", verdict: cancelled(early, `before ${name}`) };
  noteProgressOf(validation, { sequence, stage });
  listener.stepStarted({ sequence, stage, argv: argv2, log: import_node_path16.default.join(output, logOf({ sequence, stage })) });
  const environment = { ...validation.stepVariables, ...toldTo(validation, stage, sequence) };
  const request = {
    sequence,
    stage,
    argv: argv2,
    worktree,
    environment,
    output,
    timeoutSeconds: job.stepTimeoutSeconds
  };
  const step = await runStep(validation.commands, request, interruption);
  steps.push(step);
  listener.stepEnded(step, import_node_path16.default.join(output, step.log));
  const signal = interruption.signal();
  if (signal) return { kind: "stop", verdict: cancelled(signal, `in ${name}`) };
  const movedNow = await compareTree(validation, `after ${name}`);
  if (movedNow) return movedNow;
  return endOfStep(step, name, job.stepTimeoutSeconds);
}
function endOfStep(step, name, timeoutSeconds) {
  const [left] = step.survivors;
  if (left) {
    const reason = `${name} left process ${left.pid} (${left.command}), which cannot be ended`;
    return { kind: "stop", verdict: { status: "infrastructure-failed", reason } };
  }
  if (step.outcome === "ok") return { kind: "ok" };
  const how = step.outcome === "timeout" ? `did not end within ${timeoutSeconds} s` : `ended with ${step.signal ?? step.exitCode}`;
  return { kind: "failed", why: `${name} ${how}` };
}
async function compareTree(validation, when) {
  validation.checks++;
  const difference = await validation.watch?.difference();
  if (!difference) return void 0;
  return { kind: "stop", verdict: await verdictOnDifference(validation.interruption, when, difference) };
}
async function verdictOnDifference(interruption, when, difference) {
  await Promise.race([interruption.arrived, sleep(SIGNAL_MS)]);
  const signal = interruption.signal();
  if (signal) return cancelled(signal, when);
  return { status: "invalid-evidence", reason: `${when}: ${difference}` };
}
function toldTo(validation, stage, sequence) {
  const { output, startedAt, commit, fingerprints } = validation;
  const told = toldVariables({
    output,
    startedAt,
    commit,
    buildFingerprint: fingerprints.build,
    stage,
    sequence
  });
  return { ...leaseVariables(validation.environment), ...told };
}
function noteProgressOf({ host, output, startedAt }, step) {
  const id = identify(host, process.pid);
  const validator = id ? formatIdentity(id) : "";
  noteProgress(output, { schema: VALIDATION_SCHEMA, validator, startedAt, step });
}

// scripts-src/validate/validate.ts
async function validate2(request) {
  const place = await treePlaceOf(request.job.worktree, "worktree");
  const output = await makeOutput(request.output, place);
  const from = monotonicMs();
  const startedAt = wallTime();
  const folder = import_node_path17.default.join(output, VALIDATION_FILES.own);
  const { host, script } = request;
  reserveResult(output);
  noteProgressOf({ host, output, startedAt }, null);
  const commands2 = await ownCommands({ host, name: "validate", folder, script });
  const begun = await watchTree(place, request.job.commit, import_node_path17.default.join(folder, "index"));
  const watch = begun.kind === "watch" ? begun.watch : void 0;
  const known = factsOf(request, watch);
  if (watch) requireReusable(request, known, output);
  request.listener.started({ output, commit: known.commit });
  const { workTree: worktree } = place;
  const validation = {
    ...request,
    ...known,
    output,
    worktree,
    startedAt,
    commands: commands2,
    watch,
    steps: [],
    checks: 1
  };
  const verdict = begun.kind === "different" ? await verdictOnDifference(request.interruption, "before the first step", begun.difference) : await verdictOn(validation);
  const written = writeResult(output, recordOf(validation, verdict, (monotonicMs() - from) / 1e3));
  commands2.release();
  return written;
}
function factsOf({ job, environment }, watch) {
  const stepVariables = stepEnvironment(
    { inherit: job.inheritEnvironment, set: job.environment },
    environment
  );
  const commit = watch?.commit ?? job.commit;
  const ofSteps = environmentFingerprint(stepVariables);
  const inputs = { commit, tree: watch?.tree ?? "", commands: job.commands, environment: ofSteps };
  const fingerprints = { build: buildFingerprint(inputs), environment: ofSteps };
  return { commit, tree: watch?.tree ?? null, fingerprints, stepVariables };
}
function requireReusable({ reused, job }, { commit, fingerprints }, output) {
  if (!reused) return;
  try {
    requireEqualBuild(reused, { commit, commands: job.commands, fingerprints });
  } catch (error) {
    (0, import_node_fs16.rmSync)(output, { recursive: true, force: true });
    throw error;
  }
}
async function verdictOn(validation) {
  const { job, reused, interruption } = validation;
  try {
    const verdict = await validateInOrder({
      isReused: reused !== void 0,
      has: (stage) => job.commands[stage] !== void 0,
      run: (stage) => runStage(validation, stage)
    });
    const signal = interruption.signal();
    return signal && verdict.status !== "cancelled" ? cancelled(signal, "after the last step") : verdict;
  } catch (error) {
    const known = plainError(error);
    if (known === void 0) throw error;
    return { status: "infrastructure-failed", reason: lineOf(known) };
  }
}
function recordOf({ job, reused, ...known }, { status, reason, signal }, seconds) {
  return {
    schema: VALIDATION_SCHEMA,
    status,
    reason: reason.replace(/\s+/g, " ").slice(0, 600),
    exitCode: status === "cancelled" ? 128 + import_node_os4.constants.signals[signal ?? "SIGTERM"] : STATUS_CODES[status],
    signal: signal ?? null,
    startedAt: known.startedAt,
    endedAt: wallTime(),
    seconds,
    worktree: known.worktree,
    commit: known.commit,
    tree: known.tree,
    job: { file: job.file, sha256: job.sha256 },
    commands: job.commands,
    stepTimeoutSeconds: job.stepTimeoutSeconds,
    environment: Object.keys(known.stepVariables).sort(),
    fingerprints: known.fingerprints,
    reused: reused ? { result: reused.file, sha256: reused.sha256 } : null,
    recovered: known.steps.some(({ stage, outcome }) => stage === "recover" && outcome === "ok"),
    checks: known.checks,
    steps: known.steps
  };
}

// scripts-src/validate/validate-arguments.ts
var import_node_path18 = __toESM(require("node:path"), 1);

// scripts-src/platform/read-flags.ts
function readFlags(argv2, names) {
  const read = { help: false, values: /* @__PURE__ */ new Map(), switches: /* @__PURE__ */ new Set(), operands: [] };
  for (let i = 0; i < argv2.length; i++) {
    const word = argv2[i] ?? "";
    if (word === "--") {
      read.operands.push(...argv2.slice(i + 1));
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
      const value = equals < 0 ? argv2[++i] : word.slice(equals + 1);
      if (value === void 0) throw usageError(`${name} has no value`, `give it as ${name} <value>`);
      read.values.set(name, [...read.values.get(name) ?? [], value]);
    }
  }
  return read;
}
function lastValue(flags, name) {
  return flags.values.get(name)?.at(-1);
}

// scripts-src/validate/validate-arguments.ts
var VALIDATE_HELP = `usage: validate-run --job FILE --output NEWDIR [--reuse-build RESULT]
       validate-run --verify-evidence FILE

Validates one commit in one clean work tree and leaves the evidence in a new folder. FILE is a job (JSON):

  {
    "worktree": "../app",                  from the folder of the job
    "commit": "4f1c…",                     what git rev-parse HEAD prints
    "build":  ["npm", "run", "build"],     commands are lists of words: no shell reads them
    "verify": ["test", "-s", "dist/app.js"],
    "health": ["node", "health.mjs"],
    "smoke":  ["npm", "run", "smoke"],     required
    "test":   ["npm", "test"],             required
    "collect": ["node", "collect.mjs"],
    "recover": ["node", "recover.mjs"],
    "environment": {"CI": "1"},            what steps see besides PATH, HOME, TMPDIR and the like
    "inherit_environment": ["JAVA_HOME"],  names taken from the caller
    "step_timeout": 1800                   seconds a step; 0: no limit
  }

Order: build, verify, health, smoke, health, test, health. A build that fails ends it. When a health check fails, collect,
recover and verify run once, and then everything from the first health check. HEAD, index and all files are compared with
the commit before and after every step; ignored files may change. Each step is a group of its own, gone with everything
that it started before the next one begins, and sees VALIDATE_RUN_OUTPUT, VALIDATE_RUN_STARTED_AT, VALIDATE_RUN_COMMIT,
VALIDATE_RUN_BUILD_FINGERPRINT, VALIDATE_RUN_STAGE and VALIDATE_RUN_SEQUENCE.

  --job FILE              the job
  --output NEWDIR         a folder that does not exist: gets result.json and logs/
  --reuse-build RESULT    take over the build of an earlier result.json with the same commit, build, verify and
                          environment; verify runs again
  --verify-evidence FILE  compare a result.json with its worktree, its job and its logs; run nothing

stdout: one line of JSON. stderr: one line a step, the end of a failed step's log, and the verdict.
exit: 0 passed, passed-after-recovery; 1 build-failed, artifact-verification-failed, test-failed; 2 infrastructure-failed, or
wrong arguments; 3 invalid-evidence (with --verify-evidence: something differs, or it is incomplete); 128+n cancelled
`;
function parseValidate(argv2, cwd) {
  const flags = readFlags(argv2, { values: ["--job", "--output", "--reuse-build", "--verify-evidence"] });
  if (flags.help) return { kind: "help" };
  const [more] = flags.operands;
  if (more !== void 0) {
    throw usageError(`unexpected argument ${JSON.stringify(more)}`, "commands stand in the job; see --help");
  }
  const given = (name) => {
    const value = lastValue(flags, name);
    if (value === "") throw usageError(`${name} is empty`, "give a path");
    return value === void 0 ? void 0 : import_node_path18.default.resolve(cwd, value);
  };
  const [job, output, reuse, evidence] = ["--job", "--output", "--reuse-build", "--verify-evidence"].map(
    given
  );
  if (evidence !== void 0) {
    if (job ?? output ?? reuse) {
      throw usageError("--verify-evidence stands alone", "call it without --job, --output and --reuse-build");
    }
    return { kind: "evidence", file: evidence };
  }
  if (job === void 0)
    throw usageError("--job is missing", "give a job: validate-run --job FILE --output NEWDIR");
  if (output === void 0) throw usageError("--output is missing", "give a folder that does not exist");
  return { kind: "validate", job, output, reuse };
}

// scripts-src/validate-run.ts
void runMain("validate-run", async () => {
  const argv2 = process.argv.slice(2);
  if (argv2[0] === END_OWNED) return endOwned(argv2.slice(1));
  const asked = parseValidate(argv2, process.cwd());
  if (asked.kind === "help") {
    process.stdout.write(VALIDATE_HELP);
    return EXIT.ok;
  }
  try {
    return await (asked.kind === "evidence" ? verifyEvidence(asked.file) : validateJob(asked));
  } catch (error) {
    const known = plainError(error);
    throw known ? new PrunError(known.code, known.message, known.next, EXIT.usage) : error;
  }
});
async function validateJob({
  job: file,
  output,
  reuse
}) {
  const job = readJob(file);
  const reused = reuse === void 0 ? void 0 : readReusedBuild(reuse, job);
  const teller = validationTeller(process.stderr, process.env);
  try {
    const { result, file: written } = await validate2({
      ...{ job, output, reused, environment: process.env, listener: teller.listener, script: __filename },
      host: await currentHost(),
      interruption: listenForInterruption()
    });
    teller.tellEnd(result, written);
    process.stdout.write(`${validationJson(result, written)}
`);
    return result.exitCode;
  } finally {
    teller.clear();
  }
}
async function verifyEvidence(file) {
  const check = await checkEvidence(file, await currentHost());
  for (const line of evidenceLines(check)) process.stderr.write(`${line}
`);
  process.stdout.write(`${JSON.stringify(check)}
`);
  return check.evidence === "agrees" ? EXIT.ok : STATUS_CODES["invalid-evidence"];
}
