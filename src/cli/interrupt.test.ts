/** Tests signals on a program of its own, because a second signal ends it. */
import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { packageModuleUrl } from "../../tests/support/package-module.ts";

/** A program that stops cleanly 200 ms after the first signal, or goes on when the argument says so. */
const PROGRAM = `
import { listenForInterrupt } from ${JSON.stringify(packageModuleUrl("cli/interrupt.ts"))};
const interrupt = listenForInterrupt({ writeLine() {} });
process.on("exit", () => process.stdout.write("exit handler"));
setTimeout(() => {}, 60_000).unref();
const timer = setInterval(() => {}, 1000);
interrupt.signal.addEventListener("abort", () => {
  if (process.argv.includes("slow")) return;
  setTimeout(() => { process.exitCode = interrupt.exitCode; interrupt.dispose(); clearInterval(timer); }, 200);
});
process.stdout.write("ready ");
`;

async function sendSignals(mode: string, signals: readonly [NodeJS.Signals, number][]) {
  const program = process.execPath;
  const child = spawn(program, ["--import", "tsx", "--input-type=module", "-e", PROGRAM, mode]);
  let stdout = "";
  child.stdout.on("data", (text) => {
    stdout += text;
  });
  child.stderr.on("data", (text) => console.error(String(text)));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const ended = new Promise<object>((resolve) =>
    child.on("exit", (code, signal) => resolve({ code, signal })),
  );
  for (const [signal, waitMs] of signals) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    child.kill(signal);
  }
  return { ...(await ended), stdout };
}

test("Ctrl-C ends with 130 and SIGTERM with 143, also when the signal arrives twice", async () => {
  const clean = { signal: null, stdout: "ready exit handler" };
  expect(await sendSignals("quick", [["SIGINT", 0]])).toEqual({ code: 130, ...clean });
  const twice = await sendSignals("quick", [
    ["SIGTERM", 0],
    ["SIGTERM", 20],
  ]);
  expect(twice).toEqual({ code: 143, ...clean });
});

test("a second signal after a second ends the program by that signal, without unloading anything", async () => {
  const ended = await sendSignals("slow", [
    ["SIGTERM", 0],
    ["SIGINT", 1200],
  ]);
  expect(ended).toEqual({ code: null, signal: "SIGINT", stdout: "ready " });
});
