/**
 * How many cases a property is tried on: some in `npm test`, so that a mistake is found in minutes, and many in
 * `npm run test:slow`, which runs the same files with BOWLINE_AT_LENGTH set.
 */
export function atLength(some: number, many: number): number {
  return process.env["BOWLINE_AT_LENGTH"] ? many : some;
}
