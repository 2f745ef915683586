/**
 * Runs one measurement in its own process, because peak memory can be measured only for a whole process. Its arguments
 * are the kind of measurement, the work as JSON, and the file for the numbers to compare. It prints seconds and peak
 * memory as JSON.
 */
import { writeFileSync } from "node:fs";
import { measurePrefixSampling, measurePrefixStep, type PrefixWork } from "../../engine/index.ts";

const [task, json, file] = process.argv.slice(2) as ["train" | "sample", string, string];
const work = JSON.parse(json) as PrefixWork;
const { seconds, peakMb, numbers } =
  task === "train" ? await measureTraining() : await measureSampling();
writeFileSync(file, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
process.stdout.write(JSON.stringify({ seconds, peakMb }));

async function measureTraining() {
  const { gradient, ...measured } = await measurePrefixStep(work);
  return { ...measured, numbers: gradient };
}

/** Returns the tokens, then the log-probs. Token ids below 2^24 are exact in float32. */
async function measureSampling() {
  const { tokens, logprobs, ...measured } = await measurePrefixSampling(work);
  return { ...measured, numbers: Float32Array.from([...tokens, ...logprobs]) };
}
