import { describe, expect, test } from "vitest";
import { ApiIndex } from "./search-apis.ts";

const pay = { name: "pay", summary: "Payments to and from contacts." };
const files = { name: "files", summary: "Files in folders." };
const APIS = [
  { name: "pay.send", summary: "Pay someone.", app: pay, params: "to the receiver amount dollars" },
  { name: "pay.cancel", summary: "Cancel a pending request.", app: pay, params: "id" },
  { name: "files.send", summary: "Send a file to a contact.", app: files, params: "id to" },
  { name: "files.trash", summary: "Move a file to the trash.", app: files, params: "id" },
  { name: "files.papers", summary: "List papers.", app: files, params: "kind passport visa" },
];
const search = (query: string) => new ApiIndex(APIS).search(query).map(({ name }) => name);

describe("the search of APIs", () => {
  test("finds an API by a synonym of its words", () => {
    expect(search("delete a document")[0]).toBe("files.trash");
    expect(search("transfer money")[0]).toBe("pay.send");
  });

  test("finds an API by the words that a parameter may have", () => {
    expect(search("passport")).toEqual(["files.papers"]);
  });

  test("ranks the API whose name has the word before others", () => {
    expect(search("send a file")[0]).toBe("files.send");
    expect(search("cancel")[0]).toBe("pay.cancel");
  });

  test("finds nothing for words that neither an API nor a synonym has", () => {
    expect(search("zebra")).toEqual([]);
    expect(search("the of")).toEqual([]);
  });
});
