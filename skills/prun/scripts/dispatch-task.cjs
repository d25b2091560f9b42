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
    const path14 = [];
    let entry = first;
    while (entry && !known.has(entry.pid) && !visited.has(entry.pid)) {
      visited.add(entry.pid);
      path14.push(entry);
      entry = relativeInSession(entries, entry);
    }
    const sid = entry && known.get(entry.pid);
    for (const one of path14) if (sid !== void 0) known.set(one.pid, sid);
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

// scripts-src/dispatch-task.ts
var import_node_path15 = __toESM(require("node:path"), 1);

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
  const own = (userValue ?? "").split(",").map((part) => part.trim());
  return ["error", ...own.filter((part) => ABOUT_CODEX.test(part)), ...TRACE].join(",");
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

// scripts-src/executor/scrub-environment.ts
var HIDDEN = /^(?:CLAUDE|ANTHROPIC|AI_AGENT$|PRUN_|CODEX_DISPATCH_)/i;
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
  const argv = [request.binary, "exec", "--json", "-o", request.lastMessageFile];
  argv.push("--sandbox", request.sandbox, "--skip-git-repo-check");
  if (request.isolate) argv.push("--ignore-user-config");
  if (request.model !== void 0) argv.push("-m", request.model);
  for (const setting of settings(request)) argv.push("-c", setting);
  if (request.sandbox === "workspace-write") argv.push("--add-dir", (0, import_node_path.dirname)(request.resultFile));
  argv.push("-");
  const environment = scrubEnvironment(request.environment, request.passEnv, {
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
  const command = textField(item, "command") ?? "";
  return /^\S*sh -l?c (['"]?)(.*)\1$/s.exec(command.slice(0, 4096))?.[2] ?? command;
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
  const command = /"command":"((?:[^"\\]|\\.)*)/s.exec(line.slice(0, HEAD))?.[1];
  if (command !== void 0) item.command = command.replace(/\\n/g, " ").replace(/\\(["\\/])/g, "$1");
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
    const date = new Date(start.getFullYear(), start.getMonth(), start.getDate() + offset);
    const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
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
  command: codexCommand,
  events: codexEventReader,
  classifyStderr,
  isRetryNotice,
  sessionLog: codexSessionLog,
  isOwnProcess: (command) => OWN_PROCESS.test(command)
};

// scripts-src/executor/by-name.ts
function executorByName(name) {
  if (name === codex.name) return codex;
  throw new Error(`unknown executor ${name}`);
}

// scripts-src/platform/errors.ts
var EXIT = {
  ok: 0,
  usage: 2,
  attention: 3,
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

// scripts-src/platform/write-all.ts
var import_node_fs2 = require("node:fs");

// scripts-src/platform/pause.ts
function pauseSync(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

// scripts-src/platform/write-all.ts
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

// scripts-src/process/linux.ts
var import_node_fs3 = require("node:fs");
var TICKS_PER_SECOND = 100;
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
var buffer = Buffer.allocUnsafe(4096);
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

// scripts-src/process/host.ts
async function currentHost(platform = process.platform) {
  if (platform === "win32") return (await Promise.resolve().then(() => (init_windows(), windows_exports))).createWindowsHost();
  if (platform === "linux") return createLinuxHost();
  return (await Promise.resolve().then(() => (init_darwin(), darwin_exports))).createDarwinHost();
}

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

// scripts-src/supervise/dispatch.ts
init_identity();

// scripts-src/unit/result-claim.ts
var import_node_fs8 = require("node:fs");
var import_node_os3 = __toESM(require("node:os"), 1);
var import_node_path7 = __toESM(require("node:path"), 1);

// scripts-src/platform/files.ts
var import_node_fs6 = require("node:fs");
var import_node_path4 = __toESM(require("node:path"), 1);

// scripts-src/platform/random.ts
var import_node_fs5 = require("node:fs");
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

// scripts-src/platform/files.ts
var PRIVATE_FILE = 384;
var PRIVATE_DIR = 448;
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

// scripts-src/platform/state-home.ts
var import_node_os2 = __toESM(require("node:os"), 1);
var import_node_path5 = __toESM(require("node:path"), 1);
function stateHome(environment, platform = process.platform) {
  const own = absolute(environment.PRUN_STATE_HOME);
  if (own) return own;
  if (platform === "win32") {
    return import_node_path5.default.join(
      absolute(environment.LOCALAPPDATA) ?? import_node_path5.default.join(import_node_os2.default.homedir(), "AppData", "Local"),
      "prun"
    );
  }
  const base = absolute(environment.XDG_STATE_HOME) ?? import_node_path5.default.join(import_node_os2.default.homedir(), ".local", "state");
  return import_node_path5.default.join(base, "prun");
}
function absolute(value) {
  return value && import_node_path5.default.isAbsolute(value) ? value : void 0;
}

// scripts-src/unit/result-claim.ts
init_identity();

// scripts-src/unit/guardian.ts
init_identity();

// scripts-src/unit/state-dir.ts
var import_node_fs7 = require("node:fs");
var import_node_path6 = __toESM(require("node:path"), 1);
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
function stateFile(stateDir, file) {
  return import_node_path6.default.join(stateDir, STATE_FILES[file]);
}
function draftOf(stateDir) {
  return import_node_path6.default.join(import_node_path6.default.dirname(stateDir), `.${import_node_path6.default.basename(stateDir)}.draft`);
}
function writeValue(stateDir, file, value) {
  (0, import_node_fs7.writeFileSync)(stateFile(stateDir, file), `${value}
`, { mode: PRIVATE_FILE });
}

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

// scripts-src/unit/records.ts
var SCHEMA = 1;

// scripts-src/unit/result-claim.ts
function claimResult(host, claim) {
  const folder = writableFolder(claim.resultFile);
  const record2 = `${JSON.stringify({ schema: SCHEMA, ...claim })}
`;
  let newest = folder.isNew ? 0 : newestEpoch(folder.path);
  for (; ; ) {
    const holder = newest > 0 ? readClaim(import_node_path7.default.join(folder.path, String(newest))) : void 0;
    if (holder && isHeld(host, holder)) return holder;
    if (claimName(import_node_path7.default.join(folder.path, String(newest + 1)), record2)) return void 0;
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
  const isNew = (0, import_node_fs8.mkdirSync)(folder, { recursive: true, mode: PRIVATE_DIR }) !== void 0;
  if (!isNew) (0, import_node_fs8.accessSync)(folder, import_node_fs8.constants.W_OK);
  return { path: folder, isNew };
}
function isHeld(host, claim) {
  if (readValue(stateFile(claim.stateDir, "outcome"))) return false;
  const dispatcher = parseIdentity(claim.holder);
  if (dispatcher && isAlive(host, dispatcher)) return true;
  return isGuarded(claim.stateDir, host) || isWorkerAlive(claim.stateDir, host);
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
    folder = import_node_fs8.realpathSync.native(folder);
  } catch {
  }
  const whole = import_node_path7.default.join(folder, import_node_path7.default.basename(absolute2));
  return process.platform === "linux" ? whole : whole.toLowerCase();
}
function newestEpoch(folder) {
  try {
    if (process.getuid && (0, import_node_fs8.statSync)(folder).uid !== process.getuid()) return 0;
    return (0, import_node_fs8.readdirSync)(folder).reduce(
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
    const claim = parseClaim(readValue(file) ?? "");
    if (claim) return claim;
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

// scripts-src/unit/result-file.ts
var import_node_fs9 = require("node:fs");
var LOOK_BYTES = 65536;
var INVISIBLE = /^[\s\p{Cc}\p{Cf}]*$/u;
function resultStateOf(file) {
  try {
    if (!(0, import_node_fs9.lstatSync)(file, { throwIfNoEntry: false })) return "missing";
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
    (0, import_node_fs9.accessSync)(file, import_node_fs9.constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
function moveFile(from, to) {
  try {
    (0, import_node_fs9.renameSync)(from, to);
  } catch (error) {
    if (errnoOf(error) !== "EXDEV") throw error;
    const stat = (0, import_node_fs9.lstatSync)(from);
    if (stat.isSymbolicLink()) (0, import_node_fs9.symlinkSync)((0, import_node_fs9.readlinkSync)(from), to);
    else {
      (0, import_node_fs9.copyFileSync)(from, to);
      (0, import_node_fs9.utimesSync)(to, stat.atime, stat.mtime);
    }
    (0, import_node_fs9.rmSync)(from);
  }
}
function fallbackHeader(unit) {
  return `# ${unit} result (FALLBACK, worker wrote no result file)`;
}
function isOwnFallback(file, unit) {
  return readStart(file, 1024).split(/\r?\n/, 1)[0] === fallbackHeader(unit);
}

// scripts-src/supervise/attempt.ts
var import_node_fs13 = require("node:fs");
var import_node_path10 = __toESM(require("node:path"), 1);
init_clock();
init_identity();

// scripts-src/supervise/conclude.ts
var import_node_fs12 = require("node:fs");
var import_node_os4 = __toESM(require("node:os"), 1);
var import_node_path9 = __toESM(require("node:path"), 1);
init_clock();

// scripts-src/supervise/classify.ts
function classifyEnd(evidence) {
  const { cause, exit, facts, result } = evidence;
  if (cause.kind === "reaped")
    return { status: "failed", reason: cause.reason, detail: reapDetail(evidence, cause.reason) };
  if (cause.kind === "spawn-failed") return { status: "failed", reason: "spawn", detail: cause.message };
  if (cause.kind === "dispatcher-signalled") {
    return { status: "interrupted", reason: "signal", detail: `dispatch-task was ended by ${cause.signal}` };
  }
  if (cause.kind === "dispatcher-dead") {
    return { status: "interrupted", reason: "dispatch-dead", detail: deadDetail(facts) };
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
  return verdictOnResult(result, evidence.resultFile);
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
function deadDetail(facts) {
  const session = facts.sessionId ? `; the session ${facts.sessionId} can be resumed` : "";
  return `dispatch-task died without a word and its guardian ended the worker${session}`;
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
var import_node_fs10 = require("node:fs");
var NS_PER_MS = 1000000n;
function setRestoredAside(stateDir, record2) {
  if (!isRestored(stateDir, record2)) return;
  const aside = stateFile(stateDir, "previousResult");
  try {
    moveFile(record2.resultFile, (0, import_node_fs10.existsSync)(aside) ? `${aside}-again` : aside);
  } catch {
  }
}
function isRestored(stateDir, record2) {
  const now = stampOf(record2.resultFile);
  if (!now) return false;
  const nowMs = BigInt(now.mtimeNs) / NS_PER_MS;
  const older = stampOf(stateFile(stateDir, "previousResult"));
  if (older) return now.size === older.size && nowMs === BigInt(older.mtimeNs) / NS_PER_MS;
  const seconds = readValue(stateFile(stateDir, "preMtime")) ?? "0";
  return seconds !== "0" && seconds === String(nowMs / 1000n) && Number(nowMs) < Date.parse(record2.startedAt);
}

// scripts-src/supervise/salvage.ts
var import_node_fs11 = require("node:fs");
var import_node_path8 = __toESM(require("node:path"), 1);

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
  disk: "make room on the disk, then dispatch the unit again"
};
function nextStep(reason) {
  return STEPS[reason] ?? "review this or dispatch the unit again";
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
    if (state === "text") return keep(resultFile, "worker");
    if (state === "not-a-file") {
      const what = stampOf(resultFile) ? "cannot be read" : "is not a regular file";
      return { result: null, error: `${resultFile} ${what}`, full: false };
    }
    if (state === "empty") setEmptyAside(request);
    const { text, origin } = fallbackText(request);
    (0, import_node_fs11.mkdirSync)(import_node_path8.default.dirname(resultFile), { recursive: true });
    if (writeOnce(resultFile, text, { sync: request.sync })) return keep(resultFile, origin);
    if (resultStateOf(resultFile) === "text") return keep(resultFile, "worker");
    return { result: null, error: `${resultFile} was taken while it was written`, full: false };
  } catch (error) {
    const errno = errnoOf(error);
    return { result: null, error: messageOf(error), full: errno === "ENOSPC" || errno === "EDQUOT" };
  }
}
function setEmptyAside({ resultFile, stateDir }) {
  const aside = stateFile(stateDir, "emptyResult");
  moveFile(resultFile, (0, import_node_fs11.existsSync)(aside) ? `${aside}-again` : aside);
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
    `Open items: ${nextStep(verdict.reason)}; all output is in ${stateFile(stateDir, "tail")}`,
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
  const names = filesBelow(scratch, FILES_NAMED + 1);
  if (names.length === 0) return "unknown; look at the workspace before you use them";
  const more = names.length > FILES_NAMED ? ", …" : "";
  return oneLine(`left in ${scratch}: ${names.slice(0, FILES_NAMED).join(", ")}${more}`);
}
function filesBelow(folder, most) {
  const found = [];
  const folders = [""];
  for (const below of folders) {
    for (const entry of entriesOf(import_node_path8.default.join(folder, below))) {
      const name = import_node_path8.default.join(below, entry.name);
      if (found.length >= most || folders.length > FOLDERS_LOOKED_AT) return found;
      if (entry.isDirectory()) folders.push(name);
      else found.push(plain(name));
    }
  }
  return found;
}
function lastMessageOf({ stateDir, lastMessage }) {
  const written = readStart(stateFile(stateDir, "lastMessage"), MESSAGE_LIMIT);
  const message = written.trim() ? written : lastMessage ?? "";
  return message.trim() ? message.slice(0, MESSAGE_LIMIT) : void 0;
}
function readableTail(stateDir, executor, maxLines = TAIL_LINES) {
  const raw = readEnd(stateFile(stateDir, "tail"), TAIL_LOOK_BYTES);
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

// scripts-src/supervise/conclude.ts
var RESERVE_BYTES = 8192;
var PROMPT_LOOK_BYTES = 4 * 1024 * 1024;
function concludeAttempt(ending) {
  const { stateDir, record: record2, by } = ending;
  const point = by === "guardian" ? "guardian" : "dispatch";
  ending.output.finish();
  const facts = ending.output.events.facts();
  faultPoint(`${point}:drained`, stateDir);
  setRestoredAside(stateDir, record2);
  const verdict = classifyEnd({
    cause: ending.cause,
    exit: ending.exit,
    facts,
    result: resultOfWorker(record2, stateDir),
    resultFile: record2.resultFile,
    quiet: evidenceText(ending.lastEvidence),
    limits: record2.limits
  });
  if (verdict.reason === "no-result" && !promptNames(stateDir, record2)) {
    verdict.detail += `; its prompt does not name ${record2.resultFile}`;
  }
  const salvaged = salvageResult({
    unit: record2.unit,
    stateDir,
    resultFile: record2.resultFile,
    executor: ending.executor,
    verdict,
    exitNote: exitNote(ending),
    lastMessage: facts.lastMessage,
    sync: !isHurried(ending.cause)
  });
  faultPoint(`${point}:salvaged`, stateDir);
  if (salvaged.full && verdict.status === "failed" && ["no-result", "empty-result"].includes(verdict.reason)) {
    verdict.reason = "disk";
  }
  const outcome = {
    schema: SCHEMA,
    unit: record2.unit,
    attempt: record2.attempt,
    executor: record2.executor,
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
    startedAt: record2.startedAt,
    endedAt: wallTime(),
    durationMs: ending.durationMs,
    lastEvidence: ending.lastEvidence,
    reaped: ending.sweep.reaped,
    survivors: ending.sweep.survivors,
    delta: null,
    supervisor: by,
    stateDir
  };
  const won = publishOutcome(stateDir, outcome, ending.cause);
  faultPoint(`${point}:outcome`, stateDir);
  wakeWatchers(stateDir);
  faultPoint(`${point}:woken`, stateDir);
  return won ? outcome : void 0;
}
function promptNames(stateDir, record2) {
  return readStart(stateFile(stateDir, "prompt"), PROMPT_LOOK_BYTES).includes(
    import_node_path9.default.basename(record2.resultFile)
  );
}
function resultOfWorker(record2, stateDir) {
  if (!isOwnFallback(record2.resultFile, record2.unit)) return resultStateOf(record2.resultFile);
  return (0, import_node_fs12.existsSync)(stateFile(stateDir, "emptyResult")) ? "empty" : "missing";
}
function reserveOutcome(folder) {
  (0, import_node_fs12.writeFileSync)(stateFile(folder, "outcomeReserve"), Buffer.alloc(RESERVE_BYTES, 32), { mode: PRIVATE_FILE });
}
function publishOutcome(stateDir, outcome, cause) {
  const final = stateFile(stateDir, "outcome");
  const text = `${JSON.stringify(outcome, null, 2)}
`;
  if (outcome.supervisor === "dispatch-task") setForeignAside(stateDir);
  try {
    return writeOnce(final, text, { sync: !isHurried(cause) });
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
  if (!(0, import_node_fs12.existsSync)(final)) return;
  try {
    (0, import_node_fs12.renameSync)(final, stateFile(stateDir, "foreignOutcome"));
    process.stderr.write(`prun: ${final} was there already, and not by prun: moved to foreign-outcome
`);
  } catch {
  }
}
function isHurried(cause) {
  return cause.kind === "dispatcher-signalled";
}
function overwrite(file, text) {
  const fd = (0, import_node_fs12.openSync)(file, import_node_fs12.constants.O_RDWR | (import_node_fs12.constants.O_NOFOLLOW ?? 0));
  try {
    const written = (0, import_node_fs12.writeSync)(fd, text, 0);
    (0, import_node_fs12.ftruncateSync)(fd, written);
    (0, import_node_fs12.fsyncSync)(fd);
  } finally {
    (0, import_node_fs12.closeSync)(fd);
  }
}
function shortened(outcome) {
  return `${JSON.stringify({
    ...outcome,
    detail: outcome.detail.slice(0, 200),
    resultError: outcome.resultError?.slice(0, 200) ?? null,
    reaped: outcome.reaped.slice(0, 20),
    survivors: outcome.survivors.slice(0, 20)
  })}
`;
}
function wakeWatchers(stateDir) {
  const now = /* @__PURE__ */ new Date();
  try {
    (0, import_node_fs12.utimesSync)(stateFile(stateDir, "wake"), now, now);
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
function signalName(number) {
  return Object.entries(import_node_os4.default.constants.signals).find(([, value]) => value === number)?.[0];
}

// scripts-src/supervise/attempt.ts
function prepareAttempt(host, request) {
  const { unit } = request;
  const token = randomHex(16);
  const name = `prun-task-${shortHash(request.cwd)}-${unit}-${process.pid}-${token}`;
  const stateDir = import_node_path10.default.join(request.stateHome, name);
  const draft = draftOf(stateDir);
  const self = host.entry(process.pid);
  if (!self) throw unreadableTable(host);
  const own = `${unit}-${token}`;
  const marker = request.outerMarker ? `${request.outerMarker}/${own}` : own;
  const rssMarkKib = host.platform === "linux" ? rssMarkFrom(token) : "";
  const workdir = request.workdir ?? stateFile(stateDir, "scratch");
  const record2 = {
    schema: SCHEMA,
    unit,
    attempt: 1,
    executor: "codex",
    argv: [],
    cwd: workdir,
    promptFile: request.promptFile,
    resultFile: request.resultFile,
    base: null,
    limits: request.limits,
    marker,
    rssMark: rssMarkKib === "" ? null : String(Number(rssMarkKib) * 1024),
    since: self.startOrder,
    supervisor: formatIdentity(identityOf(host, self)),
    worker: null,
    startedAt: wallTime(),
    startedMonotonicMs: monotonicMs(),
    boot: host.bootId()
  };
  return { draft, stateDir, workdir, marker, rssMarkKib, record: record2 };
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
  (0, import_node_fs13.mkdirSync)(draft, { mode: PRIVATE_DIR });
}
function fillDraft(attempt, request, command) {
  const { draft, record: record2 } = attempt;
  record2.argv = command.argv;
  (0, import_node_fs13.writeFileSync)(stateFile(draft, "prompt"), request.prompt, { mode: PRIVATE_FILE });
  (0, import_node_fs13.mkdirSync)(stateFile(draft, "scratch"), { mode: PRIVATE_DIR });
  const empty = ["tail", "wake", ...command.stderr === "own" ? ["stderr"] : []];
  for (const file of empty) (0, import_node_fs13.closeSync)((0, import_node_fs13.openSync)(stateFile(draft, file), "wx", PRIVATE_FILE));
  (0, import_node_fs13.writeFileSync)(stateFile(draft, "unit"), unitJson(record2), { mode: PRIVATE_FILE });
}
function describeAttempt({ stateDir, record: record2 }) {
  const older = BigInt(stampOf(stateFile(stateDir, "previousResult"))?.mtimeNs ?? "0");
  try {
    reserveOutcome(stateDir);
    writeValue(stateDir, "preMtime", String(older / 1000000000n));
    writeValue(stateDir, "timestamp", Math.floor(Date.now() / 1e3));
    writeValue(stateDir, "resultFile", record2.resultFile);
    writeValue(stateDir, "dispatchPid", process.pid);
  } catch {
  }
}
function publishAttempt(attempt) {
  (0, import_node_fs13.renameSync)(attempt.draft, attempt.stateDir);
}
function discardAttempt(attempt) {
  for (const folder of [attempt.draft, attempt.stateDir]) {
    try {
      (0, import_node_fs13.rmSync)(folder, { recursive: true, force: true });
    } catch {
    }
  }
}
function rewriteUnitRecord(stateDir, record2) {
  try {
    writeAtomic(stateFile(stateDir, "unit"), unitJson(record2), { sync: false });
  } catch {
  }
}
function unitJson(record2) {
  return `${JSON.stringify(record2, null, 2)}
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
var import_node_fs14 = require("node:fs");
init_clock();

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
function shimArgv(stateDir, rssMarkKib, worker) {
  const files = ["started", "exit", "guardianPid"].map((file) => stateFile(stateDir, file));
  const mask = process.umask().toString(8);
  return ["-c", SHIM, SHIM_NAME, ...files, rssMarkKib, mask, ...worker];
}

// scripts-src/supervise/show-end.ts
var TAIL_LINES2 = 80;
function complain(outcome) {
  if (outcome.reason === "spawn") say(`${outcome.detail}: ${nextStep("spawn")}`);
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

// scripts-src/supervise/end-attempt.ts
var ASK_MS = 3e3;
var ASK_WHEN_STOPPED_MS = 300;
var KILL_MS = 5e3;
var KILL_WHEN_STOPPED_MS = 500;
var SAME_STOP_MS = 50;
async function endAttempt(running, ended) {
  const { request, attempt, interruption } = running;
  const { stateDir, record: record2 } = attempt;
  let { cause } = ended;
  const lastEvidence = ended.progress.lastEvidence();
  if (cause.kind === "reaped") {
    note(stateDir, "reapReason", `${cause.reason}
last evidence: ${evidenceText(lastEvidence)}
`);
  }
  if (cause.kind === "dispatcher-signalled") note(stateDir, "stopSignal", `${cause.signal}
`);
  const sweep = await endProcesses(running, ended);
  faultPoint("dispatch:reaped", stateDir);
  let exit = await workerExit(ended.worker, stateDir);
  if (cause.kind === "worker-ended") cause = await afterWorkerEnd(cause, exit, interruption, stateDir);
  if (cause.kind === "spawn-failed") exit = { kind: "code", code: cause.exitCode };
  const outcome = concludeAttempt({
    stateDir,
    record: record2,
    executor: request.executor,
    output: ended.output,
    cause,
    exit,
    sweep,
    lastEvidence,
    durationMs: monotonicMs() - record2.startedMonotonicMs,
    by: "dispatch-task"
  });
  if (outcome) complain(outcome);
  return exitCodeOf(cause, exit, outcome);
}
function note(stateDir, file, text) {
  try {
    writeAtomic(stateFile(stateDir, file), text, { sync: false });
  } catch {
  }
}
async function endProcesses(running, ended) {
  const { host, interruption } = running;
  const { worker, family, observer, cause } = ended;
  if (!worker) return { reaped: [], survivors: [] };
  const isStopped = cause.kind === "dispatcher-signalled";
  ended.output.advance();
  const { sessionId, structured } = ended.output.events.facts();
  if (sessionId && structured) family.threadIds.add(sessionId);
  if (cause.kind !== "worker-ended" && !interruption.isUrgent()) {
    seeMembers(host, family, observer);
    const whom = structured ? "leader" : "group";
    const answered = isStopped ? worker.ended : Promise.race([worker.ended, interruption.arrived]);
    await askToEnd(host, family, worker.pid, whom, isStopped ? ASK_WHEN_STOPPED_MS : ASK_MS, answered);
  }
  return endFamily(
    host,
    family,
    worker.pid,
    observer,
    interruption.signal() ? KILL_WHEN_STOPPED_MS : KILL_MS
  );
}
async function workerExit(worker, stateDir) {
  if (!worker) return { kind: "lost" };
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
  if (exit.kind === "code" && exit.code === SHIM_REFUSED && !(0, import_node_fs14.existsSync)(stateFile(stateDir, "started"))) {
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
  const file = (0, import_node_fs14.existsSync)(stateFile(stateDir, "stderr")) ? "stderr" : "tail";
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
  return Array.from({ length: 64 }, (_, number) => number).find((number) => signalName(number) === name) ?? 0;
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
function evidenceSources({ request, host, attempt }, worker, output, family, observer) {
  const startedAt = Date.now();
  const meter = createActivityMeter(
    host,
    request.executor,
    worker?.pid ?? -1,
    () => output.events.facts().structured
  );
  let log;
  return {
    output,
    resultFile: request.resultFile,
    workspace: attempt.workdir,
    activity: () => {
      const { sessionId, structured } = output.events.facts();
      if (sessionId && structured) family.threadIds.add(sessionId);
      seeMembers(host, family, observer);
      return meter.measure(family, monotonicMs(), output.bytes);
    },
    sessionLog: () => {
      const { sessionId } = output.events.facts();
      if (sessionId) log ??= request.executor.sessionLog(sessionId, request.command.environment, startedAt);
      return log;
    }
  };
}

// scripts-src/supervise/launch.ts
var import_node_child_process2 = require("node:child_process");
var import_node_fs15 = require("node:fs");
function launchWorker(request) {
  const { stateDir, command, platform } = request;
  const stdin = (0, import_node_fs15.openSync)(stateFile(stateDir, "prompt"), "r");
  const stdout = (0, import_node_fs15.openSync)(stateFile(stateDir, "tail"), "a", PRIVATE_FILE);
  const stderr = command.stderr === "own" ? (0, import_node_fs15.openSync)(stateFile(stateDir, "stderr"), "a", PRIVATE_FILE) : stdout;
  try {
    const [file, argv] = platform === "win32" ? windowsCommand(command.argv) : ["/bin/sh", shimArgv(stateDir, request.rssMarkKib, command.argv)];
    const child = (0, import_node_child_process2.spawn)(file, argv, {
      cwd: request.workdir,
      env: command.environment,
      detached: true,
      windowsHide: true,
      stdio: [stdin, stdout, stderr]
    });
    return { child, pid: child.pid ?? -1, ended: endOf(child) };
  } finally {
    for (const fd of /* @__PURE__ */ new Set([stdin, stdout, stderr])) (0, import_node_fs15.closeSync)(fd);
  }
}
function endOf(child) {
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
var import_node_child_process3 = require("node:child_process");
var import_node_events = require("node:events");
var import_node_path11 = __toESM(require("node:path"), 1);
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
  const child = (0, import_node_child_process3.spawn)(file, argv, { detached: true, stdio: "ignore", windowsHide: true });
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
  const starter = (0, import_node_child_process3.spawn)(
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
      identity = recordGuardian(host, now, Number(readValue(import_node_path11.default.join(now, STATE_FILES.guardianPid))));
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
    writeAtomic(import_node_path11.default.join(folder, STATE_FILES.guardian), `${formatIdentity(id)}
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

// scripts-src/supervise/member-ledger.ts
init_identity();
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

// scripts-src/supervise/progress.ts
init_clock();

// scripts-src/supervise/workspace-writes.ts
var import_node_fs16 = require("node:fs");
var import_node_path12 = __toESM(require("node:path"), 1);
var MAX_ENTRIES = 4e3;
var SKIPPED = /* @__PURE__ */ new Set([".git", "node_modules", ".venv", "venv", "__pycache__", "target", ".cache"]);
function newestWrite(workspace) {
  const folders = [workspace];
  let left = MAX_ENTRIES;
  let newest = 0;
  for (const folder of folders) {
    for (const entry of entriesOf(folder)) {
      if (left-- <= 0) return newest;
      const full = import_node_path12.default.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(full);
      } else if (entry.isFile()) newest = Math.max(newest, modifiedAt(full));
    }
  }
  return newest;
}
function modifiedAt(file) {
  try {
    return (0, import_node_fs16.statSync)(file).mtimeMs;
  } catch {
    return 0;
  }
}

// scripts-src/supervise/progress.ts
function trackProgress(stateDir, boot, sources, intervalMs, quietScanMs2) {
  let clock = { awakeMs: 0, lastLookMs: monotonicMs() };
  let lastAwakeMs = 0;
  let last = record(boot, "start");
  let resultStamp;
  let logSize;
  let newest;
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
  function workspaceEvidence() {
    if (clock.awakeMs - lastAwakeMs < quietScanMs2) return void 0;
    const seen = newestWrite(sources.workspace);
    const moved = newest !== void 0 && seen > newest;
    newest = seen;
    return moved ? "workspace" : void 0;
  }
  return {
    look() {
      const now = monotonicMs();
      const lateMs = now - clock.lastLookMs - intervalMs * 3;
      clock = advanceClock(clock, now, intervalMs);
      const kind = cheapEvidence() ?? sources.activity() ?? workspaceEvidence();
      if (kind) {
        lastAwakeMs = clock.awakeMs;
        last = record(boot, kind);
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
    })
  };
}
function record(boot, kind) {
  return { schema: SCHEMA, boot, monotonicMs: monotonicMs(), at: wallTime(), kind };
}
function writeProgress(stateDir, progress) {
  try {
    writeAtomic(stateFile(stateDir, "progress"), `${JSON.stringify(progress)}
`, { sync: false });
  } catch {
  }
}

// scripts-src/supervise/watch-worker.ts
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
  let sinceLookMs = 0;
  for (; ; ) {
    const waitMs = Math.max(10, Math.min(nextLookMs(watched, sinceLookMs), size.nextCheckMs()));
    if (!endedAlready && !interruption.signal()) {
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
var import_node_fs18 = require("node:fs");

// scripts-src/supervise/line-follower.ts
var import_node_fs17 = require("node:fs");
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
      size = (0, import_node_fs17.fstatSync)(fd).size;
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
  const stderr = followStderr(stateDir, executor, (kind) => {
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
function followStderr(stateDir, executor, onEvidence) {
  const file = stateFile(stateDir, "stderr");
  if (!(0, import_node_fs18.existsSync)(file)) return void 0;
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
    const fd = (0, import_node_fs18.openSync)(file, "r+");
    try {
      if ((0, import_node_fs18.fstatSync)(fd).size !== lines.offset()) return;
      (0, import_node_fs18.ftruncateSync)(fd, 0);
    } finally {
      (0, import_node_fs18.closeSync)(fd);
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
  const fd = (0, import_node_fs18.openSync)(tail, "a+", PRIVATE_FILE);
  try {
    const size = (0, import_node_fs18.fstatSync)(fd).size;
    const torn = size > 0 && readRange(fd, size - 1, 1)[0] !== 10;
    if (torn && !atEnd) return false;
    (0, import_node_fs18.writeSync)(fd, torn ? `
${text}` : text);
    return true;
  } finally {
    (0, import_node_fs18.closeSync)(fd);
  }
}

// scripts-src/supervise/dispatch.ts
var REPLACE_GUARDIAN_MS = 100;
async function dispatch(request, host, interruption, announce) {
  const attempt = prepareAttempt(host, request);
  const command = buildCommand(request, attempt);
  const lifeline = startLifeline(host, attempt, guardianArgv(request, attempt));
  try {
    makeDraft(attempt);
    lifeline.begin();
    fillDraft(attempt, request, command);
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
  const { stateDir } = attempt;
  faultPoint("dispatch:previous", stateDir);
  const running = { request, host, interruption, attempt, command, lifeline };
  const worker = interruption.signal() ? void 0 : startWorker(running);
  faultPoint("dispatch:launched", stateDir);
  describeAttempt(attempt);
  announce(stateDir);
  faultPoint("dispatch:announced", stateDir);
  const exitCode = await superviseAttempt(running, worker);
  running.lifeline.release();
  showTail(stateDir, request.executor);
  return exitCode;
}
async function superviseAttempt(running, worker) {
  const { request, host, interruption, attempt } = running;
  const { stateDir, record: record2 } = attempt;
  standBehind(running);
  const shim = worker && host.entry(worker.pid);
  record2.worker = shim ? formatIdentity(identityOf(host, shim)) : null;
  if (worker) rewriteUnitRecord(stateDir, record2);
  faultPoint("dispatch:recorded", stateDir);
  const output = followOutput(stateDir, request.executor);
  const family = createFamily(attempt.marker, record2.rssMark, record2.since);
  if (shim) family.members.set(shim.pid, shim);
  const observer = observerOf(host);
  const intervalMs = lookIntervalMs(request.limits, host.platform);
  const progress = trackProgress(
    stateDir,
    record2.boot,
    evidenceSources(running, worker, output, family, observer),
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
  return endAttempt(running, { worker, output, family, observer, progress, cause });
}
function startWorker({ request, host, attempt, command }) {
  if (request.program.kind !== "found") return void 0;
  try {
    const worker = launchWorker({
      stateDir: attempt.stateDir,
      workdir: attempt.workdir,
      command: request.contain ? { ...command, argv: containArgv(command.argv, host.platform) } : command,
      rssMarkKib: attempt.rssMarkKib,
      platform: host.platform
    });
    return worker.pid > 0 ? worker : void 0;
  } catch {
    return void 0;
  }
}
function notStarted({ program }, interruption) {
  const signal = interruption.signal();
  if (signal) return { kind: "dispatcher-signalled", signal };
  if (program.kind === "missing") {
    return { kind: "spawn-failed", message: `${program.tried} was not found`, exitCode: EXIT.notFound };
  }
  const message = program.kind === "found" ? `${program.path} could not be started` : `${program.path} is not executable`;
  return { kind: "spawn-failed", message, exitCode: EXIT.notExecutable };
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
function guardianArgv(request, { stateDir, marker, record: record2 }) {
  const unit = ["--marker", marker, "--since", String(record2.since), "--dispatcher", record2.supervisor];
  return [...request.guardian, "--state-dir", stateDir, ...unit];
}
function buildCommand(request, attempt) {
  const { program } = request;
  return request.executor.command({
    ...request.command,
    binary: program.kind === "missing" ? program.tried : program.path,
    marker: attempt.marker,
    lastMessageFile: stateFile(attempt.stateDir, "lastMessage"),
    resultFile: request.resultFile
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
function setPreviousResultAside(resultFile, stateDir) {
  if (resultStateOf(resultFile) === "missing") return;
  try {
    moveFile(resultFile, stateFile(stateDir, "previousResult"));
  } catch (error) {
    throw new PrunError(
      "E_PREVIOUS_RESULT",
      `the older result ${resultFile} cannot be moved out of the way (${messageOf(error)})`,
      "make its folder writable, or give this unit another --result-file"
    );
  }
}

// scripts-src/supervise/dispatch-arguments.ts
var import_node_buffer = require("node:buffer");
var import_node_fs20 = require("node:fs");
var import_node_os5 = __toESM(require("node:os"), 1);
var import_node_path14 = __toESM(require("node:path"), 1);

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

// scripts-src/platform/resolve-program.ts
var import_node_fs19 = require("node:fs");
var import_node_path13 = __toESM(require("node:path"), 1);
function resolveProgram(name, cwd, environment, platform = process.platform) {
  const endings = platform === "win32" ? ["", ...(environment.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const isPath = name.includes("/") || platform === "win32" && name.includes("\\");
  const folders = isPath ? [cwd] : (environment.PATH ?? environment.Path ?? "").split(import_node_path13.default.delimiter).map((folder) => folder || cwd);
  let found = { kind: "missing", tried: isPath ? import_node_path13.default.resolve(cwd, name) : name };
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = import_node_path13.default.resolve(folder, name + ending);
      const state = executableState(candidate);
      if (state === "yes") return { kind: "found", path: candidate };
      if (state === "no" && found.kind === "missing") found = { kind: "not-executable", path: candidate };
    }
  }
  return found;
}
function executableState(file) {
  try {
    const stat = (0, import_node_fs19.statSync)(file, { throwIfNoEntry: false });
    if (!stat) return "absent";
    if (!stat.isFile()) return "no";
  } catch {
    return "absent";
  }
  try {
    (0, import_node_fs19.accessSync)(file, import_node_fs19.constants.X_OK);
    return "yes";
  } catch {
    return "no";
  }
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
function secondsFrom(setting, given, environment) {
  if (given !== void 0) return wholeSeconds(given, setting.flag);
  const value = environment[setting.variable];
  return value ? wholeSeconds(value, setting.variable) : setting.fallback;
}

// scripts-src/supervise/dispatch-arguments.ts
var MAX_PROMPT_CHARACTERS = 1048576;
var DEFAULT_MAX_OUTPUT_BYTES = 1024 ** 3;
var SANDBOXES = ["read-only", "workspace-write", "danger-full-access"];
var EXECUTORS = ["codex"];
function parseDispatch(argv, environment, cwd) {
  const flags = flagsOf(argv);
  if (flags.help) return void 0;
  const flag = (name) => lastValue(flags, name);
  const outerMarker = outerUnit(environment, flags.switches.has("--allow-nested"));
  const unit = unitId(flag("--unit-id") ?? flag("--unit") ?? flag("--phase"));
  const promptFile = required(
    flag("--prompt-file") ?? flag("--brief"),
    "--prompt-file",
    "the file that holds the prompt",
    cwd
  );
  const resultFile = required(
    flag("--result-file"),
    "--result-file",
    "the file that the worker is to write",
    cwd
  );
  const executorName = oneOf(flag("--executor") ?? "codex", EXECUTORS, "--executor");
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
  const prompt = readPrompt(promptFile);
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
    program: resolveProgram(flag("--codex-bin") ?? (environment.CODEX_BIN || "codex"), cwd, environment),
    command: {
      sandbox,
      ...effort === void 0 ? {} : { reasoningEffort: effort },
      ...model === void 0 ? {} : { model },
      isolate,
      environment,
      passEnv: flags.values.get("--pass-env") ?? []
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
function required(value, flag, what, cwd) {
  if (value === void 0 || value === "") throw usageError(`${flag} is missing`, `give it ${what}`);
  return import_node_path14.default.resolve(cwd, value);
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
  const folder = import_node_path14.default.resolve(cwd, given);
  try {
    if ((0, import_node_fs20.statSync)(folder).isDirectory()) return folder;
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
  const home = import_node_path14.default.resolve(cwd, flag || environment.TMPDIR || import_node_os5.default.tmpdir());
  try {
    (0, import_node_fs20.mkdirSync)(home, { recursive: true, mode: 448 });
    (0, import_node_fs20.accessSync)(home, import_node_fs20.constants.W_OK | import_node_fs20.constants.X_OK);
    return home;
  } catch (error) {
    const name = flag ? "--state-home" : "the temp folder";
    throw usageError(
      `${name} ${home} cannot be written (${messageOf(error)})`,
      "give a writable folder with --state-home"
    );
  }
}
function readPrompt(file) {
  let prompt;
  try {
    prompt = (0, import_node_fs20.readFileSync)(file);
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
  if (prompt.length > MAX_PROMPT_CHARACTERS && [...text].length > MAX_PROMPT_CHARACTERS) {
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
  if (there && !there.isFile() && !(0, import_node_fs20.lstatSync)(resultFile).isSymbolicLink())
    throw usageError(`--result-file ${resultFile} is not a regular file`, "give the path of a file");
  const prompt = statOf(promptFile);
  if (there && prompt && there.ino === prompt.ino && there.dev === prompt.dev)
    throw usageError(`--result-file ${resultFile} is the prompt file`, "give the result a path of its own");
  const folder = import_node_path14.default.dirname(resultFile);
  try {
    (0, import_node_fs20.mkdirSync)(folder, { recursive: true });
    (0, import_node_fs20.accessSync)(folder, import_node_fs20.constants.W_OK | import_node_fs20.constants.X_OK);
  } catch (error) {
    throw usageError(
      `the folder of --result-file ${resultFile} cannot be written (${messageOf(error)})`,
      "give a path in a writable folder"
    );
  }
}
function statOf(file) {
  try {
    return (0, import_node_fs20.statSync)(file, { bigint: true, throwIfNoEntry: false });
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
var HELP = `usage: dispatch-task --prompt-file F --result-file F --unit-id ID [options]

Runs one unit on a worker, watches it, ends it when it hangs, and leaves a result file in any case.
Prints one line, STATE-DIR <abs>, when the attempt exists; the end of the worker's output goes to stderr.

  --prompt-file F        what the worker is to do; sent to its stdin byte for byte
  --result-file F        where its result is to be; an older file there is moved to the state dir
  --unit-id ID           letters, digits, - and _
  --workdir DIR          where the worker works (PRUN_SCRATCH_CWD; default: a scratch folder)
  --executor NAME        codex (the default)
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
  const guardian = [process.execPath, import_node_path15.default.join(__dirname, "reap-watch.cjs")];
  const request = { ...parsed2, executor: executorByName(parsed2.executorName), guardian };
  const code = await dispatch(request, await currentHost(), interruption, (stateDir) => {
    writeAllSync(1, `STATE-DIR ${printedName(stateDir)}
`);
  });
  process.exit(code);
});
