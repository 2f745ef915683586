/** The properties of each tab of a rollout. */
import type {
  ReplayView,
  RolloutTokensView,
  RolloutView,
} from "../../../../src/spec/studio/index.ts";
import type { Address } from "../../lib/address.ts";
import type { RolloutPlace } from "../../lib/rollout-place.ts";
import type { Loaded } from "../../lib/use-api.ts";

export interface RolloutTabProps {
  readonly place: RolloutPlace;
  readonly view: RolloutView;
  readonly replay: Loaded<ReplayView>;
  readonly tokens: Loaded<RolloutTokensView>;
  readonly query: Address["query"];
}
