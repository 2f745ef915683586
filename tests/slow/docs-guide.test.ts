/**
 * The documentation is so, its guide: read from the first page to the last in one folder, as `docs.test.ts` reads the rest.
 * And what trains for minutes on any page is tried, cut short.
 */
import { expect, test } from "vitest";
import { createDocsReader, GUIDE_PAGES, TRAINING_COMMANDS } from "../support/docs/follow-docs.ts";
import { drawCases } from "../support/sweep.ts";

const { page, training, ran } = createDocsReader();

test.each(GUIDE_PAGES)("%s", (path) => page(path, "guide"));

test.each(drawCases(TRAINING_COMMANDS, 0.3))(
  "$path:$line trains for minutes, and cut short it ends",
  (found) => training(found),
);

test("there was something to do", () => {
  expect(ran.length).toBeGreaterThan(20);
});
