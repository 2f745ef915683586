import { describe, expect, it } from "vitest";
import { buildAddress, parseAddress } from "./address.ts";

describe("addresses", () => {
  it("keeps segments with slashes and repeated names of the query", () => {
    const address = buildAddress(["runs", "a/b"], { run: ["x", "y"], q: "a b", none: undefined });
    expect(address).toBe("#/runs/a%2Fb?run=x&run=y&q=a+b");
    expect(parseAddress(address)).toEqual({
      path: ["runs", "a/b"],
      query: { run: "y", q: "a b" },
      queryValues: { run: ["x", "y"], q: ["a b"] },
    });
  });
});
