/**
 * Checks that the page about formats equals the page that the format tables generate. To write the page anew: `npx
 * vitest run tests/properties/formats-page.test.ts -u`.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  formatSections,
  requestSections,
  tokenizerSections,
} from "../../site/reference/format-tables.ts";
import {
  renderFormatsPage,
  renderRequestsPage,
  renderTokenizersPage,
} from "../../site/reference/formats.ts";
import { describeFormat } from "../../src/core/index.ts";
import { configFormat } from "../../src/engine/onnx/checkpoint/huggingface-format.ts";
import { configTextFormat } from "../../src/text/model-directory/config-format.ts";
import { ROOT } from "../e2e/support/cli.ts";

const MAX_WORDS = 3500;

test("the page about formats is up to date", async () => {
  await expect(renderFormatsPage()).toMatchFileSnapshot(join(ROOT, "docs/reference/formats.md"));
});

test("the page about formats has at most 3,500 words", () => {
  expect(renderFormatsPage().split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS);
});

test("the page about requests has a row for each field that is not obeyed", () => {
  const page = renderRequestsPage();
  expect(page).toContain("| `frequency_penalty`, `presence_penalty` | named, unless 0 |");
  expect(page).toContain("| `mcp_servers` | refused |");
});

test("the page about tokenizers has a row for each part of a tokenizer.json", () => {
  const page = renderTokenizersPage();
  expect(page).toContain("| `BPE.dropout` | harmless: 0 |");
  expect(page).toContain("`NFC`, `NFD`, `NFKC`, `NFKD` | computed | Unicode normalization |");
  expect(page).toContain("| `split_special_tokens` | harmless: false |");
});

test("each table has its own name, and each field has a note", () => {
  const sections = [...formatSections, ...requestSections, ...tokenizerSections];
  const tables = sections.flatMap((section) => section.tables);
  expect(new Set(tables.map(({ name }) => name)).size).toBe(tables.length);
  for (const table of tables) {
    for (const { field, note } of describeFormat(table).slice(0, -1)) {
      expect(`${table.name}, ${field}: ${note}`).toMatch(/: \S.*[^.]$/);
    }
  }
});

test("the two tables of config.json know the same fields", () => {
  const known = Object.keys(configFormat.fields);
  const texts = Object.keys(configTextFormat.fields).filter((field) => field !== "*");
  expect(texts.filter((field) => !known.includes(field))).toEqual([]);
});
