/**
 * Splits cents into equal parts. Cents that cannot be divided equally are added one by one to the first parts: $10
 * among three is 3.34, 3.33, 3.33.
 */
export function splitEqually(cents: number, count: number): number[] {
  const part = Math.floor(cents / count);
  return Array.from({ length: count }, (_, i) => part + (i < cents - part * count ? 1 : 0));
}
