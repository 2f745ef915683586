import { expect, test } from "vitest";
import { renderHandlerExceptions } from "./handler-exceptions.ts";

const exceptions = { count: 3, first: `house.light({}) threw ${"a long reason ".repeat(20)}` };

test.each([60, 100, 200])(
  "the warning about a world's bug fits into %i columns, and 100 at most",
  (columns) => {
    const text = renderHandlerExceptions(exceptions, { paint: (_, text) => text, columns })!;
    const [, ...rest] = text.split("\n");
    const widths = rest.map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(Math.min(columns, 100));
    expect(Math.max(...widths)).toBeGreaterThan(Math.min(columns, 100) - 25);
    expect(
      renderHandlerExceptions(undefined, { paint: (_, text) => text, columns }),
    ).toBeUndefined();
  },
);
