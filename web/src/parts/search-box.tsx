/** A search box that filters what is below it while the user types. The number of results is read to screen readers. */
import { useTyped } from "../lib/use-typed.ts";

/** The pause in typing, in milliseconds, after which the search starts. It is long enough to type a word. */
const TYPING_PAUSE_MS = 250;

export function SearchBox({
  label,
  value,
  found,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly found: string;
  readonly onChange: (text: string) => void;
}) {
  const { typed, type, use } = useTyped(value, { pauseMs: TYPING_PAUSE_MS, onUse: onChange });
  return (
    <search class="find">
      <label>
        {label}{" "}
        <input
          type="search"
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={use}
        />
      </label>{" "}
      <span class="soft" role="status">
        {found}
      </span>
    </search>
  );
}
