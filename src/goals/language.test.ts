import { expect, test } from "vitest";
import { Rng } from "../core/index.ts";
import { lowerFirstLetter, plainLanguage } from "./language.ts";

test("only the first letter of a sentence is lowered, and I and the language's own names keep theirs", () => {
  const language = { keepsCapital: (word: string) => word === "Elif" };
  expect(lowerFirstLetter("Archive The Mail", language)).toBe("archive The Mail");
  expect(lowerFirstLetter("I'd like it", language)).toBe("I'd like it");
  expect(lowerFirstLetter("Elif's mail", language)).toBe("Elif's mail");
});

test("a world without people counts days from its first instant, says everything, and names what it lacks", () => {
  const language = plainLanguage("2026-02-27T23:30:00Z");
  expect([0, 1, 2, -1].map(language.dayAfter)).toEqual([
    ...["2026-02-27", "2026-02-28", "2026-03-01", "2026-02-26"],
  ]);
  expect(language.namesStrangers("Ida", "train")).toBe(false);
  expect(language.canMention({ id: 1 }, "train")).toBe(true);
  expect(language.keepsCapital("Monday")).toBe(false);
  expect(() => language.findPerson({ name: "Ida" } as never, "x")).toThrow(/names Ida.*findPerson/);
  expect(() => language.sentence(new Rng(1), "train", "mail.reply")).toThrow(/no sentence/);
  expect(
    plainLanguage("2026-02-27", { sentence: () => "hi" }).sentence(new Rng(1), "dev", "mail.reply"),
  ).toBe("hi");
});
