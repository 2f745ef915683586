/**
 * On how many cases, or on which, a property is tried: some in `npm test`, so that a mistake is found in minutes, and many in
 * `npm run test:slow`, which runs the same files with BOWLINE_AT_LENGTH set.
 */
export function atLength<T>(some: T, many: T): T {
  return process.env["BOWLINE_AT_LENGTH"] ? many : some;
}
