/**
 * Text from a record: isolated from the page's text, from left to right, with invisible characters as framed escapes.
 */
import { splitInvisible } from "../lib/invisible-characters.ts";
import "../style/recorded.css";

const ESCAPE_TITLE = "an invisible character, or one that changes how others are shown";

/** Shows recorded text inline. Line breaks are kept inside `pre`. */
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
