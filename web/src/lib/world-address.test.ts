import { describe, expect, it } from "vitest";
import { parseAddress } from "./address.ts";
import { parseWorldPlace, worldAddress, worldApiQuery } from "./world-address.ts";

const parsePlace = (hash: string) => parseWorldPlace("everyday/starter", parseAddress(hash));

describe("the address of a place in a world", () => {
  it("contains the world's name as one segment, and the seed unless the seed is 1", () => {
    const first = parsePlace("#/worlds/everyday%2Fstarter");
    expect(worldAddress(first, ["apps", "mail"])).toBe("#/worlds/everyday%2Fstarter/apps/mail");
    const second = parsePlace("#/worlds/everyday%2Fstarter?seed=2");
    expect(worldAddress(second, [], { find: "#1" })).toContain("seed=2");
    expect(worldApiQuery(second)).toEqual({ seed: 2 });
  });

  it("contains the run instead of the seed if there is one", () => {
    const place = parsePlace("#/worlds/everyday%2Fstarter?seed=2&run=a%2Fb");
    expect(worldApiQuery(place)).toEqual({ run: "a/b" });
    expect(worldAddress(place)).toBe("#/worlds/everyday%2Fstarter?run=a%2Fb");
  });

  it("ignores an invalid seed", () => {
    expect(parsePlace("#/worlds/x?seed=-1").seed).toBe(1);
    expect(parsePlace("#/worlds/x?seed=two").seed).toBe(1);
  });
});
