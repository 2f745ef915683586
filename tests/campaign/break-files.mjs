/**
 * A module for Node's option `--import`: it makes file operations of the program die or fail.
 *
 * The environment variable BOWLINE_BREAK_FILES is a JSON object. `folder` says which files are meant. Their operations
 * are counted from 1, in each thread. Operation number `at` is broken as `how` says:
 *   count    nothing is broken
 *   die      the process ends at once, as by SIGKILL; `when` is "before", "half" (half of the bytes are written) or "after"
 *   power    as `die`, and bytes that were not flushed are gone: files end where they were last flushed. Names of files
 *            survive, as on a file system that writes them down in order.
 *   ENOSPC, EIO   the operation fails with this error; `when` is "before" or "half". With `sticky`, all later operations
 *            that need the disk fail too. Operations that free space do not fail with ENOSPC.
 * When `counts` is given, the number of operations is written into this file as the process exits.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";
import { isMainThread } from "node:worker_threads";

const {
  folder,
  how,
  at = 0,
  when = "before",
  sticky = false,
  counts,
} = JSON.parse(process.env["BOWLINE_BREAK_FILES"]);
const root = resolve(folder);
const original = { ...fs };
const openPaths = new Map();
let operations = 0;

/** Operations by how they name their file: by path, or by descriptor. The reading ones can only fail with EIO. */
const WRITING = [
  "writeFileSync",
  "appendFileSync",
  "mkdirSync",
  "renameSync",
  "linkSync",
  "copyFileSync",
  "cpSync",
  "utimesSync",
];
const FREEING = ["rmSync", "rmdirSync", "unlinkSync", "truncateSync"];
const READING = ["readFileSync", "readdirSync", "statSync"];
const DESCRIPTOR = ["writeSync", "fsyncSync", "ftruncateSync"];
const ERRNO = { ENOSPC: [-28, "no space left on device"], EIO: [-5, "i/o error"] };

const isInside = (path) =>
  typeof path === "string" &&
  `${resolve(path)}${sep}`.startsWith(root + sep) &&
  // It is written at most once a second, so counting it would number other operations by time.
  !/progress\.json(\.partial)?$/.test(path);

/** How many bytes of each changed file are on the disk, by path. */
const flushedBytes = new Map();
const statsOf = (path) => original.statSync(path, { throwIfNoEntry: false });
const sizeOf = (path) => statsOf(path)?.size ?? 0;

/** Notes what an operation on a path changes about flushed bytes. It is called before the operation. */
function noteChange(name, path, args) {
  if (how !== "power" || name === "mkdirSync") return;
  if (name === "fsyncSync") flushedBytes.set(path, sizeOf(path));
  else if (name === "renameSync") moveFlushed(resolve(args[0]), resolve(args[1]));
  else if (name === "truncateSync") {
    const bytes = args[1] ?? 0;
    flushedBytes.set(path, Math.min(flushedBytes.get(path) ?? bytes, bytes));
  } else if (name === "writeFileSync") flushedBytes.set(path, 0);
  else if (FREEING.includes(name)) moveFlushed(resolve(path), undefined);
  else if (!flushedBytes.has(path)) flushedBytes.set(path, sizeOf(path));
}

/** Moves what is known of a file, or of the files in a folder, to another path; forgets it without one. */
function moveFlushed(from, to) {
  for (const [path, bytes] of [...flushedBytes]) {
    if (path !== from && !path.startsWith(from + sep)) continue;
    flushedBytes.delete(path);
    if (to !== undefined) flushedBytes.set(to + path.slice(from.length), bytes);
  }
}

/** Takes away what was not flushed. */
function losePower() {
  for (const [path, bytes] of flushedBytes) {
    const stats = statsOf(path);
    if (stats?.isFile() && stats.size > bytes) original.truncateSync(path, bytes);
  }
}

function die() {
  if (how === "power") losePower();
  process.kill(process.pid, "SIGKILL");
  // The signal may arrive a little later.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function createError(code, syscall, path) {
  const [errno, text] = ERRNO[code];
  const where = path === undefined ? "" : ` '${path}'`;
  const error = new Error(`${code}: ${text}, ${syscall}${where}`);
  return Object.assign(error, { code, errno, syscall, ...(path !== undefined && { path }) });
}

/** Writes the first half of what the operation would write. Other operations have no half. */
function doHalf(name, args) {
  const [target, data, ...rest] = args;
  if (name === "writeSync" && ArrayBuffer.isView(data)) {
    const [offset = 0, length = data.byteLength - offset] = rest;
    run(name, [target, data, offset, Math.floor(length / 2)]);
  }
  if (name === "writeFileSync" || name === "appendFileSync") {
    const bytes =
      typeof data === "string"
        ? Buffer.from(data)
        : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    run(name, [target, bytes.subarray(0, Math.floor(bytes.length / 2)), ...rest]);
  }
}

/** Whether an operation is running: Node makes some operations of others, which are not counted again. */
let isRunning = false;

function run(name, args) {
  isRunning = true;
  try {
    return original[name](...args);
  } finally {
    isRunning = false;
  }
}

/** Counts an operation of a kind and breaks it when its turn has come. */
function breakOrDo(kind, name, path, args) {
  const doIt = () => run(name, args);
  if (isRunning) return original[name](...args);
  if (kind === "reading" && how !== "EIO") return doIt();
  operations += 1;
  noteChange(name, path, args);
  if (how === "die" || how === "power") {
    if (operations !== at) return doIt();
    if (when === "half") doHalf(name, args);
    if (when === "after") doIt();
    die();
  }
  const isBroken = operations === at || (sticky && operations > at);
  if (how === "count" || !isBroken || (how === "ENOSPC" && kind === "freeing")) return doIt();
  if (when === "half") doHalf(name, args);
  throw createError(how, name.replace(/Sync$/, ""), DESCRIPTOR.includes(name) ? undefined : path);
}

for (const [kind, names] of [
  ["writing", WRITING],
  ["freeing", FREEING],
  ["reading", READING],
]) {
  for (const name of names) {
    fs[name] = (...args) => {
      const path = [args[0], args[1]].find(isInside);
      return path === undefined ? original[name](...args) : breakOrDo(kind, name, path, args);
    };
  }
}
for (const name of DESCRIPTOR) {
  fs[name] = (fd, ...args) => {
    const path = openPaths.get(fd);
    if (path === undefined) return original[name](fd, ...args);
    return breakOrDo("writing", name, path, [fd, ...args]);
  };
}
fs.openSync = (...args) => {
  const [path, flags = "r"] = args;
  if (!isInside(path)) return original.openSync(...args);
  const isReading = flags === "r";
  const fd = breakOrDo(isReading ? "reading" : "writing", "openSync", path, args);
  // A folder is opened to flush it, which is an operation of its own.
  openPaths.set(fd, path);
  return fd;
};
fs.closeSync = (fd) => {
  openPaths.delete(fd);
  return original.closeSync(fd);
};
syncBuiltinESMExports();

if (counts !== undefined && isMainThread) {
  process.on("exit", () => original.writeFileSync(counts, String(operations)));
}
