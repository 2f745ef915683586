/**
 * The rule for cents that do not divide: everyone gets the whole cents of an equal part, and the cents that are left
 * go one each to the first of the list. $10 among three is 3.34, 3.33, 3.33.
 */
export function equalParts(cents: number, count: number): number[] {
  const part = Math.floor(cents / count);
  return Array.from({ length: count }, (_, i) => part + (i < cents - part * count ? 1 : 0));
}
