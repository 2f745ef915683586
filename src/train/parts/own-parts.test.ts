import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Config } from "../config/config.ts";
import { listOwnParts, loadExtensions, type OwnParts } from "./own-parts.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-parts-"));
afterAll(() => rmSync(folder, { recursive: true }));

const CONFIG = { extensions: { rewards: [], filters: [] }, algo: { taskSampling: "uniform" } };
const configWith = (fields: object) => ({ ...CONFIG, ...fields }) as unknown as Config;
const short = () => 1;

test("functions that were passed keep their names, beside those of modules, which are named after their files", async () => {
  const path = join(folder, "cheap.mjs");
  writeFileSync(path, "export default () => 7;");
  const config = configWith({ extensions: { rewards: [path], filters: [] } });
  const { rewards, filters, sampler } = await loadExtensions(config, { rewards: { short } });
  expect(Object.keys(rewards!)).toEqual(["short", "cheap"]);
  expect(rewards!["short"]).toBe(short);
  expect(rewards!["cheap"]!({} as never)).toBe(7);
  expect([filters, sampler]).toEqual([{}, undefined]);
  await expect(loadExtensions(config, { rewards: { cheap: short } })).rejects.toThrow(
    "extensions.rewards: two functions have the name cheap; rename one file",
  );
});

test("a part that is no function is refused by its field and name", async () => {
  for (const field of ["rewards", "filters"] as const) {
    const parts = { [field]: { short, long: 3 } } as unknown as OwnParts;
    await expect(loadExtensions(configWith({}), parts)).rejects.toThrow(
      `extensions.${field}: expected long to be a function, got number`,
    );
  }
});

test("the names of own parts are listed in order, without the method's", () => {
  const parts = { rewards: { short }, filters: { b: short }, sampler: short, method: {} };
  expect(listOwnParts(parts as unknown as OwnParts)).toEqual([
    ...["filters.b", "rewards.short", "sampler"],
  ]);
  expect(listOwnParts({})).toEqual([]);
});
