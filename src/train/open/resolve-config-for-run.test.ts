/** Tests that settings which contradict each other and the limits of a server are refused together. */
import { expect, test } from "vitest";
import { BowlineError, type Cure } from "../../core/index.ts";
import { FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import { tableEngine } from "../../testing/table-engine.ts";
import type { Makers } from "../parts/makers.ts";
import { withCure } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";
import { resolveConfigForRunWith } from "./resolve-config-for-run.ts";

/** A server with adapters of rank 8, a context of 200 tokens and no clipping. `worlds` counts the opened worlds. */
function refusingMakers() {
  const counts = { worlds: 0 };
  const makers: Makers = {
    ...fakeMakers(),
    openWorld: async (...args) => {
      counts.worlds++;
      return fakeMakers().openWorld(...args);
    },
    createEngine: async (_name, { model, lora }) => {
      if (lora?.rank !== 8) throw new BowlineError("engine", "this server has rank 8 only");
      const engine = tableEngine(model.vocabularySize);
      const capabilities = { ...engine.info.capabilities, gradientClip: false };
      const info = { ...engine.info, name: "tinker", contextLength: 200, capabilities };
      return Object.assign(Object.create(engine), { info });
    },
  };
  return { makers, counts };
}

const SERVER = { "engine.name": "tinker", "engine.url": "http://127.0.0.1:1" };

test("contradictions and everything that the server refuses come in one error, before a world is opened", async () => {
  const { makers, counts } = refusingMakers();
  const overrides = {
    ...{ ...FAKE_RUN, ...SERVER, "engine.lora.rank": 64, "engine.threads": 4 },
    ...{ "scaffold.maxTokens": 600, "model.contextLength": 300, "warm.rows": 128 },
  };
  const input = { recipe: "smoke", overrides };
  const optionsFor = () => ({ out: "/nowhere/run" });
  const error = await resolveConfigForRunWith(makers, input, optionsFor).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: "BowlineError", code: "config" });
  for (const part of [
    /engine\.threads exists only where engine\.name is onnx/,
    /scaffold\.maxTokens: expected at most model\.contextLength \(300\), got 600/,
    /warm\.demonstrations: expected 0 or at least warm\.rows \(128\), got 96/,
    /engine\.lora\.rank 64: this server has rank 8 only/,
    /scaffold\.maxTokens is 600 as you set it, .* context of 200 tokens/,
    /does not clip gradients/,
  ])
    expect(error.message).toMatch(part);
  const cured = withCure(input, error.cure as Cure);
  const { config } = await resolveConfigForRunWith(makers, cured, optionsFor);
  expect(config.scaffold.maxTokens).toBe(200);
  expect(counts.worlds).toBe(0);
});

test("a missing warm start is refused together with what the server refuses", async () => {
  const { makers } = refusingMakers();
  const overrides = { ...FAKE_RUN, ...SERVER, "engine.lora.rank": 64, "warm.demonstrations": 0 };
  const { config } = await resolveConfigForRunWith(makers, { recipe: "smoke", overrides }, () => ({
    out: "/nowhere/run",
  }));
  const error = await trainWith(makers, config, { out: "/nowhere/run" }).catch((thrown) => thrown);
  expect(error.message).toMatch(/no warm start.*engine\.lora\.rank 64: .*does not clip/);
  expect(error.cure).toMatchObject({ "warm.demonstrations": 4000, "engine.lora.rank": 8 });
});
