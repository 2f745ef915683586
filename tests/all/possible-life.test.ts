/** Tests the rules of a possible life over fifty populations of `everyday`, as `world check --life` does. */

import { expect, test } from "vitest";
import { resolveWorld } from "../../src/train/index.ts";
import { checkLife } from "../../src/world/index.ts";

test("fifty populations of everyday keep all rules of life", async () => {
  const { rules } = await checkLife(resolveWorld("everyday").url, { seed: 1, seeds: 50 });
  expect(rules).toHaveLength(17);
  expect(rules.filter(({ violations }) => violations > 0)).toEqual([]);
}, 300_000);
