/** The warning at the end of a run whose world has a bug. */
import { pluralize } from "../../report/index.ts";
import type { HandlerExceptions } from "../../spec/index.ts";
import type { Channel } from "../terminal.ts";
import { wrapText } from "./text.ts";

/** Renders how many API calls ran into a bug of the world, with the first of them. Returns undefined when none did. */
export function renderHandlerExceptions(
  exceptions: HandlerExceptions | undefined,
  { paint, columns }: Pick<Channel, "paint" | "columns">,
): string | undefined {
  if (exceptions === undefined) return undefined;
  const { count, first } = exceptions;
  const head = `✗ The world has a bug: ${pluralize(count, "API call")} ended in an exception of a handler.`;
  const rest = [
    `The first: ${first}`,
    "The agent saw status 500 there, so the results above are of a broken world. Fix the handler, then check the world with `bowline world check`.",
  ];
  const width = Math.min(columns, 100) - 4;
  return [
    `  ${paint(["bold", "red"], head)}`,
    ...rest.flatMap((text) => wrapText(text, width)).map((line) => `    ${paint("red", line)}`),
    "",
  ].join("\n");
}
