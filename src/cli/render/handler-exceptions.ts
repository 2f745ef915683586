/** The last word of a run whose world is broken: how many calls met a bug, which was the first, and what the numbers mean then. */
import { pluralize } from "../../report/index.ts";
import type { HandlerExceptions } from "../../spec/index.ts";
import type { Channel } from "../terminal.ts";
import { wrapText } from "./text.ts";

/** Undefined when there is nothing to say. */
export function renderHandlerExceptions(
  met: HandlerExceptions | undefined,
  { paint, columns }: Pick<Channel, "paint" | "columns">,
): string | undefined {
  if (met === undefined) return undefined;
  const head = `✗ The world has a bug: ${pluralize(met.count, "API call")} met an exception in a handler.`;
  const rest = [
    `The first: ${met.first}`,
    "The agent saw status 500 there, so what is reported here is of a broken world. Mend the handler, then prove the world with `bowline world check`.",
  ];
  const width = Math.min(columns, 100) - 4;
  return [
    `  ${paint(["bold", "red"], head)}`,
    ...rest.flatMap((text) => wrapText(text, width)).map((line) => `    ${paint("red", line)}`),
    "",
  ].join("\n");
}
