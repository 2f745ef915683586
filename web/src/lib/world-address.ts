/**
 * Addresses inside one world. A world is itself only together with its seed, so each carries it (1 is not written), or the
 * run whose seed and dials it has.
 */
import { type Address, buildAddress } from "./address.ts";

export interface WorldPlace {
  readonly world: string;
  readonly seed: number;
  /** As this run has the world; the seed does not count then. */
  readonly run?: string | undefined;
}

export function parseWorldPlace(name: string, address: Address): WorldPlace {
  const { seed, run } = address.query;
  const isSeed = seed !== undefined && /^\d{1,9}$/.test(seed);
  return { world: name, seed: isSeed ? Number(seed) : 1, ...(run && { run }) };
}

/** `worldAddress(place, ["tables", "mail.mails"], { find: "#12" })` */
export function worldAddress(
  { world, seed, run }: WorldPlace,
  path: readonly string[] = [],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const which = run === undefined ? { seed: seed === 1 ? undefined : seed } : { run };
  return buildAddress(["worlds", world, ...path], { ...query, ...which });
}

/** What the server is asked for the same place. */
export function worldApiPath({ world }: WorldPlace, path: readonly string[] = []): string[] {
  return ["worlds", world, ...path];
}

export function worldApiQuery({
  seed,
  run,
}: WorldPlace): Readonly<Record<string, string | number>> {
  return run === undefined ? { seed } : { run };
}
