import { expect, test } from "vitest";
import { formatTokenNumber } from "../views/rollout/tokens/format-token-number.ts";
import { formatCompact, formatDecimals, formatInterval } from "./format.ts";

test("numbers have a minus sign and not a hyphen, and a rest of rounding is 0", () => {
  expect(formatDecimals(-0.857, 2)).toBe("−0.86");
  expect(formatDecimals(-0.001, 2)).toBe("0.00");
  expect(formatDecimals(1, 3)).toBe("1.000");
  expect(formatInterval([-0.28, 0.072])).toBe("[−28.0, 7.2]");
  expect([1.3e-16, -1.3e-16, -0].map(formatCompact)).toEqual(["0", "0", "0"]);
  expect(formatTokenNumber(-1.3e-16)).toBe("0.0000");
  expect(formatCompact(-0.0238)).toBe("−0.0238");
});
