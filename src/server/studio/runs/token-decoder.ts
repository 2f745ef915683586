/** Texts of tokens by a run's own tokenizer, read when a rollout is first shown and kept for the runs looked at last. */
import { join } from "node:path";
import { type TokenText, tokenTextOf } from "../../../report/index.ts";
import type { RunLocation } from "./find-runs.ts";
import { computeFingerprint, type StudioFolder } from "./studio-folder.ts";

/** Undefined: the run has no tokenizer that can be read. */
export type LoadTokenDecoder = (
  location: RunLocation,
) => Promise<((ids: readonly number[]) => string[]) | undefined>;

/** A tokenizer of a large vocabulary takes tens of megabytes. */
const MAX_CACHED_TOKENIZERS = 2;

export function createTokenDecoderLoader(folder: StudioFolder): LoadTokenDecoder {
  const cache = new Map<string, { fingerprint: string; text: TokenText | undefined }>();
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

function readTokenText(directory: string): TokenText | undefined {
  try {
    return tokenTextOf(directory);
  } catch {
    return undefined;
  }
}

/** An id beyond the vocabulary is of another tokenizer. */
function decodeToken(text: TokenText, id: number): string {
  try {
    return text(id);
  } catch {
    return "\ufffd";
  }
}
