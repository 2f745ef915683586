/** Shown in place of the checks of a test split, with a button that reveals them. */
import { replaceQuery } from "../lib/address.ts";

export function HiddenChecks() {
  return (
    <p class="note">
      <button type="button" onClick={() => replaceQuery({ checks: 1 })}>
        Show the checks
      </button>{" "}
      The checks of test splits are hidden, because knowing them could influence how you build and
      tune your agent.
    </p>
  );
}
