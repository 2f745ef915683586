import fc from "fast-check";
import { expect, test } from "vitest";
import { fitText } from "./fit-text.ts";
import { renderTable } from "./table.ts";
import { displayWidth, withoutColours } from "./text.ts";

const WORDS = ["a", "of", "task", "train/12/3", "0.35", "[2, 4]", "\u001b[31mred\u001b[39m", "é"];
const cells = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(" "));
const sortedWords = (text: string) =>
  withoutColours(text).replaceAll("─", "").split(/\s+/).filter(Boolean).sort();
const isSingleWord = (line: string) => !withoutColours(line).trim().includes(" ");
const tooLong = (text: string, columns: number) =>
  text.split("\n").filter((line) => displayWidth(line) > columns && !isSingleWord(line));

test("fitText keeps every word of a text, and no line is too long", () => {
  const texts = fc.array(cells, { maxLength: 6 }).map((lines) => lines.join("\n  "));
  fc.assert(
    fc.property(texts, fc.integer({ min: 40, max: 60 }), (text, columns) => {
      const fitted = fitText(text, columns);
      expect(tooLong(fitted, columns)).toEqual([]);
      expect(sortedWords(fitted)).toEqual(sortedWords(text));
    }),
  );
});

test("fitText keeps every word of a table, and no line is too long", () => {
  const tables = fc.integer({ min: 1, max: 6 }).chain((columns) =>
    fc.record({
      columns: fc.array(
        fc.record({ title: cells, align: fc.constantFrom("left" as const, "right" as const) }),
        { minLength: columns, maxLength: columns },
      ),
      rows: fc.array(fc.array(cells, { minLength: columns, maxLength: columns }), { maxLength: 4 }),
    }),
  );
  fc.assert(
    fc.property(tables, fc.integer({ min: 40, max: 60 }), ({ columns, rows }, width) => {
      const table = renderTable(columns, rows);
      const fitted = fitText(`before\n\n${table}\n\nafter`, width);
      expect(tooLong(fitted, width)).toEqual([]);
      const words = new Set(sortedWords(fitted));
      expect(sortedWords(table).filter((word) => !words.has(word))).toEqual([]);
    }),
  );
});

test("a table gets narrower columns, and further columns follow below with the name repeated", () => {
  const table = renderTable(
    [{ title: "" }, { title: "task" }, { title: "tokens", align: "right" }, { title: "check" }],
    [["✗", "train/1/2", "1200", "nothing extra was written"]],
  );
  expect(fitText(table, 40).split("\n")).toEqual([
    "     task       tokens  check",
    "  ─  ─────────  ──────  ────────────────",
    "  ✗  train/1/2    1200  nothing extra",
    "                        was written",
  ]);
  expect(fitText(table, 26).split("\n")).toEqual([
    "     task       tokens",
    "  ─  ─────────  ──────",
    "  ✗  train/1/2    1200",
    "",
    "     task       check",
    "  ─  ─────────  ──────────",
    "  ✗  train/1/2  nothing",
    "                extra was",
    "                written",
  ]);
});

test("a second table repeats the column that tells rows apart", () => {
  const table = renderTable(
    [{ title: "played" }, { title: "task" }, { title: "first failed check" }],
    [
      ["iteration", "train/1", "nothing-extra-was-written"],
      ["iteration", "train/2", "the-agent-finished"],
    ],
  );
  const [, second] = fitText(table, 40).split("\n\n");
  expect(second!.split("\n")).toEqual([
    "  task     first failed check",
    "  ───────  ─────────────────────────",
    "  train/1  nothing-extra-was-written",
    "  train/2  the-agent-finished",
  ]);
});

test("an option continues below its text, a command can be copied, and JSON and paths stay whole", () => {
  const option = "  --scaffold <name>   how tasks become prompts, or the path of a module";
  expect(fitText(option, 50).split("\n")).toEqual([
    "  --scaffold <name>   how tasks become prompts, or",
    "                      the path of a module",
  ]);
  const command = "  npx bowline train starter --algo.clip 0.2 --out runs/new";
  expect(fitText(command, 40).split("\n")).toEqual([
    "  npx bowline train starter \\",
    "      --algo.clip 0.2 --out runs/new",
  ]);
  const json = JSON.stringify({ text: "one two three four five six seven eight nine ten" });
  expect(fitText(json, 40)).toBe(json);
  const path = `wrote it to ${"folder/".repeat(8)}file`;
  expect(fitText(path, 40).split("\n")).toEqual(["wrote it to", `  ${"folder/".repeat(8)}file`]);
});
