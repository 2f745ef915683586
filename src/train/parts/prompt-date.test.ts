import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { openTextDirectory } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import { openRun } from "../run/run-store.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { DAY_WITHOUT_RUN, datedChatTemplate, withRunDate } from "./prompt-date.ts";

const openModel = (name: string) =>
  openTextDirectory(fileURLToPath(new URL(`../../../tests/golden/hf-${name}`, import.meta.url)));
/** The template of this model asks for the date; that of qwen2 does not. */
const model = openModel("llama3");
const source = { from: "texts", directory: model } as const;
const root = mkdtempSync(join(tmpdir(), "bowline-date-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function configWithDate(date: string | null): Config {
  const config = resolveConfig({
    overrides: { "scaffold.name": "react", "engine.model": model.path },
  });
  return { ...config, scaffold: { ...config.scaffold, date } as Config["scaffold"] };
}

const FIRST_DAY = new Date(2026, 2, 1, 23, 59);
const NEXT_DAY = new Date(2026, 2, 2, 0, 1);

describe("the day of a run", () => {
  it("is the day on which the run begins, and stays when the run is continued later", () => {
    const directory = join(root, "run");
    const first = withRunDate(configWithDate(null), source, directory, FIRST_DAY);
    expect(first.scaffold).toMatchObject({ date: "2026-03-01" });
    openRun(directory, first);
    const later = withRunDate(configWithDate(null), source, directory, NEXT_DAY);
    expect(later).toEqual(first);
    expect(() => openRun(directory, later)).not.toThrow();
  });

  it("need not be given when a run is continued, but another day is refused", () => {
    const directory = join(root, "given");
    openRun(directory, configWithDate("2025-01-31"));
    expect(() => openRun(directory, configWithDate(null))).not.toThrow();
    expect(() => openRun(directory, configWithDate("2025-02-01"))).toThrow(
      /scaffold\.date \(there "2025-01-31", now "2025-02-01"\)/,
    );
  });

  it("is the one that the configuration gives", () => {
    const config = configWithDate("2025-01-31");
    expect(withRunDate(config, source, join(root, "none"), FIRST_DAY)).toEqual(config);
  });

  it("is not recorded when the chat template asks for no date", () => {
    const config = configWithDate(null);
    const other = { from: "texts", directory: openModel("qwen2") } as const;
    expect(withRunDate(config, other, join(root, "none"), FIRST_DAY)).toBe(config);
    expect(withRunDate(config, { from: "scratch" }, join(root, "none"), FIRST_DAY)).toBe(config);
  });

  it("is refused when it is no day", () => {
    const overrides = { "scaffold.name": "react", "scaffold.date": "1 March" } as const;
    expect(() => resolveConfig({ overrides })).toThrow(/scaffold\.date.*a day such as 2026-03-01/);
  });
});

it("a chat template writes the day of the configuration, or a fixed one", () => {
  const messages = [{ role: "user", content: "Hi" }];
  const renderAt = (date: string | null) =>
    datedChatTemplate(model, configWithDate(date)).render(messages);
  expect(renderAt("2025-03-07")).toContain("Today is 07 Mar 2025.");
  expect(DAY_WITHOUT_RUN).toBe("2026-01-01");
  expect(renderAt(null)).toContain("Today is 01 Jan 2026.");
});
