/** The prices of tokens, which are fields of the section `budget`. */

/** The prices of one million tokens of each kind, in any currency. */
export interface TokenPrices {
  readonly prefillPrice: number;
  /**
   * The price of prompt tokens that the server has in its cache; null when it equals the price of other prompt tokens.
   */
  readonly cachedPrice: number | null;
  readonly samplePrice: number;
  readonly trainPrice: number;
}

/** Returns true when any kind of token has a price above 0. */
export function isPriced({ prefillPrice, cachedPrice, samplePrice, trainPrice }: TokenPrices) {
  return [prefillPrice, cachedPrice ?? 0, samplePrice, trainPrice].some((price) => price > 0);
}
