/** A recorded value. A text is shown unchanged; an empty text and any other value are shown as JSON. */
import { RecordedText } from "./recorded-text.tsx";

export function RecordedValue({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null) return <span class="soft">–</span>;
  return (
    <RecordedText
      text={typeof value === "string" && value !== "" ? value : JSON.stringify(value)}
    />
  );
}
