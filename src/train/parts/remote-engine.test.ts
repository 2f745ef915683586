/** Tests the errors for wrong configurations of a remote engine, both before and after its server is asked. */
import { describe, expect, test } from "vitest";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { loop } from "../../methods/index.ts";
import type { Engine } from "../../spec/index.ts";
import { findPackageMethod } from "../config/named-method.ts";
import { listMissingUrl } from "../config/remote-fields.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { requireCapabilities, requireCapableEngine } from "./engine-needs.ts";
import { createEngineRequest, type EngineRequest } from "./engine-request.ts";
import type { Makers } from "./makers.ts";

const remoteConfig = (overrides: Record<string, unknown> = {}) =>
  resolveConfig({
    recipe: "smoke",
    overrides: { "engine.name": "tinker", "engine.url": "http://127.0.0.1:8000", ...overrides },
  });
const errorTextOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return errorMessage(error);
  }
  return "nothing was thrown";
};

describe("the configuration of a remote engine is rejected before any request, for", () => {
  test.each([
    ["no URL", { "engine.url": "localhost" }, /engine\.url: expected an absolute http/],
    ["another protocol", { "engine.url": "ftp://a" }, /engine\.url: expected an absolute http/],
    ["a shape", { "model.layers": 3 }, /model\.layers cannot be set with engine\.name tinker/],
    ["threads", { "engine.threads": 4 }, /engine\.threads exists only where engine\.name is onnx/],
    ["a provider", { "engine.provider": "cuda" }, /engine\.provider .* engine\.name is onnx/],
    ["LoRA's alpha", { "engine.lora.rank": 8, "engine.lora.alpha": 2 }, /engine\.lora\.alpha/],
  ])("%s", (_, overrides, words) => {
    expect(errorTextOf(() => remoteConfig(overrides))).toMatch(words);
  });

  test("no server address, when a run starts", () => {
    const config = remoteConfig({ "engine.url": null });
    expect(listMissingUrl(config)[0]?.sentence).toMatch(/engine\.url: .*needs a server.*smoke/);
    expect(listMissingUrl(remoteConfig())).toEqual([]);
  });

  test("a password in the URL, which the error does not repeat", () => {
    for (const url of ["http://me:hunter2@host", "http://host/?key=hunter2"]) {
      const message = errorTextOf(() => remoteConfig({ "engine.url": url }));
      expect(message).toMatch(/engine\.url: expected a URL without password.*TINKER_API_KEY/);
      expect(message).not.toContain("hunter2");
    }
  });

  test.each(["engine.url", "engine.baseModel", "engine.dialect"])(
    "the field %s without engine.name tinker",
    (path) => {
      const value = path === "engine.dialect" ? "json" : "http://a";
      const message = errorTextOf(() =>
        resolveConfig({ recipe: "smoke", overrides: { [path]: value } }),
      );
      expect(message).toContain(`${path} exists only where engine.name is tinker`);
    },
  );
});

test("an option that the server does not support is rejected, and the error names the option", () => {
  const able = { entropy: true, value: true, snapshot: true, gradientClip: true, discard: true };
  const errorForCapabilities = (overrides: Record<string, unknown>, capabilities: object) =>
    errorTextOf(() =>
      requireCapabilities(
        { config: remoteConfig(overrides), method: loop },
        {
          name: "tinker",
          capabilities: { ...able, ...capabilities },
        },
      ),
    );
  const clip = { gradientClip: false };
  expect(errorForCapabilities({}, clip)).toMatch(
    /does not clip.*optimizer\.maxGradientNorm 1 .*1000000000/,
  );
  expect(errorForCapabilities({ "optimizer.maxGradientNorm": 1e9 }, clip)).toBe(
    "nothing was thrown",
  );
  const flat = { tempered: false };
  expect(errorForCapabilities({ "algo.temperature": 0.8 }, flat)).toMatch(
    /temperature 1 only.*algo\.temperature 0\.8/,
  );
  expect(errorForCapabilities({}, flat)).toBe("nothing was thrown");
});

test("a temperature that the server cannot sample at is rejected before any episode", () => {
  const overrides = { "engine.name": "tinker", "engine.url": "http://127.0.0.1:8000" };
  const config = resolveConfig({ recipe: "smoke", method: "rft", overrides });
  const capabilities = {
    entropy: true,
    value: true,
    snapshot: true,
    gradientClip: true,
    discard: true,
  };
  const errorForTemperatures = (temperedSamples: boolean) =>
    errorTextOf(() =>
      requireCapabilities(
        { config, method: findPackageMethod("rft").method },
        { name: "tinker", capabilities: { ...capabilities, tempered: false, temperedSamples } },
      ),
    );
  expect(errorForTemperatures(false)).toMatch(
    /temperatures 0 and 1 only.*algo\.lowestTemperature 0\.3/,
  );
  expect(errorForTemperatures(true)).toBe("nothing was thrown");
});

describe("a server is asked before anything expensive happens, and", () => {
  /** A server with a context of 200 tokens that refuses other ranks than 8, clipping and temperatures. */
  const asked: EngineRequest[] = [];
  const makers = {
    createEngine: async (_name: string, request: EngineRequest) => {
      asked.push(request);
      if (request.lora?.rank !== 8) throw new BowlineError("engine", "this server has rank 8 only");
      const capabilities = { gradientClip: false, tempered: false };
      const info = { name: "tinker", contextLength: 200, capabilities };
      return { info, close: async () => {} } as unknown as Engine;
    },
  } as unknown as Makers;
  const overrides = { "scaffold.maxTokens": 400, "algo.temperature": 0.7, "engine.lora.rank": 64 };

  test("all of its refusals come together, with the values that cure them", async () => {
    const run = { config: remoteConfig(overrides), method: loop };
    const error = await requireCapableEngine(makers, run, false).catch((thrown) => thrown);
    expect(error.message).toMatch(/engine\.lora\.rank 64: this server has rank 8 only; /);
    expect(error.message).toMatch(/scaffold\.maxTokens is 400 as you set it, .* context of 200 /);
    expect(error.message).toMatch(/optimizer\.maxGradientNorm 1 .*; .*algo\.temperature 0\.7/);
    expect(error.cure).toEqual({
      ...{ "engine.lora.rank": 8, "scaffold.maxTokens": 200 },
      ...{ "optimizer.maxGradientNorm": 1e9, "algo.temperature": 1 },
    });
    const cured = { config: remoteConfig({ ...overrides, ...error.cure }), method: loop };
    expect(await requireCapableEngine(makers, cured, false)).toBe(200);
    // The whole context was asked for, so the answer is that of the server and not that of the setting.
    expect(asked.at(-1)!.model.contextLength).toBe(131_072);
  });

  test("a run that is continued does not ask it again", async () => {
    const before = asked.length;
    const run = { config: remoteConfig(overrides), method: loop };
    expect(await requireCapableEngine(makers, run, true)).toBeUndefined();
    expect(asked).toHaveLength(before);
  });
});

test("the engine request has the values of the configuration", () => {
  const config = remoteConfig({
    "engine.baseModel": "b",
    "engine.lora.rank": 8,
    "world.episodes": 7,
  });
  expect(createEngineRequest({ config, method: loop }, 300)).toMatchObject({
    remote: { url: "http://127.0.0.1:8000", baseModel: "b", dialect: "auto", maxSamples: 7 },
    lora: { rank: 8 },
    model: { vocabularySize: 300, contextLength: 256 },
  });
  expect(
    createEngineRequest({ config: resolveConfig({ recipe: "smoke" }), method: loop }, 300).remote,
  ).toBeUndefined();
});
