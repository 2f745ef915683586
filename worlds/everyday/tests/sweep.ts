/** Returns how many cases of a property are tried: `few`, or `many` in a whole sweep (`npm run test:all`). */
export function sweepSize<T>(few: T, many: T): T {
  return process.env["BOWLINE_SWEEP"] === "whole" ? many : few;
}
