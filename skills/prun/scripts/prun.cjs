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

// scripts-src/platform/byte-path.ts
function bytePath(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
function bytePathOf(text2) {
  return bytePath(Buffer.from(text2, "utf8"));
}
function bytesOf(where) {
  return Buffer.from(where, "latin1");
}
function splitPaths(output) {
  const text2 = output.toString("latin1");
  return (text2.endsWith("\0") ? text2.slice(0, -1) : text2).split("\0").filter(Boolean);
}
function joinPaths(paths) {
  return Buffer.from(paths.map((where) => `${where}\0`).join(""), "latin1");
}
function fileAt(root, where, platform = process.platform) {
  if (platform === "win32") return import_node_path.default.win32.join(root, textOf(where));
  return Buffer.concat([Buffer.from(`${root}/`), bytesOf(where)]);
}
function parentOf(where) {
  const cut = where.lastIndexOf("/");
  return cut < 0 ? void 0 : where.slice(0, cut);
}
function below(folder, name2) {
  return folder === void 0 || folder === "" ? name2 : `${folder}/${name2}`;
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
function pathToJson(where) {
  const text2 = textOf(where);
  return bytePathOf(text2) === where ? text2 : { base64: bytesOf(where).toString("base64") };
}
function pathFromJson(json) {
  return typeof json === "string" ? bytePathOf(json) : bytePath(Buffer.from(json.base64, "base64"));
}
var import_node_path;
var init_byte_path = __esm({
  "scripts-src/platform/byte-path.ts"() {
    "use strict";
    import_node_path = __toESM(require("node:path"), 1);
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
function bytesText(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1e3 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}
var init_figures = __esm({
  "scripts-src/render/figures.ts"() {
    "use strict";
  }
});

// scripts-src/render/clone-report.ts
function cloneSummary({ id, source, base, createdAt }, origin, note2, { count: count3, mode }, notes) {
  const at2 = base.head === null ? "no commit yet" : base.head.slice(0, 12);
  const work = base.head === base.commit ? "nothing uncommitted" : "with the work that is not committed";
  return [
    `base of run ${id}, ${madeOf(origin, createdAt)}: ${source.workTree}, ${base.branch ?? "detached HEAD"} at ${at2}, ${work}`,
    `${countOf(count3, mode)} of ${countOf(base.files, "file")}, ${bytesText(base.bytes)} each; the history is shared`,
    `what the base holds and lacks, for prompts: ${note2}`,
    ...notes.slice(0, MAX_NOTES),
    ...notes.length > MAX_NOTES ? [`… and ${notes.length - MAX_NOTES} more: --json has all`] : []
  ];
}
function madeOf(origin, frozenAt) {
  if (origin === null) return `frozen ${frozenAt.slice(0, 19)}Z`;
  if (origin.kind === "as-it-stands") return "the tree as it stands now";
  const { units } = origin;
  const more = units.length > 10 ? ` and ${units.length - 10} more` : "";
  return `with the results of ${units.slice(0, 10).join(", ")}${more}`;
}
var MAX_NOTES;
var init_clone_report = __esm({
  "scripts-src/render/clone-report.ts"() {
    "use strict";
    init_figures();
    MAX_NOTES = 20;
  }
});

// scripts-src/render/cells.ts
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
function padCells(text2, width) {
  const fitted = fitCells(text2, width);
  return fitted + " ".repeat(Math.max(0, width - cellsOf(fitted)));
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
function wrapCells(text2, width, indent = "") {
  const lines2 = [];
  let line = "";
  const room = () => Math.max(1, lines2.length === 0 ? width : width - cellsOf(indent));
  for (const word of text2.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (cellsOf(longer) <= room()) {
      line = longer;
      continue;
    }
    if (line !== "") lines2.push(line);
    line = word;
    while (cellsOf(line) > room()) {
      const piece = pieceOf(line, room());
      lines2.push(piece);
      line = line.slice(piece.length);
    }
  }
  if (line !== "" || lines2.length === 0) lines2.push(line);
  return lines2.map((one, index) => index === 0 ? one : indent + one);
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

// scripts-src/render/progress-line.ts
function progressLine(output, now = () => performance.now()) {
  const from = now();
  let text2 = "";
  let shown2 = "";
  const draw = () => {
    if (now() - from < PATIENCE_MS || text2 === shown2) return;
    output.write(`\r\x1B[K${fitCells(text2, Math.max(1, (output.columns ?? 80) - 1))}`);
    shown2 = text2;
  };
  const timer = output.isTTY ? setInterval(draw, REDRAW_MS).unref() : void 0;
  return {
    say(next) {
      text2 = next.replace(new RegExp("\\p{Cc}+", "gu"), " ");
    },
    clear() {
      clearInterval(timer);
      if (shown2 !== "") output.write("\r\x1B[K");
      shown2 = "";
    }
  };
}
var PATIENCE_MS, REDRAW_MS;
var init_progress_line = __esm({
  "scripts-src/render/progress-line.ts"() {
    "use strict";
    init_cells();
    PATIENCE_MS = 1e3;
    REDRAW_MS = 100;
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
function shortHash(text2) {
  let hash = 2166136261;
  for (const byte of Buffer.from(text2)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
var import_node_fs;
var init_random = __esm({
  "scripts-src/platform/random.ts"() {
    "use strict";
    import_node_fs = require("node:fs");
  }
});

// scripts-src/platform/files.ts
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
    (0, import_node_fs2.unlinkSync)(file);
  } catch {
  }
}
function linkOnce(from, to) {
  try {
    (0, import_node_fs2.linkSync)(from, to);
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
    fd = (0, import_node_fs2.openSync)(to, "wx", PRIVATE_FILE);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    (0, import_node_fs2.writeFileSync)(fd, data);
    (0, import_node_fs2.fsyncSync)(fd);
  } finally {
    (0, import_node_fs2.closeSync)(fd);
  }
  return true;
}
function readWhole(file) {
  const fd = (0, import_node_fs2.openSync)(file, "r");
  try {
    const buffer2 = Buffer.alloc((0, import_node_fs2.fstatSync)(fd).size);
    readFully(fd, buffer2, 0);
    return buffer2;
  } finally {
    (0, import_node_fs2.closeSync)(fd);
  }
}
function writeAll(file, data, sync) {
  const fd = (0, import_node_fs2.openSync)(file, "wx", PRIVATE_FILE);
  try {
    (0, import_node_fs2.writeFileSync)(fd, data);
    if (sync) (0, import_node_fs2.fsyncSync)(fd);
  } finally {
    (0, import_node_fs2.closeSync)(fd);
  }
}
function temporaryBeside(file) {
  return import_node_path2.default.join(import_node_path2.default.dirname(file), `.prun-${process.pid}-${randomHex(8)}.tmp`);
}
function renameRetrying(from, to) {
  for (let attempt = 0; ; attempt++) {
    try {
      (0, import_node_fs2.renameSync)(from, to);
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
    const count3 = (0, import_node_fs2.readSync)(fd, buffer2, done, buffer2.length - done, offset + done);
    if (count3 === 0) break;
    done += count3;
  }
  return done;
}
function openForReading(file) {
  return (0, import_node_fs2.openSync)(file, import_node_fs2.constants.O_RDONLY | (import_node_fs2.constants.O_NONBLOCK ?? 0));
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
    const stat = (0, import_node_fs2.fstatSync)(fd);
    return stat.isFile() ? readRange(fd, from(stat.size), limit).toString("utf8") : "";
  } catch {
    return "";
  } finally {
    (0, import_node_fs2.closeSync)(fd);
  }
}
function readValue(file) {
  try {
    (0, import_node_fs2.statSync)(file);
  } catch {
    return void 0;
  }
  return readStart(file, 65536).trim();
}
function sizeOf(file) {
  try {
    return (0, import_node_fs2.statSync)(file).size;
  } catch {
    return 0;
  }
}
function lstatOrNone(file) {
  try {
    return (0, import_node_fs2.lstatSync)(file);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "")) return void 0;
    throw error;
  }
}
function entriesOf(folder) {
  try {
    return (0, import_node_fs2.readdirSync)(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
var import_node_fs2, import_node_path2, PRIVATE_FILE, PRIVATE_DIR;
var init_files = __esm({
  "scripts-src/platform/files.ts"() {
    "use strict";
    import_node_fs2 = require("node:fs");
    import_node_path2 = __toESM(require("node:path"), 1);
    init_errors();
    init_pause();
    init_random();
    PRIVATE_FILE = 384;
    PRIVATE_DIR = 448;
  }
});

// scripts-src/workspace/read-optional.ts
function readOptional(file) {
  try {
    return (0, import_node_fs3.readFileSync)(file);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return Buffer.alloc(0);
    throw error;
  }
}
var import_node_fs3;
var init_read_optional = __esm({
  "scripts-src/workspace/read-optional.ts"() {
    "use strict";
    import_node_fs3 = require("node:fs");
    init_errors();
  }
});

// scripts-src/workspace/records.ts
var WORKSPACE_SCHEMA;
var init_records = __esm({
  "scripts-src/workspace/records.ts"() {
    "use strict";
    WORKSPACE_SCHEMA = 1;
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
function getElementAtPath(obj, path79) {
  if (!path79)
    return obj;
  return path79.reduce((acc, key) => acc?.[key], obj);
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
function partial(Class2, schema, mask, name2 = "partial") {
  const currDef = schema._zod.def;
  const checks = currDef.checks;
  const hasChecks = checks && checks.length > 0;
  if (hasChecks) {
    throw new Error(`.${name2}() cannot be used on object schemas containing refinements`);
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
function prefixIssues(path79, issues) {
  return issues.map((iss) => {
    var _a3;
    (_a3 = iss).path ?? (_a3.path = []);
    iss.path.unshift(path79);
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
  let count3 = units;
  for (let i = 0; i < units - 1; i++) {
    if ((str.charCodeAt(i) & 64512) === 55296 && (str.charCodeAt(i + 1) & 64512) === 56320) {
      count3--;
      i++;
    }
  }
  return count3;
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
function handleDefaultResult(payload, def) {
  if (payload.value === void 0) {
    payload.value = def.defaultValue;
  }
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
var $ZodType, toStandardResult, $ZodString, $ZodNumber, $ZodBoolean, arraySize, $ZodArray, NO_SYMBOL_KEYS, $ZodObject, $ZodUnion, $ZodDiscriminatedUnion, $ZodRecord, $ZodEnum, $ZodLiteral, $ZodOptional, $ZodNullable, $ZodDefault, $ZodCatch;
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
    $ZodDefault = /* @__PURE__ */ $constructor("$ZodDefault", (inst, def) => {
      $ZodType.init(inst, def);
      inst._zod.optin = "defaulted";
      defineLazyInternal(inst, "values", (zod) => zod.def.innerType._zod.values);
      inst._zod.parse = (payload, ctx) => {
        if (ctx.direction === "backward") {
          return def.innerType._zod.run(payload, ctx);
        }
        if (payload.value === void 0) {
          payload.value = def.defaultValue;
          return payload;
        }
        const result = def.innerType._zod.run(payload, ctx);
        if (result instanceof Promise) {
          return result.then((result2) => handleDefaultResult(result2, def));
        }
        return handleDefaultResult(result, def);
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
function discriminatedUnion(discriminator, options, params) {
  return new ZodMiniDiscriminatedUnion({
    type: "union",
    options,
    discriminator,
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
function _default(innerType, defaultValue) {
  return new ZodMiniDefault({
    type: "default",
    innerType,
    get defaultValue() {
      return typeof defaultValue === "function" ? defaultValue() : shallowClone(defaultValue);
    }
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
var ZodMiniType, ZodMiniString, ZodMiniNumber, ZodMiniBoolean, ZodMiniArray, ZodMiniObject, ZodMiniUnion, ZodMiniDiscriminatedUnion, ZodMiniRecord, ZodMiniEnum, ZodMiniLiteral, ZodMiniOptional, ZodMiniNullable, ZodMiniDefault, ZodMiniCatch;
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
    ZodMiniDiscriminatedUnion = /* @__PURE__ */ $constructor("ZodMiniDiscriminatedUnion", (inst, def) => {
      $ZodDiscriminatedUnion.init(inst, def);
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
    ZodMiniDefault = /* @__PURE__ */ $constructor("ZodMiniDefault", (inst, def) => {
      $ZodDefault.init(inst, def);
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

// scripts-src/workspace/workspace-set.ts
function storeOf(set) {
  return import_node_path3.default.join(set.folder, SET_FILES.store);
}
function leftOutFile(base, part) {
  return import_node_path3.default.join(base.folder, `${SET_FILES.leftOut}-${part}`);
}
function unseenFile(base, part) {
  return import_node_path3.default.join(base.folder, `${SET_FILES.unseen}-${part}`);
}
function setsFolder(stateHome2) {
  return import_node_path3.default.join(stateHome2, "workspaces");
}
function unitFolder(set, unit) {
  return import_node_path3.default.join(set.folder, SET_FILES.units, unit);
}
function earlierFolders(set, unit) {
  const folder = import_node_path3.default.join(set.folder, SET_FILES.earlier, unit);
  if (!(0, import_node_fs4.existsSync)(folder)) return [];
  const numbers = (0, import_node_fs4.readdirSync)(folder).filter((name2) => /^\d+$/.test(name2));
  return numbers.sort((a, b) => Number(b) - Number(a)).map((name2) => import_node_path3.default.join(folder, name2));
}
function setBase(set) {
  return { folder: set.folder, record: set.record.base };
}
function baseOf(set, unit) {
  const folder = import_node_path3.default.join(unitFolder(set, unit), UNIT_FILES.base);
  if (!(0, import_node_fs4.existsSync)(folder)) return setBase(set);
  const file = import_node_path3.default.join(folder, BASE_RECORD);
  const record2 = readRecord(file, baseFile);
  if (record2) return { folder, record: record2.base };
  throw new PrunError("E_RECORD", `${file} is damaged`, `make the workspace of unit ${unit} again`, 1);
}
function baseNoteOf(set, unit) {
  return import_node_path3.default.join(baseOf(set, unit).folder, SET_FILES.note);
}
function privateIndex(set, unit, part) {
  return import_node_path3.default.join(unitFolder(set, unit), `index-${part}`);
}
function openSet(stateHome2, name2) {
  const folder = import_node_path3.default.join(setsFolder(stateHome2), name2);
  const set = readSet(folder);
  if (set) return set;
  throw usageError(
    `there are no workspaces of run ${JSON.stringify(name2)} in ${setsFolder(stateHome2)}`,
    "give the name that prun clone was given with --run, or the same --state-home"
  );
}
function readSet(folder) {
  const record2 = readRecord(import_node_path3.default.join(folder, SET_FILES.record), setRecord);
  return record2 && { folder, record: record2 };
}
function workspaceAt(folder) {
  const absolute2 = import_node_path3.default.resolve(folder);
  const set = readSet(import_node_path3.default.dirname(import_node_path3.default.dirname(absolute2)));
  const workspace = set && readWorkspace(set, import_node_path3.default.basename(absolute2));
  if (set && workspace) return { set, workspace };
  throw usageError(
    `${absolute2} is no workspace of prun`,
    "give the path that prun clone printed after CLONE"
  );
}
function readWorkspace(set, unit) {
  const file = import_node_path3.default.join(unitFolder(set, unit), UNIT_FILES.record);
  const record2 = readRecord(file, workspaceRecord);
  return record2 && { ...record2, unit, folder: import_node_path3.default.join(set.folder, SET_FILES.clones, unit) };
}
function presenceOf(set, { unit, folder }) {
  if ((0, import_node_fs4.existsSync)(removalMark(set, unit))) return "removing";
  const stat = lstatOrNone(folder);
  if (!stat) return "gone";
  const clones = import_node_path3.default.join(import_node_fs4.realpathSync.native(set.folder), SET_FILES.clones);
  if (import_node_fs4.realpathSync.native(import_node_path3.default.dirname(folder)) !== clones) return "elsewhere";
  return stat.isDirectory() ? "there" : "replaced";
}
function removalMark(set, unit) {
  return import_node_path3.default.join(unitFolder(set, unit), "removing");
}
function unitsOf(set) {
  const folder = import_node_path3.default.join(set.folder, SET_FILES.units);
  if (!(0, import_node_fs4.existsSync)(folder)) return [];
  return (0, import_node_fs4.readdirSync)(folder).filter((name2) => !name2.startsWith(".")).sort();
}
function readDelta(set, unit) {
  const file = import_node_path3.default.join(unitFolder(set, unit), UNIT_FILES.delta);
  return readRecord(file, deltaRecord);
}
function readRecord(file, schema) {
  const text2 = readOptional(file).toString("utf8");
  if (text2 === "") return void 0;
  let json;
  try {
    json = JSON.parse(text2);
  } catch {
    return void 0;
  }
  const version2 = typeof json === "object" && json !== null && "schema" in json ? json.schema : void 0;
  if (typeof version2 === "number" && version2 > WORKSPACE_SCHEMA) {
    throw new PrunError(
      "E_NEWER_SCHEMA",
      `${file} has schema ${version2}, this prun knows ${WORKSPACE_SCHEMA}`,
      "use the newer prun that wrote it"
    );
  }
  const parsed2 = schema.safeParse(json);
  return parsed2.success ? parsed2.data : void 0;
}
var import_node_fs4, import_node_path3, SET_FILES, UNIT_FILES, BASE_RECORD, jsonPath, baseRecord, baseFile, setRecord, workspaceRecord, deltaRecord;
var init_workspace_set = __esm({
  "scripts-src/workspace/workspace-set.ts"() {
    "use strict";
    import_node_fs4 = require("node:fs");
    import_node_path3 = __toESM(require("node:path"), 1);
    init_mini();
    init_errors();
    init_files();
    init_read_optional();
    init_records();
    SET_FILES = {
      record: "set.json",
      store: "store.git",
      /** Git folders that clones start with, one for the user's repository and each submodule. */
      templates: "templates",
      modules: "modules",
      clones: "clones",
      units: "units",
      note: "PRUN-BASE.md",
      /** What is in a clone's index and in no tree of files, one list for each part that has some. */
      unseen: "unseen",
      /** Files that the user leaves out of the working tree, one list for each part that has some. */
      leftOut: "left-out",
      /** The user's private ignore rules of the repository. */
      exclude: "exclude",
      /** Records of workspaces that gave way to a fresh one of the same unit: `earlier/<unit>/<n>/`. */
      earlier: "earlier"
    };
    UNIT_FILES = {
      record: "workspace.json",
      delta: "delta.json",
      patch: "delta.patch",
      /** The user's repository as it was when the workspace was made. */
      repository: "repository.json",
      setupLog: "setup.log",
      /** A base of its own, where it has one: a folder. */
      base: "base"
    };
    BASE_RECORD = "base.json";
    jsonPath = union([string2(), object({ base64: string2() })]);
    baseRecord = object({
      tree: string2(),
      commit: string2(),
      head: nullable(string2()),
      branch: nullable(string2()),
      files: number2(),
      bytes: number2(),
      submodules: array(object({ path: jsonPath, commit: string2(), store: string2() }))
    });
    baseFile = object({ schema: number2(), base: baseRecord });
    setRecord = object({
      schema: number2(),
      id: string2(),
      createdAt: string2(),
      source: object({ workTree: string2(), gitDir: string2(), commonDir: string2() }),
      objectFormat: _enum(["sha1", "sha256"]),
      base: baseRecord,
      excludesFile: nullable(string2())
    });
    workspaceRecord = object({
      schema: number2(),
      unit: string2(),
      set: string2(),
      mode: _enum(["clone", "worktree"]),
      folder: string2(),
      base: string2(),
      // Workspaces of an older prun have none.
      origin: _default(
        nullable(
          object({
            kind: _enum(["after", "as-it-stands"]),
            units: array(string2()),
            lineage: string2()
          })
        ),
        null
      ),
      owns: array(string2()),
      ports: nullable(object({ first: number2(), last: number2() })),
      createdAt: string2(),
      warm: array(jsonPath),
      setup: nullable(object({ command: string2(), exitCode: number2(), log: string2() }))
    });
    deltaRecord = object({
      schema: number2(),
      unit: string2(),
      set: string2(),
      base: string2(),
      result: string2(),
      files: array(
        object({
          status: _enum(["added", "modified", "deleted", "type-changed"]),
          path: jsonPath,
          oldMode: nullable(string2()),
          newMode: nullable(string2())
        })
      ),
      moves: array(object({ path: jsonPath, base: string2(), result: nullable(string2()) })),
      commits: array(object({ id: string2(), subject: string2(), submodule: nullable(jsonPath) })),
      problems: array(object({ path: jsonPath, what: string2(), lost: boolean2() })),
      included: object({ everything: boolean2(), paths: array(jsonPath) }),
      ignored: array(jsonPath),
      outside: array(jsonPath),
      patch: object({ path: string2(), bytes: number2() }),
      repository: array(string2()),
      collectedAt: string2()
    });
  }
});

// scripts-src/platform/git.ts
async function runGit(place, argv2, call = {}) {
  const child = startGit(place, argv2, call);
  const stdout = [];
  const stderr = [];
  child.stdout?.on("data", (chunk) => stdout.push(chunk));
  child.stderr?.on("data", (chunk) => stderr.push(chunk));
  child.stdin?.on("error", () => {
  });
  const ended = new Promise((resolve2, reject) => {
    child.once("error", (error) => reject(cannotStart(error, place)));
    child.once("close", (code2) => resolve2(code2));
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
  const inherited = Object.entries(environment).filter(([name2]) => !/^GIT_/i.test(name2));
  const settings2 = [
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
    GIT_CONFIG_COUNT: String(settings2.length),
    ...Object.fromEntries(
      settings2.flatMap(([key, value], n) => [
        [`GIT_CONFIG_KEY_${n}`, key],
        [`GIT_CONFIG_VALUE_${n}`, value]
      ])
    )
  };
}
function callersFiles(environment) {
  return Object.fromEntries(
    CONFIG_FILES.flatMap((name2) => {
      const value = environment[name2];
      return value === void 0 ? [] : [[name2, value]];
    })
  );
}
function callersSettings(environment) {
  const given = environment.GIT_CONFIG_COUNT ?? "";
  const count3 = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  return Array.from({ length: count3 }, (_, n) => n).flatMap((n) => {
    const key = environment[`GIT_CONFIG_KEY_${n}`];
    const value = environment[`GIT_CONFIG_VALUE_${n}`];
    return key === void 0 || value === void 0 ? [] : [[key, value]];
  });
}
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
    return (0, import_node_fs5.statSync)(folder).isDirectory();
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
var import_node_child_process, import_node_fs5, GitError, CONFIG_FILES, NOWHERE, AUTHOR;
var init_git = __esm({
  "scripts-src/platform/git.ts"() {
    "use strict";
    import_node_child_process = require("node:child_process");
    import_node_fs5 = require("node:fs");
    init_errors();
    GitError = class extends PrunError {
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
    CONFIG_FILES = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];
    NOWHERE = "/dev/null";
    AUTHOR = {
      GIT_AUTHOR_NAME: "prun",
      GIT_AUTHOR_EMAIL: "prun@localhost",
      GIT_COMMITTER_NAME: "prun",
      GIT_COMMITTER_EMAIL: "prun@localhost"
    };
  }
});

// scripts-src/workspace/base/base-files.ts
async function countBaseFiles(store, workTree, tree) {
  const output = await gitBytes(store, ["ls-tree", "-r", "-l", "-z", "--full-tree", tree]);
  const entries = output.toString("latin1").split("\0").filter(Boolean).map(parseLine);
  const usesAttributes = entries.some(({ path: path79 }) => /(?:^|\/)\.gitattributes$/.test(path79));
  const found = { count: entries.length, bytes: 0, pointers: [] };
  for (const { path: path79, mode, size } of entries) {
    found.bytes += size;
    const mayBe = usesAttributes && mode.startsWith("100") && size >= POINTER_BYTES.from && size <= POINTER_BYTES.to;
    if (mayBe && startOf(workTree, path79) === LFS_POINTER) found.pointers.push(path79);
  }
  return found;
}
function parseLine(line) {
  const tab = line.indexOf("	");
  const [mode = "", , , size = ""] = line.slice(0, tab).split(/ +/);
  return { mode, size: Number(size) || 0, path: line.slice(tab + 1) };
}
async function blobSizes(store, ids) {
  if (ids.length === 0) return /* @__PURE__ */ new Map();
  const output = await gitBytes(store, ["cat-file", "--batch-check=%(objectname) %(objectsize)"], {
    input: `${[...new Set(ids)].join("\n")}
`
  });
  const lines2 = output.toString("utf8").trim().split("\n");
  return new Map(
    lines2.flatMap((line) => {
      const [id = "", size = ""] = line.split(" ");
      return size === "missing" ? [] : [[id, Number(size)]];
    })
  );
}
function startOf(root, where) {
  try {
    const fd = (0, import_node_fs6.openSync)(fileAt(root, where), import_node_fs6.constants.O_RDONLY | (import_node_fs6.constants.O_NONBLOCK ?? 0));
    try {
      const buffer2 = Buffer.alloc(LFS_POINTER.length);
      return buffer2.toString("latin1", 0, (0, import_node_fs6.readSync)(fd, buffer2));
    } finally {
      (0, import_node_fs6.closeSync)(fd);
    }
  } catch {
    return "";
  }
}
var import_node_fs6, LFS_POINTER, POINTER_BYTES;
var init_base_files = __esm({
  "scripts-src/workspace/base/base-files.ts"() {
    "use strict";
    import_node_fs6 = require("node:fs");
    init_byte_path();
    init_git();
    LFS_POINTER = "version https://git-lfs.github.com/spec/";
    POINTER_BYTES = { from: 100, to: 1024 };
  }
});

// scripts-src/workspace/base/base-note.ts
async function baseNote(store, record2, source, snapshot, pointers) {
  const { base } = record2;
  const unfinished = await unfinishedWork(store, record2);
  const missing4 = [
    ...snapshot.leftOut.map(({ path: path79 }) => `${shownPath(path79)} (left out of the working tree by the user)`),
    ...snapshot.absent.map(({ path: path79 }) => `${shownPath(path79)} (submodule that is not initialised)`),
    ...snapshot.nested.map((where) => `${shownPath(where)}/ (a repository of its own, not part of this one)`),
    ...pointers.map((where) => `${shownPath(where)} (Git LFS pointer: its content was never fetched)`),
    ...notTaken(snapshot)
  ];
  return [
    `# Base of ${record2.id}`,
    "",
    `Repository: ${source.workTree}`,
    `Branch: ${base.branch ?? "none (detached HEAD)"}`,
    `HEAD: ${base.head ?? "none (no commit yet)"}`,
    `Base commit in a clone: ${base.commit}${base.commit === base.head ? " (HEAD itself)" : " (HEAD and the work that was not committed)"}`,
    ...base.head === null ? [] : [`Base commit in a worktree: ${base.head} (HEAD; what was not committed is in its files)`],
    `Base tree: ${base.tree}`,
    ...snapshot.unmerged.length > 0 ? ["", "A merge is not finished; these files are as they lie on disk, conflict markers included:"] : [],
    ...bounded(snapshot.unmerged.map(shownPath)),
    "",
    unfinished.length === 0 ? "Not committed yet: nothing." : "Not committed yet, and part of the base:",
    ...bounded(unfinished),
    "",
    ...source.isShallow ? ["The history is shallow: older commits are missing.", ""] : [],
    missing4.length === 0 ? "Missing: ignored files (installed packages, build output, local settings)." : "Missing, beside ignored files (installed packages, build output, local settings):",
    ...bounded(missing4),
    "",
    "Leave your changes in the files. Do not commit, push, or change branches. A clone has no remote; a worktree shares",
    "the repository's branches, remotes and hooks.",
    ""
  ].join("\n");
}
function notTaken({ gitFolders, problems, submodules }, at2) {
  return [
    ...gitFolders.map((where) => `${shownPath(below(at2, where))}/ (git's own folder of the repository)`),
    ...problems.map(({ path: path79, what }) => `${shownPath(below(at2, path79))} (${what})`),
    ...submodules.flatMap(({ path: path79, snapshot }) => notTaken(snapshot, below(at2, path79)))
  ];
}
function bounded(lines2) {
  const shown2 = lines2.slice(0, MAX_PATHS).map((line) => `- ${line}`);
  return lines2.length > MAX_PATHS ? [...shown2, `- and ${lines2.length - MAX_PATHS} more`] : shown2;
}
async function unfinishedWork(store, { base }) {
  if (base.head === base.commit) return [];
  const from = base.head ?? await emptyTree(store);
  const argv2 = ["diff-tree", "-r", "-z", "--name-status", "--no-renames", from, base.commit];
  const fields = (await gitBytes(store, argv2)).toString("latin1").split("\0");
  const lines2 = [];
  for (let at2 = 0; at2 + 1 < fields.length; at2 += 2) {
    lines2.push(`${shownPath(fields[at2 + 1])} (${LETTERS[fields[at2] ?? ""] ?? fields[at2]})`);
  }
  return lines2;
}
async function emptyTree(store) {
  return (await gitBytes(store, ["hash-object", "-t", "tree", "-w", "--stdin"])).toString("utf8").trim();
}
var MAX_PATHS, LETTERS;
var init_base_note = __esm({
  "scripts-src/workspace/base/base-note.ts"() {
    "use strict";
    init_byte_path();
    init_git();
    MAX_PATHS = 30;
    LETTERS = { A: "new", M: "changed", D: "deleted", T: "other kind" };
  }
});

// scripts-src/workspace/base/index-entries.ts
async function readEntries(place) {
  const output = await gitBytes(place, ["ls-files", "-z", "-v", "--stage", "--debug"]);
  const text2 = output.toString("latin1");
  const entries = [];
  for (let at2 = 0; at2 < text2.length; ) {
    const end = text2.indexOf("\0", at2);
    const tab = text2.indexOf("	", at2);
    const size = text2.indexOf("\n  size: ", end) + 9;
    if (end < 0 || size < 9) break;
    const [tag = "", mode = "", id = "", stage = ""] = text2.slice(at2, tab).split(" ");
    entries.push({
      path: text2.slice(tab + 1, end),
      mode,
      id,
      stage: Number(stage),
      assumeUnchanged: tag !== tag.toUpperCase(),
      skipWorktree: tag.toUpperCase() === "S",
      size: Number.parseInt(text2.slice(size, size + 20), 10)
    });
    at2 = text2.indexOf("\n", size) + 1;
  }
  return entries;
}
async function changeEntries(place, changes, nullId) {
  if (changes.length === 0) return;
  const input = indexLines(changes.map(({ path: path79, mode = "0", id = nullId }) => ({ path: path79, mode, id })));
  await runGit(place, ["update-index", "-z", "--index-info"], { input });
}
function indexLines(entries) {
  return Buffer.from(entries.map(({ path: path79, mode, id }) => `${mode} ${id} 0	${path79}\0`).join(""), "latin1");
}
function parseIndexLines(lines2) {
  return lines2.toString("latin1").split("\0").filter(Boolean).map((line) => {
    const tab = line.indexOf("	");
    const [mode = "", id = ""] = line.slice(0, tab).split(" ");
    return { mode, id, path: line.slice(tab + 1) };
  });
}
async function readTree(place, tree) {
  const output = await gitBytes(place, ["ls-tree", "-r", "-z", "--full-tree", tree]);
  return output.toString("latin1").split("\0").filter(Boolean).map((line) => {
    const tab = line.indexOf("	");
    const [mode = "", , id = ""] = line.slice(0, tab).split(" ");
    return { mode, id, path: bytePath(Buffer.from(line.slice(tab + 1), "latin1")) };
  });
}
async function writeTree(place) {
  return (await gitBytes(place, ["write-tree", "--missing-ok"])).toString("utf8").trim();
}
function nullIdOf(format) {
  return "0".repeat(format === "sha256" ? 64 : 40);
}
var LINK_MODE;
var init_index_entries = __esm({
  "scripts-src/workspace/base/index-entries.ts"() {
    "use strict";
    init_byte_path();
    init_git();
    LINK_MODE = "160000";
  }
});

// scripts-src/workspace/base/base-parts.ts
async function commitParts(source, snapshot, store, scratch) {
  const inner = [];
  const links = [...snapshot.absent];
  for (const submodule of snapshot.submodules) {
    const parts = await commitParts(submodule.source, submodule.snapshot, store, scratch);
    const [own3] = parts;
    if (own3) links.push({ path: submodule.path, commit: own3.commit });
    inner.push(...parts.map((part) => ({ ...part, path: joined(submodule.path, part.path) })));
  }
  const place = {
    gitDir: store.gitDir,
    indexFile: import_node_path4.default.join(scratch, "commit.index"),
    alternates: [...store.alternates ?? [], ...source.objectDirs]
  };
  const commitTree = await treeOfCommit(place, snapshot, links, source);
  const commit = await commitOf(place, source, commitTree);
  const own2 = {
    path: "",
    source,
    commit,
    commitTree,
    links: links.map(({ path: where }) => where),
    leftOut: snapshot.leftOut
  };
  return [own2, ...inner];
}
function joined(folder, inside) {
  return inside === "" ? folder : below(folder, inside);
}
async function treeOfCommit(place, { ownTree, leftOut }, links, source) {
  if (links.length + leftOut.length === 0) return ownTree;
  await readIndex(place, ownTree);
  await changeEntries(
    place,
    [...leftOut, ...links.map(({ path: where, commit }) => ({ path: where, mode: LINK_MODE, id: commit }))],
    nullIdOf(source.objectFormat)
  );
  return writeTree(place);
}
async function commitOf(place, source, tree) {
  if (source.head !== null) {
    const own2 = await gitText(place, ["rev-parse", `${source.head}^{tree}`]);
    if (own2 === tree) return source.head;
  }
  const parents = source.head === null ? [] : ["-p", source.head];
  return gitText(place, ["commit-tree", tree, ...parents, "-m", BASE_SUBJECT]);
}
async function readIndex(place, tree) {
  (0, import_node_fs7.rmSync)(place.indexFile, { force: true });
  await runGit(place, ["read-tree", tree]);
}
async function readCloneIndex(place, part) {
  await readIndex(place, part.commitTree);
  if (part.leftOut.length === 0) return;
  const anywhere = { ...place, workTree: import_node_path4.default.dirname(place.indexFile) };
  await runGit(anywhere, ["update-index", "-z", "--skip-worktree", "--stdin"], {
    input: joinPaths(part.leftOut.map(({ path: where }) => where))
  });
}
var import_node_fs7, import_node_path4, BASE_SUBJECT;
var init_base_parts = __esm({
  "scripts-src/workspace/base/base-parts.ts"() {
    "use strict";
    import_node_fs7 = require("node:fs");
    import_node_path4 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_git();
    init_index_entries();
    BASE_SUBJECT = "prun base: work that was not committed yet";
  }
});

// scripts-src/workspace/base/dead-drafts.ts
function removeDeadDrafts(folder) {
  for (const { file, isDead } of draftsIn(folder)) if (isDead) (0, import_node_fs8.rmSync)(file, { recursive: true, force: true });
}
function draftsIn(folder) {
  return (0, import_node_fs8.readdirSync)(folder).flatMap((name2) => {
    const [, what, digits] = /^\.(.*)-(\d+)-[0-9a-f]{8}\.draft$/.exec(name2) ?? [];
    if (what === void 0 || digits === void 0) return [];
    const pid = Number(digits);
    return [{ file: import_node_path5.default.join(folder, name2), what, pid, isDead: !isRunning(pid) }];
  });
}
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
}
var import_node_fs8, import_node_path5;
var init_dead_drafts = __esm({
  "scripts-src/workspace/base/dead-drafts.ts"() {
    "use strict";
    import_node_fs8 = require("node:fs");
    import_node_path5 = __toESM(require("node:path"), 1);
    init_errors();
  }
});

// scripts-src/platform/run-jobs.ts
function runJobs(jobs, lanes) {
  return new Promise((resolve2, reject) => {
    let active = 0;
    let fault;
    const next = () => {
      while (!fault && active < lanes) {
        const job = jobs.pop();
        if (!job) break;
        active++;
        job().catch((error) => {
          fault ??= { error };
        }).finally(() => {
          active--;
          next();
        });
      }
      if (active > 0) return;
      if (fault) reject(fault.error);
      else resolve2();
    };
    next();
  });
}
var init_run_jobs = __esm({
  "scripts-src/platform/run-jobs.ts"() {
    "use strict";
  }
});

// scripts-src/workspace/base/object-store.ts
async function createStore(store, source) {
  makeSkeleton(store, source);
  await takeAllObjects(store, source);
}
async function takeAllObjects(store, { objectDirs }) {
  for (const folder of objectDirs) await takeObjects(folder, import_node_path6.default.join(store, "objects"));
}
async function createBorrowingStore(store, source, more = []) {
  makeSkeleton(store, source);
  writeAlternates(store, [...source.objectDirs, ...more]);
}
function writeAlternates(gitDir, objectDirs) {
  if (objectDirs.length === 0) return;
  const lines2 = objectDirs.map((folder) => `${alternateLine(folder)}
`).join("");
  (0, import_node_fs9.writeFileSync)(import_node_path6.default.join(gitDir, "objects", "info", "alternates"), lines2, { mode: PRIVATE_FILE });
}
function alternateLine(folder) {
  const portable = process.platform === "win32" ? folder.replaceAll("\\", "/") : folder;
  if (!/^[#"]|[\n\\]/.test(portable)) return portable;
  return `"${portable.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
function makeSkeleton(store, source) {
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"]) {
    (0, import_node_fs9.mkdirSync)(import_node_path6.default.join(store, folder), { recursive: true, mode: PRIVATE_DIR });
  }
  const write = (file, text2) => (0, import_node_fs9.writeFileSync)(import_node_path6.default.join(store, file), text2, { mode: PRIVATE_FILE });
  write("HEAD", "ref: refs/heads/main\n");
  write("config", storeConfig(source.objectFormat));
  write("info/attributes", RAW_ATTRIBUTES);
  write("info/exclude", readOptional(import_node_path6.default.join(source.commonDir, "info", "exclude")));
  const shallow = readOptional(import_node_path6.default.join(source.commonDir, "shallow"));
  if (shallow.length > 0) write("shallow", shallow);
}
function storeConfig(format) {
  const version2 = format === "sha256" ? 1 : 0;
  return [
    "[core]",
    `	repositoryformatversion = ${version2}`,
    "	bare = true",
    "	autocrlf = false",
    "	safecrlf = false",
    "	fsyncMethod = batch",
    "[gc]",
    "	auto = 0",
    ...version2 === 1 ? ["[extensions]", `	objectFormat = ${format}`] : [],
    ""
  ].join("\n");
}
async function takeObjects(from, to) {
  const folders = (await (0, import_promises.readdir)(from)).filter((name2) => /^[0-9a-f]{2}$/.test(name2));
  const jobs = folders.map((name2) => async () => {
    const names = await namesIn(import_node_path6.default.join(from, name2));
    if (names.length === 0) return;
    await (0, import_promises.mkdir)(import_node_path6.default.join(to, name2), { recursive: true, mode: PRIVATE_DIR });
    for (const file of names) await linkOrCopy(import_node_path6.default.join(from, name2, file), import_node_path6.default.join(to, name2, file));
  });
  await runJobs(jobs, IN_FLIGHT);
  for (let tries = 0; tries < 10; tries++) {
    const names = (await namesIn(import_node_path6.default.join(from, "pack"))).filter(
      (name2) => /^(?:pack-|multi-pack)/.test(name2)
    );
    const ordered = names.sort((a, b) => Number(a.endsWith(".idx")) - Number(b.endsWith(".idx")));
    const vanished = await takeAll(ordered, import_node_path6.default.join(from, "pack"), import_node_path6.default.join(to, "pack"));
    if (!vanished) return;
  }
}
async function takeAll(names, from, to) {
  let vanished = false;
  for (const name2 of names) {
    if (name2.startsWith("multi-pack") || name2.endsWith(".bitmap") || name2.endsWith(".keep")) continue;
    const taken = await linkOrCopy(import_node_path6.default.join(from, name2), import_node_path6.default.join(to, name2));
    vanished ||= !taken;
  }
  return vanished;
}
async function namesIn(folder) {
  try {
    return await (0, import_promises.readdir)(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}
async function linkOrCopy(from, to) {
  try {
    await (0, import_promises.link)(from, to);
    return true;
  } catch (error) {
    const code = errnoOf(error) ?? "";
    if (code === "EEXIST") return true;
    if (code === "ENOENT") return false;
    if (!["EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"].includes(code))
      throw error;
  }
  try {
    await (0, import_promises.copyFile)(from, to, import_node_fs9.constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}
var import_node_fs9, import_promises, import_node_path6, RAW_ATTRIBUTES, IN_FLIGHT;
var init_object_store = __esm({
  "scripts-src/workspace/base/object-store.ts"() {
    "use strict";
    import_node_fs9 = require("node:fs");
    import_promises = require("node:fs/promises");
    import_node_path6 = __toESM(require("node:path"), 1);
    init_errors();
    init_files();
    init_run_jobs();
    init_read_optional();
    RAW_ATTRIBUTES = "* -text -filter -ident -working-tree-encoding\n";
    IN_FLIGHT = 16;
  }
});

// scripts-src/workspace/base/closed-folders.ts
function closedFoldersIn(stderr) {
  const named2 = [...stderr.matchAll(/^warning: could not open directory '(.+?)\/?': Permission denied$/gm)];
  return [...new Set(named2.map(([, folder = ""]) => bytePathOf(folder)))];
}
var init_closed_folders = __esm({
  "scripts-src/workspace/base/closed-folders.ts"() {
    "use strict";
    init_byte_path();
  }
});

// scripts-src/workspace/delta/take-files.ts
async function takeFiles(request) {
  const { place, nested } = request;
  const [{ paths: others, closed }, tracked] = await Promise.all([newFiles(request), changedFiles(place)]);
  const files = others.filter((where) => !where.endsWith("/"));
  let inner = others.filter((where) => where.endsWith("/"));
  const found = [];
  while (inner.length > 0) {
    found.push(...inner.map((where) => where.slice(0, -1)));
    if (nested === "leave") break;
    const deeper = await enterNested(request, inner);
    files.push(...deeper.filter((where) => !where.endsWith("/")));
    inner = deeper.filter((where) => where.endsWith("/"));
  }
  const problems = await readIntoIndex(request, [...tracked, ...files]);
  return { added: files, closed, nested: found, problems };
}
async function newFiles(request, below2 = []) {
  const { place, excludeFrom, ignored, foreign } = request;
  const warned = [];
  const list = async (...rules2) => {
    const { stdout, stderr } = await runGit(place, ["ls-files", "-z", "--others", ...rules2]);
    warned.push(stderr);
    return splitPaths(stdout);
  };
  const rules = ["--exclude-standard", ...excludeFrom.map((file) => `--exclude-from=${file}`)];
  const listed2 = ignored.everything ? await list() : await list(...rules);
  if (!ignored.everything && ignored.paths.length > 0) {
    const known2 = new Set(listed2);
    const wanted = (await list()).filter((where) => liesIn(ignored.paths, where) && !known2.has(where));
    listed2.push(...wanted);
  }
  const isWanted = (where) => below2.length === 0 || below2.some((folder) => where.startsWith(folder));
  const paths = listed2.filter((where) => isWanted(where) && !liesIn(foreign, where));
  return { paths, closed: closedFoldersIn(warned.join("")) };
}
function liesIn(folders, where) {
  return folders.some((folder) => where === folder || where.startsWith(`${folder}/`));
}
async function changedFiles(place) {
  const argv2 = ["diff-files", "-z", "--name-only", "--no-renames", "--ignore-submodules=all"];
  return [...new Set(splitPaths(await gitBytes(place, argv2)))];
}
async function enterNested(request, repositories) {
  const { place, nullId } = request;
  const empty = (await gitBytes(place, ["hash-object", "-w", "--stdin"])).toString("utf8").trim();
  const placeholders = repositories.map((where) => `${where}${PLACEHOLDER}`);
  await changeEntries(
    place,
    placeholders.map((path79) => ({ path: path79, mode: "100644", id: empty })),
    nullId
  );
  const { paths: inside } = await newFiles(request, repositories);
  await changeEntries(
    place,
    placeholders.map((path79) => ({ path: path79 })),
    nullId
  );
  return inside;
}
async function readIntoIndex(request, paths) {
  const { place } = request;
  const problems = [];
  let left = [...paths];
  for (let tries = 0; left.length > 0; tries++) {
    const closed = request.mayUnlock ? openFiles(place.workTree, left) : [];
    const look2 = lookAt(place.workTree);
    const before = new Map(left.map((where) => [where, look2(where)]));
    const kindOf2 = (where) => before.get(where)?.kind ?? "gone";
    const taken = left.filter((where) => kindOf2(where) === "file");
    const removed = left.filter((where) => !["file", "unreadable"].includes(kindOf2(where)));
    problems.push(...left.flatMap((where) => problemOf(where, kindOf2(where))));
    await changeEntries(
      place,
      removed.map((path79) => ({ path: path79 })),
      request.nullId
    );
    try {
      problems.push(...await addToIndex(place, taken));
      const again = lookAt(place.workTree);
      left = taken.filter((where) => !isSame(before.get(where), again(where)));
    } finally {
      for (const { path: path79, mode } of closed) (0, import_node_fs10.chmodSync)(fileAt(place.workTree, path79), mode);
    }
    if (tries + 1 >= READ_TRIES) {
      for (const path79 of left) {
        const what = `changed while it was read, ${READ_TRIES} times; the delta has what was there at the last reading`;
        problems.push({ path: path79, what, lost: true });
      }
      break;
    }
  }
  return problems;
}
function openFiles(root, paths) {
  if (process.platform === "win32" || process.getuid?.() === 0) return [];
  const look2 = lookAt(root);
  return paths.flatMap((path79) => {
    const { stat } = look2(path79);
    const mode = Number(stat?.mode ?? 0n);
    if (!stat?.isFile() || mode & 256) return [];
    try {
      (0, import_node_fs10.chmodSync)(fileAt(root, path79), mode & 4095 | 256);
      return [{ path: path79, mode: mode & 4095 }];
    } catch {
      return [];
    }
  });
}
async function addToIndex(place, paths) {
  if (paths.length === 0) return [];
  try {
    const { stderr } = await runGit(
      place,
      ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"],
      { input: joinPaths(paths) }
    );
    return stderr.includes("Ignoring path") ? await leftByGit(place, paths) : [];
  } catch (error) {
    if (!(error instanceof GitError) || /No space left|Disk quota/i.test(error.stderr)) throw error;
    const [first] = paths;
    if (paths.length === 1 && first !== void 0) return [cannotTake(first, error)];
  }
  const half = Math.ceil(paths.length / 2);
  return [
    ...await addToIndex(place, paths.slice(0, half)),
    ...await addToIndex(place, paths.slice(half))
  ];
}
async function leftByGit(place, paths) {
  const taken = new Set(splitPaths(await gitBytes(place, ["ls-files", "-z"])));
  return paths.filter((where) => !taken.has(where)).map((path79) => ({ path: path79, what: "has a name that git keeps for itself: git cannot hold it", lost: true }));
}
function cannotTake(path79, error) {
  const said = error.stderr.trim().split("\n")[0]?.slice(0, 200) ?? "";
  return { path: path79, what: `cannot be read into the delta (git: ${said})`, lost: true };
}
function problemOf(path79, kind) {
  if (kind === "special") {
    return [{ path: path79, what: "is a pipe, socket or device, and no file: git cannot hold it", lost: true }];
  }
  if (kind === "unreadable") return [{ path: path79, what: "its folder may not be read", lost: true }];
  return [];
}
function lookAt(root) {
  const folders = /* @__PURE__ */ new Map();
  const isRealFolder = (folder) => {
    const known2 = folders.get(folder);
    if (known2 !== void 0) return known2;
    const above = parentOf(folder);
    const real = (!above || isRealFolder(above)) && stampAt(root, folder).kind !== "file";
    folders.set(folder, real);
    return real;
  };
  return (where) => {
    const folder = parentOf(where);
    return folder && !isRealFolder(folder) ? { kind: "gone" } : stampAt(root, where);
  };
}
function stampAt(root, where) {
  try {
    const stat = (0, import_node_fs10.lstatSync)(fileAt(root, where), { bigint: true });
    if (stat.isFile() || stat.isSymbolicLink()) return { kind: "file", stat };
    return { kind: stat.isDirectory() ? "folder" : "special" };
  } catch (error) {
    return { kind: errnoOf(error) === "EACCES" ? "unreadable" : "gone" };
  }
}
function isSame(a, b) {
  if (!a?.stat || !b.stat) return a?.kind === b.kind;
  return a.stat.ino === b.stat.ino && a.stat.size === b.stat.size && a.stat.mtimeNs === b.stat.mtimeNs && a.stat.ctimeNs === b.stat.ctimeNs && a.stat.mode === b.stat.mode;
}
var import_node_fs10, READ_TRIES, PLACEHOLDER;
var init_take_files = __esm({
  "scripts-src/workspace/delta/take-files.ts"() {
    "use strict";
    import_node_fs10 = require("node:fs");
    init_byte_path();
    init_errors();
    init_git();
    init_random();
    init_closed_folders();
    init_index_entries();
    READ_TRIES = 5;
    PLACEHOLDER = `.prun-${randomHex(16)}`;
  }
});

// scripts-src/workspace/workspace-of.ts
function workspaceOf(workdir) {
  return placeOn(import_node_path7.default.resolve(workdir)) ?? placeOnRealPath(workdir);
}
function placeOnRealPath(workdir) {
  try {
    const real = import_node_fs11.realpathSync.native(workdir);
    return real === import_node_path7.default.resolve(workdir) ? void 0 : placeOn(real);
  } catch {
    return void 0;
  }
}
function placeOn(folder) {
  let clone3 = folder;
  for (let parent = import_node_path7.default.dirname(clone3); parent !== clone3; parent = import_node_path7.default.dirname(clone3)) {
    if (import_node_path7.default.basename(parent).toLowerCase() === "clones") {
      const place = readPlace(import_node_path7.default.dirname(parent), clone3);
      if (place) return place;
    }
    clone3 = parent;
  }
  return void 0;
}
function readPlace(set, clone3) {
  const unit = import_node_path7.default.basename(clone3);
  const record2 = import_node_path7.default.join(set, "units", unit, "workspace.json");
  const setRecord2 = import_node_path7.default.join(set, "set.json");
  if (!(0, import_node_fs11.existsSync)(record2) || !(0, import_node_fs11.existsSync)(setRecord2)) return void 0;
  const workspace = readObject(record2);
  const source = objectIn(readObject(setRecord2)?.source);
  const base = typeof workspace?.base === "string" ? workspace.base : null;
  return { set, unit, clone: clone3, ports: portsIn(workspace?.ports), base, source: sourceIn(source) };
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
  const { clone: clone3, ports } = workspace;
  const place = { PRUN_WORKSPACE: clone3, PRUN_BASE_NOTE: baseNoteIn(workspace) };
  if (!ports) return place;
  const [first, last] = [String(ports.first), String(ports.last)];
  return { ...place, PRUN_PORT_FIRST: first, PRUN_PORT_LAST: last, PORT: first };
}
function baseNoteIn({ set, unit }) {
  const own2 = import_node_path7.default.join(set, "units", unit, "base", "PRUN-BASE.md");
  return (0, import_node_fs11.existsSync)(own2) ? own2 : import_node_path7.default.join(set, "PRUN-BASE.md");
}
function attemptsIn({ set, unit }) {
  try {
    const text2 = (0, import_node_fs11.readFileSync)(import_node_path7.default.join(set, "units", unit, "attempts"), "utf8");
    return text2.split("\n").filter((dir) => import_node_path7.default.isAbsolute(dir) && (0, import_node_fs11.existsSync)(dir));
  } catch {
    return [];
  }
}
var import_node_fs11, import_node_path7;
var init_workspace_of = __esm({
  "scripts-src/workspace/workspace-of.ts"() {
    "use strict";
    import_node_fs11 = require("node:fs");
    import_node_path7 = __toESM(require("node:path"), 1);
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
    const at2 = start === 0 ? header.bytes : start;
    if (table[at2] !== 114) return;
    const blockEnd = start + table.readUIntBE(at2 + 1, 3);
    if (blockEnd <= at2) throw new Error("a block of refs has no length");
    const restarts = table.readUInt16BE(blockEnd - 2);
    readBlock(table, at2 + 4, blockEnd - 2 - restarts * 3, header.idBytes, refs);
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
  let at2 = from;
  let name2 = Buffer.alloc(0);
  const varint = () => {
    let byte = table[at2++] ?? 0;
    let value = byte & 127;
    while (byte & 128) {
      byte = table[at2++] ?? 0;
      value = (value + 1) * 128 + (byte & 127);
    }
    return value;
  };
  while (at2 < end) {
    const kept = varint();
    const packed = varint();
    const suffix = Math.floor(packed / 8);
    name2 = Buffer.concat([name2.subarray(0, kept), table.subarray(at2, at2 + suffix)]);
    at2 += suffix;
    varint();
    const ref = bytePath(name2);
    const type = packed % 8;
    if (type === 0) refs.delete(ref);
    else if (type === 3) {
      const length = varint();
      refs.set(ref, `ref: ${table.toString("latin1", at2, at2 + length)}`);
      at2 += length;
    } else {
      refs.set(ref, table.toString("hex", at2, at2 + idBytes));
      at2 += type === 2 ? idBytes * 2 : idBytes;
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

// scripts-src/workspace/tripwire/repository-look.ts
function lookAtRepository(place) {
  return beginLook(place, Number.POSITIVE_INFINITY).finish();
}
function beginLook({ gitDir, commonDir }, budgetMs) {
  const deadline = performance.now() + budgetMs;
  const unread = [];
  const isLinked = import_node_path8.default.resolve(gitDir) !== import_node_path8.default.resolve(commonDir);
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
    for (const name2 of names) read(files, root, bytePathOf(name2), WHOLE_BYTES);
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
  const at2 = wallTime();
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
      return { at: at2, own: own2, common, refs, tables, hooks, worktrees, unread };
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
    for (const name2 of ["gitdir", "HEAD"]) {
      const where = below(below(folder, entry.name), bytePathOf(name2));
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
  const isLinked = import_node_path8.default.resolve(gitDir) !== import_node_path8.default.resolve(commonDir);
  return { common, own: isLinked && readTables(gitDir, unread) || [] };
}
function listed(root, folder, unread) {
  try {
    return (0, import_node_fs12.readdirSync)(fileAt(root, folder), { withFileTypes: true, encoding: "latin1" });
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
  const fd = (0, import_node_fs12.openSync)(file, import_node_fs12.constants.O_RDONLY | (import_node_fs12.constants.O_NONBLOCK ?? 0));
  try {
    const stat = (0, import_node_fs12.fstatSync)(fd);
    if (!stat.isFile()) return void 0;
    const bytes = Buffer.allocUnsafe(Math.min(stat.size, limit));
    let done = 0;
    while (done < bytes.length) {
      const count3 = (0, import_node_fs12.readSync)(fd, bytes, done, bytes.length - done, done);
      if (count3 === 0) break;
      done += count3;
    }
    return { mode: stat.mode & 4095, bytes: bytes.subarray(0, done) };
  } finally {
    (0, import_node_fs12.closeSync)(fd);
  }
}
function readTables(dir, unread) {
  const folder = import_node_path8.default.join(dir, "reftable");
  for (let tries = 1; ; tries++) {
    try {
      if ((0, import_node_fs12.statSync)(folder, { throwIfNoEntry: false }) === void 0) return void 0;
      const list = readSeen(import_node_path8.default.join(folder, "tables.list"), WHOLE_BYTES)?.bytes.toString("utf8") ?? "";
      const names = list.split("\n").filter(Boolean);
      return names.map((name2) => readSeen(import_node_path8.default.join(folder, name2), WHOLE_BYTES)?.bytes ?? Buffer.alloc(0));
    } catch (error) {
      if (tries < TABLE_TRIES && isMissing(error)) continue;
      noteUnread(unread, bytePathOf("reftable"), error);
      return void 0;
    }
  }
}
var import_node_fs12, import_node_path8, HOOK_BYTES, REF_BYTES, WHOLE_BYTES, TABLE_TRIES;
var init_repository_look = __esm({
  "scripts-src/workspace/tripwire/repository-look.ts"() {
    "use strict";
    import_node_fs12 = require("node:fs");
    import_node_path8 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_clock();
    init_errors();
    HOOK_BYTES = 1024 * 1024;
    REF_BYTES = 4096;
    WHOLE_BYTES = 256 * 1024 * 1024;
    TABLE_TRIES = 5;
  }
});

// scripts-src/workspace/tripwire/tripwire.ts
function takeTripwire(source) {
  return fingerprintOf(source, lookAtRepository(source));
}
function fingerprintOf({ gitDir, commonDir }, look2) {
  const unread = look2.unread.map(({ where, why }) => ({ where: shownPath(where), why }));
  const { head, refs } = refsOf(look2, unread);
  const others = Object.entries(refs).filter(([name2]) => !name2.startsWith("refs/heads/prun/"));
  return {
    schema: TRIPWIRE_SCHEMA,
    at: look2.at,
    source: { gitDir, commonDir },
    head,
    refs: Object.fromEntries(others),
    config: configOf(look2),
    hooks: Object.fromEntries([...look2.hooks].map(([name2, hook]) => [nameIn(name2, "hooks/"), markOf(hook)])),
    worktrees: worktreesOf2(look2.worktrees),
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
  return changes.filter((change2) => !unread.some((where) => hides(where, change2)));
}
function readRefs(place) {
  return refsOf(lookAtRepository(place), []);
}
function refsOf(look2, unread) {
  const refs = /* @__PURE__ */ new Map();
  const HEAD2 = bytePathOf("HEAD");
  let head = valueIn(look2.own.get(HEAD2));
  if (look2.tables) {
    try {
      const common = refsOfTables(look2.tables.common);
      const own2 = refsOfTables(look2.tables.own);
      head = own2.get(HEAD2) ?? common.get(HEAD2) ?? null;
      for (const [name2, value] of [...common, ...own2]) if (name2.startsWith("refs/")) refs.set(name2, value);
    } catch (error) {
      unread.push({ where: "reftable", why: error instanceof Error ? error.message : String(error) });
    }
  } else {
    for (const [name2, value] of packedRefs(look2.common.get(bytePathOf("packed-refs")))) refs.set(name2, value);
    for (const [name2, file] of look2.refs) refs.set(name2, valueIn(file) ?? "");
  }
  const shown2 = [...refs].map(([name2, value]) => [shownPath(name2), value]);
  return { head, refs: Object.fromEntries(shown2.sort(([a], [b]) => a < b ? -1 : 1)) };
}
function packedRefs(file) {
  const lines2 = file?.bytes.toString("latin1").split("\n") ?? [];
  return lines2.flatMap((line) => {
    const cut = line.indexOf(" ");
    if (cut < 0 || line.startsWith("#") || line.startsWith("^")) return [];
    return [[line.slice(cut + 1), line.slice(0, cut)]];
  });
}
function valueIn(file) {
  return file ? shownPath(bytePath(Buffer.from(file.bytes.toString("latin1").trim(), "latin1"))) : null;
}
function configOf({ common, own: own2 }) {
  const sections = [];
  const files = [
    ["config", common.get(bytePathOf("config"))],
    ["config.worktree", own2.get(bytePathOf("config.worktree"))],
    ["config.worktree of the main worktree", common.get(bytePathOf("config.worktree"))]
  ];
  for (const [name2, file] of files) {
    if (!file) continue;
    for (const [section, lines2] of sectionsOf(file.bytes.toString("latin1"))) {
      sections.push([`${name2} [${section}]`, hashOf(Buffer.from(lines2, "latin1"))]);
    }
  }
  return Object.fromEntries(sections);
}
function sectionsOf(text2) {
  const sections = /* @__PURE__ */ new Map();
  let section = "";
  let isOwn = false;
  for (const line of text2.split("\n")) {
    const header = /^\s*\[\s*([A-Za-z0-9-]+)(.*)/.exec(line);
    if (header) {
      section = header[1]?.toLowerCase() ?? "";
      isOwn = section === "branch" && /^\s+"prun\//.test(header[2] ?? "");
    }
    if (!isOwn && line.trim() !== "") sections.set(section, `${sections.get(section) ?? ""}${line}
`);
  }
  return sections;
}
function worktreesOf2(files) {
  const found = [];
  for (const [where, file] of files) {
    if (!where.endsWith("/gitdir")) continue;
    const entry = where.slice(0, -"/gitdir".length);
    const link2 = file.bytes.toString("utf8").trim();
    const head = files.get(`${entry}/HEAD`)?.bytes.toString("latin1") ?? "";
    const own2 = head.startsWith("ref: refs/heads/prun/") || workspaceOf(import_node_path9.default.dirname(link2)) !== void 0;
    const shown2 = shownPath(bytePathOf(link2.replace(/[\\/]\.git$/, "")));
    found.push([nameIn(entry, "worktrees/"), { path: shown2, own: own2 }]);
  }
  return Object.fromEntries(found);
}
function pathsOf(worktrees, other) {
  const others = Object.entries(worktrees).filter(([id, { own: own2 }]) => !own2 && !other.worktrees[id]?.own);
  return Object.fromEntries(others.map(([id, worktree]) => [id, worktree.path]));
}
function differences(what, before, after) {
  const names = [.../* @__PURE__ */ new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name2) => before[name2] !== after[name2]).map((name2) => changeOf(what, name2, before[name2] ?? null, after[name2] ?? null));
}
function changeOf(what, name2, before, after) {
  const change2 = before === null ? "added" : after === null ? "removed" : "changed";
  return { what, name: name2, change: change2, ...before === null ? {} : { before }, ...after === null ? {} : { after } };
}
function withoutValues({ what, name: name2, change: change2 }) {
  return { what, name: name2, change: change2 };
}
function hides(where, { what, name: name2 }) {
  if (what === "ref" && ["packed-refs", "reftable"].includes(where)) return true;
  if (what === "HEAD" && where === "reftable") return true;
  if (what === "config") return name2.startsWith(`${where} `);
  const folders = { ref: "", HEAD: "", hook: "hooks/", worktree: "worktrees/" };
  const file = folders[what] + name2;
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
var import_node_crypto, import_node_path9, TRIPWIRE_SCHEMA;
var init_tripwire = __esm({
  "scripts-src/workspace/tripwire/tripwire.ts"() {
    "use strict";
    import_node_crypto = require("node:crypto");
    import_node_path9 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_workspace_of();
    init_ref_tables();
    init_repository_look();
    TRIPWIRE_SCHEMA = 1;
  }
});

// scripts-src/workspace/base/source-repo.ts
function sourcePlace(source) {
  return { gitDir: source.gitDir, workTree: source.workTree, asUser: true };
}
async function readSource(folder) {
  const absolute2 = import_node_path10.default.resolve(folder);
  requireFolder(absolute2);
  const { workTree, gitDir, commonDir, format, shallow } = await whereIs(
    { cwd: absolute2, asUser: true },
    absolute2
  );
  const place = { gitDir, workTree, asUser: true };
  const { head, refs } = readRefs({ gitDir, commonDir });
  const settings2 = await readSettings(place);
  const commit = commitIn(head, refs);
  return {
    workTree,
    gitDir,
    commonDir,
    objectFormat: format === "sha256" ? "sha256" : "sha1",
    // What its files do not tell, git may know.
    head: commit ?? await revision(place, "HEAD"),
    branch: head?.startsWith(BRANCH) ? head.slice(BRANCH.length) : null,
    refs,
    isShallow: shallow === "true",
    objectDirs: objectDirsFrom(import_node_path10.default.join(commonDir, "objects")),
    excludesFile: await excludesFileOf(place, settings2),
    settings: settings2
  };
}
function commitIn(head, refs) {
  let value = head;
  for (let steps = 0; steps < 5 && value?.startsWith("ref: "); steps++) value = refs[value.slice(5)] ?? null;
  return value !== null && OBJECT_ID.test(value) ? value : null;
}
async function revision(place, name2) {
  const { code, stdout } = await runGit(place, ["rev-parse", "--quiet", "--verify", `${name2}^{commit}`], {
    answers: [0, 1, 128]
  });
  return code === 0 ? stdout.toString("utf8").trim() : null;
}
function requireFolder(folder) {
  const stat = (0, import_node_fs13.statSync)(folder, { throwIfNoEntry: false });
  if (!stat) throw usageError(`--repo ${folder} does not exist`, "give a folder of a git repository");
  if (!stat.isDirectory()) {
    throw usageError(`--repo ${folder} is not a folder`, "give a folder of a git repository");
  }
}
async function whereIs(here, folder) {
  try {
    const asked = ["rev-parse", "--path-format=absolute"];
    let answers = (await gitText(here, [...asked, ...QUESTIONS])).split("\n");
    if (answers.length !== QUESTIONS.length) {
      answers = [];
      for (const question of QUESTIONS) answers.push(await gitText(here, [...asked, question]));
    }
    const [format = "", shallow = "", ...folders] = answers;
    const [workTree = "", gitDir = "", commonDir = ""] = folders.map(nativePath);
    return { workTree, gitDir, commonDir, format, shallow };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.stderr.includes("must be run in a work tree")) {
      throw usageError(
        `--repo ${folder} is a bare repository, or the inside of one`,
        "give a folder with files"
      );
    }
    if (error.stderr.includes("not a git repository")) {
      throw usageError(
        `--repo ${folder} is not in a git repository`,
        "give a folder of one, or run git init there first"
      );
    }
    throw usageError(error.message, error.next);
  }
}
function nativePath(printed) {
  return import_node_path10.default.normalize(printed);
}
async function readSettings(place) {
  const output = await gitBytes(place, ["config", "--list", "-z"]);
  const entries = output.toString("utf8").split("\0").filter(Boolean).map((entry) => {
    const cut = entry.indexOf("\n");
    return cut < 0 ? [entry, "true"] : [entry.slice(0, cut), entry.slice(cut + 1)];
  });
  return new Map(entries);
}
async function excludesFileOf(place, settings2) {
  const given = settings2.get("core.excludesfile") ?? "";
  if (given === "") return null;
  const isPlain = !/^[~%:]/.test(given);
  const value = isPlain ? given : await gitText(place, ["config", "--type=path", "--get", "core.excludesFile"]);
  return import_node_path10.default.resolve(place.workTree ?? "", value);
}
function objectDirsFrom(first) {
  const found = [first];
  for (const folder of found) {
    const lines2 = readValue(import_node_path10.default.join(folder, "info", "alternates"))?.split("\n") ?? [];
    for (const line of lines2) {
      if (line === "" || line.startsWith("#")) continue;
      const next = import_node_path10.default.resolve(folder, line);
      if (!found.includes(next)) found.push(next);
    }
  }
  return found;
}
var import_node_fs13, import_node_path10, BRANCH, OBJECT_ID, QUESTIONS;
var init_source_repo = __esm({
  "scripts-src/workspace/base/source-repo.ts"() {
    "use strict";
    import_node_fs13 = require("node:fs");
    import_node_path10 = __toESM(require("node:path"), 1);
    init_errors();
    init_files();
    init_git();
    init_tripwire();
    BRANCH = "ref: refs/heads/";
    OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
    QUESTIONS = [
      "--show-object-format",
      "--is-shallow-repository",
      "--show-toplevel",
      "--git-dir",
      "--git-common-dir"
    ];
  }
});

// scripts-src/workspace/base/conversions.ts
async function convertedFiles(source, place, entries) {
  const regular = entries.filter(({ mode, stage }) => stage === 0 && mode.startsWith("100"));
  if (hasFilters(source)) return new Set(regular.map(({ path: path79 }) => path79));
  const sizes = await blobSizes(
    place,
    regular.map(({ id }) => id)
  );
  const found = /* @__PURE__ */ new Set();
  for (const { path: path79, id, size } of regular) if (size !== sizes.get(id)) found.add(path79);
  if (!hasAttributes(source, entries)) return found;
  const attributes = await attributesOf(source, regular);
  for (const [path79, values] of attributes) {
    if (ATTRIBUTES.some((name2) => !UNSET.has(values[name2] ?? "unspecified"))) found.add(path79);
  }
  return found;
}
function hasFilters({ settings: settings2 }) {
  return [...settings2.keys()].some(
    (key) => /^filter\..+\.(?:clean|process)$/.test(key) && !key.startsWith("filter.lfs.")
  );
}
function hasAttributes(source, entries) {
  if (source.settings.has("core.attributesfile")) return true;
  if (entries.some(({ path: path79 }) => path79 === ".gitattributes" || path79.endsWith("/.gitattributes"))) return true;
  const folders = new Set(entries.map(({ path: path79 }) => parentOf(path79)));
  const untracked = [...folders].some(
    (folder) => sizeOnDisk(source.workTree, `${folder ? `${folder}/` : ""}.gitattributes`) !== void 0
  );
  return untracked || sizeOnDisk(source.commonDir, "info/attributes") !== void 0 || hasUserAttributes();
}
function hasUserAttributes() {
  const home = process.env.HOME ?? process.env.USERPROFILE;
  const base = process.env.XDG_CONFIG_HOME || (home ? `${home}/.config` : void 0);
  return Boolean(base && sizeOnDisk(base, "git/attributes") !== void 0);
}
async function attributesOf(source, entries) {
  const output = await gitBytes(sourcePlace(source), ["check-attr", "-z", "--stdin", ...ATTRIBUTES], {
    input: joinPaths(entries.map(({ path: path79 }) => path79))
  });
  const fields = output.toString("latin1").split("\0");
  const found = /* @__PURE__ */ new Map();
  for (let at2 = 0; at2 + 2 < fields.length; at2 += 3) {
    const where = fields[at2];
    const values = found.get(where) ?? {};
    values[fields[at2 + 1] ?? ""] = fields[at2 + 2] ?? "";
    found.set(where, values);
  }
  return found;
}
function sizeOnDisk(root, where) {
  try {
    return (0, import_node_fs14.lstatSync)(fileAt(root, where)).size;
  } catch {
    return void 0;
  }
}
var import_node_fs14, ATTRIBUTES, UNSET;
var init_conversions = __esm({
  "scripts-src/workspace/base/conversions.ts"() {
    "use strict";
    import_node_fs14 = require("node:fs");
    init_byte_path();
    init_git();
    init_base_files();
    init_source_repo();
    ATTRIBUTES = ["filter", "working-tree-encoding"];
    UNSET = /* @__PURE__ */ new Set(["unspecified", "unset"]);
  }
});

// scripts-src/workspace/base/git-folders.ts
function gitFoldersIn(workTree) {
  return foldersBelow(workTree, gitDirsOf(workTree));
}
function gitDirsOf(workTree) {
  const gitDir = gitDirOf(workTree);
  return gitDir === void 0 ? [] : [gitDir, commonDirOf(gitDir)];
}
function foldersBelow(workTree, folders) {
  const top = realOf(workTree);
  const found = folders.flatMap((folder) => {
    const where = import_node_path11.default.relative(top, realOf(folder));
    const isBelow2 = where !== "" && where !== ".." && !where.startsWith(`..${import_node_path11.default.sep}`) && !import_node_path11.default.isAbsolute(where);
    return isBelow2 ? [bytePathOf(where.split(import_node_path11.default.sep).join("/"))] : [];
  });
  const unseen = [...new Set(found)].filter((where) => !/(?:^|\/)\.git(?:\/|$)/i.test(textOf(where)));
  return unseen.filter((where) => !unseen.some((other) => where.startsWith(`${other}/`)));
}
function gitDirOf(workTree) {
  const entry = import_node_path11.default.join(workTree, ".git");
  const stat = (0, import_node_fs15.statSync)(entry, { throwIfNoEntry: false });
  if (!stat?.isFile()) return stat?.isDirectory() ? entry : void 0;
  const named2 = /^gitdir: ([^\n]+?)\r?\n*$/.exec(readText(entry))?.[1];
  return named2 === void 0 ? void 0 : import_node_path11.default.resolve(workTree, named2);
}
function commonDirOf(gitDir) {
  const named2 = readText(import_node_path11.default.join(gitDir, "commondir")).trim();
  return import_node_path11.default.resolve(gitDir, named2 === "" ? "." : named2);
}
function readText(file) {
  try {
    return (0, import_node_fs15.statSync)(file).isFile() ? (0, import_node_fs15.readFileSync)(file, "utf8") : "";
  } catch {
    return "";
  }
}
function realOf(folder) {
  try {
    return import_node_fs15.realpathSync.native(folder);
  } catch {
    return import_node_path11.default.resolve(folder);
  }
}
var import_node_fs15, import_node_path11;
var init_git_folders = __esm({
  "scripts-src/workspace/base/git-folders.ts"() {
    "use strict";
    import_node_fs15 = require("node:fs");
    import_node_path11 = __toESM(require("node:path"), 1);
    init_byte_path();
  }
});

// scripts-src/workspace/base/waiting-rules.ts
function refuseWaitingRules(workTree, paths) {
  for (const folder of foldersOf(paths)) {
    for (const name2 of RULE_FILES) {
      const where = below(folder, name2);
      const kind = waitingKind(workTree, where);
      if (kind === void 0) continue;
      throw usageError(
        `${shownPath(where)} in ${workTree} is a ${kind}; git would wait for ever to read it`,
        "remove it, and run the command again"
      );
    }
  }
}
async function refuseWaitingRulesOf(source) {
  refuseWaitingRules(source.workTree, splitPaths(await gitBytes(sourcePlace(source), ["ls-files", "-z"])));
}
function foldersOf(paths) {
  const found = /* @__PURE__ */ new Set([void 0]);
  for (const where of paths) {
    for (let folder = parentOf(where); folder !== void 0 && !found.has(folder); folder = parentOf(folder)) {
      found.add(folder);
    }
  }
  return found;
}
function waitingKind(root, where) {
  let stat;
  try {
    stat = (0, import_node_fs16.lstatSync)(fileAt(root, where));
  } catch {
    return void 0;
  }
  if (stat.isFIFO()) return "pipe";
  return stat.isCharacterDevice() || stat.isBlockDevice() ? "device" : void 0;
}
var import_node_fs16, RULE_FILES;
var init_waiting_rules = __esm({
  "scripts-src/workspace/base/waiting-rules.ts"() {
    "use strict";
    import_node_fs16 = require("node:fs");
    init_byte_path();
    init_errors();
    init_git();
    init_source_repo();
    RULE_FILES = [".gitignore", ".gitattributes"];
  }
});

// scripts-src/workspace/base/snapshot-source.ts
async function snapshotSource(source, store, scratch, label = "source") {
  const indexFile = import_node_path12.default.join(scratch, `${label}.index`);
  copyIndex(source, indexFile, store.gitDir);
  const place = {
    gitDir: store.gitDir,
    workTree: source.workTree,
    indexFile,
    alternates: [...store.alternates ?? [], ...source.objectDirs],
    config: source.excludesFile === null ? {} : { "core.excludesFile": source.excludesFile }
  };
  const nullId = nullIdOf(source.objectFormat);
  const all = await readEntries(place);
  refuseWaitingRules(
    source.workTree,
    all.map(({ path: where }) => where)
  );
  const initialised = all.filter(
    ({ mode, path: path79 }) => mode === LINK_MODE && isRepository(source.workTree, path79)
  );
  const gitFolders = gitFoldersOf(source, initialised);
  const [gitsOwn, entries] = parted(all, ({ path: where }) => liesIn(gitFolders, where));
  const links = entries.filter(({ mode }) => mode === LINK_MODE);
  const converted = await convertedFiles(source, place, entries);
  const isOnDisk = presence(source.workTree);
  const leftOut = entries.filter(({ skipWorktree, path: where }) => skipWorktree && !isOnDisk(where));
  const out = new Set(leftOut);
  const read = entries.filter(
    (entry) => entry.mode !== LINK_MODE && !out.has(entry) && (entry.skipWorktree || entry.assumeUnchanged || converted.has(entry.path))
  );
  await changeEntries(
    place,
    [
      ...read.map(({ path: path79, mode, id }) => ({ path: path79, mode, id })),
      ...[...links, ...gitsOwn].map(({ path: path79 }) => ({ path: path79 }))
    ],
    nullId
  );
  const excludeFrom = [import_node_path12.default.join(source.commonDir, "info", "exclude")].filter((file) => (0, import_node_fs17.existsSync)(file));
  const foreign = [...links.map(({ path: path79 }) => path79), ...OWN_FOLDERS, ...gitFolders];
  const taken = await takeFiles({
    place,
    nullId,
    excludeFrom,
    nested: "leave",
    foreign,
    ignored: { everything: false, paths: [] }
  });
  const closed = taken.closed.map((where) => ({
    path: where,
    what: "a folder that may not be read: what is in it is missing",
    lost: true
  }));
  await changeEntries(
    place,
    leftOut.map(({ path: where }) => ({ path: where })),
    nullId
  );
  const ownTree = await writeTree(place);
  const submodules = [];
  for (const [n, link2] of initialised.entries()) {
    const inner2 = await readSource(folderAt(source.workTree, link2.path));
    const snapshot = await snapshotSource(inner2, store, scratch, `${label}-${n}`);
    submodules.push({ path: link2.path, source: inner2, snapshot });
  }
  const inner = { ...place, alternates: [...place.alternates, ...objectDirsOf(submodules)] };
  const tree = await flatten(inner, ownTree, submodules, nullId);
  return {
    tree,
    ownTree,
    submodules,
    absent: links.filter((link2) => !initialised.includes(link2)).map(({ path: path79, id }) => ({ path: path79, commit: id })),
    nested: taken.nested,
    gitFolders,
    leftOut: leftOut.map(({ path: path79, mode, id }) => ({ path: path79, mode, id })),
    unmerged: unmergedPaths(entries),
    problems: [...closed.filter(({ path: where }) => !liesIn(foreign, where)), ...taken.problems]
  };
}
function gitFoldersOf(source, submodules) {
  const theirs = submodules.flatMap(({ path: where }) => gitDirsOf(folderAt(source.workTree, where)));
  return foldersBelow(source.workTree, [source.gitDir, source.commonDir, ...theirs]);
}
function parted(items, isFirst) {
  return [items.filter(isFirst), items.filter((item2) => !isFirst(item2))];
}
function objectDirsOf(submodules) {
  return submodules.flatMap(({ source, snapshot }) => [
    ...source.objectDirs,
    ...objectDirsOf(snapshot.submodules)
  ]);
}
async function flatten(place, ownTree, submodules, nullId) {
  if (submodules.length === 0) return ownTree;
  const flat = { ...place, indexFile: `${place.indexFile}.flat` };
  const files = [...await readTree(place, ownTree)];
  for (const { path: folder, snapshot } of submodules) {
    const inside = await readTree(place, snapshot.tree);
    files.push(...inside.map((entry) => ({ ...entry, path: below(folder, entry.path) })));
  }
  (0, import_node_fs17.rmSync)(flat.indexFile, { force: true });
  await changeEntries(flat, files, nullId);
  return writeTree(flat);
}
function copyIndex(source, to, gitDir) {
  const from = import_node_path12.default.join(source.gitDir, "index");
  (0, import_node_fs17.rmSync)(to, { force: true });
  if (!(0, import_node_fs17.existsSync)(from)) return;
  const { mtimeMs } = (0, import_node_fs17.statSync)(from);
  (0, import_node_fs17.copyFileSync)(from, to);
  for (const name2 of (0, import_node_fs17.readdirSync)(source.gitDir)) {
    if (name2.startsWith("sharedindex."))
      (0, import_node_fs17.copyFileSync)(import_node_path12.default.join(source.gitDir, name2), import_node_path12.default.join(gitDir, name2));
  }
  const earlier = (mtimeMs - 1) / 1e3;
  (0, import_node_fs17.utimesSync)(to, earlier, earlier);
}
function presence(root) {
  return (where) => {
    try {
      (0, import_node_fs17.lstatSync)(fileAt(root, where));
      return true;
    } catch {
      return false;
    }
  };
}
function isRepository(root, where) {
  return (0, import_node_fs17.existsSync)(import_node_path12.default.join(folderAt(root, where), ".git"));
}
function unmergedPaths(entries) {
  return [...new Set(entries.filter(({ stage }) => stage > 0).map(({ path: path79 }) => path79))];
}
function folderAt(root, where) {
  return import_node_path12.default.join(root, textOf(where));
}
var import_node_fs17, import_node_path12, OWN_FOLDERS;
var init_snapshot_source = __esm({
  "scripts-src/workspace/base/snapshot-source.ts"() {
    "use strict";
    import_node_fs17 = require("node:fs");
    import_node_path12 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_take_files();
    init_conversions();
    init_git_folders();
    init_index_entries();
    init_source_repo();
    init_waiting_rules();
    OWN_FOLDERS = ["agent-io"];
  }
});

// scripts-src/workspace/base/walls.ts
function cloneConfig(options) {
  const { objectFormat, settings: settings2, excludesFile, hooksPath, workTree } = options;
  const own2 = [
    ["core.repositoryformatversion", objectFormat === "sha256" ? "1" : "0"],
    ["core.bare", "false"],
    ["core.logallrefupdates", "true"],
    ["core.autocrlf", "false"],
    ["core.safecrlf", "false"],
    ["core.fsmonitor", "false"],
    ["core.hooksPath", hooksPath],
    ...workTree === void 0 ? [] : [["core.worktree", workTree]],
    ...excludesFile === null ? [] : [["core.excludesFile", excludesFile]],
    ...CARRIED.flatMap((key) => {
      const value = settings2.get(key);
      return value === void 0 ? [] : [[key, value]];
    }),
    ["push.default", "nothing"],
    // An empty value forgets the helpers that the user's other files name (gitcredentials(7)).
    ["credential.helper", ""],
    ["commit.gpgSign", "false"],
    ["tag.gpgSign", "false"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
    ["submodule.active", "."],
    ["submodule.recurse", "false"],
    ...objectFormat === "sha256" ? [["extensions.objectFormat", "sha256"]] : []
  ];
  return own2.map(([name2, value]) => settingText(name2, value)).join("");
}
function settingText(name2, value) {
  const [section = "", key = ""] = name2.split(".");
  return `[${section}]
	${key} = ${quotedValue(value)}
`;
}
function quotedValue(value) {
  const quoted2 = value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("	", "\\t");
  return `"${quoted2}"`;
}
function writeHooks(folder) {
  (0, import_node_fs18.mkdirSync)(folder, { recursive: true, mode: PRIVATE_DIR });
  for (const [name2, text2] of Object.entries(REFUSALS)) {
    const file = import_node_path13.default.join(folder, name2);
    (0, import_node_fs18.writeFileSync)(file, `#!/bin/sh
echo "prun: ${text2}" >&2
exit 1
`, { mode: PRIVATE_FILE });
    (0, import_node_fs18.chmodSync)(file, 448);
  }
}
var import_node_fs18, import_node_path13, CARRIED, REFUSALS;
var init_walls = __esm({
  "scripts-src/workspace/base/walls.ts"() {
    "use strict";
    import_node_fs18 = require("node:fs");
    import_node_path13 = __toESM(require("node:path"), 1);
    init_files();
    CARRIED = [
      "core.filemode",
      "core.symlinks",
      "core.ignorecase",
      "core.precomposeunicode",
      "core.longpaths",
      "core.sparsecheckout",
      "core.sparsecheckoutcone"
    ];
    REFUSALS = {
      "pre-commit": "no commits in this clone: leave your changes in the files, prun collects them",
      "pre-push": "no pushes from this clone: leave your changes in the files, prun collects them"
    };
  }
});

// scripts-src/workspace/base/git-template.ts
async function makeGitTemplate(folder, part, n, store, finalStore) {
  for (const name2 of ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"]) {
    (0, import_node_fs19.mkdirSync)(import_node_path14.default.join(folder, name2), { recursive: true, mode: PRIVATE_DIR });
  }
  const { source } = part;
  const write = (file, text2) => {
    if (text2.length > 0) (0, import_node_fs19.writeFileSync)(import_node_path14.default.join(folder, file), text2, { mode: PRIVATE_FILE });
  };
  write("HEAD", source.branch === null ? `${part.commit}
` : `ref: refs/heads/${source.branch}
`);
  write("packed-refs", await packedRefs2(part));
  write("config", configOf2(part, n));
  write("shallow", readOptional(import_node_path14.default.join(source.commonDir, "shallow")));
  write("info/attributes", RAW_ATTRIBUTES);
  write("info/exclude", readOptional(import_node_path14.default.join(source.commonDir, "info", "exclude")));
  write("info/sparse-checkout", readOptional(import_node_path14.default.join(source.gitDir, "info", "sparse-checkout")));
  writeAlternates(folder, [import_node_path14.default.join(finalStore, "objects")]);
  writeHooks(import_node_path14.default.join(folder, "hooks"));
  await readCloneIndex({ ...store, indexFile: import_node_path14.default.join(folder, "index") }, part);
}
function gitFolderOf(n) {
  return n === 0 ? ".git" : `.git/modules/prun-${n}`;
}
function wayUp(where) {
  return "../".repeat(textOf(where).split("/").length);
}
function configOf2(part, n) {
  const { source } = part;
  const { objectFormat, settings: settings2, excludesFile } = source;
  const common = { objectFormat, settings: settings2, excludesFile };
  if (n === 0) return cloneConfig({ ...common, hooksPath: ".git/hooks" });
  return cloneConfig({
    ...common,
    hooksPath: `${wayUp(part.path)}${gitFolderOf(n)}/hooks`,
    workTree: `../../../${textOf(part.path)}`
  });
}
async function packedRefs2({ source, commit }) {
  const own2 = source.branch === null ? void 0 : `refs/heads/${source.branch}`;
  const refs = await carriedRefs(source);
  const lines2 = refs.filter(([name2]) => name2 !== latin1(own2)).map(([name2, id]) => `${id} ${name2}
`);
  if (own2 !== void 0) lines2.push(`${commit} ${latin1(own2)}
`);
  return Buffer.from(lines2.join(""), "latin1");
}
async function carriedRefs(source) {
  const entries = Object.entries(source.refs);
  if (entries.every(([name2]) => !name2.startsWith('"'))) {
    return entries.filter(([name2, value]) => CARRIED2.test(name2) && /^[0-9a-f]+$/.test(value)).map(([name2, value]) => [latin1(name2) ?? "", value]);
  }
  const argv2 = ["for-each-ref", "--format=%(objectname) %(symref)%00%(refname)"];
  const output = await gitBytes(sourcePlace(source), [...argv2, "refs/heads", "refs/tags", "refs/remotes"]);
  return output.toString("latin1").split("\n").filter(Boolean).flatMap((line) => {
    const [ids = "", name2 = ""] = line.split("\0");
    const [id = "", symref = ""] = ids.split(" ");
    return symref ? [] : [[name2, id]];
  });
}
function latin1(text2) {
  return text2 === void 0 ? void 0 : Buffer.from(text2, "utf8").toString("latin1");
}
var import_node_fs19, import_node_path14, CARRIED2;
var init_git_template = __esm({
  "scripts-src/workspace/base/git-template.ts"() {
    "use strict";
    import_node_fs19 = require("node:fs");
    import_node_path14 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_files();
    init_git();
    init_read_optional();
    init_base_parts();
    init_object_store();
    init_source_repo();
    init_walls();
    CARRIED2 = /^refs\/(?:heads|tags|remotes)\//;
  }
});

// scripts-src/workspace/base/templates.ts
async function makeTemplates(folder, parts, place, finalStore) {
  (0, import_node_fs20.mkdirSync)(import_node_path15.default.join(folder, SET_FILES.templates), { mode: PRIVATE_DIR });
  for (const [n, part] of parts.entries()) {
    const template = import_node_path15.default.join(folder, SET_FILES.templates, String(n));
    (0, import_node_fs20.mkdirSync)(template, { mode: PRIVATE_DIR });
    await makeGitTemplate(template, part, n, place, finalStore);
    writePartLists(folder, n, part);
  }
}
function writePartLists(folder, n, { links, leftOut }) {
  const unseen = [...links, ...leftOut.map(({ path: where }) => where)];
  if (unseen.length > 0) (0, import_node_fs20.writeFileSync)(unseenFile({ folder }, n), joinPaths(unseen), { mode: PRIVATE_FILE });
  if (leftOut.length > 0) {
    (0, import_node_fs20.writeFileSync)(leftOutFile({ folder }, n), indexLines(leftOut), { mode: PRIVATE_FILE });
  }
}
var import_node_fs20, import_node_path15;
var init_templates = __esm({
  "scripts-src/workspace/base/templates.ts"() {
    "use strict";
    import_node_fs20 = require("node:fs");
    import_node_path15 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_files();
    init_workspace_set();
    init_git_template();
    init_index_entries();
  }
});

// scripts-src/workspace/base/create-set.ts
async function provideSet(stateHome2, source, name2) {
  const id = name2 ?? ownName(source);
  const folder = import_node_path16.default.join(setsFolder(stateHome2), id);
  const there = readSet(folder);
  if (there) return { set: ofSameRepository(there, source), isNew: false };
  if ((0, import_node_fs21.existsSync)(folder)) throw unreadableSet(folder);
  makeSetsFolder(stateHome2);
  removeDeadDrafts(setsFolder(stateHome2));
  const draft = import_node_path16.default.join(setsFolder(stateHome2), `.${id}-${process.pid}-${randomHex(8)}.draft`);
  try {
    (0, import_node_fs21.mkdirSync)(draft, { mode: PRIVATE_DIR });
    await fillSet(draft, folder, id, source);
    return publishSet(draft, folder, source);
  } finally {
    (0, import_node_fs21.rmSync)(draft, { recursive: true, force: true });
  }
}
function publishSet(draft, folder, source) {
  try {
    (0, import_node_fs21.renameSync)(draft, folder);
  } catch (error) {
    const there = readSet(folder);
    if (!there) throw error;
    return { set: ofSameRepository(there, source), isNew: false };
  }
  const set = readSet(folder);
  if (!set) throw unreadableSet(folder);
  return { set, isNew: true };
}
async function fillSet(draft, folder, id, source) {
  const store = import_node_path16.default.join(draft, SET_FILES.store);
  await createStore(store, source);
  const scratch = import_node_path16.default.join(draft, "scratch");
  (0, import_node_fs21.mkdirSync)(scratch, { mode: PRIVATE_DIR });
  const snapshot = await snapshotSource(source, { gitDir: store }, scratch);
  const parts = await commitParts(source, snapshot, { gitDir: store }, scratch);
  const place = await takeModules(draft, store, parts);
  const finalStore = import_node_path16.default.join(folder, SET_FILES.store);
  const [files] = await Promise.all([
    countBaseFiles(place, source.workTree, snapshot.tree),
    makeTemplates(draft, parts, place, finalStore)
  ]);
  (0, import_node_fs21.rmSync)(scratch, { recursive: true });
  const record2 = describeSet(id, source, snapshot, parts, files);
  const write = (file, text2) => (0, import_node_fs21.writeFileSync)(import_node_path16.default.join(draft, file), text2, { mode: PRIVATE_FILE });
  write(SET_FILES.exclude, readOptional(import_node_path16.default.join(source.commonDir, "info", "exclude")));
  write(SET_FILES.note, await baseNote(place, record2, source, snapshot, files.pointers));
  for (const name2 of [SET_FILES.clones, SET_FILES.units]) {
    (0, import_node_fs21.mkdirSync)(import_node_path16.default.join(draft, name2), { mode: PRIVATE_DIR });
  }
  const modules = parts.slice(1).map((_, n) => import_node_path16.default.join(folder, moduleFolder(n + 1), "objects"));
  writeAlternates(store, modules);
  write(SET_FILES.record, `${JSON.stringify(record2, null, 2)}
`);
}
async function takeModules(draft, store, parts) {
  const alternates = [];
  for (const [n, { source }] of parts.entries()) {
    if (n === 0) continue;
    const module2 = import_node_path16.default.join(draft, moduleFolder(n));
    await createStore(module2, source);
    alternates.push(import_node_path16.default.join(module2, "objects"));
  }
  return { gitDir: store, alternates };
}
function moduleFolder(n) {
  return import_node_path16.default.join(SET_FILES.modules, `${n}.git`);
}
function describeSet(id, source, snapshot, parts, files) {
  const { workTree, gitDir, commonDir, objectFormat, head, branch, excludesFile } = source;
  const submodules = parts.slice(1).map(
    (part, n) => ({
      path: pathToJson(part.path),
      commit: part.commit,
      store: moduleFolder(n + 1)
    })
  );
  return {
    schema: WORKSPACE_SCHEMA,
    id,
    createdAt: wallTime(),
    source: { workTree, gitDir, commonDir },
    objectFormat,
    base: {
      tree: snapshot.tree,
      commit: parts[0]?.commit ?? "",
      head,
      branch,
      files: files.count,
      bytes: files.bytes,
      submodules
    },
    excludesFile
  };
}
function ownName({ workTree }) {
  const name2 = import_node_path16.default.basename(workTree).replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40) || "repository";
  const time2 = wallTime().replace(/\..*$/, "").replace(/[-:]/g, "").replace("T", "-");
  return `${name2}-${time2}-${randomHex(4)}`;
}
function ofSameRepository(set, source) {
  const { workTree } = set.record.source;
  if (workTree === source.workTree) return set;
  throw usageError(
    `run ${JSON.stringify(set.record.id)} has its base in ${workTree}, not in ${source.workTree}`,
    "give another name with --run"
  );
}
function unreadableSet(folder) {
  return usageError(
    `${folder} is there and holds no readable ${SET_FILES.record}`,
    "give another name with --run, or look at what is in that folder"
  );
}
function makeSetsFolder(stateHome2) {
  try {
    (0, import_node_fs21.mkdirSync)(setsFolder(stateHome2), { recursive: true, mode: PRIVATE_DIR });
  } catch (error) {
    throw usageError(
      `the state home ${stateHome2} cannot be written (${errnoOf(error) ?? messageOf(error)})`,
      "give another folder with --state-home or PRUN_STATE_HOME"
    );
  }
}
var import_node_fs21, import_node_path16;
var init_create_set = __esm({
  "scripts-src/workspace/base/create-set.ts"() {
    "use strict";
    import_node_fs21 = require("node:fs");
    import_node_path16 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_clock();
    init_errors();
    init_files();
    init_random();
    init_read_optional();
    init_records();
    init_workspace_set();
    init_base_files();
    init_base_note();
    init_base_parts();
    init_dead_drafts();
    init_object_store();
    init_snapshot_source();
    init_templates();
  }
});

// scripts-src/workspace/base/state-home-place.ts
async function refuseStateAmongFiles(source, stateHome2) {
  const where = import_node_path17.default.relative(source.workTree, realPlace(stateHome2));
  if (where === ".." || where.startsWith(`..${import_node_path17.default.sep}`) || import_node_path17.default.isAbsolute(where)) return;
  const names = where === "" ? [] : where.split(import_node_path17.default.sep);
  if (names[0]?.toLowerCase() === ".git") return;
  const folder = bytePathOf(names.join("/"));
  if (liesIn(OWN_FOLDERS, folder)) return;
  const inside = [...names, "workspaces"].join("/");
  refuseWaitingRules(source.workTree, [bytePathOf(inside)]);
  const asked = ["check-ignore", "--quiet", "--", `./${inside}`];
  const { code } = await runGit(sourcePlace(source), asked, { answers: [0, 1, 128] });
  if (code === 0) return;
  throw usageError(
    `the state home ${stateHome2} lies in the working tree of ${source.workTree}, and git does not ignore it: prun's own files would be part of every base`,
    names.length === 0 ? "give a folder elsewhere with --state-home or PRUN_STATE_HOME" : `give a folder elsewhere with --state-home or PRUN_STATE_HOME, or add /${shownPath(folder)}/ to ${import_node_path17.default.join(source.commonDir, "info", "exclude")}`
  );
}
function realPlace(place) {
  try {
    return import_node_fs22.realpathSync.native(place);
  } catch {
    const above = import_node_path17.default.dirname(place);
    return above === place ? place : import_node_path17.default.join(realPlace(above), import_node_path17.default.basename(place));
  }
}
var import_node_fs22, import_node_path17;
var init_state_home_place = __esm({
  "scripts-src/workspace/base/state-home-place.ts"() {
    "use strict";
    import_node_fs22 = require("node:fs");
    import_node_path17 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_errors();
    init_git();
    init_take_files();
    init_snapshot_source();
    init_source_repo();
    init_waiting_rules();
  }
});

// scripts-src/platform/fault.ts
function faultPoint(point, folder) {
  const wanted = process.env.PRUN_FAULT;
  if (!wanted) return;
  const stop = wanted === `${point}:stop`;
  if (!stop && wanted !== point) return;
  try {
    (0, import_node_fs23.closeSync)((0, import_node_fs23.openSync)(import_node_path18.default.join(folder, `.fault-${point.replace(/\W/g, "-")}`), "wx"));
  } catch {
    return;
  }
  process.kill(process.pid, stop ? "SIGSTOP" : "SIGKILL");
}
var import_node_fs23, import_node_path18;
var init_fault = __esm({
  "scripts-src/platform/fault.ts"() {
    "use strict";
    import_node_fs23 = require("node:fs");
    import_node_path18 = __toESM(require("node:path"), 1);
  }
});

// scripts-src/workspace/clone/draft-workspace.ts
function makeDraft(set, unit) {
  refuseTaken(set, unit);
  const name2 = `.${unit}-${process.pid}-${randomHex(8)}.draft`;
  const draft = {
    unit,
    folder: import_node_path19.default.join(set.folder, SET_FILES.clones, name2),
    records: import_node_path19.default.join(set.folder, SET_FILES.units, name2)
  };
  for (const folder of [draft.folder, draft.records]) (0, import_node_fs24.mkdirSync)(folder, { mode: PRIVATE_DIR });
  return draft;
}
function discardDraft({ folder, records }) {
  for (const left of [folder, records]) (0, import_node_fs24.rmSync)(left, { recursive: true, force: true });
}
function publishWorkspace(set, draft, facts) {
  const { unit } = draft;
  const record2 = {
    schema: WORKSPACE_SCHEMA,
    unit,
    set: set.record.id,
    mode: facts.mode,
    folder: cloneFolder(set, unit),
    base: facts.base,
    origin: facts.origin,
    owns: [...facts.owns],
    ports: facts.ports,
    createdAt: wallTime(),
    warm: facts.warm,
    setup: facts.setup
  };
  (0, import_node_fs24.writeFileSync)(import_node_path19.default.join(draft.records, UNIT_FILES.record), `${JSON.stringify(record2, null, 2)}
`, {
    mode: PRIVATE_FILE
  });
  if (facts.mode === "worktree") {
    claimByRename(draft.records, unitFolder(set, unit), set, unit);
    return record2;
  }
  claimByRename(draft.folder, record2.folder, set, unit);
  faultPoint("clone-named", set.folder);
  try {
    claimByRename(draft.records, unitFolder(set, unit), set, unit);
  } catch (error) {
    (0, import_node_fs24.renameSync)(record2.folder, draft.folder);
    throw error;
  }
  return record2;
}
function cloneFolder(set, unit) {
  return import_node_path19.default.join(set.folder, SET_FILES.clones, unit);
}
function claimByRename(from, to, set, unit) {
  try {
    (0, import_node_fs24.renameSync)(from, to);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"].includes(errnoOf(error) ?? "")) throw error;
    refuseTaken(set, unit);
    if ((0, import_node_fs24.existsSync)(to)) throw takenMeanwhile(set, unit);
    throw error;
  }
}
function takenMeanwhile(set, unit) {
  return usageError(
    `unit ${unit} of run ${set.record.id} has a workspace already, which another call is making now`,
    "use that one, or give another --unit"
  );
}
function refuseTaken(set, unit) {
  const folder = unitFolder(set, unit);
  if (!(0, import_node_fs24.existsSync)(folder)) return;
  const there = readWorkspace(set, unit);
  throw usageError(
    `unit ${unit} of run ${set.record.id} has a workspace already: ${there?.folder ?? folder}`,
    there && !(0, import_node_fs24.existsSync)(there.folder) ? `its clone is gone and its delta is kept: give another --unit, such as ${unit}-2` : "use that one, or give another --unit"
  );
}
function rewriteWorkspace(set, record2) {
  const file = import_node_path19.default.join(unitFolder(set, record2.unit), UNIT_FILES.record);
  writeAtomic(file, `${JSON.stringify(record2, null, 2)}
`);
}
function draftsOf(set) {
  return [SET_FILES.clones, SET_FILES.units].flatMap(
    (name2) => (0, import_node_fs24.readdirSync)(import_node_path19.default.join(set.folder, name2)).filter((entry) => entry.startsWith(".") && entry.endsWith(".draft")).map((entry) => import_node_path19.default.join(set.folder, name2, entry))
  );
}
var import_node_fs24, import_node_path19;
var init_draft_workspace = __esm({
  "scripts-src/workspace/clone/draft-workspace.ts"() {
    "use strict";
    import_node_fs24 = require("node:fs");
    import_node_path19 = __toESM(require("node:path"), 1);
    init_clock();
    init_errors();
    init_fault();
    init_files();
    init_random();
    init_records();
    init_workspace_set();
  }
});

// scripts-src/workspace/tripwire/kept-tripwire.ts
function keepTripwire(file, kept) {
  writeAtomic(file, `${JSON.stringify(kept)}
`, { sync: false });
}
function readTripwire(file) {
  try {
    return tripwire.parse(JSON.parse((0, import_node_fs25.readFileSync)(file, "utf8")));
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
var import_node_fs25, texts, tripwire;
var init_kept_tripwire = __esm({
  "scripts-src/workspace/tripwire/kept-tripwire.ts"() {
    "use strict";
    import_node_fs25 = require("node:fs");
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

// scripts-src/workspace/clone/write-files.ts
async function writeFiles(place, writers) {
  const settings2 = { "checkout.workers": String(writers), "checkout.thresholdForParallelism": "100" };
  await runGit({ ...place, config: settings2 }, ["checkout-index", "--all", "--force", "--index", "--quiet"]);
}
async function keepIndex(place, to, unseen, objectFormat) {
  (0, import_node_fs26.cpSync)(place.indexFile, to, { preserveTimestamps: true });
  await changeEntries(
    { ...place, indexFile: to },
    unseen.map((path79) => ({ path: path79 })),
    nullIdOf(objectFormat)
  );
}
var import_node_fs26;
var init_write_files = __esm({
  "scripts-src/workspace/clone/write-files.ts"() {
    "use strict";
    import_node_fs26 = require("node:fs");
    init_git();
    init_index_entries();
  }
});

// scripts-src/workspace/clone/make-worktree.ts
function worktreeBranch(set, unit) {
  return `prun/${set.id}/${unit}`;
}
function ownerPlace({ source }) {
  return { gitDir: source.gitDir, asUser: true };
}
async function addWorktree(set, base, unit) {
  const { source } = set.record;
  const { head } = base.record;
  if (head === null) {
    throw usageError(
      `${source.workTree} has no commit yet, and a worktree needs one`,
      "leave --worktree out: a clone works without commits"
    );
  }
  const branch = worktreeBranch(set.record, unit);
  try {
    const argv2 = ["worktree", "add", "--no-checkout", "--quiet", "-b", branch, cloneFolder(set, unit), head];
    await runGit(ownerPlace(set.record), argv2);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    refuseTaken(set, unit);
    if ((0, import_node_fs27.existsSync)(cloneFolder(set, unit))) throw takenMeanwhile(set, unit);
    throw usageError(
      `no worktree on branch ${branch} can be added (${error.stderr.trim().split("\n").at(-1)})`,
      "give another --run or --unit, or remove that branch"
    );
  }
}
async function fillWorktree(set, base, draft, writers) {
  const { record: record2 } = set;
  const { unit, records } = draft;
  const folder = cloneFolder(set, unit);
  const submodules = base.record.submodules.map(({ path: where }) => pathFromJson(where));
  for (const [n, where] of [void 0, ...submodules].entries()) {
    const template = import_node_path20.default.join(base.folder, SET_FILES.templates, String(n));
    const workTree = where === void 0 ? folder : folderAt(folder, where);
    const indexFile = import_node_path20.default.join(records, `checkout-${n}`);
    (0, import_node_fs27.cpSync)(import_node_path20.default.join(template, "index"), indexFile);
    (0, import_node_fs27.mkdirSync)(workTree, { recursive: true });
    const place = { gitDir: storeOf(set), workTree, indexFile };
    await writeFiles(place, writers);
    await keepIndex(
      place,
      import_node_path20.default.join(records, `index-${n}`),
      splitPaths(readOptional(unseenFile(base, n))),
      record2.objectFormat
    );
    (0, import_node_fs27.rmSync)(indexFile);
    if (where === void 0) continue;
    const inside = gitFolderOf(n);
    adoptSubmodule(template, import_node_path20.default.join(records, inside), import_node_path20.default.join(unitFolder(set, unit), inside), workTree);
  }
  await runGit({ cwd: folder, asUser: true }, ["read-tree", "HEAD"]);
}
function adoptSubmodule(template, draft, gitDir, workTree) {
  (0, import_node_fs27.mkdirSync)(import_node_path20.default.dirname(draft), { recursive: true, mode: PRIVATE_DIR });
  (0, import_node_fs27.cpSync)(template, draft, { recursive: true });
  const config2 = import_node_path20.default.join(draft, "config");
  const absolute2 = {
    worktree: workTree,
    hooksPath: import_node_path20.default.join(gitDir, "hooks")
  };
  const text2 = (0, import_node_fs27.readFileSync)(config2, "utf8").replace(
    /^\t(worktree|hooksPath) = .*$/gm,
    (_, key) => `	${key} = ${quotedValue(absolute2[key] ?? "")}`
  );
  (0, import_node_fs27.writeFileSync)(config2, text2, { mode: PRIVATE_FILE });
  (0, import_node_fs27.writeFileSync)(import_node_path20.default.join(workTree, ".git"), `gitdir: ${gitDir.replaceAll("\\", "/")}
`);
}
var import_node_fs27, import_node_path20;
var init_make_worktree = __esm({
  "scripts-src/workspace/clone/make-worktree.ts"() {
    "use strict";
    import_node_fs27 = require("node:fs");
    import_node_path20 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_errors();
    init_files();
    init_git();
    init_git_template();
    init_snapshot_source();
    init_walls();
    init_read_optional();
    init_workspace_set();
    init_draft_workspace();
    init_write_files();
  }
});

// scripts-src/workspace/clone/own-commits.ts
async function ownCommits(place, branch, tip, heads) {
  const known2 = heads.flatMap((head) => head === null ? [] : [`^${head}`]);
  const others = ["--not", `--exclude=refs/heads/${branch}`, "--all"];
  return Number(await gitText(place, ["rev-list", "--count", "--ignore-missing", tip, ...known2, ...others]));
}
var init_own_commits = __esm({
  "scripts-src/workspace/clone/own-commits.ts"() {
    "use strict";
    init_git();
  }
});

// scripts-src/workspace/clone/clear-leftovers.ts
async function clearLeftovers(set, own2, head) {
  if (mayHaveLeftovers(set, own2)) await removeUnpublished(set, own2.unit, head);
  for (const name2 of [SET_FILES.clones, SET_FILES.units]) removeDeadDrafts(import_node_path21.default.join(set.folder, name2));
}
function mayHaveLeftovers(set, own2) {
  const { unit } = own2;
  const drafts = draftsIn(import_node_path21.default.join(set.folder, SET_FILES.units)).filter(
    ({ what, file }) => what === unit && file !== own2.records
  );
  if ((0, import_node_fs28.existsSync)(unitFolder(set, unit)) || drafts.some(({ isDead }) => !isDead)) return false;
  return drafts.length > 0 || (0, import_node_fs28.existsSync)(cloneFolder(set, unit));
}
async function removeUnpublished(set, unit, head) {
  const clones = import_node_path21.default.join(set.folder, SET_FILES.clones);
  const folder = cloneFolder(set, unit);
  const aside = import_node_path21.default.join(clones, `.${unit}-${process.pid}-${randomHex(8)}.draft`);
  (0, import_node_fs28.mkdirSync)(aside, { mode: PRIVATE_DIR });
  try {
    if ((0, import_node_fs28.existsSync)(folder)) (0, import_node_fs28.renameSync)(folder, import_node_path21.default.join(aside, "files"));
    if (head !== null) await removeEntry(set, unit, folder, head);
  } finally {
    (0, import_node_fs28.rmSync)(aside, { recursive: true, force: true, maxRetries: 5 });
  }
}
async function removeEntry(set, unit, folder, head) {
  const place = ownerPlace(set.record);
  const branch = worktreeBranch(set.record, unit);
  await runGit(place, ["worktree", "remove", "--force", "--force", folder], { answers: [0, 128] });
  const tip = await revision(place, `refs/heads/${branch}`);
  if (tip === null || await ownCommits(place, branch, tip, [head, set.record.base.head]) > 0) return;
  try {
    await runGit(place, ["branch", "--delete", "--force", branch]);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
  }
}
var import_node_fs28, import_node_path21;
var init_clear_leftovers = __esm({
  "scripts-src/workspace/clone/clear-leftovers.ts"() {
    "use strict";
    import_node_fs28 = require("node:fs");
    import_node_path21 = __toESM(require("node:path"), 1);
    init_files();
    init_git();
    init_random();
    init_dead_drafts();
    init_source_repo();
    init_workspace_set();
    init_draft_workspace();
    init_make_worktree();
    init_own_commits();
  }
});

// scripts-src/workspace/clone/make-clone.ts
async function fillClone(set, base, draft, writers) {
  const { folder, records } = draft;
  const submodules = base.record.submodules.map(({ path: where }) => pathFromJson(where));
  for (const [n, where] of [void 0, ...submodules].entries()) {
    const gitDir = import_node_path22.default.join(folder, gitFolderOf(n));
    (0, import_node_fs29.cpSync)(import_node_path22.default.join(base.folder, SET_FILES.templates, String(n)), gitDir, { recursive: true });
    const workTree = where === void 0 ? folder : folderAt(folder, where);
    if (where !== void 0) {
      (0, import_node_fs29.mkdirSync)(workTree, { recursive: true });
      (0, import_node_fs29.writeFileSync)(import_node_path22.default.join(workTree, ".git"), `gitdir: ${wayUp(where)}${gitFolderOf(n)}
`);
    }
    const place = { gitDir, workTree, indexFile: import_node_path22.default.join(gitDir, "index") };
    await writeFiles(place, writers);
    await keepIndex(
      place,
      import_node_path22.default.join(records, `index-${n}`),
      splitPaths(readOptional(unseenFile(base, n))),
      set.record.objectFormat
    );
  }
}
var import_node_fs29, import_node_path22;
var init_make_clone = __esm({
  "scripts-src/workspace/clone/make-clone.ts"() {
    "use strict";
    import_node_fs29 = require("node:fs");
    import_node_path22 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_git_template();
    init_snapshot_source();
    init_read_optional();
    init_workspace_set();
    init_write_files();
  }
});

// scripts-src/workspace/clone/make-workspaces.ts
async function makeWorkspaces(set, request) {
  const processors = Math.max(1, import_node_os.default.availableParallelism());
  const atOnce = Math.min(request.units.length, processors, 8);
  const writers = Math.max(1, Math.floor(processors / atOnce));
  const repository = takeTripwire(set.record.source);
  const made = [];
  let next = 0;
  let told = 0;
  const failures = [];
  const worker = async () => {
    while (next < request.units.length && failures.length === 0 && !request.stop?.aborted) {
      const n = next++;
      const unit = request.units[n];
      if (!unit) return;
      try {
        made[n] = await makeWorkspace(set, request, unit, { writers, repository });
        for (let record2 = made[told]; record2; record2 = made[told]) {
          told++;
          request.onMade?.(record2);
        }
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
  return made.filter(Boolean);
}
async function makeWorkspace(set, request, { unit, owns }, { writers, repository }) {
  const { mode, claimPorts: claimPorts2 } = request;
  const base = request.base ?? setBase(set);
  const draft = makeDraft(set, unit);
  try {
    await clearLeftovers(set, draft, base.record.head);
    keepTripwire(import_node_path23.default.join(draft.records, UNIT_FILES.repository), repository);
    if (request.base) keepBase(request.base, import_node_path23.default.join(draft.records, UNIT_FILES.base));
    if (mode === "clone") await fillClone(set, base, draft, writers);
    const ports = await claimPorts2(cloneFolder(set, unit));
    const facts = {
      mode,
      base: base.record.tree,
      origin: request.base?.origin ?? null,
      owns: [...owns],
      ports,
      warm: [...request.warm],
      setup: null
    };
    if (mode === "clone") return publishWorkspace(set, draft, facts);
    await addWorktree(set, base, unit);
    try {
      await fillWorktree(set, base, draft, writers);
      return publishWorkspace(set, draft, facts);
    } catch (error) {
      await removeUnpublished(set, unit, base.record.head);
      throw error;
    }
  } finally {
    discardDraft(draft);
  }
}
function keepBase({ folder }, to) {
  const templates = import_node_path23.default.join(folder, SET_FILES.templates);
  (0, import_node_fs30.cpSync)(folder, to, {
    recursive: true,
    filter: (file) => import_node_path23.default.basename(file) !== "index" || import_node_path23.default.dirname(import_node_path23.default.dirname(file)) !== templates
  });
}
var import_node_fs30, import_node_os, import_node_path23;
var init_make_workspaces = __esm({
  "scripts-src/workspace/clone/make-workspaces.ts"() {
    "use strict";
    import_node_fs30 = require("node:fs");
    import_node_os = __toESM(require("node:os"), 1);
    import_node_path23 = __toESM(require("node:path"), 1);
    init_kept_tripwire();
    init_tripwire();
    init_workspace_set();
    init_clear_leftovers();
    init_draft_workspace();
    init_make_clone();
    init_make_worktree();
  }
});

// scripts-src/workspace/tripwire/repository-change.ts
function changeLine({ what, name: name2, change: change2, before, after }) {
  const subject = what === name2 ? name2 : `${what} ${name2}`;
  const [from, to] = [shortened(before), shortened(after)];
  if (from && to) return `${subject} ${change2} (${from} to ${to})`;
  if (from) return `${subject} ${change2} (was ${from})`;
  return to ? `${subject} ${change2} (${to})` : `${subject} ${change2}`;
}
function shortened(value) {
  return value?.replace(/^([0-9a-f]{12})[0-9a-f]{20,}$/, "$1");
}
var init_repository_change = __esm({
  "scripts-src/workspace/tripwire/repository-change.ts"() {
    "use strict";
  }
});

// scripts-src/workspace/delta/patch-file.ts
async function writePatch(store, header, moves, file) {
  const temporary = temporaryBeside(file);
  const fd = (0, import_node_fs31.openSync)(temporary, "ax", PRIVATE_FILE);
  let isOpen = true;
  try {
    writeText(fd, headerText(header));
    await runGit(store, diffArguments(header), { stdoutFd: fd });
    for (const move of moves) writeText(fd, moveText(move));
    (0, import_node_fs31.fsyncSync)(fd);
    const { size } = (0, import_node_fs31.fstatSync)(fd);
    (0, import_node_fs31.closeSync)(fd);
    isOpen = false;
    renameRetrying(temporary, file);
    return size;
  } finally {
    if (isOpen) (0, import_node_fs31.closeSync)(fd);
    (0, import_node_fs31.rmSync)(temporary, { force: true });
  }
}
function readPatchHeader(file) {
  const text2 = readBeginning(file).toString("utf8");
  if (!/^prun delta \d/.test(text2)) {
    if (text2 !== "" && FIRST_LINE.startsWith(text2)) throw damaged(file, "it ends within its first line");
    return void 0;
  }
  const [first = "", ...lines2] = text2.split(/\r?\n/);
  if (first !== FIRST_LINE) {
    throw usageError(
      `${file} begins with ${JSON.stringify(first.slice(0, 40))}`,
      "use the newer prun that wrote it"
    );
  }
  const [unit, set, base, result, quotedStore] = ["unit", "set", "base", "result", "store"].map((key, at2) => {
    const line = lines2[at2] ?? "";
    if (!line.startsWith(`${key}: `)) throw damaged(file, `its ${key} is missing`);
    return line.slice(key.length + 2);
  });
  if (lines2[5] !== "") throw damaged(file, "it does not end with an empty line");
  return {
    unit: checked(file, "unit", unit, /^[\w-]+$/),
    set: checked(file, "set", set, /^\w[\w.-]*$/),
    base: checked(file, "base", base, TREE_ID),
    result: checked(file, "result", result, TREE_ID),
    store: storeOf2(file, quotedStore ?? "")
  };
}
function headerText({ unit, set, base, result, store }) {
  return `${FIRST_LINE}
unit: ${unit}
set: ${set}
base: ${base}
result: ${result}
store: ${JSON.stringify(store)}

`;
}
function diffArguments({ base, result }) {
  return [...PATCH_DIFF, base, result];
}
function moveText({ path: where, base, result }) {
  const [from, to] = [prefixed("a", where), prefixed("b", where)];
  const tab = where.includes(" ") ? "	" : "";
  if (result === null) {
    return [
      `diff --git ${from} ${to}`,
      "deleted file mode 160000",
      `index ${base}..${"0".repeat(base.length)}`,
      `--- ${from}${tab}`,
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      `-Subproject commit ${base}`,
      ""
    ].join("\n");
  }
  return [
    `diff --git ${from} ${to}`,
    `index ${base}..${result} 160000`,
    `--- ${from}${tab}`,
    `+++ ${to}${tab}`,
    "@@ -1 +1 @@",
    `-Subproject commit ${base}`,
    `+Subproject commit ${result}`,
    ""
  ].join("\n");
}
function prefixed(prefix, where) {
  const whole = `${prefix}/${where}`;
  return /[^ -~]|["\\]/.test(where) ? quotedPath(whole) : whole;
}
function writeText(fd, text2) {
  let rest = Buffer.from(text2, "utf8");
  while (rest.length > 0) rest = rest.subarray((0, import_node_fs31.writeSync)(fd, rest));
}
function readBeginning(file) {
  let fd;
  try {
    fd = openForReading(file);
    const stat = (0, import_node_fs31.fstatSync)(fd);
    if ((stat.mode & import_node_fs31.constants.S_IFMT) !== import_node_fs31.constants.S_IFREG) {
      throw usageError(`${file} is no file`, "give the patch of a unit, as prun collect printed it");
    }
    return readRange(fd, 0, Math.min(stat.size, HEADER_LIMIT));
  } catch (error) {
    if (error instanceof PrunError) throw error;
    const what = errnoOf(error) === "ENOENT" ? "does not exist" : `cannot be read (${messageOf(error)})`;
    throw usageError(`patch ${file} ${what}`, "give the path of a PATCH line of prun collect");
  } finally {
    if (fd !== void 0) (0, import_node_fs31.closeSync)(fd);
  }
}
function checked(file, key, value, form) {
  if (value !== void 0 && form.test(value)) return value;
  throw damaged(file, `its ${key} is ${JSON.stringify((value ?? "").slice(0, 80))}`);
}
function storeOf2(file, quoted2) {
  let store;
  try {
    store = JSON.parse(quoted2);
  } catch {
    throw damaged(file, "its store is no JSON string");
  }
  if (typeof store !== "string" || !import_node_path24.default.isAbsolute(store))
    throw damaged(file, "its store is no absolute path");
  return store;
}
function damaged(file, what) {
  return usageError(`the header of ${file} is damaged (${what})`, COLLECT_AGAIN);
}
var import_node_fs31, import_node_path24, FIRST_LINE, HEADER_LIMIT, COLLECT_AGAIN, TREE_ID, PATCH_DIFF;
var init_patch_file = __esm({
  "scripts-src/workspace/delta/patch-file.ts"() {
    "use strict";
    import_node_fs31 = require("node:fs");
    import_node_path24 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_errors();
    init_files();
    init_git();
    FIRST_LINE = "prun delta 1";
    HEADER_LIMIT = 65536;
    COLLECT_AGAIN = "collect the delta again: prun collect <clone> --patch <file>";
    TREE_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
    PATCH_DIFF = [
      ...["diff-tree", "-r", "-p", "--binary", "--full-index", "--no-ext-diff", "--no-textconv", "--no-color"],
      ...["-M", "--src-prefix=a/", "--dst-prefix=b/"]
    ];
  }
});

// scripts-src/workspace/delta/load-delta.ts
async function loadDelta(patchFile) {
  const [delta] = await loadDeltas([patchFile]);
  if (!delta) throw new Error("no delta was loaded");
  return delta;
}
async function loadDeltas(patchFiles) {
  const patches = patchFiles.map((name2) => {
    const file = import_node_path25.default.resolve(name2);
    return { file, header: headerOf(file) };
  });
  const byStore = /* @__PURE__ */ new Map();
  for (const patch of patches) {
    byStore.set(patch.header.store, [...byStore.get(patch.header.store) ?? [], patch]);
  }
  const deltas = /* @__PURE__ */ new Map();
  for (const inStore of byStore.values()) {
    for (const delta of await loadFromStore(inStore)) deltas.set(delta.patchFile, delta);
  }
  return patches.flatMap(({ file }) => deltas.get(file) ?? []);
}
async function changedFiles2(place, base, result) {
  if (base === result) return [];
  const diffs = parseRawDiffs(await gitBytes(place, [...RAW_DIFF, base, result]));
  return diffs.get("") ?? [];
}
function parseRawDiffs(output) {
  const words = output.toString("latin1").split("\0");
  const diffs = /* @__PURE__ */ new Map();
  let files;
  for (let at2 = 0; at2 < words.length; at2 += 2) {
    const headers = (words[at2] ?? "").split("\n");
    const change2 = headers.pop() ?? "";
    for (const trees of headers) {
      files = [];
      diffs.set(trees, files);
    }
    if (change2 === "") continue;
    if (files === void 0) {
      files = [];
      diffs.set("", files);
    }
    const [oldMode, newMode, oldId, newId2] = change2.slice(1).split(" ");
    const present = (value) => value === void 0 || /^0+$/.test(value) ? null : value;
    files.push({
      path: words[at2 + 1] ?? "",
      oldMode: present(oldMode),
      newMode: present(newMode),
      oldId: present(oldId),
      newId: present(newId2)
    });
  }
  return diffs;
}
function headerOf(file) {
  const header = readPatchHeader(file);
  if (header !== void 0) return header;
  throw usageError(
    `${file} is no patch of prun collect`,
    "make one with: prun collect <clone> --patch <file>; a patch of other origin goes in with git apply"
  );
}
async function loadFromStore(patches) {
  const [first] = patches;
  if (!first) return [];
  const place = storeOfPatch(first.header, first.file);
  const input = patches.map(({ header }) => `${header.base} ${header.result}
`).join("");
  const diffs = await readDiffs(place, input, first);
  return patches.map(({ file, header }) => {
    const files = diffs.get(`${header.base} ${header.result}`);
    if (files === void 0) {
      throw new PrunError(
        "E_TREE_MISSING",
        `the store of ${file} lacks the trees of its header, ${header.base} and ${header.result} (${header.store})`,
        `collect unit ${header.unit} again: prun collect <clone> --patch ${file}`
      );
    }
    const { unit, base, result, store } = header;
    const lineage = lineageOf(header);
    return { unit, base, result, store, files, owns: ownedBy(header), lineage, patchFile: file };
  });
}
async function readDiffs(place, input, { file, header }) {
  try {
    return parseRawDiffs(await gitBytes(place, [...RAW_DIFF, "--stdin"], { input }));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new PrunError(
      "E_STORE_DAMAGED",
      `the store of ${file} cannot be read (${error.message})`,
      `see ${header.store}, and collect its units again`
    );
  }
}
function storeOfPatch({ store, unit }, file) {
  if ((0, import_node_fs32.statSync)(import_node_path25.default.join(store, "objects"), { throwIfNoEntry: false })?.isDirectory()) {
    return { gitDir: store };
  }
  throw new PrunError(
    "E_STORE_GONE",
    `the store of ${file} has gone (${store})`,
    `collect unit ${unit} again; without its clone: git apply --3way ${file} in a clean working tree`
  );
}
function ownedBy({ store, unit }) {
  const record2 = import_node_path25.default.join(import_node_path25.default.dirname(store), "units", unit, "workspace.json");
  const text2 = readOptional(record2).toString("utf8");
  if (text2 === "") return [];
  let json;
  try {
    json = JSON.parse(text2);
  } catch {
    json = void 0;
  }
  const parsed2 = ownership.safeParse(json);
  if (parsed2.success) return parsed2.data.owns;
  throw new PrunError("E_RECORD", `${record2} is damaged`, `make the workspace of unit ${unit} again`);
}
function lineageOf({ store, unit, base }) {
  const set = import_node_path25.default.dirname(store);
  const records = [unitFolder({ folder: set }, unit), ...earlierFolders({ folder: set }, unit)];
  for (const folder of records) {
    const known2 = readBaseOf(import_node_path25.default.join(folder, UNIT_FILES.record));
    if (known2?.base === base && known2.origin) return known2.origin.lineage;
  }
  return null;
}
function readBaseOf(file) {
  try {
    return originOnly.safeParse(JSON.parse(readOptional(file).toString("utf8"))).data;
  } catch {
    return void 0;
  }
}
var import_node_fs32, import_node_path25, RAW_DIFF, ownership, originOnly;
var init_load_delta = __esm({
  "scripts-src/workspace/delta/load-delta.ts"() {
    "use strict";
    import_node_fs32 = require("node:fs");
    import_node_path25 = __toESM(require("node:path"), 1);
    init_mini();
    init_errors();
    init_git();
    init_read_optional();
    init_workspace_set();
    init_patch_file();
    RAW_DIFF = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames"];
    ownership = object({ owns: array(string2()) });
    originOnly = object({
      base: string2(),
      origin: optional(nullable(object({ lineage: string2() })))
    });
  }
});

// node_modules/picomatch/lib/constants.js
var require_constants = __commonJS({
  "node_modules/picomatch/lib/constants.js"(exports2, module2) {
    "use strict";
    var WIN_SLASH = "\\\\/";
    var WIN_NO_SLASH = `[^${WIN_SLASH}]`;
    var DEFAULT_MAX_EXTGLOB_RECURSION = 0;
    var DOT_LITERAL = "\\.";
    var PLUS_LITERAL = "\\+";
    var QMARK_LITERAL = "\\?";
    var SLASH_LITERAL = "\\/";
    var ONE_CHAR = "(?=.)";
    var QMARK = "[^/]";
    var END_ANCHOR = `(?:${SLASH_LITERAL}|$)`;
    var START_ANCHOR = `(?:^|${SLASH_LITERAL})`;
    var DOTS_SLASH = `${DOT_LITERAL}{1,2}${END_ANCHOR}`;
    var NO_DOT = `(?!${DOT_LITERAL})`;
    var NO_DOTS = `(?!${START_ANCHOR}${DOTS_SLASH})`;
    var NO_DOT_SLASH = `(?!${DOT_LITERAL}{0,1}${END_ANCHOR})`;
    var NO_DOTS_SLASH = `(?!${DOTS_SLASH})`;
    var QMARK_NO_DOT = `[^.${SLASH_LITERAL}]`;
    var STAR = `${QMARK}*?`;
    var SEP = "/";
    var POSIX_CHARS = {
      DOT_LITERAL,
      PLUS_LITERAL,
      QMARK_LITERAL,
      SLASH_LITERAL,
      ONE_CHAR,
      QMARK,
      END_ANCHOR,
      DOTS_SLASH,
      NO_DOT,
      NO_DOTS,
      NO_DOT_SLASH,
      NO_DOTS_SLASH,
      QMARK_NO_DOT,
      STAR,
      START_ANCHOR,
      SEP
    };
    var WINDOWS_CHARS = {
      ...POSIX_CHARS,
      SLASH_LITERAL: `[${WIN_SLASH}]`,
      QMARK: WIN_NO_SLASH,
      STAR: `${WIN_NO_SLASH}*?`,
      DOTS_SLASH: `${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$)`,
      NO_DOT: `(?!${DOT_LITERAL})`,
      NO_DOTS: `(?!(?:^|[${WIN_SLASH}])${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$))`,
      NO_DOT_SLASH: `(?!${DOT_LITERAL}{0,1}(?:[${WIN_SLASH}]|$))`,
      NO_DOTS_SLASH: `(?!${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$))`,
      QMARK_NO_DOT: `[^.${WIN_SLASH}]`,
      START_ANCHOR: `(?:^|[${WIN_SLASH}])`,
      END_ANCHOR: `(?:[${WIN_SLASH}]|$)`,
      SEP: "\\"
    };
    var POSIX_REGEX_SOURCE = {
      __proto__: null,
      alnum: "a-zA-Z0-9",
      alpha: "a-zA-Z",
      ascii: "\\x00-\\x7F",
      blank: " \\t",
      cntrl: "\\x00-\\x1F\\x7F",
      digit: "0-9",
      graph: "\\x21-\\x7E",
      lower: "a-z",
      print: "\\x20-\\x7E ",
      punct: "\\-!\"#$%&'()\\*+,./:;<=>?@[\\]^_`{|}~",
      space: " \\t\\r\\n\\v\\f",
      upper: "A-Z",
      word: "A-Za-z0-9_",
      xdigit: "A-Fa-f0-9"
    };
    module2.exports = {
      DEFAULT_MAX_EXTGLOB_RECURSION,
      MAX_LENGTH: 1024 * 64,
      POSIX_REGEX_SOURCE,
      // regular expressions
      REGEX_BACKSLASH: /\\(?![*+?^${}(|)[\]])/g,
      REGEX_NON_SPECIAL_CHARS: /^[^@![\].,$*+?^{}()|\\/]+/,
      REGEX_SPECIAL_CHARS: /[-*+?.^${}(|)[\]]/,
      REGEX_SPECIAL_CHARS_BACKREF: /(\\?)((\W)(\3*))/g,
      REGEX_SPECIAL_CHARS_GLOBAL: /([-*+?.^${}(|)[\]])/g,
      REGEX_REMOVE_BACKSLASH: /(?:\[.*?[^\\]\]|\\(?=.))/g,
      // Replace globs with equivalent patterns to reduce parsing time.
      REPLACEMENTS: {
        __proto__: null,
        "***": "*",
        "**/**": "**",
        "**/**/**": "**"
      },
      // Digits
      CHAR_0: 48,
      /* 0 */
      CHAR_9: 57,
      /* 9 */
      // Alphabet chars.
      CHAR_UPPERCASE_A: 65,
      /* A */
      CHAR_LOWERCASE_A: 97,
      /* a */
      CHAR_UPPERCASE_Z: 90,
      /* Z */
      CHAR_LOWERCASE_Z: 122,
      /* z */
      CHAR_LEFT_PARENTHESES: 40,
      /* ( */
      CHAR_RIGHT_PARENTHESES: 41,
      /* ) */
      CHAR_ASTERISK: 42,
      /* * */
      // Non-alphabetic chars.
      CHAR_AMPERSAND: 38,
      /* & */
      CHAR_AT: 64,
      /* @ */
      CHAR_BACKWARD_SLASH: 92,
      /* \ */
      CHAR_CARRIAGE_RETURN: 13,
      /* \r */
      CHAR_CIRCUMFLEX_ACCENT: 94,
      /* ^ */
      CHAR_COLON: 58,
      /* : */
      CHAR_COMMA: 44,
      /* , */
      CHAR_DOT: 46,
      /* . */
      CHAR_DOUBLE_QUOTE: 34,
      /* " */
      CHAR_EQUAL: 61,
      /* = */
      CHAR_EXCLAMATION_MARK: 33,
      /* ! */
      CHAR_FORM_FEED: 12,
      /* \f */
      CHAR_FORWARD_SLASH: 47,
      /* / */
      CHAR_GRAVE_ACCENT: 96,
      /* ` */
      CHAR_HASH: 35,
      /* # */
      CHAR_HYPHEN_MINUS: 45,
      /* - */
      CHAR_LEFT_ANGLE_BRACKET: 60,
      /* < */
      CHAR_LEFT_CURLY_BRACE: 123,
      /* { */
      CHAR_LEFT_SQUARE_BRACKET: 91,
      /* [ */
      CHAR_LINE_FEED: 10,
      /* \n */
      CHAR_NO_BREAK_SPACE: 160,
      /* \u00A0 */
      CHAR_PERCENT: 37,
      /* % */
      CHAR_PLUS: 43,
      /* + */
      CHAR_QUESTION_MARK: 63,
      /* ? */
      CHAR_RIGHT_ANGLE_BRACKET: 62,
      /* > */
      CHAR_RIGHT_CURLY_BRACE: 125,
      /* } */
      CHAR_RIGHT_SQUARE_BRACKET: 93,
      /* ] */
      CHAR_SEMICOLON: 59,
      /* ; */
      CHAR_SINGLE_QUOTE: 39,
      /* ' */
      CHAR_SPACE: 32,
      /*   */
      CHAR_TAB: 9,
      /* \t */
      CHAR_UNDERSCORE: 95,
      /* _ */
      CHAR_VERTICAL_LINE: 124,
      /* | */
      CHAR_ZERO_WIDTH_NOBREAK_SPACE: 65279,
      /* \uFEFF */
      /**
       * Create EXTGLOB_CHARS
       */
      extglobChars(chars) {
        return {
          "!": { type: "negate", open: "(?:(?!(?:", close: `))${chars.STAR})` },
          "?": { type: "qmark", open: "(?:", close: ")?" },
          "+": { type: "plus", open: "(?:", close: ")+" },
          "*": { type: "star", open: "(?:", close: ")*" },
          "@": { type: "at", open: "(?:", close: ")" }
        };
      },
      /**
       * Create GLOB_CHARS
       */
      globChars(win32) {
        return win32 === true ? WINDOWS_CHARS : POSIX_CHARS;
      }
    };
  }
});

// node_modules/picomatch/lib/utils.js
var require_utils = __commonJS({
  "node_modules/picomatch/lib/utils.js"(exports2) {
    "use strict";
    var {
      REGEX_BACKSLASH,
      REGEX_REMOVE_BACKSLASH,
      REGEX_SPECIAL_CHARS,
      REGEX_SPECIAL_CHARS_GLOBAL
    } = require_constants();
    exports2.isObject = (val) => val !== null && typeof val === "object" && !Array.isArray(val);
    exports2.hasRegexChars = (str) => REGEX_SPECIAL_CHARS.test(str);
    exports2.isRegexChar = (str) => str.length === 1 && exports2.hasRegexChars(str);
    exports2.escapeRegex = (str) => str.replace(REGEX_SPECIAL_CHARS_GLOBAL, "\\$1");
    exports2.toPosixSlashes = (str) => str.replace(REGEX_BACKSLASH, "/");
    exports2.isWindows = () => {
      if (typeof navigator !== "undefined" && navigator.platform) {
        const platform = navigator.platform.toLowerCase();
        return platform === "win32" || platform === "windows";
      }
      if (typeof process !== "undefined" && process.platform) {
        return process.platform === "win32";
      }
      return false;
    };
    exports2.removeBackslashes = (str) => {
      return str.replace(REGEX_REMOVE_BACKSLASH, (match) => {
        return match === "\\" ? "" : match;
      });
    };
    exports2.escapeLast = (input, char, lastIdx) => {
      const idx = input.lastIndexOf(char, lastIdx);
      if (idx === -1) return input;
      if (input[idx - 1] === "\\") return exports2.escapeLast(input, char, idx - 1);
      return `${input.slice(0, idx)}\\${input.slice(idx)}`;
    };
    exports2.removePrefix = (input, state = {}) => {
      let output = input;
      if (output.startsWith("./")) {
        output = output.slice(2);
        state.prefix = "./";
      }
      return output;
    };
    exports2.wrapOutput = (input, state = {}, options = {}) => {
      const prepend = options.contains ? "" : "^";
      const append = options.contains ? "" : "$";
      let output = `${prepend}(?:${input})${append}`;
      if (state.negated === true) {
        output = `(?:^(?!${output}).*$)`;
      }
      return output;
    };
    exports2.basename = (path79, { windows } = {}) => {
      const segs = path79.split(windows ? /[\\/]/ : "/");
      const last = segs[segs.length - 1];
      if (last === "") {
        return segs[segs.length - 2];
      }
      return last;
    };
  }
});

// node_modules/picomatch/lib/scan.js
var require_scan = __commonJS({
  "node_modules/picomatch/lib/scan.js"(exports2, module2) {
    "use strict";
    var utils = require_utils();
    var {
      CHAR_ASTERISK,
      /* * */
      CHAR_AT,
      /* @ */
      CHAR_BACKWARD_SLASH,
      /* \ */
      CHAR_COMMA,
      /* , */
      CHAR_DOT,
      /* . */
      CHAR_EXCLAMATION_MARK,
      /* ! */
      CHAR_FORWARD_SLASH,
      /* / */
      CHAR_LEFT_CURLY_BRACE,
      /* { */
      CHAR_LEFT_PARENTHESES,
      /* ( */
      CHAR_LEFT_SQUARE_BRACKET,
      /* [ */
      CHAR_PLUS,
      /* + */
      CHAR_QUESTION_MARK,
      /* ? */
      CHAR_RIGHT_CURLY_BRACE,
      /* } */
      CHAR_RIGHT_PARENTHESES,
      /* ) */
      CHAR_RIGHT_SQUARE_BRACKET
      /* ] */
    } = require_constants();
    var isPathSeparator = (code) => {
      return code === CHAR_FORWARD_SLASH || code === CHAR_BACKWARD_SLASH;
    };
    var depth2 = (token) => {
      if (token.isPrefix !== true) {
        token.depth = token.isGlobstar ? Infinity : 1;
      }
    };
    var scan = (input, options) => {
      const opts = options || {};
      const length = input.length - 1;
      const scanToEnd = opts.parts === true || opts.tokens === true || opts.scanToEnd === true;
      const slashes = [];
      const tokens = [];
      const parts = [];
      let str = input;
      let index = -1;
      let start = 0;
      let lastIndex = 0;
      let isBrace = false;
      let isBracket = false;
      let isGlob = false;
      let isExtglob = false;
      let isGlobstar = false;
      let braceEscaped = false;
      let backslashes = false;
      let negated = false;
      let negatedExtglob = false;
      let finished = false;
      let braces = 0;
      let prev;
      let code;
      let token = { value: "", depth: 0, isGlob: false };
      const eos = () => index >= length;
      const peek = () => str.charCodeAt(index + 1);
      const advance = () => {
        prev = code;
        return str.charCodeAt(++index);
      };
      while (index < length) {
        code = advance();
        let next;
        if (code === CHAR_BACKWARD_SLASH) {
          backslashes = token.backslashes = true;
          code = advance();
          if (code === CHAR_LEFT_CURLY_BRACE) {
            braceEscaped = true;
          }
          continue;
        }
        if (braceEscaped === true || code === CHAR_LEFT_CURLY_BRACE) {
          braces++;
          while (eos() !== true && (code = advance())) {
            if (code === CHAR_BACKWARD_SLASH) {
              backslashes = token.backslashes = true;
              advance();
              continue;
            }
            if (code === CHAR_LEFT_CURLY_BRACE) {
              braces++;
              continue;
            }
            if (braceEscaped !== true && code === CHAR_DOT && (code = advance()) === CHAR_DOT) {
              isBrace = token.isBrace = true;
              isGlob = token.isGlob = true;
              finished = true;
              if (scanToEnd === true) {
                continue;
              }
              break;
            }
            if (braceEscaped !== true && code === CHAR_COMMA) {
              isBrace = token.isBrace = true;
              isGlob = token.isGlob = true;
              finished = true;
              if (scanToEnd === true) {
                continue;
              }
              break;
            }
            if (code === CHAR_RIGHT_CURLY_BRACE) {
              braces--;
              if (braces === 0) {
                braceEscaped = false;
                isBrace = token.isBrace = true;
                finished = true;
                break;
              }
            }
          }
          if (scanToEnd === true) {
            continue;
          }
          break;
        }
        if (code === CHAR_FORWARD_SLASH) {
          slashes.push(index);
          tokens.push(token);
          token = { value: "", depth: 0, isGlob: false };
          if (finished === true) continue;
          if (prev === CHAR_DOT && index === start + 1) {
            start += 2;
            continue;
          }
          lastIndex = index + 1;
          continue;
        }
        if (opts.noext !== true) {
          const isExtglobChar = code === CHAR_PLUS || code === CHAR_AT || code === CHAR_ASTERISK || code === CHAR_QUESTION_MARK || code === CHAR_EXCLAMATION_MARK;
          if (isExtglobChar === true && peek() === CHAR_LEFT_PARENTHESES) {
            isGlob = token.isGlob = true;
            isExtglob = token.isExtglob = true;
            finished = true;
            if (code === CHAR_EXCLAMATION_MARK && index === start) {
              negatedExtglob = true;
            }
            if (scanToEnd === true) {
              let parens = 0;
              while (eos() !== true && (code = advance())) {
                if (code === CHAR_BACKWARD_SLASH) {
                  backslashes = token.backslashes = true;
                  advance();
                  continue;
                }
                if (code === CHAR_LEFT_PARENTHESES) {
                  parens++;
                  continue;
                }
                if (code === CHAR_RIGHT_PARENTHESES && --parens === 0) {
                  finished = true;
                  break;
                }
              }
              continue;
            }
            break;
          }
        }
        if (code === CHAR_ASTERISK) {
          if (prev === CHAR_ASTERISK) isGlobstar = token.isGlobstar = true;
          isGlob = token.isGlob = true;
          finished = true;
          if (scanToEnd === true) {
            continue;
          }
          break;
        }
        if (code === CHAR_QUESTION_MARK) {
          isGlob = token.isGlob = true;
          finished = true;
          if (scanToEnd === true) {
            continue;
          }
          break;
        }
        if (code === CHAR_LEFT_SQUARE_BRACKET) {
          while (eos() !== true && (next = advance())) {
            if (next === CHAR_BACKWARD_SLASH) {
              backslashes = token.backslashes = true;
              advance();
              continue;
            }
            if (next === CHAR_RIGHT_SQUARE_BRACKET) {
              isBracket = token.isBracket = true;
              isGlob = token.isGlob = true;
              finished = true;
              break;
            }
          }
          if (scanToEnd === true) {
            continue;
          }
          break;
        }
        if (opts.nonegate !== true && code === CHAR_EXCLAMATION_MARK && index === start) {
          negated = token.negated = true;
          start++;
          continue;
        }
        if (opts.noparen !== true && code === CHAR_LEFT_PARENTHESES) {
          isGlob = token.isGlob = true;
          if (scanToEnd === true) {
            let parens = 1;
            while (eos() !== true && (code = advance())) {
              if (code === CHAR_BACKWARD_SLASH) {
                backslashes = token.backslashes = true;
                advance();
                continue;
              }
              if (code === CHAR_LEFT_PARENTHESES) {
                parens++;
                continue;
              }
              if (code === CHAR_RIGHT_PARENTHESES && --parens === 0) {
                finished = true;
                break;
              }
            }
            continue;
          }
          break;
        }
        if (isGlob === true) {
          finished = true;
          if (scanToEnd === true) {
            continue;
          }
          break;
        }
      }
      if (opts.noext === true) {
        isExtglob = false;
        isGlob = false;
      }
      let base = str;
      let prefix = "";
      let glob = "";
      if (start > 0) {
        prefix = str.slice(0, start);
        str = str.slice(start);
        lastIndex -= start;
      }
      if (base && isGlob === true && lastIndex > 0) {
        base = str.slice(0, lastIndex);
        glob = str.slice(lastIndex);
      } else if (isGlob === true) {
        base = "";
        glob = str;
      } else {
        base = str;
      }
      if (base && base !== "" && base !== "/" && base !== str) {
        if (isPathSeparator(base.charCodeAt(base.length - 1))) {
          base = base.slice(0, -1);
        }
      }
      if (opts.unescape === true) {
        if (glob) glob = utils.removeBackslashes(glob);
        if (base && backslashes === true) {
          base = utils.removeBackslashes(base);
        }
      }
      const state = {
        prefix,
        input,
        start,
        base,
        glob,
        isBrace,
        isBracket,
        isGlob,
        isExtglob,
        isGlobstar,
        negated,
        negatedExtglob
      };
      if (opts.tokens === true) {
        state.maxDepth = 0;
        if (!isPathSeparator(code)) {
          tokens.push(token);
        }
        state.tokens = tokens;
      }
      if (opts.parts === true || opts.tokens === true) {
        let prevIndex;
        for (let idx = 0; idx < slashes.length; idx++) {
          const n2 = prevIndex !== void 0 ? prevIndex + 1 : start;
          const i = slashes[idx];
          const value2 = input.slice(n2, i);
          if (opts.tokens) {
            if (idx === 0 && start !== 0) {
              tokens[idx].isPrefix = true;
              tokens[idx].value = prefix;
            } else {
              tokens[idx].value = value2;
            }
            depth2(tokens[idx]);
            state.maxDepth += tokens[idx].depth;
          }
          if (i >= start) {
            parts.push(value2);
            prevIndex = i;
          }
        }
        const n = prevIndex !== void 0 ? prevIndex + 1 : start;
        const value = input.slice(n);
        parts.push(value);
        if (opts.tokens && prevIndex && prevIndex + 1 < input.length) {
          tokens[tokens.length - 1].value = value;
          depth2(tokens[tokens.length - 1]);
          state.maxDepth += tokens[tokens.length - 1].depth;
        }
        state.slashes = slashes;
        state.parts = parts;
      }
      return state;
    };
    module2.exports = scan;
  }
});

// node_modules/picomatch/lib/parse.js
var require_parse = __commonJS({
  "node_modules/picomatch/lib/parse.js"(exports2, module2) {
    "use strict";
    var constants14 = require_constants();
    var utils = require_utils();
    var {
      MAX_LENGTH,
      POSIX_REGEX_SOURCE,
      REGEX_NON_SPECIAL_CHARS,
      REGEX_SPECIAL_CHARS_BACKREF,
      REPLACEMENTS
    } = constants14;
    var expandRange = (args, options) => {
      if (typeof options.expandRange === "function") {
        return options.expandRange(...args, options);
      }
      args.sort();
      const value = `[${args.join("-")}]`;
      try {
        new RegExp(value);
      } catch (ex) {
        return args.map((v) => utils.escapeRegex(v)).join("..");
      }
      return value;
    };
    var syntaxError = (type, char) => {
      return `Missing ${type}: "${char}" - use "\\\\${char}" to match literal characters`;
    };
    var splitTopLevel = (input) => {
      const parts = [];
      let bracket = 0;
      let paren = 0;
      let quote = 0;
      let value = "";
      let escaped2 = false;
      for (const ch of input) {
        if (escaped2 === true) {
          value += ch;
          escaped2 = false;
          continue;
        }
        if (ch === "\\") {
          value += ch;
          escaped2 = true;
          continue;
        }
        if (ch === '"') {
          quote = quote === 1 ? 0 : 1;
          value += ch;
          continue;
        }
        if (quote === 0) {
          if (ch === "[") {
            bracket++;
          } else if (ch === "]" && bracket > 0) {
            bracket--;
          } else if (bracket === 0) {
            if (ch === "(") {
              paren++;
            } else if (ch === ")" && paren > 0) {
              paren--;
            } else if (ch === "|" && paren === 0) {
              parts.push(value);
              value = "";
              continue;
            }
          }
        }
        value += ch;
      }
      parts.push(value);
      return parts;
    };
    var isPlainBranch = (branch) => {
      let escaped2 = false;
      for (const ch of branch) {
        if (escaped2 === true) {
          escaped2 = false;
          continue;
        }
        if (ch === "\\") {
          escaped2 = true;
          continue;
        }
        if (/[?*+@!()[\]{}]/.test(ch)) {
          return false;
        }
      }
      return true;
    };
    var normalizeSimpleBranch = (branch) => {
      let value = branch.trim();
      let changed = true;
      while (changed === true) {
        changed = false;
        if (/^@\([^\\()[\]{}|]+\)$/.test(value)) {
          value = value.slice(2, -1);
          changed = true;
        }
      }
      if (!isPlainBranch(value)) {
        return;
      }
      return value.replace(/\\(.)/g, "$1");
    };
    var hasRepeatedCharPrefixOverlap = (branches) => {
      const values = branches.map(normalizeSimpleBranch).filter(Boolean);
      for (let i = 0; i < values.length; i++) {
        for (let j = i + 1; j < values.length; j++) {
          const a = values[i];
          const b = values[j];
          const char = a[0];
          if (!char || a !== char.repeat(a.length) || b !== char.repeat(b.length)) {
            continue;
          }
          if (a === b || a.startsWith(b) || b.startsWith(a)) {
            return true;
          }
        }
      }
      return false;
    };
    var parseRepeatedExtglob = (pattern, requireEnd = true) => {
      if (pattern[0] !== "+" && pattern[0] !== "*" || pattern[1] !== "(") {
        return;
      }
      let bracket = 0;
      let paren = 0;
      let quote = 0;
      let escaped2 = false;
      for (let i = 1; i < pattern.length; i++) {
        const ch = pattern[i];
        if (escaped2 === true) {
          escaped2 = false;
          continue;
        }
        if (ch === "\\") {
          escaped2 = true;
          continue;
        }
        if (ch === '"') {
          quote = quote === 1 ? 0 : 1;
          continue;
        }
        if (quote === 1) {
          continue;
        }
        if (ch === "[") {
          bracket++;
          continue;
        }
        if (ch === "]" && bracket > 0) {
          bracket--;
          continue;
        }
        if (bracket > 0) {
          continue;
        }
        if (ch === "(") {
          paren++;
          continue;
        }
        if (ch === ")") {
          paren--;
          if (paren === 0) {
            if (requireEnd === true && i !== pattern.length - 1) {
              return;
            }
            return {
              type: pattern[0],
              body: pattern.slice(2, i),
              end: i
            };
          }
        }
      }
    };
    var buildCharClassStar = (chars) => {
      const source = chars.length === 1 ? utils.escapeRegex(chars[0]) : `[${chars.map((ch) => utils.escapeRegex(ch)).join("")}]`;
      return `${source}*`;
    };
    var getStarExtglobSequenceChars = (pattern) => {
      let index = 0;
      const chars = [];
      while (index < pattern.length) {
        const match = parseRepeatedExtglob(pattern.slice(index), false);
        if (!match || match.type !== "*") {
          return;
        }
        const branches = splitTopLevel(match.body).map((branch2) => branch2.trim());
        if (branches.length !== 1) {
          return;
        }
        const branch = normalizeSimpleBranch(branches[0]);
        if (!branch || branch.length !== 1) {
          return;
        }
        chars.push(branch);
        index += match.end + 1;
      }
      if (chars.length < 1) {
        return;
      }
      return chars;
    };
    var repeatedExtglobRecursion = (pattern) => {
      let depth2 = 0;
      let value = pattern.trim();
      let match = parseRepeatedExtglob(value);
      while (match) {
        depth2++;
        value = match.body.trim();
        match = parseRepeatedExtglob(value);
      }
      return depth2;
    };
    var analyzeRepeatedExtglob = (body, options) => {
      if (options.maxExtglobRecursion === false) {
        return { risky: false };
      }
      const max = typeof options.maxExtglobRecursion === "number" ? options.maxExtglobRecursion : constants14.DEFAULT_MAX_EXTGLOB_RECURSION;
      const branches = splitTopLevel(body).map((branch) => branch.trim());
      if (branches.length > 1) {
        if (branches.some((branch) => branch === "") || branches.some((branch) => /^[*?]+$/.test(branch)) || hasRepeatedCharPrefixOverlap(branches)) {
          return { risky: true };
        }
      }
      const safeChars = [];
      let sawStarSequence = false;
      let combinable = true;
      for (const branch of branches) {
        const chars = getStarExtglobSequenceChars(branch);
        if (chars) {
          sawStarSequence = true;
          safeChars.push(...chars);
          continue;
        }
        const literal2 = normalizeSimpleBranch(branch);
        if (literal2 && literal2.length === 1) {
          safeChars.push(literal2);
          continue;
        }
        combinable = false;
        if (repeatedExtglobRecursion(branch) > max) {
          return { risky: true };
        }
      }
      if (sawStarSequence) {
        return combinable ? { risky: true, safeOutput: buildCharClassStar([...new Set(safeChars)]) } : { risky: true };
      }
      return { risky: false };
    };
    var parse2 = (input, options) => {
      if (typeof input !== "string") {
        throw new TypeError("Expected a string");
      }
      input = REPLACEMENTS[input] || input;
      const opts = { ...options };
      const max = typeof opts.maxLength === "number" ? Math.min(MAX_LENGTH, opts.maxLength) : MAX_LENGTH;
      let len = input.length;
      if (len > max) {
        throw new SyntaxError(`Input length: ${len}, exceeds maximum allowed length: ${max}`);
      }
      const bos = { type: "bos", value: "", output: opts.prepend || "" };
      const tokens = [bos];
      const capture = opts.capture ? "" : "?:";
      const PLATFORM_CHARS = constants14.globChars(opts.windows);
      const EXTGLOB_CHARS = constants14.extglobChars(PLATFORM_CHARS);
      const {
        DOT_LITERAL,
        PLUS_LITERAL,
        SLASH_LITERAL,
        ONE_CHAR,
        DOTS_SLASH,
        NO_DOT,
        NO_DOT_SLASH,
        NO_DOTS_SLASH,
        QMARK,
        QMARK_NO_DOT,
        STAR,
        START_ANCHOR
      } = PLATFORM_CHARS;
      const globstar = (opts2) => {
        return `(${capture}(?:(?!${START_ANCHOR}${opts2.dot ? DOTS_SLASH : DOT_LITERAL}).)*?)`;
      };
      const nodot = opts.dot ? "" : NO_DOT;
      const qmarkNoDot = opts.dot ? QMARK : QMARK_NO_DOT;
      let star = opts.bash === true ? globstar(opts) : STAR;
      if (opts.capture) {
        star = `(${star})`;
      }
      if (typeof opts.noext === "boolean") {
        opts.noextglob = opts.noext;
      }
      const state = {
        input,
        index: -1,
        start: 0,
        dot: opts.dot === true,
        consumed: "",
        output: "",
        prefix: "",
        backtrack: false,
        negated: false,
        brackets: 0,
        braces: 0,
        parens: 0,
        quotes: 0,
        globstar: false,
        tokens
      };
      input = utils.removePrefix(input, state);
      len = input.length;
      const extglobs = [];
      const braces = [];
      const stack = [];
      let prev = bos;
      let value;
      const eos = () => state.index === len - 1;
      const peek = state.peek = (n = 1) => input[state.index + n];
      const advance = state.advance = () => input[++state.index] || "";
      const remaining = () => input.slice(state.index + 1);
      const consume = (value2 = "", num = 0) => {
        state.consumed += value2;
        state.index += num;
      };
      const append = (token) => {
        state.output += token.output != null ? token.output : token.value;
        consume(token.value);
      };
      const negate = () => {
        let count3 = 1;
        while (peek() === "!" && (peek(2) !== "(" || peek(3) === "?")) {
          advance();
          state.start++;
          count3++;
        }
        if (count3 % 2 === 0) {
          return false;
        }
        state.negated = true;
        state.start++;
        return true;
      };
      const increment = (type) => {
        state[type]++;
        stack.push(type);
      };
      const decrement = (type) => {
        state[type]--;
        stack.pop();
      };
      const push = (tok) => {
        if (prev.type === "globstar") {
          const isBrace = state.braces > 0 && (tok.type === "comma" || tok.type === "brace");
          const isExtglob = tok.extglob === true || extglobs.length && (tok.type === "pipe" || tok.type === "paren");
          if (tok.type !== "slash" && tok.type !== "paren" && !isBrace && !isExtglob) {
            state.output = state.output.slice(0, -prev.output.length);
            prev.type = "star";
            prev.value = "*";
            prev.output = star;
            state.output += prev.output;
          }
        }
        if (extglobs.length && tok.type !== "paren") {
          extglobs[extglobs.length - 1].inner += tok.value;
        }
        if (tok.value || tok.output) append(tok);
        if (prev && prev.type === "text" && tok.type === "text") {
          prev.output = (prev.output || prev.value) + tok.value;
          prev.value += tok.value;
          return;
        }
        tok.prev = prev;
        tokens.push(tok);
        prev = tok;
      };
      const extglobOpen = (type, value2) => {
        const token = { ...EXTGLOB_CHARS[value2], conditions: 1, inner: "" };
        token.prev = prev;
        token.parens = state.parens;
        token.output = state.output;
        token.startIndex = state.index;
        token.tokensIndex = tokens.length;
        const output = (opts.capture ? "(" : "") + token.open;
        increment("parens");
        push({ type, value: value2, output: state.output ? "" : ONE_CHAR });
        push({ type: "paren", extglob: true, value: advance(), output });
        extglobs.push(token);
      };
      const extglobClose = (token) => {
        const literal2 = input.slice(token.startIndex, state.index + 1);
        const body = input.slice(token.startIndex + 2, state.index);
        const analysis = analyzeRepeatedExtglob(body, opts);
        if ((token.type === "plus" || token.type === "star") && analysis.risky) {
          const safeOutput = analysis.safeOutput ? (token.output ? "" : ONE_CHAR) + (opts.capture ? `(${analysis.safeOutput})` : analysis.safeOutput) : void 0;
          const open2 = tokens[token.tokensIndex];
          open2.type = "text";
          open2.value = literal2;
          open2.output = safeOutput || utils.escapeRegex(literal2);
          for (let i = token.tokensIndex + 1; i < tokens.length; i++) {
            tokens[i].value = "";
            tokens[i].output = "";
            delete tokens[i].suffix;
          }
          state.output = token.output + open2.output;
          state.backtrack = true;
          push({ type: "paren", extglob: true, value, output: "" });
          decrement("parens");
          return;
        }
        let output = token.close + (opts.capture ? ")" : "");
        let rest;
        if (token.type === "negate") {
          let extglobStar = star;
          if (token.inner && token.inner.length > 1 && token.inner.includes("/")) {
            extglobStar = globstar(opts);
          }
          if (extglobStar !== star || eos() || /^\)+$/.test(remaining())) {
            output = token.close = `)$))${extglobStar}`;
          }
          if (token.inner.includes("*") && (rest = remaining()) && /^\.[^\\/.]+$/.test(rest)) {
            const expression = parse2(rest, { ...options, fastpaths: false }).output;
            output = token.close = `)${expression})${extglobStar})`;
          }
          if (token.prev.type === "bos") {
            state.negatedExtglob = true;
          }
        }
        push({ type: "paren", extglob: true, value, output });
        decrement("parens");
      };
      if (opts.fastpaths !== false && !/(^[*!]|[/()[\]{}"])/.test(input)) {
        let backslashes = false;
        let output = input.replace(REGEX_SPECIAL_CHARS_BACKREF, (m, esc2, chars, first, rest, index) => {
          if (first === "\\") {
            backslashes = true;
            return m;
          }
          if (first === "?") {
            if (esc2) {
              return esc2 + first + (rest ? QMARK.repeat(rest.length) : "");
            }
            if (index === 0) {
              return qmarkNoDot + (rest ? QMARK.repeat(rest.length) : "");
            }
            return QMARK.repeat(chars.length);
          }
          if (first === ".") {
            return DOT_LITERAL.repeat(chars.length);
          }
          if (first === "*") {
            if (esc2) {
              return esc2 + first + (rest ? star : "");
            }
            return star;
          }
          return esc2 ? m : `\\${m}`;
        });
        if (backslashes === true) {
          if (opts.unescape === true) {
            output = output.replace(/\\/g, "");
          } else {
            output = output.replace(/\\+/g, (m) => {
              return m.length % 2 === 0 ? "\\\\" : m ? "\\" : "";
            });
          }
        }
        if (output === input && opts.contains === true) {
          state.output = input;
          return state;
        }
        state.output = utils.wrapOutput(output, state, options);
        return state;
      }
      while (!eos()) {
        value = advance();
        if (value === "\0") {
          continue;
        }
        if (value === "\\") {
          const next = peek();
          if (next === "/" && opts.bash !== true) {
            continue;
          }
          if (next === "." || next === ";") {
            continue;
          }
          if (!next) {
            value += "\\";
            push({ type: "text", value });
            continue;
          }
          const match = /^\\+/.exec(remaining());
          let slashes = 0;
          if (match && match[0].length > 2) {
            slashes = match[0].length;
            state.index += slashes;
            if (slashes % 2 !== 0) {
              value += "\\";
            }
          }
          if (opts.unescape === true) {
            value = advance();
          } else {
            value += advance();
          }
          if (state.brackets === 0) {
            push({ type: "text", value });
            continue;
          }
        }
        if (state.brackets > 0 && (value !== "]" || prev.value === "[" || prev.value === "[^")) {
          if (opts.posix !== false && value === ":") {
            const inner = prev.value.slice(1);
            if (inner.includes("[")) {
              prev.posix = true;
              if (inner.includes(":")) {
                const idx = prev.value.lastIndexOf("[");
                const pre = prev.value.slice(0, idx);
                const rest2 = prev.value.slice(idx + 2);
                const posix = POSIX_REGEX_SOURCE[rest2];
                if (posix) {
                  prev.value = pre + posix;
                  state.backtrack = true;
                  advance();
                  if (!bos.output && tokens.indexOf(prev) === 1) {
                    bos.output = ONE_CHAR;
                  }
                  continue;
                }
              }
            }
          }
          if (value === "[" && peek() !== ":" || value === "-" && peek() === "]") {
            value = `\\${value}`;
          }
          if (value === "]" && (prev.value === "[" || prev.value === "[^")) {
            value = `\\${value}`;
          }
          if (opts.posix === true && value === "!" && prev.value === "[") {
            value = "^";
          }
          prev.value += value;
          append({ value });
          continue;
        }
        if (state.quotes === 1 && value !== '"') {
          value = utils.escapeRegex(value);
          prev.value += value;
          append({ value });
          continue;
        }
        if (value === '"') {
          state.quotes = state.quotes === 1 ? 0 : 1;
          if (opts.keepQuotes === true) {
            push({ type: "text", value });
          }
          continue;
        }
        if (value === "(") {
          increment("parens");
          push({ type: "paren", value });
          continue;
        }
        if (value === ")") {
          if (state.parens === 0 && opts.strictBrackets === true) {
            throw new SyntaxError(syntaxError("opening", "("));
          }
          const extglob = extglobs[extglobs.length - 1];
          if (extglob && state.parens === extglob.parens + 1) {
            extglobClose(extglobs.pop());
            continue;
          }
          push({ type: "paren", value, output: state.parens ? ")" : "\\)" });
          decrement("parens");
          continue;
        }
        if (value === "[") {
          if (opts.nobracket === true || !remaining().includes("]")) {
            if (opts.nobracket !== true && opts.strictBrackets === true) {
              throw new SyntaxError(syntaxError("closing", "]"));
            }
            value = `\\${value}`;
          } else {
            increment("brackets");
          }
          push({ type: "bracket", value });
          continue;
        }
        if (value === "]") {
          if (opts.nobracket === true || prev && prev.type === "bracket" && prev.value.length === 1) {
            push({ type: "text", value, output: `\\${value}` });
            continue;
          }
          if (state.brackets === 0) {
            if (opts.strictBrackets === true) {
              throw new SyntaxError(syntaxError("opening", "["));
            }
            push({ type: "text", value, output: `\\${value}` });
            continue;
          }
          decrement("brackets");
          const prevValue = prev.value.slice(1);
          if (prev.posix !== true && prevValue[0] === "^" && !prevValue.includes("/")) {
            value = `/${value}`;
          }
          prev.value += value;
          append({ value });
          if (opts.literalBrackets === false || utils.hasRegexChars(prevValue)) {
            continue;
          }
          const escaped2 = utils.escapeRegex(prev.value);
          state.output = state.output.slice(0, -prev.value.length);
          if (opts.literalBrackets === true) {
            state.output += escaped2;
            prev.value = escaped2;
            continue;
          }
          prev.value = `(${capture}${escaped2}|${prev.value})`;
          state.output += prev.value;
          continue;
        }
        if (value === "{" && opts.nobrace !== true) {
          increment("braces");
          const open2 = {
            type: "brace",
            value,
            output: "(",
            outputIndex: state.output.length,
            tokensIndex: state.tokens.length
          };
          braces.push(open2);
          push(open2);
          continue;
        }
        if (value === "}") {
          const brace = braces[braces.length - 1];
          if (opts.nobrace === true || !brace) {
            push({ type: "text", value, output: value });
            continue;
          }
          let output = ")";
          if (brace.dots === true) {
            const arr = tokens.slice();
            const range = [];
            for (let i = arr.length - 1; i >= 0; i--) {
              tokens.pop();
              if (arr[i].type === "brace") {
                break;
              }
              if (arr[i].type !== "dots") {
                range.unshift(arr[i].value);
              }
            }
            output = expandRange(range, opts);
            state.backtrack = true;
          }
          if (brace.comma !== true && brace.dots !== true) {
            const out = state.output.slice(0, brace.outputIndex);
            const toks = state.tokens.slice(brace.tokensIndex);
            brace.value = brace.output = "\\{";
            value = output = "\\}";
            state.output = out;
            for (const t of toks) {
              state.output += t.output || t.value;
            }
          }
          push({ type: "brace", value, output });
          decrement("braces");
          braces.pop();
          continue;
        }
        if (value === "|") {
          if (extglobs.length > 0) {
            extglobs[extglobs.length - 1].conditions++;
          }
          push({ type: "text", value });
          continue;
        }
        if (value === ",") {
          let output = value;
          const brace = braces[braces.length - 1];
          if (brace && stack[stack.length - 1] === "braces") {
            brace.comma = true;
            output = "|";
          }
          push({ type: "comma", value, output });
          continue;
        }
        if (value === "/") {
          if (prev.type === "dot" && state.index === state.start + 1) {
            state.start = state.index + 1;
            state.consumed = "";
            state.output = "";
            tokens.pop();
            prev = bos;
            continue;
          }
          push({ type: "slash", value, output: SLASH_LITERAL });
          continue;
        }
        if (value === ".") {
          if (state.braces > 0 && prev.type === "dot") {
            if (prev.value === ".") prev.output = DOT_LITERAL;
            const brace = braces[braces.length - 1];
            prev.type = "dots";
            prev.output += value;
            prev.value += value;
            brace.dots = true;
            continue;
          }
          if (state.braces + state.parens === 0 && prev.type !== "bos" && prev.type !== "slash") {
            push({ type: "text", value, output: DOT_LITERAL });
            continue;
          }
          push({ type: "dot", value, output: DOT_LITERAL });
          continue;
        }
        if (value === "?") {
          const isGroup = prev && prev.value === "(";
          if (!isGroup && opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
            extglobOpen("qmark", value);
            continue;
          }
          if (prev && prev.type === "paren") {
            const next = peek();
            let output = value;
            if (prev.value === "(" && !/[!=<:]/.test(next) || next === "<" && !/<([!=]|\w+>)/.test(remaining())) {
              output = `\\${value}`;
            }
            push({ type: "text", value, output });
            continue;
          }
          if (opts.dot !== true && (prev.type === "slash" || prev.type === "bos")) {
            push({ type: "qmark", value, output: QMARK_NO_DOT });
            continue;
          }
          push({ type: "qmark", value, output: QMARK });
          continue;
        }
        if (value === "!") {
          if (opts.noextglob !== true && peek() === "(") {
            if (peek(2) !== "?" || !/[!=<:]/.test(peek(3))) {
              extglobOpen("negate", value);
              continue;
            }
          }
          if (opts.nonegate !== true && state.index === 0) {
            negate();
            continue;
          }
        }
        if (value === "+") {
          if (opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
            extglobOpen("plus", value);
            continue;
          }
          if (prev && prev.value === "(" || opts.regex === false) {
            push({ type: "plus", value, output: PLUS_LITERAL });
            continue;
          }
          if (prev && (prev.type === "bracket" || prev.type === "paren" || prev.type === "brace") || state.parens > 0) {
            push({ type: "plus", value });
            continue;
          }
          push({ type: "plus", value: PLUS_LITERAL });
          continue;
        }
        if (value === "@") {
          if (opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
            push({ type: "at", extglob: true, value, output: "" });
            continue;
          }
          push({ type: "text", value });
          continue;
        }
        if (value !== "*") {
          if (value === "$" || value === "^") {
            value = `\\${value}`;
          }
          const match = REGEX_NON_SPECIAL_CHARS.exec(remaining());
          if (match) {
            value += match[0];
            state.index += match[0].length;
          }
          push({ type: "text", value });
          continue;
        }
        if (prev && (prev.type === "globstar" || prev.star === true)) {
          prev.type = "star";
          prev.star = true;
          prev.value += value;
          prev.output = star;
          state.backtrack = true;
          state.globstar = true;
          consume(value);
          continue;
        }
        let rest = remaining();
        if (opts.noextglob !== true && /^\([^?]/.test(rest)) {
          extglobOpen("star", value);
          continue;
        }
        if (prev.type === "star") {
          if (opts.noglobstar === true) {
            consume(value);
            continue;
          }
          const prior = prev.prev;
          const before = prior.prev;
          const isStart = prior.type === "slash" || prior.type === "bos";
          const afterStar = before && (before.type === "star" || before.type === "globstar");
          if (opts.bash === true && (!isStart || rest[0] && rest[0] !== "/")) {
            push({ type: "star", value, output: "" });
            continue;
          }
          const isBrace = state.braces > 0 && (prior.type === "comma" || prior.type === "brace");
          const isExtglob = extglobs.length && (prior.type === "pipe" || prior.type === "paren");
          if (!isStart && prior.type !== "paren" && !isBrace && !isExtglob) {
            push({ type: "star", value, output: "" });
            continue;
          }
          while (rest.slice(0, 3) === "/**") {
            const after = input[state.index + 4];
            if (after && after !== "/") {
              break;
            }
            rest = rest.slice(3);
            consume("/**", 3);
          }
          const isEnd = eos() || state.parens > 0 && rest === ")".repeat(state.parens) && !extglobs.some((extglob) => extglob.type === "negate");
          if (prior.type === "bos" && eos()) {
            prev.type = "globstar";
            prev.value += value;
            prev.output = globstar(opts);
            state.output = prev.output;
            state.globstar = true;
            consume(value);
            continue;
          }
          if (prior.type === "slash" && prior.prev.type !== "bos" && !afterStar && isEnd) {
            state.output = state.output.slice(0, -(prior.output + prev.output).length);
            prior.output = `(?:${prior.output}`;
            prev.type = "globstar";
            prev.output = globstar(opts) + (opts.strictSlashes ? ")" : "|$)");
            prev.value += value;
            state.globstar = true;
            state.output += prior.output + prev.output;
            consume(value);
            continue;
          }
          if (prior.type === "slash" && prior.prev.type !== "bos" && rest[0] === "/") {
            const end = rest[1] !== void 0 ? "|$" : "";
            state.output = state.output.slice(0, -(prior.output + prev.output).length);
            prior.output = `(?:${prior.output}`;
            prev.type = "globstar";
            prev.output = `${globstar(opts)}${SLASH_LITERAL}|${SLASH_LITERAL}${end})`;
            prev.value += value;
            state.output += prior.output + prev.output;
            state.globstar = true;
            consume(value + advance());
            push({ type: "slash", value: "/", output: "" });
            continue;
          }
          if (prior.type === "bos" && rest[0] === "/") {
            prev.type = "globstar";
            prev.value += value;
            prev.output = `(?:^|${SLASH_LITERAL}|${globstar(opts)}${SLASH_LITERAL})`;
            state.output = prev.output;
            state.globstar = true;
            consume(value + advance());
            push({ type: "slash", value: "/", output: "" });
            continue;
          }
          state.output = state.output.slice(0, -prev.output.length);
          prev.type = "globstar";
          prev.output = globstar(opts);
          prev.value += value;
          state.output += prev.output;
          state.globstar = true;
          consume(value);
          continue;
        }
        const token = { type: "star", value, output: star };
        if (opts.bash === true) {
          token.output = ".*?";
          if (prev.type === "bos" || prev.type === "slash") {
            token.output = nodot + token.output;
          }
          push(token);
          continue;
        }
        if (prev && (prev.type === "bracket" || prev.type === "paren") && opts.regex === true) {
          token.output = value;
          push(token);
          continue;
        }
        if (state.index === state.start || prev.type === "slash" || prev.type === "dot") {
          if (prev.type === "dot") {
            state.output += NO_DOT_SLASH;
            prev.output += NO_DOT_SLASH;
          } else if (opts.dot === true) {
            state.output += NO_DOTS_SLASH;
            prev.output += NO_DOTS_SLASH;
          } else {
            state.output += nodot;
            prev.output += nodot;
          }
          if (peek() !== "*") {
            state.output += ONE_CHAR;
            prev.output += ONE_CHAR;
          }
        }
        push(token);
      }
      while (state.brackets > 0) {
        if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "]"));
        state.output = utils.escapeLast(state.output, "[");
        decrement("brackets");
      }
      while (state.parens > 0) {
        if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", ")"));
        state.output = utils.escapeLast(state.output, "(");
        decrement("parens");
      }
      while (state.braces > 0) {
        if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "}"));
        state.output = utils.escapeLast(state.output, "{");
        decrement("braces");
      }
      if (opts.strictSlashes !== true && (prev.type === "star" || prev.type === "bracket")) {
        push({ type: "maybe_slash", value: "", output: `${SLASH_LITERAL}?` });
      }
      if (state.backtrack === true) {
        state.output = "";
        for (const token of state.tokens) {
          state.output += token.output != null ? token.output : token.value;
          if (token.suffix) {
            state.output += token.suffix;
          }
        }
      }
      return state;
    };
    parse2.fastpaths = (input, options) => {
      const opts = { ...options };
      const max = typeof opts.maxLength === "number" ? Math.min(MAX_LENGTH, opts.maxLength) : MAX_LENGTH;
      const len = input.length;
      if (len > max) {
        throw new SyntaxError(`Input length: ${len}, exceeds maximum allowed length: ${max}`);
      }
      input = REPLACEMENTS[input] || input;
      const {
        DOT_LITERAL,
        SLASH_LITERAL,
        ONE_CHAR,
        DOTS_SLASH,
        NO_DOT,
        NO_DOTS,
        NO_DOTS_SLASH,
        STAR,
        START_ANCHOR
      } = constants14.globChars(opts.windows);
      const nodot = opts.dot ? NO_DOTS : NO_DOT;
      const slashDot = opts.dot ? NO_DOTS_SLASH : NO_DOT;
      const capture = opts.capture ? "" : "?:";
      const state = { negated: false, prefix: "" };
      let star = opts.bash === true ? ".*?" : STAR;
      if (opts.capture) {
        star = `(${star})`;
      }
      const globstar = (opts2) => {
        if (opts2.noglobstar === true) return star;
        return `(${capture}(?:(?!${START_ANCHOR}${opts2.dot ? DOTS_SLASH : DOT_LITERAL}).)*?)`;
      };
      const create = (str) => {
        switch (str) {
          case "*":
            return `${nodot}${ONE_CHAR}${star}`;
          case ".*":
            return `${DOT_LITERAL}${ONE_CHAR}${star}`;
          case "*.*":
            return `${nodot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;
          case "*/*":
            return `${nodot}${star}${SLASH_LITERAL}${ONE_CHAR}${slashDot}${star}`;
          case "**":
            return nodot + globstar(opts);
          case "**/*":
            return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${slashDot}${ONE_CHAR}${star}`;
          case "**/*.*":
            return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${slashDot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;
          case "**/.*":
            return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${DOT_LITERAL}${ONE_CHAR}${star}`;
          default: {
            const match = /^(.*?)\.(\w+)$/.exec(str);
            if (!match) return;
            const source2 = create(match[1]);
            if (!source2) return;
            return source2 + DOT_LITERAL + match[2];
          }
        }
      };
      const output = utils.removePrefix(input, state);
      let source = create(output);
      if (source && opts.strictSlashes !== true) {
        source += `${SLASH_LITERAL}?`;
      }
      return source;
    };
    module2.exports = parse2;
  }
});

// node_modules/picomatch/lib/picomatch.js
var require_picomatch = __commonJS({
  "node_modules/picomatch/lib/picomatch.js"(exports2, module2) {
    "use strict";
    var scan = require_scan();
    var parse2 = require_parse();
    var utils = require_utils();
    var constants14 = require_constants();
    var isObject2 = (val) => val && typeof val === "object" && !Array.isArray(val);
    var picomatch2 = (glob, options, returnState = false) => {
      if (Array.isArray(glob)) {
        const fns = glob.map((input) => picomatch2(input, options, returnState));
        const arrayMatcher = (str) => {
          for (const isMatch of fns) {
            const state2 = isMatch(str);
            if (state2) return state2;
          }
          return false;
        };
        return arrayMatcher;
      }
      const isState2 = isObject2(glob) && glob.tokens && glob.input;
      if (glob === "" || typeof glob !== "string" && !isState2) {
        throw new TypeError("Expected pattern to be a non-empty string");
      }
      const opts = options || {};
      const posix = opts.windows;
      const regex = isState2 ? picomatch2.compileRe(glob, options) : picomatch2.makeRe(glob, options, false, true);
      const state = regex.state;
      delete regex.state;
      let isIgnored = () => false;
      if (opts.ignore) {
        const ignoreOpts = { ...options, ignore: null, onMatch: null, onResult: null };
        isIgnored = picomatch2(opts.ignore, ignoreOpts, returnState);
      }
      const matcher = (input, returnObject = false) => {
        const { isMatch, match, output } = picomatch2.test(input, regex, options, { glob, posix });
        const result = { glob, state, regex, posix, input, output, match, isMatch };
        if (typeof opts.onResult === "function") {
          opts.onResult(result);
        }
        if (isMatch === false) {
          result.isMatch = false;
          return returnObject ? result : false;
        }
        if (isIgnored(input)) {
          if (typeof opts.onIgnore === "function") {
            opts.onIgnore(result);
          }
          result.isMatch = false;
          return returnObject ? result : false;
        }
        if (typeof opts.onMatch === "function") {
          opts.onMatch(result);
        }
        return returnObject ? result : true;
      };
      if (returnState) {
        matcher.state = state;
      }
      return matcher;
    };
    picomatch2.test = (input, regex, options, { glob, posix } = {}) => {
      if (typeof input !== "string") {
        throw new TypeError("Expected input to be a string");
      }
      if (input === "") {
        return { isMatch: false, output: "" };
      }
      const opts = options || {};
      const format = opts.format || (posix ? utils.toPosixSlashes : null);
      let match = input === glob;
      let output = match && format ? format(input) : input;
      if (match === false) {
        output = format ? format(input) : input;
        match = output === glob;
      }
      if (match === false || opts.capture === true) {
        if (opts.matchBase === true || opts.basename === true) {
          match = picomatch2.matchBase(input, regex, options, posix);
        } else {
          match = regex.exec(output);
        }
      }
      return { isMatch: Boolean(match), match, output };
    };
    picomatch2.matchBase = (input, glob, options, posix = options && options.windows) => {
      const regex = glob instanceof RegExp ? glob : picomatch2.makeRe(glob, options);
      return regex.test(utils.basename(input, { windows: posix }));
    };
    picomatch2.isMatch = (str, patterns, options) => picomatch2(patterns, options)(str);
    picomatch2.parse = (pattern, options) => {
      if (Array.isArray(pattern)) return pattern.map((p) => picomatch2.parse(p, options));
      return parse2(pattern, { ...options, fastpaths: false });
    };
    picomatch2.scan = (input, options) => scan(input, options);
    picomatch2.compileRe = (state, options, returnOutput = false, returnState = false) => {
      if (returnOutput === true) {
        return state.output;
      }
      const opts = options || {};
      const prepend = opts.contains ? "" : "^";
      const append = opts.contains ? "" : "$";
      let source = `${prepend}(?:${state.output})${append}`;
      if (state && state.negated === true) {
        source = `^(?!${source}).*$`;
      }
      const regex = picomatch2.toRegex(source, options);
      if (returnState === true) {
        regex.state = state;
      }
      return regex;
    };
    picomatch2.makeRe = (input, options = {}, returnOutput = false, returnState = false) => {
      if (!input || typeof input !== "string") {
        throw new TypeError("Expected a non-empty string");
      }
      let parsed2 = { negated: false, fastpaths: true };
      if (options.fastpaths !== false && (input[0] === "." || input[0] === "*")) {
        parsed2.output = parse2.fastpaths(input, options);
      }
      if (!parsed2.output) {
        parsed2 = parse2(input, options);
      }
      return picomatch2.compileRe(parsed2, options, returnOutput, returnState);
    };
    picomatch2.toRegex = (source, options) => {
      try {
        const opts = options || {};
        return new RegExp(source, opts.flags || (opts.nocase ? "i" : ""));
      } catch (err) {
        if (options && options.debug === true) throw err;
        return /$^/;
      }
    };
    picomatch2.constants = constants14;
    module2.exports = picomatch2;
  }
});

// node_modules/picomatch/index.js
var require_picomatch2 = __commonJS({
  "node_modules/picomatch/index.js"(exports2, module2) {
    "use strict";
    var pico = require_picomatch();
    var utils = require_utils();
    function picomatch2(glob, options, returnState = false) {
      if (options && (options.windows === null || options.windows === void 0)) {
        options = { ...options, windows: utils.isWindows() };
      }
      return pico(glob, options, returnState);
    }
    Object.assign(picomatch2, pico);
    module2.exports = picomatch2;
  }
});

// scripts-src/workspace/delta/owns.ts
function ownership2(globs) {
  const given = globs.filter((glob) => !glob.startsWith("!")).map(matcherOf);
  const taken = globs.filter((glob) => glob.startsWith("!")).map((glob) => matcherOf(glob.slice(1)));
  return (where) => {
    const text2 = textOf(where);
    return given.some((owns) => owns(text2)) && !taken.some((owns) => owns(text2));
  };
}
function outsideOf(globs, paths) {
  if (globs.length === 0) return [];
  const owns = ownership2(globs);
  return paths.filter((where) => !owns(where));
}
function matcherOf(glob) {
  const name2 = glob.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
  if (name2 === "" || name2 === ".") return () => true;
  const matches = (0, import_picomatch.default)(name2, { dot: true, nonegate: true, posix: true, flags: "s" });
  return (text2) => text2 === name2 || text2.startsWith(`${name2}/`) || matches(text2);
}
var import_picomatch;
var init_owns = __esm({
  "scripts-src/workspace/delta/owns.ts"() {
    "use strict";
    import_picomatch = __toESM(require_picomatch2(), 1);
    init_byte_path();
  }
});

// scripts-src/workspace/delta/survey.ts
function surveyTree(root, skipped, start) {
  const found = { special: [], locked: [], unreadable: [], repositories: [], passed: [] };
  const folders = [start];
  while (folders.length > 0) {
    const folder = folders.pop();
    for (const entry of entriesAt(root, folder, found)) {
      const name2 = bytePath(entry.name);
      const where = below(folder, name2);
      if (name2 === ".git") {
        if (folder !== void 0) found.repositories.push(folder);
      } else if (entry.isDirectory()) {
        if (skipped.has(where)) continue;
        if (LARGE.has(name2)) found.passed.push(where);
        else folders.push(where);
      } else if (!entry.isFile() && !entry.isSymbolicLink()) found.special.push(where);
    }
  }
  return found;
}
function entriesAt(root, folder, found) {
  const where = folder ?? "";
  try {
    return (0, import_node_fs33.readdirSync)(fileAt(root, where), { encoding: "buffer", withFileTypes: true });
  } catch (error) {
    const code = errnoOf(error) ?? "unknown error";
    if (code === "EACCES") found.locked.push({ path: where, mode: modeOf(root, where) });
    else if (!["ENOENT", "ENOTDIR"].includes(code)) found.unreadable.push({ path: where, code });
    return [];
  }
}
function modeOf(root, where) {
  return (0, import_node_fs33.lstatSync)(fileAt(root, where)).mode & 4095;
}
function feedPipes(root, special) {
  const pipes = special.filter((where) => READ_BY_GIT.test(where));
  if (pipes.length === 0 || process.platform === "win32") return { stop() {
  } };
  const timer = setInterval(() => {
    for (const where of pipes) {
      try {
        (0, import_node_fs33.closeSync)((0, import_node_fs33.openSync)(fileAt(root, where), import_node_fs33.constants.O_WRONLY | import_node_fs33.constants.O_NONBLOCK));
      } catch {
      }
    }
  }, FEED_MS);
  return { stop: () => clearInterval(timer) };
}
function unlock(root, locked) {
  const done = [];
  const problems = [];
  const add = (more) => {
    for (const { path: path79, mode } of more) {
      try {
        (0, import_node_fs33.chmodSync)(fileAt(root, path79), mode | 448);
        done.push({ path: path79, mode });
      } catch (error) {
        const what = `may not be read, and its mode cannot be changed (${errnoOf(error)})`;
        problems.push({ path: path79, what, lost: true });
      }
    }
  };
  add(locked);
  return {
    problems,
    add,
    restore() {
      for (const { path: path79, mode } of done.reverse()) (0, import_node_fs33.chmodSync)(fileAt(root, path79), mode);
    }
  };
}
var import_node_fs33, LARGE, READ_BY_GIT, FEED_MS;
var init_survey = __esm({
  "scripts-src/workspace/delta/survey.ts"() {
    "use strict";
    import_node_fs33 = require("node:fs");
    init_byte_path();
    init_errors();
    LARGE = /* @__PURE__ */ new Set(["node_modules", ".venv", "venv", "target", ".tox", ".gradle", "vendor"]);
    READ_BY_GIT = /(?:^|\/)\.git(?:ignore|attributes)$/;
    FEED_MS = 10;
  }
});

// scripts-src/workspace/delta/take-workspace.ts
function partsOf(set, workspace, scratch) {
  const base = baseOf(set, workspace.unit);
  const submodules = base.record.submodules.map(({ path: where }) => pathFromJson(where));
  const look2 = lookAt(workspace.folder);
  return ["", ...submodules].map((where, n) => {
    const indexFile = import_node_path26.default.join(scratch, `index-${n}`);
    (0, import_node_fs34.cpSync)(privateIndex(set, workspace.unit, n), indexFile, { preserveTimestamps: true });
    const folder = where === "" ? workspace.folder : folderAt(workspace.folder, where);
    const config2 = {
      // Executable bits of a clone are its own: what the user's file system knows of them does not matter here.
      "core.fileMode": process.platform === "win32" ? "false" : "true",
      ...set.record.excludesFile === null ? {} : { "core.excludesFile": set.record.excludesFile }
    };
    const home = workspace.mode === "clone" ? workspace.folder : unitFolder(set, workspace.unit);
    const gitDir = import_node_path26.default.join(home, gitFolderOf(n));
    return {
      n,
      path: where,
      folder,
      isThere: where === "" || look2(where).kind === "folder",
      gitDir,
      place: { gitDir: storeOf(set), workTree: folder, indexFile, config: config2 },
      leftOut: leftOutFile(base, n)
    };
  });
}
function inThisPart({ path: where }, { everything, paths }) {
  if (where === "") return { everything, paths };
  const start = `${where}/`;
  const inside = paths.filter((one) => one.startsWith(start)).map((one) => one.slice(start.length));
  return { everything: everything || liesIn(paths, where), paths: inside };
}
async function takeParts(set, parts, options) {
  const results = await Promise.all(parts.map((part) => takePart(set, part, parts, options)));
  return {
    trees: results.map(({ tree }) => tree),
    problems: results.flatMap(({ problems }) => problems),
    ignored: results.flatMap(({ ignored }) => ignored)
  };
}
async function takePart(set, part, parts, options) {
  const { place } = part;
  const inPart = (where) => part.path === "" ? where : below(part.path, where);
  const foreign = submodulesIn(part, parts);
  if (!part.isThere) {
    (0, import_node_fs34.rmSync)(place.indexFile, { force: true });
    const nowhere = { gitDir: storeOf(set), indexFile: place.indexFile };
    return { tree: await writeTree(nowhere), problems: [], ignored: [] };
  }
  const wanted = inThisPart(part, options.ignored);
  const excludeFrom = part.n === 0 ? [import_node_path26.default.join(set.folder, SET_FILES.exclude)] : [];
  const take = () => takeFiles({
    place,
    nullId: nullIdOf(set.record.objectFormat),
    excludeFrom,
    nested: "enter",
    foreign,
    ignored: wanted,
    mayUnlock: true
  });
  const keptIndex = `${place.indexFile}.kept`;
  (0, import_node_fs34.cpSync)(place.indexFile, keptIndex, { preserveTimestamps: true });
  const ignoredNow = () => wanted.everything ? [] : ignoredPaths(part, excludeFrom, foreign);
  const [first, survey, ignored] = await lookAndTake(part, foreign, wanted, take, ignoredNow);
  let taken = first;
  const opened = unlock(part.folder, survey.locked);
  try {
    for (let locked = survey.locked; locked.length > 0; ) {
      (0, import_node_fs34.cpSync)(keptIndex, place.indexFile, { preserveTimestamps: true });
      const [again, deeper] = await lookAndTake(part, foreign, wanted, take, ignoredNow);
      taken = again;
      const known2 = new Set(survey.locked.map(({ path: where }) => where));
      locked = deeper.locked.filter(({ path: where }) => !known2.has(where));
      survey.locked.push(...locked);
      survey.special = deeper.special;
      survey.repositories = deeper.repositories;
      opened.add(locked);
    }
  } finally {
    opened.restore();
  }
  await dropUnchanged(set, part, taken.added);
  const problems = [
    ...taken.problems,
    ...opened.problems,
    ...surveyProblems(part.folder, survey, taken.nested)
  ];
  return {
    tree: await writeTree(place),
    problems: onePerPath(problems).map((problem) => ({ ...problem, path: inPart(problem.path) })),
    ignored: ignored.map(inPart)
  };
}
async function lookAndTake(part, foreign, wanted, take, listIgnored2) {
  const taking = take();
  const listing = Promise.resolve(listIgnored2());
  const skipped = new Set(foreign);
  const survey = surveyTree(part.folder, skipped);
  const feeder = feedPipes(part.folder, survey.special);
  try {
    const [taken, all] = await Promise.all([taking, listing]);
    const ignored = all.filter((where) => !liesIn(wanted.paths, withoutSlash(where)));
    const folders = ignored.map(withoutSlash);
    for (const where of survey.passed) {
      if (!liesIn(folders, where)) addTo(survey, surveyTree(part.folder, skipped, where));
    }
    return [taken, withoutIgnored(survey, folders), ignored];
  } finally {
    feeder.stop();
  }
}
function withoutSlash(where) {
  return where.replace(/\/$/, "");
}
function addTo(survey, more) {
  survey.special.push(...more.special);
  survey.locked.push(...more.locked);
  survey.unreadable.push(...more.unreadable);
  survey.repositories.push(...more.repositories);
}
function withoutIgnored(survey, ignored) {
  const counts = (where) => !liesIn(ignored, where);
  return {
    ...survey,
    special: survey.special.filter(counts),
    locked: survey.locked.filter(({ path: where }) => counts(where)),
    unreadable: survey.unreadable.filter(({ path: where }) => counts(where)),
    repositories: survey.repositories.filter(counts)
  };
}
function surveyProblems(root, survey, nested) {
  const inner = new Set(nested);
  return [
    ...survey.special.map((path79) => ({
      path: path79,
      what: "is a pipe, socket or device, and no file: it cannot be in a delta",
      lost: true
    })),
    ...survey.unreadable.map(({ path: path79, code }) => ({ path: path79, what: `cannot be read (${code})`, lost: true })),
    ...survey.repositories.map((folder) => innerGit(root, folder, inner.has(folder)))
  ];
}
function innerGit(root, folder, isRepository3) {
  if (!isRepository3) {
    const path79 = below(folder, ".git");
    return {
      path: path79,
      what: "is no repository, and git takes nothing of that name: it is not in the delta",
      lost: true
    };
  }
  const gitDir = import_node_path26.default.join(folderAt(root, folder), ".git");
  const hasCommits = Object.keys(readRefs({ gitDir, commonDir: gitDir }).refs).length > 0;
  const what = hasCommits ? "is a repository of its own: its files are in the delta, its commits are not" : "is a repository of its own, without commits: its files are in the delta";
  return { path: folder, what, lost: hasCommits };
}
async function dropUnchanged(set, { leftOut: file, place }, added) {
  const leftOut = new Map(parseIndexLines(readOptional(file)).map((entry) => [entry.path, entry]));
  if (!added.some((where) => leftOut.has(where))) return;
  const unchanged = (await readEntries(place)).filter(({ path: where, mode, id }) => {
    const out = leftOut.get(where);
    return out?.mode === mode && out.id === id;
  });
  await changeEntries(
    place,
    unchanged.map(({ path: where }) => ({ path: where })),
    nullIdOf(set.record.objectFormat)
  );
}
function submodulesIn(part, parts) {
  const start = part.path === "" ? "" : `${part.path}/`;
  return parts.filter((other) => other.n !== part.n && other.path.startsWith(start)).map((other) => other.path.slice(start.length));
}
async function ignoredPaths({ place }, excludeFrom, foreign) {
  const rules = ["--exclude-standard", ...excludeFrom.map((file) => `--exclude-from=${file}`)];
  const argv2 = ["ls-files", "-z", "--others", "--ignored", "--directory", ...rules];
  return splitPaths(await gitBytes(place, argv2)).filter((where) => !liesIn(foreign, where));
}
function onePerPath(problems) {
  return [...new Map(problems.map((problem) => [problem.path, problem])).values()];
}
var import_node_fs34, import_node_path26;
var init_take_workspace = __esm({
  "scripts-src/workspace/delta/take-workspace.ts"() {
    "use strict";
    import_node_fs34 = require("node:fs");
    import_node_path26 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_git();
    init_git_template();
    init_index_entries();
    init_snapshot_source();
    init_read_optional();
    init_tripwire();
    init_workspace_set();
    init_survey();
    init_take_files();
  }
});

// scripts-src/workspace/delta/worker-commits.ts
async function workerCommits(store, gitDir, template, where) {
  const problem = (what, lost = false) => ({ path: gitName(where), what, lost });
  if (!isFile2(import_node_path27.default.join(gitDir, "HEAD"))) {
    const what = "the git folder is gone or damaged: what was committed there is known by its files only";
    return { head: null, commits: [], problems: [problem(what)] };
  }
  const now = readRefs({ gitDir, commonDir: gitDir });
  const before = readRefs({ gitDir: template, commonDir: template });
  const head = headOf2(now);
  const known2 = new Set([...idsOf(before), headOf2(before)].filter((id) => id !== null));
  const stash = stashedIds(gitDir);
  const seen = [...idsOf(now), ...stash, ...head === null ? [] : [head]];
  const wanted = [...new Set(seen)].filter((id) => !known2.has(id));
  if (wanted.length === 0) return { head, commits: [], problems: [] };
  const place = { ...store, alternates: [...store.alternates ?? [], import_node_path27.default.join(gitDir, "objects")] };
  if (isSpecial(import_node_path27.default.join(gitDir, "objects/info/alternates"))) {
    return {
      head,
      commits: [],
      problems: [problem("its objects cannot be read: objects/info/alternates is no file", true)]
    };
  }
  const { tips, missing: missing4 } = await existing(place, wanted);
  const problems = missing4.length === 0 ? [] : [problem(`names commits that are not there (${missing4[0]?.slice(0, 12)} …)`)];
  if (tips.length === 0) return { head, commits: [], problems };
  const range = [...tips, ...[...known2].map((id) => `^${id}`), ""].join("\n");
  if (stash.length > 0 || now.refs["refs/stash"] !== void 0) problems.push(problem(STASHED));
  try {
    const commits = await listCommits(place, range);
    await keepCommits(place, store.gitDir, range);
    const submodule = where === "" ? null : pathToJson(where);
    return { head, commits: commits.map((commit) => ({ ...commit, submodule })), problems };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const said = error.stderr.trim().split("\n")[0]?.slice(0, 120);
    return {
      head,
      commits: [],
      problems: [problem(`its commits cannot be listed and are not kept (git: ${said})`, true)]
    };
  }
}
function isFile2(file) {
  return lstatOrNone(file)?.isFile() === true;
}
function isSpecial(file) {
  const stat = lstatOrNone(file);
  return stat !== void 0 && !stat.isFile();
}
function stashedIds(gitDir) {
  const log = import_node_path27.default.join(gitDir, "logs", "refs", "stash");
  if (!isFile2(log)) return [];
  const lines2 = readOptional(log).toString("latin1").split("\n");
  return lines2.map((line) => line.split(" ")[1] ?? "").filter((id) => OBJECT_ID2.test(id));
}
async function existing(place, ids) {
  const text2 = await gitText(place, ["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
    input: `${ids.join("\n")}
`
  });
  const found = new Set(
    text2.split("\n").flatMap((line) => / (?:commit|tag)$/.test(line) ? [line.split(" ")[0] ?? ""] : [])
  );
  return { tips: ids.filter((id) => found.has(id)), missing: ids.filter((id) => !found.has(id)) };
}
async function branchCommits(set, unit) {
  const { head: start } = baseOf(set, unit).record;
  const place = ownerPlace(set.record);
  const branch = `refs/heads/${worktreeBranch(set.record, unit)}`;
  const head = await revision(place, branch);
  if (head === null) {
    const what = `the branch ${branch} is gone: what was committed there is known by its files only`;
    return { head, commits: [], problems: [{ path: gitName(""), what, lost: false }] };
  }
  const commits = head === start ? [] : await listCommits(place, `${head}
^${start}
`);
  return { head, commits: commits.map((commit) => ({ ...commit, submodule: null })), problems: [] };
}
function gitName(where) {
  return where === "" ? ".git" : `${where}/.git`;
}
function headOf2({ head, refs }) {
  const id = head?.startsWith("ref: ") ? refs[head.slice(5)] : head;
  return id && OBJECT_ID2.test(id) ? id : null;
}
function idsOf({ refs }) {
  return Object.values(refs).filter((id) => OBJECT_ID2.test(id));
}
async function listCommits(place, range) {
  const argv2 = ["log", `--max-count=${MAX_COMMITS}`, "--format=%H %s", "--no-show-signature", "--stdin"];
  const text2 = await gitText(place, argv2, { input: range });
  return text2.split("\n").filter(Boolean).map((line) => {
    const cut = line.indexOf(" ");
    return { id: line.slice(0, cut), subject: line.slice(cut + 1, cut + 201) };
  });
}
async function keepCommits(place, store, range) {
  const pack = import_node_path27.default.join(store, "objects", "pack", "pack");
  await gitBytes(place, ["pack-objects", "--revs", "--quiet", pack], { input: range });
}
var import_node_path27, MAX_COMMITS, STASHED, OBJECT_ID2;
var init_worker_commits = __esm({
  "scripts-src/workspace/delta/worker-commits.ts"() {
    "use strict";
    import_node_path27 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_files();
    init_git();
    init_source_repo();
    init_make_worktree();
    init_read_optional();
    init_tripwire();
    init_workspace_set();
    MAX_COMMITS = 100;
    STASHED = "the worker put changes into the stash: they are in no file, and so not in the delta; the commits listed hold them";
    OBJECT_ID2 = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
  }
});

// scripts-src/workspace/delta/collect.ts
async function collectDelta(set, workspace, options) {
  requireFiles(set, workspace);
  const scratch = (0, import_node_fs35.mkdtempSync)(import_node_path28.default.join(unitFolder(set, workspace.unit), ".collect-"));
  try {
    const parts = partsOf(set, workspace, scratch);
    const taken = await takeParts(set, parts, options);
    const commits = await Promise.all(parts.map((part) => commitsOf(set, workspace, part)));
    const submodules = taken.trees.slice(1).map((tree, n) => ({ path: parts[n + 1]?.path, snapshot: { tree } }));
    const result = await flatten(
      parts[0]?.place ?? { gitDir: storeOf(set), indexFile: import_node_path28.default.join(scratch, "none") },
      taken.trees[0] ?? workspace.base,
      submodules.flatMap(
        ({ path: where, snapshot }) => where === void 0 ? [] : [{ path: where, snapshot }]
      ),
      nullIdOf(set.record.objectFormat)
    );
    const place = { gitDir: storeOf(set) };
    const files = await changedFiles2(place, workspace.base, result);
    const moves = movesOf(
      baseOf(set, workspace.unit).record,
      parts,
      commits.map(({ head }) => head)
    );
    requireFiles(set, workspace);
    const patch = import_node_path28.default.join(unitFolder(set, workspace.unit), UNIT_FILES.patch);
    const header = {
      unit: workspace.unit,
      set: set.record.id,
      base: workspace.base,
      result,
      store: storeOf(set)
    };
    const bytes = await writePatch(place, header, moves, patch);
    const record2 = {
      schema: WORKSPACE_SCHEMA,
      unit: workspace.unit,
      set: set.record.id,
      base: workspace.base,
      result,
      files: files.map(describeFile),
      moves: moves.map((move) => ({ ...move, path: pathToJson(move.path) })),
      commits: commits.flatMap(({ commits: own2 }) => own2),
      problems: [...taken.problems, ...commits.flatMap(({ problems }) => problems)].map(describeProblem),
      included: { everything: options.ignored.everything, paths: options.ignored.paths.map(pathToJson) },
      ignored: newIgnored(workspace, taken.ignored).map(pathToJson),
      outside: outsideOf(
        workspace.owns,
        files.map(({ path: where }) => where)
      ).map(pathToJson),
      patch: { path: patch, bytes },
      repository: repositoryChanges(set, workspace),
      collectedAt: wallTime()
    };
    const file = import_node_path28.default.join(unitFolder(set, workspace.unit), UNIT_FILES.delta);
    writeAtomic(file, `${JSON.stringify(record2, null, 2)}
`);
    return record2;
  } finally {
    (0, import_node_fs35.rmSync)(scratch, { recursive: true, force: true });
  }
}
function newIgnored({ warm }, ignored) {
  const brought = warm.map(pathFromJson);
  return ignored.filter((where) => !liesIn(brought, where.replace(/\/$/, ""))).slice(0, MAX_IGNORED);
}
function requireFiles(set, workspace) {
  const presence2 = presenceOf(set, workspace);
  if (presence2 === "there") return;
  const what = {
    gone: "is gone",
    replaced: "is no folder any more",
    elsewhere: "lies behind a symlink, outside its run",
    removing: "is being removed, or its removal was interrupted"
  }[presence2];
  const kept = import_node_path28.default.join(unitFolder(set, workspace.unit), UNIT_FILES.patch);
  const next = (0, import_node_fs35.existsSync)(kept) ? `the delta that was collected earlier is in ${kept}` : "run the unit again in a new clone";
  throw new PrunError(
    "E_WORKSPACE_GONE",
    `the workspace ${workspace.folder} ${what}: no delta can be taken of it`,
    presence2 === "removing" ? `${next}; prun cleanup finishes the removal` : next,
    EXIT.unitFailed
  );
}
async function commitsOf(set, workspace, part) {
  if (workspace.mode === "worktree" && part.n === 0) return branchCommits(set, workspace.unit);
  const { folder } = baseOf(set, workspace.unit);
  const template = import_node_path28.default.join(folder, SET_FILES.templates, String(part.n));
  return workerCommits({ gitDir: storeOf(set) }, part.gitDir, template, part.path);
}
function movesOf(base, parts, heads) {
  return base.submodules.flatMap((submodule, n) => {
    const part = parts[n + 1];
    if (!part) return [];
    const head = heads[n + 1] ?? null;
    if (!part.isThere) return [{ path: part.path, base: submodule.commit, result: null }];
    return head === null || head === submodule.commit ? [] : [{ path: part.path, base: submodule.commit, result: head }];
  });
}
function describeFile({ path: where, oldMode, newMode }) {
  const kind = (mode) => mode.slice(0, 3);
  const status = oldMode === null ? "added" : newMode === null ? "deleted" : kind(oldMode) === kind(newMode) ? "modified" : "type-changed";
  return { status, path: pathToJson(where), oldMode, newMode };
}
function describeProblem({ path: where, what, lost }) {
  return { path: pathToJson(where), what, lost };
}
function repositoryChanges(set, workspace) {
  const kept = import_node_path28.default.join(unitFolder(set, workspace.unit), UNIT_FILES.repository);
  return (compareWithKept(kept)?.changes ?? []).map(changeLine);
}
var import_node_fs35, import_node_path28, MAX_IGNORED;
var init_collect = __esm({
  "scripts-src/workspace/delta/collect.ts"() {
    "use strict";
    import_node_fs35 = require("node:fs");
    import_node_path28 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_clock();
    init_errors();
    init_files();
    init_index_entries();
    init_snapshot_source();
    init_records();
    init_kept_tripwire();
    init_repository_change();
    init_workspace_set();
    init_load_delta();
    init_owns();
    init_patch_file();
    init_take_files();
    init_take_workspace();
    init_worker_commits();
    MAX_IGNORED = 200;
  }
});

// scripts-src/workspace/delta/included-before.ts
function includedBefore(set, unit) {
  const included = readDelta(set, unit)?.included;
  return { everything: included?.everything ?? false, paths: (included?.paths ?? []).map(pathFromJson) };
}
var init_included_before = __esm({
  "scripts-src/workspace/delta/included-before.ts"() {
    "use strict";
    init_byte_path();
    init_workspace_set();
  }
});

// scripts-src/workspace/clone/remove-workspace.ts
async function removeWorkspace(set, workspace) {
  const mark = removalMark(set, workspace.unit);
  (0, import_node_fs36.writeFileSync)(mark, "", { mode: PRIVATE_FILE });
  const notes = workspace.mode === "worktree" ? await removeWorktree(set, workspace) : [];
  removeTree(workspace.folder);
  (0, import_node_fs36.rmSync)(mark, { force: true });
  return notes;
}
function removeTree(folder) {
  try {
    (0, import_node_fs36.rmSync)(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    const code = errnoOf(error) ?? "";
    if (!["EACCES", "EPERM", "ENOTEMPTY", "ENAMETOOLONG"].includes(code)) throw error;
    openFolders(Buffer.from(folder));
    if (process.platform === "win32") (0, import_node_fs36.rmSync)(folder, { recursive: true, force: true, maxRetries: 5 });
    else (0, import_node_child_process2.execFileSync)("rm", ["-rf", "--", folder], { stdio: ["ignore", "ignore", "pipe"] });
  }
}
function openFolders(folder) {
  try {
    if (!(0, import_node_fs36.lstatSync)(folder).isDirectory()) return;
    (0, import_node_fs36.chmodSync)(folder, 448);
    for (const entry of (0, import_node_fs36.readdirSync)(folder, { withFileTypes: true, encoding: "buffer" })) {
      if (entry.isDirectory()) openFolders(Buffer.concat([folder, Buffer.from(import_node_path29.default.sep), entry.name]));
    }
  } catch {
  }
}
async function removeWorktree(set, { unit, folder }) {
  const { record: record2 } = set;
  const place = ownerPlace(record2);
  const branch = worktreeBranch(record2, unit);
  try {
    await runGit(place, ["worktree", "remove", "--force", "--force", folder], { answers: [0, 128] });
    const tip = await revision(place, `refs/heads/${branch}`);
    if (tip === null) return [];
    const { head } = baseOf(set, unit).record;
    if (tip !== head) {
      const count3 = await gitText(place, ["rev-list", "--count", tip, `^${head}`]);
      return [`the branch ${branch} stays, with ${count3} commits that are not in HEAD`];
    }
    await runGit(place, ["branch", "--delete", "--force", branch]);
    return [];
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return [`the entry or the branch ${branch} stays in ${record2.source.workTree}: ${error.message}`];
  }
}
function removeSet(set) {
  const left = (0, import_node_fs36.readdirSync)(import_node_path29.default.join(set.folder, SET_FILES.clones)).filter(
    (name2) => !name2.endsWith(".draft")
  );
  const pending = unitsOf(set).filter((unit) => (0, import_node_fs36.existsSync)(removalMark(set, unit)));
  if (left.length + pending.length > 0) return [.../* @__PURE__ */ new Set([...left, ...pending])];
  for (const draft of draftsOf(set)) removeTree(draft);
  removeTree(set.folder);
  return [];
}
var import_node_child_process2, import_node_fs36, import_node_path29;
var init_remove_workspace = __esm({
  "scripts-src/workspace/clone/remove-workspace.ts"() {
    "use strict";
    import_node_child_process2 = require("node:child_process");
    import_node_fs36 = require("node:fs");
    import_node_path29 = __toESM(require("node:path"), 1);
    init_errors();
    init_files();
    init_git();
    init_source_repo();
    init_workspace_set();
    init_draft_workspace();
    init_make_worktree();
  }
});

// scripts-src/workspace/clone/retire-workspace.ts
async function retireWorkspace(set, unit) {
  const folder = unitFolder(set, unit);
  if (!(0, import_node_fs37.existsSync)(folder)) return [];
  const workspace = readWorkspace(set, unit);
  if (!workspace) {
    throw usageError(
      `unit ${unit} of run ${set.record.id} has a workspace whose record is damaged`,
      `see ${folder}, and give another --unit`
    );
  }
  const isHere = isThere(set, workspace);
  const delta = isHere ? await archive(set, workspace) : readDelta(set, unit);
  const to = placeFor(set, unit);
  const notes = [...lostNotes(unit, workspace, delta, to)];
  if (isHere && delta?.problems.some(({ lost }) => lost)) {
    (0, import_node_fs37.renameSync)(workspace.folder, import_node_path30.default.join(folder, FILES));
  }
  await removeWorkspace(set, workspace);
  if (workspace.mode === "worktree") notes.push(...await keepBranch(set, unit, import_node_path30.default.basename(to)));
  faultPoint("workspace-removed", set.folder);
  (0, import_node_fs37.renameSync)(folder, to);
  if (delta) {
    const patch = { ...delta.patch, path: import_node_path30.default.join(to, UNIT_FILES.patch) };
    writeAtomic(import_node_path30.default.join(to, UNIT_FILES.delta), `${JSON.stringify({ ...delta, patch }, null, 2)}
`);
  }
  return notes;
}
function isThere(set, workspace) {
  const presence2 = presenceOf(set, workspace);
  if (presence2 === "elsewhere" || presence2 === "replaced") {
    const what = presence2 === "elsewhere" ? "lies behind a symlink" : "is no folder any more";
    throw usageError(
      `the workspace ${workspace.folder} ${what}`,
      "look at what stands there, move it away, and try again"
    );
  }
  return presence2 === "there";
}
async function archive(set, workspace) {
  try {
    return await collectDelta(set, workspace, { ignored: includedBefore(set, workspace.unit) });
  } catch (error) {
    throw usageError(
      `the delta of the earlier workspace ${workspace.folder} cannot be taken (${messageOf(error)})`,
      `put that right, or remove it with: prun cleanup --run ${set.record.id} --unit ${workspace.unit} --force`
    );
  }
}
function placeFor(set, unit) {
  const parent = import_node_path30.default.join(set.folder, SET_FILES.earlier, unit);
  (0, import_node_fs37.mkdirSync)(parent, { recursive: true, mode: PRIVATE_DIR });
  const [newest] = earlierFolders(set, unit);
  return import_node_path30.default.join(parent, String(newest === void 0 ? 1 : Number(import_node_path30.default.basename(newest)) + 1));
}
function lostNotes(unit, { folder }, delta, to) {
  if (!delta) return [`${unit}: ${folder} was gone, and no delta of it was ever collected`];
  const lost = delta.problems.filter((problem) => problem.lost).length;
  const kept = import_node_path30.default.join(to, FILES);
  return lost === 0 ? [] : [`${unit}: its earlier files are kept in ${kept}: the delta cannot hold all of them`];
}
async function keepBranch(set, unit, n) {
  const place = ownerPlace(set.record);
  const branch = worktreeBranch(set.record, unit);
  if (await revision(place, `refs/heads/${branch}`) === null) return [];
  const kept = `${branch}.earlier-${n}`;
  await runGit(place, ["branch", "--move", branch, kept]);
  return [`${unit}: the commits of its earlier attempt are on the branch ${kept}`];
}
var import_node_fs37, import_node_path30, FILES;
var init_retire_workspace = __esm({
  "scripts-src/workspace/clone/retire-workspace.ts"() {
    "use strict";
    import_node_fs37 = require("node:fs");
    import_node_path30 = __toESM(require("node:path"), 1);
    init_errors();
    init_fault();
    init_files();
    init_git();
    init_source_repo();
    init_collect();
    init_included_before();
    init_workspace_set();
    init_make_worktree();
    init_remove_workspace();
    FILES = "files";
  }
});

// scripts-src/process/linux.ts
function createLinuxHost(procRoot = "/proc") {
  let boot;
  function entry(pid) {
    const stat = readSmall(`${procRoot}/${pid}/stat`);
    return stat === void 0 ? void 0 : parseStat(stat);
  }
  function* look2(since) {
    for (const name2 of (0, import_node_fs38.readdirSync)(procRoot)) {
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
  return { platform: "linux", bootId, entry, look: look2, marks, io, lastPid, signal: signalPid };
}
function parseStat(stat) {
  const open2 = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  if (open2 < 0 || close < open2) return void 0;
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
    command: stat.slice(open2 + 1, close),
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
  let at2 = environment.startsWith(key) ? 0 : environment.indexOf(`\0${key}`) + 1;
  if (at2 === 0 && !environment.startsWith(key)) return void 0;
  at2 += key.length;
  const end = environment.indexOf("\0", at2);
  return environment.slice(at2, end < 0 ? void 0 : end);
}
function isPidName(name2) {
  const first = name2.charCodeAt(0);
  return first >= 49 && first <= 57 && /^\d+$/.test(name2);
}
function readSmall(file) {
  try {
    const fd = (0, import_node_fs38.openSync)(file, "r");
    let count3;
    try {
      count3 = (0, import_node_fs38.readSync)(fd, buffer);
    } finally {
      (0, import_node_fs38.closeSync)(fd);
    }
    return count3 < buffer.length ? buffer.toString("latin1", 0, count3) : (0, import_node_fs38.readFileSync)(file, "latin1");
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
var import_node_fs38, TICKS_PER_SECOND, buffer;
var init_linux = __esm({
  "scripts-src/process/linux.ts"() {
    "use strict";
    import_node_fs38 = require("node:fs");
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
  let parsed2;
  try {
    parsed2 = JSON.parse(text2);
  } catch {
    return void 0;
  }
  if (isRecord(parsed2) && Array.isArray(parsed2.value)) parsed2 = parsed2.value;
  return Array.isArray(parsed2) ? parsed2.flatMap((item2) => isRecord(item2) ? rowOf(item2, isoMs(item2.Created)) : []) : void 0;
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
      const known2 = table.staleChildren.get(row.ppid);
      if (known2) known2.push(row.pid);
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
      const known2 = table?.entries.get(pid) ?? read()?.entries.get(pid);
      return known2 !== void 0 && endAll([{ boot: BOOT, pid, start: known2.start }]).length === 1;
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
      ).map((name2) => `${name2} = $_.${name2}`).join("; ")}; Created = $_.CreationDate.ToUniversalTime().ToString('o') } })`,
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
  const known2 = new Map([...leaders].map((pid) => [pid, pid]));
  for (const first of entries.values()) {
    const path79 = [];
    let entry = first;
    while (entry && !known2.has(entry.pid) && !visited.has(entry.pid)) {
      visited.add(entry.pid);
      path79.push(entry);
      entry = relativeInSession(entries, entry);
    }
    const sid = entry && known2.get(entry.pid);
    for (const one of path79) if (sid !== void 0) known2.set(one.pid, sid);
    first.sid = known2.get(first.pid) ?? first.pid;
  }
}
function relativeInSession(entries, entry) {
  const leader = entry.pgid === entry.pid ? void 0 : entries.get(entry.pgid);
  if (leader !== void 0 && leader.pgid === entry.pgid) return leader;
  const parent = entry.ppid > 1 ? entries.get(entry.ppid) : void 0;
  return parent !== void 0 && parent.startOrder <= entry.startOrder ? parent : void 0;
}
function parsePsCommands(text2) {
  const commands = /* @__PURE__ */ new Map();
  for (const line of text2.split("\n")) {
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
  const unit = valueIn2(environment, "PRUN_UNIT");
  const threads = ["CODEX_THREAD_ID", "CODEX_SESSION_ID"].flatMap((name2) => valueIn2(environment, name2) ?? []);
  return unit === void 0 ? { threads } : { unit, threads };
}
function valueIn2(environment, name2) {
  const values = /* @__PURE__ */ new Set();
  for (const match of environment.matchAll(new RegExp(` ${name2}=(\\S*)`, "g"))) {
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
      boot ??= readBootId(run2);
      return boot;
    },
    entry(pid) {
      const known2 = lastRead(pid);
      if (!known2) return readAll()?.entries.get(pid);
      return now() - known2.readAt <= READ_FRESH_MS ? known2.entry : readOne(known2.entry);
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
      const known2 = lastRead(pid);
      if (!known2) {
        if (!readAll()?.entries.has(pid)) return false;
      } else if (now() - known2.readAt > SIGNAL_FRESH_MS) {
        const entry = readOne(known2.entry);
        if (entry?.start !== known2.entry.start || entry.state === "zombie") return false;
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

// scripts-src/workspace/ports/free-ports.ts
async function arePortsFree(first, last) {
  for (let port = first; port <= last; port++) {
    for (const host of ["127.0.0.1", "::"]) {
      if (!await canListen(port, host)) return false;
    }
  }
  return true;
}
function canListen(port, host) {
  return new Promise((resolve2) => {
    const server = import_node_net.default.createServer();
    server.once("error", (error) => {
      resolve2(host === "::" && ["EAFNOSUPPORT", "EADDRNOTAVAIL", "EINVAL"].includes(errnoOf(error) ?? ""));
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve2(true)));
  });
}
var import_node_net;
var init_free_ports = __esm({
  "scripts-src/workspace/ports/free-ports.ts"() {
    "use strict";
    import_node_net = __toESM(require("node:net"), 1);
    init_errors();
  }
});

// scripts-src/workspace/ports/port-claims.ts
function portFolders(environment) {
  const own2 = environment.PRUN_PORTS_HOME;
  if (own2 && import_node_path31.default.isAbsolute(own2)) return [own2];
  const name2 = `ports-${import_node_os2.default.hostname().replace(/[^\w.-]/g, "_") || "machine"}`;
  const temporary = process.platform === "win32" ? import_node_os2.default.tmpdir() : "/tmp";
  const user = process.getuid?.() ?? "user";
  return [
    import_node_path31.default.join(homeOfUser(), ".local", "state", "prun", name2),
    import_node_path31.default.join(temporary, `prun-${name2}-${user}`)
  ];
}
function homeOfUser() {
  try {
    return import_node_os2.default.userInfo().homedir;
  } catch {
    return import_node_os2.default.homedir();
  }
}
function writablePortFolder(folders) {
  const faults = [];
  for (const folder of folders) {
    try {
      (0, import_node_fs39.mkdirSync)(folder, { recursive: true, mode: PRIVATE_DIR });
      if (!isOurs(folder)) throw new Error(`${folder} belongs to another user`);
      writeOnce(import_node_path31.default.join(folder, "README"), README, { sync: false });
      return folder;
    } catch (error) {
      faults.push(messageOf(error));
    }
  }
  throw new PrunError(
    "E_PORTS",
    `port claims can be kept nowhere (${faults.join("; ")})`,
    "make one of these folders writable, or set PRUN_PORTS_HOME to a folder that every prun of yours uses",
    1
  );
}
function isOurs(folder) {
  const stat = (0, import_node_fs39.lstatSync)(folder);
  return stat.isDirectory() && (process.getuid === void 0 || stat.uid === process.getuid());
}
function newestEpochs(folder) {
  const newest = /* @__PURE__ */ new Map();
  try {
    if (!isOurs(folder)) return newest;
    for (const name2 of (0, import_node_fs39.readdirSync)(folder)) {
      const [, first, epoch] = /^(\d+)\.(\d+)$/.exec(name2) ?? [];
      if (first && epoch) newest.set(Number(first), Math.max(newest.get(Number(first)) ?? 0, Number(epoch)));
    }
  } catch (error) {
    if (!["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(errnoOf(error) ?? "")) throw error;
  }
  return newest;
}
function liveClaim(host, folder, first, epochs) {
  const epoch = epochs.get(first);
  if (epoch === void 0) return void 0;
  const file = import_node_path31.default.join(folder, `${first}.${epoch}`);
  const claim2 = readClaim(file);
  if (!claim2 || lookAt2(claim2.holder) === "there") return claim2;
  return isYoung(file) && isProcessAlive(host, claim2.claimant) ? claim2 : void 0;
}
function isYoung(file) {
  const stat = (0, import_node_fs39.statSync)(file, { throwIfNoEntry: false });
  return stat !== void 0 && Date.now() - stat.mtimeMs < UNWRITTEN_MS;
}
function isProcessAlive(host, identity) {
  const claimant = parseIdentity(identity);
  return claimant !== void 0 && isAlive(host, claimant);
}
function lookAt2(file) {
  try {
    return (0, import_node_fs39.statSync)(file, { throwIfNoEntry: false }) ? "there" : "gone";
  } catch (error) {
    return errnoOf(error) === "ENOTDIR" ? "gone" : "there";
  }
}
function readClaim(file) {
  try {
    const parsed2 = claimShape.safeParse(JSON.parse(readValue(file) ?? ""));
    return parsed2.success ? parsed2.data : void 0;
  } catch {
    return void 0;
  }
}
function takeRange(folder, first, epochs, claim2) {
  const file = import_node_path31.default.join(folder, `${first}.${(epochs.get(first) ?? 0) + 1}`);
  return writeOnce(file, `${JSON.stringify({ schema: 1, ...claim2 })}
`, { sync: false });
}
var import_node_fs39, import_node_os2, import_node_path31, claimShape, README, UNWRITTEN_MS;
var init_port_claims = __esm({
  "scripts-src/workspace/ports/port-claims.ts"() {
    "use strict";
    import_node_fs39 = require("node:fs");
    import_node_os2 = __toESM(require("node:os"), 1);
    import_node_path31 = __toESM(require("node:path"), 1);
    init_mini();
    init_errors();
    init_files();
    init_identity();
    claimShape = object({ schema: number2(), holder: string2(), claimant: string2() });
    README = "Which unit was given which ports: prun, <first port>.<epoch>. Files here are never removed.\n";
    UNWRITTEN_MS = 15 * 6e4;
  }
});

// scripts-src/workspace/ports/ports.ts
async function claimPorts(holder, options = {}) {
  const folders = options.folders ?? portFolders(process.env);
  const own2 = writablePortFolder(folders);
  const host = options.host ?? await currentHost();
  const claimant = identify(host, process.pid);
  const claim2 = { holder, claimant: claimant ? formatIdentity(claimant) : "" };
  const holders = /* @__PURE__ */ new Set();
  let busy2 = 0;
  for (let round = 0; round < ROUNDS; round++) {
    busy2 = 0;
    const others = folders.filter((folder) => folder !== own2).map((folder) => ({ folder, epochs: newestEpochs(folder) }));
    const epochs = newestEpochs(own2);
    for (const first of rangesFrom(holder, options.span ?? SPAN)) {
      const last = first + PORTS_PER_UNIT - 1;
      const held = [{ folder: own2, epochs }, ...others].map((one) => liveClaim(host, one.folder, first, one.epochs)).find((one) => one !== void 0);
      if (held) holders.add(held.holder);
      else if (!await (options.areFree ?? arePortsFree)(first, last)) busy2++;
      else if (takeRange(own2, first, epochs, claim2)) return { first, last };
    }
  }
  throw noneLeft(options.span ?? SPAN, [...holders], busy2);
}
function* rangesFrom(holder, span) {
  const count3 = Math.floor((span.last - span.first + 1) / PORTS_PER_UNIT);
  const start = Number.parseInt(shortHash(`${process.getuid?.() ?? ""}:${holder}`), 16) % count3;
  for (let n = 0; n < count3; n++) yield span.first + (start + n) % count3 * PORTS_PER_UNIT;
}
function noneLeft(span, holders, busy2) {
  const named2 = holders.slice(0, 3).join(", ");
  const rest = holders.length > 3 ? ` and ${holders.length - 3} more` : "";
  const parts = [
    ...holders.length > 0 ? [`${holders.length} ranges are held by ${named2}${rest}`] : [],
    ...busy2 > 0 ? [`other programs listen in ${busy2} ranges`] : []
  ];
  return new PrunError(
    "E_PORTS",
    `no ${PORTS_PER_UNIT} ports in a row are free from ${span.first} to ${span.last} (${parts.join("; ")})`,
    "remove workspaces that are done with (prun cleanup), or end what listens there",
    1
  );
}
var PORTS_PER_UNIT, SPAN, ROUNDS;
var init_ports = __esm({
  "scripts-src/workspace/ports/ports.ts"() {
    "use strict";
    init_errors();
    init_random();
    init_host();
    init_identity();
    init_free_ports();
    init_port_claims();
    PORTS_PER_UNIT = 10;
    SPAN = { first: 2e4, last: 32759 };
    ROUNDS = 3;
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

// scripts-src/workspace/setup/setup-command.ts
function setupCommand(command2, environment, platform = process.platform) {
  const token = randomHex(12);
  const outer = environment.PRUN_UNIT;
  const marker = `${outer ? `${outer}/` : ""}setup-${token}`;
  const marked = { ...environment, PRUN_UNIT: marker };
  if (platform === "win32") {
    const file = environment.ComSpec ?? environment.COMSPEC ?? "cmd.exe";
    const argv2 = ["/d", "/s", "/c", `"${command2}"`];
    return { file, argv: argv2, environment: marked, marker, rssMark: null, isVerbatim: true };
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
  const look2 = () => lookAtFamilies(host, [family], observer, () => {
  });
  return {
    look: look2,
    async ask(ended, limitMs) {
      look2();
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
    const isReadable = host.trouble?.() === void 0;
    const isQuiet = isReadable && seen.length === 0 && (lastHit === void 0 || now - lastHit >= QUIET_MS);
    if (isQuiet || now >= deadline) break;
    await pause(BETWEEN_LOOKS_MS);
  }
  const survivors = [...family.members.values()].filter((member) => isAlive(host, identityOf(host, member)));
  for (const one of survivors) killed.delete(`${one.pid}:${one.start}`);
  const ended = [...killed.values()].filter((one) => one.pid !== leader);
  return { ended: ended.map(named), survivors: survivors.map(named) };
}
function note(killed, member) {
  killed.set(`${member.pid}:${member.start}`, member);
}
function named({ pid, command: command2 }) {
  return { pid, command: command2 };
}
function pause(ms) {
  return new Promise((resolve2) => setTimeout(resolve2, ms));
}
var QUIET_MS, BETWEEN_LOOKS_MS;
var init_setup_processes = __esm({
  "scripts-src/workspace/setup/setup-processes.ts"() {
    "use strict";
    init_clock();
    init_family();
    init_host();
    init_identity();
    QUIET_MS = 150;
    BETWEEN_LOOKS_MS = 10;
  }
});

// scripts-src/workspace/setup/setup.ts
async function runSetup(request) {
  const from = monotonicMs();
  const command2 = setupCommand(request.command, request.environment);
  const watch = await watchSetup(command2);
  const log = (0, import_node_fs40.openSync)(request.log, "w", PRIVATE_FILE);
  let child;
  try {
    child = (0, import_node_child_process3.spawn)(command2.file, command2.argv, {
      cwd: request.folder,
      env: command2.environment,
      // On Windows a console of its own would open.
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: command2.isVerbatim,
      stdio: ["ignore", log, log]
    });
  } finally {
    (0, import_node_fs40.closeSync)(log);
  }
  const ended = new Promise((resolve2, reject) => {
    child.once("error", (error) => reject(cannotStart2(request, error)));
    child.once("exit", (code, signal) => resolve2(code ?? 128 + import_node_os3.default.constants.signals[signal ?? "SIGKILL"]));
  });
  if (child.pid === void 0) {
    await ended;
    throw cannotStart2(request, new Error("it has no process id"));
  }
  const processes = watch.started(child.pid);
  const ticking = setInterval(() => {
    if (process.platform !== "linux") processes.look();
    request.onProgress?.(Math.round((monotonicMs() - from) / 1e3), lastLine(request.log));
  }, TICK_MS);
  const stop = stopper(request);
  try {
    const first = await Promise.race([ended, stop.stopped]);
    if (typeof first === "string") await processes.ask(ended, ASK_MS);
    const left = await processes.end(END_MS);
    const code = await Promise.race([ended, pauseFor(END_MS)]);
    return {
      exitCode: first === "timeout" ? 124 : first === "interrupted" ? 130 : code ?? 137,
      how: typeof first === "string" ? first : "exit",
      seconds: (monotonicMs() - from) / 1e3,
      leftBehind: typeof first === "string" ? [] : left.ended,
      survivors: left.survivors
    };
  } finally {
    clearInterval(ticking);
    stop.off();
  }
}
function stopper(request) {
  let off = () => {
  };
  const stopped = new Promise((resolve2) => {
    const onAbort = () => resolve2("interrupted");
    const ms = Math.min(request.timeoutSeconds * 1e3, 2 ** 31 - 1);
    const timer = ms > 0 ? setTimeout(() => resolve2("timeout"), ms) : void 0;
    if (request.signal?.aborted) onAbort();
    request.signal?.addEventListener("abort", onAbort, { once: true });
    off = () => {
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", onAbort);
    };
  });
  return { stopped, off };
}
function lastLine(log) {
  const lines2 = readEnd(log, 2e3).split(/[\r\n]+/);
  return (lines2.filter((line) => line.trim()).at(-1) ?? "").replace(/\u001b\[[\d;?]*[A-Za-z]/g, "").trim().slice(0, 200);
}
function pauseFor(ms) {
  return new Promise((resolve2) => setTimeout(() => resolve2(void 0), ms).unref());
}
function cannotStart2(request, error) {
  return new PrunError(
    "E_SETUP",
    `the setup command cannot be started in ${request.folder} (${messageOf(error)})`,
    "see that the folder is there and that the system has a shell",
    126
  );
}
var import_node_child_process3, import_node_fs40, import_node_os3, ASK_MS, END_MS, TICK_MS;
var init_setup = __esm({
  "scripts-src/workspace/setup/setup.ts"() {
    "use strict";
    import_node_child_process3 = require("node:child_process");
    import_node_fs40 = require("node:fs");
    import_node_os3 = __toESM(require("node:os"), 1);
    init_clock();
    init_errors();
    init_files();
    init_setup_command();
    init_setup_processes();
    ASK_MS = 2e3;
    END_MS = 5e3;
    TICK_MS = 1e3;
  }
});

// scripts-src/platform/copy-links.ts
function copiedLink(target, folder, roots, flavour = import_node_path32.default) {
  if (flavour.isAbsolute(target)) {
    const inside = roots.from.map((root2) => insideOf(target, root2, flavour)).find((rest) => rest !== void 0);
    if (inside === void 0) return { target, leadsOut: true };
    return { target: inside === "" ? roots.to : flavour.join(roots.to, inside), leadsOut: false };
  }
  const root = roots.from.find((one) => insideOf(folder, one, flavour) !== void 0);
  const resolved = flavour.resolve(folder, target);
  if (root === void 0 || insideOf(resolved, root, flavour) === void 0)
    return { target, leadsOut: true };
  if (!climbsAbove(target, insideOf(folder, root, flavour) ?? "")) return { target, leadsOut: false };
  return { target: flavour.relative(folder, resolved) || ".", leadsOut: false };
}
function insideOf(file, root, flavour) {
  const rest = flavour.relative(root, file);
  if (rest === ".." || rest.startsWith(`..${flavour.sep}`) || flavour.isAbsolute(rest)) return void 0;
  return rest;
}
function climbsAbove(target, below2) {
  let depth2 = below2.split(/[\\/]/).filter(Boolean).length;
  for (const name2 of target.split(/[\\/]/)) {
    if (name2 === "..") depth2--;
    else if (name2 !== "" && name2 !== ".") depth2++;
    if (depth2 < 0) return true;
  }
  return false;
}
var import_node_path32;
var init_copy_links = __esm({
  "scripts-src/platform/copy-links.ts"() {
    "use strict";
    import_node_path32 = __toESM(require("node:path"), 1);
  }
});

// scripts-src/platform/copy-report.ts
function emptyReport() {
  const counts = { files: 0, folders: 0, links: 0, bytes: 0, skippedCount: 0, outsideCount: 0 };
  return { ...counts, reflinked: "unknown", skipped: [], outside: [] };
}
function noteOutside(report, where) {
  report.outsideCount++;
  if (report.outside.length < NAMED) report.outside.push(where);
}
function skipOrThrow(report, where, error) {
  const errno = errnoOf(error) ?? "";
  if (!OF_ONE_ENTRY.includes(errno)) throw error;
  skip(report, where, errno === "EEXIST" ? "something is there already" : reasonOf(errno, error));
}
function reasonOf(errno, error) {
  if (errno === "EACCES" || errno === "EPERM") return `no permission (${errno})`;
  if (errno === "ENOENT") return "gone while it was copied";
  return messageOf(error);
}
function skip(report, where, why) {
  report.skippedCount++;
  if (report.skipped.length < NAMED) report.skipped.push({ path: where, why });
}
var NAMED, OF_ONE_ENTRY;
var init_copy_report = __esm({
  "scripts-src/platform/copy-report.ts"() {
    "use strict";
    init_errors();
    NAMED = 100;
    OF_ONE_ENTRY = [
      "EACCES",
      "EPERM",
      "ENOENT",
      "EEXIST",
      "ELOOP",
      "ETXTBSY",
      "EBUSY",
      "ENOTDIR",
      "EISDIR",
      "ENXIO"
    ];
  }
});

// scripts-src/platform/reflink.ts
function reflinksBetween(file, folder) {
  let pair;
  try {
    pair = `${(0, import_node_fs41.statSync)(file).dev}:${(0, import_node_fs41.statSync)(folder).dev}`;
  } catch {
    return "unknown";
  }
  const before = known.get(pair);
  if (before !== void 0) return before;
  const answer2 = tryReflink(file, import_node_path33.default.join(folder, `.prun-reflink-${process.pid}-${randomHex(8)}`));
  if (answer2 !== "unknown") known.set(pair, answer2);
  return answer2;
}
function tryReflink(file, probe) {
  try {
    (0, import_node_fs41.copyFileSync)(file, probe, import_node_fs41.constants.COPYFILE_FICLONE_FORCE | import_node_fs41.constants.COPYFILE_EXCL);
  } catch (error) {
    return CANNOT.includes(errnoOf(error) ?? "") ? "no" : "unknown";
  }
  (0, import_node_fs41.unlinkSync)(probe);
  return "yes";
}
var import_node_fs41, import_node_path33, CANNOT, known;
var init_reflink = __esm({
  "scripts-src/platform/reflink.ts"() {
    "use strict";
    import_node_fs41 = require("node:fs");
    import_node_path33 = __toESM(require("node:path"), 1);
    init_errors();
    init_random();
    CANNOT = ["ENOTSUP", "EOPNOTSUPP", "EXDEV", "EINVAL", "ENOTTY", "ENOSYS"];
    known = /* @__PURE__ */ new Map();
  }
});

// scripts-src/platform/copy-entry.ts
function entriesIn(folder) {
  if (process.platform === "win32") {
    return (0, import_node_fs42.readdirSync)(folder, { withFileTypes: true }).map((entry) => ({
      name: bytePathOf(entry.name),
      kind: kindOf(entry)
    }));
  }
  const entries = (0, import_node_fs42.readdirSync)(folder, {
    withFileTypes: true,
    encoding: "buffer"
  });
  return entries.map((entry) => ({ name: bytePath(entry.name), kind: kindOf(entry) }));
}
function kindOf(entry) {
  if (entry.isDirectory()) return "folder";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "other";
}
async function copyOneFile(copy, where) {
  const [from, to] = [at(copy.from, where), at(copy.to, where)];
  const stat = (0, import_node_fs42.lstatSync)(from);
  if (!stat.isFile()) {
    skip(copy.report, where, "changed while it was copied");
    return false;
  }
  if (copy.report.reflinked === "unknown" && stat.size > 0) {
    copy.report.reflinked = reflinksBetween(from, where === "" ? import_node_path34.default.dirname(copy.to) : copy.to);
  }
  await copyContent(from, to);
  keepTimes(to, stat);
  copy.report.files++;
  copy.report.bytes += stat.size;
  return true;
}
function copyContent(from, to) {
  return new Promise((resolve2, reject) => {
    (0, import_node_fs42.copyFile)(from, to, import_node_fs42.constants.COPYFILE_FICLONE | import_node_fs42.constants.COPYFILE_EXCL, (error) => {
      if (error) reject(error);
      else resolve2();
    });
  });
}
function copyLink(copy, where) {
  const source = at(copy.from, where);
  const isWindows = process.platform === "win32";
  const said = isWindows ? (0, import_node_fs42.readlinkSync)(source, "utf8") : (0, import_node_fs42.readlinkSync)(source, "buffer").toString("latin1");
  const folder = asText(source);
  const { target, leadsOut } = copiedLink(said, import_node_path34.default.dirname(folder), copy.linkRoots);
  const type = isWindows ? windowsLinkType(source) : void 0;
  (0, import_node_fs42.symlinkSync)(isWindows ? target : Buffer.from(target, "latin1"), at(copy.to, where), type);
  copy.report.links++;
  if (leadsOut) noteOutside(copy.report, where);
}
function windowsLinkType(source) {
  try {
    return (0, import_node_fs42.statSync)(source).isDirectory() ? "junction" : "file";
  } catch {
    return "file";
  }
}
function asText(file) {
  return typeof file === "string" ? file : file.toString("latin1");
}
function keepTimes(file, stat) {
  const seconds = (ms) => ms % 1e3 === 0 ? ms / 1e3 : (Math.floor(ms * 1e3) + 0.5) / 1e6;
  (0, import_node_fs42.utimesSync)(file, seconds(stat.atimeMs), seconds(stat.mtimeMs));
}
function at(root, where) {
  return where === "" ? bytesOfRoot(root) : fileAt(root, where);
}
function bytesOfRoot(root) {
  return process.platform === "win32" ? root : Buffer.from(root);
}
var import_node_fs42, import_node_path34;
var init_copy_entry = __esm({
  "scripts-src/platform/copy-entry.ts"() {
    "use strict";
    import_node_fs42 = require("node:fs");
    import_node_path34 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_copy_links();
    init_copy_report();
    init_reflink();
  }
});

// scripts-src/platform/copy-tree.ts
async function copyTree(from, to, options = {}) {
  const inside = import_node_path35.default.relative(from, to);
  if (inside !== ".." && !inside.startsWith(`..${import_node_path35.default.sep}`) && !import_node_path35.default.isAbsolute(inside)) {
    throw usageError(`${to} lies in ${from}`, "copy a folder to a place outside itself");
  }
  const copy = {
    from,
    to,
    options,
    linkRoots: rootsOf(from, to, options),
    jobs: [],
    folders: [],
    report: emptyReport()
  };
  (0, import_node_fs43.mkdirSync)(import_node_path35.default.dirname(to), { recursive: true });
  const kind = kindOf((0, import_node_fs43.lstatSync)(from));
  const root = { path: bytePathOf(""), name: bytePathOf(import_node_path35.default.basename(from)), kind };
  copy.jobs.push(kind === "folder" ? () => openFolder(copy, root) : () => copyBatch(copy, [root]));
  await runJobs(copy.jobs, options.inFlight ?? IN_FLIGHT2);
  finishFolders(copy);
  return copy.report;
}
function rootsOf(from, to, options) {
  const roots = options.roots ?? { from, to };
  return { from: [.../* @__PURE__ */ new Set([roots.from, realPath(roots.from)])].map(asBytes), to: asBytes(roots.to) };
}
function realPath(folder) {
  try {
    return import_node_fs43.realpathSync.native(folder);
  } catch {
    return folder;
  }
}
function asBytes(text2) {
  return process.platform === "win32" ? text2 : bytePathOf(text2);
}
async function openFolder(copy, folder) {
  copy.options.signal?.throwIfAborted();
  const entries = guarded(copy, folder.path, () => {
    const stat = (0, import_node_fs43.lstatSync)(at(copy.from, folder.path));
    const found = entriesIn(at(copy.from, folder.path));
    if (makeFolder(copy, folder.path)) copy.folders.push({ path: folder.path, stat });
    copy.report.folders++;
    return found;
  });
  const files = [];
  for (const { name: name2, kind } of entries ?? []) {
    const entry = { path: below(folder.path, name2), name: name2, kind };
    const why = copy.options.leaveOut?.(entry);
    if (why !== void 0) skip(copy.report, entry.path, why);
    else if (kind === "folder") copy.jobs.push(() => openFolder(copy, entry));
    else files.push(entry);
  }
  for (let first = 0; first < files.length; first += BATCH) {
    const batch = files.slice(first, first + BATCH);
    copy.jobs.push(() => copyBatch(copy, batch));
  }
}
function makeFolder(copy, where) {
  const folder = at(copy.to, where);
  try {
    (0, import_node_fs43.mkdirSync)(folder, { mode: 448 });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST" && (0, import_node_fs43.lstatSync)(folder).isDirectory()) return false;
    throw error;
  }
}
async function copyBatch(copy, entries) {
  for (const entry of entries) {
    copy.options.signal?.throwIfAborted();
    try {
      if (entry.kind === "file") {
        if (await copyOneFile(copy, entry.path)) copy.options.onFile?.(entry.path);
      } else if (entry.kind === "link") copyLink(copy, entry.path);
      else skip(copy.report, entry.path, "is a pipe, a socket or a device");
    } catch (error) {
      skipOrThrow(copy.report, entry.path, error);
    }
  }
}
function finishFolders(copy) {
  for (const { path: where, stat } of copy.folders.reverse()) {
    guarded(copy, where, () => {
      const folder = at(copy.to, where);
      if (process.platform !== "win32") (0, import_node_fs43.chmodSync)(folder, stat.mode & 4095);
      keepTimes(folder, stat);
    });
  }
}
function guarded(copy, where, act) {
  try {
    return act();
  } catch (error) {
    skipOrThrow(copy.report, where, error);
    return void 0;
  }
}
var import_node_fs43, import_node_path35, IN_FLIGHT2, BATCH;
var init_copy_tree = __esm({
  "scripts-src/platform/copy-tree.ts"() {
    "use strict";
    import_node_fs43 = require("node:fs");
    import_node_path35 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_copy_entry();
    init_copy_report();
    init_errors();
    init_run_jobs();
    IN_FLIGHT2 = 8;
    BATCH = 32;
  }
});

// scripts-src/workspace/warm/warm-left-out.ts
function whyLeftOut({ entry, where, workTree }) {
  const name2 = textOf(entry.name);
  if (name2 === ".git") return "belongs to a repository of its own";
  const isFolder2 = entry.kind === "folder";
  const isSecretThing = isFolder2 ? ENVIRONMENT.test(name2) : isSecret(name2, () => readStart(import_node_path36.default.join(workTree, textOf(where)), 65536));
  if (isSecretThing) return "may hold secrets: name it with --warm to bring it along";
  const text2 = textOf(where);
  if (INSTALLED.test(text2)) return void 0;
  const isOutput = isFolder2 ? OUTPUT_FOLDERS.test(name2) || BUILT_FOLDERS.test(name2) && !CACHES.test(text2) : OUTPUT_FILES.test(name2);
  if (isOutput) return "looks like an output: name it with --warm to bring it along";
  return isFolder2 && isRepository2(import_node_path36.default.join(workTree, text2)) ? "is a repository or a worktree of its own" : void 0;
}
function isSecret(name2, read) {
  if (ENVIRONMENT.test(name2) || SECRET_FILES.test(name2) || KEY_STORES.test(name2)) return true;
  if (/^\.(?:npmrc|yarnrc(?:\.yml)?)$/i.test(name2)) return HOLDS_TOKEN.test(read());
  if (!MAYBE_KEY.test(name2)) return false;
  const text2 = read();
  return HOLDS_KEY.test(text2) || KEY_NAME.test(name2) && !/-----BEGIN (?:CERTIFICATE|PUBLIC KEY)/.test(text2);
}
function isRepository2(folder) {
  const has = (name2) => hasPath(folder, bytePathOf(name2));
  return has(".git") || has("HEAD") && has("objects") && has("refs");
}
function hasPath(root, where) {
  try {
    return (0, import_node_fs44.lstatSync)(fileAt(root, where), { throwIfNoEntry: false }) !== void 0;
  } catch {
    return false;
  }
}
var import_node_fs44, import_node_path36, INSTALLED, CACHES, BUILT_FOLDERS, OUTPUT_FOLDERS, OUTPUT_FILES, ENVIRONMENT, SECRET_FILES, KEY_STORES, MAYBE_KEY, KEY_NAME, HOLDS_KEY, HOLDS_TOKEN;
var init_warm_left_out = __esm({
  "scripts-src/workspace/warm/warm-left-out.ts"() {
    "use strict";
    import_node_fs44 = require("node:fs");
    import_node_path36 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_files();
    INSTALLED = /(?:^|\/)(?:node_modules|bower_components|vendor|\.?venv|site-packages|Pods|deps|\.yarn|\.gradle)(?:\/|$)/i;
    CACHES = /(?:^|\/)(?:target|cache|\.[^/]+)(?:\/|$)/i;
    BUILT_FOLDERS = /^(?:dist|build|out)$/i;
    OUTPUT_FOLDERS = /^(?:coverage|\.nyc_output|htmlcov|_?logs?|screenshots?|__screenshots__|playwright-report|test-results|test-reports?)$/i;
    OUTPUT_FILES = /(?:\.log(?:\.\d+)?|^npm-debug\.log.*|\.lcov|^\.coverage|^junit.*\.xml)$/i;
    ENVIRONMENT = /^\.env(?:rc|[._-].*)?$/i;
    SECRET_FILES = /^(?:[._]netrc|\.pypirc|\.git-credentials|\.dockercfg|\.htpasswd|\.pgpass|\.my\.cnf|credentials(?:\.(?:json|ya?ml|toml|ini|xml))?|secrets?\.(?:json|ya?ml|toml)|service-account.*\.json)$/i;
    KEY_STORES = /\.(?:p12|pfx|jks|keystore|kdbx|ppk)$/i;
    MAYBE_KEY = /(?:\.pem|\.key|^id_.+)$/i;
    KEY_NAME = /^id_(?:dsa|rsa|ecdsa|ed25519|xmss)(?:_sk)?$|\.key$/i;
    HOLDS_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY/;
    HOLDS_TOKEN = /_authToken|_auth\s*=|_password\s*=|npmAuth(?:Token|Ident)/;
  }
});

// scripts-src/workspace/warm/warm-paths.ts
function holdsPaths(where) {
  const text2 = textOf(where);
  return HOLDERS.some((pattern) => pattern.test(text2));
}
function repointPaths(files, from, to) {
  const changed = [];
  const stuck = [];
  for (const where of files) {
    const file = fileAt(to, where);
    const stat = (0, import_node_fs45.lstatSync)(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    const before = (0, import_node_fs45.readFileSync)(file).toString("latin1");
    const after = repointed(before, from, to);
    if (after === before) continue;
    if (before.includes("\0") || stat.size > MAX_BYTES) {
      stuck.push(where);
      continue;
    }
    if ((stat.mode & 128) === 0) (0, import_node_fs45.chmodSync)(file, stat.mode | 128);
    (0, import_node_fs45.writeFileSync)(file, Buffer.from(after, "latin1"));
    (0, import_node_fs45.chmodSync)(file, stat.mode & 4095);
    (0, import_node_fs45.utimesSync)(file, stat.atime, stat.mtime);
    changed.push(where);
  }
  return { changed, stuck };
}
function repointed(text2, from, to) {
  const slashes = (folder) => folder.replaceAll("\\", "/");
  const doubled = (folder) => folder.replaceAll("\\", "\\\\");
  const url = (folder) => `file://${encodeURI(slashes(folder)).replace(/^(?!\/)/, "/")}`;
  let result = text2;
  for (const form of [url, String, slashes, doubled]) {
    const [old, fresh] = [bytePathOf(form(from)), bytePathOf(form(to))];
    const pattern = `(?<![\\w.\\-+@~\\x80-\\xff])${escaped(old)}(?![\\w.\\-+@~ \\x80-\\xff])`;
    if (form === url || form === String || form(from) !== from) {
      result = result.replace(new RegExp(pattern, "g"), () => fresh);
    }
  }
  return result === text2 ? text2 : withUsableShebang(result);
}
function withUsableShebang(text2) {
  const line = /^#!(\/[^\n]*python[\w.]*)[ \t]*\r?\n/.exec(text2);
  const interpreter = line?.[1];
  if (!line || !interpreter) return text2;
  if (interpreter.length + 2 <= LONGEST_SHEBANG && !interpreter.includes(" ")) return text2;
  return `#!/bin/sh
'''exec' "${interpreter}" "$0" "$@"
' '''
${text2.slice(line[0].length)}`;
}
function escaped(text2) {
  return text2.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
var import_node_fs45, HOLDERS, MAX_BYTES, LONGEST_SHEBANG;
var init_warm_paths = __esm({
  "scripts-src/workspace/warm/warm-paths.ts"() {
    "use strict";
    import_node_fs45 = require("node:fs");
    init_byte_path();
    HOLDERS = [
      /(?:^|\/)(?:node_modules\/)?\.bin\/[^/]+$/,
      /(?:^|\/)\.?venv\/(?:bin|Scripts)\/[^/]+$/,
      /(?:^|\/)pyvenv\.cfg$/,
      /(?:^|\/)site-packages\/(?:[^/]+\.(?:pth|egg-link)|__editable__[^/]+\.py|[^/]+\.dist-info\/direct_url\.json)$/,
      /(?:^|\/)node_modules\/\.(?:modules\.yaml|yarn-state\.yml|pnpm-workspace-state[^/]*\.json)$/
    ];
    MAX_BYTES = 4e6;
    LONGEST_SHEBANG = 127;
  }
});

// scripts-src/workspace/warm/bootstrap-rules.ts
function bootstrapRuleFor(workTree, target) {
  const names = target.split("/").slice(0, -1);
  const folders = ["", ...names.map((_, n) => names.slice(0, n + 1).join("/"))];
  for (const folder of folders) {
    for (const file of textsIn(workTree, folder)) {
      const found = findSharingRule(
        readStart(import_node_path37.default.join(workTree, file), MAX_BYTES2),
        import_node_path37.default.posix.basename(target)
      );
      if (found) return { file, ...found };
    }
  }
  return void 0;
}
function textsIn(workTree, folder) {
  const wanted = new Set(TEXTS.map((name2) => name2.toLowerCase()));
  const found = entriesOf(import_node_path37.default.join(workTree, folder)).filter((entry) => wanted.has(entry.name.toLowerCase())).map((entry) => import_node_path37.default.posix.join(folder, entry.name)).sort();
  const more = folder === "" ? ROOT_TEXTS : [];
  return [...found, ...more.filter((file) => isThere2(import_node_path37.default.join(workTree, file)))];
}
function isThere2(file) {
  return (0, import_node_fs46.lstatSync)(file, { throwIfNoEntry: false }) !== void 0;
}
function namesOf(target) {
  if (target === "node_modules") return "node[_ ]modules";
  if (/^\.?venv$/.test(target)) return String.raw`\.?venvs?|virtual[ -]?env(?:ironment)?s?`;
  return target.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
function forbidding(name2) {
  const told = String.raw`\b${NOT} ${FEW}${VERBS} ${SOME}(?<!\b(?:into|to|in|inside|from|within|below|under|inside of) (?:the |your |its )?)(?:${name2})(?![\w-])`;
  const said = String.raw`(?<![\w.-])(?:${name2})(?![\w-])[\w/]* ${SOME}(?:must not|mustn't|must never|may not|may never|shall not|should not|shouldn't|should never|cannot|can't|can not|can never|is not to|are not to|is never|are never|is not|are not|isn't|aren't) (?:ever |to )?(?:be )?${FEW}(?:${VERBS})(?![\w-])`;
  const banned = String.raw`\b${VERBS} ${SOME}(?:${name2})(?![\w-]) ${SOME}(?:is|are) (?:strictly |explicitly )?(?:forbidden|prohibited|not allowed|not permitted|banned)\b`;
  return [told, said, banned].map((text2) => new RegExp(text2, "i"));
}
function findSharingRule(text2, target) {
  const patterns = [...forbidding(namesOf(target)), ...FRESH_INSTALL[target] ?? []];
  return sentencesOf(text2).find(({ sentence }) => {
    if (/\b(?:no need|not necessary|not required|need not|needn't)\b/i.test(sentence)) return false;
    return patterns.some((pattern) => pattern.test(sentence));
  });
}
function sentencesOf(text2) {
  const found = [];
  let open2;
  const close = () => {
    if (open2?.words.trim()) found.push({ line: open2.line, sentence: open2.words.trim() });
    open2 = void 0;
  };
  for (const [n, raw] of text2.split(/\r?\n/).entries()) {
    const line = plain(raw);
    if (line === "" || /^\s*(?:[-*+>#|]|\d+[.)])\s*/.test(raw) || /^\s*(?:```|~~~)/.test(raw)) close();
    for (const part of line.split(/(?<=[.!?;:])\s+/).filter(Boolean)) {
      open2 = { line: open2?.line ?? n + 1, words: open2 ? `${open2.words} ${part}` : part };
      if (/[.!?;:]$/.test(part)) close();
    }
    if (/^\s*#/.test(raw)) close();
  }
  close();
  return found;
}
function plain(line) {
  return line.replace(/^\s*(?:[-*+>#|]+|\d+[.)])\s*/, "").replace(/[`*]|(?<![\w])_+|_+(?![\w])/g, "").replace(/[‘’]/g, "'").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\s+/g, " ").trim();
}
var import_node_fs46, import_node_path37, TEXTS, ROOT_TEXTS, MAX_BYTES2, NOT, SHARE, FEW, SOME, VERBS, FRESH_INSTALL;
var init_bootstrap_rules = __esm({
  "scripts-src/workspace/warm/bootstrap-rules.ts"() {
    "use strict";
    import_node_fs46 = require("node:fs");
    import_node_path37 = __toESM(require("node:path"), 1);
    init_files();
    TEXTS = [
      "AGENTS.md",
      "AGENTS.override.md",
      "CLAUDE.md",
      "GEMINI.md",
      "CONTRIBUTING.md",
      "CONTRIBUTING",
      "CONTRIBUTING.rst",
      "DEVELOPMENT.md",
      "HACKING.md",
      "README.md",
      "README",
      "README.rst",
      ".cursorrules"
    ];
    ROOT_TEXTS = [
      ".github/CONTRIBUTING.md",
      ".github/copilot-instructions.md",
      ".claude/CLAUDE.md",
      "docs/CONTRIBUTING.md",
      "docs/DEVELOPMENT.md"
    ];
    MAX_BYTES2 = 1e6;
    NOT = "(?:do not|don't|does not|never|must not|mustn't|shall not|should not|shouldn't|may not|cannot|can't|not allowed to|not permitted to|forbidden to|refrain from|avoid|no)";
    SHARE = "(?:(?:re-?)?cop(?:y|ying|ied)|shar(?:e|es|ed|ing)|(?:sym-?|hard-?|sym |hard |soft-?)?link(?:s|ed|ing)?|re-?us(?:e|es|ed|ing)|borrow(?:ed|ing)?|clon(?:e|ed|ing))";
    FEW = String.raw`(?:(?!(?:without|unless|until|before|after|if|when|while|because|but|need|have|forget|hesitate|fail|only|just|and then)\b)[\w'/-]+,? ){0,3}`;
    SOME = String.raw`(?:(?!(?:without|but|because|instead|rather)\b)[\w.'"()@/-]+,? ){0,10}`;
    VERBS = `${SHARE}(?:(?:,| or|,? and|/) ?(?:even )?${SHARE})*`;
    FRESH_INSTALL = {
      node_modules: [
        /\balways (?:run|do|use|start with|install with|execute|begin with) (?:a |an |the )?(?:fresh |clean )?(?:npm (?:ci|clean-install)|(?:pnpm|yarn|bun) install(?: --frozen-lockfile| --immutable)?)(?![\w-])/i,
        /\b(?:npm ci|(?:pnpm|yarn|bun|npm) install)(?![\w-])[^.;]{0,40}\b(?:in|for) (?:each|every|any)(?: (?:new|fresh))? (?:clone|worktree|checkout|copy)\b/i
      ]
    };
  }
});

// scripts-src/workspace/warm/warm-ignored.ts
async function ignoredPaths2(source) {
  const own2 = await listIgnored({ gitDir: source.gitDir, workTree: source.workTree });
  const found = [...own2];
  for (const submodule of source.submodules ?? []) {
    const inside = await listIgnored({ cwd: import_node_path38.default.join(source.workTree, textOf(submodule)) });
    found.push(...inside.map((where) => below(submodule, where)));
  }
  return found;
}
async function listIgnored(place) {
  const argv2 = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const listed2 = splitPaths(await gitBytes({ ...place, asUser: true }, argv2));
  const folders = /* @__PURE__ */ new Set();
  const found = [];
  for (const entry of listed2) {
    const where = entry.endsWith("/") ? entry.slice(0, -1) : entry;
    if (isBelow(where, folders)) continue;
    if (entry.endsWith("/")) folders.add(where);
    found.push(where);
  }
  return found;
}
function isBelow(where, folders) {
  for (let cut = where.indexOf("/"); cut >= 0; cut = where.indexOf("/", cut + 1)) {
    if (folders.has(where.slice(0, cut))) return true;
  }
  return false;
}
var import_node_path38;
var init_warm_ignored = __esm({
  "scripts-src/workspace/warm/warm-ignored.ts"() {
    "use strict";
    import_node_path38 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_git();
  }
});

// scripts-src/workspace/warm/warm-suggestions.ts
function suggestWarm(ignored, has) {
  const found = /* @__PURE__ */ new Map();
  for (const entry of ignored) {
    for (const rule of RULES) {
      for (const { home, target } of placesOf(rule, entry)) {
        const isThere3 = has(rule.witness ? below(target, bytePathOf(rule.witness)) : target);
        const lock = isThere3 ? lockOf(rule, home, has) : void 0;
        if (lock !== void 0 && !found.has(target)) found.set(target, { path: target, because: lock });
      }
    }
  }
  return [...found.values()];
}
function placesOf(rule, entry) {
  const names = rule.folder.split("/");
  return names.flatMap((_, n) => {
    const begin = names.slice(0, n + 1).join("/");
    if (entry !== begin && !entry.endsWith(`/${begin}`)) return [];
    const home = entry === begin ? void 0 : entry.slice(0, -begin.length - 1);
    return [{ home, target: below(home, bytePathOf(rule.folder)) }];
  });
}
function lockOf(rule, home, has) {
  for (let folder = home; ; folder = parentOf(folder)) {
    const lock = rule.locks.map((name2) => below(folder, bytePathOf(name2))).find(has);
    if (lock !== void 0 || folder === void 0 || !rule.inPackages) return lock;
  }
}
var NODE_LOCKS, PYTHON_LOCKS, RULES;
var init_warm_suggestions = __esm({
  "scripts-src/workspace/warm/warm-suggestions.ts"() {
    "use strict";
    init_byte_path();
    NODE_LOCKS = [
      "package-lock.json",
      "npm-shrinkwrap.json",
      "pnpm-lock.yaml",
      "yarn.lock",
      "bun.lock",
      "bun.lockb",
      "deno.lock"
    ];
    PYTHON_LOCKS = [
      "poetry.lock",
      "uv.lock",
      "pdm.lock",
      "Pipfile.lock",
      "requirements.txt",
      "pylock.toml"
    ];
    RULES = [
      { folder: "node_modules", locks: NODE_LOCKS, inPackages: true },
      { folder: ".yarn/cache", locks: ["yarn.lock"], inPackages: false },
      { folder: ".yarn/unplugged", locks: ["yarn.lock"], inPackages: false },
      { folder: ".yarn/install-state.gz", locks: ["yarn.lock"], inPackages: false },
      { folder: ".pnp.cjs", locks: ["yarn.lock", "pnpm-lock.yaml"], inPackages: false },
      { folder: ".pnp.loader.mjs", locks: ["yarn.lock"], inPackages: false },
      { folder: ".venv", locks: PYTHON_LOCKS, inPackages: true, witness: "pyvenv.cfg" },
      { folder: "venv", locks: PYTHON_LOCKS, inPackages: false, witness: "pyvenv.cfg" },
      { folder: "vendor", locks: ["go.sum", "go.work.sum"], inPackages: false, witness: "modules.txt" },
      { folder: "vendor", locks: ["composer.lock"], inPackages: false, witness: "autoload.php" },
      { folder: "vendor/bundle", locks: ["Gemfile.lock", "gems.locked"], inPackages: false },
      { folder: "deps", locks: ["mix.lock"], inPackages: false },
      { folder: "Pods", locks: ["Podfile.lock"], inPackages: false },
      {
        folder: ".gradle",
        locks: ["gradle.lockfile", "settings.gradle", "settings.gradle.kts", "gradlew"],
        inPackages: false
      }
    ];
  }
});

// scripts-src/workspace/warm/warm-plan.ts
async function planWarm(source, request) {
  const plan = { items: [], named: [], notes: [] };
  if (request.paths.length === 0) return plan;
  const ignored = await ignoredPaths2(source);
  const names = request.paths.filter((one) => one !== WARM_AUTO).map((one) => pathBelow(source, one));
  plan.named = [...new Set(names)];
  for (const where of plan.named) addNamed(source, request, ignored, where, plan);
  if (request.paths.includes(WARM_AUTO)) addSuggested(source, ignored, plan);
  plan.items = withoutInner(plan.items);
  return plan;
}
function pathBelow(source, said) {
  const whole = import_node_path39.default.resolve(source.workTree, said);
  const where = import_node_path39.default.relative(source.workTree, whole).split(import_node_path39.default.sep).join("/");
  const next = `name a file or a folder below ${source.workTree}, for example: --warm node_modules`;
  if (where === "" || where === ".." || where.startsWith("../") || import_node_path39.default.isAbsolute(where)) {
    throw usageError(`--warm ${said} names nothing below the repository`, next);
  }
  if (where.split("/").some((name2) => name2.toLowerCase() === ".git")) {
    throw usageError(`--warm ${said} names git's own files`, next);
  }
  const below2 = bytePathOf(where);
  for (let folder = parentOf(below2); folder !== void 0; folder = parentOf(folder)) {
    if (isLink(source, folder)) {
      throw usageError(
        `--warm ${said} goes through the link ${shownPath(folder)}`,
        "name the path that it leads to"
      );
    }
  }
  if (!hasPath(source.workTree, below2))
    throw usageError(`--warm ${said}: there is no such path in ${source.workTree}`, next);
  return below2;
}
function isLink(source, where) {
  return (0, import_node_fs47.lstatSync)(fileAt(source.workTree, where), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
function addNamed(source, request, ignored, where, plan) {
  const shown2 = shownPath(where);
  const parts = ignoredPartsOf(where, ignored);
  if (parts.length === 0) {
    plan.notes.push(`${shown2} is not ignored: it is in every clone anyway`);
    return;
  }
  if (isRepository2(import_node_path39.default.join(source.workTree, textOf(where)))) {
    throw usageError(
      `--warm ${shown2} is a repository or a worktree of its own`,
      "leave it out, or name folders in it"
    );
  }
  const rule = bootstrapRuleFor(source.workTree, textOf(where));
  if (rule && !request.anyway) throw forbidden(shown2, rule);
  if (rule) plan.notes.push(`${shown2} comes along although ${citation(rule)}`);
  for (const part of parts) {
    const why = plan.named.includes(part) ? void 0 : whyPartStays(source, part);
    if (why) plan.notes.push(`${shownPath(part)} does not come along: ${why}`);
    else addUnlessOutside(source, { path: part, because: "named" }, plan);
  }
}
function whyPartStays(source, part) {
  if (bytePathOf(textOf(part)) !== part) return "its name is no UTF-8: name the folder that holds it";
  const stat = (0, import_node_fs47.lstatSync)(fileAt(source.workTree, part), { throwIfNoEntry: false });
  if (!stat) return "it has just gone";
  const name2 = part.slice(part.lastIndexOf("/") + 1);
  return whyLeftOut({
    entry: { path: part, name: name2, kind: kindOf(stat) },
    where: part,
    workTree: source.workTree
  });
}
function ignoredPartsOf(where, ignored) {
  const isWhole = ignored.some((one) => one === where || where.startsWith(`${one}/`));
  return isWhole ? [where] : ignored.filter((one) => one.startsWith(`${where}/`));
}
function addSuggested(source, ignored, plan) {
  const suggested = suggestWarm(ignored, (where) => hasPath(source.workTree, where));
  for (const { path: where, because } of suggested) {
    if (plan.named.includes(where)) continue;
    const rule = bootstrapRuleFor(source.workTree, textOf(where));
    if (rule) plan.notes.push(`${shownPath(where)} does not come along: ${citation(rule)}`);
    else addUnlessOutside(source, { path: where, because: shownPath(because) }, plan);
  }
  if (suggested.length === 0) plan.notes.push("no lock file suggests an ignored folder to bring along");
}
function addUnlessOutside(source, item2, plan) {
  if (isLink(source, item2.path)) {
    plan.notes.push(
      `${shownPath(item2.path)} does not come along: it is a link, and a worker would write through it`
    );
  } else plan.items.push(item2);
}
function withoutInner(items) {
  return items.filter(
    (item2, n) => !items.some(
      (other, m) => m < n && other.path === item2.path || item2.path.startsWith(`${other.path}/`)
    )
  );
}
function citation(rule) {
  const said = rule.sentence.length > 160 ? `${rule.sentence.slice(0, 159)}…` : rule.sentence;
  return `${rule.file}:${rule.line} says "${said}"`;
}
function forbidden(shown2, rule) {
  return usageError(
    `--warm ${shown2}: ${citation(rule)}`,
    "install in each clone with --setup, or add --warm-anyway if the rule does not mean this"
  );
}
var import_node_fs47, import_node_path39, WARM_AUTO;
var init_warm_plan = __esm({
  "scripts-src/workspace/warm/warm-plan.ts"() {
    "use strict";
    import_node_fs47 = require("node:fs");
    import_node_path39 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_copy_entry();
    init_errors();
    init_bootstrap_rules();
    init_warm_ignored();
    init_warm_left_out();
    init_warm_suggestions();
    WARM_AUTO = "auto";
  }
});

// scripts-src/workspace/warm/warm.ts
async function warmWorkspace(plan, source, folder, options = {}) {
  const report = { files: 0, bytes: 0, reflinked: "unknown", notes: [] };
  for (const item2 of plan.items) {
    options.onItem?.(item2);
    if (!hasPath(source.workTree, item2.path)) {
      report.notes.push(`${shownPath(item2.path)} did not come along: it has just gone`);
      continue;
    }
    const holders = [];
    const copied = await copyItem(item2, plan, source, folder, options, holders);
    report.files += copied.files;
    report.bytes += copied.bytes;
    if (copied.reflinked !== "unknown") report.reflinked = copied.reflinked;
    const fixed = repointPaths(holders, source.workTree, folder);
    report.notes.push(...notesOf(item2, copied, fixed.stuck));
  }
  return report;
}
function copyItem(item2, plan, source, folder, options, holders) {
  const named2 = new Set(plan.named);
  const from = import_node_path40.default.join(source.workTree, textOf(item2.path));
  return copyTree(from, import_node_path40.default.join(folder, textOf(item2.path)), {
    roots: { from: source.workTree, to: folder },
    leaveOut: (entry) => {
      const where = inItem(item2, entry.path);
      return named2.has(where) ? void 0 : whyLeftOut({ entry, where, workTree: source.workTree });
    },
    onFile: (where) => {
      const whole = inItem(item2, where);
      if (holdsPaths(whole)) holders.push(whole);
    },
    ...options.signal ? { signal: options.signal } : {}
  });
}
function notesOf(item2, copied, stuck) {
  const at2 = (where) => shownPath(inItem(item2, where));
  const outside = copied.outside.filter(
    (where) => !/(?:^|\/)bin\/python[\d.]*$/.test(textOf(inItem(item2, where)))
  );
  const outsideCount = copied.outsideCount - (copied.outside.length - outside.length);
  return [
    ...bounded2(
      copied.skipped,
      copied.skippedCount,
      (one) => `${at2(one.path)} did not come along: ${one.why}`
    ),
    ...bounded2(
      outside,
      outsideCount,
      (one) => `${at2(one)} leads out of the repository: a worker writes through it`
    ),
    ...bounded2(
      stuck,
      stuck.length,
      (one) => `${shownPath(one)} still names the user's tree: run it by its interpreter, or install anew with --setup`
    )
  ];
}
function inItem(item2, where) {
  return where === "" ? item2.path : below(item2.path, where);
}
function bounded2(some, count3, line) {
  const lines2 = some.slice(0, SHOWN).map(line);
  return count3 > lines2.length ? [...lines2, `… and ${count3 - lines2.length} more like this`] : lines2;
}
var import_node_path40, SHOWN;
var init_warm = __esm({
  "scripts-src/workspace/warm/warm.ts"() {
    "use strict";
    import_node_path40 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_copy_tree();
    init_warm_left_out();
    init_warm_paths();
    init_warm_plan();
    SHOWN = 5;
  }
});

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
      const name2 = equals < 0 ? word : word.slice(0, equals);
      if (names.switches?.includes(name2)) throw usageError(`${name2} takes no value`, `give it as ${name2}`);
      if (!names.values.includes(name2)) throw usageError(`unknown flag ${name2}`, "see --help for the flags");
      const value = equals < 0 ? argv2[++i] : word.slice(equals + 1);
      if (value === void 0) throw usageError(`${name2} has no value`, `give it as ${name2} <value>`);
      read.values.set(name2, [...read.values.get(name2) ?? [], value]);
    }
  }
  return read;
}
function lastValue(flags, name2) {
  return flags.values.get(name2)?.at(-1);
}
var init_read_flags = __esm({
  "scripts-src/platform/read-flags.ts"() {
    "use strict";
    init_errors();
  }
});

// scripts-src/platform/state-home.ts
function stateHome(environment, platform = process.platform) {
  const own2 = absolute(environment.PRUN_STATE_HOME);
  if (own2) return own2;
  if (platform === "win32") {
    return import_node_path41.default.join(
      absolute(environment.LOCALAPPDATA) ?? import_node_path41.default.join(import_node_os4.default.homedir(), "AppData", "Local"),
      "prun"
    );
  }
  const base = absolute(environment.XDG_STATE_HOME) ?? import_node_path41.default.join(import_node_os4.default.homedir(), ".local", "state");
  return import_node_path41.default.join(base, "prun");
}
function absolute(value) {
  return value && import_node_path41.default.isAbsolute(value) ? value : void 0;
}
var import_node_os4, import_node_path41;
var init_state_home = __esm({
  "scripts-src/platform/state-home.ts"() {
    "use strict";
    import_node_os4 = __toESM(require("node:os"), 1);
    import_node_path41 = __toESM(require("node:path"), 1);
  }
});

// scripts-src/platform/whole-seconds.ts
function wholeSeconds(value, name2) {
  const seconds = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(seconds * 1e3)) return seconds;
  throw usageError(
    `${name2} is ${JSON.stringify(value)}, not a whole number of seconds`,
    `give ${name2} a number such as 600`
  );
}
function secondsFrom(setting, given, environment) {
  if (given !== void 0) return wholeSeconds(given, setting.flag);
  const value = environment[setting.variable];
  return value ? wholeSeconds(value, setting.variable) : setting.fallback;
}
var init_whole_seconds = __esm({
  "scripts-src/platform/whole-seconds.ts"() {
    "use strict";
    init_errors();
  }
});

// scripts-src/commands/clone-arguments.ts
function parseClone(argv2, environment, cwd) {
  const flags = readFlags(argv2, {
    values: [
      ...["--repo", "--unit", "--run", "--after", "--owns", "--warm", "--setup", "--setup-timeout"],
      "--state-home"
    ],
    switches: ["--worktree", "--as-it-stands", "--renew", "--warm-anyway", "--json"]
  });
  if (flags.help) return void 0;
  refuseOperands(flags, "clone");
  const repository = lastValue(flags, "--repo");
  if (!repository) throw usageError("--repo is missing", "give the repository with --repo <folder>");
  const names = (flags.values.get("--unit") ?? []).map((name2) => unitName(name2));
  if (names.length === 0) throw usageError("--unit is missing", "name the unit with --unit <id>");
  const twice = names.find((name2, n) => names.indexOf(name2) !== n);
  if (twice !== void 0)
    throw usageError(`--unit ${twice} is given twice`, "give each unit a name of its own");
  const run2 = runName(lastValue(flags, "--run"));
  return {
    repository: import_node_path42.default.resolve(cwd, repository),
    units: ownedUnits(names, flags.values.get("--owns") ?? []),
    run: run2,
    after: parentsFrom(flags, run2, names),
    asItStands: flags.switches.has("--as-it-stands"),
    renew: renewFrom(flags, run2),
    warm: flags.values.get("--warm") ?? [],
    warmAnyway: flags.switches.has("--warm-anyway"),
    setup: lastValue(flags, "--setup"),
    setupTimeoutSeconds: secondsFrom(
      { flag: "--setup-timeout", variable: "PRUN_SETUP_TIMEOUT", fallback: 1800 },
      lastValue(flags, "--setup-timeout"),
      environment
    ),
    worktree: flags.switches.has("--worktree"),
    stateHome: stateHomeFrom(flags, environment, cwd),
    json: flags.switches.has("--json")
  };
}
function stateHomeFrom(flags, environment, cwd) {
  const given = lastValue(flags, "--state-home");
  if (given === "") throw usageError("--state-home is empty", "give a folder");
  return given === void 0 ? stateHome(environment) : import_node_path42.default.resolve(cwd, given);
}
function runName(name2) {
  if (name2 === void 0) return void 0;
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name2)) return name2;
  throw usageError(
    `--run ${JSON.stringify(name2.slice(0, 120))} is no name`,
    'use letters, digits, ".", "-" and "_", at most 100 of them, a letter or digit first'
  );
}
function parentsFrom(flags, run2, units) {
  const parents = (flags.values.get("--after") ?? []).map((name2) => unitName(name2, "--after"));
  if (parents.length === 0) return [];
  if (run2 === void 0) throw usageError("--after needs --run", "name the run that its units are in");
  if (flags.switches.has("--as-it-stands")) {
    throw usageError("--after and --as-it-stands were given", "a workspace has one base: give one of them");
  }
  const twice = parents.find((name2, n) => parents.indexOf(name2) !== n);
  if (twice !== void 0) throw usageError(`--after ${twice} is given twice`, "give each unit once");
  const own2 = parents.find((name2) => units.includes(name2));
  if (own2 !== void 0) throw usageError(`unit ${own2} cannot be after itself`, "give another --after");
  return parents;
}
function renewFrom(flags, run2) {
  const isWanted = flags.switches.has("--renew");
  if (isWanted && run2 === void 0)
    throw usageError("--renew needs --run", "name the run that the unit is in");
  return isWanted;
}
function unitName(name2, flag = "--unit") {
  if (/^[A-Za-z0-9_-]{1,100}$/.test(name2)) return name2;
  throw usageError(
    `${flag} ${JSON.stringify(name2.slice(0, 120))} is no unit id`,
    'use letters, digits, "-" and "_", at most 100 of them'
  );
}
function refuseOperands(flags, command2) {
  const [operand] = flags.operands;
  if (operand === void 0) return;
  throw usageError(`unexpected argument ${JSON.stringify(operand)}`, `see prun ${command2} --help`);
}
function refuseStrangeGlob(given, names) {
  const [, before = "", glob = given] = /^([A-Za-z0-9_-]+)=(.*)$/s.exec(given) ?? [];
  if (before !== "" && !names.includes(before)) {
    throw usageError(
      `--owns ${JSON.stringify(given)} names a unit ${before} that is not among --unit`,
      `write it as ${names[0]}=${glob}`
    );
  }
  const own2 = before === "" ? given : glob;
  if (own2 !== "" && !/^(?:\/|[A-Za-z]:[\\/]|~)/.test(own2)) return;
  throw usageError(
    `--owns ${JSON.stringify(given)} is no path below the repository`,
    "give globs relative to its top, such as src/api/**"
  );
}
function ownedUnits(names, owns) {
  const units = names.map((unit) => ({ unit, owns: [] }));
  for (const given of owns) {
    refuseStrangeGlob(given, names);
    const named2 = units.find(({ unit }) => given.startsWith(`${unit}=`));
    const [only] = units;
    if (named2) named2.owns.push(given.slice(named2.unit.length + 1));
    else if (units.length === 1 && only) only.owns.push(given);
    else {
      throw usageError(
        `--owns ${JSON.stringify(given)} does not say whose it is`,
        `with several units write it as ${names[0]}=${given}`
      );
    }
  }
  return units;
}
var import_node_path42, CLONE_HELP;
var init_clone_arguments = __esm({
  "scripts-src/commands/clone-arguments.ts"() {
    "use strict";
    import_node_path42 = __toESM(require("node:path"), 1);
    init_errors();
    init_read_flags();
    init_state_home();
    init_whole_seconds();
    CLONE_HELP = `usage: prun clone --repo DIR --unit ID [--unit ID]… [flags]

Makes a throwaway clone for each unit. It holds what you see in the repository now: HEAD and all staged, unstaged and
untracked work. All units of one call, and of one --run, start from the same frozen base. Your repository is only read.
Prints one line for each unit: CLONE <absolute path>

  --repo DIR         the repository, or a folder in it
  --unit ID          letters, digits, - and _; repeat it for more units at once
  --run NAME         name of the base: a later call with the same name takes the same base
  --after UNIT       starts from the collected result of this unit of the run (repeat it: they are merged)
  --as-it-stands     starts from the tree as it is now, and not from the frozen base of the run
  --renew            the unit has a workspace from an earlier attempt: its delta is archived, a fresh one takes its place
  --owns GLOB        what the unit may touch (repeat it; with several units: ID=GLOB)
  --warm PATH        brings an ignored file or folder that a build needs, such as node_modules (repeat it);
                     auto takes what the lockfiles suggest
  --warm-anyway      also where the repository's own texts say not to copy it
  --setup CMD        a shell command that runs once in each clone; its output is kept
  --setup-timeout S  seconds until the setup is ended (default 1800; 0 is off)
  --worktree         a worktree on a branch prun/<run>/<unit> of the repository instead of a clone
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             all facts as JSON

Results of --after that do not go together are printed as prun conflicts prints them, and nothing is made.

exit: 0 made; 2 wrong arguments; 30 a setup failed (the clone is there); 35 the results of --after clash
`;
  }
});

// scripts-src/render/conflict-table.ts
function conflictLinesOf(matrix) {
  const clashes = matrix.pairs.flatMap(
    ({ units, conflicts: conflicts2 }) => conflicts2.map((conflict) => clashLine(units, conflict))
  );
  const outside = matrix.outside.flatMap(
    ({ unit, paths }) => paths.map((where) => `OUTSIDE ${unit} ${wordOf(where)}`)
  );
  const head = `CONFLICTS units=${matrix.units.length} pairs=${matrix.pairs.length} outside=${outside.length}`;
  const room = LINES - 3;
  const shownClashes = clashes.slice(0, room - Math.min(outside.length, OUTSIDE_LINES));
  const shownOutside = outside.slice(0, room - shownClashes.length);
  const missing4 = [clashes.length - shownClashes.length, outside.length - shownOutside.length];
  return [
    head,
    ...shownClashes,
    ...shownOutside,
    ...missing4[0] + missing4[1] > 0 ? [`MORE conflicts=${missing4[0]} outside=${missing4[1]} (--json has all)`] : [],
    orderLine(matrix)
  ];
}
function conflictJson({ units, pairs, outside, order }) {
  return {
    units: units.map(({ name: name2, delta }) => ({
      unit: name2,
      store: delta.store,
      patch: delta.patchFile,
      base: delta.base,
      result: delta.result,
      files: delta.files.length
    })),
    conflicts: pairs.flatMap(
      ({ units: pair, conflicts: conflicts2 }) => conflicts2.map(({ path: path79, kind, detail, lines: lines2 }) => ({
        units: pair,
        path: pathToJson(path79),
        kind,
        detail,
        lines: lines2.map(({ ours, theirs }) => [ours, theirs])
      }))
    ),
    outside: outside.flatMap(({ unit, paths }) => paths.map((path79) => ({ unit, path: pathToJson(path79) }))),
    order: order.order,
    leftOut: order.leftOut
  };
}
function clashLine([one, other], { path: path79, kind, detail, lines: lines2 }) {
  const start = `CONFLICT ${one} ${other} ${wordOf(path79)} ${kind}`;
  if (lines2.length === 0) return `${start}: ${detail}`;
  const of = (unit, side) => `${unit}:${lines2.slice(0, PLACES).map((place) => place[side].join("-")).join(",")}`;
  const more = lines2.length > PLACES ? ` +${lines2.length - PLACES} places` : "";
  return `${start} ${of(one, "ours")} ${of(other, "theirs")}${more}`;
}
function orderLine({ order: { order, leftOut } }) {
  return leftOut.length === 0 ? `ORDER ${listOf(order)}` : `NO-ORDER ${listOf(order)} WITHOUT ${listOf(leftOut)}`;
}
function listOf(names) {
  const more = names.length > NAMES ? ` +${names.length - NAMES}` : "";
  return names.slice(0, NAMES).join(" ") + more;
}
function wordOf(where) {
  const shown2 = shownPath(where);
  return shown2.includes(" ") && !shown2.startsWith('"') ? `"${shown2}"` : shown2;
}
var LINES, OUTSIDE_LINES, PLACES, NAMES;
var init_conflict_table = __esm({
  "scripts-src/render/conflict-table.ts"() {
    "use strict";
    init_byte_path();
    LINES = 40;
    OUTSIDE_LINES = 8;
    PLACES = 3;
    NAMES = 40;
  }
});

// scripts-src/workspace/base/own-base.ts
async function withBaseDraft(set, work) {
  removeDeadDrafts(set.folder);
  const folder = import_node_path43.default.join(set.folder, `.base-${process.pid}-${randomHex(8)}.draft`);
  (0, import_node_fs48.mkdirSync)(folder, { mode: PRIVATE_DIR });
  try {
    return await work(folder);
  } finally {
    (0, import_node_fs48.rmSync)(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
function finishBase(folder, record2, note2, origin) {
  const write = (name2, text2) => (0, import_node_fs48.writeFileSync)(import_node_path43.default.join(folder, name2), text2, { mode: PRIVATE_FILE });
  write(SET_FILES.note, note2);
  write(BASE_RECORD, `${JSON.stringify({ schema: WORKSPACE_SCHEMA, base: record2 }, null, 2)}
`);
  return { folder, record: record2, origin };
}
var import_node_fs48, import_node_path43;
var init_own_base = __esm({
  "scripts-src/workspace/base/own-base.ts"() {
    "use strict";
    import_node_fs48 = require("node:fs");
    import_node_path43 = __toESM(require("node:path"), 1);
    init_files();
    init_random();
    init_records();
    init_workspace_set();
    init_dead_drafts();
  }
});

// scripts-src/workspace/base/base-after.ts
async function baseAfter(set, wanted, folder) {
  const { tree, from, origin } = wanted;
  const store = { gitDir: storeOf(set) };
  const scratch = import_node_path44.default.join(folder, "scratch");
  for (const made of [scratch, import_node_path44.default.join(folder, SET_FILES.templates)])
    (0, import_node_fs49.mkdirSync)(made, { mode: PRIVATE_DIR });
  const files = await readTree(store, tree);
  const paths = ["", ...from.record.submodules.map(({ path: where }) => pathFromJson(where))];
  refuseReplaced(paths.slice(1), files, origin);
  const commits = /* @__PURE__ */ new Map();
  for (const where of [...paths].sort((a, b) => b.length - a.length)) {
    const n = paths.indexOf(where);
    const was = n === 0 ? from.record.commit : from.record.submodules[n - 1]?.commit ?? "";
    const part = await partOf({ set, from, store, scratch, n, where, was, paths, files, commits });
    const commit = await commitOf2(store, part.commitTree, was, subjectOf(origin));
    commits.set(where, commit);
    const template = import_node_path44.default.join(folder, SET_FILES.templates, String(n));
    copyTemplate(import_node_path44.default.join(from.folder, SET_FILES.templates, String(n)), template);
    moveHead(template, commit);
    await readCloneIndex({ ...store, indexFile: import_node_path44.default.join(template, "index") }, part);
    writePartLists(folder, n, part);
  }
  (0, import_node_fs49.rmSync)(scratch, { recursive: true });
  const { count: count3, bytes } = await countBaseFiles(store, folder, tree);
  const record2 = {
    tree,
    commit: commits.get("") ?? "",
    head: from.record.head,
    branch: from.record.branch,
    files: count3,
    bytes,
    submodules: from.record.submodules.map((submodule) => ({
      ...submodule,
      path: pathToJson(pathFromJson(submodule.path)),
      commit: commits.get(pathFromJson(submodule.path)) ?? submodule.commit
    }))
  };
  return finishBase(folder, record2, noteOf(set, record2, wanted), origin);
}
async function partOf(request) {
  const { set, from, store, n, where, was, paths, commits } = request;
  const inPart = (whole) => whole.slice(where === "" ? 0 : where.length + 1);
  const inner = paths.filter((other) => other !== where && (where === "" || other.startsWith(`${where}/`)));
  const own2 = request.files.filter(({ path: file }) => (where === "" || file.startsWith(`${where}/`)) && !liesIn(inner, file)).map((entry) => ({ ...entry, path: inPart(entry.path) }));
  const taken = new Set(own2.map(({ path: file }) => file));
  const leftOut = parseIndexLines(readOptional(leftOutFile(from, n))).filter(
    ({ path: file }) => !taken.has(file)
  );
  const links = (await readTree(store, was)).filter(
    (entry) => entry.mode === LINK_MODE && !own2.some(({ path: file }) => liesIn([entry.path], file))
  );
  const moved = links.map((link2) => ({
    ...link2,
    id: commits.get(below(where, link2.path)) ?? link2.id
  }));
  const place = { ...store, indexFile: import_node_path44.default.join(request.scratch, `part-${n}`) };
  await changeEntries(place, [...own2, ...leftOut, ...moved], nullIdOf(set.record.objectFormat));
  return { commitTree: await writeTree(place), links: links.map(({ path: link2 }) => link2), leftOut };
}
async function commitOf2(store, tree, was, subject) {
  const before = await gitText(store, ["rev-parse", `${was}^{tree}`]);
  return before === tree ? was : gitText(store, ["commit-tree", tree, "-p", was, "-m", subject]);
}
function subjectOf({ units }) {
  const more = units.length > 5 ? ` and ${units.length - 5} more` : "";
  return `prun base: results of ${units.slice(0, 5).join(", ")}${more}`;
}
function copyTemplate(from, to) {
  const index = import_node_path44.default.join(from, "index");
  (0, import_node_fs49.cpSync)(from, to, { recursive: true, filter: (file) => file !== index });
}
function moveHead(template, commit) {
  const head = import_node_path44.default.join(template, "HEAD");
  const [, branch] = /^ref: (.*)\n$/.exec((0, import_node_fs49.readFileSync)(head, "latin1")) ?? [];
  if (branch === void 0) {
    (0, import_node_fs49.writeFileSync)(head, `${commit}
`, { mode: PRIVATE_FILE });
    return;
  }
  const packed = import_node_path44.default.join(template, "packed-refs");
  const others = readOptional(packed).toString("latin1").split("\n").filter((line) => line !== "" && line.slice(line.indexOf(" ") + 1) !== branch);
  const lines2 = [...others, `${commit} ${branch}`, ""].join("\n");
  (0, import_node_fs49.writeFileSync)(packed, Buffer.from(lines2, "latin1"), { mode: PRIVATE_FILE });
}
function refuseReplaced(submodules, files, { units }) {
  const entry = files.find(({ path: file }) => submodules.some((where) => liesIn([file], where)));
  if (!entry) return;
  throw new PrunError(
    "E_SUBMODULE_REPLACED",
    `the results of ${units.join(", ")} have a file where a submodule belongs (${shownPath(entry.path)})`,
    "apply them to the repository, and start the unit from there with --as-it-stands",
    EXIT.conflict
  );
}
function noteOf(set, record2, { from, origin, changes }) {
  const before = readOptional(import_node_path44.default.join(from.folder, SET_FILES.note)).toString("utf8");
  return [
    `# Base of ${set.record.id}, with the results of ${origin.units.join(", ")}`,
    "",
    "The results of other units are part of the base:",
    ...changes.map((line) => `- ${line}`),
    "",
    `Base commit in a clone: ${record2.commit}`,
    `Base tree: ${record2.tree}`,
    "",
    `What ${origin.units[0]} itself started from:`,
    "",
    before.replace(/^#/, "##")
  ].join("\n");
}
var import_node_fs49, import_node_path44;
var init_base_after = __esm({
  "scripts-src/workspace/base/base-after.ts"() {
    "use strict";
    import_node_fs49 = require("node:fs");
    import_node_path44 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_errors();
    init_files();
    init_git();
    init_take_files();
    init_read_optional();
    init_workspace_set();
    init_base_files();
    init_base_parts();
    init_index_entries();
    init_own_base();
    init_templates();
  }
});

// scripts-src/workspace/base/lineage.ts
function resultSubject(unit) {
  return `result ${unit}`;
}
async function lineageCommit(store, tree, parents, subject) {
  const person = "prun <prun@localhost> 0 +0000";
  const body = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person}`,
    `committer ${person}`,
    "",
    subject,
    ""
  ].join("\n");
  return gitText(store, ["hash-object", "-t", "commit", "-w", "--stdin"], { input: body });
}
async function rootLineage(store, baseTree) {
  return lineageCommit(store, baseTree, [], "base");
}
async function sourceLineage(store, baseTree, tree, format) {
  const root = await rootLineage(store, baseTree);
  for (let tries = 0; ; tries++) {
    const known2 = (await gitText(store, ["for-each-ref", "--format=%(objectname) %(tree)", SOURCE_REF])).split(" ");
    const [before = "", beforeTree = ""] = known2[0] ? known2 : [root, baseTree];
    if (beforeTree === tree) return before;
    const commit = await lineageCommit(store, tree, [before], "source");
    try {
      await gitText(store, ["update-ref", SOURCE_REF, commit, known2[0] ? before : nullIdOf(format)]);
      return commit;
    } catch (error) {
      if (!(error instanceof GitError) || tries >= TRIES) throw error;
    }
  }
}
var SOURCE_REF, TRIES;
var init_lineage = __esm({
  "scripts-src/workspace/base/lineage.ts"() {
    "use strict";
    init_git();
    init_index_entries();
    SOURCE_REF = "refs/prun/source";
    TRIES = 20;
  }
});

// scripts-src/workspace/base/base-as-it-stands.ts
async function baseAsItStands(set, source, folder) {
  const store = storeOf(set);
  const scratch = import_node_path45.default.join(folder, "scratch");
  (0, import_node_fs50.mkdirSync)(scratch, { mode: PRIVATE_DIR });
  const snapshot = await snapshotSource(source, { gitDir: store }, scratch);
  const { base, id, objectFormat } = set.record;
  const isSame5 = snapshot.tree === base.tree && source.head === base.head && source.branch === base.branch && snapshot.submodules.length === base.submodules.length;
  if (isSame5) return void 0;
  const alternates = [...source.objectDirs, ...objectDirsOf(snapshot.submodules)];
  const place = { gitDir: store, alternates };
  const parts = await commitParts(source, snapshot, { gitDir: store, alternates }, scratch);
  for (const part of parts) await takeAllObjects(store, part.source);
  await makeTemplates(folder, parts, place, store);
  const files = await countBaseFiles(place, source.workTree, snapshot.tree);
  const record2 = {
    tree: snapshot.tree,
    commit: parts[0]?.commit ?? "",
    head: source.head,
    branch: source.branch,
    files: files.count,
    bytes: files.bytes,
    submodules: parts.slice(1).map((part) => ({
      path: pathToJson(part.path),
      commit: part.commit,
      store: SET_FILES.store
    }))
  };
  const note2 = await baseNote(place, { ...set.record, base: record2 }, source, snapshot, files.pointers);
  (0, import_node_fs50.rmSync)(scratch, { recursive: true });
  const lineage = await sourceLineage({ gitDir: store }, base.tree, snapshot.tree, objectFormat);
  const title = `# Base of ${id}, the tree as it stood at ${(/* @__PURE__ */ new Date()).toISOString().slice(0, 19)}Z
`;
  return finishBase(folder, record2, note2.replace(/^.*\n/, title), {
    kind: "as-it-stands",
    units: [],
    lineage
  });
}
var import_node_fs50, import_node_path45;
var init_base_as_it_stands = __esm({
  "scripts-src/workspace/base/base-as-it-stands.ts"() {
    "use strict";
    import_node_fs50 = require("node:fs");
    import_node_path45 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_files();
    init_workspace_set();
    init_base_files();
    init_base_note();
    init_base_parts();
    init_lineage();
    init_object_store();
    init_own_base();
    init_snapshot_source();
    init_templates();
  }
});

// scripts-src/workspace/merge/scratch-objects.ts
async function withScratchObjects(place, work) {
  const folder = (0, import_node_fs51.mkdtempSync)(import_node_path46.default.join(import_node_os5.default.tmpdir(), "prun-merge-"));
  const objects = import_node_path46.default.join(folder, "objects");
  (0, import_node_fs51.mkdirSync)(objects, { mode: PRIVATE_DIR });
  const known2 = /* @__PURE__ */ new Set();
  const write = (kind, body, format) => {
    const whole = Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), body]);
    const id = (0, import_node_crypto2.createHash)(format).update(whole).digest("hex");
    if (known2.has(id)) return id;
    known2.add(id);
    (0, import_node_fs51.mkdirSync)(import_node_path46.default.join(objects, id.slice(0, 2)), { recursive: true, mode: PRIVATE_DIR });
    (0, import_node_fs51.writeFileSync)(import_node_path46.default.join(objects, id.slice(0, 2), id.slice(2)), (0, import_node_zlib.deflateSync)(whole, { level: 1 }), {
      mode: PRIVATE_FILE
    });
    return id;
  };
  try {
    return await work({
      folder,
      place: { ...place, alternates: [...place.alternates ?? [], objects] },
      commit: (tree, parent) => write("commit", commitBody(tree, parent), formatOf(tree)),
      tree: (files, format) => writeTree2(files, (body) => write("tree", body, format)),
      numberedTree: (blobs) => write("tree", numberedBody(blobs), formatOf(blobs[0] ?? ""))
    });
  } finally {
    (0, import_node_fs51.rmSync)(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
function entryName(n) {
  return String(n).padStart(8, "0");
}
function formatOf(id) {
  return id.length === 64 ? "sha256" : "sha1";
}
function commitBody(tree, parent) {
  const person = "prun <prun@localhost> 0 +0000";
  const parents = parent === void 0 ? "" : `parent ${parent}
`;
  return Buffer.from(`tree ${tree}
${parents}author ${person}
committer ${person}

prun
`);
}
function numberedBody(blobs) {
  return treeBody(blobs.map((id, n) => ({ mode: "100644", id, name: entryName(n) })));
}
function treeBody(entries) {
  return Buffer.concat(
    entries.flatMap(({ mode, id, name: name2 }) => [
      Buffer.from(`${mode} ${name2}\0`, "latin1"),
      Buffer.from(id, "hex")
    ])
  );
}
function writeTree2(files, write) {
  const here = /* @__PURE__ */ new Map();
  const folders = /* @__PURE__ */ new Map();
  for (const [where, version2] of files) {
    const cut = where.indexOf("/");
    if (cut < 0) {
      here.set(where, version2);
      continue;
    }
    const below2 = folders.get(where.slice(0, cut)) ?? /* @__PURE__ */ new Map();
    folders.set(where.slice(0, cut), below2.set(where.slice(cut + 1), version2));
  }
  const entries = [...here].map(([name2, version2]) => ({ ...version2, name: name2, key: name2 }));
  for (const [name2, below2] of folders) {
    entries.push({ mode: "40000", id: writeTree2(below2, write), name: name2, key: `${name2}/` });
  }
  return write(treeBody(entries.sort((a, b) => a.key < b.key ? -1 : 1)));
}
var import_node_crypto2, import_node_fs51, import_node_os5, import_node_path46, import_node_zlib;
var init_scratch_objects = __esm({
  "scripts-src/workspace/merge/scratch-objects.ts"() {
    "use strict";
    import_node_crypto2 = require("node:crypto");
    import_node_fs51 = require("node:fs");
    import_node_os5 = __toESM(require("node:os"), 1);
    import_node_path46 = __toESM(require("node:path"), 1);
    import_node_zlib = require("node:zlib");
    init_files();
  }
});

// scripts-src/workspace/merge/conflict-lines.ts
async function conflictLines(scratch, conflicts2) {
  if (conflicts2.length === 0) return [];
  const pairs = /* @__PURE__ */ new Map();
  const want = (from, to) => void pairs.set(`${from} ${to}`, [from, to]);
  for (const { base, ours, theirs } of conflicts2) {
    if (base === null) want(ours, theirs);
    else {
      want(base, ours);
      want(base, theirs);
    }
  }
  const distinct2 = [...pairs.values()];
  const hunks = await hunksOf(scratch.place, {
    from: scratch.numberedTree(distinct2.map(([from]) => from)),
    to: scratch.numberedTree(distinct2.map(([, to]) => to))
  });
  const byPair = new Map([...pairs.keys()].map((key, n) => [key, hunks.get(entryName(n)) ?? []]));
  return conflicts2.map(
    ({ base, ours, theirs }) => base === null ? differingLines(byPair.get(`${ours} ${theirs}`) ?? []) : clashingLines(byPair.get(`${base} ${ours}`) ?? [], byPair.get(`${base} ${theirs}`) ?? [])
  );
}
async function hunksOf(place, trees) {
  const shape = [
    "-r",
    "-p",
    "-U0",
    "--histogram",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color"
  ];
  const prefixes = ["--src-prefix=a/", "--dst-prefix=b/"];
  return parseHunks(await gitBytes(place, ["diff-tree", ...shape, ...prefixes, trees.from, trees.to]));
}
function parseHunks(patch) {
  const lines2 = patch.toString("latin1").split("\n");
  const files = /* @__PURE__ */ new Map();
  let hunks = [];
  for (let at2 = 0; at2 < lines2.length; at2++) {
    const line = lines2[at2] ?? "";
    const file = /^diff --git a\/(\S+) b\//.exec(line);
    if (file) {
      hunks = [];
      files.set(file[1] ?? "", hunks);
    }
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!head) continue;
    const fromCount = Number(head[2] ?? 1);
    const toCount = Number(head[4] ?? 1);
    const added = [];
    for (let left = fromCount + toCount; left > 0; ) {
      const body = lines2[++at2];
      if (body === void 0) break;
      if (body.startsWith("\\")) continue;
      if (body.startsWith("+")) added.push(body);
      left--;
    }
    if (lines2[at2 + 1]?.startsWith("\\")) added.push(lines2[++at2] ?? "");
    hunks.push({
      // git gives an empty range by the line before it, any other one by its first line.
      from: Number(head[1]) - (fromCount === 0 ? 0 : 1),
      fromCount,
      to: Number(head[3]) - (toCount === 0 ? 0 : 1),
      toCount,
      text: added.join("\n")
    });
  }
  return files;
}
function differingLines(hunks) {
  return hunks.map(({ from, fromCount, to, toCount }) => ({
    ours: [from + 1, from + fromCount],
    theirs: [to + 1, to + toCount]
  }));
}
function clashingLines(ours, theirs) {
  const found = [];
  let o = 0;
  let t = 0;
  while (o < ours.length && t < theirs.length) {
    const [mine, other] = [ours[o], theirs[t]];
    if (!mine || !other) break;
    if (mine.from + mine.fromCount < other.from) o++;
    else if (other.from + other.fromCount < mine.from) t++;
    else if (isSame2(mine, other)) {
      o++;
      t++;
    } else {
      const [firstO, firstT] = [o, t];
      const start = Math.min(mine.from, other.from);
      let end = start;
      for (; ; ) {
        const [nextO, nextT] = [ours[o], theirs[t]];
        if (nextO && (o === firstO || nextO.from <= end)) {
          end = Math.max(end, nextO.from + nextO.fromCount);
          o++;
        } else if (nextT && (t === firstT || nextT.from <= end)) {
          end = Math.max(end, nextT.from + nextT.fromCount);
          t++;
        } else break;
      }
      found.push({
        ours: linesOf(ours.slice(firstO, o), start, end),
        theirs: linesOf(theirs.slice(firstT, t), start, end)
      });
    }
  }
  if (found.length > 0) return found;
  const [all, their] = [spanOf(ours), spanOf(theirs)];
  return all && their ? [{ ours: all, theirs: their }] : [];
}
function linesOf(hunks, start, end) {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (!first || !last) return [start + 1, end];
  return [first.to - (first.from - start) + 1, last.to + last.toCount + (end - last.from - last.fromCount)];
}
function spanOf(hunks) {
  const [first, last] = [hunks[0], hunks.at(-1)];
  return first && last ? [first.to + 1, last.to + last.toCount] : void 0;
}
function isSame2(a, b) {
  return a.from === b.from && a.fromCount === b.fromCount && a.text === b.text;
}
var init_conflict_lines = __esm({
  "scripts-src/workspace/merge/conflict-lines.ts"() {
    "use strict";
    init_git();
    init_scratch_objects();
  }
});

// scripts-src/workspace/merge/merge-conflicts.ts
function conflictsOf(merge2, ours, theirs) {
  const plain2 = (where) => withoutSide(where, [ours.commit, theirs.commit]);
  const stages = /* @__PURE__ */ new Map();
  for (const entry of merge2.entries) {
    const where = plain2(entry.path);
    stages.set(where, (stages.get(where) ?? /* @__PURE__ */ new Map()).set(entry.stage, entry));
  }
  const found = /* @__PURE__ */ new Map();
  const covered = /* @__PURE__ */ new Set();
  for (const [type, kind] of KINDS) {
    for (const message of merge2.messages.filter((said) => said.type === type)) {
      const paths = [...new Set(message.paths.map(plain2))];
      if (paths[0] === void 0 || covered.has(paths[0])) continue;
      if (kind === "file/directory" && !stages.has(paths[0])) continue;
      for (const where of paths) covered.add(where);
      const conflict = describe2(kind, paths, stages, [ours.name, theirs.name]);
      found.set(conflict.path, conflict);
    }
  }
  const unknown = merge2.messages.filter(
    ({ type }) => type.startsWith("CONFLICT") && KINDS.every(([known2]) => known2 !== type)
  );
  for (const { paths, type } of [
    ...unknown,
    ...merge2.entries.map((entry) => ({ paths: [entry.path], type: "" }))
  ]) {
    const where = plain2(paths[0] ?? NOWHERE2);
    if (covered.has(where)) continue;
    covered.add(where);
    const detail = `git cannot merge it${type === "" ? "" : ` (${type.slice(0, 100)})`}`;
    found.set(where, { path: where, kind: "other", detail, blobs: void 0 });
  }
  if (found.size === 0) {
    const where = plain2(merge2.messages.find(({ type }) => type.startsWith("CONFLICT"))?.paths[0] ?? NOWHERE2);
    found.set(where, { path: where, kind: "other", detail: "git cannot merge it", blobs: void 0 });
  }
  return [...found.values()].sort((a, b) => a.path < b.path ? -1 : 1);
}
function describe2(kind, paths, stages, [ours, theirs]) {
  const [where = ""] = paths;
  const here = stages.get(where) ?? /* @__PURE__ */ new Map();
  const isOurs2 = here.has(2);
  const [one, other] = isOurs2 ? [ours, theirs] : [theirs, ours];
  const plain2 = (detail) => ({ path: where, kind, detail, blobs: void 0 });
  switch (kind) {
    case "content":
      return describeContents(where, here, [ours, theirs]);
    case "binary":
      return plain2("both changed it, and it is a binary file");
    case "modify/delete":
      return plain2(`${one} changed it, ${other} deleted it`);
    case "file/directory":
      return plain2(`${one} has a file here, ${other} a folder`);
    case "mode":
      return plain2(`${ours} made it ${typeName(here.get(2))}, ${theirs} ${typeName(here.get(3))}`);
    case "rename/delete": {
      const renamed = paths.find((each) => stages.get(each)?.has(2) || stages.get(each)?.has(3)) ?? where;
      const old = paths.find((each) => each !== renamed) ?? where;
      const renamer = stages.get(renamed)?.has(2) ? ours : theirs;
      const deleter = renamer === ours ? theirs : ours;
      return { ...plain2(`${renamer} renamed it to ${shownPath(renamed)}, ${deleter} deleted it`), path: old };
    }
    case "rename/rename": {
      const newNames = paths.slice(1).map(shownPath);
      if (newNames.length < 2) return plain2("a renamed file meets another file of this name");
      const oursFirst = stages.get(paths[1] ?? where)?.has(2) ?? true;
      const [mine, their] = oursFirst ? newNames : newNames.reverse();
      return plain2(`${ours} renamed it to ${mine}, ${theirs} to ${their}`);
    }
    default:
      return plain2("git cannot merge it");
  }
}
function describeContents(where, here, [ours, theirs]) {
  const [base, mine, their] = [here.get(1), here.get(2), here.get(3)];
  const plain2 = (kind, detail) => ({ path: where, kind, detail, blobs: void 0 });
  if (!mine || !their) return plain2("content", "both changed it");
  if (mine.mode === "120000") return plain2("symlink", "both changed where this symbolic link points");
  if (mine.id === their.id) {
    return plain2("mode", `${ours} made it ${typeName(mine)}, ${theirs} ${typeName(their)}`);
  }
  const blobs = { base: base?.id ?? null, ours: mine.id, theirs: their.id };
  return base ? { path: where, kind: "content", detail: "both changed the same lines", blobs } : { path: where, kind: "add/add", detail: "both added it, with different content", blobs };
}
function typeName(entry) {
  const names = {
    "100644": "a plain file",
    "100755": "an executable file",
    "120000": "a symbolic link"
  };
  return names[entry?.mode ?? ""] ?? "something else";
}
function withoutSide(where, commits) {
  for (const commit of commits) {
    const at2 = where.lastIndexOf(`~${commit}`);
    if (at2 > 0 && /^(?:_\d+)?$/.test(where.slice(at2 + 1 + commit.length)))
      return where.slice(0, at2);
  }
  return where;
}
var KINDS, NOWHERE2;
var init_merge_conflicts = __esm({
  "scripts-src/workspace/merge/merge-conflicts.ts"() {
    "use strict";
    init_byte_path();
    KINDS = [
      ["CONFLICT (file/directory)", "file/directory"],
      ["CONFLICT (distinct modes)", "mode"],
      ["CONFLICT (rename/rename)", "rename/rename"],
      ["CONFLICT (rename collides)", "rename/rename"],
      ["CONFLICT (rename/delete)", "rename/delete"],
      ["CONFLICT (modify/delete)", "modify/delete"],
      ["CONFLICT (binary)", "binary"],
      ["CONFLICT (contents)", "content"]
    ];
    NOWHERE2 = "";
  }
});

// scripts-src/workspace/merge/merge-output.ts
function parseMerges(output) {
  const words = output.toString("latin1").split("\0");
  words.pop();
  const merges = [];
  let at2 = 0;
  const next = () => {
    const word = words[at2++];
    if (word === void 0) throw new Error("git merge-tree: its output ends too early");
    return word;
  };
  while (at2 < words.length) {
    const status = next();
    if (status !== "0" && status !== "1") throw new Error(`git merge-tree: unknown status ${status}`);
    const tree = next();
    const entries = [];
    for (let word = next(); word !== ""; word = next()) entries.push(parseEntry(word));
    const messages = [];
    for (let word = next(); word !== ""; word = next()) {
      const paths = Array.from({ length: Number(word) }, () => next());
      messages.push({ paths, type: next() });
      next();
    }
    merges.push({ isClean: status === "1", tree, entries, messages });
  }
  return merges;
}
function parseEntry(word) {
  const tab = word.indexOf("	");
  const [mode = "", id = "", stage = ""] = word.slice(0, tab).split(" ");
  return { mode, id, stage: Number(stage), path: word.slice(tab + 1) };
}
var init_merge_output = __esm({
  "scripts-src/workspace/merge/merge-output.ts"() {
    "use strict";
  }
});

// scripts-src/workspace/merge/readable-trees.ts
async function refuseMissingTrees(place, pairs) {
  const lines2 = [...new Set(pairs.map(([base, side]) => `${base} ${side}`))];
  const input = lines2.map((line) => `${line}
`).join("");
  const compared = await gitText(place, ["diff-tree", "--stdin", "-r", "-s", "--no-renames"], { input });
  const done = new Set(compared.split("\n"));
  const missing4 = lines2.find((line) => !done.has(line));
  if (missing4 === void 0) return;
  throw new PrunError(
    "E_TREE_MISSING",
    `one of these trees is missing: ${missing4} (${place.gitDir ?? place.cwd})`,
    "collect the units again; nothing was changed",
    1
  );
}
var init_readable_trees = __esm({
  "scripts-src/workspace/merge/readable-trees.ts"() {
    "use strict";
    init_errors();
    init_git();
  }
});

// scripts-src/workspace/merge/merge-trees.ts
async function mergeTrees(place, base, ours, theirs) {
  const [result] = await mergeAll(place, [{ base, ours, theirs }]);
  if (!result) throw new Error("git merge-tree gave no answer");
  return result;
}
async function mergeAll(place, tasks, { areWhole = false } = {}) {
  const results = /* @__PURE__ */ new Map();
  const open2 = [];
  for (const task of tasks) {
    const tree = withoutGit(task);
    if (tree === void 0) open2.push(task);
    else results.set(task, { kind: "clean", tree });
  }
  if (open2.length > 0) {
    await withScratchObjects(withoutWorkTree(place), async (opened) => {
      const scratch = { ...opened, place: withMergeSettings(opened) };
      const lanes = Array.from(
        { length: Math.min(LANES, open2.length) },
        (_, lane) => open2.filter((_task, n) => n % LANES === lane)
      );
      const sides = open2.flatMap(
        ({ base, ours, theirs }) => [ours, theirs].map(({ tree }) => [base, tree])
      );
      const [merged] = await Promise.all([
        Promise.all(lanes.map((lane) => mergeLane(scratch, lane))),
        areWhole ? void 0 : refuseMissingTrees(scratch.place, sides)
      ]);
      for (const [task, result] of await withLines(scratch, merged.flat())) results.set(task, result);
    });
  }
  return tasks.flatMap((task) => results.get(task) ?? []);
}
async function mergeCommits(place, ours, theirs) {
  return withScratchObjects(withoutWorkTree(place), async (opened) => {
    const scratch = { ...opened, place: withMergeSettings(opened) };
    const sides = { ours: ours.commit, theirs: theirs.commit };
    const [merge2] = parseMerges(await mergeOutput(scratch.place, [sides]));
    if (!merge2) throw new Error("git merge-tree gave no answer");
    const task = {
      base: "",
      ours: { name: ours.name, tree: ours.commit },
      theirs: { name: theirs.name, tree: theirs.commit }
    };
    const [result] = await withLines(scratch, [[task, merge2, sides]]);
    if (!result) throw new Error("git merge-tree gave no answer");
    return result[1];
  });
}
function withoutGit({ base, ours, theirs }) {
  if (ours.tree === theirs.tree || theirs.tree === base) return ours.tree;
  return ours.tree === base ? theirs.tree : void 0;
}
function withoutWorkTree({ workTree: _tree, indexFile: _index, ...place }) {
  return { ...place, asUser: false };
}
function withMergeSettings({ folder, place }) {
  const attributes = import_node_path47.default.join(folder, "attributes");
  (0, import_node_fs52.writeFileSync)(attributes, ATTRIBUTES2, { mode: PRIVATE_FILE });
  const config2 = {
    ...place.config,
    "core.attributesFile": attributes,
    "attr.tree": "",
    "merge.default": "text",
    "merge.renames": "true",
    "merge.directoryRenames": "false",
    "merge.renormalize": "false",
    "merge.conflictStyle": "merge"
  };
  return { ...place, config: config2 };
}
async function mergeLane(scratch, tasks) {
  const commits = tasks.map(({ base, ours, theirs }) => {
    const parent = scratch.commit(base);
    return { ours: scratch.commit(ours.tree, parent), theirs: scratch.commit(theirs.tree, parent) };
  });
  const raw = parseMerges(await mergeOutput(scratch.place, commits));
  return tasks.flatMap((task, n) => {
    const [merge2, sides] = [raw[n], commits[n]];
    if (!merge2 || !sides) throw new Error(`git merge-tree answered ${raw.length} of ${tasks.length} merges`);
    return [[task, merge2, sides]];
  });
}
async function mergeOutput(place, commits) {
  const input = commits.map(({ ours, theirs }) => `${ours} ${theirs}
`).join("");
  try {
    return await gitBytes(place, ["merge-tree", "--write-tree", "--messages", "-z", "--stdin"], { input });
  } catch (error) {
    if (!(error instanceof GitError) || !/unknown option .?stdin/.test(error.stderr)) throw error;
  }
  const outputs = [];
  for (const { ours, theirs } of commits) {
    const argv2 = ["merge-tree", "--write-tree", "--messages", "-z", ours, theirs];
    const { code, stdout } = await runGit(place, argv2, { answers: [0, 1] });
    outputs.push(Buffer.from(code === 0 ? "1\0" : "0\0"), stdout, Buffer.from("\0"));
  }
  return Buffer.concat(outputs);
}
async function withLines(scratch, merged) {
  const found = merged.map(([task, merge2, sides]) => ({
    task,
    merge: merge2,
    conflicts: merge2.isClean ? [] : conflictsOf(
      merge2,
      { name: task.ours.name, commit: sides.ours },
      { name: task.theirs.name, commit: sides.theirs }
    )
  }));
  const withBlobs = found.flatMap(({ conflicts: conflicts2 }) => conflicts2.flatMap(({ blobs }) => blobs ?? []));
  const lines2 = new Map((await conflictLines(scratch, withBlobs)).map((each, n) => [withBlobs[n], each]));
  return found.map(({ task, merge: merge2, conflicts: conflicts2 }) => [
    task,
    merge2.isClean ? { kind: "clean", tree: merge2.tree } : {
      kind: "conflict",
      conflicts: conflicts2.map(({ path: where, kind, detail, blobs }) => ({
        path: where,
        kind,
        detail,
        lines: blobs ? lines2.get(blobs) ?? [] : []
      }))
    }
  ]);
}
var import_node_fs52, import_node_path47, LANES, ATTRIBUTES2;
var init_merge_trees = __esm({
  "scripts-src/workspace/merge/merge-trees.ts"() {
    "use strict";
    import_node_fs52 = require("node:fs");
    import_node_path47 = __toESM(require("node:path"), 1);
    init_files();
    init_git();
    init_conflict_lines();
    init_merge_conflicts();
    init_merge_output();
    init_readable_trees();
    init_scratch_objects();
    LANES = 2;
    ATTRIBUTES2 = "* !merge !conflict-marker-size -text -filter -ident -working-tree-encoding !diff\n";
  }
});

// scripts-src/workspace/merge/merge-parents.ts
async function mergeParents(set, units) {
  const store = { gitDir: storeOf(set) };
  const root = await rootLineage(store, set.record.base.tree);
  const parents = [];
  for (const unit of units) parents.push(await parentOf2(set, store, root, unit));
  await refuseMissingTrees(
    store,
    parents.map(({ delta }) => [delta.base, delta.result])
  );
  const taken = [];
  const pairs = [];
  const leftOut = [];
  let merged = { tree: set.record.base.tree, commit: root };
  for (const parent of parents) {
    const result = await mergeInto(store, merged, taken, parent);
    if (result.kind === "clean") {
      merged = result;
      taken.push(parent);
    } else {
      pairs.push(...result.pairs);
      leftOut.push(parent.name);
    }
  }
  if (leftOut.length > 0) {
    const order = { order: taken.map(({ name: name2 }) => name2), leftOut };
    const named2 = parents.map(({ name: name2, delta }) => ({ name: name2, delta }));
    return { kind: "conflict", matrix: { units: named2, pairs, outside: [], order } };
  }
  return {
    kind: "clean",
    tree: merged.tree,
    from: baseOf(set, units[0] ?? ""),
    origin: { kind: "after", units: [...units], lineage: merged.commit },
    changes: parents.map(({ delta }) => changesOf(delta))
  };
}
async function parentOf2(set, store, root, unit) {
  const workspace = readWorkspace(set, unit);
  const record2 = readDelta(set, unit);
  if (!workspace || !record2) {
    throw usageError(
      `--after ${unit}: run ${set.record.id} has no collected delta of it`,
      workspace ? `collect it first: prun collect --run ${set.record.id} --unit ${unit}` : "name a unit that has a workspace in this run"
    );
  }
  const { base, result, patch } = record2;
  const origin = workspace.base === base ? workspace.origin : null;
  const lineage = origin?.lineage ?? null;
  const files = await changedFiles2(store, base, result);
  const delta = { unit, base, result, store: storeOf(set), files, owns: [], lineage, patchFile: patch.path };
  const stand = lineage ?? (base === set.record.base.tree ? root : await lineageCommit(store, base, [root], "base"));
  return { name: unit, delta, commit: await lineageCommit(store, result, [stand], resultSubject(unit)) };
}
async function mergeInto(store, before, taken, parent) {
  if (taken.length === 0) return { kind: "clean", tree: parent.delta.result, commit: parent.commit };
  const names = taken.map(({ name: name2 }) => name2).join(", ");
  const merged = await mergeCommits(store, { name: names, commit: before.commit }, parent);
  if (merged.kind === "clean") {
    const { tree } = merged;
    return {
      kind: "clean",
      tree,
      commit: await lineageCommit(store, tree, [before.commit, parent.commit], "merge")
    };
  }
  const pairs = [];
  for (const other of taken) {
    const alone = await mergeCommits(store, other, parent);
    if (alone.kind === "conflict")
      pairs.push({ units: [other.name, parent.name], conflicts: alone.conflicts });
  }
  if (pairs.length > 0) return { kind: "conflict", pairs };
  return { kind: "conflict", pairs: [{ units: [names, parent.name], conflicts: merged.conflicts }] };
}
function changesOf({ unit, files }) {
  return `${unit}: ${files.length === 0 ? "no file" : files.length === 1 ? "1 file" : `${files.length} files`} changed`;
}
var init_merge_parents = __esm({
  "scripts-src/workspace/merge/merge-parents.ts"() {
    "use strict";
    init_errors();
    init_lineage();
    init_load_delta();
    init_workspace_set();
    init_merge_trees();
    init_readable_trees();
  }
});

// scripts-src/commands/clone-base.ts
async function withBase(request, { set, isNew: isNew2 }, source, work) {
  if (request.after.length > 0) {
    const merged = await mergeParents(set, request.after);
    if (merged.kind === "conflict") return printConflicts(merged.matrix, request);
    return withBaseDraft(set, async (folder) => work(await baseAfter(set, merged, folder)));
  }
  if (!request.asItStands || isNew2) return work(void 0);
  return withBaseDraft(set, async (folder) => work(await baseAsItStands(set, source, folder)));
}
function printConflicts(matrix, { json, after }) {
  const text2 = json ? `${JSON.stringify(conflictJson(matrix), null, 2)}
` : conflictLinesOf(matrix).map((line) => `${line}
`).join("");
  process.stdout.write(text2);
  process.stderr.write(
    `prun clone: the results of ${after.join(", ")} do not go together: nothing was made
`
  );
  return EXIT.conflict;
}
var init_clone_base = __esm({
  "scripts-src/commands/clone-base.ts"() {
    "use strict";
    init_errors();
    init_conflict_table();
    init_base_after();
    init_base_as_it_stands();
    init_own_base();
    init_merge_parents();
  }
});

// scripts-src/unit/state-dir.ts
function stateFile(stateDir, file) {
  return import_node_path48.default.join(stateDir, STATE_FILES[file]);
}
var import_node_path48, STATE_FILES;
var init_state_dir = __esm({
  "scripts-src/unit/state-dir.ts"() {
    "use strict";
    import_node_path48 = __toESM(require("node:path"), 1);
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

// scripts-src/unit/live-attempt.ts
function liveAttempt(host, stateDirs) {
  return stateDirs.find((dir) => {
    if ((0, import_node_fs53.existsSync)(stateFile(dir, "outcome"))) return false;
    const written = [...identitiesIn(dir), readValue(stateFile(dir, "guardian"))];
    return written.some((text2) => {
      const identity = parseIdentity(text2 ?? "");
      return identity !== void 0 && isAlive(host, identity);
    });
  });
}
function identitiesIn(stateDir) {
  try {
    const record2 = JSON.parse((0, import_node_fs53.readFileSync)(stateFile(stateDir, "unit"), "utf8"));
    if (typeof record2 !== "object" || record2 === null) return [];
    const { supervisor, worker } = record2;
    return [supervisor, worker].filter((one) => typeof one === "string");
  } catch {
    return [];
  }
}
var import_node_fs53;
var init_live_attempt = __esm({
  "scripts-src/unit/live-attempt.ts"() {
    "use strict";
    import_node_fs53 = require("node:fs");
    init_files();
    init_identity();
    init_state_dir();
  }
});

// scripts-src/commands/running-attempt.ts
async function runningAttempt(set, unit) {
  const noted = attemptsIn({ set: set.folder, unit });
  return noted.length === 0 ? void 0 : liveAttempt(await currentHost(), noted);
}
var init_running_attempt = __esm({
  "scripts-src/commands/running-attempt.ts"() {
    "use strict";
    init_host();
    init_live_attempt();
    init_workspace_of();
  }
});

// scripts-src/commands/clone.ts
var clone_exports = {};
__export(clone_exports, {
  clone: () => clone2
});
async function clone2(argv2) {
  const request = parseClone(argv2, process.env, process.cwd());
  if (!request) {
    process.stdout.write(CLONE_HELP);
    return EXIT.ok;
  }
  const progress = progressLine(process.stderr);
  const interruption = listenForInterruption();
  const stop = new AbortController();
  void interruption.arrived.then(() => stop.abort());
  try {
    const code = await makeAll(request, progress, stop.signal);
    const signal = interruption.signal();
    return signal ? 128 + (import_node_os6.default.constants.signals[signal] ?? 0) : code;
  } finally {
    progress.clear();
  }
}
async function makeAll(request, progress, stop) {
  progress.say(`reading ${request.repository}`);
  const source = await readSource(request.repository);
  await refuseStateAmongFiles(source, request.stateHome);
  if (request.warm.length > 0) await refuseWaitingRulesOf(source);
  const named2 = await planWarm(source, { paths: request.warm, anyway: request.warmAnyway });
  const provided = await setFor(request, source);
  return withBase(
    request,
    provided,
    source,
    (base) => makeFrom(request, { set: provided.set, base, warm: named2 }, progress, stop)
  );
}
async function setFor(request, source) {
  const { run: run2, after, stateHome: stateHome2 } = request;
  if (after.length === 0 || run2 === void 0) return provideSet(stateHome2, source, run2);
  return { set: ofSameRepository(openSet(stateHome2, run2), source), isNew: false };
}
async function makeFrom(request, { set, base, warm: named2 }, progress, stop) {
  const retired = request.renew ? await retireAll(set, request, progress) : [];
  progress.say(`making ${request.units.length} workspaces`);
  let made = 0;
  const workspaces = await makeWorkspaces(set, {
    units: request.units,
    mode: request.worktree ? "worktree" : "clone",
    base,
    warm: named2.items.map(({ path: where }) => pathToJson(where)),
    claimPorts,
    stop,
    onMade: ({ folder }) => {
      made++;
      progress.say(`made ${made} of ${request.units.length} workspaces`);
      if (!request.json && request.setup === void 0 && request.warm.length === 0)
        announce(folder, progress);
    }
  });
  const warmed = await prepareAll(set, workspaces, request, named2, progress, stop);
  const { record: record2 } = base ?? setBase(set);
  const facts = {
    set: { ...set.record, base: record2 },
    folder: set.folder,
    note: noteFor(set, base, workspaces),
    workspaces: warmed.workspaces,
    notes: [...retired, ...warmed.notes]
  };
  if (request.json) printJson(facts);
  progress.clear();
  for (const line of cloneSummary(
    facts.set,
    base?.origin ?? null,
    facts.note,
    { count: workspaces.length, mode: request.worktree ? "worktree" : "clone" },
    [...portNote(workspaces), ...named2.notes, ...facts.notes]
  )) {
    process.stderr.write(`${line}
`);
  }
  return warmed.workspaces.some(({ setup }) => setup !== null && setup.exitCode !== 0) ? EXIT.unitFailed : EXIT.ok;
}
async function retireAll(set, { units }, progress) {
  const notes = [];
  for (const { unit } of units) {
    const attempt = await runningAttempt(set, unit);
    if (attempt !== void 0) {
      throw usageError(
        `unit ${unit} of run ${set.record.id} still runs (state dir ${attempt})`,
        "wait for it, or stop it first"
      );
    }
    progress.say(`archiving the earlier workspace of ${unit}`);
    notes.push(...await retireWorkspace(set, unit));
  }
  return notes;
}
function noteFor(set, base, [first]) {
  return base && first ? baseNoteOf(set, first.unit) : import_node_path49.default.join(set.folder, SET_FILES.note);
}
function portNote(workspaces) {
  const some = workspaces.flatMap(
    ({ unit, ports }) => ports ? [`${unit} ${ports.first}-${ports.last}`] : []
  );
  const more = some.length > 10 ? `, and ${some.length - 10} more (--json)` : "";
  return some.length === 0 ? [] : [`ports: ${some.slice(0, 10).join(", ")}${more}`];
}
function announce(folder, progress) {
  progress.clear();
  process.stdout.write(`CLONE ${folder}
`);
}
async function prepareAll(set, workspaces, request, plan, progress, stop) {
  if (request.setup === void 0 && request.warm.length === 0)
    return { workspaces: [...workspaces], notes: [] };
  const prepared = { workspaces: [], notes: [] };
  for (const workspace of workspaces) {
    if (stop.aborted) break;
    const { unit, folder } = workspace;
    const { record: record2 } = baseOf(set, unit);
    const submodules = record2.submodules.map(({ path: where }) => pathFromJson(where));
    const source = { ...set.record.source, submodules };
    const report = await warmWorkspace(plan, source, folder, {
      onItem: ({ path: where }) => progress.say(`${unit}: bringing ${where} along`),
      signal: stop
    });
    prepared.notes.push(...report.notes.map((note2) => `${unit}: ${note2}`));
    const ready = await setUp(set, workspace, request, progress, stop);
    prepared.workspaces.push(ready);
    prepared.notes.push(...setupNotes(ready));
    if (!request.json) announce(folder, progress);
  }
  return prepared;
}
async function setUp(set, workspace, request, progress, stop) {
  if (request.setup === void 0 || stop.aborted) return workspace;
  const { unit, folder, ports } = workspace;
  const log = import_node_path49.default.join(unitFolder(set, unit), UNIT_FILES.setupLog);
  const place = { set: set.folder, unit, clone: folder, ports, base: workspace.base, source: void 0 };
  const { exitCode } = await runSetup({
    folder,
    command: request.setup,
    log,
    environment: { ...process.env, ...workspaceEnvironment(place) },
    timeoutSeconds: request.setupTimeoutSeconds,
    signal: stop,
    onProgress: (seconds, line) => progress.say(`${unit}: setup ${seconds} s: ${line}`)
  });
  const ready = { ...workspace, setup: { command: request.setup, exitCode, log } };
  rewriteWorkspace(set, ready);
  return ready;
}
function setupNotes({ unit, setup }) {
  if (setup === null || setup.exitCode === 0) return [];
  const why = setup.exitCode === 124 ? "was ended when its time was up" : `failed with ${setup.exitCode}`;
  return [`${unit}: the setup ${why}, its output is in ${setup.log}; the clone is there`];
}
function printJson({ set: { id, base }, folder, note: note2, workspaces, notes }) {
  process.stdout.write(`${JSON.stringify({ run: id, folder, note: note2, base, workspaces, notes }, null, 2)}
`);
}
var import_node_os6, import_node_path49;
var init_clone = __esm({
  "scripts-src/commands/clone.ts"() {
    "use strict";
    import_node_os6 = __toESM(require("node:os"), 1);
    import_node_path49 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_errors();
    init_clone_report();
    init_progress_line();
    init_interruption();
    init_create_set();
    init_source_repo();
    init_state_home_place();
    init_waiting_rules();
    init_draft_workspace();
    init_make_workspaces();
    init_retire_workspace();
    init_ports();
    init_setup();
    init_warm();
    init_workspace_of();
    init_workspace_set();
    init_clone_arguments();
    init_clone_base();
    init_running_attempt();
  }
});

// scripts-src/workspace/apply/apply-moves.ts
function movesOf2(root, inputs) {
  return inputs.flatMap((input) => {
    if (input.kind !== "delta") return [];
    const { unit, store, base, result } = input.delta;
    const set = import_node_path50.default.dirname(store);
    const record2 = deltaMoves.safeParse(
      parseJson(readOptional(import_node_path50.default.join(set, "units", unit, UNIT_FILES.delta)).toString("utf8"))
    );
    if (!record2.success || record2.data.base !== base || record2.data.result !== result) return [];
    return record2.data.moves.map((move) => {
      const where = pathFromJson(move.path);
      return {
        path: where,
        unit: input.unit,
        base: move.base,
        result: move.result,
        commands: commandsFor(root, import_node_path50.default.join(set, "clones", unit), where, move.result)
      };
    });
  });
}
function commandsFor(root, clone3, where, result) {
  const here = import_node_path50.default.join(root, textOf(where));
  if (result === null) return [`git -C ${quoted(root)} rm --cached ${quoted(textOf(where))}`];
  return [
    `git -C ${quoted(here)} fetch ${quoted(import_node_path50.default.join(clone3, textOf(where)))} ${result}`,
    `git -C ${quoted(here)} reset ${result}`
  ];
}
function quoted(word, platform = process.platform) {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
function parseJson(text2) {
  try {
    return JSON.parse(text2);
  } catch {
    return void 0;
  }
}
var import_node_path50, jsonPath2, deltaMoves;
var init_apply_moves = __esm({
  "scripts-src/workspace/apply/apply-moves.ts"() {
    "use strict";
    import_node_path50 = __toESM(require("node:path"), 1);
    init_mini();
    init_byte_path();
    init_read_optional();
    init_workspace_set();
    jsonPath2 = union([string2(), object({ base64: string2() })]);
    deltaMoves = object({
      base: string2(),
      result: string2(),
      moves: array(object({ path: jsonPath2, base: string2(), result: nullable(string2()) }))
    });
  }
});

// scripts-src/render/apply-report.ts
function applyLines(end, undo3) {
  if (end.kind === "conflict") {
    const lines2 = end.conflicts.map(conflictLine);
    return [
      `CONFLICTS ${end.conflicts.length} (nothing was changed in ${shownWord(end.root)})`,
      ...bounded3(lines2, "conflicts")
    ];
  }
  const already = end.already.length > 0 ? ` already=${end.already.length}` : "";
  const counts = `${end.units.length} files=${end.files.length}${already}`;
  if (end.kind === "empty") {
    return [
      `EMPTY ${counts} (nothing to change in ${shownWord(end.root)}: everything is there already, or the deltas are empty)`,
      ...moveLines(end.moves)
    ];
  }
  return [
    `${end.kind === "applied" ? "APPLIED" : "WOULD-APPLY"} ${counts}${end.staged ? " staged" : ""}`,
    ...fileLines(end.files),
    ...moveLines(end.moves),
    ...end.undo ? [
      `UNDO ${shownWord(end.undo.patch)}`,
      `UNDO-COMMAND ${undo3(end.undo.id).map((word) => quoted(word)).join(" ")}`
    ] : []
  ];
}
function undoLines(end) {
  if (end.kind === "edited") {
    const lines2 = end.files.map(
      ({ path: where, what }) => `EDITED ${wordOf2(where)}: ${what.replace("since it was read", "since the apply")}`
    );
    return [
      `EDITED-SINCE ${end.id} files=${end.files.length} (nothing was changed)`,
      ...bounded3(lines2, "files")
    ];
  }
  return [
    `UNDONE ${end.id} files=${end.files.length}`,
    ...fileLines(end.files),
    ...end.indexesLeft.map(
      (file) => `INDEX-LEFT ${shownWord(file)}: something was staged since, see git status`
    )
  ];
}
function settledLines(settled) {
  return settled.flatMap(({ id, did, left, folder }) => {
    if (did === "cleared") return [];
    const what = did === "finished" ? "was complete, and is cleaned up" : "was interrupted, and is rolled back";
    const names = [...left.paths.map(shownPath), ...left.indexes];
    const more = names.length > PLACES2 ? ` and ${names.length - PLACES2} more` : "";
    const kept = names.length > 0 ? `; left as somebody changed it since: ${names.slice(0, PLACES2).join(", ")}${more}; what was there before is kept in ${folder}` : "";
    return [`prun apply: an earlier change (${id}) ${what}${kept}`];
  });
}
function applyJson(end, undo3) {
  const base = { status: end.kind, tree: end.root, units: end.units, earlier: end.settled.map(settledJson) };
  if (end.kind === "conflict") return { ...base, conflicts: end.conflicts.map(conflictJson2) };
  return {
    ...base,
    files: end.files.map(fileJson),
    already: end.already.map(pathToJson),
    submodules: end.moves.map((move) => ({ ...move, path: pathToJson(move.path) })),
    staged: end.staged,
    undo: end.undo && {
      id: end.undo.id,
      patch: end.undo.patch,
      argv: undo3(end.undo.id)
    }
  };
}
function undoJson(end) {
  const base = { status: end.kind, tree: end.root, id: end.id, earlier: end.settled.map(settledJson) };
  if (end.kind === "edited") {
    return { ...base, files: end.files.map(({ path: where, what }) => ({ path: pathToJson(where), what })) };
  }
  return { ...base, units: end.units, files: end.files.map(fileJson), indexesLeft: end.indexesLeft };
}
function settledJson({ id, did, left, folder }) {
  return { id, did, left: { paths: left.paths.map(pathToJson), indexes: left.indexes }, folder };
}
function fileJson({ path: where, status }) {
  return { path: pathToJson(where), status };
}
function conflictJson2(conflict) {
  const { path: where, unit, against, kind, detail, lines: lines2 } = conflict;
  return {
    path: where === null ? null : pathToJson(where),
    unit: unit === "" ? null : unit,
    against,
    kind,
    detail,
    lines: lines2.map(({ ours, theirs }) => ({ against: ours, unit: theirs }))
  };
}
function fileLines(files) {
  const letters = { added: "A", modified: "M", deleted: "D" };
  return bounded3(
    files.map(({ path: where, status }) => `${letters[status]} ${shownPath(where)}`),
    "files"
  );
}
function conflictLine({ path: where, unit, against, kind, detail, lines: lines2 }) {
  const start = [
    "CONFLICT",
    unit === "" ? "-" : spaced(unit),
    spaced(against),
    where === null ? "-" : wordOf2(where),
    kind
  ];
  if (lines2.length === 0) return `${start.join(" ")}: ${oneLine(detail)}`;
  const of = (side) => lines2.slice(0, PLACES2).map((place) => place[side].join("-")).join(",");
  const more = lines2.length > PLACES2 ? ` +${lines2.length - PLACES2} places` : "";
  return `${start.join(" ")} ${spaced(unit)}:${of("theirs")} ${spaced(against)}:${of("ours")}${more}`;
}
function moveLines(moves) {
  const lines2 = moves.map(({ path: where, unit, base, result, commands }) => {
    const to = result === null ? "was removed" : `stands on ${result.slice(0, 12)}, not ${base.slice(0, 12)}`;
    return `SUBMODULE ${wordOf2(where)} ${to} (${unit}); its commit is not applied: ${oneLine(commands.join(" && "))}`;
  });
  return bounded3(lines2, "submodules", MOVES);
}
function bounded3(lines2, what, limit = LINES2) {
  if (lines2.length <= limit) return [...lines2];
  return [...lines2.slice(0, limit), `MORE ${what}=${lines2.length - limit} (--json has all)`];
}
function wordOf2(where) {
  const text2 = shownPath(where);
  return text2.includes(" ") && !text2.startsWith('"') ? `"${text2}"` : text2;
}
function spaced(name2) {
  return /\s/.test(name2) ? JSON.stringify(name2) : name2;
}
function shownWord(file) {
  return /[\u0000-\u001f\u007f"]/.test(file) ? JSON.stringify(file) : file;
}
function oneLine(text2) {
  return text2.replace(/\s*[\r\n]+\s*/g, "; ").slice(0, 400);
}
var LINES2, PLACES2, MOVES;
var init_apply_report = __esm({
  "scripts-src/render/apply-report.ts"() {
    "use strict";
    init_byte_path();
    init_apply_moves();
    LINES2 = 40;
    PLACES2 = 3;
    MOVES = 10;
  }
});

// scripts-src/workspace/apply/apply-deltas.ts
async function loadInputs(patches) {
  const inputs = [];
  for (const patch of patches) inputs.push(await loadInput(import_node_path51.default.resolve(patch)));
  return withDistinctNames(inputs);
}
async function loadInput(patchFile) {
  const header = readPatchHeader(patchFile);
  if (header === void 0) {
    const mayBeEmpty = sizeOf(patchFile) === 0;
    return { kind: "text", unit: import_node_path51.default.basename(patchFile), patchFile, mayBeEmpty };
  }
  try {
    return { kind: "delta", unit: header.unit, delta: await loadDelta(patchFile) };
  } catch (error) {
    if (!(error instanceof PrunError && WITHOUT_TREES.includes(error.code))) throw error;
    return { kind: "text", unit: header.unit, patchFile, mayBeEmpty: true };
  }
}
function withDistinctNames(inputs) {
  const files = inputs.map(fileOf);
  const twice = files.find((file, at2) => files.indexOf(file) !== at2);
  if (twice !== void 0) throw usageError(`patch ${twice} is given twice`, "give each patch once");
  const names = inputs.map(({ unit }) => unit);
  return inputs.map((input) => {
    const isShared = names.filter((name2) => name2 === input.unit).length > 1;
    return isShared ? { ...input, unit: `${input.unit} (${fileOf(input)})` } : input;
  });
}
function fileOf(input) {
  return input.kind === "delta" ? input.delta.patchFile : input.patchFile;
}
var import_node_path51, WITHOUT_TREES;
var init_apply_deltas = __esm({
  "scripts-src/workspace/apply/apply-deltas.ts"() {
    "use strict";
    import_node_path51 = __toESM(require("node:path"), 1);
    init_errors();
    init_files();
    init_load_delta();
    init_patch_file();
    WITHOUT_TREES = ["E_STORE_GONE", "E_STORE_DAMAGED", "E_TREE_MISSING"];
  }
});

// scripts-src/workspace/apply/apply-records.ts
var YOUR_TREE;
var init_apply_records = __esm({
  "scripts-src/workspace/apply/apply-records.ts"() {
    "use strict";
    YOUR_TREE = "your tree";
  }
});

// scripts-src/workspace/apply/apply-text.ts
async function applyText(place, tree, input, against) {
  (0, import_node_fs54.rmSync)(place.indexFile, { force: true });
  await runGit(place, ["read-tree", tree]);
  try {
    const empty = input.mayBeEmpty ? ["--allow-empty"] : [];
    const argv2 = ["apply", "--cached", ...empty, "--whitespace=nowarn", "--", input.patchFile];
    await runGit(place, argv2);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { kind: "conflict", conflicts: refusals(error.stderr, input.unit, against) };
  }
  return { kind: "clean", tree: await writeTree(place) };
}
function refusals(stderr, unit, against) {
  const lines2 = stderr.split("\n").filter((line) => line.startsWith("error: "));
  const found = lines2.slice(0, LINES3).map((line) => {
    const detail = line.slice("error: ".length);
    const place = /^patch failed: (.+):(\d+)$/.exec(detail);
    const where = place?.[1] ?? /^(.+): (?:patch does not apply|does not exist in index|already exists in index)$/.exec(detail)?.[1];
    return {
      path: where === void 0 ? null : bytePathOf(where),
      unit,
      against,
      kind: "patch",
      detail,
      lines: []
    };
  });
  const other = { path: null, unit, against, kind: "patch", detail: stderr.trim(), lines: [] };
  return found.length > 0 ? found : [other];
}
var import_node_fs54, LINES3;
var init_apply_text = __esm({
  "scripts-src/workspace/apply/apply-text.ts"() {
    "use strict";
    import_node_fs54 = require("node:fs");
    init_byte_path();
    init_git();
    init_index_entries();
    LINES3 = 20;
  }
});

// scripts-src/workspace/apply/apply-merge.ts
async function mergeInputs(place, ours, inputs) {
  const conflicts2 = [];
  const taken = [];
  let tree = ours;
  for (const input of inputs) {
    const against = [YOUR_TREE, ...taken.map(({ unit }) => unit)].join(", ");
    if (input.kind === "text") {
      const result = await applyText(place, tree, input, against);
      if (result.kind === "conflict") conflicts2.push(...result.conflicts);
      else tree = result.tree;
      if (result.kind === "clean") taken.push(input);
      continue;
    }
    const { base, result: theirs } = input.delta;
    const merged = await mergeTrees(place, base, { name: against, tree }, { name: input.unit, tree: theirs });
    if (merged.kind === "clean") {
      tree = merged.tree;
      taken.push(input);
    } else {
      conflicts2.push(...await attribute(place, ours, input, taken, against, merged.conflicts));
    }
  }
  return conflicts2.length > 0 ? { kind: "conflict", conflicts: conflicts2 } : { kind: "clean", tree };
}
async function attribute(place, ours, input, taken, all, found) {
  const { unit, delta } = input;
  const theirs = { name: unit, tree: delta.result };
  const sides = [
    { name: YOUR_TREE, tree: ours },
    // Trees of different bases do not compare; such a unit is found by what it changed.
    ...taken.flatMap(
      (one) => one.kind === "delta" && one.delta.base === delta.base ? [{ name: one.unit, tree: one.delta.result }] : []
    )
  ];
  const results = await mergeAll(
    place,
    sides.map((side) => ({ base: delta.base, ours: side, theirs }))
  );
  return found.flatMap((conflict) => {
    const pairs = results.flatMap((result, at2) => {
      const same = result.kind === "conflict" ? result.conflicts.find((one) => one.path === conflict.path) : void 0;
      return same ? [conflictOf(unit, sides[at2]?.name ?? all, same)] : [];
    });
    if (pairs.length > 0) return pairs;
    const touching = taken.filter((one) => touches(one, conflict.path)).map((one) => one.unit);
    return [conflictOf(unit, touching.length > 0 ? touching.join(", ") : all, conflict)];
  });
}
function touches(input, where) {
  return input.kind === "delta" && input.delta.files.some((file) => file.path === where);
}
function conflictOf(unit, against, conflict) {
  const { path: path79, kind, detail, lines: lines2 } = conflict;
  return { path: path79, unit, against, kind, detail, lines: lines2 };
}
var init_apply_merge = __esm({
  "scripts-src/workspace/apply/apply-merge.ts"() {
    "use strict";
    init_merge_trees();
    init_apply_records();
    init_apply_text();
  }
});

// scripts-src/workspace/apply/path-state.ts
function lookAt3(file) {
  try {
    return (0, import_node_fs55.lstatSync)(file, { bigint: true });
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return void 0;
    throw error;
  }
}
function renameStamp(stat) {
  return {
    ino: String(stat.ino),
    size: Number(stat.size),
    mtimeNs: String(stat.mtimeNs),
    perm: Number(stat.mode & PERMISSIONS)
  };
}
function sameFile(a, b) {
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.perm === b.perm;
}
function blobId(format, content) {
  return blobHash(format, content.length).update(content).digest("hex");
}
function blobHash(format, size) {
  return (0, import_node_crypto3.createHash)(format).update(`blob ${size}\0`);
}
function readPath(file, format, keepIn) {
  const stat = lookAt3(file);
  if (!stat) return { state: { kind: "none" } };
  if (stat.isSymbolicLink()) {
    const target = (0, import_node_fs55.readlinkSync)(file, { encoding: "buffer" });
    if (keepIn !== void 0) (0, import_node_fs55.writeSync)(keepIn, target);
    return { state: { kind: "symlink", id: blobId(format, target) }, stamp: renameStamp(stat) };
  }
  if (!stat.isFile()) return void 0;
  const fd = (0, import_node_fs55.openSync)(file, READ_FLAGS);
  try {
    const before = (0, import_node_fs55.fstatSync)(fd, { bigint: true });
    const id = copyAndHash(fd, Number(before.size), format, keepIn);
    const after = (0, import_node_fs55.fstatSync)(fd, { bigint: true });
    const isSteady = before.ino === stat.ino && before.mtimeNs === after.mtimeNs && before.size === after.size && id;
    if (!isSteady) throw new UnsteadyFileError("it was being written while it was read");
    return {
      state: {
        kind: "file",
        id,
        perm: Number(after.mode & PERMISSIONS),
        uid: Number(after.uid),
        gid: Number(after.gid)
      },
      stamp: renameStamp(after)
    };
  } finally {
    (0, import_node_fs55.closeSync)(fd);
  }
}
function copyAndHash(fd, size, format, keepIn) {
  const hash = blobHash(format, size);
  const piece = Buffer.allocUnsafe(Math.min(PIECE, size + 1));
  for (let rest = size; rest > 0; ) {
    const count3 = (0, import_node_fs55.readSync)(fd, piece, 0, Math.min(piece.length, rest), null);
    if (count3 === 0) return void 0;
    const bytes = piece.subarray(0, count3);
    hash.update(bytes);
    if (keepIn !== void 0) writeWhole(keepIn, bytes);
    rest -= count3;
  }
  return hash.digest("hex");
}
function writeWhole(fd, bytes) {
  for (let done = 0; done < bytes.length; ) done += (0, import_node_fs55.writeSync)(fd, bytes, done);
}
var import_node_crypto3, import_node_fs55, UnsteadyFileError, READ_FLAGS, PIECE, PERMISSIONS;
var init_path_state = __esm({
  "scripts-src/workspace/apply/path-state.ts"() {
    "use strict";
    import_node_crypto3 = require("node:crypto");
    import_node_fs55 = require("node:fs");
    init_errors();
    UnsteadyFileError = class extends Error {
    };
    READ_FLAGS = import_node_fs55.constants.O_RDONLY | (import_node_fs55.constants.O_NOFOLLOW ?? 0) | (import_node_fs55.constants.O_NONBLOCK ?? 0);
    PIECE = 1024 * 1024;
    PERMISSIONS = 0o7777n;
  }
});

// scripts-src/workspace/apply/move-file.ts
function moveToFreeName(from, to) {
  const stat = lookAt3(from);
  if (stat?.isFile() && linkToFreeName(from, to)) {
    (0, import_node_fs56.unlinkSync)(from);
    return;
  }
  if (lookAt3(to)) throw new NameTakenError();
  renameFile(from, to);
}
function linkToFreeName(from, to) {
  try {
    (0, import_node_fs56.linkSync)(from, to);
    return true;
  } catch (error) {
    const code = errnoOf(error) ?? "";
    if (code === "EEXIST") throw new NameTakenError();
    if (NO_LINKS.includes(code)) return false;
    throw error;
  }
}
function renameFile(from, to) {
  for (let tries = 0; ; tries++) {
    try {
      (0, import_node_fs56.renameSync)(from, to);
      return;
    } catch (error) {
      const isBusy = ["EPERM", "EACCES", "EBUSY"].includes(errnoOf(error) ?? "");
      if (process.platform !== "win32" || !isBusy || tries >= 20) throw error;
      pauseSync(10);
    }
  }
}
var import_node_fs56, NameTakenError, NO_LINKS;
var init_move_file = __esm({
  "scripts-src/workspace/apply/move-file.ts"() {
    "use strict";
    import_node_fs56 = require("node:fs");
    init_errors();
    init_pause();
    init_path_state();
    NameTakenError = class extends Error {
    };
    NO_LINKS = ["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL", "EISDIR"];
  }
});

// scripts-src/workspace/apply/replace-index.ts
function indexBytes(file) {
  try {
    return (0, import_node_fs57.readFileSync)(file);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return void 0;
    throw error;
  }
}
function keepIndex2(file, folder, name2) {
  if (indexBytes(file) === void 0) return null;
  (0, import_node_fs57.copyFileSync)(file, import_node_path52.default.join(folder, name2));
  return name2;
}
function replaceIndexes(folder, changes) {
  for (const [n, change2] of changes.entries()) {
    const from = copyOf(folder, change2.before);
    const done = replaceIndex(
      change2.file,
      from,
      copyOf(folder, change2.after),
      () => faultPoint(`apply:index-locked-${n}`, folder)
    );
    if (!done) {
      throw new PrunError(
        "E_INDEX",
        `${change2.file} was changed by another git command meanwhile`,
        "run the command again; nothing was changed",
        1
      );
    }
    faultPoint(`apply:index-${n}`, folder);
  }
}
function restoreIndexes(folder, changes) {
  return changes.filter((change2) => {
    const before = copyOf(folder, change2.before);
    const after = copyOf(folder, change2.after);
    removeOwnLock(change2.file, after);
    removeOwnLock(change2.file, before);
    if (isSame3(indexBytes(change2.file), before)) return false;
    try {
      return !replaceIndex(change2.file, after, before);
    } catch (error) {
      if (error instanceof PrunError) return true;
      throw error;
    }
  }).map(({ file }) => file);
}
function replaceIndex(file, from, to, whenLocked = () => {
}) {
  const lock = `${file}.lock`;
  const fd = openLock(file, lock);
  try {
    try {
      if (to) writeWhole(fd, to);
      (0, import_node_fs57.fsyncSync)(fd);
    } finally {
      (0, import_node_fs57.closeSync)(fd);
    }
    whenLocked();
    if (!isSame3(indexBytes(file), from)) {
      (0, import_node_fs57.unlinkSync)(lock);
      return false;
    }
    if (from) (0, import_node_fs57.chmodSync)(lock, (0, import_node_fs57.statSync)(file).mode & 4095);
    if (to) {
      renameFile(lock, file);
    } else {
      (0, import_node_fs57.rmSync)(file, { force: true });
      (0, import_node_fs57.unlinkSync)(lock);
    }
    return true;
  } catch (error) {
    (0, import_node_fs57.rmSync)(lock, { force: true });
    throw error;
  }
}
function openLock(file, lock) {
  try {
    return (0, import_node_fs57.openSync)(lock, "wx", 438);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    throw new PrunError(
      "E_INDEX",
      `${lock} is there: another git command is at work on ${file}`,
      "run the command again when it has ended; nothing was changed",
      1
    );
  }
}
function removeOwnLock(file, content) {
  if (content && isSame3(indexBytes(`${file}.lock`), content)) (0, import_node_fs57.rmSync)(`${file}.lock`, { force: true });
}
function copyOf(folder, name2) {
  return name2 === null ? void 0 : (0, import_node_fs57.readFileSync)(import_node_path52.default.join(folder, name2));
}
function isSame3(a, b) {
  return a === void 0 || b === void 0 ? a === b : a.equals(b);
}
var import_node_fs57, import_node_path52;
var init_replace_index = __esm({
  "scripts-src/workspace/apply/replace-index.ts"() {
    "use strict";
    import_node_fs57 = require("node:fs");
    import_node_path52 = __toESM(require("node:path"), 1);
    init_errors();
    init_fault();
    init_move_file();
    init_path_state();
  }
});

// scripts-src/workspace/apply/apply-stage.ts
async function stageTouched(source, touched, folder) {
  const changes = [];
  await stageIn(source.workTree, source.gitDir, touched, folder, changes);
  return changes;
}
async function stageIn(workTree, gitDir, touched, folder, changes) {
  const indexFile = import_node_path53.default.join(gitDir, "index");
  const place = { gitDir, workTree, asUser: true };
  const links = (await readEntries(place)).filter(({ mode }) => mode === LINK_MODE);
  const own2 = { present: [...touched.present], deleted: [...touched.deleted] };
  for (const { path: link2 } of links) {
    const inside = { present: takeBelow(own2.present, link2), deleted: takeBelow(own2.deleted, link2) };
    if (inside.present.length + inside.deleted.length === 0) continue;
    const inner = import_node_path53.default.join(workTree, textOf(link2));
    const innerGit2 = await gitText({ cwd: inner, asUser: true }, ["rev-parse", "--absolute-git-dir"]);
    await stageIn(inner, import_node_path53.default.normalize(innerGit2), inside, folder, changes);
  }
  if (own2.present.length + own2.deleted.length === 0) return;
  const n = changes.length;
  const before = keepIndex2(indexFile, folder, `index-before-${n}`);
  const copy = import_node_path53.default.join(folder, `index-after-${n}`);
  if (before !== null) (0, import_node_fs58.copyFileSync)(import_node_path53.default.join(folder, before), copy);
  const private_ = { ...place, indexFile: copy, config: await indexSettings(place) };
  await removeEntries(private_, own2.deleted);
  await addEntries(private_, own2.present);
  changes.push({ file: indexFile, before, after: (0, import_node_fs58.existsSync)(copy) ? import_node_path53.default.basename(copy) : null });
}
function takeBelow(paths, folder) {
  const isInside = (where) => where.startsWith(`${folder}/`);
  const inside = paths.filter(isInside).map((where) => where.slice(folder.length + 1));
  const outside = paths.filter((where) => !isInside(where));
  paths.splice(0, paths.length, ...outside);
  return inside;
}
async function indexSettings(place) {
  const shared = await gitText(place, ["rev-parse", "--shared-index-path"]);
  return { "core.untrackedCache": "keep", "core.splitIndex": String(shared !== "") };
}
async function removeEntries(place, paths) {
  if (paths.length === 0) return;
  const tracked = new Set(splitPaths(await gitBytes(place, ["ls-files", "-z"])));
  const known2 = paths.filter((where) => tracked.has(where));
  if (known2.length === 0) return;
  await runGit(
    place,
    ["--literal-pathspecs", "rm", "--cached", "--quiet", "--force", "--sparse", ...FROM_STDIN],
    {
      input: joinPaths(known2)
    }
  );
}
async function addEntries(place, paths) {
  if (paths.length === 0) return;
  await runGit(place, ["--literal-pathspecs", "add", "--force", "--sparse", ...FROM_STDIN], {
    input: joinPaths(paths)
  });
}
async function sameEntries(gitDir, one, other) {
  const [a, b] = await Promise.all([one, other].map((file) => entriesIn2(gitDir, file)));
  return a !== void 0 && b !== void 0 && a.equals(b);
}
async function entriesIn2(gitDir, indexFile) {
  if (indexFile === null || !(0, import_node_fs58.existsSync)(indexFile)) return Buffer.alloc(0);
  try {
    const place = { gitDir, workTree: gitDir, indexFile, cwd: gitDir };
    return await gitBytes(place, ["ls-files", "--stage", "-v", "-z"]);
  } catch (error) {
    if (errnoOf(error) !== void 0) throw error;
    return void 0;
  }
}
var import_node_fs58, import_node_path53, FROM_STDIN;
var init_apply_stage = __esm({
  "scripts-src/workspace/apply/apply-stage.ts"() {
    "use strict";
    import_node_fs58 = require("node:fs");
    import_node_path53 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_errors();
    init_git();
    init_index_entries();
    init_replace_index();
    FROM_STDIN = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  }
});

// scripts-src/workspace/apply/blob-files.ts
function fillFromStore(place, format) {
  return async (wishes) => {
    if (wishes.length === 0) return;
    const child = (0, import_node_child_process4.spawn)("git", ["cat-file", "--batch", "--buffer"], {
      cwd: place.gitDir,
      env: gitEnvironment(place, process.env),
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true
    });
    child.stdin.on("error", () => {
    });
    const started = new Promise((resolve2, reject) => {
      child.once("spawn", resolve2);
      child.once("error", reject);
    });
    await started;
    child.stdin.end(wishes.map(({ id }) => `${id}
`).join(""));
    try {
      const sink = createSink(wishes, format);
      for await (const piece of child.stdout) sink.take(piece);
      sink.end();
    } finally {
      child.kill();
    }
  };
}
function createSink(wishes, format) {
  let at2 = 0;
  let header = "";
  let open2;
  let isAtLineEnd = false;
  function begin(line) {
    const wish = wishes[at2];
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(line)?.[1];
    if (!wish || size === void 0) throw missing(wish, line);
    open2 = {
      fd: (0, import_node_fs59.openSync)(wish.file, "r+"),
      rest: Number(size),
      hash: blobHash(format, Number(size)),
      wish
    };
    finishWhenWhole();
  }
  function finishWhenWhole() {
    if (!open2 || open2.rest > 0) return;
    (0, import_node_fs59.closeSync)(open2.fd);
    const { wish, hash } = open2;
    open2 = void 0;
    if (hash.digest("hex") !== wish.id) throw missing(wish, "damaged");
    at2++;
    isAtLineEnd = true;
  }
  function take(piece) {
    for (let from = 0; from < piece.length; ) {
      if (isAtLineEnd) {
        isAtLineEnd = false;
        from++;
      } else if (open2) {
        const bytes = piece.subarray(from, from + open2.rest);
        writeWhole(open2.fd, bytes);
        open2.hash.update(bytes);
        open2.rest -= bytes.length;
        from += bytes.length;
        finishWhenWhole();
      } else {
        const end = piece.indexOf(10, from);
        header += piece.toString("latin1", from, end < 0 ? piece.length : end);
        from = end < 0 ? piece.length : end + 1;
        if (end < 0) continue;
        const line = header;
        header = "";
        begin(line);
      }
    }
  }
  return {
    take(piece) {
      try {
        take(piece);
      } catch (error) {
        if (open2) (0, import_node_fs59.closeSync)(open2.fd);
        throw error;
      }
    },
    end() {
      if (open2) (0, import_node_fs59.closeSync)(open2.fd);
      if (at2 < wishes.length) throw missing(wishes[at2], "git ended early");
    }
  };
}
function missing(wish, why) {
  return new PrunError(
    "E_BLOB",
    `the content of ${wish ? shownPath(wish.path) : "a file"} cannot be had (${why})`,
    "collect the delta again; nothing was changed",
    1
  );
}
var import_node_child_process4, import_node_fs59;
var init_blob_files = __esm({
  "scripts-src/workspace/apply/blob-files.ts"() {
    "use strict";
    import_node_child_process4 = require("node:child_process");
    import_node_fs59 = require("node:fs");
    init_byte_path();
    init_errors();
    init_git();
    init_path_state();
  }
});

// scripts-src/workspace/apply/change-journal.ts
function journalFolder(stateHome2, id) {
  return import_node_path54.default.join(stateHome2, "applies", id);
}
function keptFile(folder, n) {
  return import_node_path54.default.join(folder, "before", String(n));
}
function scratchOf(folder) {
  return import_node_path54.default.join(folder, "scratch");
}
function forgetKept(folder) {
  (0, import_node_fs60.rmSync)(import_node_path54.default.join(folder, "before"), { recursive: true, force: true, maxRetries: 5 });
}
function createJournal(stateHome2, journal) {
  const folder = journalFolder(stateHome2, journal.id);
  (0, import_node_fs60.mkdirSync)(import_node_path54.default.join(folder, "before"), { recursive: true, mode: PRIVATE_DIR });
  writeJournal(folder, journal);
  return folder;
}
function writeJournal(folder, journal) {
  writeAtomic(import_node_path54.default.join(folder, "journal.json"), `${JSON.stringify(journal, null, 2)}
`);
  syncFolder(folder);
}
function readJournal(folder) {
  const json = readJson(import_node_path54.default.join(folder, "journal.json"));
  const parsed2 = journalSchema.safeParse(json);
  return parsed2.success ? parsed2.data : void 0;
}
function writeChangeList(folder, list) {
  const json = {
    schema: JOURNAL_SCHEMA,
    changes: list.changes.map((change2) => ({ ...change2, path: pathToJson(change2.path) })),
    foldersMade: list.foldersMade.map(pathToJson),
    foldersRemoved: list.foldersRemoved.map(({ path: path79, perm }) => ({ path: pathToJson(path79), perm }))
  };
  writeAtomic(import_node_path54.default.join(folder, "changes.json"), JSON.stringify(json));
  syncFolder(folder);
}
function readChangeList(folder) {
  const json = readJson(import_node_path54.default.join(folder, "changes.json"));
  if (json === void 0) return void 0;
  const parsed2 = listSchema.safeParse(json);
  if (!parsed2.success) {
    throw new PrunError(
      "E_JOURNAL",
      `${import_node_path54.default.join(folder, "changes.json")} is damaged`,
      'what the files held before lies in the folder "before" beside it',
      1
    );
  }
  const { changes, foldersMade, foldersRemoved } = parsed2.data;
  const from = (where) => refuseOutside(pathFromJson(where), folder);
  return {
    changes: changes.map((change2) => ({ ...change2, path: from(change2.path) })),
    foldersMade: foldersMade.map(from),
    foldersRemoved: foldersRemoved.map(({ path: where, perm }) => ({ path: from(where), perm }))
  };
}
function writeIndexChanges(folder, changes) {
  writeAtomic(import_node_path54.default.join(folder, "index.json"), JSON.stringify(changes));
  syncFolder(folder);
}
function readIndexChanges(folder) {
  const parsed2 = indexSchema.safeParse(readJson(import_node_path54.default.join(folder, "index.json")) ?? []);
  return parsed2.success ? parsed2.data : [];
}
function listJournals(stateHome2, root) {
  const folder = import_node_path54.default.join(stateHome2, "applies");
  let names;
  try {
    names = (0, import_node_fs60.readdirSync)(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
  return names.map((name2) => readJournal(import_node_path54.default.join(folder, name2))).filter((journal) => journal !== void 0).filter((journal) => journal.root === root).sort((a, b) => a.order - b.order);
}
function removeJournal(folder) {
  (0, import_node_fs60.rmSync)(folder, { recursive: true, force: true, maxRetries: 5 });
}
function syncFolder(folder) {
  if (process.platform === "win32") return;
  const fd = (0, import_node_fs60.openSync)(folder, "r");
  try {
    (0, import_node_fs60.fsyncSync)(fd);
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "EOPNOTSUPP", "EBADF", "EISDIR"].includes(errnoOf(error) ?? "")) throw error;
  } finally {
    (0, import_node_fs60.closeSync)(fd);
  }
}
function refuseOutside(where, folder) {
  if (!where.split("/").some((name2) => name2 === "" || name2 === "." || name2 === "..")) return where;
  throw new PrunError(
    "E_JOURNAL",
    `${folder} names a path outside its tree`,
    "do not trust it; remove it",
    1
  );
}
function readJson(file) {
  let text2;
  try {
    text2 = (0, import_node_fs60.readFileSync)(file, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return void 0;
    throw error;
  }
  let json;
  try {
    json = JSON.parse(text2);
  } catch {
    return void 0;
  }
  if (typeof json === "object" && json !== null && "schema" in json && typeof json.schema === "number") {
    if (json.schema > JOURNAL_SCHEMA) {
      throw new PrunError(
        "E_NEWER_SCHEMA",
        `${file} has schema ${json.schema}, this prun knows ${JOURNAL_SCHEMA}`,
        "use the newer prun that wrote it"
      );
    }
  }
  return json;
}
var import_node_fs60, import_node_path54, JOURNAL_SCHEMA, jsonPath3, pathState, stamp, journalSchema, listSchema, indexSchema;
var init_change_journal = __esm({
  "scripts-src/workspace/apply/change-journal.ts"() {
    "use strict";
    import_node_fs60 = require("node:fs");
    import_node_path54 = __toESM(require("node:path"), 1);
    init_mini();
    init_byte_path();
    init_errors();
    init_files();
    JOURNAL_SCHEMA = 1;
    jsonPath3 = union([string2(), object({ base64: string2() })]);
    pathState = union([
      object({ kind: literal("none") }),
      object({ kind: literal("file"), id: string2(), perm: number2(), uid: number2(), gid: number2() }),
      object({ kind: literal("symlink"), id: string2() })
    ]);
    stamp = object({ ino: string2(), size: number2(), mtimeNs: string2(), perm: number2() });
    journalSchema = object({
      schema: number2(),
      id: string2(),
      kind: _enum(["apply", "undo"]),
      of: nullable(string2()),
      order: number2(),
      root: string2(),
      holder: string2(),
      objectFormat: _enum(["sha1", "sha256"]),
      units: array(string2()),
      state: _enum(["preparing", "changing", "done", "undone", "rolled-back"]),
      createdAt: string2(),
      endedAt: nullable(string2())
    });
    listSchema = object({
      schema: number2(),
      changes: array(
        object({
          path: jsonPath3,
          before: pathState,
          after: pathState,
          oldStamp: optional(stamp),
          newStamp: optional(stamp)
        })
      ),
      foldersMade: array(jsonPath3),
      foldersRemoved: array(object({ path: jsonPath3, perm: number2() }))
    });
    indexSchema = array(
      object({ file: string2(), before: nullable(string2()), after: nullable(string2()) })
    );
  }
});

// scripts-src/workspace/apply/parent-folders.ts
function foldersOf2(where) {
  const found = [];
  for (let folder = parentOf(where); folder !== void 0; folder = parentOf(folder)) found.unshift(folder);
  return found;
}
function faultInParents(root, where) {
  for (const folder of foldersOf2(where)) {
    const kind = kindOfParent(lookAt3(fileAt(root, folder)));
    if (kind !== "folder") return { path: folder, kind };
  }
  return void 0;
}
function kindOfParent(stat) {
  if (!stat) return "missing";
  if (stat.isSymbolicLink()) return "symlink";
  return stat.isDirectory() ? "folder" : "file";
}
var init_parent_folders = __esm({
  "scripts-src/workspace/apply/parent-folders.ts"() {
    "use strict";
    init_byte_path();
    init_path_state();
  }
});

// scripts-src/workspace/apply/staging-folder.ts
function stagingOf(root) {
  return import_node_path55.default.join(root, STAGING_NAME);
}
function newFile({ staging }, n) {
  return import_node_path55.default.join(staging, "new", String(n));
}
function oldFile({ staging }, n) {
  return import_node_path55.default.join(staging, "old", String(n));
}
var import_node_path55, STAGING_NAME;
var init_staging_folder = __esm({
  "scripts-src/workspace/apply/staging-folder.ts"() {
    "use strict";
    import_node_path55 = __toESM(require("node:path"), 1);
    STAGING_NAME = ".prun-apply";
  }
});

// scripts-src/workspace/apply/plan-change.ts
function planChange(root, format, wanted, mayGo) {
  const plan = {
    list: { changes: [], foldersMade: [], foldersRemoved: [] },
    wanted: [],
    obstacles: [],
    already: []
  };
  const gone = new Set(wanted.filter(({ after }) => after === null).map(({ path: where }) => where));
  const folders = createFolderLook(root, gone);
  const gitFolders = gitFoldersIn(root).map(folded);
  const goneInodes = /* @__PURE__ */ new Map();
  const inWay = [];
  const ordered = [...wanted].sort((a, b) => Number(a.after !== null) - Number(b.after !== null));
  for (const one of ordered) {
    const fault = faultOfName(one.path, gitFolders) ?? folders.faultAbove(one);
    if (fault) {
      plan.obstacles.push({ path: one.path, what: fault });
      continue;
    }
    const seen = folders.isBehind(one.path) ? { state: { kind: "none" } } : look(root, format, one);
    if (typeof seen === "string") {
      plan.obstacles.push({ path: one.path, what: seen });
      continue;
    }
    if (seen === void 0 && one.before === null) inWay.push(one.path);
    const verdict = judge(one, seen, goneInodes);
    if (verdict === "already") plan.already.push(one.path);
    else if (verdict !== "change") plan.obstacles.push({ path: one.path, what: verdict });
    else {
      const change2 = changeOf2(one, seen);
      plan.list.changes.push(change2);
      plan.wanted.push(one);
      if (one.after === null && change2.oldStamp) goneInodes.set(change2.oldStamp.ino, one.path);
    }
  }
  planFolders(root, plan, folders, inWay, mayGo);
  return plan;
}
function changeOf2(one, seen) {
  const after = { kind: "none" };
  if (one.before === null || !seen?.stamp) return { path: one.path, before: { kind: "none" }, after };
  return { path: one.path, before: seen.state, after, oldStamp: seen.stamp };
}
function judge(one, seen, goneInodes) {
  if (!seen) return one.before === null ? "change" : "a folder or a special file stands there now";
  const { state } = seen;
  if (one.before !== null && isState(state, one.before)) return "change";
  if (one.after === null ? state.kind === "none" : isState(state, one.after) && hasMode(state, one.after)) {
    return "already";
  }
  if (one.before !== null) {
    return state.kind === "none" ? "it is not there any more" : "it was changed since it was read";
  }
  if (state.kind === "none") return "change";
  const other = goneInodes.get(seen.stamp?.ino ?? "");
  if (other !== void 0 && folded(other) === folded(one.path)) return "change";
  return "a file that is not part of the work (ignored by git, or new) is in the way";
}
function isState(state, file) {
  if (state.kind === "none" || state.id !== file.id) return false;
  if (state.kind === "symlink" !== (file.mode === "120000")) return false;
  if (state.kind === "symlink" || !file.exact || process.platform === "win32") return true;
  return state.perm === file.exact.perm;
}
function hasMode(state, { mode }) {
  if (state.kind !== "file" || process.platform === "win32") return true;
  return (state.perm & 64) !== 0 === (mode === "100755");
}
function folded(where) {
  return textOf(where).normalize("NFC").toLowerCase();
}
function look(root, format, one) {
  try {
    return readPath(fileAt(root, one.path), format);
  } catch (error) {
    if (["EIO", "EMFILE"].includes(errnoOf(error) ?? "")) throw error;
    return `it cannot be read (${messageOf(error)})`;
  }
}
function faultOfName(where, gitFolders) {
  const names = where.split("/");
  if (names.some((name3) => name3 === "" || name3 === "." || name3 === "..")) return "it leads out of the tree";
  if (names.some(isGitName)) return "it lies in a .git folder";
  const name2 = folded(where);
  if (gitFolders.some((folder) => name2 === folder || name2.startsWith(`${folder}/`))) {
    return "it lies in git's own folder of the repository";
  }
  if (names[0]?.toLowerCase() === STAGING_NAME) return "prun works there while it applies";
  if (process.platform === "win32" && names.some((name3) => /[\\:]/.test(name3))) {
    return "Windows has no such file name";
  }
  return void 0;
}
function isGitName(name2) {
  const text2 = textOf(name2).replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "");
  return /^(?:\.git|git~1)(?:[\s.]*|:.*)$/i.test(text2);
}
function createFolderLook(root, gone) {
  const device = lookAt3(root)?.dev;
  const seen = /* @__PURE__ */ new Map();
  const writable = /* @__PURE__ */ new Map();
  function kindOf2(folder) {
    const known2 = seen.get(folder);
    if (known2) return known2;
    const above = parentOf(folder);
    const isBelowFolder = above === void 0 || kindOf2(above) === "folder";
    const stat = isBelowFolder ? lookAt3(fileAt(root, folder)) : void 0;
    const kind = !stat ? "missing" : stat.isSymbolicLink() ? "symlink" : stat.isDirectory() ? "folder" : "file";
    if (kind === "folder" && stat?.dev !== device) {
      throw new PrunError(
        "E_DEVICE",
        `${shownPath(folder)} lies on another device than ${root}, and a change of both cannot be all or nothing`,
        "apply there by hand, or to a tree on one device; nothing was changed"
      );
    }
    seen.set(folder, kind);
    return kind;
  }
  function mayWrite(folder) {
    const known2 = writable.get(folder);
    if (known2 !== void 0) return known2;
    let may = true;
    try {
      (0, import_node_fs61.accessSync)(folder === void 0 ? root : fileAt(root, folder), import_node_fs61.constants.W_OK | import_node_fs61.constants.X_OK);
    } catch {
      may = false;
    }
    writable.set(folder, may);
    return may;
  }
  return {
    isBehind: (where) => foldersOf2(where).some((folder) => kindOf2(folder) !== "folder"),
    isMissing: (folder) => kindOf2(folder) !== "folder",
    faultAbove({ path: where, after }) {
      let deepest;
      for (const folder of foldersOf2(where)) {
        const kind = kindOf2(folder);
        if (kind === "folder") deepest = folder;
        else if (kind !== "missing" && after !== null && !gone.has(folder)) {
          return kind === "symlink" ? `the folder ${shownPath(folder)} is a symlink there, and prun does not write through one` : `${shownPath(folder)} is a file there`;
        }
      }
      return mayWrite(deepest) ? void 0 : `the folder ${shownPath(deepest ?? ".")} may not be written`;
    }
  };
}
function planFolders(root, plan, folders, inWay, mayGo) {
  const added = plan.wanted.filter(({ after }) => after !== null).map(({ path: where }) => where);
  const kept = new Set(added.flatMap(foldersOf2));
  const made = [...kept].filter((folder) => folders.isMissing(folder));
  plan.list.foldersMade = made.sort((a, b) => depth(a) - depth(b));
  const deleted = new Set(plan.wanted.filter(({ after }) => after === null).map(({ path: where }) => where));
  const candidates = [...new Set([...deleted].flatMap(foldersOf2))].sort((a, b) => depth(b) - depth(a));
  const removed = /* @__PURE__ */ new Set();
  for (const folder of candidates) {
    const stays = mayGo !== void 0 && !mayGo.has(folder) && !inWay.includes(folder);
    if (stays || kept.has(folder) || folders.isMissing(folder)) continue;
    const names = (0, import_node_fs61.readdirSync)(fileAt(root, folder), { encoding: "buffer" });
    if (!names.every((name2) => isGoing(below(folder, bytePath(name2)), deleted, removed))) continue;
    removed.add(folder);
    const perm = Number((lookAt3(fileAt(root, folder))?.mode ?? 0o755n) & 0o7777n);
    plan.list.foldersRemoved.push({ path: folder, perm });
  }
  for (const where of inWay) {
    if (removed.has(where)) continue;
    plan.obstacles.push({ path: where, what: "a folder stands there that holds more than the work removes" });
  }
}
function isGoing(where, deleted, removed) {
  return deleted.has(where) || removed.has(where);
}
function depth(where) {
  return where.split("/").length;
}
var import_node_fs61;
var init_plan_change = __esm({
  "scripts-src/workspace/apply/plan-change.ts"() {
    "use strict";
    import_node_fs61 = require("node:fs");
    init_byte_path();
    init_errors();
    init_git_folders();
    init_parent_folders();
    init_path_state();
    init_staging_folder();
  }
});

// scripts-src/workspace/apply/hold-target.ts
function takeTarget(root, holder) {
  const staging = stagingOf(root);
  refuseForeignName(staging);
  const draft = `${staging}-${holder.id}`;
  try {
    makeDraft2(draft, holder);
  } catch (error) {
    (0, import_node_fs62.rmSync)(draft, { recursive: true, force: true });
    throw cannotWrite(root, error);
  }
  faultPoint("apply:draft", holder.folder);
  try {
    (0, import_node_fs62.renameSync)(draft, staging);
    syncFolder(root);
    return true;
  } catch (error) {
    (0, import_node_fs62.rmSync)(draft, { recursive: true, force: true });
    if (lookAt3(staging)?.isDirectory()) return false;
    throw cannotWrite(root, error);
  }
}
function makeDraft2(draft, holder) {
  const write = (name2, text2) => (0, import_node_fs62.writeFileSync)(import_node_path56.default.join(draft, name2), text2, { mode: PRIVATE_FILE });
  (0, import_node_fs62.mkdirSync)(draft, { mode: PRIVATE_DIR });
  for (const name2 of ["new", "old"]) (0, import_node_fs62.mkdirSync)(import_node_path56.default.join(draft, name2), { mode: PRIVATE_DIR });
  write(".gitignore", "*\n");
  write("owner.json", JSON.stringify({ id: holder.id, stateHome: holder.stateHome }));
  write("claim-1", holder.identity);
}
function releaseTarget({ staging, folder }, id) {
  const gone = `${staging}-${id}`;
  (0, import_node_fs62.renameSync)(staging, gone);
  faultPoint("apply:released", folder);
  (0, import_node_fs62.rmSync)(gone, { recursive: true, force: true, maxRetries: 5 });
}
function draftsIn2(root) {
  const prefix = `${STAGING_NAME}-`;
  return (0, import_node_fs62.readdirSync)(root, { withFileTypes: true }).filter((entry) => entry.name.startsWith(prefix) && entry.isDirectory()).map(({ name: name2 }) => name2.slice(prefix.length));
}
function holdingOf(root) {
  const staging = stagingOf(root);
  if (!lookAt3(staging)) return void 0;
  refuseForeignName(staging);
  return readOwner(staging);
}
function readOwner(staging) {
  const text2 = readValue(import_node_path56.default.join(staging, "owner.json"));
  try {
    const json = JSON.parse(text2 ?? "");
    if (typeof json !== "object" || json === null) return void 0;
    const { id, stateHome: stateHome2 } = json;
    if (typeof id !== "string" || typeof stateHome2 !== "string") return void 0;
    return /^[\w-]+$/.test(id) ? { id, stateHome: stateHome2 } : void 0;
  } catch {
    return void 0;
  }
}
function livingHolder(host, root) {
  const { identity } = newestClaim(stagingOf(root));
  const id = parseIdentity(identity ?? "");
  return id && isAlive(host, id) ? identity : void 0;
}
function takeOver(host, root, holding, identity) {
  const staging = stagingOf(root);
  const newest = newestClaim(staging);
  const holder = parseIdentity(newest.identity ?? "");
  if (holder && isAlive(host, holder)) return false;
  const claim2 = import_node_path56.default.join(staging, `claim-${newest.number + 1}`);
  try {
    if (!writeOnce(claim2, identity)) return false;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
  if (readOwner(staging)?.id === holding.id) return true;
  (0, import_node_fs62.rmSync)(claim2, { force: true });
  return false;
}
function newestClaim(staging) {
  let names;
  try {
    names = (0, import_node_fs62.readdirSync)(staging);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return { number: 0 };
    throw error;
  }
  const numbers = names.map((name2) => Number(/^claim-(\d+)$/.exec(name2)?.[1] ?? 0));
  const number3 = Math.max(0, ...numbers);
  const identity = readValue(import_node_path56.default.join(staging, `claim-${number3}`));
  return identity === void 0 ? { number: number3 } : { number: number3, identity };
}
function refuseForeignName(staging) {
  const stat = lookAt3(staging);
  if (!stat || stat.isDirectory()) return;
  throw new PrunError(
    "E_STAGING",
    `${staging} is not a folder, and prun needs that name for a change that is at work`,
    "move it away, and run the command again; nothing was changed"
  );
}
function cannotWrite(root, error) {
  return new PrunError(
    "E_TARGET",
    `${root} cannot be written (${messageOf(error)})`,
    errnoOf(error) === "ENOSPC" ? "make room on the disk; nothing was changed" : "see that you may write there; nothing was changed",
    EXIT.usage
  );
}
var import_node_fs62, import_node_path56;
var init_hold_target = __esm({
  "scripts-src/workspace/apply/hold-target.ts"() {
    "use strict";
    import_node_fs62 = require("node:fs");
    import_node_path56 = __toESM(require("node:path"), 1);
    init_errors();
    init_fault();
    init_files();
    init_identity();
    init_change_journal();
    init_path_state();
    init_staging_folder();
  }
});

// scripts-src/workspace/apply/stage-content.ts
async function stageContent(place, plan, fill) {
  const wishes = [];
  plan.wanted.forEach(({ path: path79, after }, n) => {
    if (after === null) return;
    const file = newFile(place, n);
    (0, import_node_fs63.closeSync)((0, import_node_fs63.openSync)(file, "wx", after.mode === "100755" ? 511 : 438));
    wishes.push({ id: after.id, path: path79, after, file });
  });
  await fill(wishes);
  await syncFiles(wishes.map(({ file }) => file));
  plan.wanted.forEach(({ after }, n) => {
    const change2 = plan.list.changes[n];
    if (after === null || !change2) return;
    const file = newFile(place, n);
    if (after.mode === "120000") becomeSymlink(file);
    else takeBitsAndOwner(file, after, change2.before);
    noteStaged(change2, file, after);
  });
}
function noteStaged(change2, file, after) {
  const stat = lookAt3(file);
  if (!stat) return;
  change2.newStamp = renameStamp(stat);
  change2.after = stat.isSymbolicLink() ? { kind: "symlink", id: after.id } : {
    kind: "file",
    id: after.id,
    perm: change2.newStamp.perm,
    uid: Number(stat.uid),
    gid: Number(stat.gid)
  };
}
function becomeSymlink(file) {
  const target = (0, import_node_fs63.readFileSync)(file);
  (0, import_node_fs63.unlinkSync)(file);
  (0, import_node_fs63.symlinkSync)(process.platform === "win32" ? target.toString("utf8") : target, file);
}
function takeBitsAndOwner(file, after, before) {
  if (process.platform === "win32") return;
  if (after.exact) {
    giveTo(file, after.exact);
    (0, import_node_fs63.chmodSync)(file, after.exact.perm);
  } else if (before.kind === "file") {
    giveTo(file, before);
    (0, import_node_fs63.chmodSync)(file, bitsFor(before.perm, after.mode));
  }
}
function bitsFor(perm, mode) {
  const isExecutable = (perm & 64) !== 0;
  if (mode === "100755") return isExecutable ? perm : perm | 64 | (perm & 292) >> 2;
  return isExecutable ? perm & ~73 : perm;
}
function giveTo(file, owner) {
  const stat = lookAt3(file);
  if (!stat || Number(stat.uid) === owner.uid && Number(stat.gid) === owner.gid) return;
  try {
    (0, import_node_fs63.chownSync)(file, owner.uid, owner.gid);
  } catch (error) {
    if (errnoOf(error) !== "EPERM") throw error;
  }
}
async function openToSync(file) {
  try {
    return await (0, import_promises2.open)(file, "r+");
  } catch (error) {
    if (errnoOf(error) !== "EACCES") throw error;
    return (0, import_promises2.open)(file, "r");
  }
}
async function syncFiles(files) {
  const queue = [...files];
  const workers = Array.from({ length: Math.min(SYNCS_AT_ONCE, queue.length) }, async () => {
    for (let file = queue.pop(); file !== void 0; file = queue.pop()) {
      const handle = await openToSync(file);
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
  });
  await Promise.all(workers);
}
var import_node_fs63, import_promises2, SYNCS_AT_ONCE;
var init_stage_content = __esm({
  "scripts-src/workspace/apply/stage-content.ts"() {
    "use strict";
    import_node_fs63 = require("node:fs");
    import_promises2 = require("node:fs/promises");
    init_errors();
    init_path_state();
    init_staging_folder();
    SYNCS_AT_ONCE = 16;
  }
});

// scripts-src/workspace/apply/roll-back.ts
function rollBack(place, list) {
  const taken = /* @__PURE__ */ new Set();
  list.changes.forEach((change2, n) => {
    if (!removeNew(place, change2, n)) taken.add(change2.path);
    faultPoint(`rollback:removed-${n}`, place.folder);
  });
  for (const folder of [...list.foldersMade].reverse()) removeIfEmpty(place.root, folder);
  for (const { path: path79, perm } of [...list.foldersRemoved].reverse()) restoreFolder(place.root, path79, perm);
  faultPoint("rollback:folders", place.folder);
  list.changes.forEach((change2, n) => {
    if (!restoreOld(place, change2, n)) taken.add(change2.path);
    faultPoint(`rollback:restored-${n}`, place.folder);
  });
  list.changes.forEach((change2, n) => {
    if (taken.has(change2.path)) keepLeft(place, n);
  });
  return [...taken];
}
function leftFile(folder, n) {
  return import_node_path57.default.join(folder, "left", String(n));
}
function hasLeft(folder) {
  return lookAt3(import_node_path57.default.join(folder, "left")) !== void 0;
}
function keepLeft(place, n) {
  const old = oldFile(place, n);
  if (!lookAt3(old)?.isFile()) return;
  (0, import_node_fs64.mkdirSync)(import_node_path57.default.join(place.folder, "left"), { recursive: true, mode: PRIVATE_DIR });
  (0, import_node_fs64.copyFileSync)(old, leftFile(place.folder, n));
}
function removeNew(place, change2, n) {
  if (change2.after.kind === "none" || faultInParents(place.root, change2.path)) return true;
  const file = fileAt(place.root, change2.path);
  const there = stampAt2(file);
  if (!there) return true;
  if (isSame4(there, change2.newStamp)) {
    (0, import_node_fs64.unlinkSync)(file);
    return true;
  }
  return !isMoved(place, change2, n) && change2.before.kind !== "none";
}
function restoreOld(place, change2, n) {
  if (change2.before.kind === "none") return true;
  const old = oldFile(place, n);
  const kept = lookAt3(old);
  if (!kept) return true;
  if (faultInParents(place.root, change2.path)) return false;
  const file = fileAt(place.root, change2.path);
  if (kept.isFile() && isSame4(renameStamp(kept), stampAt2(file))) {
    (0, import_node_fs64.unlinkSync)(old);
    return true;
  }
  try {
    moveToFreeName(old, file);
    return true;
  } catch (error) {
    if (error instanceof NameTakenError) return false;
    throw error;
  }
}
function isMoved(place, change2, n) {
  return change2.before.kind !== "none" && lookAt3(oldFile(place, n)) !== void 0;
}
function removeIfEmpty(root, folder) {
  if (faultInParents(root, folder) || !lookAt3(fileAt(root, folder))?.isDirectory()) return false;
  try {
    (0, import_node_fs64.rmdirSync)(fileAt(root, folder));
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errnoOf(error) ?? "")) return false;
    throw error;
  }
}
function restoreFolder(root, folder, perm) {
  const name2 = fileAt(root, folder);
  if (faultInParents(root, folder) || lookAt3(name2)) return;
  (0, import_node_fs64.mkdirSync)(name2);
  (0, import_node_fs64.chmodSync)(name2, perm);
}
function stampAt2(file) {
  const stat = lookAt3(file);
  return stat && !stat.isDirectory() ? renameStamp(stat) : void 0;
}
function isSame4(a, b) {
  return b !== void 0 && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}
var import_node_fs64, import_node_path57;
var init_roll_back = __esm({
  "scripts-src/workspace/apply/roll-back.ts"() {
    "use strict";
    import_node_fs64 = require("node:fs");
    import_node_path57 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_errors();
    init_fault();
    init_files();
    init_move_file();
    init_parent_folders();
    init_path_state();
    init_staging_folder();
  }
});

// scripts-src/workspace/apply/swap-files.ts
function swapFiles(place, format, list, isStopped) {
  const isDeletion = (change2) => change2.after.kind === "none";
  list.changes.forEach((change2, n) => {
    if (!isDeletion(change2)) return;
    isStopped();
    takeOld(place, format, change2, n);
  });
  for (const { path: path79 } of list.foldersRemoved) removeIfEmpty(place.root, path79);
  faultPoint("apply:folders-removed", place.folder);
  for (const folder of list.foldersMade) makeFolder2(place.root, folder);
  faultPoint("apply:folders-made", place.folder);
  list.changes.forEach((change2, n) => {
    if (isDeletion(change2)) return;
    isStopped();
    takeOld(place, format, change2, n);
    putNew(place, change2, n);
  });
  list.changes.forEach((change2, n) => {
    if (change2.oldStamp && !isOld(place, change2, n)) throw new EditedMeanwhileError(change2.path);
  });
}
function takeOld(place, format, change2, n) {
  const { before, oldStamp } = change2;
  if (before.kind === "none" || !oldStamp) return;
  if (faultInParents(place.root, change2.path)) throw new EditedMeanwhileError(change2.path);
  const file = fileAt(place.root, change2.path);
  const there = lookAt3(file);
  if (!there || !sameFile(renameStamp(there), oldStamp)) throw new EditedMeanwhileError(change2.path);
  const old = oldFile(place, n);
  renameFile(file, old);
  faultPoint(`apply:taken-${n}`, place.folder);
  if (!isOld(place, change2, n)) throw new EditedMeanwhileError(change2.path);
  const ageMs = Date.now() - Number(BigInt(oldStamp.mtimeNs) / 1000000n);
  if (ageMs > RACY_MS) return;
  const again = readPath(old, format);
  if (!again || again.state.kind !== before.kind || again.state.id !== before.id) {
    throw new EditedMeanwhileError(change2.path);
  }
}
function isOld(place, change2, n) {
  const moved = lookAt3(oldFile(place, n));
  return moved !== void 0 && change2.oldStamp !== void 0 && sameFile(renameStamp(moved), change2.oldStamp);
}
function putNew(place, change2, n) {
  if (faultInParents(place.root, change2.path)) throw new EditedMeanwhileError(change2.path);
  try {
    moveToFreeName(newFile(place, n), fileAt(place.root, change2.path));
  } catch (error) {
    if (error instanceof NameTakenError) throw new EditedMeanwhileError(change2.path);
    throw error;
  }
  faultPoint(`apply:put-${n}`, place.folder);
}
function makeFolder2(root, folder) {
  if (faultInParents(root, folder)) throw new EditedMeanwhileError(folder);
  try {
    (0, import_node_fs65.mkdirSync)(fileAt(root, folder));
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    if (!lookAt3(fileAt(root, folder))?.isDirectory()) throw new EditedMeanwhileError(folder);
  }
}
function syncParents(root, list) {
  const folders = new Set(list.changes.map(({ path: path79 }) => parentOf(path79)));
  for (const folder of folders) {
    if (folder === void 0) syncFolder(root);
    else if (lookAt3(fileAt(root, folder))?.isDirectory()) syncFolder(fileAt(root, folder));
  }
}
var import_node_fs65, EditedMeanwhileError, RACY_MS;
var init_swap_files = __esm({
  "scripts-src/workspace/apply/swap-files.ts"() {
    "use strict";
    import_node_fs65 = require("node:fs");
    init_byte_path();
    init_errors();
    init_fault();
    init_change_journal();
    init_move_file();
    init_parent_folders();
    init_path_state();
    init_roll_back();
    init_staging_folder();
    EditedMeanwhileError = class extends Error {
      path;
      constructor(path79) {
        super(`${shownPath(path79)} was changed while prun was at work`);
        this.path = path79;
      }
    };
    RACY_MS = 1e4;
  }
});

// scripts-src/workspace/apply/keep-old.ts
async function copyOld(place, format, list) {
  const isNear = lookAt3(place.root)?.dev === lookAt3(place.folder)?.dev;
  const copied = [];
  for (const [n, change2] of list.changes.entries()) {
    if (change2.before.kind === "none" || isNear && canBeLinked(place, change2)) continue;
    const kept = keptFile(place.folder, n);
    const fd = (0, import_node_fs66.openSync)(kept, "w", PRIVATE_FILE);
    try {
      const seen = readPath(fileAt(place.root, change2.path), format, fd);
      const isSame5 = seen && seen.state.kind === change2.before.kind && seen.state.id === change2.before.id;
      if (!isSame5) throw new EditedMeanwhileError(change2.path);
    } finally {
      (0, import_node_fs66.closeSync)(fd);
    }
    copied.push(kept);
  }
  await syncFiles(copied);
}
function canBeLinked(place, change2) {
  const stat = lookAt3(fileAt(place.root, change2.path));
  return stat?.isFile() === true && stat.nlink === 1n;
}
function linkOld(place, list) {
  list.changes.forEach(({ before }, n) => {
    const kept = keptFile(place.folder, n);
    if (before.kind !== "file" || lookAt3(kept)) return;
    try {
      (0, import_node_fs66.linkSync)(oldFile(place, n), kept);
    } catch (error) {
      if (!NO_LINKS.includes(errnoOf(error) ?? "") && errnoOf(error) !== "EXDEV") throw error;
      (0, import_node_fs66.copyFileSync)(oldFile(place, n), kept);
    }
  });
}
var import_node_fs66;
var init_keep_old = __esm({
  "scripts-src/workspace/apply/keep-old.ts"() {
    "use strict";
    import_node_fs66 = require("node:fs");
    init_byte_path();
    init_errors();
    init_files();
    init_change_journal();
    init_move_file();
    init_path_state();
    init_stage_content();
    init_staging_folder();
    init_swap_files();
  }
});

// scripts-src/workspace/apply/settle-target.ts
async function settleTarget(host, root, holder) {
  const settled = [];
  const until = performance.now() + WAIT_MS;
  let strange = 0;
  for (; ; ) {
    const holding = holdingOf(root);
    if (!holding) {
      if (!lookAt3(stagingOf(root))) break;
      if (++strange > STRANGE_LOOKS) throw strangeFolder(root);
      continue;
    }
    const living = livingHolder(host, root);
    if (living === void 0) {
      const folder = journalFolder(holder.stateHome, holding.id);
      if (readJournal(folder)?.root !== root) {
        if (holdingOf(root)?.id !== holding.id) continue;
        throw unknownChange(root, holding, holder.stateHome);
      }
      if (takeOver(host, root, holding, holder.identity)) {
        settled.push(settle({ root, staging: stagingOf(root), folder }, holding.id, holder.stateHome));
      }
      continue;
    }
    if (performance.now() > until) throw busy(root, living);
    await new Promise((resolve2) => setTimeout(resolve2, LOOK_MS));
  }
  clearDrafts(host, root, holder.stateHome);
  return settled;
}
function unknownChange(root, holding, stateHome2) {
  return new PrunError(
    "E_STATE_HOME",
    `an apply of ${journalFolder(holding.stateHome, holding.id)} was interrupted in ${root}, and the state home ${stateHome2} does not know it`,
    `run the command with --state-home ${holding.stateHome}; if that is gone, what was moved away lies in ${import_node_path58.default.join(stagingOf(root), "old")}`
  );
}
function strangeFolder(root) {
  return new PrunError(
    "E_STAGING",
    `${stagingOf(root)} was not made by prun apply, which needs that name`,
    "move it away, and run the command again; nothing was changed"
  );
}
function busy(root, living) {
  return new PrunError(
    "E_BUSY",
    `another prun apply (process ${parseIdentity(living)?.pid ?? living}) is at work in ${root}`,
    "run the command again when it has ended; nothing was changed"
  );
}
function settle(place, id, stateHome2) {
  const journal = readJournal(place.folder);
  const settled = (did, left2 = NOTHING_LEFT) => ({
    id,
    did,
    left: left2,
    folder: place.folder
  });
  if (journal?.state === "done") {
    finishUndo(stateHome2, journal);
    releaseTarget(place, id);
    (0, import_node_fs67.rmSync)(scratchOf(place.folder), { recursive: true, force: true, maxRetries: 5 });
    if (journal.kind === "undo") removeJournal(place.folder);
    return settled("finished");
  }
  if (journal?.state !== "changing") {
    forgetKept(place.folder);
    releaseTarget(place, id);
    if (!hasLeft(place.folder)) removeJournal(place.folder);
    return settled("cleared");
  }
  const left = takeBack(place, journal);
  releaseTarget(place, id);
  if (isNothing(left)) removeJournal(place.folder);
  return settled("rolled-back", left);
}
function isNothing({ paths, indexes }) {
  return paths.length + indexes.length === 0;
}
function takeBack(place, journal) {
  const list = readChangeList(place.folder);
  const indexes = restoreIndexes(place.folder, readIndexChanges(place.folder));
  const paths = list ? rollBack(place, list) : [];
  faultPoint("rollback:done", place.folder);
  writeJournal(place.folder, { ...journal, state: "rolled-back", endedAt: wallTime() });
  faultPoint("rollback:noted", place.folder);
  forgetKept(place.folder);
  return { paths, indexes };
}
function finishUndo(stateHome2, journal) {
  if (journal.of === null) return;
  const folder = journalFolder(stateHome2, journal.of);
  const undone = readJournal(folder);
  if (undone?.state === "done") writeJournal(folder, { ...undone, state: "undone", endedAt: wallTime() });
  forgetKept(folder);
}
function clearDrafts(host, root, stateHome2) {
  const known2 = listJournals(stateHome2, root).filter(({ holder }) => {
    const identity = parseIdentity(holder);
    return !identity || !isAlive(host, identity);
  });
  for (const id of draftsIn2(root)) {
    if (!known2.some((journal) => journal.id === id)) continue;
    (0, import_node_fs67.rmSync)(`${stagingOf(root)}-${id}`, { recursive: true, force: true, maxRetries: 5 });
  }
  for (const { id, state } of known2) {
    if (state === "preparing") removeJournal(journalFolder(stateHome2, id));
  }
}
var import_node_fs67, import_node_path58, NOTHING_LEFT, WAIT_MS, LOOK_MS, STRANGE_LOOKS;
var init_settle_target = __esm({
  "scripts-src/workspace/apply/settle-target.ts"() {
    "use strict";
    import_node_fs67 = require("node:fs");
    import_node_path58 = __toESM(require("node:path"), 1);
    init_clock();
    init_errors();
    init_fault();
    init_identity();
    init_change_journal();
    init_hold_target();
    init_path_state();
    init_replace_index();
    init_roll_back();
    init_staging_folder();
    NOTHING_LEFT = { paths: [], indexes: [] };
    WAIT_MS = 6e4;
    LOOK_MS = 50;
    STRANGE_LOOKS = 3;
  }
});

// scripts-src/workspace/apply/tree-change.ts
function newId() {
  return `${wallTime().replace(/\D/g, "").slice(0, 14)}-${randomHex(6)}`;
}
async function settle2(host, root, stateHome2) {
  return settleTarget(host, root, holderFor(host, newId(), stateHome2));
}
async function holdTarget(intent, work) {
  const { host, root, stateHome: stateHome2 } = intent;
  const holder = holderFor(host, newId(), stateHome2);
  const journal = {
    schema: JOURNAL_SCHEMA,
    id: holder.id,
    kind: intent.kind,
    of: intent.of,
    order: 0,
    root,
    holder: holder.identity,
    objectFormat: intent.objectFormat,
    units: [...intent.units],
    state: "preparing",
    createdAt: wallTime(),
    endedAt: null
  };
  const folder = createJournal(stateHome2, journal);
  try {
    do
      intent.onSettled(await settleTarget(host, root, holder));
    while (!takeTarget(root, holder));
  } catch (error) {
    removeJournal(folder);
    throw error;
  }
  faultPoint("apply:held", folder);
  const held = {
    place: { root, staging: stagingOf(root), folder },
    journal,
    stateHome: stateHome2,
    isNeeded: false
  };
  try {
    return await work(held);
  } finally {
    letGo(held);
  }
}
function letGo({ place, journal, isNeeded }) {
  const state = readJournal(place.folder)?.state;
  if (state === "changing") return;
  faultPoint("apply:release", place.folder);
  releaseTarget(place, journal.id);
  const isDone = state === "done" && journal.kind === "apply";
  if (!isDone && !isNeeded) removeJournal(place.folder);
}
async function changeTree(held, request) {
  const { place, journal } = held;
  let plan;
  let changing;
  try {
    plan = planChange(place.root, journal.objectFormat, request.wanted, request.foldersThatGo);
    if (plan.obstacles.length > 0) return { kind: "refused", obstacles: plan.obstacles };
    if (plan.list.changes.length === 0) return { kind: "nothing", plan };
    changing = await prepareChange(held, plan, request);
  } catch (error) {
    throw beforeAnything(place, error);
  }
  faultPoint("apply:journaled", place.folder);
  try {
    await swap(held, plan, request);
    writeJournal(place.folder, { ...changing, state: "done", endedAt: wallTime() });
  } catch (error) {
    throw rolledBack(held, changing, error);
  }
  faultPoint("apply:done", place.folder);
  finishUndo(held.stateHome, journal);
  return { kind: "changed", plan };
}
async function prepareChange(held, plan, request) {
  const { place, journal } = held;
  faultPoint("apply:planned", place.folder);
  await stageContent(place, plan, request.fill);
  if (journal.kind === "apply") await copyOld(place, journal.objectFormat, plan.list);
  faultPoint("apply:staged", place.folder);
  await request.prepare?.(plan);
  stopWhenAsked(request);
  writeChangeList(place.folder, plan.list);
  faultPoint("apply:listed", place.folder);
  const order = 1 + Math.max(0, ...listJournals(held.stateHome, place.root).map((one) => one.order));
  const changing = { ...journal, order, state: "changing" };
  writeJournal(place.folder, changing);
  return changing;
}
function beforeAnything(place, error) {
  if (error instanceof EditedMeanwhileError) {
    return new PrunError(
      "E_EDITED",
      error.message,
      "nothing was changed; run the command again",
      EXIT.conflict
    );
  }
  if (error instanceof PrunError || errnoOf(error) === void 0) return error;
  return new PrunError(
    "E_CHANGE",
    `the change of ${place.root} could not be prepared (${messageOf(error)})`,
    ["ENOSPC", "EDQUOT"].includes(errnoOf(error) ?? "") ? `make room there and in ${place.folder}, and run the command again; nothing was changed` : "put that right, and run the command again; nothing was changed",
    1
  );
}
async function swap({ place, journal }, plan, request) {
  swapFiles(place, journal.objectFormat, plan.list, () => stopWhenAsked(request));
  for (const folder of plan.list.foldersMade) {
    const perm = request.folderPerms?.get(folder);
    if (perm !== void 0) (0, import_node_fs68.chmodSync)(fileAt(place.root, folder), perm);
  }
  faultPoint("apply:swapped", place.folder);
  if (journal.kind === "apply") linkOld(place, plan.list);
  faultPoint("apply:kept", place.folder);
  const indexes = await request.stageIndexes?.(plan) ?? [];
  if (indexes.length > 0) {
    writeIndexChanges(place.folder, indexes);
    replaceIndexes(place.folder, indexes);
  }
  syncParents(place.root, plan.list);
  stopWhenAsked(request);
}
function rolledBack(held, journal, error) {
  const { place } = held;
  let left;
  try {
    left = takeBack(place, journal);
  } catch (again) {
    return new PrunError(
      "E_ROLLBACK",
      `${messageOf(error)}; and ${place.root} could not be put back yet (${messageOf(again)})`,
      "put that right; the next prun apply there goes on with it, and the old files are kept until then",
      1
    );
  }
  held.isNeeded = !isNothing(left);
  if (error instanceof EditedMeanwhileError) {
    return new PrunError(
      "E_EDITED",
      `${error.message}${leftText(left, place)}`,
      "everything was put back; run the command again when nobody writes there",
      EXIT.conflict
    );
  }
  if (error instanceof PrunError) return error;
  return new PrunError(
    "E_CHANGE",
    `${place.root} could not be changed (${messageOf(error)})${leftText(left, place)}`,
    errnoOf(error) === "ENOSPC" ? "make room on the disk, and run the command again; everything was put back" : "put that right, and run the command again; everything was put back",
    1
  );
}
function leftText({ paths, indexes }, { folder }) {
  const names = [...paths.map(shownPath), ...indexes];
  if (names.length === 0) return "";
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `; left as somebody changed it meanwhile: ${names.slice(0, 5).join(", ")}${more}; what was there before is kept in ${folder}`;
}
function stopWhenAsked({ signal }) {
  const name2 = signal?.();
  if (name2 === void 0) return;
  throw new PrunError("E_INTERRUPTED", `stopped by ${name2}`, "nothing was changed", 1);
}
function holderFor(host, id, stateHome2) {
  const own2 = identify(host, process.pid);
  if (!own2) throw new PrunError("E_PROCESS", "this process is not in the process table", "try again", 1);
  return { id, stateHome: stateHome2, identity: formatIdentity(own2), folder: journalFolder(stateHome2, id) };
}
var import_node_fs68;
var init_tree_change = __esm({
  "scripts-src/workspace/apply/tree-change.ts"() {
    "use strict";
    import_node_fs68 = require("node:fs");
    init_byte_path();
    init_clock();
    init_errors();
    init_fault();
    init_random();
    init_identity();
    init_change_journal();
    init_hold_target();
    init_keep_old();
    init_plan_change();
    init_replace_index();
    init_settle_target();
    init_stage_content();
    init_staging_folder();
    init_swap_files();
  }
});

// scripts-src/workspace/apply/apply.ts
function rootOf(target) {
  return import_node_fs69.realpathSync.native(target.workTree);
}
async function applyDeltas(request) {
  const inputs = await loadInputs(request.patches);
  refuseOtherFormat(request.target, inputs);
  const root = rootOf(request.target);
  if (request.check) {
    const settled2 = await settle2(request.host, root, request.stateHome);
    const scratch = (0, import_node_fs69.mkdtempSync)(import_node_path59.default.join((0, import_node_fs69.realpathSync)(import_node_os7.default.tmpdir()), "prun-apply-"));
    return inScratch(scratch, () => check(request, root, inputs, scratch, settled2));
  }
  const settled = [];
  const intent = {
    host: request.host,
    stateHome: request.stateHome,
    root,
    kind: "apply",
    of: null,
    units: inputs.map(({ unit }) => unit),
    objectFormat: request.target.objectFormat,
    onSettled: (more) => settled.push(...more)
  };
  return holdTarget(intent, (held) => {
    const scratch = scratchOf(held.place.folder);
    (0, import_node_fs69.mkdirSync)(scratch, { mode: PRIVATE_DIR });
    return inScratch(scratch, () => applyHeld(request, held, inputs, scratch, settled));
  });
}
async function check(request, root, inputs, scratch, settled) {
  const merged = await mergeInto2(request, root, inputs, scratch);
  if (merged.kind === "conflict") return conflictEnd(root, inputs, merged.conflicts, settled);
  const plan = planChange(root, request.target.objectFormat, merged.wanted);
  if (plan.obstacles.length > 0) return conflictEnd(root, inputs, plan.obstacles.map(inTheWay), settled);
  const kind = plan.list.changes.length === 0 ? "empty" : "would-apply";
  return { ...endOf(root, inputs, plan, settled), kind, undo: null, staged: false };
}
async function applyHeld(request, held, inputs, scratch, settled) {
  const { root } = held.place;
  const merged = await mergeInto2(request, root, inputs, scratch);
  faultPoint("apply:merged", held.place.folder);
  if (merged.kind === "conflict") return conflictEnd(root, inputs, merged.conflicts, settled);
  const undoPatch = import_node_path59.default.join(held.place.folder, "undo.patch");
  const { signal } = request;
  const result = await changeTree(held, {
    wanted: merged.wanted,
    fill: fillFromStore(merged.place, request.target.objectFormat),
    prepare: (plan) => writeUndoPatch(request, merged, plan, undoPatch),
    ...request.index ? { stageIndexes: (plan) => stageTouched(request.target, touchedBy(plan), held.place.folder) } : {},
    ...signal ? { signal } : {}
  });
  if (result.kind === "refused") return conflictEnd(root, inputs, result.obstacles.map(inTheWay), settled);
  const isChanged = result.kind === "changed";
  return {
    ...endOf(root, inputs, result.plan, settled),
    kind: isChanged ? "applied" : "empty",
    undo: isChanged ? { id: held.journal.id, patch: undoPatch } : null,
    staged: isChanged && request.index
  };
}
async function mergeInto2({ target }, root, inputs, scratch) {
  const store = import_node_path59.default.join(scratch, "store.git");
  await createBorrowingStore(store, target);
  const deltaObjects = inputs.flatMap(
    (input) => input.kind === "delta" ? [import_node_path59.default.join(input.delta.store, "objects")] : []
  );
  const here = { ...target, workTree: root };
  const snapshot = await snapshotSource(here, { gitDir: store, alternates: deltaObjects }, scratch);
  const alternates = [.../* @__PURE__ */ new Set([...deltaObjects, ...objectDirsOf(snapshot.submodules)])];
  const place = { gitDir: store, alternates, indexFile: import_node_path59.default.join(scratch, "apply.index") };
  const leftOut = await leftOutInBases(place, leftOutOf(snapshot), inputs);
  const ours = await treeWith(place, snapshot.tree, leftOut, target);
  const merged = await mergeInputs(place, ours, inputs);
  if (merged.kind === "conflict") return merged;
  const files = await changedFiles2(place, ours, merged.tree);
  const notOnDisk = new Set(leftOut.map(({ path: where }) => where));
  const wanted = files.filter(({ oldMode, newMode }) => oldMode !== LINK_MODE && newMode !== LINK_MODE).map(({ path: where, oldMode, newMode, oldId, newId: newId2 }) => ({
    path: where,
    // What a sparse checkout leaves out is in the tree and not on disk.
    before: oldMode && oldId && !notOnDisk.has(where) ? { mode: oldMode, id: oldId } : null,
    after: newMode && newId2 ? { mode: newMode, id: newId2 } : null
  })).filter(({ before, after }) => before !== null || after !== null);
  return { kind: "clean", ours, theirs: merged.tree, count: files.length, wanted, place };
}
function leftOutOf(snapshot) {
  return [
    ...snapshot.leftOut,
    ...snapshot.submodules.flatMap(
      ({ path: folder, snapshot: inner }) => leftOutOf(inner).map((entry) => ({ ...entry, path: below(folder, entry.path) }))
    )
  ];
}
async function leftOutInBases(place, leftOut, inputs) {
  if (leftOut.length === 0) return [];
  const known2 = /* @__PURE__ */ new Set();
  for (const input of inputs) {
    if (input.kind === "text") return [...leftOut];
    for (const { path: where } of await readTree(place, input.delta.base)) known2.add(where);
  }
  return leftOut.filter(({ path: where }) => known2.has(where));
}
async function treeWith(place, tree, entries, { objectFormat }) {
  if (entries.length === 0) return tree;
  await runGit(place, ["read-tree", tree]);
  await changeEntries(place, entries, nullIdOf(objectFormat));
  return writeTree(place);
}
async function treeOfPlan(target, { place, ours }, plan) {
  await runGit(place, ["read-tree", ours]);
  const changes = plan.wanted.map(({ path: where, after }) => ({ path: where, ...after }));
  await changeEntries(place, changes, nullIdOf(target.objectFormat));
  return writeTree(place);
}
async function writeUndoPatch({ target }, merged, plan, file) {
  const { place, ours } = merged;
  const applied = plan.wanted.length === merged.count ? merged.theirs : await treeOfPlan(target, merged, plan);
  const fd = (0, import_node_fs69.openSync)(file, "w", PRIVATE_FILE);
  try {
    const argv2 = ["diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", applied, ours];
    await runGit(place, argv2, { stdoutFd: fd });
    (0, import_node_fs69.fsyncSync)(fd);
  } finally {
    (0, import_node_fs69.closeSync)(fd);
  }
}
function touchedBy(plan) {
  const of = (isPresent) => plan.wanted.filter(({ after }) => after !== null === isPresent).map(({ path: where }) => where);
  return { present: of(true), deleted: of(false) };
}
function endOf(root, inputs, plan, settled) {
  return {
    root,
    units: inputs.map(({ unit }) => unit),
    files: plan.wanted.map(fileOf2),
    already: plan.already,
    moves: movesOf2(root, inputs),
    settled
  };
}
function fileOf2({ path: where, before, after }) {
  if (before === null) return { path: where, status: "added" };
  return { path: where, status: after === null ? "deleted" : "modified" };
}
function conflictEnd(root, inputs, conflicts2, settled) {
  return { kind: "conflict", root, units: inputs.map(({ unit }) => unit), conflicts: conflicts2, settled };
}
function inTheWay({ path: where, what }) {
  return { path: where, unit: "", against: YOUR_TREE, kind: "in-the-way", detail: what, lines: [] };
}
function refuseOtherFormat(target, inputs) {
  const digits = nullIdOf(target.objectFormat).length;
  for (const input of inputs) {
    if (input.kind !== "delta" || input.delta.base.length === digits) continue;
    throw usageError(
      `unit ${input.unit} has other object ids than ${target.workTree} (SHA-1 and SHA-256)`,
      "apply it to the repository that its workspace was made from, or a worktree of it"
    );
  }
}
async function inScratch(scratch, work) {
  try {
    return await work();
  } finally {
    (0, import_node_fs69.rmSync)(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
var import_node_fs69, import_node_os7, import_node_path59;
var init_apply = __esm({
  "scripts-src/workspace/apply/apply.ts"() {
    "use strict";
    import_node_fs69 = require("node:fs");
    import_node_os7 = __toESM(require("node:os"), 1);
    import_node_path59 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_errors();
    init_fault();
    init_files();
    init_git();
    init_index_entries();
    init_object_store();
    init_snapshot_source();
    init_load_delta();
    init_apply_deltas();
    init_apply_merge();
    init_apply_moves();
    init_apply_records();
    init_apply_stage();
    init_blob_files();
    init_change_journal();
    init_plan_change();
    init_tree_change();
  }
});

// scripts-src/workspace/apply/apply-undo.ts
async function undoApply(request) {
  const { host, stateHome: stateHome2, root } = request;
  const settled = [];
  const known2 = findApply(stateHome2, root, request.id, true);
  return holdTarget(
    {
      host,
      stateHome: stateHome2,
      root,
      kind: "undo",
      of: known2.id,
      units: known2.units,
      objectFormat: known2.objectFormat,
      onSettled: (more) => settled.push(...more)
    },
    async (held) => {
      const apply2 = findApply(stateHome2, root, request.id, false);
      if (apply2.id !== known2.id) {
        throw new PrunError(
          "E_BUSY",
          `${root} was changed by another prun apply meanwhile`,
          "run it again",
          1
        );
      }
      return undo(held, apply2, request, settled);
    }
  );
}
async function undo(held, apply2, request, settled) {
  const folder = journalFolder(request.stateHome, apply2.id);
  const list = readChangeList(folder);
  if (!list) throw new PrunError("E_JOURNAL", `${folder} has lost its list of changes`, "restore it", 1);
  const wanted = list.changes.map(reversed);
  const contents = new Map(list.changes.map((change2, n) => [change2.path, keptFile(folder, n)]));
  let indexesLeft = [];
  const result = await changeTree(held, {
    wanted,
    fill: fillFromFiles(contents, apply2.objectFormat),
    foldersThatGo: new Set(list.foldersMade),
    folderPerms: new Map(list.foldersRemoved.map(({ path: where, perm }) => [where, perm])),
    stageIndexes: async () => {
      const indexes = await indexesBack(folder, held.place.folder);
      indexesLeft = indexes.left;
      return indexes.changes;
    },
    ...request.signal ? { signal: request.signal } : {}
  });
  if (result.kind === "refused") {
    return { kind: "edited", root: request.root, id: apply2.id, files: result.obstacles, settled };
  }
  return {
    kind: "undone",
    root: request.root,
    id: apply2.id,
    units: apply2.units,
    files: result.plan.list.changes.map(fileOf3),
    indexesLeft,
    settled
  };
}
function findApply(stateHome2, root, id, isEarly) {
  const applies = listJournals(stateHome2, root).filter(({ kind }) => kind === "apply");
  if (id !== void 0) {
    const asked = applies.find((one) => one.id === id);
    if (asked?.state === "done" || isEarly && asked?.state === "changing") return asked;
    throw asked?.state === "undone" ? usageError(`apply ${id} was undone already (${asked.endedAt})`, "there is nothing left to do") : usageError(
      `there is no apply ${id} on ${root}`,
      applies.length > 0 ? `known are: ${applies.map((one) => one.id).slice(-5).join(", ")}` : "see --to"
    );
  }
  const newest = applies.filter(({ state }) => state === "done").at(-1);
  if (newest) return newest;
  const undone = applies.filter(({ state }) => state === "undone").at(-1);
  throw undone ? usageError(
    `every apply on ${root} is undone, the last one (${undone.id}) at ${undone.endedAt}`,
    "there is nothing left to do"
  ) : usageError(
    `nothing was applied to ${root}`,
    `give the same --to and --state-home as prun apply (${stateHome2})`
  );
}
function reversed({ path: where, before, after }) {
  return { path: where, before: treeFileOf(after), after: treeFileOf(before) };
}
function treeFileOf(state) {
  if (state.kind === "none") return null;
  if (state.kind === "symlink") return { mode: "120000", id: state.id };
  const { perm, uid, gid } = state;
  return { mode: perm & 64 ? "100755" : "100644", id: state.id, exact: { perm, uid, gid } };
}
function fileOf3({ path: where, before, after }) {
  if (before.kind === "none") return { path: where, status: "added" };
  return { path: where, status: after.kind === "none" ? "deleted" : "modified" };
}
function fillFromFiles(files, format) {
  return async (wishes) => {
    for (const wish of wishes) {
      const from = files.get(wish.path) ?? "";
      if (isTheVeryFile(from, wish.after)) {
        if (!holds(readPath(from, format), wish.id)) throw changedSince(from);
        if (giveName(from, wish.file)) continue;
      }
      const fd = (0, import_node_fs70.openSync)(wish.file, "r+");
      try {
        if (!holds(readPath(from, format, fd), wish.id)) throw changedSince(from);
      } finally {
        (0, import_node_fs70.closeSync)(fd);
      }
    }
  };
}
function holds(kept, id) {
  return kept?.state.kind === "file" && kept.state.id === id;
}
function isTheVeryFile(kept, { exact }) {
  const stat = lookAt3(kept);
  if (!stat?.isFile() || stat.nlink !== 1n || !exact || process.platform === "win32") return false;
  const bits = Number(stat.mode & 0o7777n);
  return bits === exact.perm && Number(stat.uid) === exact.uid && Number(stat.gid) === exact.gid;
}
function giveName(kept, file) {
  (0, import_node_fs70.unlinkSync)(file);
  try {
    (0, import_node_fs70.linkSync)(kept, file);
  } catch (error) {
    if (!NO_LINKS.includes(errnoOf(error) ?? "") && errnoOf(error) !== "EXDEV") throw error;
    (0, import_node_fs70.closeSync)((0, import_node_fs70.openSync)(file, "wx", PRIVATE_FILE));
    return false;
  }
  const now = /* @__PURE__ */ new Date();
  (0, import_node_fs70.utimesSync)(file, now, now);
  return true;
}
function changedSince(kept) {
  return new PrunError(
    "E_KEPT",
    `${kept} is not what was kept any more`,
    "nothing was changed; the undo patch beside it may still apply: git apply undo.patch",
    1
  );
}
async function indexesBack(applied, undoing) {
  const changes = [];
  const left = [];
  for (const [n, { file, before, after }] of readIndexChanges(applied).entries()) {
    const gitDir = import_node_path60.default.dirname(file);
    const now = keepIndex2(file, undoing, `index-before-${n}`);
    const isSame5 = await sameEntries(
      gitDir,
      now && import_node_path60.default.join(undoing, now),
      after && import_node_path60.default.join(applied, after)
    );
    if (!isSame5) {
      left.push(file);
      continue;
    }
    const name2 = before === null ? null : `index-after-${n}`;
    if (before !== null) (0, import_node_fs70.copyFileSync)(import_node_path60.default.join(applied, before), import_node_path60.default.join(undoing, `index-after-${n}`));
    changes.push({ file, before: now, after: name2 });
  }
  return { changes, left };
}
var import_node_fs70, import_node_path60;
var init_apply_undo = __esm({
  "scripts-src/workspace/apply/apply-undo.ts"() {
    "use strict";
    import_node_fs70 = require("node:fs");
    import_node_path60 = __toESM(require("node:path"), 1);
    init_errors();
    init_files();
    init_apply_stage();
    init_change_journal();
    init_move_file();
    init_path_state();
    init_replace_index();
    init_tree_change();
  }
});

// scripts-src/workspace/delta/verify-patch.ts
async function refuseChangedPatches(patchFiles) {
  const byStore = /* @__PURE__ */ new Map();
  for (const name2 of patchFiles) {
    const file = import_node_path61.default.resolve(name2);
    const header = readPatchHeader(file);
    if (header === void 0 || !(0, import_node_fs71.existsSync)(import_node_path61.default.join(header.store, "objects"))) continue;
    if (sizeOf(file) > READABLE) continue;
    byStore.set(header.store, [...byStore.get(header.store) ?? [], { file, header }]);
  }
  for (const [store, patches] of byStore) {
    const changed = await firstChanged(store, patches);
    if (changed !== void 0) throw wasChanged(changed);
  }
}
function wasChanged({ file, header }) {
  return usageError(
    `patch ${file} was changed since it was collected: its text is not the difference of the trees in its header`,
    `apply its text with git apply, or collect unit ${header.unit} again`
  );
}
async function firstChanged(store, patches) {
  const child = (0, import_node_child_process5.spawn)("git", [...PATCH_DIFF, "--stdin"], {
    cwd: store,
    env: gitEnvironment({ gitDir: store }, process.env),
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true
  });
  child.stdin.on("error", () => {
  });
  child.stdin.end(patches.map(({ header }) => `${treesOf(header)}
`).join(""));
  const ended = new Promise((resolve2, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve2(code));
  });
  const waiting = [...patches];
  let reader;
  const compare = async () => {
    for await (const piece of piecesOf(child.stdout)) {
      if (piece.kind === "text") {
        if (reader?.takes(piece.bytes) === false) return reader.patch;
        continue;
      }
      if (reader?.ends() === false) return reader.patch;
      reader?.close();
      const next = waiting.findIndex(({ header }) => treesOf(header) === piece.trees);
      const [patch] = waiting.splice(0, next + 1).slice(-1);
      reader = patch && openComparison(patch);
    }
    return void 0;
  };
  try {
    const compared = compare().then((found2) => {
      if (found2 !== void 0) child.kill();
      return found2;
    });
    const [code, found] = await Promise.all([ended, compared]);
    if (found !== void 0) return found;
    return code === 0 && reader?.ends() === false ? reader.patch : void 0;
  } finally {
    reader?.close();
  }
}
function treesOf({ base, result }) {
  return `${base} ${result}`;
}
async function* piecesOf(output) {
  let held = Buffer.from("\n");
  let isLead = true;
  const text2 = (end) => ({ kind: "text", bytes: held.subarray(isLead ? 1 : 0, end) });
  for await (const chunk of output) {
    held = Buffer.concat([held, chunk]);
    for (let match = TREES.exec(held.toString("latin1")); match; match = TREES.exec(held.toString("latin1"))) {
      yield text2(match.index + 1);
      yield { kind: "trees", trees: match[1] ?? "" };
      held = held.subarray(match.index + match[0].length - 1);
      isLead = true;
    }
    if (held.length <= TREES_LENGTH) continue;
    const end = held.length - TREES_LENGTH;
    yield text2(end);
    held = held.subarray(end);
    isLead = false;
  }
  yield text2(held.length);
}
function openComparison(patch) {
  const fd = openForReading(patch.file);
  let isOpen = true;
  const { size } = (0, import_node_fs71.fstatSync)(fd);
  const first = readRange(fd, 0, Math.min(size, HEAD_LIMIT)).indexOf("\ndiff --git ");
  let at2 = first < 0 ? size : first + 1;
  return {
    patch,
    takes(bytes) {
      const isSame5 = readRange(fd, at2, bytes.length).equals(bytes);
      at2 += bytes.length;
      return isSame5;
    },
    ends: () => MOVES2.test(readRange(fd, at2, Math.min(size - at2, MOVES_LIMIT + 1)).toString("latin1")),
    close() {
      if (isOpen) (0, import_node_fs71.closeSync)(fd);
      isOpen = false;
    }
  };
}
var import_node_child_process5, import_node_fs71, import_node_path61, HEAD_LIMIT, MOVES_LIMIT, READABLE, TREES, TREES_LENGTH, MOVES2;
var init_verify_patch = __esm({
  "scripts-src/workspace/delta/verify-patch.ts"() {
    "use strict";
    import_node_child_process5 = require("node:child_process");
    import_node_fs71 = require("node:fs");
    import_node_path61 = __toESM(require("node:path"), 1);
    init_errors();
    init_files();
    init_git();
    init_patch_file();
    HEAD_LIMIT = 65536;
    MOVES_LIMIT = 4 * 1024 * 1024;
    READABLE = 32 * 1024 * 1024;
    TREES = /\n([0-9a-f]{40,64} [0-9a-f]{40,64})\n/;
    TREES_LENGTH = 64 + 1 + 64 + 2;
    MOVES2 = /^(?:diff --git [^\n]+\n(?:deleted file mode 160000\n)?index [0-9a-f]+\.\.[0-9a-f]+(?: 160000)?\n--- [^\n]+\n\+\+\+ [^\n]+\n@@ [^\n]+ @@\n(?:[-+]Subproject commit [0-9a-f]+\n){1,2})*$/;
  }
});

// scripts-src/commands/apply-arguments.ts
function parseApply(argv2, environment) {
  const flags = readFlags(argv2, {
    values: ["--to", "--run", "--unit", "--state-home"],
    switches: ["--check", "--index", "--json", "--undo"]
  });
  const isUndo = flags.switches.has("--undo");
  if (!flags.help) {
    refuseEmpty(flags);
    if (isUndo) refuseWrongUndo(flags);
    else refuseWrongApply(flags);
  }
  const home = lastValue(flags, "--state-home");
  return {
    help: flags.help,
    json: flags.switches.has("--json"),
    check: flags.switches.has("--check"),
    index: flags.switches.has("--index"),
    patches: isUndo ? [] : flags.operands.map((operand) => import_node_path62.default.resolve(operand)),
    run: lastValue(flags, "--run"),
    units: [...new Set(flags.values.get("--unit") ?? [])],
    to: import_node_path62.default.resolve(lastValue(flags, "--to") ?? ""),
    stateHome: home ? import_node_path62.default.resolve(home) : stateHome(environment),
    undo: isUndo ? { id: flags.operands[0] } : void 0
  };
}
function refuseEmpty(flags) {
  for (const [name2, values] of flags.values) {
    if (values.includes("")) throw usageError(`${name2} is empty`, `give it as ${name2} <value>`);
  }
  if (flags.operands.includes(""))
    throw usageError("a patch has an empty name", "give the path of each patch");
  if (!flags.values.has("--to")) {
    throw usageError("--to is missing", "give the working tree: --to <folder of a git repository>");
  }
}
function refuseWrongUndo({ operands, switches, values }) {
  const other = ["--check", "--index"].find((name2) => switches.has(name2));
  const valued = ["--run", "--unit"].find((name2) => values.has(name2));
  const wrong = other ?? valued;
  if (wrong) throw usageError(`--undo and ${wrong} were given`, "leave one of them out");
  if (operands.length > 1) throw usageError("--undo takes one id", "undo one apply after the other");
  const [id] = operands;
  if (id !== void 0 && !/^\d{14}-[0-9a-f]+$/.test(id)) {
    throw usageError(
      `--undo ${JSON.stringify(id.slice(0, 80))} is no id of an apply`,
      "give the id of an UNDO-COMMAND line, or none for the newest apply"
    );
  }
}
function refuseWrongApply({ operands, values }) {
  const run2 = values.get("--run")?.at(-1);
  if (run2 === void 0 && values.has("--unit")) {
    throw usageError("--unit was given without --run", "give --run <name>, or the patch of the unit");
  }
  if (run2 === void 0 && operands.length === 0) {
    throw usageError("no patch given", "give the path of each PATCH line of prun collect, or --run <name>");
  }
  if (run2 !== void 0 && operands.length > 0) {
    throw usageError("patches and --run were given", "give one of them");
  }
  if (run2 !== void 0 && !/^\w[\w.-]*$/.test(run2)) {
    throw usageError(`--run is ${JSON.stringify(run2.slice(0, 80))}`, "give the name of a run");
  }
}
var import_node_path62, APPLY_HELP;
var init_apply_arguments = __esm({
  "scripts-src/commands/apply-arguments.ts"() {
    "use strict";
    import_node_path62 = __toESM(require("node:path"), 1);
    init_errors();
    init_read_flags();
    init_state_home();
    APPLY_HELP = `usage: prun apply [flags] <patch>... --to TREE
       prun apply [flags] --run NAME [--unit U]... --to TREE
       prun apply --undo [ID] --to TREE

Puts collected deltas into the working tree TREE, all of them or nothing: three-way merges on top of what is there now,
also on top of unfinished work. Nothing is added, committed or fetched. What a SIGKILL interrupts is rolled back by the
next prun apply on TREE.

  APPLIED N files=N             N deltas are in (WOULD-APPLY with --check; EMPTY: there was nothing to change)
  A|M|D <path>                  added, modified, deleted; at most 40 lines, then MORE files=N
  SUBMODULE <path> ...          a unit left a submodule on another commit: what to run to take that over as well
  UNDO <file>                   a patch that takes it back, for git apply
  UNDO-COMMAND node ...         takes it back byte for byte; refuses where a touched file was edited since
  CONFLICTS N                   nothing was changed; then at most 40 lines, and MORE conflicts=N:
  CONFLICT <unit> <other> <path> <kind> ...   other: an earlier unit, or "your tree"; content: the lines of both

A patch of other origin, or one whose store has gone, goes in by its text, if it fits.

flags
  --to TREE          the working tree: a folder of a git repository, or of a worktree of it
  --check            says what would change, and changes nothing
  --index            stages the touched paths too, as git add and git rm --cached do
  --undo [ID]        takes the newest apply on TREE back, or the one of that id
  --run NAME         all collected deltas of this run, in place of patches
  --unit U           with --run: only this unit (may be given several times, and is applied in that order)
  --state-home DIR   where runs and applies are kept
  --json             everything as one JSON object
  --help             this text

exit: 0 applied, or nothing to do; 2 wrong call; 35 conflict, or edited since: nothing was changed; 1 the system
refused (full disk, a locked index): nothing was changed.
`;
  }
});

// scripts-src/commands/collected-patches.ts
function collectedPatches(stateHome2, run2, units) {
  const set = openSet(stateHome2, run2);
  const patchOf = (unit) => import_node_path63.default.join(unitFolder(set, unit), UNIT_FILES.patch);
  const unknown = units.find((unit) => !(0, import_node_fs72.existsSync)(patchOf(unit)));
  if (unknown !== void 0) {
    throw usageError(
      `run ${run2} has no collected delta of unit ${JSON.stringify(unknown)}`,
      "collect it first: prun collect <clone>"
    );
  }
  const found = (units.length > 0 ? units : unitsOf(set)).map(patchOf).filter((file) => (0, import_node_fs72.existsSync)(file));
  if (found.length > 0) return found;
  throw usageError(`run ${run2} has no collected delta`, "collect them first: prun collect <clone>…");
}
function uncollectedUnits(stateHome2, run2) {
  const set = openSet(stateHome2, run2);
  return unitsOf(set).filter((unit) => !(0, import_node_fs72.existsSync)(import_node_path63.default.join(unitFolder(set, unit), UNIT_FILES.patch)));
}
var import_node_fs72, import_node_path63;
var init_collected_patches = __esm({
  "scripts-src/commands/collected-patches.ts"() {
    "use strict";
    import_node_fs72 = require("node:fs");
    import_node_path63 = __toESM(require("node:path"), 1);
    init_errors();
    init_workspace_set();
  }
});

// scripts-src/unit/records.ts
var SCHEMA;
var init_records2 = __esm({
  "scripts-src/unit/records.ts"() {
    "use strict";
    SCHEMA = 1;
  }
});

// scripts-src/unit/read-records.ts
function orNull(schema) {
  return _catch(nullable(schema), null);
}
function readUnitRecord(stateDir) {
  return readRecord2(stateFile(stateDir, "unit"), unitRecord);
}
function readOutcome(stateDir) {
  return readRecord2(stateFile(stateDir, "outcome"), outcomeRecord);
}
function readProgress(stateDir) {
  return readRecord2(stateFile(stateDir, "progress"), progressRecord);
}
function readRecord2(file, schema) {
  const text2 = readValue(file);
  if (!text2) return void 0;
  const json = parseJson2(text2);
  refuseNewer(json, file);
  const parsed2 = schema.safeParse(json);
  return parsed2.success ? parsed2.data : void 0;
}
function parseJson2(text2) {
  try {
    return JSON.parse(text2);
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
var limits, unitRecord, namedProcesses, deltaSummary, claimSummary, tripwireSummary, verifySummary, outcomeRecord, progressRecord;
var init_read_records = __esm({
  "scripts-src/unit/read-records.ts"() {
    "use strict";
    init_mini();
    init_errors();
    init_files();
    init_records2();
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
      base: nullable(string2()),
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

// scripts-src/commands/delta-notes.ts
function deltaNotes(patches, commonDir) {
  return patches.flatMap((patch) => {
    const header = readPatchHeader(patch);
    if (!header) return [];
    const folder = import_node_path64.default.dirname(header.store);
    return [
      ...endNote(folder, header.unit),
      ...commonDir === void 0 ? [] : originNote(folder, header.unit, commonDir)
    ];
  });
}
function uncollectedNotes(units) {
  const more = units.length - MAX_UNCOLLECTED;
  return [
    ...units.slice(0, MAX_UNCOLLECTED).map((unit) => `unit ${unit} has not been collected`),
    ...more > 0 ? [`${more} more ${more === 1 ? "unit has" : "units have"} not been collected`] : []
  ];
}
function endNote(set, unit) {
  const last = attemptsIn({ set, unit }).at(-1);
  const outcome = last === void 0 ? void 0 : readOutcome(last);
  if (!outcome || outcome.status === "succeeded") return [];
  return [`unit ${unit} ended ${outcome.status} (${outcome.reason}): its delta may be half done`];
}
function originNote(folder, unit, commonDir) {
  const source = readSet(folder)?.record.source;
  if (!source || source.commonDir === commonDir) return [];
  return [`the delta of ${unit} was made in another repository, ${source.workTree}`];
}
var import_node_path64, MAX_UNCOLLECTED;
var init_delta_notes = __esm({
  "scripts-src/commands/delta-notes.ts"() {
    "use strict";
    import_node_path64 = __toESM(require("node:path"), 1);
    init_read_records();
    init_patch_file();
    init_workspace_of();
    init_workspace_set();
    MAX_UNCOLLECTED = 10;
  }
});

// scripts-src/commands/apply.ts
var apply_exports = {};
__export(apply_exports, {
  APPLY_HELP: () => APPLY_HELP,
  apply: () => apply
});
async function apply(argv2) {
  const options = parseApply(argv2, process.env);
  if (options.help) {
    process.stdout.write(APPLY_HELP);
    return EXIT.ok;
  }
  const target = await targetOf(options);
  const interruption = listenForInterruption();
  try {
    return options.undo ? await undo2(options, target, interruption) : await put(options, target, interruption);
  } catch (error) {
    if (!(error instanceof PrunError && error.code === "E_INTERRUPTED")) throw error;
    const code = 128 + (import_node_os8.default.constants.signals[interruption.signal() ?? "SIGINT"] ?? 0);
    throw new PrunError(error.code, error.message, error.next, code);
  }
}
async function put(options, target, interruption) {
  const patches = patchesOf(options);
  await refuseChangedPatches(patches);
  const notes = [...missing2(options), ...deltaNotes(patches, target.commonDir)];
  warn(notes.map((note2) => `prun apply: note: ${note2}`));
  const end = await applyDeltas({
    host: await currentHost(),
    stateHome: options.stateHome,
    target,
    patches,
    check: options.check,
    index: options.index,
    signal: interruption.signal
  });
  warn(settledLines(end.settled));
  const command2 = (id) => undoCommand(options, end.root, id);
  print(options.json ? asJson(applyJson(end, command2)) : applyLines(end, command2));
  return end.kind === "conflict" ? EXIT.conflict : EXIT.ok;
}
async function undo2(options, target, interruption) {
  const end = await undoApply({
    host: await currentHost(),
    stateHome: options.stateHome,
    root: rootOf(target),
    id: options.undo?.id,
    signal: interruption.signal
  });
  warn(settledLines(end.settled));
  print(options.json ? asJson(undoJson(end)) : undoLines(end));
  return end.kind === "edited" ? EXIT.conflict : EXIT.ok;
}
async function targetOf({ to }) {
  try {
    return await readSource(to);
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    throw new PrunError(error.code, error.message.replace(/^--repo /, "--to "), error.next, error.exitCode);
  }
}
function patchesOf({ run: run2, units, patches, stateHome: stateHome2 }) {
  return run2 === void 0 ? patches : collectedPatches(stateHome2, run2, units);
}
function missing2({ run: run2, units, stateHome: stateHome2 }) {
  return run2 === void 0 || units.length > 0 ? [] : uncollectedNotes(uncollectedUnits(stateHome2, run2));
}
function undoCommand({ stateHome: stateHome2 }, root, id) {
  const script = process.argv[1] ?? "prun.cjs";
  const isDefault = stateHome2 === stateHome(process.env);
  const home = isDefault ? [] : ["--state-home", stateHome2];
  return ["node", script, "apply", "--undo", id, "--to", root, ...home];
}
function warn(lines2) {
  for (const line of lines2) process.stderr.write(`${line.replace(/\s*[\r\n]+\s*/g, " ")}
`);
}
function asJson(value) {
  return [JSON.stringify(value, null, 2)];
}
function print(lines2) {
  process.stdout.write(lines2.map((line) => `${line}
`).join(""));
}
var import_node_os8;
var init_apply2 = __esm({
  "scripts-src/commands/apply.ts"() {
    "use strict";
    import_node_os8 = __toESM(require("node:os"), 1);
    init_errors();
    init_state_home();
    init_host();
    init_apply_report();
    init_interruption();
    init_apply();
    init_apply_undo();
    init_source_repo();
    init_verify_patch();
    init_apply_arguments();
    init_collected_patches();
    init_delta_notes();
    init_apply_arguments();
  }
});

// scripts-src/platform/disk-use.ts
async function diskUse(...folders) {
  const use = { bytes: 0, files: 0 };
  const counted = /* @__PURE__ */ new Set();
  const open2 = folders.map(
    (folder) => process.platform === "win32" ? folder : Buffer.from(folder)
  );
  let steps = 0;
  for (let next = open2.pop(); next !== void 0; next = open2.pop()) {
    if (++steps % SLICE === 0) await new Promise((resolve2) => setImmediate(resolve2));
    const stat = quietly(next, (file) => (0, import_node_fs73.lstatSync)(file));
    if (!stat || !isNew(next, stat, counted)) continue;
    use.bytes += process.platform === "win32" ? stat.size : stat.blocks * 512;
    if (!stat.isDirectory()) use.files++;
    else for (const entry of quietly(next, entriesOf2) ?? []) open2.push(entry);
  }
  return use;
}
function isNew(file, stat, counted) {
  if (stat.isDirectory() || stat.nlink < 2) return true;
  const inode = process.platform === "win32" ? quietly(file, (f) => (0, import_node_fs73.lstatSync)(f, { bigint: true }))?.ino : stat.ino;
  const key = `${stat.dev}:${inode}`;
  if (counted.has(key)) return false;
  counted.add(key);
  return true;
}
function entriesOf2(folder) {
  if (typeof folder === "string") return (0, import_node_fs73.readdirSync)(folder).map((name2) => `${folder}\\${name2}`);
  const prefix = Buffer.concat([folder, Buffer.from("/")]);
  return (0, import_node_fs73.readdirSync)(folder, { encoding: "buffer" }).map((name2) => Buffer.concat([prefix, name2]));
}
function quietly(file, look2) {
  try {
    return look2(file);
  } catch (error) {
    if (["ENOENT", "EACCES", "EPERM", "ENOTDIR"].includes(errnoOf(error) ?? "")) return void 0;
    throw error;
  }
}
var import_node_fs73, SLICE;
var init_disk_use = __esm({
  "scripts-src/platform/disk-use.ts"() {
    "use strict";
    import_node_fs73 = require("node:fs");
    init_errors();
    SLICE = 1e3;
  }
});

// scripts-src/commands/workspace-targets.ts
function targetsFrom(flags, options = {}) {
  const cwd = process.cwd();
  const run2 = runName(lastValue(flags, "--run"));
  const units = flags.values.get("--unit") ?? [];
  if (units.length > 0 && run2 === void 0) {
    throw usageError("--unit needs --run", "give the run, or the path of the clone");
  }
  const set = run2 === void 0 ? void 0 : openSet(stateHomeFrom(flags, process.env, cwd), run2);
  const workspaces = [
    ...flags.operands.map((folder) => workspaceAt(import_node_path65.default.resolve(cwd, folder))),
    ...set === void 0 ? [] : targetsOf(set, units)
  ];
  if (workspaces.length > 0 || options.mayBeEmpty && set !== void 0) return { workspaces, set };
  throw set === void 0 ? usageError("no clone is given", "give the path that prun clone printed, or --run") : usageError(`run ${set.record.id} has no workspaces`, "make one with prun clone");
}
function targetsOf(set, units) {
  const names = units.length > 0 ? units : unitsOf(set);
  return names.map((unit) => {
    const workspace = readWorkspace(set, unit);
    if (workspace) return { set, workspace };
    throw usageError(
      `run ${set.record.id} has no unit ${JSON.stringify(unit)}`,
      `its units are: ${unitsOf(set).join(", ")}`
    );
  });
}
var import_node_path65;
var init_workspace_targets = __esm({
  "scripts-src/commands/workspace-targets.ts"() {
    "use strict";
    import_node_path65 = __toESM(require("node:path"), 1);
    init_errors();
    init_read_flags();
    init_workspace_set();
    init_clone_arguments();
  }
});

// scripts-src/commands/cleanup.ts
var cleanup_exports = {};
__export(cleanup_exports, {
  CLEANUP_HELP: () => CLEANUP_HELP,
  cleanup: () => cleanup
});
async function cleanup(argv2) {
  const flags = readFlags(argv2, {
    values: ["--run", "--unit", "--state-home"],
    switches: ["--force", "--everything", "--json"]
  });
  if (flags.help) {
    process.stdout.write(CLEANUP_HELP);
    return EXIT.ok;
  }
  const everything = flags.switches.has("--everything");
  if (everything && !flags.values.has("--run"))
    throw usageError("--everything needs --run", "name the run with --run");
  const targets = targetsFrom(flags, { mayBeEmpty: everything });
  const json = flags.switches.has("--json");
  const results = [];
  for (const target of targets.workspaces) {
    const result = await removeOne(target, flags.switches.has("--force"));
    results.push(result);
    const isNews = !everything || !result.notes.includes(GONE);
    if (!json && isNews) process.stdout.write(`${lines(result, everything).join("\n")}
`);
  }
  let kept = results.some(({ removed }) => !removed);
  if (everything && !kept && targets.set) kept = !finishSet(targets.set, json);
  if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}
`);
  return kept ? EXIT.unitFailed : EXIT.ok;
}
async function removeOne({ set, workspace }, force) {
  const { unit, folder } = workspace;
  const patch = readDelta(set, unit)?.patch.path ?? null;
  const end = (removed, notes, bytes = 0) => ({
    unit,
    folder,
    removed,
    notes,
    bytes,
    patch
  });
  try {
    const presence2 = presenceOf(set, workspace);
    if (presence2 === "gone") return end(true, [GONE, ...patch === null ? [NEVER_COLLECTED] : []]);
    if (presence2 === "elsewhere") {
      return end(false, [
        "the way to it leads out of the run by a symlink: nothing is removed there, look at it"
      ]);
    }
    if (presence2 === "replaced" && !force) {
      return end(false, [
        "it is no folder any more: look at what stands there; --force removes that name alone"
      ]);
    }
    if (presence2 === "there") {
      const reason = await whyKept(set, workspace, force);
      if (reason !== void 0)
        return { ...end(false, [reason]), patch: readDelta(set, unit)?.patch.path ?? null };
    }
    const { bytes } = await diskUse(folder).catch(() => ({ bytes: 0 }));
    const notes = await removeWorkspace(set, workspace);
    return { ...end(true, notes, bytes), patch: readDelta(set, unit)?.patch.path ?? null };
  } catch (error) {
    return end(false, [`it cannot be removed (${messageOf(error)}): put that right and run cleanup again`]);
  }
}
async function whyKept(set, workspace, force) {
  const attempt = await runningAttempt(set, workspace.unit);
  if (attempt !== void 0) return `a unit runs in it (state dir ${attempt}): wait for it, or stop it first`;
  const archived = await archive2(set, workspace, force);
  if (typeof archived === "string") return archived;
  const [lost] = (archived?.problems ?? []).filter((problem) => problem.lost);
  if (!lost || force) return void 0;
  return `${shownPath(pathFromJson(lost.path))} ${lost.what}: save it, then use --force`;
}
function includedBefore2(set, unit) {
  const included = readDelta(set, unit)?.included;
  return { everything: included?.everything ?? false, paths: (included?.paths ?? []).map(pathFromJson) };
}
async function archive2(set, workspace, force) {
  try {
    return await collectDelta(set, workspace, { ignored: includedBefore2(set, workspace.unit) });
  } catch (error) {
    if (force) return void 0;
    return `its delta cannot be taken (${messageOf(error)}): with --force it goes all the same`;
  }
}
function lines({ unit, folder, removed, notes, bytes, patch }, everything) {
  const head = removed ? `REMOVED ${unit} ${bytesText(bytes)} ${folder}` : `KEPT ${unit} ${folder}`;
  const kept = patch === null || everything ? [] : [`PATCH ${patch}`];
  return [head, ...kept, ...notes.map((note2) => `NOTE ${unit} ${note2}`)];
}
function finishSet(set, json) {
  const left = removeSet(set);
  const name2 = import_node_path66.default.basename(set.folder);
  if (!json) {
    const names = `${left.slice(0, 5).join(", ")}${left.length > 5 ? " and others" : ""}`;
    process.stdout.write(
      left.length === 0 ? `REMOVED run ${name2} ${set.folder}
` : `KEPT run ${name2}: it still has clones: ${names}
`
    );
  }
  return left.length === 0;
}
var import_node_path66, CLEANUP_HELP, GONE, NEVER_COLLECTED;
var init_cleanup = __esm({
  "scripts-src/commands/cleanup.ts"() {
    "use strict";
    import_node_path66 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_disk_use();
    init_errors();
    init_read_flags();
    init_figures();
    init_remove_workspace();
    init_collect();
    init_workspace_set();
    init_running_attempt();
    init_workspace_targets();
    CLEANUP_HELP = `usage: prun cleanup <clone>… [flags]
       prun cleanup --run NAME [--unit ID]… [flags]

Removes clones. First the delta of each is collected and archived: record, patch, and both trees in the run's store, so
that conflicts and apply still work. A clone is left alone while a unit runs in it, and where its delta cannot hold
everything (LOST lines of prun collect). Ignored files are not part of a delta: they go.

  --run NAME         all units of the run, or those that --unit names
  --unit ID          with --run (repeat it)
  --force            also where something is lost, or where the delta cannot be taken
  --everything       with --run: the records, patches and the store as well, when all its clones are gone
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             what was done as JSON

exit: 0 removed; 2 wrong arguments; 30 one was left alone
`;
    GONE = "it was gone already";
    NEVER_COLLECTED = "no delta of it was ever collected";
  }
});

// scripts-src/render/delta-report.ts
function deltaLines(record2, patch) {
  const { empty, files, moves, problems, commits, outside, ignored, repository } = deltaDetails(record2);
  return [
    ...headLines(record2, patch),
    ...empty.map(text),
    ...bounded4(files, MAX_FILES),
    ...bounded4(moves, MAX_NOTES2),
    ...bounded4(problems, MAX_NOTES2),
    ...bounded4(commits, MAX_NOTES2),
    ...bounded4(outside, MAX_NOTES2),
    ...bounded4(ignored, MAX_NOTES2),
    ...bounded4(repository, MAX_NOTES2)
  ];
}
function headLines(record2, patch) {
  return [`DELTA ${record2.unit} ${countsText(deltaCounts(record2))}`, `PATCH ${patch}`];
}
function countsText({ files, added, modified, deleted, commits, lost }) {
  return `files=${files} added=${added} modified=${modified} deleted=${deleted} commits=${commits} lost=${lost}`;
}
function deltaCounts({ files, commits, problems }) {
  const count3 = (status) => files.filter((file) => file.status === status).length;
  return {
    files: files.length,
    added: count3("added"),
    modified: count3("modified") + count3("type-changed"),
    deleted: count3("deleted"),
    commits: commits.length,
    lost: problems.filter((problem) => problem.lost).length
  };
}
function deltaDetails(record2) {
  const { unit, files, moves, commits, problems, ignored, outside, repository } = record2;
  const isEmpty2 = files.length + moves.length === 0;
  return {
    empty: isEmpty2 ? [["EMPTY", "the unit changed nothing against its base"]] : [],
    files: files.map((file) => [LETTER[file.status], `${shown(file.path)}${modeNote(file)}`]),
    moves: moves.map(({ path: path79, base, result }) => [
      "SUBMODULE",
      `${shown(path79)} ${short(base)} -> ${result === null ? "deleted" : short(result)}`
    ]),
    problems: problems.map(({ path: path79, what, lost }) => [lost ? "LOST" : "NOTE", `${shown(path79)} ${what}`]),
    commits: commits.map(({ id, subject }) => [
      "COMMIT",
      `${short(id)} ${subject.replace(new RegExp("\\p{Cc}+", "gu"), " ").slice(0, 100)}`
    ]),
    outside: outside.map((path79) => ["OUTSIDE", `${shown(path79)} is not what ${unit} owns`]),
    ignored: ignored.map((path79) => ["IGNORED", `${shown(path79)} is not in the delta (--include takes it)`]),
    repository: repository.map((change2) => ["REPOSITORY", change2])
  };
}
function shown(path79) {
  return shownPath(pathFromJson(path79));
}
function modeNote({ oldMode, newMode }) {
  return oldMode !== null && newMode !== null && oldMode !== newMode ? ` (mode ${oldMode} -> ${newMode})` : "";
}
function short(id) {
  return id.slice(0, 12);
}
function text([word, rest]) {
  return `${word} ${rest}`;
}
function bounded4(lines2, limit) {
  if (lines2.length <= limit) return lines2.map(text);
  const word = lines2[0]?.[0] ?? "";
  const kind = word.length > 1 ? ` ${word}` : "";
  return [
    ...lines2.slice(0, limit).map(text),
    `… and ${lines2.length - limit} more${kind} lines: --json has all`
  ];
}
var MAX_FILES, MAX_NOTES2, LETTER;
var init_delta_report = __esm({
  "scripts-src/render/delta-report.ts"() {
    "use strict";
    init_byte_path();
    MAX_FILES = 40;
    MAX_NOTES2 = 10;
    LETTER = {
      added: "A",
      modified: "M",
      deleted: "D",
      "type-changed": "T"
    };
  }
});

// scripts-src/render/run-report.ts
function runReport(units) {
  const isLarge = units > MAX_UNITS;
  const details = noDetails();
  const rest = { ...NOTHING, units: 0 };
  let dropped = 0;
  let shownUnits = 0;
  let shownFailures = 0;
  let failures = 0;
  return {
    collected(record2, patch) {
      dropped += keepDetails(details, record2);
      if (isLarge && (!needsEye(record2) || shownUnits >= MAX_UNITS)) {
        addTo2(rest, deltaCounts(record2));
        rest.units += 1;
        return [];
      }
      shownUnits += 1;
      return headLines(record2, patch);
    },
    failed(unit, why) {
      failures += 1;
      if (isLarge && shownFailures >= MAX_UNITS) return [];
      shownFailures += 1;
      return [`FAILED ${unit} ${why}`];
    },
    end() {
      const { lines: lines2, left } = sharedOut(details);
      const more = left + dropped + failures - shownFailures;
      return [
        ...rest.units > 0 ? [`REST units=${rest.units} ${countsText(rest)}`] : [],
        ...lines2,
        ...more > 0 ? [`… and ${more} more ${more === 1 ? "line" : "lines"}: --json has all`] : []
      ];
    }
  };
}
function addTo2(sum, counts) {
  for (const key of Object.keys(NOTHING)) sum[key] += counts[key];
}
function needsEye({ files, moves, commits, problems, outside, repository }) {
  const isEmpty2 = files.length + moves.length === 0;
  const isLost = problems.some(({ lost }) => lost);
  return isEmpty2 || isLost || commits.length + outside.length + repository.length > 0;
}
function noDetails() {
  return [[[], [], [], []], [[], [], [], []], [[]]];
}
function keepDetails(ranked, record2) {
  const { empty, files, moves, problems, commits, outside, ignored, repository } = deltaDetails(record2);
  const ofWord = (wanted) => problems.filter(([word]) => word === wanted);
  const kinds = [
    [ofWord("LOST"), outside, repository, ofWord("NOTE")],
    [empty, moves, commits, ignored],
    [files]
  ];
  let dropped = 0;
  kinds.forEach((rank, r) => {
    rank.forEach((lines2, k) => {
      const queues = ranked[r]?.[k];
      if (lines2.length === 0 || queues === void 0) return;
      const kept = queues.length < MAX_DETAILS ? lines2.slice(0, MAX_DETAILS) : [];
      dropped += lines2.length - kept.length;
      if (kept.length > 0) queues.push({ unit: record2.unit, lines: kept });
    });
  });
  return dropped;
}
function sharedOut(ranked) {
  let space = MAX_DETAILS;
  let left = 0;
  const lines2 = [];
  for (const queues of ranked.map((kinds) => kinds.flat())) {
    const taken = queues.map(() => 0);
    for (let isMore = true; isMore && space > 0; ) {
      isMore = false;
      queues.forEach((queue, at2) => {
        const count3 = taken[at2] ?? 0;
        if (space === 0 || count3 >= queue.lines.length) return;
        taken[at2] = count3 + 1;
        space -= 1;
        isMore = true;
      });
    }
    queues.forEach(({ unit, lines: all }, at2) => {
      const count3 = taken[at2] ?? 0;
      lines2.push(...all.slice(0, count3).map(([word, rest]) => `${word} ${unit} ${rest}`));
      left += all.length - count3;
    });
  }
  return { lines: lines2, left };
}
var MAX_DETAILS, MAX_UNITS, NOTHING;
var init_run_report = __esm({
  "scripts-src/render/run-report.ts"() {
    "use strict";
    init_delta_report();
    MAX_DETAILS = 40;
    MAX_UNITS = 100;
    NOTHING = { files: 0, added: 0, modified: 0, deleted: 0, commits: 0, lost: 0 };
  }
});

// scripts-src/platform/replace-file.ts
function replaceByCopy(from, to) {
  const temporary = temporaryBeside(to);
  try {
    (0, import_node_fs74.copyFileSync)(from, temporary, import_node_fs74.constants.COPYFILE_EXCL | import_node_fs74.constants.COPYFILE_FICLONE);
    flush(temporary);
    renameRetrying(temporary, to);
  } finally {
    (0, import_node_fs74.rmSync)(temporary, { force: true });
  }
}
function isReplaceable(file) {
  const stat = (0, import_node_fs74.lstatSync)(file, { throwIfNoEntry: false });
  if (stat === void 0 || stat.isFile()) return true;
  if (!stat.isSymbolicLink()) return false;
  if (/^\/(?:proc|dev)\//.test((0, import_node_fs74.readlinkSync)(file))) return false;
  return (0, import_node_fs74.statSync)(file, { throwIfNoEntry: false })?.isFile() ?? true;
}
function flush(file) {
  const fd = (0, import_node_fs74.openSync)(file, "r+");
  try {
    (0, import_node_fs74.fsyncSync)(fd);
  } finally {
    (0, import_node_fs74.closeSync)(fd);
  }
}
var import_node_fs74;
var init_replace_file = __esm({
  "scripts-src/platform/replace-file.ts"() {
    "use strict";
    import_node_fs74 = require("node:fs");
    init_files();
  }
});

// scripts-src/commands/export-patch.ts
function patchTarget(given, units) {
  if (given === "") throw usageError("--patch is empty", "give a file or a folder");
  const absolute2 = import_node_path67.default.resolve(given);
  const isFolder2 = /[\\/]$/.test(given) || isDirectory(absolute2);
  if (units > 1 && !isFolder2) {
    throw usageError(
      `--patch ${given} is one file for ${units} units`,
      "give a folder, or a name that ends in /"
    );
  }
  const folder = isFolder2 ? absolute2 : import_node_path67.default.dirname(absolute2);
  const needed = isDirectory(folder) ? folder : import_node_path67.default.dirname(folder);
  if (!isDirectory(needed)) {
    throw usageError(
      `--patch ${given} is in no folder: ${needed} does not exist`,
      "make it first, or give a path in a folder that is there"
    );
  }
  return isFolder2 ? import_node_path67.default.join(absolute2, import_node_path67.default.sep) : absolute2;
}
function exportPatch(record2, target) {
  const file = target.endsWith(import_node_path67.default.sep) ? import_node_path67.default.join(target, `${record2.unit}.patch`) : target;
  copyPatch(record2, file, "--patch");
  return file;
}
function archiveDelta(record2, stateDir) {
  const patch = import_node_path67.default.join(stateDir, "delta.patch");
  copyPatch(record2, patch, "--state-dir");
  const kept = { ...record2, patch: { ...record2.patch, path: patch } };
  writeAtomic(import_node_path67.default.join(stateDir, "delta.json"), `${JSON.stringify(kept, null, 2)}
`);
}
function copyPatch(record2, file, flag) {
  const kept = `the delta is kept in ${record2.patch.path}; give a path in a writable folder`;
  let isFile3;
  try {
    if (flag === "--patch") makeFolder3(import_node_path67.default.dirname(file));
    isFile3 = isReplaceable(file);
    if (isFile3) replaceByCopy(record2.patch.path, file);
  } catch (error) {
    throw usageError(`${flag} ${file} cannot be written (${messageOf(error)})`, kept);
  }
  if (!isFile3) throw usageError(`${flag} ${file} is no file`, kept);
}
function makeFolder3(folder) {
  try {
    (0, import_node_fs75.mkdirSync)(folder);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST" && !isDirectory(folder)) throw error;
  }
}
function isDirectory(place) {
  return (0, import_node_fs75.statSync)(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
var import_node_fs75, import_node_path67;
var init_export_patch = __esm({
  "scripts-src/commands/export-patch.ts"() {
    "use strict";
    import_node_fs75 = require("node:fs");
    import_node_path67 = __toESM(require("node:path"), 1);
    init_errors();
    init_files();
    init_replace_file();
  }
});

// scripts-src/commands/collect.ts
var collect_exports = {};
__export(collect_exports, {
  COLLECT_HELP: () => COLLECT_HELP,
  collect: () => collect
});
async function collect(argv2) {
  const request = parseCollect(argv2);
  if (!request) {
    process.stdout.write(COLLECT_HELP);
    return EXIT.ok;
  }
  const { targets, json } = request;
  const report = runReport(targets.length);
  const results = [];
  let code = EXIT.ok;
  for (const target of targets) {
    const one = await collectOne(target, request);
    if ("error" in one) {
      if (request.isOneClone) throw one.error;
      code = EXIT.unitFailed;
      const why = lineOf(one.error);
      if (json) results.push({ unit: one.unit, error: why });
      else print2(report.failed(one.unit, why));
    } else if (json) results.push(one.record);
    else print2((targets.length === 1 ? deltaLines : report.collected)(one.record, one.patch));
  }
  if (json) print2([JSON.stringify(targets.length === 1 ? results[0] : results, null, 2)]);
  else if (targets.length > 1) print2(report.end());
  return code;
}
async function collectOne({ set, workspace }, request) {
  const { unit } = workspace;
  try {
    const record2 = await collectDelta(set, workspace, { ignored: request.ignored });
    if (request.stateDir !== void 0) archiveDelta(record2, request.stateDir);
    const patch = request.patch === void 0 ? record2.patch.path : exportPatch(record2, request.patch);
    const attempt = await runningAttempt(set, unit);
    if (attempt !== void 0 && attempt !== request.stateDir) {
      process.stderr.write(
        `prun collect: a unit still runs in ${workspace.folder} (state dir ${attempt}): collect again when it has ended
`
      );
    }
    return { record: record2, patch };
  } catch (thrown) {
    const error = plainError(thrown);
    if (error === void 0) throw thrown;
    const code = error.exitCode === 1 ? EXIT.unitFailed : error.exitCode;
    return { unit, error: new PrunError(error.code, error.message, error.next, code) };
  }
}
function print2(lines2) {
  process.stdout.write(lines2.map((line) => `${line}
`).join(""));
}
function parseCollect(argv2) {
  const flags = readFlags(argv2, {
    values: ["--patch", "--include", "--run", "--unit", "--state-dir", "--state-home"],
    switches: ["--include-ignored", "--json"]
  });
  if (flags.help) return void 0;
  const targets = targetsFrom(flags).workspaces;
  const patch = lastValue(flags, "--patch");
  const stateDir = lastValue(flags, "--state-dir");
  return {
    targets,
    isOneClone: targets.length === 1 && !flags.values.has("--run"),
    patch: patch === void 0 ? void 0 : patchTarget(patch, targets.length),
    stateDir: stateDir === void 0 ? void 0 : import_node_path68.default.resolve(stateDir),
    ignored: {
      everything: flags.switches.has("--include-ignored"),
      paths: includedPaths(flags.values.get("--include") ?? [], targets)
    },
    json: flags.switches.has("--json")
  };
}
function includedPaths(given, targets) {
  return given.map((name2) => {
    const where = import_node_path68.default.normalize(name2).split(import_node_path68.default.sep).join("/").replace(/\/$/, "");
    const isBelow2 = !import_node_path68.default.isAbsolute(name2) && where !== "." && where !== "" && !/^\.\.(?:\/|$)/.test(where);
    const isThere3 = isBelow2 && targets.some(({ workspace }) => (0, import_node_fs76.existsSync)(import_node_path68.default.join(workspace.folder, where)));
    if (isThere3) return bytePathOf(where);
    throw usageError(
      `--include ${name2} is at no path of the clone`,
      "give a path relative to its top, such as dist/app.js"
    );
  });
}
var import_node_fs76, import_node_path68, COLLECT_HELP;
var init_collect2 = __esm({
  "scripts-src/commands/collect.ts"() {
    "use strict";
    import_node_fs76 = require("node:fs");
    import_node_path68 = __toESM(require("node:path"), 1);
    init_byte_path();
    init_errors();
    init_read_flags();
    init_delta_report();
    init_run_report();
    init_collect();
    init_export_patch();
    init_running_attempt();
    init_workspace_targets();
    COLLECT_HELP = `usage: prun collect <clone>… [flags]
       prun collect --run NAME [--unit ID]… [flags]

Takes the delta of each clone: all that the unit changed against its base, whatever it did to the clone's git folder.
Writes a patch and a record beside the workspace's records, and changes nothing in the clone. Run it when the unit has
ended. Prints a DELTA and a PATCH line for each unit, then the files. With several units the lines name their unit: at
most 40 in all, what needs an eye first, and of more than 100 units those without news are only counted (REST). A unit
that cannot be collected is a FAILED line, and the others are collected.

  --patch FILE         also writes the patch there; a folder, or a name that ends in /, takes <unit>.patch. The last
                       folder is made where it is missing
  --include PATH       what is at this ignored path of the clone belongs to the delta as well (repeat it)
  --include-ignored    everything at ignored paths does, also what --warm and --setup brought
  --run NAME           all units of the run, or those that --unit names
  --unit ID            with --run (repeat it)
  --state-dir DIR      also keeps delta.json and delta.patch in that state dir
  --state-home DIR     where prun keeps its state (PRUN_STATE_HOME)
  --json               the whole record; with several units an array of them, {unit, error} for one that failed

exit: 0 collected, also an empty delta; 2 wrong arguments; 30 a unit could not be collected, such as
one whose clone is gone
`;
  }
});

// scripts-src/workspace/merge/reduced-trees.ts
function reduceTrees(deltas, scratch) {
  const kept = keptPaths(deltas);
  const base = /* @__PURE__ */ new Map();
  for (const { files } of deltas) {
    for (const { path: where, oldMode, oldId } of files) {
      if (kept.has(where)) setVersion(base, where, oldMode, oldId);
    }
  }
  const format = formatOf(deltas[0]?.base ?? "");
  return {
    base: scratch.tree(base, format),
    results: deltas.map(({ files }) => {
      const result = new Map(base);
      for (const { path: where, newMode, newId: newId2 } of files) {
        if (kept.has(where)) setVersion(result, where, newMode, newId2);
      }
      return scratch.tree(result, format);
    })
  };
}
function keptPaths(deltas) {
  const changers = /* @__PURE__ */ new Map();
  for (const { path: where } of deltas.flatMap(({ files }) => files)) {
    changers.set(where, (changers.get(where) ?? 0) + 1);
  }
  const kept = /* @__PURE__ */ new Set();
  for (const [where, count3] of changers) {
    if (count3 > 1) kept.add(where);
    for (let folder = parentOf(where); folder !== void 0; folder = parentOf(folder)) {
      if (changers.has(folder)) kept.add(where).add(folder);
    }
  }
  for (const { files } of deltas) {
    const added = files.filter(({ oldId }) => oldId === null);
    const deleted = files.filter(({ newId: newId2 }) => newId2 === null);
    if (added.length === 0 || deleted.length === 0) continue;
    for (const { path: where } of [...added, ...deleted]) kept.add(where);
  }
  return kept;
}
function setVersion(tree, where, mode, id) {
  if (mode === null || id === null) tree.delete(where);
  else tree.set(where, { mode, id });
}
var init_reduced_trees = __esm({
  "scripts-src/workspace/merge/reduced-trees.ts"() {
    "use strict";
    init_byte_path();
    init_scratch_objects();
  }
});

// scripts-src/workspace/merge/apply-order.ts
async function applyOrder(scratch, deltas, { contacts, clashes }) {
  const touching = neighbours(contacts);
  const clashing = neighbours(clashes);
  const all = [...deltas.keys()];
  const picked = /* @__PURE__ */ new Set();
  const degree = (at2) => clashing.get(at2)?.size ?? 0;
  for (const at2 of [...all].sort((a, b) => degree(a) - degree(b) || a - b)) {
    if (![...clashing.get(at2) ?? []].some((other) => picked.has(other))) picked.add(at2);
  }
  const order = [];
  const trees = treesOf2(
    deltas,
    all.filter((at2) => touching.has(at2)),
    scratch
  );
  let tree = trees.start;
  const put2 = async (at2) => {
    const delta = trees.of.get(at2);
    if (!delta) return true;
    const ours = { name: "the units before", tree };
    const theirs = { name: deltas[at2]?.name ?? "", tree: delta.result };
    const task = { base: delta.base, ours, theirs };
    const [merged] = await mergeAll(scratch.place, [task], { areWhole: trees.areWhole });
    if (merged?.kind !== "clean") return false;
    tree = merged.tree;
    return true;
  };
  for (const at2 of all.filter((each) => picked.has(each))) {
    if (await put2(at2)) order.push(at2);
  }
  const leftOut = [];
  for (const at2 of all.filter((each) => !order.includes(each))) {
    const fits = !order.some((other) => clashing.get(at2)?.has(other)) && await put2(at2);
    (fits ? order : leftOut).push(at2);
  }
  const named2 = (places) => places.flatMap((at2) => deltas[at2]?.name ?? []);
  return { order: named2(order), leftOut: named2(leftOut) };
}
function treesOf2(deltas, places, scratch) {
  const touching = places.flatMap((at2) => deltas[at2] ?? []);
  const start = commonBase(touching);
  if (touching.some(({ base: base2 }) => base2 !== start)) {
    const of = new Map(places.map((at2, n) => [at2, touching[n] ?? { base: start, result: start }]));
    return { start, of, areWhole: false };
  }
  const { base, results } = reduceTrees(touching, scratch);
  return {
    start: base,
    of: new Map(places.map((at2, n) => [at2, { base, result: results[n] ?? base }])),
    areWhole: true
  };
}
function neighbours(pairs) {
  const found = /* @__PURE__ */ new Map();
  for (const [a, b] of pairs) {
    found.set(a, (found.get(a) ?? /* @__PURE__ */ new Set()).add(b));
    found.set(b, (found.get(b) ?? /* @__PURE__ */ new Set()).add(a));
  }
  return found;
}
function commonBase(deltas) {
  const counts = /* @__PURE__ */ new Map();
  for (const { base } of deltas) counts.set(base, (counts.get(base) ?? 0) + 1);
  let [common, most] = ["", 0];
  for (const [base, count3] of counts) if (count3 > most) [common, most] = [base, count3];
  return common;
}
var init_apply_order = __esm({
  "scripts-src/workspace/merge/apply-order.ts"() {
    "use strict";
    init_merge_trees();
    init_reduced_trees();
  }
});

// scripts-src/workspace/merge/merge-pairs.ts
async function mergePairs(scratch, pairs) {
  const { place } = scratch;
  const carried = await carryAll(
    place,
    pairs.filter(([a, b]) => a.base !== b.base)
  );
  const tasks = pairs.map(([a, b]) => taskOf(a, b, carried, scratch));
  const results = await mergeAll(
    place,
    tasks.map(({ task }) => task)
  );
  return pairs.map(([a, b], n) => {
    const result = results[n];
    if (result?.kind !== "conflict") return [];
    if (!tasks[n]?.isAcrossBases) return result.conflicts;
    const ofBoth = sharedPaths(a, b);
    return result.conflicts.filter(({ path: where }) => ofBoth.has(where));
  });
}
function carryKey(delta, base) {
  return `${delta.base} ${delta.result} ${base}`;
}
async function carryAll(place, pairs) {
  const wanted = /* @__PURE__ */ new Map();
  for (const [a, b] of pairs) {
    for (const [delta, { base }] of [
      [a, b],
      [b, a]
    ]) {
      wanted.set(carryKey(delta, base), {
        base: delta.base,
        ours: { name: "base", tree: base },
        theirs: { name: delta.name, tree: delta.result }
      });
    }
  }
  const results = await mergeAll(place, [...wanted.values()]);
  const carried = /* @__PURE__ */ new Map();
  for (const [n, key] of [...wanted.keys()].entries()) {
    const result = results[n];
    if (result?.kind === "clean") carried.set(key, result.tree);
  }
  return carried;
}
function taskOf(a, b, carried, scratch) {
  const task = (base, ours, theirs) => ({
    base,
    ours: { name: a.name, tree: ours },
    theirs: { name: b.name, tree: theirs }
  });
  if (a.base === b.base) {
    const { base, results } = reduceTrees([a, b], scratch);
    return { task: task(base, results[0] ?? base, results[1] ?? base), isAcrossBases: false };
  }
  const first = carried.get(carryKey(a, b.base));
  if (first !== void 0) return { task: task(b.base, first, b.result), isAcrossBases: false };
  const second = carried.get(carryKey(b, a.base));
  if (second !== void 0) return { task: task(a.base, a.result, second), isAcrossBases: false };
  return { task: task(a.base, a.result, b.result), isAcrossBases: true };
}
function sharedPaths(a, b) {
  const ofA = new Set(a.files.map(({ path: where }) => where));
  return new Set(b.files.map(({ path: where }) => where).filter((where) => ofA.has(where)));
}
var init_merge_pairs = __esm({
  "scripts-src/workspace/merge/merge-pairs.ts"() {
    "use strict";
    init_merge_trees();
    init_reduced_trees();
  }
});

// scripts-src/workspace/merge/merge-store.ts
async function withMergeStore(stores, format, work) {
  const folder = (0, import_node_fs77.mkdtempSync)(import_node_path69.default.join(import_node_os9.default.tmpdir(), "prun-matrix-"));
  try {
    for (const name2 of ["objects", "refs"]) (0, import_node_fs77.mkdirSync)(import_node_path69.default.join(folder, name2), { mode: PRIVATE_DIR });
    const write = (name2, text2) => (0, import_node_fs77.writeFileSync)(import_node_path69.default.join(folder, name2), text2, { mode: PRIVATE_FILE });
    write("HEAD", "ref: refs/heads/main\n");
    write(
      "config",
      format === "sha256" ? "[core]\n	repositoryformatversion = 1\n	bare = true\n[extensions]\n	objectFormat = sha256\n" : "[core]\n	repositoryformatversion = 0\n	bare = true\n"
    );
    return await work({
      gitDir: folder,
      alternates: stores.map((store) => import_node_path69.default.join(store, "objects")),
      config: { "core.compression": "0" }
    });
  } finally {
    (0, import_node_fs77.rmSync)(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
var import_node_fs77, import_node_os9, import_node_path69;
var init_merge_store = __esm({
  "scripts-src/workspace/merge/merge-store.ts"() {
    "use strict";
    import_node_fs77 = require("node:fs");
    import_node_os9 = __toESM(require("node:os"), 1);
    import_node_path69 = __toESM(require("node:path"), 1);
    init_files();
  }
});

// scripts-src/workspace/merge/shared-paths.ts
function contactsOf(deltas) {
  const byPath = /* @__PURE__ */ new Map();
  for (const [at2, { files }] of deltas.entries()) {
    for (const { path: where, newMode, newId: newId2 } of files) {
      const version2 = newId2 === null ? null : `${newMode} ${newId2}`;
      const known2 = byPath.get(where);
      if (known2) known2.push({ at: at2, version: version2 });
      else byPath.set(where, [{ at: at2, version: version2 }]);
    }
  }
  const found = /* @__PURE__ */ new Set();
  const meet = (a, b) => {
    if (a !== b) found.add(Math.min(a, b) * deltas.length + Math.max(a, b));
  };
  for (const [where, changes] of byPath) {
    for (const [n, one] of changes.entries()) {
      for (const other of changes.slice(n + 1)) {
        if (one.version === null || one.version !== other.version) meet(one.at, other.at);
      }
    }
    for (let folder = parentOf(where); folder !== void 0; folder = parentOf(folder)) {
      for (const above of byPath.get(folder) ?? []) for (const one of changes) meet(above.at, one.at);
    }
  }
  return [...found].sort((a, b) => a - b).map((key) => [Math.floor(key / deltas.length), key % deltas.length]);
}
var init_shared_paths = __esm({
  "scripts-src/workspace/merge/shared-paths.ts"() {
    "use strict";
    init_byte_path();
  }
});

// scripts-src/workspace/merge/conflict-matrix.ts
async function conflictMatrix(deltas) {
  const named2 = withNames(deltas);
  const contacts = contactsOf(named2);
  const pairs = contacts.flatMap(([a, b]) => {
    const [one, other] = [named2[a], named2[b]];
    return one && other ? [[one, other]] : [];
  });
  const stores = [...new Set(named2.map(({ store }) => store))];
  const { conflicts: conflicts2, order } = await withMergeStore(
    stores,
    commonFormat(named2),
    (place) => withScratchObjects(place, async (scratch) => {
      const conflicts3 = await mergePairs(scratch, pairs);
      const clashes = contacts.filter((_pair, n) => (conflicts3[n]?.length ?? 0) > 0);
      return { conflicts: conflicts3, order: await applyOrder(scratch, named2, { contacts, clashes }) };
    })
  );
  return {
    units: named2.map((delta) => ({ name: delta.name, delta })),
    pairs: pairs.flatMap(([a, b], n) => {
      const found = conflicts2[n] ?? [];
      return found.length === 0 ? [] : [{ units: [a.name, b.name], conflicts: found }];
    }),
    outside: named2.flatMap(({ name: name2, owns, files }) => {
      const paths = outsideOf(
        owns,
        files.map((file) => file.path)
      );
      return paths.length === 0 ? [] : [{ unit: name2, paths }];
    }),
    order
  };
}
function withNames(deltas) {
  const byKey = /* @__PURE__ */ new Map();
  for (const delta of deltas) {
    const key = `${delta.unit} ${delta.store}`;
    const twin = byKey.get(key);
    if (twin) {
      const files = twin.patchFile === delta.patchFile ? delta.patchFile : `${twin.patchFile} and ${delta.patchFile}`;
      throw usageError(`unit ${delta.unit} is given twice (${files})`, "give one patch for each unit");
    }
    byKey.set(key, delta);
  }
  return deltas.map((delta) => {
    const isAlone = deltas.filter(({ unit }) => unit === delta.unit).length === 1;
    const name2 = isAlone ? delta.unit : `${import_node_path70.default.basename(import_node_path70.default.dirname(delta.store))}/${delta.unit}`;
    return { ...delta, name: name2 };
  });
}
function commonFormat(deltas) {
  const format = formatOf(deltas[0]?.base ?? "");
  const other = deltas.find(({ base }) => formatOf(base) !== format);
  if (other === void 0) return format;
  throw usageError(
    `${other.patchFile} is of a ${formatOf(other.base)} repository, ${deltas[0]?.patchFile} of a ${format} one`,
    "compare patches of one repository"
  );
}
var import_node_path70;
var init_conflict_matrix = __esm({
  "scripts-src/workspace/merge/conflict-matrix.ts"() {
    "use strict";
    import_node_path70 = __toESM(require("node:path"), 1);
    init_errors();
    init_owns();
    init_apply_order();
    init_merge_pairs();
    init_merge_store();
    init_scratch_objects();
    init_shared_paths();
  }
});

// scripts-src/commands/conflicts-arguments.ts
function parseConflicts(argv2, environment) {
  const flags = readFlags(argv2, {
    values: ["--run", "--unit", "--state-home"],
    switches: ["--json", "--allow-outside"]
  });
  const run2 = lastValue(flags, "--run");
  const home = lastValue(flags, "--state-home");
  if (!flags.help) refuseWrongCall(flags.operands, run2, home, flags.values.get("--unit") ?? []);
  return {
    help: flags.help,
    json: flags.switches.has("--json"),
    allowOutside: flags.switches.has("--allow-outside"),
    patches: flags.operands.map((operand) => import_node_path71.default.resolve(operand)),
    run: run2,
    units: flags.values.get("--unit") ?? [],
    stateHome: home ? import_node_path71.default.resolve(home) : stateHome(environment)
  };
}
function refuseWrongCall(operands, run2, home, units) {
  if (home === "") throw usageError("--state-home is empty", "give a folder");
  if (run2 === void 0 && operands.length === 0) {
    throw usageError("no patch given", "give the path of each PATCH line of prun collect, or --run <name>");
  }
  if (run2 === void 0 && units.length > 0)
    throw usageError("--unit was given without --run", "add --run <name>");
  if (run2 !== void 0 && operands.length > 0) {
    throw usageError("patches and --run were given", "give one of them");
  }
  if (operands.includes("")) throw usageError("a patch has an empty name", "give the path of each patch");
  if (run2 !== void 0 && !/^\w[\w.-]*$/.test(run2)) {
    throw usageError(`--run is ${JSON.stringify(run2.slice(0, 80))}`, "give the name of a run");
  }
}
var import_node_path71, CONFLICTS_HELP;
var init_conflicts_arguments = __esm({
  "scripts-src/commands/conflicts-arguments.ts"() {
    "use strict";
    import_node_path71 = __toESM(require("node:path"), 1);
    init_errors();
    init_read_flags();
    init_state_home();
    CONFLICTS_HELP = `usage: prun conflicts [flags] <patch>...
       prun conflicts [flags] --run NAME [--unit ID]...

Compares collected deltas with one another by real three-way merges of trees. Reads only.

  CONFLICTS units=N pairs=N outside=N           pairs that clash; files outside what their units own
  CONFLICT <unit> <unit> <path> <kind> ...      one line for each pair and file; content: the lines of both
  OUTSIDE <unit> <path>                         a file outside the unit's --owns globs
  ORDER <unit> ...                              all apply cleanly in this order
  NO-ORDER <unit> ... WITHOUT <unit> ...        no order of all was found; the first ones apply cleanly, in this order
  MORE conflicts=N outside=N                    lines that were left out: at most 40 are printed, --json has all

kind: content, add/add, modify/delete, rename/delete, rename/rename, file/directory, mode, binary, symlink, other.
Lines count from 1; 12-11 means that the unit deleted what stood before its line 12. A path with spaces, quotes or
control characters in it stands in double quotes, with C escapes.

flags
  --run NAME         all collected deltas of this run, in place of patches
  --unit ID          with --run: only these units (repeat it)
  --state-home DIR   where runs are kept
  --allow-outside    files outside --owns are printed, and do not count for the exit code
  --json             everything as one JSON object
  --help             this text

exit: 0 nothing clashes and every unit kept to what it owns; 35 otherwise; 2 wrong call, or a patch that prun collect
did not write.
`;
  }
});

// scripts-src/commands/conflicts.ts
var conflicts_exports = {};
__export(conflicts_exports, {
  CONFLICTS_HELP: () => CONFLICTS_HELP,
  conflicts: () => conflicts
});
async function conflicts(argv2) {
  const request = parseConflicts(argv2, process.env);
  if (request.help) {
    process.stdout.write(CONFLICTS_HELP);
    return EXIT.ok;
  }
  const patches = patchesOf2(request);
  const deltas = await loadDeltas(patches);
  await refuseChangedPatches(patches);
  const notes = [...missing3(request), ...deltaNotes(patches)];
  for (const note2 of notes) process.stderr.write(`prun conflicts: note: ${note2}
`);
  const matrix = await conflictMatrix(deltas);
  const text2 = request.json ? `${JSON.stringify(conflictJson(matrix), null, 2)}
` : conflictLinesOf(matrix).map((line) => `${line}
`).join("");
  process.stdout.write(text2);
  const isOutside = matrix.outside.length > 0 && !request.allowOutside;
  const isAll = matrix.order.leftOut.length === 0;
  return matrix.pairs.length === 0 && isAll && !isOutside ? EXIT.ok : EXIT.conflict;
}
function patchesOf2({ run: run2, units, patches, stateHome: stateHome2 }) {
  return run2 === void 0 ? distinct(patches) : collectedPatches(stateHome2, run2, units);
}
function missing3({ run: run2, units, stateHome: stateHome2 }) {
  return run2 === void 0 || units.length > 0 ? [] : uncollectedNotes(uncollectedUnits(stateHome2, run2));
}
function distinct(patches) {
  const seen = /* @__PURE__ */ new Set();
  for (const file of patches) {
    const real = (0, import_node_fs78.existsSync)(file) ? (0, import_node_fs78.realpathSync)(file) : file;
    if (seen.has(real)) throw usageError(`patch ${file} is given twice`, "give each patch once");
    seen.add(real);
  }
  return [...patches];
}
var import_node_fs78;
var init_conflicts = __esm({
  "scripts-src/commands/conflicts.ts"() {
    "use strict";
    import_node_fs78 = require("node:fs");
    init_errors();
    init_conflict_table();
    init_load_delta();
    init_verify_patch();
    init_conflict_matrix();
    init_collected_patches();
    init_conflicts_arguments();
    init_delta_notes();
    init_conflicts_arguments();
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
    noPaint = (_, text2) => text2;
    ansiPaint = (tone, text2) => tone === "plain" || text2 === "" ? text2 : `\x1B[${CODES[tone]}m${text2}\x1B[0m`;
  }
});

// scripts-src/executor/readable-line.ts
function withoutEscapes(text2) {
  return text2.includes("\x1B") ? text2.replace(ESCAPE_SEQUENCES, "") : text2;
}
function readableLine(text2, max = 200) {
  const plain2 = withoutEscapes(text2.slice(0, LOOK_AT)).replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  if (plain2.length <= max && text2.length <= LOOK_AT) return plain2;
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

// scripts-src/platform/resolve-program.ts
function resolveProgram(name2, cwd, environment, platform = process.platform) {
  const endings = platform === "win32" ? ["", ...(environment.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const isPath = name2.includes("/") || platform === "win32" && name2.includes("\\");
  const folders = isPath ? [cwd] : (environment.PATH ?? environment.Path ?? "").split(import_node_path72.default.delimiter).map((folder) => folder || cwd);
  let found = { kind: "missing", tried: isPath ? import_node_path72.default.resolve(cwd, name2) : name2 };
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = import_node_path72.default.resolve(folder, name2 + ending);
      const state = executableState(candidate);
      if (state === "yes") return { kind: "found", path: candidate };
      if (state === "no" && found.kind === "missing") found = { kind: "not-executable", path: candidate };
    }
  }
  return found;
}
function executableState(file) {
  try {
    const stat = (0, import_node_fs79.statSync)(file, { throwIfNoEntry: false });
    if (!stat) return "absent";
    if (!stat.isFile()) return "no";
  } catch {
    return "absent";
  }
  try {
    (0, import_node_fs79.accessSync)(file, import_node_fs79.constants.X_OK);
    return "yes";
  } catch {
    return "no";
  }
}
var import_node_fs79, import_node_path72;
var init_resolve_program = __esm({
  "scripts-src/platform/resolve-program.ts"() {
    "use strict";
    import_node_fs79 = require("node:fs");
    import_node_path72 = __toESM(require("node:path"), 1);
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
  const said = run2.error?.message ?? lastLine2(`${run2.stdout}${run2.stderr}`);
  throw new PrunError(
    "E_NOT_SIGNED_IN",
    `codex is not signed in (${said || `exit ${run2.status ?? run2.signal}`})`,
    "run codex login and try again; the demo without --codex needs no account"
  );
}
function lastLine2(text2) {
  return readableLine(text2.trim().split("\n").at(-1) ?? "");
}
function loginStatus(file, environment) {
  const options = { env: environment, encoding: "utf8", timeout: LIMIT_MS, windowsHide: true };
  return process.platform === "win32" && /\.(cmd|bat)$/i.test(file) ? (0, import_node_child_process6.spawnSync)(`"${file}" login status`, { ...options, shell: true, stdio: ["ignore", "pipe", "pipe"] }) : (0, import_node_child_process6.spawnSync)(file, ["login", "status"], { ...options, stdio: ["ignore", "pipe", "pipe"] });
}
var import_node_child_process6, LIMIT_MS;
var init_codex_login = __esm({
  "scripts-src/commands/codex-login.ts"() {
    "use strict";
    import_node_child_process6 = require("node:child_process");
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

// scripts-src/commands/demo-git.ts
function plainGitEnvironment(home, environment) {
  const config2 = import_node_path73.default.join(home, "gitconfig");
  (0, import_node_fs80.writeFileSync)(config2, "", { mode: PRIVATE_FILE });
  const own2 = Object.fromEntries(Object.entries(environment).filter(([name2]) => !/^GIT_/i.test(name2)));
  return { ...own2, GIT_CONFIG_GLOBAL: config2, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
}
function createGit(home, environment) {
  const base = { ...plainGitEnvironment(home, environment), HOME: home, XDG_CONFIG_HOME: home, LC_ALL: "C" };
  return (folder, argv2, more = {}) => {
    const run2 = (0, import_node_child_process7.spawnSync)("git", [...IDENTITY, ...argv2], {
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
  for (const [name2, text2] of Object.entries(files)) {
    const file = import_node_path73.default.join(folder, name2);
    (0, import_node_fs80.mkdirSync)(import_node_path73.default.dirname(file), { recursive: true });
    (0, import_node_fs80.writeFileSync)(file, text2);
  }
  git(folder, ["init", "--quiet", "--template="]);
  git(folder, ["add", "-A"]);
  git(folder, ["commit", "--quiet", "--no-verify", "-m", "A small project"]);
  return git(folder, ["rev-parse", "HEAD"]).toString("utf8").trim();
}
function makeClone(git, project, clone3) {
  git(import_node_path73.default.dirname(clone3), ["clone", "--quiet", "--no-hardlinks", "--template=", project, clone3]);
  git(clone3, ["remote", "remove", "origin"]);
}
function collectDelta2(git, clone3, base, scratch) {
  const objects = import_node_path73.default.join(scratch, "objects");
  (0, import_node_fs80.mkdirSync)(objects, { recursive: true });
  const aside = {
    GIT_INDEX_FILE: import_node_path73.default.join(scratch, "index"),
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: import_node_path73.default.join(clone3, ".git", "objects")
  };
  git(clone3, ["read-tree", base], aside);
  git(clone3, ["add", "-A"], aside);
  const diff = [
    "diff",
    "--cached",
    "--binary",
    "--full-index",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv"
  ];
  return git(clone3, [...diff, base], aside);
}
function appliesTo(git, project, patchFile) {
  try {
    git(project, ["apply", "--check", "--whitespace=nowarn", patchFile]);
    return true;
  } catch {
    return false;
  }
}
var import_node_child_process7, import_node_fs80, import_node_path73, MAX_OUTPUT, IDENTITY;
var init_demo_git = __esm({
  "scripts-src/commands/demo-git.ts"() {
    "use strict";
    import_node_child_process7 = require("node:child_process");
    import_node_fs80 = require("node:fs");
    import_node_path73 = __toESM(require("node:path"), 1);
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
  (0, import_node_fs81.writeFileSync)(place.promptFile(unit.id), unit.prompt, { mode: PRIVATE_FILE });
  const errors = import_node_path74.default.join(place.folder, `${unit.id}.err`);
  const stderr = (0, import_node_fs81.openSync)(errors, "wx", PRIVATE_FILE);
  const child = (0, import_node_child_process8.spawn)(place.node, [setup.script, ...flagsOf(setup, unit)], {
    cwd: place.folder,
    env: setup.environment,
    // A terminal's Ctrl-C reaches the demo alone, which then asks each dispatcher once. (On Windows a new console.)
    detached: process.platform !== "win32",
    windowsHide: true,
    stdio: ["ignore", "pipe", stderr]
  });
  (0, import_node_fs81.closeSync)(stderr);
  const said = collectStdout(child);
  let exitCode;
  const ended = new Promise((resolve2) => {
    child.once("close", (code, signal) => {
      exitCode = code ?? 128 + (import_node_os10.default.constants.signals[signal ?? "SIGHUP"] ?? 0);
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
  let text2 = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk) => {
    text2 += chunk;
  });
  return () => text2;
}
function demoEnvironment(place, environment, isReal) {
  const bending = isReal ? /^PRUN_|^GIT_/i : /^PRUN_|^CODEX_DISPATCH_|^GIT_/i;
  const rest = Object.fromEntries(Object.entries(environment).filter(([name2]) => !bending.test(name2)));
  const own2 = isReal ? rest : plainGitEnvironment(place.temp, rest);
  return { ...own2, TMPDIR: place.temp, TEMP: place.temp, TMP: place.temp, PRUN_STATE_HOME: place.temp };
}
var import_node_child_process8, import_node_fs81, import_node_os10, import_node_path74;
var init_demo_dispatch = __esm({
  "scripts-src/commands/demo-dispatch.ts"() {
    "use strict";
    import_node_child_process8 = require("node:child_process");
    import_node_fs81 = require("node:fs");
    import_node_os10 = __toESM(require("node:os"), 1);
    import_node_path74 = __toESM(require("node:path"), 1);
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
function tomlString(text2) {
  return JSON.stringify(text2).replaceAll("", "\\u007f");
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
  for (const [name2, value] of Object.entries(request.told ?? {})) {
    list.push(`shell_environment_policy.set.${name2}=${tomlString(value)}`);
  }
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
  if (request.sandbox === "workspace-write") argv2.push("--add-dir", (0, import_node_path75.dirname)(request.resultFile));
  argv2.push("-");
  const environment = scrubEnvironment(request.environment, request.passEnv, {
    ...request.told,
    PRUN_UNIT: request.marker,
    RUST_LOG: traceFilter(readVariable(request.environment, "RUST_LOG"))
  });
  return { argv: argv2, environment, stderr: "own" };
}
var import_node_path75;
var init_codex_command = __esm({
  "scripts-src/executor/codex-command.ts"() {
    "use strict";
    import_node_path75 = require("node:path");
    init_codex_trace();
    init_scrub_environment();
  }
});

// scripts-src/executor/codex-failure.ts
function knownFailure(text2) {
  const plain2 = text2.slice(0, 4e3).replace(/[\u2018\u2019]/g, "'").replace(/\bhttps?:\/\/\S+/g, "").toLowerCase();
  return REASONS.find(([, pattern]) => pattern.test(plain2))?.[0];
}
function failureReason(message) {
  return knownFailure(message) ?? "model-error";
}
function messageInBody(text2) {
  if (!text2.startsWith("{")) return void 0;
  try {
    const body = JSON.parse(text2);
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
function workerEvent(kind, progress, text2 = "") {
  const line = readableLine(text2);
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
function changedFiles3(item2) {
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
      return workerEvent("file-change", true, phase === "completed" ? changedFiles3(item2) : "");
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
function count2(fields, name2) {
  const value = fields[name2];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
function tokenUse(usage) {
  return {
    input: count2(usage, "input_tokens"),
    cachedInput: count2(usage, "cached_input_tokens"),
    output: count2(usage, "output_tokens"),
    reasoningOutput: count2(usage, "reasoning_output_tokens")
  };
}
function onItem(state, phase, item2) {
  const event = itemEvent(phase, item2);
  state.structured = true;
  if (event.progress) delete state.lastError;
  const id = textField(item2, "id") ?? "";
  if (event.kind === "command-started") state.open.add(id);
  if (event.kind === "command-ended") state.open.delete(id);
  const text2 = textField(item2, "text");
  if (event.kind === "message" && phase === "completed" && text2 !== void 0) state.lastMessage = text2;
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
  const { open: open2, lastError, ...known2 } = state;
  const facts = { ...known2, openCommands: open2.size };
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
    const directory = (0, import_node_fs82.opendirSync)(folder);
    try {
      for (let count3 = 0; count3 < MOST_ENTRIES; count3++) {
        const entry = directory.readSync();
        if (entry === null) return void 0;
        if (entry.name.startsWith("rollout-") && entry.name.endsWith(suffix)) return (0, import_node_path76.join)(folder, entry.name);
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
  const home = readVariable(environment, "CODEX_HOME") || (0, import_node_path76.join)(userHome(environment), ".codex");
  for (const offset of DAYS) {
    const start = new Date(startedAtEpochMs);
    const date2 = new Date(start.getFullYear(), start.getMonth(), start.getDate() + offset);
    const parts = [date2.getFullYear(), date2.getMonth() + 1, date2.getDate()];
    const folder = (0, import_node_path76.resolve)(home, "sessions", ...parts.map((part) => String(part).padStart(2, "0")));
    const found = findEntry(folder, `-${sessionId}.jsonl`);
    if (found !== void 0) return found;
  }
  return void 0;
}
function userHome(environment) {
  return environment.HOME || environment.USERPROFILE || (0, import_node_os11.homedir)();
}
var import_node_fs82, import_node_os11, import_node_path76, MOST_ENTRIES, DAYS;
var init_codex_session_log = __esm({
  "scripts-src/executor/codex-session-log.ts"() {
    "use strict";
    import_node_fs82 = require("node:fs");
    import_node_os11 = require("node:os");
    import_node_path76 = require("node:path");
    init_scrub_environment();
    MOST_ENTRIES = 2e4;
    DAYS = [0, -1, 1];
  }
});

// scripts-src/executor/retry-notice.ts
function isRetryNotice(line) {
  if (line.length > 400) return false;
  const plain2 = withoutEscapes(line).trim();
  if (plain2 === "" || GOOD_NEWS.test(plain2)) return false;
  return ATTEMPT.test(plain2) || NOTICES.some((notice) => notice.test(plain2));
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
      answersOnStdout: false,
      command: codexCommand,
      events: codexEventReader,
      classifyStderr,
      isRetryNotice,
      sessionLog: codexSessionLog,
      isOwnProcess: (command2) => OWN_PROCESS.test(command2)
    };
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

// scripts-src/supervise/tripwire-text.ts
function tripwireText({ changes, more, since, seenAt }) {
  const shown2 = changes.slice(0, SHOWN2).map(changeLine).join(", ");
  const left = changes.length + more - Math.min(changes.length, SHOWN2);
  const rest = left > 0 ? `, and ${left} more` : "";
  return `the user's repository changed between ${since} and ${seenAt}: ${shown2}${rest}`;
}
var SHOWN2;
var init_tripwire_text = __esm({
  "scripts-src/supervise/tripwire-text.ts"() {
    "use strict";
    init_repository_change();
    SHOWN2 = 3;
  }
});

// scripts-src/render/digest.ts
function digestLines(entries, width = Number.POSITIVE_INFINITY, paint = (_, text2) => text2) {
  const urgent = [...entries].sort((a, b) => weightOf(a) - weightOf(b));
  const shown2 = entries.length > MAX_UNITS2 ? urgent.slice(0, MAX_UNITS2) : entries;
  const lines2 = shown2.flatMap((entry) => entryLines(entry, width, paint));
  const left = entries.length - shown2.length;
  return left > 0 ? [...lines2, `${countOf(left, "more unit")}: see the ledger`] : lines2;
}
function weightOf({ outcome }) {
  return outcome.status === "succeeded" ? 1 : 0;
}
function entryLines(entry, width, paint) {
  const { outcome } = entry;
  const head = `${outcome.unit}: ${outcome.status} (${outcome.reason}) after ${durationText(outcome.durationMs)}: ${oneLine2(entry.conclusion ?? withoutDates(outcome.detail))}`;
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
  parts.push(...workspaceTexts(outcome));
  if (outcome.reaped.length > 0) parts.push(`reaped ${processNames(outcome.reaped)}`);
  if (outcome.survivors.length > 0) parts.push(`STILL ALIVE: ${processNames(outcome.survivors)}`);
  const evidence = evidenceAge(outcome);
  if (evidence) parts.push(evidence);
  if (outcome.tokens) parts.push(`${outcome.tokens.input} tokens in, ${outcome.tokens.output} out`);
  const { delta } = outcome;
  const mode = delta?.state === "collected" ? isEmpty(delta) ? "scratch" : "clone" : entry.mode;
  parts.push(`next: ${nextStep(outcome, mode)}`);
  return parts.join("; ");
}
function workspaceTexts({ delta, claims, tripwire: tripwire2, reason }) {
  const texts2 = [];
  if (delta?.state === "collected") texts2.push(deltaText(delta));
  else if (delta) texts2.push(`delta ${delta.state}: ${brief(delta.detail)}: ${oneLine2(delta.next)}`);
  if (delta?.state === "collected" && delta.lost.length > 0) {
    texts2.push(`NOT IN THE DELTA: ${someOf(delta.lost)}`);
  }
  if (claims && reason !== "claim-mismatch") {
    if (claims.claimed.length > 0) texts2.push(`claimed, not in the delta: ${someOf(claims.claimed)}`);
    if (claims.unclaimed.length > 0) texts2.push(`not claimed: ${someOf(claims.unclaimed)}`);
  }
  if (claims && claims.ignored.length > 0) {
    texts2.push(`claimed, at ignored paths: ${someOf(claims.ignored)}`);
  }
  if (tripwire2 && tripwire2.changes.length > 0) texts2.push(oneLine2(tripwireText(tripwire2)));
  if (tripwire2 && tripwire2.unread.length > 0) {
    texts2.push(`not compared in the user's repository: ${someOf(tripwire2.unread)}`);
  }
  return texts2;
}
function deltaText(delta) {
  if (isEmpty(delta)) return "empty delta";
  const figures = `delta of ${countOf(delta.files, "file")} (${delta.added} added, ${delta.modified} modified, ${delta.deleted} deleted)`;
  const more = [
    delta.moves > 0 ? `${countOf(delta.moves, "submodule")} moved` : "",
    delta.commits > 0 ? `${countOf(delta.commits, "commit")} that it should not have made` : "",
    delta.outside > 0 ? `${countOf(delta.outside, "file")} outside what it owns` : "",
    delta.problems > 0 ? countOf(delta.problems, "problem") : ""
  ];
  return [figures, ...more.filter(Boolean)].join(", ");
}
function isEmpty(delta) {
  return delta.files === 0 && delta.moves === 0;
}
function someOf(paths) {
  const shown2 = brief(paths.slice(0, 3).join(", "));
  return paths.length > 3 ? `${shown2} and ${paths.length - 3} more` : shown2;
}
function resultText({ outcome, resultPath }) {
  const { result } = outcome;
  if (!result) return `no result: ${oneLine2(outcome.resultError ?? "none was written")}`;
  const path79 = resultPath ?? result.path;
  if (result.origin === "worker") return `result ${path79} (${result.bytes} bytes)`;
  const source = result.origin === "last-message" ? "its last message" : "the end of its output";
  return `FALLBACK ${path79} (${source})`;
}
function processNames(processes) {
  const counts = /* @__PURE__ */ new Map();
  for (const { command: command2 } of processes) counts.set(command2, (counts.get(command2) ?? 0) + 1);
  const names = [...counts].slice(0, 5).map(([name2, count3]) => oneLine2(`${count3} ${name2}`));
  return counts.size > names.length ? `${names.join(", ")} and others` : names.join(", ");
}
function evidenceAge({ lastEvidence, detail }) {
  if (!lastEvidence || detail.includes("last evidence")) return void 0;
  return `last evidence: ${withoutDates(evidenceText(lastEvidence))}`;
}
function withoutDates(text2) {
  return text2.replace(/ at \d{4}-\d\d-\d\dT[\d:.]+Z/g, "");
}
function nextStep(outcome, mode) {
  if (outcome.status !== "succeeded") return NEXT[outcome.reason] ?? "read outcome.json and the tail";
  return mode === "scratch" ? "read the result" : "read every hunk, then apply the patch";
}
function oneLine2(text2, limit = MAX_TEXT) {
  const line = text2.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
function brief(text2) {
  return oneLine2(text2, BRIEF_TEXT);
}
var MAX_UNITS2, MAX_TEXT, INDENT, BRIEF_TEXT, NEXT;
var init_digest = __esm({
  "scripts-src/render/digest.ts"() {
    "use strict";
    init_evidence_text();
    init_tripwire_text();
    init_cells();
    init_figures();
    MAX_UNITS2 = 40;
    MAX_TEXT = 300;
    INDENT = "    ";
    BRIEF_TEXT = 160;
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
      disk: "make room on the disk, then dispatch again",
      "nothing-done": "read its result, then dispatch again with a clearer prompt",
      "claim-mismatch": "read the delta and the ignored files for what is claimed, then dispatch again with the finding"
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
    draw(lines2, columns) {
      const rows = rowsDrawn(columns);
      const up = rows > 0 ? `\x1B[${rows}A\r` : "";
      const picture = lines2.map((line) => `${line}\x1B[K
`).join("");
      write(`${isOpen ? "" : "\x1B[?25l"}${up}${picture}\x1B[J`);
      drawn = lines2.map((line) => cellsOf(line.replace(ESCAPES, "")));
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
    const text2 = line?.toString("utf8") ?? "";
    onLine2(text2.endsWith("\r") ? text2.slice(0, -1) : text2);
  }
  function feed(chunk) {
    let from = 0;
    for (let at2 = chunk.indexOf(10); at2 >= 0; at2 = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, at2));
      deliver();
      from = at2 + 1;
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
      size = (0, import_node_fs83.fstatSync)(fd).size;
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
      if (fd !== void 0) (0, import_node_fs83.closeSync)(fd);
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
var import_node_fs83, MAX_LINE_BYTES, CHUNK_BYTES, FLOOD_BYTES, AFTER_FLOOD_BYTES;
var init_line_follower = __esm({
  "scripts-src/supervise/line-follower.ts"() {
    "use strict";
    import_node_fs83 = require("node:fs");
    init_files();
    MAX_LINE_BYTES = 4 * 1024 * 1024;
    CHUNK_BYTES = 256 * 1024;
    FLOOD_BYTES = 32 * 1024 * 1024;
    AFTER_FLOOD_BYTES = 4 * 1024 * 1024;
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
    const record2 = readProgress(stateDir);
    if (!record2 && movedMs === void 0) return void 0;
    const now = monotonicMs();
    return record2 && record2.monotonicMs >= (movedMs ?? 0) ? { kind: record2.kind, quietMs: Math.max(0, now - record2.monotonicMs) } : { kind: "event", quietMs: Math.max(0, now - (movedMs ?? now)) };
  }
  function phase() {
    if (outcome) return "ended";
    return (0, import_node_fs84.existsSync)(stateFile(stateDir, "reapReason")) ? "reaping" : "running";
  }
  return {
    look() {
      outcome ??= readOutcome(stateDir);
      const file = stateFile(stateDir, "tail");
      if (!tail && (0, import_node_fs84.existsSync)(file)) tail = followLines(file, onLine2);
      tail?.advance();
      return { phase: phase(), says, evidence: evidence(), outcome };
    },
    close() {
      tail?.close();
      tail = void 0;
    }
  };
}
var import_node_fs84;
var init_unit_view = __esm({
  "scripts-src/commands/unit-view.ts"() {
    "use strict";
    import_node_fs84 = require("node:fs");
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
  function lookAt4(unit) {
    const { dispatch } = unit;
    if (unit.isFinal) return;
    unit.isFinal = dispatch.exitCode() !== void 0;
    const dir = dispatch.stateDir();
    if (dir) unit.watch ??= watchStateDir(dir, codex);
    unit.view = unit.watch?.look();
    unit.row = rowOf2(unit, performance.now() - dispatch.startedMs);
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
      for (const unit of units) lookAt4(unit);
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
function rowOf2({ dispatch, view, isFinal }, elapsedMs) {
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
    now: `${outcome.reason}${endNote2(outcome)}`
  };
}
function endNote2({ reaped, result, exitCode, reason, survivors }) {
  const notes = [];
  if (reason === "exit" && exitCode !== null) notes.push(`code ${exitCode}`);
  if (reaped.length > 0) notes.push(`${countOf(reaped.length, "process", "processes")} reaped`);
  if (survivors.length > 0) notes.push(`${survivors.length} STILL ALIVE`);
  if (result?.origin === "worker") notes.push("result written");
  if (result?.origin === "last-message") notes.push("last message saved");
  if (result?.origin === "tail") notes.push("output saved");
  if (!result) notes.push("no result");
  return notes.map((note2) => `, ${note2}`).join("");
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
  const home = import_node_os12.default.tmpdir();
  try {
    return (0, import_node_fs85.realpathSync)((0, import_node_fs85.mkdtempSync)(import_node_path77.default.join(home, "prun-demo-")));
  } catch (error) {
    throw usageError(
      `the temp folder ${home} cannot be used (${messageOf(error)})`,
      "set TMPDIR to a writable folder"
    );
  }
}
function fillDemoFolder(folder, environment) {
  const at2 = (name2) => import_node_path77.default.join(folder, name2);
  for (const name2 of ["agent-io", "state", "tmp", "project"]) (0, import_node_fs85.mkdirSync)(at2(name2), { mode: PRIVATE_DIR });
  const git = createGit(at2("tmp"), environment);
  const base = makeRepository(git, at2("project"), PROJECT);
  makeClone(git, at2("project"), at2("clone"));
  (0, import_node_fs85.writeFileSync)(at2("never-ends.cjs"), NEVER_ENDS, { mode: PRIVATE_FILE });
  return {
    folder,
    io: at2("agent-io"),
    stateHome: at2("state"),
    temp: at2("tmp"),
    project: at2("project"),
    clone: at2("clone"),
    base,
    neverEnds: at2("never-ends.cjs"),
    node: process.execPath,
    git,
    promptFile: (unit) => import_node_path77.default.join(folder, "agent-io", `p-${unit}.md`),
    resultFile: (unit) => import_node_path77.default.join(folder, "agent-io", `r-${unit}.md`)
  };
}
function writeEmbeddedWorker(folder, script) {
  const isWindows = process.platform === "win32";
  const file = import_node_path77.default.join(folder, isWindows ? "codex.cmd" : "codex");
  const text2 = isWindows ? `@"${process.execPath}" "${script}" demo-worker %*\r
` : `#!/bin/sh
# Plays codex in prun's demo.
exec ${shellWord(process.execPath)} ${shellWord(script)} demo-worker "$@"
`;
  (0, import_node_fs85.writeFileSync)(file, text2, { mode: 448 });
  try {
    (0, import_node_fs85.accessSync)(file, import_node_fs85.constants.X_OK);
  } catch {
    throw usageError(
      `no program may run in ${folder}`,
      "set TMPDIR to a folder on a disk that is not mounted noexec"
    );
  }
  return file;
}
function shellWord(text2) {
  return `'${text2.replaceAll("'", "'\\''")}'`;
}
var import_node_fs85, import_node_os12, import_node_path77, PROJECT, NEVER_ENDS;
var init_demo_place = __esm({
  "scripts-src/commands/demo-place.ts"() {
    "use strict";
    import_node_fs85 = require("node:fs");
    import_node_os12 = __toESM(require("node:os"), 1);
    import_node_path77 = __toESM(require("node:path"), 1);
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
function ledgerLines(rows, width = Number.POSITIVE_INFINITY, paint = (_, text2) => text2) {
  const clean = rows.map(cleanRow);
  const columns = columnsFor(clean, width);
  const widths = shrink(
    columns.map((column) => cellsNeeded(clean, column)),
    width - GAP.length * (columns.length - 1)
  );
  const line = (texts2) => texts2.map((text2, i) => padCells(text2, widths[i] ?? 0)).join(GAP);
  return [
    paint("faint", line(columns.map((column) => TITLES[column])).trimEnd()),
    ...clean.map((row) => {
      const texts2 = columns.map((column, i) => {
        const cell = padCells(row[column], widths[i] ?? 0);
        return column === "status" ? paint(row.tone, cell) : cell;
      });
      return texts2.join(GAP).trimEnd();
    })
  ];
}
function ledgerMarkdown(rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [
    line(COLUMNS2.map((column) => TITLES[column])),
    line(COLUMNS2.map(() => "---")),
    ...rows.map(cleanRow).map((row) => line(COLUMNS2.map((column) => row[column].replace(/([\\|])/g, "\\$1"))))
  ];
}
function cleanRow(row) {
  const clean = { ...row };
  for (const column of COLUMNS2) clean[column] = row[column].replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return clean;
}
function cellsNeeded(rows, column) {
  return Math.max(cellsOf(TITLES[column]), ...rows.map((row) => cellsOf(row[column])));
}
function columnsFor(rows, width) {
  let columns = COLUMNS2;
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
var TITLES, COLUMNS2, DISPENSABLE, GAP, LEAST_CELLS;
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
    COLUMNS2 = Object.keys(TITLES);
    DISPENSABLE = ["executor", "mode", "duration"];
    GAP = "  ";
    LEAST_CELLS = 4;
  }
});

// scripts-src/render/patch.ts
function patchLines(patch, width, paint, maxLines = MAX_LINES) {
  const all = patch.split("\n");
  if (all.at(-1) === "") all.pop();
  const shown2 = all.slice(0, maxLines).map((line) => {
    const text2 = line.replaceAll("	", "    ").replace(new RegExp("\\p{Cc}", "gu"), "?");
    return paint(toneOf(line), fitCells(text2, width));
  });
  const left = all.length - shown2.length;
  return left > 0 ? [...shown2, paint("faint", `… ${countOf(left, "more line")}`)] : shown2;
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

// scripts-src/commands/proof.ts
async function findLeftovers(stateDirs) {
  const host = await currentHost();
  const until = performance.now() + PATIENCE_MS2;
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
  const record2 = readUnitRecord(stateDir);
  if (!record2) return void 0;
  const family = createFamily(record2.marker, record2.rssMark, record2.since);
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
  const named2 = left.slice(0, 10).map(({ pid, command: command2 }) => `${pid} (${command2})`);
  return `${left.length} LEFT of ${units} units: ${named2.join(", ")}${left.length > named2.length ? " and others" : ""}`;
}
var PATIENCE_MS2, AGAIN_MS;
var init_proof = __esm({
  "scripts-src/commands/proof.ts"() {
    "use strict";
    init_files();
    init_family();
    init_host();
    init_identity();
    init_read_records();
    init_state_dir();
    PATIENCE_MS2 = 3e3;
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
function makePatch({ git, clone: clone3, project, base, temp, io }) {
  const file = import_node_path78.default.join(io, "change.patch");
  const bytes = collectDelta2(git, clone3, base, import_node_path78.default.join(temp, "delta"));
  (0, import_node_fs86.writeFileSync)(file, bytes, { mode: PRIVATE_FILE });
  return { file, text: bytes.toString("utf8"), applies: bytes.length > 0 && appliesTo(git, project, file) };
}
function writeLedger(place, units) {
  const head = ["# Ledger of prun demo", "", `Project: ${place.project}`, `Base commit: ${place.base}`, ""];
  const lines2 = [...head, ...ledgerMarkdown(ledgerRows(place, units))];
  (0, import_node_fs86.writeFileSync)(import_node_path78.default.join(place.io, "ledger.md"), `${lines2.join("\n")}
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
    result: outcome?.result ? shownPath2(place, outcome.result.path) : "none",
    tone: toneOfStatus(outcome?.status ?? "failed")
  }));
}
function shownPath2(place, file) {
  return import_node_path78.default.relative(place.folder, file).split(import_node_path78.default.sep).join("/");
}
function differencesOf(units, patch, leftovers) {
  const differences2 = units.map(differenceOf).filter((text2) => text2 !== void 0);
  if (patch.text === "") differences2.push("change: its clone holds no change");
  else if (!patch.applies) differences2.push("change: its patch does not apply to the base");
  if (leftovers.units < units.length) differences2.push(`only ${leftovers.units} units could be looked for`);
  if (leftovers.left.length > 0)
    differences2.push(`${countOf(leftovers.left.length, "process was", "processes were")} left`);
  return differences2;
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
  const { place, units, patch, leftovers, differences: differences2 } = report;
  const entries = units.map((unit) => digestEntry(place, unit)).filter((entry) => entry !== void 0);
  const painted = (tone, text2) => wrapCells(text2, width, "  ").map((line) => paint(tone, line));
  const title = (text2) => ["", ...painted("strong", text2)];
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
    ...painted(differences2.length === 0 ? "good" : "bad", verdictLine(report)),
    ...differences2.flatMap((text2) => painted("bad", `- ${text2}`))
  ];
}
function digestEntry(place, { unit, outcome, conclusion }) {
  if (!outcome) return void 0;
  return {
    outcome,
    mode: unit.mode,
    ...conclusion === void 0 ? {} : { conclusion },
    ...outcome.result ? { resultPath: shownPath2(place, outcome.result.path) } : {}
  };
}
function verdictLine({ units, differences: differences2, durationMs }) {
  const time2 = durationText(durationMs);
  if (differences2.length > 0) return `not as it was meant to be, after ${time2}:`;
  return `all ${units.length} units ended as they were meant to in ${time2}: ${countsOf(units)}`;
}
function countsOf(units) {
  const counts = /* @__PURE__ */ new Map();
  for (const { outcome } of units) {
    const end = endOf2(outcome?.reason ?? "");
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  return [...counts].map(([end, count3]) => `${count3} ${end}`).join(", ");
}
function endOf2(reason) {
  if (reason === "ok") return "succeeded";
  if (reason === "no-result") return "forgot its result";
  if (reason === "idle-stall" || reason === "hard-timeout") return "reaped";
  return reason === "exit" ? "crashed" : "failed by itself";
}
function reportJson(report, kept) {
  const { place, units, patch, leftovers, differences: differences2, durationMs } = report;
  return JSON.stringify({
    schema: SCHEMA,
    ok: differences2.length === 0,
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
    differences: differences2
  });
}
function summaryOf(outcome) {
  if (!outcome) return { status: null, reason: null };
  const { executor, status, reason, detail, exitCode, signal, result, tokens, sessionId } = outcome;
  const { durationMs, lastEvidence, reaped, survivors, stateDir } = outcome;
  const end = { status, reason, detail, exitCode, signal, result, tokens, sessionId };
  return { executor, ...end, durationMs, lastEvidence, reaped, survivors, stateDir };
}
var import_node_fs86, import_node_path78;
var init_demo_report = __esm({
  "scripts-src/commands/demo-report.ts"() {
    "use strict";
    import_node_fs86 = require("node:fs");
    import_node_path78 = __toESM(require("node:path"), 1);
    init_readable_line();
    init_files();
    init_cells();
    init_digest();
    init_figures();
    init_ledger_table();
    init_patch();
    init_read_records();
    init_records2();
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
  const dispatchScript = import_node_path79.default.join(import_node_path79.default.dirname(script), "dispatch-task.cjs");
  if (!(0, import_node_fs87.existsSync)(dispatchScript)) {
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
    if (options.json) print3(reportJson(report, keep));
    else
      print3(
        [
          ...reportLines(report, output.columns(), output.paint),
          ...wrapCells(farewell(place, keep), output.columns())
        ].join("\n")
      );
    return report.differences.length === 0 ? EXIT.ok : 1;
  } finally {
    if (!keep) (0, import_node_fs87.rmSync)(folder, { recursive: true, force: true, maxRetries: 5 });
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
  return name2 && /[\\/]/.test(name2) ? import_node_path79.default.resolve(name2) : name2 || void 0;
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
    write: (text2) => {
      if (!interruption.signal()) stdout.write(text2);
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
      await Promise.race([interruption.arrived, sleep(LOOK_MS2)]);
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
  return 128 + (import_node_os13.default.constants.signals[signal] ?? 0);
}
function stateDirsOf({ stateHome: stateHome2 }) {
  return (0, import_node_fs87.readdirSync)(stateHome2).map((name2) => import_node_path79.default.join(stateHome2, name2));
}
function farewell(place, keep) {
  return keep ? `kept: ${place.folder}` : "nothing is kept; prun demo --keep keeps the folder";
}
function print3(text2) {
  process.stdout.write(`${text2}
`);
}
function sleep(ms) {
  return new Promise((resolve2) => setTimeout(resolve2, ms));
}
var import_node_fs87, import_node_os13, import_node_path79, LOOK_MS2, STOP_MS, LEAST_ROWS;
var init_demo = __esm({
  "scripts-src/commands/demo.ts"() {
    "use strict";
    import_node_fs87 = require("node:fs");
    import_node_os13 = __toESM(require("node:os"), 1);
    import_node_path79 = __toESM(require("node:path"), 1);
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
    LOOK_MS2 = 100;
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
  const prompt = (0, import_node_fs88.readFileSync)(0, "utf8");
  const worker = {
    project: lineOf2(prompt, "Project"),
    resultFile: lineOf2(prompt, "Result file"),
    command: /^"(.+)" "(.+)"$/m.exec(prompt)?.slice(1, 3),
    lastMessageFile: argv2[argv2.indexOf("-o") + 1],
    items: 0
  };
  const play = PARTS[lineOf2(prompt, "Unit")];
  if (!play) throw new Error("this worker only knows the units of prun demo");
  emit({ type: "thread.started", thread_id: uuid2() });
  emit({ type: "turn.started" });
  await pause2(200);
  await play(worker);
  emit({ type: "turn.completed" });
  return 0;
}
async function answer(worker) {
  await say(worker, "I look at what the project exports and at what its tests name.", 900);
  const exported = await run(worker, "git", ["grep", "-hoE", "export function [a-z]+", "--", "src"]);
  await pause2(900);
  const names = [...exported.output.matchAll(/export function (\w+)/g)].map((match) => match[1] ?? "");
  const patterns = names.flatMap((name2) => ["-e", name2]);
  const tests = await run(worker, "git", ["grep", "-how", ...patterns, "--", "test"]);
  await pause2(900);
  const untested = names.filter((name2) => !new RegExp(`\\b${name2}\\b`).test(tests.output));
  const conclusion = `${untested.length} of ${names.length} exported functions has no test: ${untested.join(", ")}`;
  writeResult(worker, "answer", conclusion, "none (read-only)", "git grep over src and test");
  await say(worker, `${conclusion}.`, 400);
}
async function change(worker) {
  await say(worker, "First I see the test fail.", 700);
  await run(worker, "node", ["test/titles.test.mjs"]);
  await pause2(1200);
  const file = import_node_path80.default.join(process.cwd(), "src", "titles.mjs");
  const source = (0, import_node_fs88.readFileSync)(file, "utf8");
  (0, import_node_fs88.writeFileSync)(
    file,
    source.replace(".replace(/[^a-z0-9]/g, '-')", ".replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')")
  );
  item(worker, "completed", { type: "file_change", changes: [{ path: "src/titles.mjs", kind: "update" }] });
  await pause2(1200);
  const test = await run(worker, "node", ["test/titles.test.mjs"]);
  await pause2(700);
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
  await pause2(800);
  await run(worker, "git", ["ls-files"]);
  await pause2(600);
  throw new Error("the demo worker crashes here, as it was meant to");
}
async function run(worker, file, argv2) {
  const id = `item_${worker.items++}`;
  const command2 = [file, ...argv2].map((word) => import_node_path80.default.isAbsolute(word) ? import_node_path80.default.basename(word) : word).join(" ");
  emit({ type: "item.started", item: { id, type: "command_execution", command: command2, status: "in_progress" } });
  const end = await runToEnd(
    file === "node" ? process.execPath : file,
    argv2,
    worker.project || process.cwd()
  );
  await pause2(400);
  const status = end.code === 0 ? "completed" : "failed";
  const said = { aggregated_output: end.output, exit_code: end.code, status };
  emit({ type: "item.completed", item: { id, type: "command_execution", command: command2, ...said } });
  return end;
}
function runToEnd(file, argv2, cwd) {
  return new Promise((resolve2, reject) => {
    const child = (0, import_node_child_process9.spawn)(file, argv2, { cwd, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text2) => {
        output += text2;
      });
    }
    child.once("error", reject);
    child.once("close", (code) => resolve2({ code: code ?? 1, output }));
  });
}
async function say(worker, text2, thenMs) {
  item(worker, "completed", { type: "agent_message", text: text2 });
  if (worker.lastMessageFile) (0, import_node_fs88.writeFileSync)(worker.lastMessageFile, text2);
  await pause2(thenMs);
}
function writeResult(worker, unit, conclusion, files, verification) {
  const lines2 = [
    `# ${unit} result`,
    `Conclusion: ${conclusion}`,
    `Files: ${files}`,
    "Open items: none",
    `Verification: ${verification}`
  ];
  (0, import_node_fs88.writeFileSync)(worker.resultFile, `${lines2.join("\n")}
`);
}
function item(worker, phase, fields) {
  emit({ type: `item.${phase}`, item: { id: `item_${worker.items++}`, ...fields } });
}
function emit(event) {
  process.stdout.write(`${JSON.stringify(event)}
`);
}
function lineOf2(prompt, name2) {
  return new RegExp(`^${name2}: (.+)$`, "m").exec(prompt)?.[1] ?? "";
}
function uuid2() {
  const hex = randomHex(32);
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}
function pause2(ms) {
  return new Promise((resolve2) => setTimeout(resolve2, ms));
}
var import_node_child_process9, import_node_fs88, import_node_path80, PARTS;
var init_demo_worker = __esm({
  "scripts-src/commands/demo-worker.ts"() {
    "use strict";
    import_node_child_process9 = require("node:child_process");
    import_node_fs88 = require("node:fs");
    import_node_path80 = __toESM(require("node:path"), 1);
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

  clone      make throwaway clones of what you see in a repository, one for each unit
  collect    take the deltas of clones: patches against the base
  conflicts  say which deltas clash, and in which order they go together
  apply      put deltas into a working tree, all or nothing; --undo takes them back
  cleanup    remove clones when their deltas are archived
  demo       show a whole fan-out in about ten seconds, in a temporary folder, without an account

prun <command> --help tells more. Units are run with dispatch-task, and watched with monitor and gather, beside this.
`;
var COMMANDS = {
  clone: async (argv2) => (await Promise.resolve().then(() => (init_clone(), clone_exports))).clone(argv2),
  apply: async (argv2) => (await Promise.resolve().then(() => (init_apply2(), apply_exports))).apply(argv2),
  cleanup: async (argv2) => (await Promise.resolve().then(() => (init_cleanup(), cleanup_exports))).cleanup(argv2),
  collect: async (argv2) => (await Promise.resolve().then(() => (init_collect2(), collect_exports))).collect(argv2),
  conflicts: async (argv2) => (await Promise.resolve().then(() => (init_conflicts(), conflicts_exports))).conflicts(argv2),
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
