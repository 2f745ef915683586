/**
 * The entry of a process that makes one step and ends, because peak memory belongs to a process. Its argument is the work as
 * JSON and the file that the gradient goes to; it prints seconds and peak as JSON.
 */
import { writeFileSync } from "node:fs";
import { type PrefixWork, prefixStep } from "../../engine/index.ts";

const [work, file] = process.argv.slice(2) as [string, string];
const { gradient, ...measured } = await prefixStep(JSON.parse(work) as PrefixWork);
writeFileSync(file, new Uint8Array(gradient.buffer, gradient.byteOffset, gradient.byteLength));
process.stdout.write(JSON.stringify(measured));
