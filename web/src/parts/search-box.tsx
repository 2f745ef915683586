/** A search box that filters what is below it while the user types. The number of results is read to screen readers. */
import { useEffect, useState } from "preact/hooks";

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
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search class="find">
      <label>
        {label}{" "}
        <input
          type="search"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>{" "}
      <span class="soft" role="status">
        {found}
      </span>
    </search>
  );
}
