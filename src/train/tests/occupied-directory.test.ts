/**
 * Tests the errors for a directory that holds another run or other files. Mistakes in the request are reported before
 * these.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SMALL_RUN } from "../../../tests/support/watched-run.ts";
import { createMemoryFolder, fakeMakers } from "../../testing/fake-makers.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

let root: string;
let out: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-taken-");
  out = join(root, "run");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The small configuration without the fields of a tokenizer, for a published model that has its own. */
const WITHOUT_TOKENIZER = Object.fromEntries(
  Object.entries(SMALL_RUN).filter(([path]) => !path.startsWith("tokenizer.")),
);

function trainSmall(fields: Readonly<Record<string, unknown>> = {}) {
  const small = "engine.model" in fields ? WITHOUT_TOKENIZER : SMALL_RUN;
  const config = resolveConfig({ recipe: "smoke", overrides: { ...small, ...fields } });
  return trainWith(fakeMakers(), config, { out });
}
const tinkerFields = (url: string) => ({ "engine.name": "tinker", "engine.url": url });

/** Returns a port at which no server listens. */
async function findUnusedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

test("a wrong model folder, server or world is reported before a run directory that holds another run", async () => {
  await trainSmall();
  const before = readFileSync(join(out, "run.json"), "utf8");
  const url = `http://127.0.0.1:${await findUnusedPort()}`;
  await expect(trainSmall({ "engine.model": "./no-model" })).rejects.toThrow(
    /no folder .*no-model/,
  );
  await expect(trainSmall({ "world.name": "./no-world.ts" })).rejects.toThrow(/no world module at/);
  await expect(trainSmall(tinkerFields(url))).rejects.toThrow(
    new RegExp(`^engine\\.url: no server answers at ${url} \\(fetch failed: .*ECONNREFUSED`),
  );
  expect(readFileSync(join(out, "run.json"), "utf8")).toBe(before);
});

test("a correct request for a directory with another run is rejected with the differing field and what to do", async () => {
  await trainSmall();
  await expect(trainSmall({ "world.name": "everyday/starter" })).rejects.toThrow(
    /holds a run of another configuration: world\.name \(there "toy", now "everyday\/starter"\); choose another folder \(--out DIR\)/,
  );
  const server = createServer((_, response) => response.writeHead(404).end()).listen(
    0,
    "127.0.0.1",
  );
  await new Promise((ready) => server.once("listening", ready));
  const { port } = server.address() as AddressInfo;
  await expect(trainSmall(tinkerFields(`http://127.0.0.1:${port}`))).rejects.toThrow(
    /another configuration: engine\.name \(there "onnx", now "tinker"\)/,
  );
  server.closeAllConnections();
  server.close();
});

test("when many fields differ, the error lists the first ones and counts the rest", async () => {
  await trainSmall();
  const other = Object.fromEntries(
    ["warm.epochs", "warm.rows", "scaffold.maxTurns", "scaffold.maxTurnTokens"].map((path) => [
      path,
      9,
    ]),
  );
  const algo = { "algo.clip": 0.3, "algo.epochs": 7, "algo.groupSize": 5, "run.seed": 2 };
  await expect(trainSmall({ ...other, ...algo })).rejects.toThrow(
    /seed \(there 1, now 2\).* and 2 more;/,
  );
});

test("a folder with other files is reported only after wrong options, and remains unchanged", async () => {
  mkdirSync(out);
  writeFileSync(join(out, "thesis.txt"), "mine");
  await expect(trainSmall({ "engine.model": "./no-model" })).rejects.toThrow(
    /no folder .*no-model/,
  );
  await expect(trainSmall()).rejects.toThrow(
    /neither a run nor empty \(it holds thesis\.txt\).*--out DIR/,
  );
  expect(readdirSync(out)).toEqual(["thesis.txt"]);
});
