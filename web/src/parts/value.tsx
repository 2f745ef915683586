/** A recorded value: text as it is, unless it is empty; anything else as JSON. */
import { Recorded } from "./recorded.tsx";

export function Value({ of }: { readonly of: unknown }) {
  if (of === undefined || of === null) return <span class="soft">–</span>;
  return <Recorded text={typeof of === "string" && of !== "" ? of : JSON.stringify(of)} />;
}
