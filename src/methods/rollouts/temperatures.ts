/**
 * Groups that are sampled at steps of temperature, for methods without importance ratios, which need one temperature.
 */
interface TemperatureOptions {
  readonly temperature: number;
  readonly groupSize: number;
  /** Null or absent: all at `temperature`. */
  readonly lowestTemperature?: number | null;
}

/** Even steps over the group, from the lowest temperature to the configured one. */
export function temperatureOfIndex(
  index: number,
  { lowestTemperature, temperature, groupSize }: TemperatureOptions,
): number {
  const low = lowestTemperature ?? temperature;
  return low + ((temperature - low) * index) / (groupSize - 1);
}

/** Undefined when all is well. */
export function findTemperatureConflict({
  algo: { lowestTemperature, temperature },
}: {
  readonly algo: TemperatureOptions;
}): string | undefined {
  if ((lowestTemperature ?? null) === null || lowestTemperature! <= temperature) return undefined;
  return `algo.lowestTemperature: expected at most algo.temperature (${temperature}), came ${lowestTemperature}`;
}
