/**
 * The documentation is so: every command, program and file of the README and of `docs/` is followed, in order, in an empty
 * project with the package as it ships, and what it says is printed is printed. What is marked as needing hardware, a
 * network or minutes is left out. The guide, and training that takes minutes, cut short, are `docs-guide.test.ts`.
 */
import { expect, test } from "vitest";
import { reading, rest } from "../support/docs/reading.ts";

const { page, ran } = reading();

test.each(rest)("%s", (path) =>
  page(path, path.replace(/^docs\/|\.md$/g, "").replaceAll("/", "-")),
);

test("there was something to do", () => {
  expect(ran.length).toBeGreaterThan(20);
});
