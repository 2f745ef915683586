import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { methods } from "../../methods/index.ts";
import { configFields } from "./config.ts";
import { listNamedModules, MODULE_FIELDS } from "./module-fields.ts";

const SOURCES = fileURLToPath(new URL("../../", import.meta.url));

describe("the fields that may name a module", () => {
  test("are all fields whose description or type says so", () => {
    const described = Object.values(methods)
      .flatMap((method) => configFields(method))
      .filter(({ description, expected }) => /\bmodules?\b/i.test(`${description} ${expected}`))
      .map(({ path }) => path)
      // Values for a module, and names of a model's layers.
      .filter((path) => path !== "engine.options" && !path.startsWith("engine.lora."));
    expect(MODULE_FIELDS.filter((field) => field !== "method")).toEqual(
      expect.arrayContaining([...new Set(described)]),
    );
  });

  test("are listed by the rules of what loads them", () => {
    const config = {
      method: "./m.mjs",
      world: { name: "everyday/starter" },
      engine: { name: "onnx" },
      scaffold: { name: "/s.ts" },
      algo: { taskSampling: "uniform" },
      extensions: { rewards: ["cost"], filters: [] },
      participants: { user: "reminder", judge: "reminder" },
    };
    expect(listNamedModules(config)).toEqual([
      { field: "method", path: resolve("m.mjs") },
      { field: "scaffold.name", path: resolve("/s.ts") },
      { field: "extensions.rewards", path: resolve("cost") },
      { field: "participants.judge", path: resolve("reminder") },
    ]);
    for (const other of [undefined, null, 1, "x", [], { world: null }, { world: { name: 1 } }]) {
      expect(listNamedModules(other)).toEqual([]);
    }
  });
});

test("no source loads a module past the door", () => {
  const loaders = readdirSync(SOURCES, { recursive: true })
    .map((name) => String(name).replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) => /\bloadModule\(/.test(readFileSync(join(SOURCES, name), "utf8")));
  expect(loaders.sort()).toEqual([
    // It measures the world that its command names.
    "bench/world-latency.ts",
    "core/load-module.ts",
    "core/trust/load-user-module.ts",
  ]);
});
