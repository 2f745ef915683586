/** Recorded text of any length. A long text is shortened, with a button that shows all of it. */
import { useState } from "preact/hooks";
import { RecordedText } from "./recorded-text.tsx";

export function LongText({
  text,
  shown = 4000,
}: {
  readonly text: string;
  readonly shown?: number;
}) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && text.length > shown * 1.25;
  return (
    <>
      <pre>
        <RecordedText text={cut ? text.slice(0, shown) : text} />
      </pre>
      {cut && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </>
  );
}
