import { describe, expect, it } from "vitest";
import { parseApiDoc } from "./api-doc.ts";

describe("what documentation says beyond parameters", () => {
  it("is read where it is there", () => {
    const doc = { call: "apis.a.b()", returns: "{}", params: [], example: 3 };
    expect(parseApiDoc(JSON.stringify(doc))).toEqual({ call: "apis.a.b()", returns: "{}" });
  });

  it.each(["", "null", "[]", "text", '"x"', "{"])("is nothing of %j", (text) => {
    expect(parseApiDoc(text)).toEqual({});
  });
});
