/** On how many cases a property is tried: some in `npm test`, many where BOWLINE_AT_LENGTH is set. */
export function atLength<T>(some: T, many: T): T {
  return process.env["BOWLINE_AT_LENGTH"] ? many : some;
}
