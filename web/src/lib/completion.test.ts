import { javascript } from "@codemirror/lang-javascript";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import type { AppView } from "../../../src/spec/studio/index.ts";
import { findCursorPlace, listApiChoices, listParameterChoices } from "./completion.ts";

/** Finds the place of the cursor in code. A `|` in the code marks the cursor. */
function findPlaceIn(code: string) {
  const at = code.indexOf("|");
  const doc = code.replace("|", "");
  return findCursorPlace(EditorState.create({ doc, extensions: [javascript()] }), at);
}

const MAIL: AppView = {
  name: "mail",
  summary: "Mail.",
  apis: [
    {
      name: "list",
      summary: "List mails.",
      parameters: [
        { name: "page", type: "integer", required: false, description: "the page" },
        { name: "box", type: "string", required: true, description: "which box" },
      ],
      text: "",
    },
  ],
};

describe("the place of the cursor", () => {
  it.each([
    ["apis.|", { kind: "app", from: 5 }],
    ["var a = await apis.ma|", { kind: "app", from: 19 }],
    ["print(apis.|)", { kind: "app", from: 11 }],
    ["apis.mail.|", { kind: "api", from: 10, app: "mail" }],
    ["apis\n  .mail\n  .li|", { kind: "api", from: 16, app: "mail" }],
    ["apis.mail.li|;print(1)", { kind: "api", from: 10, app: "mail" }],
  ])("is an app or an API after a dot: %j", (code, expected) => {
    expect(findPlaceIn(code)).toEqual(expected);
  });

  it.each([
    ["apis.mail.list({|})", []],
    ["apis.mail.list({ |", []],
    ["apis.mail.list({ pa|", []],
    ["apis.mail.list({ page: 1, | })", ["page"]],
    ["apis.mail.list({ page: f(2, [3]), bo| })", ["page"]],
    ["apis.mail.list({ |, box: 1 })", ["box"]],
    ["s.forEach(x => apis.mail.list({ page, b|}))", ["page"]],
  ])("is a parameter inside the object of an API call: %j", (code, presentNames) => {
    expect(findPlaceIn(code)).toMatchObject({
      kind: "parameter",
      app: "mail",
      api: "list",
      presentNames,
    });
  });

  it.each([
    "|",
    "api.|",
    "x.apis.|",
    "'apis.|'",
    "`apis.|`",
    "// apis.|",
    "apis.mail.list(|)",
    "apis.mail.list({ page: | })",
    "apis.mail.list({ page: [1, | ] })",
    "apis.mail.list({ page: { | } })",
    "apis.mail.list({ page: f(1, | ) })",
    "f({ | })",
    "if (a) { | }",
    "apis.mail.list(x => { | })",
  ])("has no completions: %j", (code) => {
    expect(findPlaceIn(code)).toBeUndefined();
  });

  it("is found inside an expression of a template literal", () => {
    expect(findPlaceIn(["`$", "{apis.|}`"].join(""))).toMatchObject({ kind: "app" });
  });
});

describe("the choices of a completion", () => {
  it("show an API with its parameters", () => {
    expect(listApiChoices(MAIL)).toEqual([
      { label: "list", detail: "(page?, box)", info: "List mails.", type: "method" },
    ]);
  });

  it("list required parameters first and leave out those that are already in the call", () => {
    const labels = (given: string[]) =>
      listParameterChoices(MAIL, "list", given).map((c) => c.label);
    expect(labels([])).toEqual(["box", "page"]);
    expect(labels(["box"])).toEqual(["page"]);
    expect(listParameterChoices(MAIL, "other", [])).toEqual([]);
  });
});
