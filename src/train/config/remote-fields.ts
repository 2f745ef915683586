/** Checks the fields of a remote engine before any request is sent to its server. */
import type { Refusal } from "../../core/index.ts";
import type { Config } from "./config.ts";

/** Returns a refusal when `engine.url` is wrong. It does not quote the URL, which may contain a password. */
export function findUrlConflict({ engine }: Config): Refusal | undefined {
  if (!("url" in engine) || engine.url === null) return undefined;
  const url = URL.canParse(engine.url) ? new URL(engine.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return {
      sentence: "engine.url: expected an absolute http or https URL, such as http://127.0.0.1:8000",
    };
  }
  if (url.username === "" && url.password === "" && url.search === "") return undefined;
  return {
    sentence:
      "engine.url: expected a URL without password and query; put the key into TINKER_API_KEY",
    cure: { "engine.url": `${url.origin}${url.pathname}`.replace(/\/$/, "") },
  };
}

/** Refuses a remote engine without a server address. Recipes cannot know the address. */
export function listMissingUrl({ engine, recipe }: Config): readonly Refusal[] {
  if (!("url" in engine) || engine.url !== null) return [];
  const sentence = `engine.url: the tinker engine needs a server, and recipe ${recipe} does not name one; give the server's address, such as --engine.url http://127.0.0.1:8000`;
  return [{ sentence }];
}

/** Returns a refusal when the user set a field of the model that the server decides; undefined otherwise. */
export function findServerField({ engine }: Config, paths: readonly string[]): Refusal | undefined {
  if (engine.name !== "tinker") return undefined;
  const path = paths.find((path) => /^model\./.test(path));
  if (path === undefined || path === "model.contextLength") return undefined;
  return {
    sentence: `${path} cannot be set with engine.name tinker, because the server decides it`,
    cure: { [path]: null },
  };
}
