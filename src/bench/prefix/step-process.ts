/**
 * The entry of a process that makes one measurement and ends, because peak memory belongs to a process. Its arguments are what
 * is measured, the work as JSON, and the file that the numbers to compare go to; it prints seconds and peak as JSON.
 */
import { writeFileSync } from "node:fs";
import { type PrefixWork, prefixSample, prefixStep } from "../../engine/index.ts";

const [what, json, file] = process.argv.slice(2) as ["train" | "sample", string, string];
const work = JSON.parse(json) as PrefixWork;
const { seconds, peakMb, numbers } = what === "train" ? await train() : await sample();
writeFileSync(file, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
process.stdout.write(JSON.stringify({ seconds, peakMb }));

async function train() {
  const { gradient, ...measured } = await prefixStep(work);
  return { ...measured, numbers: gradient };
}

/** Tokens, then log-probs; ids below 2^24 are exact. */
async function sample() {
  const { tokens, logprobs, ...measured } = await prefixSample(work);
  return { ...measured, numbers: Float32Array.from([...tokens, ...logprobs]) };
}
