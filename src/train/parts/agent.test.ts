/** Tests that the agent has the scaffold and renderer that the configuration names. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fakeStepResult, fakeTask } from "../../testing/fake-episode.ts";
import { openTextDirectory } from "../../text/index.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { createAgent, createScaffold } from "./agent.ts";

const openGoldenModel = (name: string) =>
  openTextDirectory(fileURLToPath(new URL(`../../../tests/golden/hf-${name}`, import.meta.url)));

const MAIL_CALL = { app: "mail", api: "list", args: {}, status: 200, wrote: false };

const reactConfig = (fields: Record<string, unknown> = {}) =>
  resolveConfig({
    recipe: "loop",
    overrides: { "engine.model": "somewhere", "scaffold.name": "react", ...fields },
  });

describe("the react agent", () => {
  it("uses the model's chat template, and cuts observations by the model's tokens", () => {
    const text = openGoldenModel("qwen2");
    const { scaffold, renderer } = createAgent(
      reactConfig({ "scaffold.maxObservationTokens": 16 }),
      text.tokenizer,
      text,
    );
    expect(scaffold.name).toBe("react");
    expect(renderer.forcedEnd).toEqual([text.tokenizer.special("<|im_end|>")]);
    const observeLongText = (config = reactConfig()) =>
      createAgent(config, text.tokenizer, text).scaffold.observe(
        fakeTask(),
        fakeStepResult({ text: "one two three ".repeat(40) }),
      ).content;
    const short = observeLongText(reactConfig({ "scaffold.maxObservationTokens": 16 }));
    expect(short).toMatch(/\[cut: this is \d+ of 560 characters\]/);
    expect(observeLongText()).not.toContain("[cut");
    // Without a tokenizer, observations are cut by characters. This is enough to inspect the scaffold.
    const looking = createScaffold(reactConfig({ "scaffold.maxObservationTokens": 16 }));
    expect(
      looking.observe(fakeTask(), fakeStepResult({ text: "x".repeat(100) })).content,
    ).toContain("[cut: this is 48 of 100 characters]");
  });

  it("lets a model think if its template has a thinking mode, and otherwise rejects scaffold.thinking", () => {
    const text = openGoldenModel("qwen3");
    const renderNextTurn = (thinking: boolean) => {
      const config = reactConfig({ "scaffold.thinking": thinking });
      const { renderer } = createAgent(config, text.tokenizer, text);
      return text.tokenizer.decode(renderer.next({ role: "environment", content: "5" }));
    };
    expect(renderNextTurn(false)).toContain("<think>\n\n</think>");
    expect(renderNextTurn(true)).not.toContain("<think>");
    const other = openGoldenModel("qwen2");
    expect(() =>
      createAgent(reactConfig({ "scaffold.thinking": true }), other.tokenizer, other),
    ).toThrow(/scaffold.thinking: the model's chat template has no mode for thinking/);
  });

  it("is rejected without a published model", () => {
    const { tokenizer } = openGoldenModel("qwen2");
    expect(() => createAgent(reactConfig(), tokenizer)).toThrow(/scaffold.name: react needs/);
  });
});

describe("an agent that calls functions", () => {
  const listResult = fakeStepResult({ stdout: `["${"x".repeat(700)}"]\n`, calls: [MAIL_CALL] });

  it("uses the model's chat template and its own limits with the scaffold tools", () => {
    const text = openGoldenModel("qwen3");
    const config = reactConfig({ "scaffold.name": "tools", "scaffold.maxObservationTokens": 40 });
    expect(config.scaffold).toMatchObject({ maxTurns: 40, evaluationTurns: 40, maxTokens: 8192 });
    const { scaffold, renderer } = createAgent(config, text.tokenizer, text);
    expect(scaffold.name).toBe("tools");
    expect(renderer.forcedEnd).toEqual([text.tokenizer.special("<|im_end|>")]);
    expect(scaffold.observe(fakeTask(), listResult).content).toMatch(
      /^<tool_response>\n.*\n\[cut: /,
    );
    expect(() => createAgent(config, text.tokenizer)).toThrow(/scaffold.name: tools needs/);
  });

  it("uses markers with the scaffold compact-tools, and allows enough tokens for function calls", () => {
    const { tokenizer } = openGoldenModel("qwen2");
    const overrides = {
      "scaffold.name": "compact-tools",
      "scaffold.maxObservationCharacters": 300,
    };
    const config = resolveConfig({ recipe: "starter", overrides });
    expect(config.scaffold).toMatchObject({ maxTurns: 12, maxTurnTokens: 512, maxTokens: 1536 });
    expect(config.model.contextLength).toBe(1536);
    const marked = { ...tokenizer, special: () => 1 };
    const { scaffold, renderer } = createAgent(config, marked);
    expect(scaffold.name).toBe("compact-tools");
    expect(renderer.stopIds).toEqual([1]);
    expect(scaffold.observe(fakeTask(), listResult).content).toMatch(/\[\d+ more characters\]$/);
  });
});
