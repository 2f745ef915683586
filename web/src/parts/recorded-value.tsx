/** A recorded value: text as it is, anything else and empty text as JSON. */
import { RecordedText } from "./recorded-text.tsx";

export function RecordedValue({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null) return <span class="soft">–</span>;
  return (
    <RecordedText
      text={typeof value === "string" && value !== "" ? value : JSON.stringify(value)}
    />
  );
}
