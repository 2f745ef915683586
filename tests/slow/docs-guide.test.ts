/**
 * Follows the guide from the first page to the last in one folder, as `docs.test.ts` follows the other pages. Also runs
 * commands of all pages that train for minutes, shortened.
 */
import { expect, test } from "vitest";
import { createDocsReader, GUIDE_PAGES, TRAINING_COMMANDS } from "../support/docs/follow-docs.ts";
import { drawCases } from "../support/sweep.ts";

const { followPage, runTraining, finished } = createDocsReader();

test.each(GUIDE_PAGES)("every command and program on the page %s works as the page says", (path) =>
  followPage(path, "guide"),
);

test.each(drawCases(TRAINING_COMMANDS))(
  "the training command at $path:$line succeeds with fewer iterations",
  (training) => runTraining(training),
);

test("more than 20 blocks of commands ran", () => {
  expect(finished.length).toBeGreaterThan(20);
});
