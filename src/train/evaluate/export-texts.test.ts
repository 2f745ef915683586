/** Tests that the card of an exported policy tells other programs how to write its prompts. */
import { expect, it } from "vitest";
import { byteTokenizer } from "../../testing/byte-tokenizer.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { makeExportTexts } from "./export-texts.ts";

it.each([
  [
    "fenced",
    "Each answer is one fenced block of JavaScript",
    "At most 12 turns, 256 tokens a turn",
  ],
  [
    "react",
    "Each answer holds thoughts and one fenced block",
    "At most 40 turns, 1500 tokens a turn",
  ],
  ["tools", "Each answer is one call or several of functions", "At most 40 turns, 768 tokens"],
] as const)(
  "the card names the function that writes messages of the scaffold %s",
  (name, answer, limits) => {
    const overrides = { "scaffold.name": name, "engine.model": "models/some" };
    const card = makeExportTexts({
      config: resolveConfig({ overrides }),
      form: "merged",
      base: undefined,
      isOwn: false,
      isTrained: true,
      tokenizer: byteTokenizer(),
      out: "exported",
    })["README.md"]!;
    expect(card).toContain(`import { ${name}Scaffold } from "bowline/agent";`);
    expect(card).toContain(answer);
    expect(card).toContain(limits);
  },
);

it.each([
  ["compact", "<|code|>CODE<|run|>WHAT IT PRINTED<|code|>", "The model writes JavaScript after"],
  ["compact-tools", "<|code|>CALLS<|run|>ANSWERS<|code|>", "The model writes calls such as `mail"],
])("the card shows the markers of the scaffold %s", (name, row, what) => {
  const card = makeExportTexts({
    config: resolveConfig({ overrides: { "scaffold.name": name } }),
    form: "merged",
    base: undefined,
    isOwn: true,
    isTrained: true,
    tokenizer: byteTokenizer(),
    out: "exported",
  })["README.md"]!;
  for (const text of [`Scaffold \`${name}\``, row, what]) expect(card).toContain(text);
});
