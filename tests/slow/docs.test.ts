/**
 * Follows the README and the pages of `docs/` in an empty project that has the packed package. The test runs the
 * commands and programs of a page in order, and they must print what the page says. Blocks of commands that need
 * hardware, a network or minutes are left out. A tenth of the pages is drawn each day. `docs-guide.test.ts` follows the
 * guide, and training commands that it shortens.
 */
import { expect, test } from "vitest";
import { createDocsReader, OTHER_PAGES } from "../support/docs/follow-docs.ts";
import { drawCases } from "../support/sweep.ts";

const { followPage, finished } = createDocsReader();

const [readme, ...others] = OTHER_PAGES;

test.each([readme!, ...drawCases(others, 0.1)])(
  "every command and program on the page %s works as the page says",
  (path) => followPage(path, path.replace(/^docs\/|\.md$/g, "").replaceAll("/", "-")),
);

test("more than three blocks of commands ran", () => {
  expect(finished.length).toBeGreaterThan(3);
});
