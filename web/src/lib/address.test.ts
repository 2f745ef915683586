import { describe, expect, it } from "vitest";
import { buildAddress, parseAddress } from "./address.ts";

describe("page addresses", () => {
  it("keep segments with slashes and repeated query names", () => {
    const address = buildAddress(["runs", "a/b"], { run: ["x", "y"], q: "a b", none: undefined });
    expect(address).toBe("#/runs/a%2Fb?run=x&run=y&q=a+b");
    expect(parseAddress(address)).toEqual({
      path: ["runs", "a/b"],
      query: { run: "y", q: "a b" },
      queryValues: { run: ["x", "y"], q: ["a b"] },
    });
  });
});
