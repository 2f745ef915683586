/** A recorded value: text as it is, anything else and empty text as JSON. */
import { Recorded } from "./recorded.tsx";

export function Value({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null) return <span class="soft">–</span>;
  return (
    <Recorded text={typeof value === "string" && value !== "" ? value : JSON.stringify(value)} />
  );
}
