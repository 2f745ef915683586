/**
 * Makes `quickjs-metered.wasm` from the QuickJS build of `quickjs-emscripten`: the same program, which also counts its
 * own work and stops when it has done enough. The sandbox uses it, because QuickJS asks the host whether to stop only
 * while it interprets code, and its built-in functions can loop for hours without asking.
 *
 *     node wasm/meter-quickjs.mjs            writes the file
 *     node wasm/meter-quickjs.mjs --check    compares the file with what would be written
 *
 * One unit of work is one iteration of a loop or one call of a function of the WebAssembly program, or 32 bytes that
 * one instruction copies or fills. The exported global `work` holds the units that are left. Below zero, the program
 * traps. Binaryen reads and writes the program; between the two, this script adds lines to its text.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import binaryen from "binaryen";

const OUT = join(dirname(fileURLToPath(import.meta.url)), "quickjs-metered.wasm");
const library = createRequire(import.meta.url).resolve("quickjs-emscripten");
const original = createRequire(library).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");

const TRAP = "(if (i32.lt_s (global.get $work) (i32.const 0)) (then (unreachable)))";
const pay = (units) =>
  `(global.set $work (i32.sub (global.get $work) (i32.const ${units}))) ${TRAP}`;
/** A loop counts in a local variable, because a global one is in memory, and pays for so many iterations at once. */
const BATCH = 16;
const TICKS = "(local $ticks i32)";
const TICK = `(local.set $ticks (i32.add (local.get $ticks) (i32.const 1)))
  (if (i32.eqz (i32.and (local.get $ticks) (i32.const ${BATCH - 1}))) (then ${pay(BATCH)}))`;
/** What a call of a function with loops costs, for the iterations that fill no batch. */
const CALL_UNITS = 4;
const GLOBAL = '(global $work (mut i32) (i32.const 2147483647)) (export "work" (global $work))';
/** Takes the number of bytes that the next instruction copies or fills, pays for them and returns the number. */
const PAY_FOR_BYTES = `(func $payForBytes (param $bytes i32) (result i32)
  (global.set $work (i32.sub (global.get $work) (i32.shr_u (local.get $bytes) (i32.const 5))))
  ${TRAP} (local.get $bytes))`;

const isLoop = (line) => /^\s*\(loop( |$)/.test(line);

/** Returns the lines of a function with its work counted; a function without loops stays as it is. */
function meterFunction(lines) {
  if (!lines.some(isLoop)) return lines;
  const [head, ...body] = lines;
  const first = body.findIndex((line) => !line.startsWith("  (local "));
  const counted = body.slice(first).flatMap((line) => (isLoop(line) ? [line, TICK] : [line]));
  return [head, ...body.slice(0, first), TICKS, pay(CALL_UNITS), ...counted];
}

/** Returns the text of the program with its work counted. */
function addMeter(text) {
  const lines = text.split("\n");
  const metered = [];
  for (let i = 0; i < lines.length; ) {
    const isFunction = /^ \(func \$/.test(lines[i]);
    const end = isFunction ? lines.indexOf(" )", i) + 1 : i + 1;
    metered.push(...(isFunction ? meterFunction(lines.slice(i, end)) : [lines[i]]));
    i = end;
  }
  metered.splice(metered.lastIndexOf(")"), 0, GLOBAL, PAY_FOR_BYTES);
  return payForBulkInstructions(metered.join("\n"));
}

/** Wraps the last operand of every `memory.copy` and `memory.fill`, the number of bytes, in a payment. */
function payForBulkInstructions(text) {
  let out = "";
  let at = 0;
  for (const { index } of text.matchAll(/\(memory\.(copy|fill)\s/g)) {
    const operands = readOperands(text, index);
    const [from, to] = operands[2];
    out += `${text.slice(at, from)}(call $payForBytes ${text.slice(from, to)})`;
    at = to;
  }
  return out + text.slice(at);
}

/** Returns where each operand of the instruction at `start` begins and ends. */
function readOperands(text, start) {
  const operands = [];
  let depth = 0;
  let from = 0;
  for (let i = start; ; i++) {
    if (text[i] === "(" && ++depth === 2) from = i;
    if (text[i] === ")" && --depth === 1) operands.push([from, i + 1]);
    if (depth === 0) return operands;
  }
}

const program = binaryen.readBinary(readFileSync(original));
const metered = binaryen.parseText(addMeter(program.emitText()));
const { BulkMemory, BulkMemoryOpt, MutableGlobals, NontrappingFPToInt, SignExt } =
  binaryen.Features;
metered.setFeatures(BulkMemory | BulkMemoryOpt | MutableGlobals | NontrappingFPToInt | SignExt);
if (!metered.validate()) throw new Error("the metered program is not valid");
const bytes = Buffer.from(metered.emitBinary());
if (process.argv.includes("--check")) {
  if (!bytes.equals(readFileSync(OUT))) throw new Error(`${OUT} is not what this script writes`);
} else writeFileSync(OUT, bytes);
console.log(`${bytes.length} bytes`);
