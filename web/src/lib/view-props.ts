/** What every view is given. It stands apart from the list of views, which imports each of them. */
import type { Address } from "./address.ts";

export interface ViewProps {
  readonly address: Address;
  /** What stands for `:name` in the view's pattern. */
  readonly names: Readonly<Record<string, string>>;
}
