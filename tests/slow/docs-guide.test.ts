/**
 * The documentation is so, its guide: read from the first page to the last in one folder, as `docs.test.ts` reads the rest.
 * And what trains for minutes on any page is tried, cut short.
 */
import { expect, test } from "vitest";
import { guide, reading, trainings } from "../support/docs/follow-docs.ts";
import { drawCases } from "../support/sweep.ts";

const { page, training, ran } = reading();

test.each(guide)("%s", (path) => page(path, "guide"));

test.each(drawCases(trainings, 0.3))(
  "$path:$line trains for minutes, and cut short it ends",
  (found) => training(found),
);

test("there was something to do", () => {
  expect(ran.length).toBeGreaterThan(20);
});
