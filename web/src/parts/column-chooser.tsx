/** Chooses which fields of the configuration are columns. Only fields in which the runs differ are offered. */
import { replaceQuery } from "../lib/address.ts";
import { escapeInvisible } from "../lib/invisible-characters.ts";

export function ColumnChooser({
  paths,
  chosen,
  onOpen,
}: {
  /** Undefined while the fields are loading. */
  readonly paths: readonly string[] | undefined;
  readonly chosen: readonly string[];
  onOpen(): void;
}) {
  const toggle = (path: string) =>
    replaceQuery({
      column: chosen.includes(path) ? chosen.filter((other) => other !== path) : [...chosen, path],
    });
  return (
    <details class="columns" onToggle={(event) => event.currentTarget.open && onOpen()}>
      <summary>Columns{chosen.length > 0 && ` (${chosen.length})`}</summary>
      <div class="columns-list card">
        {paths === undefined && <p class="note">Loading …</p>}
        {paths?.length === 0 && <p class="note">All runs have the same configuration.</p>}
        {paths?.map((path) => (
          <label key={path}>
            <input type="checkbox" checked={chosen.includes(path)} onChange={() => toggle(path)} />{" "}
            <code>{escapeInvisible(path)}</code>
          </label>
        ))}
      </div>
    </details>
  );
}
