import { describe, expect, test } from "vitest";
import { explainUnknownName, readQuery, stem, synonymsOf } from "./index.ts";

describe("the words of a search", () => {
  test.each([
    ["pay", ["pays", "paid", "payment", "payments", "paying"]],
    ["invite", ["invites", "invited", "inviting", "invitation", "invitations"]],
    ["copy", ["copies", "copied"]],
    ["expire", ["expires", "expiry"]],
    ["class", ["classes"]],
  ])("the forms of %s have one stem", (word, forms) => {
    for (const form of forms) expect(stem(form), form).toBe(stem(word));
  });

  test("a short word keeps its letters", () => {
    expect(["us", "bed", "king", "bus"].map(stem)).toEqual(["us", "bed", "king", "bus"]);
  });

  test("a query loses words that say nothing, unless it has no others", () => {
    expect(readQuery("how do I send an e-mail to my sister?")).toEqual(["send", "mail", "sist"]);
    expect(readQuery("what is it")).toHaveLength(3);
  });

  test("a phrase of several words is read as its meaning", () => {
    expect(readQuery("turn down an invitation")).toEqual(["declin", "invit"]);
    expect(readQuery("turn down the volume")).toEqual(["turn", "down", "volum"]);
    expect(readQuery("send the shoes back")).toEqual(["return", "sho"]);
  });

  test("synonyms hold in both directions", () => {
    expect(synonymsOf(stem("delete"))).toContain(stem("remove"));
    expect(synonymsOf(stem("remove"))).toContain(stem("delete"));
  });
});

describe("a name that does not exist", () => {
  const known = ["send", "reply", "remove", "archive", "star", "unstar", "list", "markRead"];
  const explain = (name: string) => explainUnknownName("mail has no API", name, known, '"');

  test.each([
    ["sned", 'did you mean "send"?'],
    ["Mark_read", 'did you mean "markRead"?'],
  ])("is answered by the one name that was meant after a slip: %s", (name, hint) => {
    expect(explain(name)).toBe(`mail has no API "${name}"; ${hint}`);
  });

  test.each([
    ["delete", "remove"],
    ["answer", "reply"],
    ["sendMail", "send"],
    ["x", "send"],
  ])("is answered by the three nearest names: %s", (name, nearest) => {
    const [, hint = ""] = explain(name).split("did you mean ");
    expect(hint.match(/"\w+"/g)).toHaveLength(3);
    expect(hint).toContain(`"${nearest}"`);
  });

  test("is answered by all names when there are few", () => {
    expect(explainUnknownName("there is no app", "x", ["mail", "pay"], "'")).toBe(
      "there is no app 'x'; there are mail, pay",
    );
  });
});
