/** Checks the fields of a remote engine before any request is sent to its server. */
import { BowlineError } from "../../core/index.ts";
import type { Config } from "./config.ts";

/**
 * Returns an error message when `engine.url` is wrong. The message does not quote the URL, which may contain a
 * password.
 */
export function findUrlConflict({ engine }: Config): string | undefined {
  if (!("url" in engine) || engine.url === null) return undefined;
  const url = URL.canParse(engine.url) ? new URL(engine.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return "engine.url: expected an absolute http or https URL, such as http://127.0.0.1:8000";
  }
  if (url.username === "" && url.password === "" && url.search === "") return undefined;
  return "engine.url: expected a URL without password and query; put the key into TINKER_API_KEY";
}

/** Throws a `config` error when a remote engine has no server address. Recipes cannot know the address. */
export function requireServerUrl({ engine, recipe }: Config): void {
  if (!("url" in engine) || engine.url !== null) return;
  throw new BowlineError(
    "config",
    `engine.url: the tinker engine needs a server, and recipe ${recipe} does not name one; give the server's address, such as --engine.url http://127.0.0.1:8000`,
  );
}

/** Returns an error message when the user set a field of the model that the server decides; undefined otherwise. */
export function findServerField({ engine }: Config, paths: readonly string[]): string | undefined {
  if (engine.name !== "tinker") return undefined;
  const path = paths.find((path) => /^model\./.test(path));
  if (path === undefined || path === "model.contextLength") return undefined;
  return `${path} cannot be set with engine.name tinker, because the server decides it`;
}
