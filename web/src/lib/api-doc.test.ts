import { describe, expect, it } from "vitest";
import { parseApiDoc } from "./api-doc.ts";

describe("the documentation of an API", () => {
  it("its text is parsed for the call and the return value", () => {
    const doc = { call: "apis.a.b()", returns: "{}", params: [], example: 3 };
    expect(parseApiDoc(JSON.stringify(doc))).toEqual({ call: "apis.a.b()", returns: "{}" });
  });

  it.each(["", "null", "[]", "text", '"x"', "{"])("the result is empty for the text %j", (text) => {
    expect(parseApiDoc(text)).toEqual({});
  });
});
