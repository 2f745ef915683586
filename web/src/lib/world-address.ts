/**
 * Addresses inside a world. A world is identified together with its seed, so each address contains the seed (unless it
 * is 1) or the run whose seed and dials apply.
 */
import { type Address, buildAddress } from "./address.ts";

export interface WorldPlace {
  readonly world: string;
  readonly seed: number;
  /** The run whose seed and dials apply; `seed` is then ignored. */
  readonly run?: string | undefined;
}

export function parseWorldPlace(name: string, address: Address): WorldPlace {
  const { seed, run } = address.query;
  const isSeed = seed !== undefined && /^\d{1,9}$/.test(seed);
  return { world: name, seed: isSeed ? Number(seed) : 1, ...(run && { run }) };
}

/** Builds a page address, as in `worldAddress(place, ["tables", "mail.mails"], { find: "#12" })`. */
export function worldAddress(
  { world, seed, run }: WorldPlace,
  path: readonly string[] = [],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const which = run === undefined ? { seed: seed === 1 ? undefined : seed } : { run };
  return buildAddress(["worlds", world, ...path], { ...query, ...which });
}

/** Returns the API path of a place in a world. */
export function worldApiPath({ world }: WorldPlace, path: readonly string[] = []): string[] {
  return ["worlds", world, ...path];
}

export function worldApiQuery({
  seed,
  run,
}: WorldPlace): Readonly<Record<string, string | number>> {
  return run === undefined ? { seed } : { run };
}
