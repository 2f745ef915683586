/** Says on one line why a user's module cannot be loaded, and at which line of it. */
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { errorMessage } from "./errors.ts";

/** Returns the reason of a failed import of the module at `url`, with the line of the module if it is known. */
export function explainLoadFailure(cause: unknown, url: string): string {
  const path = url.startsWith("file:") ? fileURLToPath(url) : url;
  if (existsSync(path) && statSync(path).isDirectory()) {
    return "it is a folder; expected the file of a module, such as index.ts";
  }
  const reason = errorMessage(cause)
    .replace(/^Transform failed with .*:\n/, "")
    // Node names the importing file, which is Bowline's own loader.
    .replace(/ (?:resolving ES modules )?imported from \S*load-module\.[jt]s$/, "")
    .replaceAll(/\s*\n\s*/g, "; ");
  const line = reason.includes(path) ? undefined : findLine(cause, path, url);
  return line === undefined ? reason : `${reason} at ${path}:${line}`;
}

/** Finds the line and perhaps the column of a file in the stack of an error. A syntax error begins with the line. */
function findLine(cause: unknown, path: string, url: string): string | undefined {
  const stack = cause instanceof Error ? (cause.stack ?? "") : "";
  for (const name of [url, path]) {
    const at = stack.indexOf(name);
    if (at < 0) continue;
    const place = /^(?:\?[^:\s)]*)?:(\d+(?::\d+)?)/.exec(stack.slice(at + name.length));
    if (place) return place[1];
  }
  return undefined;
}
