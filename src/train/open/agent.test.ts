/** Which agent the configuration asks for. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fakeTask, stepResult } from "../../testing/fake-episode.ts";
import { openTextDirectory } from "../../text/index.ts";
import { resolveConfig } from "../config/resolve.ts";
import { agentOf, scaffoldOf } from "./agent.ts";

const golden = (name: string) =>
  openTextDirectory(fileURLToPath(new URL(`../../../tests/golden/hf-${name}`, import.meta.url)));

const configOf = (fields: Record<string, unknown> = {}) =>
  resolveConfig({
    recipe: "loop",
    overrides: { "engine.model": "somewhere", "scaffold.name": "react", ...fields },
  });

describe("the react agent", () => {
  it("speaks in the model's template, and cuts observations by its tokens", () => {
    const text = golden("qwen2");
    const { scaffold, renderer } = agentOf(
      configOf({ "scaffold.maxObservationTokens": 16 }),
      text.tokenizer,
      text,
    );
    expect(scaffold.name).toBe("react");
    expect(renderer.forcedEnd).toEqual([text.tokenizer.special("<|im_end|>")]);
    const observe = (config = configOf()) =>
      agentOf(config, text.tokenizer, text).scaffold.observe(
        fakeTask(),
        stepResult({ text: "one two three ".repeat(40) }),
      ).content;
    const short = observe(configOf({ "scaffold.maxObservationTokens": 16 }));
    expect(short).toMatch(/\[cut: this is \d+ of 560 characters\]/);
    expect(observe()).not.toContain("[cut");
    // Without a tokenizer the cut is by characters: enough to look at.
    const looking = scaffoldOf(configOf({ "scaffold.maxObservationTokens": 16 }));
    expect(looking.observe(fakeTask(), stepResult({ text: "x".repeat(100) })).content).toContain(
      "[cut: this is 48 of 100 characters]",
    );
  });

  it("lets a model think that can, and refuses the wish where none can", () => {
    const text = golden("qwen3");
    const headerOf = (thinking: boolean) => {
      const config = configOf({ "scaffold.thinking": thinking });
      const { renderer } = agentOf(config, text.tokenizer, text);
      return text.tokenizer.decode(renderer.next({ role: "environment", content: "5" }));
    };
    expect(headerOf(false)).toContain("<think>\n\n</think>");
    expect(headerOf(true)).not.toContain("<think>");
    const other = golden("qwen2");
    expect(() => agentOf(configOf({ "scaffold.thinking": true }), other.tokenizer, other)).toThrow(
      /scaffold.thinking: the model's chat template has no mode for thinking/,
    );
  });

  it("needs a published model", () => {
    const { tokenizer } = golden("qwen2");
    expect(() => agentOf(configOf(), tokenizer)).toThrow(/scaffold.name: react needs/);
  });
});
