/** In place of what a test split checks: a button for those who ask. */
import { replaceQuery } from "../lib/address.ts";

export function HiddenChecks() {
  return (
    <p class="note">
      <button type="button" onClick={() => replaceQuery({ checks: 1 })}>
        Show the checks
      </button>{" "}
      They are hidden: tasks of a test split may only be scored, and whoever has seen what they want
      cannot unsee it.
    </p>
  );
}
