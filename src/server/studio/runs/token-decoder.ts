/** Decodes tokens with a run's own tokenizer, and caches the tokenizers of the runs that were viewed last. */
import { join } from "node:path";
import { type DecodeToken, loadTokenDecoder } from "../../../report/index.ts";
import type { RunLocation } from "./find-runs.ts";
import { computeFingerprint, type StudioFolder } from "./studio-folder.ts";

/** Loads the decoder of a run. Resolves to undefined if the run has no readable tokenizer. */
export type LoadTokenDecoder = (
  location: RunLocation,
) => Promise<((ids: readonly number[]) => string[]) | undefined>;

/** A tokenizer with a large vocabulary takes tens of megabytes. */
const MAX_CACHED_TOKENIZERS = 2;

export function createTokenDecoderLoader(folder: StudioFolder): LoadTokenDecoder {
  const cache = new Map<string, { fingerprint: string; text: DecodeToken | undefined }>();
  return async (location) => {
    const paths = ["final", "latest", "warm"].map((name) =>
      join(location.directory, "checkpoints", name, "tokenizer.json"),
    );
    const found = paths.map((path) => folder.inspect(path));
    if (found.some(({ kind }) => kind !== "file" && kind !== "missing")) return undefined;
    const fingerprint = found.map(computeFingerprint).join();
    let cached = cache.get(location.id);
    if (cached?.fingerprint !== fingerprint)
      cached = { fingerprint, text: readTokenText(location.directory) };
    cache.delete(location.id);
    cache.set(location.id, cached);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED_TOKENIZERS && oldest !== undefined) cache.delete(oldest);
    const { text } = cached;
    return text && ((ids) => ids.map((id) => decodeToken(text, id)));
  };
}

function readTokenText(directory: string): DecodeToken | undefined {
  try {
    return loadTokenDecoder(directory);
  } catch {
    return undefined;
  }
}

/** Returns the replacement character for an id outside the vocabulary, which must come from another tokenizer. */
function decodeToken(text: DecodeToken, id: number): string {
  try {
    return text(id);
  } catch {
    return "\ufffd";
  }
}
