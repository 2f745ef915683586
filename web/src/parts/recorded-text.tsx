/**
 * Text from a record. It is isolated from the page's own text, runs from left to right, and shows invisible characters
 * as escapes in frames.
 */
import { splitInvisible } from "../lib/invisible-characters.ts";
import "../style/recorded.css";

const ESCAPE_TITLE = "an invisible character, or one that changes how others are shown";

/** Shows recorded text inline. Line breaks are kept only inside of `pre`. */
export function RecordedText({ text }: { readonly text: string }) {
  return (
    <bdi dir="ltr" class="recorded">
      {splitInvisible(text).map((piece, i) =>
        piece.isEscape ? (
          <span key={i} class="odd" title={ESCAPE_TITLE}>
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
}
