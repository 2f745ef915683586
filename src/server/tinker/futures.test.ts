import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import { Futures } from "./futures.ts";
import type { Outcome } from "./outcome.ts";
import { ResultLog } from "./result-log.ts";

const root = mkdtempSync(join(tmpdir(), "bowline-futures-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const createFolder = () => join(root, `${folders++}`);
const jsonValue = (n: number): Outcome => ({ type: "json", value: { n, text: "ü" } });
const neverAborted = new AbortController().signal;

it("a result can be read repeatedly, also after a restart", async () => {
  const directory = createFolder();
  const futures = new Futures(new ResultLog(directory));
  futures.start("a", () => Promise.resolve(jsonValue(1)));
  expect(await futures.waitForOutcome("a", 1000, neverAborted)).toEqual(jsonValue(1));
  expect(await futures.waitForOutcome("a", 1000, neverAborted)).toEqual(jsonValue(1));
  const next = new Futures(new ResultLog(directory));
  expect(next.status("a")).toBe("done");
  expect(await next.waitForOutcome("a", 0, neverAborted)).toEqual(jsonValue(1));
});

it("a future that was running when the server ended is lost and can be started again", async () => {
  const directory = createFolder();
  const futures = new Futures(new ResultLog(directory));
  let end = () => {};
  futures.start("a", async () => {
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return jsonValue(1);
  });
  futures.close();
  end();
  await Promise.resolve();
  const next = new Futures(new ResultLog(directory));
  expect([next.status("a"), next.status("b")]).toEqual(["lost", "unknown"]);
  next.start("a", () => Promise.resolve(jsonValue(2)));
  expect(await next.waitForOutcome("a", 1000, neverAborted)).toEqual(jsonValue(2));
});

it("a poll ends at its time limit or when the client leaves, and the work continues", async () => {
  const futures = new Futures(new ResultLog(createFolder()));
  futures.start("a", () => new Promise(() => {}));
  expect(await futures.waitForOutcome("a", 5, neverAborted)).toBeUndefined();
  const gone = new AbortController();
  const poll = futures.waitForOutcome("a", 60_000, gone.signal);
  gone.abort();
  expect(await poll).toBeUndefined();
  expect(futures.status("a")).toBe("running");
});

it("an error of the work becomes an outcome that says who caused it", async () => {
  const futures = new Futures(new ResultLog(createFolder()));
  futures.start("user", () => Promise.reject(new ApiError(400, "no")));
  futures.start("server", () => Promise.reject(new Error("broken")));
  const outcomes = await Promise.all(
    ["user", "server"].map((id) => futures.waitForOutcome(id, 1000, neverAborted)),
  );
  expect(outcomes).toEqual([
    { type: "error", error: "no", category: "user" },
    { type: "error", error: "broken", category: "server" },
  ]);
});

it("refuses a future when too many are running, and cancelling aborts a running one", async () => {
  const futures = new Futures(new ResultLog(createFolder()), 1);
  futures.start("a", (signal) => {
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(jsonValue(0))));
  });
  expect(() => futures.start("b", () => Promise.resolve(jsonValue(1)))).toThrow(/pending/);
  expect([futures.cancel("a"), futures.cancel("b")]).toEqual([true, false]);
  expect(await futures.waitForOutcome("a", 1000, neverAborted)).toEqual(jsonValue(0));
});

it("the log drops the oldest results when it is full, and ignores an incomplete last line", () => {
  const directory = createFolder();
  const log = new ResultLog(directory, 400);
  for (let n = 0; n < 20; n++) log.recordOutcome(`f${n}`, jsonValue(n));
  expect(log.readOutcome("f19")).toEqual(jsonValue(19));
  expect(log.status("f0")).toBeUndefined();
  appendFileSync(join(directory, "futures.jsonl"), '{"id":"torn","outc');
  const again = new ResultLog(directory, 400);
  expect(again.readOutcome("f19")).toEqual(jsonValue(19));
  expect(again.status("torn")).toBeUndefined();
  again.recordOutcome("f20", jsonValue(20));
  expect(new ResultLog(directory, 400).readOutcome("f20")).toEqual(jsonValue(20));
});
