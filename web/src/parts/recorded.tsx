/** Text from a record: isolated from the page's own, read from left to right, its odd characters as framed escapes. */
import { splitInvisible } from "../lib/invisible-characters.ts";
import "../style/recorded.css";

const ESCAPE_TITLE = "a character that cannot be seen, or that changes how others are seen";

/** In line with other text; line breaks are kept inside `pre`. */
export function Recorded({ text }: { readonly text: string }) {
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
