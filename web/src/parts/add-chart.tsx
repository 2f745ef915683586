/** A control that adds a chart of any other metric. The added metrics are kept in the address. */
import { replaceQuery } from "../lib/address.ts";
import { escapeInvisible } from "../lib/invisible-characters.ts";

export function AddChart({
  others,
  added,
}: {
  readonly others: readonly string[];
  readonly added: readonly string[];
}) {
  return (
    <p class="add-chart">
      <label>
        Add a chart of{" "}
        <select
          value=""
          onChange={(event) => {
            const key = event.currentTarget.value;
            if (key) replaceQuery({ more: [...added, key] });
          }}
        >
          <option value="">{others.length} more metrics …</option>
          {others.map((key) => (
            <option key={key} value={key}>
              {escapeInvisible(key.replace(" ", ": "))}
            </option>
          ))}
        </select>
      </label>{" "}
      {added.length > 0 && (
        <button type="button" onClick={() => replaceQuery({ more: undefined })}>
          Remove the {added.length} added charts
        </button>
      )}
    </p>
  );
}
