/**
 * Appends one line of JSON about a step of run.sh to results.jsonl, and prints it in words:
 *
 *     node record-step.mjs OUT NAME SECONDS EXIT_CODE
 *
 * `result` is what the step printed. A step that was stopped has printed no result, but `log` has what it had measured.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [out, step, seconds, exitCode] = process.argv.slice(2);
const read = (ending) => readFileSync(join(out, step + ending), "utf8").trim();
const lastLines = (text) =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-12);

const log = lastLines(read(".log"));
const text = read(".json");
let result;
try {
  result = JSON.parse(text);
} catch {
  log.push(...lastLines(text).slice(-3));
}
const status =
  exitCode === "0" ? "ok" : ["124", "137"].includes(exitCode) ? "stopped at its limit" : "failed";
const line = { step, status, seconds: Number(seconds), log, ...(result && { result }) };
appendFileSync(join(out, "results.jsonl"), `${JSON.stringify(line)}\n`);

const { training, trainedTokensPerSecond, decode } = result ?? {};
const trained = Array.isArray(training) ? training.map((each) => each.tokensPerSecond) : [];
const decoded = Array.isArray(decode)
  ? decode.map(({ batch, tokensPerSecond }) => [batch, tokensPerSecond])
  : Object.entries(decode ?? {});
const speeds = [
  ...[trainedTokensPerSecond ?? [], trained].flat().map((speed) => `training ${Math.round(speed)}`),
  ...decoded.map(([rows, speed]) => `decoding ${rows} rows ${Math.round(speed)}`),
];
const details = speeds.length > 0 ? `: ${speeds.join(", ")} tokens/s` : "";
const reason = status === "ok" ? details : `: ${log.slice(-3).join(" | ")}`;
console.log(`${step}: ${status}, ${seconds} s${reason}`);
