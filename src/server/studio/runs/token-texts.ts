/** Texts of tokens by a run's own tokenizer, read when a rollout is first shown and kept for the runs looked at last. */
import { join } from "node:path";
import { type TokenText, tokenTextOf } from "../../../report/index.ts";
import type { RunPlace } from "./find-runs.ts";
import { type Inside, markOf } from "./inside.ts";

/** Undefined: the run has no tokenizer that can be read. */
export type TextsOf = (
  place: RunPlace,
) => Promise<((ids: readonly number[]) => string[]) | undefined>;

/** A tokenizer of a large vocabulary takes tens of megabytes. */
const KEPT = 2;

export function tokenTexts(inside: Inside): TextsOf {
  const kept = new Map<string, { mark: string; text: TokenText | undefined }>();
  return async (place) => {
    const paths = ["final", "latest", "warm"].map((name) =>
      join(place.directory, "checkpoints", name, "tokenizer.json"),
    );
    const found = paths.map((path) => inside.at(path));
    if (found.some(({ kind }) => kind !== "file" && kind !== "none")) return undefined;
    const mark = found.map(markOf).join();
    let here = kept.get(place.id);
    if (here?.mark !== mark) here = { mark, text: read(place.directory) };
    kept.delete(place.id);
    kept.set(place.id, here);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    const { text } = here;
    return text && ((ids) => ids.map((id) => textOr(text, id)));
  };
}

function read(directory: string): TokenText | undefined {
  try {
    return tokenTextOf(directory);
  } catch {
    return undefined;
  }
}

/** An id beyond the vocabulary is of another tokenizer. */
function textOr(text: TokenText, id: number): string {
  try {
    return text(id);
  } catch {
    return "\ufffd";
  }
}
