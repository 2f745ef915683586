/** Addresses inside one world. A world is itself only together with its seed, so each carries it (1 is not written). */
import { type Address, addressOf } from "./address.ts";

export interface WorldPlace {
  readonly world: string;
  readonly seed: number;
}

export function worldPlace(name: string, address: Address): WorldPlace {
  const { seed } = address.query;
  return { world: name, seed: seed !== undefined && /^\d{1,9}$/.test(seed) ? Number(seed) : 1 };
}

/** `worldAddress(place, ["tables", "mail.mails"], { find: "#12" })` */
export function worldAddress(
  { world, seed }: WorldPlace,
  path: readonly string[] = [],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  return addressOf(["worlds", world, ...path], { ...query, seed: seed === 1 ? undefined : seed });
}

/** What the server is asked for the same place. */
export function worldPath({ world }: WorldPlace, path: readonly string[] = []): string[] {
  return ["worlds", world, ...path];
}
