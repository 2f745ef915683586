/** A recorded value: text as it is, unless it is empty; anything else as JSON. */
import { Recorded } from "./recorded.tsx";

export function Value({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null) return <span class="soft">–</span>;
  return (
    <Recorded text={typeof value === "string" && value !== "" ? value : JSON.stringify(value)} />
  );
}
