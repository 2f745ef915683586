/** Every token. */
import type { RolloutTabProps } from "./tab-props.ts";

export function RolloutTokens({ view }: RolloutTabProps) {
  return <p>{view.rows.length} rows</p>;
}
