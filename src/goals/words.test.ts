import { expect, test } from "vitest";
import { addPunctuation, joinClauses, orderClauses } from "./words.ts";

test("a question ends with a question mark, even if it is the second of two goals", () => {
  expect(addPunctuation("Archive it")).toBe("Archive it.");
  expect(addPunctuation("What is the total")).toBe("What is the total?");
  expect(addPunctuation("Archive it. And please what is the total")).toMatch(/total\?$/);
  expect(addPunctuation("What is it. Also, archive it")).toMatch(/it\.$/);
  expect(addPunctuation("On average, what is it? Round to two decimals")).toMatch(/decimals\.$/);
});

test("phrases come before relative clauses, and only relative clauses are joined by a conjunction", () => {
  const texts = ["that are read", "from Amara", "which I starred"].map((text) => ({ text }));
  const ordered = orderClauses(texts).map(({ text }) => text);
  expect(joinClauses(ordered)).toBe("from Amara that are read and which I starred");
});
