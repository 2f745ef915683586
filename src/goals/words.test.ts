import { expect, test } from "vitest";
import {
  addPunctuation,
  introduceLookedUp,
  isMisplacedAfter,
  joinClauses,
  joinNoun,
  orderClauses,
  sayPronoun,
  toSingularPronouns,
} from "./words.ts";

test("a question ends with a question mark, even if it is the second of two goals", () => {
  expect(addPunctuation("Archive it")).toBe("Archive it.");
  expect(addPunctuation("What is the total")).toBe("What is the total?");
  expect(addPunctuation("Archive it. And please what is the total")).toMatch(/total\?$/);
  expect(addPunctuation("What is it. Also, archive it")).toMatch(/it\.$/);
  expect(addPunctuation("On average, what is it? Round to two decimals")).toMatch(/decimals\.$/);
});

test("phrases come before relative clauses, and only relative clauses are joined by a conjunction", () => {
  const texts = ["that are read", "from Amara", "which I starred"].map((text) => ({ text }));
  const ordered = orderClauses(texts).map(({ text }) => text);
  expect(joinClauses(ordered)).toBe("from Amara that are read and which I starred");
});

test("a noun that ends with a relative clause needs a conjunction before another one", () => {
  expect(joinNoun("notes that are mine", ["whose tag is red"])).toBe(
    "notes that are mine and whose tag is red",
  );
  expect(joinNoun("notes that are mine", ["in the archive"])).toBe(
    "notes that are mine in the archive",
  );
  expect(joinNoun("notes", ["that are pinned"])).toBe("notes that are pinned");
  expect(joinNoun("notes with a tag", ["with a pin"])).toBe("notes with a tag and with a pin");
  expect(isMisplacedAfter("notes that are mine", "in the archive")).toBe(true);
});

test("a pronoun stands where people put it", () => {
  expect(sayPronoun("Call off them")).toBe("Call them off");
  expect(sayPronoun("Let 3 May be the due day of it")).toBe("Let 3 May be its due day");
  expect(sayPronoun("Add a line at the end of the text of them")).toBe(
    "Add a line at the end of their text",
  );
  expect(sayPronoun("Write it at the end of them")).toBe("Write it at the end of them");
  expect(sayPronoun("Take the follow-up off them")).toBe("Take the follow-up off them");
});

test("a text that is looked up is not mistaken for the word before it", () => {
  expect(introduceLookedUp("Add the comment the door code to it", "the door code")).toBe(
    "Add the comment consisting of the door code to it",
  );
  expect(introduceLookedUp("Answer it with the door code", "the door code")).toBe(
    "Answer it with the door code",
  );
});

test("a clause for a single thing says it and its, except in quotation marks", () => {
  expect(toSingularPronouns('with "their" in their text')).toBe('with "their" in its text');
  expect(toSingularPronouns("with a lock on them")).toBe("with a lock on it");
});
