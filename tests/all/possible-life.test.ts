/** Tests the rules of a possible life over fifty populations of `everyday`, as `world check --life` does. */

import { expect, test } from "vitest";
import { resolveWorld } from "../../src/train/index.ts";
import { checkLife } from "../../src/world/index.ts";

test("fifty populations of everyday keep all rules of life but the one about mail of strangers", async () => {
  const { rules } = await checkLife(resolveWorld("everyday").url, { seed: 1, seeds: 50 });
  const broken = rules.filter(({ violations }) => violations > 0);
  expect(broken.map(({ rule }) => rule)).toEqual(["companies and strangers write"]);
}, 300_000);
