/**
 * The documentation is true: every command, program and file of the README and of `docs/` is followed, in order, in an empty
 * project with the package as it ships, and what it says is printed is printed. What is marked as needing hardware, a
 * network or minutes is left out. Of the pages beside the README a fifth is drawn each day. The guide, and training that takes minutes, cut short, are `docs-guide.test.ts`.
 */
import { expect, test } from "vitest";
import { createDocsReader, OTHER_PAGES } from "../support/docs/follow-docs.ts";
import { drawCases } from "../support/sweep.ts";

const { page, ran } = createDocsReader();

const [readme, ...others] = OTHER_PAGES;

test.each([readme!, ...drawCases(others, 0.2)])("%s", (path) =>
  page(path, path.replace(/^docs\/|\.md$/g, "").replaceAll("/", "-")),
);

test("there was something to do", () => {
  expect(ran.length).toBeGreaterThan(5);
});
