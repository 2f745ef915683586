/** Buttons for the pages of a long list. The page is in the address, so it can be linked. */
import { replaceQuery } from "../lib/address.ts";

export function Pager({
  offset,
  shown,
  total,
  limit,
  noun,
}: {
  readonly offset: number;
  readonly shown: number;
  readonly total: number;
  readonly limit: number;
  /** The plural noun for the items of the list. */
  readonly noun: string;
}) {
  const goToOffset = (to: number) => replaceQuery({ offset: to <= 0 ? undefined : to });
  const range = shown === 0 ? "none" : `${offset + 1} to ${offset + shown}`;
  return (
    <nav class="pager" aria-label={`Pages of ${noun}`}>
      <button type="button" disabled={offset === 0} onClick={() => goToOffset(offset - limit)}>
        Earlier
      </button>
      <span role="status">
        {range} of {total} {noun}
      </span>
      <button
        type="button"
        disabled={offset + shown >= total}
        onClick={() => goToOffset(offset + limit)}
      >
        Later
      </button>
    </nav>
  );
}

/** Parses a whole number from the address. Any other text gives `defaultOffset`. */
export function parseOffset(text: string | undefined, defaultOffset: number): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : defaultOffset;
}
