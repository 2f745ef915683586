/**
 * Computes temperatures for groups whose rollouts are sampled at different temperatures. Only methods without
 * importance ratios can use this, because ratios need a single temperature.
 */
/** The temperatures of a group. */
interface TemperatureOptions {
  readonly temperature: number;
  readonly groupSize: number;
  /** Temperature of the first rollout. When null or absent, all rollouts have `temperature`. */
  readonly lowestTemperature?: number | null;
}

/**
 * Returns the temperature of a rollout in its group. Temperatures rise in even steps from the lowest to the configured
 * one.
 */
export function temperatureAtIndex(
  index: number,
  { lowestTemperature, temperature, groupSize }: TemperatureOptions,
): number {
  const low = lowestTemperature ?? temperature;
  return low + ((temperature - low) * index) / (groupSize - 1);
}

/** Returns a sentence when the lowest temperature is above the configured one, else undefined. */
export function findTemperatureConflict({
  algo: { lowestTemperature, temperature },
}: {
  readonly algo: TemperatureOptions;
}): string | undefined {
  if ((lowestTemperature ?? null) === null || lowestTemperature! <= temperature) return undefined;
  return `algo.lowestTemperature: expected at most algo.temperature (${temperature}), got ${lowestTemperature}`;
}
