/** Feeds text that could harm a terminal or mislead a reader through every door by which the command line shows text. */
import { describe, expect, test, vi } from "vitest";
import { runBowlineInProcess as bowline } from "../../tests/support/terminal.ts";
import { toVisibleJson, toVisibleText } from "../core/index.ts";
import { escapeHtml } from "../report/html.ts";
import { processTerminal } from "./terminal.ts";

/** An escape sequence, C0 and C1 controls, an override of the direction, a null character and lone surrogates. */
const HOSTILE = "a\u001b]0;x\u0007\u001b[2J\u009b5A\u0090\u202eb\u2066\0\r\ud800c\udc00\u007f";
const HARMFUL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must be gone
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u;

function collectOutput(stream: NodeJS.WriteStream, write: () => void): string {
  let text = "";
  const spy = vi.spyOn(stream, "write").mockImplementation((part) => {
    text += part;
    return true;
  });
  try {
    write();
  } finally {
    spy.mockRestore();
  }
  return text;
}

describe("hostile text", () => {
  test.each(["out", "err"] as const)("is visible in a line of the channel %s", (name) => {
    const channel = processTerminal()[name];
    const text = collectOutput(channel.stream, () => channel.writeLine(HOSTILE));
    expect(text).toBe(`${toVisibleText(HOSTILE)}\n`);
    expect(text).not.toMatch(HARMFUL);
  });

  test("is escaped in JSON, which stays valid on its way through a channel", () => {
    const { out } = processTerminal();
    const text = collectOutput(out.stream, () =>
      out.writeLine(toVisibleJson({ [HOSTILE]: HOSTILE })),
    );
    expect(text).not.toMatch(HARMFUL);
    expect(JSON.parse(text)).toEqual({ [HOSTILE]: HOSTILE });
  });

  test("is visible in a report, in text and in attributes", () => {
    const html = escapeHtml(`${HOSTILE}<script>"`);
    expect(html).not.toMatch(HARMFUL);
    expect(html).not.toMatch(/[<"]/);
  });

  test.each([
    ["eval", [HOSTILE]],
    ["world list", ["--world", HOSTILE]],
    ["report", [HOSTILE]],
    ["train", [`--${HOSTILE}`]],
    ["config", [HOSTILE]],
    ["play", [HOSTILE]],
  ])("is visible in errors of bowline %s", async (command, more) => {
    const lines: string[] = [];
    const { stdout, stderr, code } = await bowline([...command.split(" "), ...more]);
    lines.push(toVisibleText(stdout, true), toVisibleText(stderr, true));
    expect(code).not.toBe(0);
    expect(lines.join("\n")).not.toMatch(HARMFUL);
  });
});

test("no command prints JSON that was not made safe", async () => {
  const { readdirSync, readFileSync } = await import("node:fs");
  const folder = new URL(".", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const wrong = files.filter((name) =>
    /writeLine\([^;]*?JSON\.stringify\((?!base\.name)/.test(
      readFileSync(new URL(name, folder), "utf8"),
    ),
  );
  expect(wrong).toEqual([]);
});
