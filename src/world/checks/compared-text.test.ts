import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparedText } from "./compared-text.ts";

const isSame = (a: string, b: string) => comparedText(a) === comparedText(b);

test.each([
  ["See you at 8!", "see you at 8"],
  ["See you at 8.", "See  you\nat 8"],
  ["It costs $87.21.", "it costs $87.21"],
  ["5 km", "5KM"],
  ["Rows 5, 6 and 7", "rows 5 6 and 7"],
  ["Hi Amara - how is it?", "hi, Amara: how is it"],
  ['Call it "Blue 5" (now)', "call it Blue 5 now"],
  ["3 - 1", "3-1"],
  ["3–1", "3-1"],
  ["−5", "-5"],
  ["10-day trip", "10 day trip"],
  ["Covid-19", "covid 19"],
  ["No.5", "no. 5"],
  ["ＡＢＣ １２", "abc 12"],
  ["Zoe\u0308", "Zoë"],
  ["soft\u00ADhyphen", "softhyphen"],
  ["don’t", "don't"],
  ["Good 👍🏽", "good 👍"],
  [" ++ ", "++"],
])("%j and %j say the same", (a, b) => {
  expect([comparedText(a), isSame(a, b)]).toEqual([comparedText(b), true]);
});

test.each([
  ["$87.21", "8721"],
  ["$87.21", "$872.1"],
  ["$87.21", "87.21"],
  ["$5", "€5"],
  ["2.5 km", "25 km"],
  ["2.5 km", "2.5 m"],
  ["costs .5", "costs 5"],
  ["3-1", "31"],
  ["1:23", "12:3"],
  ["1:23", "123"],
  ["1,5", "15"],
  ["5. 3 came", "5.3 came"],
  ["5/day", "5 day"],
  ["1/2", "12"],
  ["1½", "11/2"],
  ["5²", "52"],
  ["-5", "5"],
  ["-$5", "$5"],
  ["it is -.5", "it is .5"],
  ["+5", "-5"],
  ["5%", "5"],
  ["20°", "20"],
  ["1 2", "12"],
  ["2 h 30", "2 30"],
  ["2026-03-12", "20260312"],
  ["v1.2.3", "v12.3"],
  ["10.0.0.1", "100.0.1"],
  ["C++", "c"],
  ["C#", "C"],
  ["R&D", "RD"],
  ["कि", "का"],
  ["Great 👍", "Great 👎"],
  ["++", "--"],
  ["?", "!"],
])("%j and %j say different things", (a, b) => {
  expect(isSame(a, b)).toBe(false);
});

const word = fc.stringMatching(/^[a-zA-Zéß]{1,8}$/);
const number = fc
  .tuple(fc.constantFrom("", "-", "$", "-$"), fc.nat(9999), fc.constantFrom("", ".25", ":07"))
  .map(([sign, whole, rest]) => `${sign}${whole}${rest}`);
const parts = fc.array(fc.oneof(word, number), { minLength: 1, maxLength: 8 });

describe("for any text of words and numbers", () => {
  test("case, spacing and closing punctuation do not count", () => {
    const ending = fc.constantFrom("", ",", ".", "!", "?", ";", ":", "...", "?!");
    const gap = fc.constantFrom(" ", "  ", "\n", "\t ");
    fc.assert(
      fc.property(parts, fc.infiniteStream(ending), fc.infiniteStream(gap), (all, ends, gaps) => {
        const loud = all.map((part) => `${part}${ends.next().value}${gaps.next().value}`).join("");
        const plain = all.join(" ");
        expect(comparedText(loud)).toBe(comparedText(plain));
        expect(isSame(plain.replaceAll("ß", "s").toUpperCase(), plain.replaceAll("ß", "s"))).toBe(
          true,
        );
      }),
    );
  });

  test("another number counts: a point moved, a sign dropped, a digit changed, two numbers joined", () => {
    const around = fc.tuple(word, word);
    const digits = fc.stringMatching(/^[1-9]\d{1,4}$/);
    const mutants = fc.tuple(digits, digits, fc.constantFrom(".", ":", "-", "/", ",", " ", " - "));
    fc.assert(
      fc.property(around, mutants, ([before, after], [a, b, separator]) => {
        const place = (text: string) => `${before} ${text} ${after}`;
        const right = `${a}${separator}${b}`;
        const moved = `${a}${b[0]}${separator}${b.slice(1)}`;
        const wrong = [moved, `${a}${b}`, `${a}${separator}${b}0`, `${b}${separator}1${a}`];
        for (const text of wrong)
          expect([text, isSame(place(right), place(text))]).toEqual([text, false]);
        expect(isSame(place(`-${right}`), place(right))).toBe(false);
        expect(isSame(place(`$${right}`), place(right))).toBe(false);
      }),
    );
  });

  test("a form is the form of itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(comparedText(comparedText(text))).toBe(comparedText(text));
      }),
    );
  });
});

test("a long text of punctuation is compared in linear time", () => {
  const started = performance.now();
  for (const char of [".", "-", "- ", "(", "$-", ".5"]) comparedText(char.repeat(200_000));
  expect(performance.now() - started).toBeLessThan(10_000);
});
