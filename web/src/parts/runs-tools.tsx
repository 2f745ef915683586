/** What stands above the table of runs: its filters, columns and grouping, and what can be done with chosen runs. */
import type { RunRow } from "../../../src/spec/studio/index.ts";
import { buildAddress, replaceQuery } from "../lib/address.ts";
import { pluralize } from "../lib/format.ts";
import { CONFIG_PREFIX, GROUPINGS, type RunExtras } from "../lib/run-extras.ts";
import { listChoices } from "../lib/run-table.ts";
import { ColumnChooser } from "./column-chooser.tsx";
import { FilterSelect } from "./filter-select.tsx";
import { SearchBox } from "./search-box.tsx";
import { TagForm } from "./tag-form.tsx";

interface ToolsProps {
  readonly all: readonly RunRow[];
  readonly shown: readonly RunRow[];
  readonly query: Readonly<Record<string, string>>;
  readonly chosen: readonly string[];
  /** The fields that are columns, and all fields in which runs differ. */
  readonly fields: readonly string[];
  readonly paths: readonly string[] | undefined;
  readonly splits: readonly string[];
  readonly extras: RunExtras;
  onColumns(): void;
  onTagged(): void;
}

export function RunsTools(props: ToolsProps) {
  const { all, shown, query, chosen, fields, paths, extras, onColumns, onTagged } = props;
  const total = pluralize(all.length, "run");
  return (
    <div class="runs-tools">
      <SearchBox
        label="Filter"
        value={query["q"] ?? ""}
        found={shown.length === all.length ? total : `${shown.length} of ${total}`}
        onChange={(text) => replaceQuery({ q: text })}
      />
      <FilterSelect
        name="status"
        label="Status"
        value={query["status"]}
        choices={listChoices(all, "status")}
      />
      <FilterSelect
        name="method"
        label="Method"
        value={query["method"]}
        choices={listChoices(all, "method")}
      />
      <TagFilter {...props} />
      <GroupChoices {...props} />
      <ColumnChooser paths={paths} chosen={fields} onOpen={onColumns} />
      <label>
        <input
          type="checkbox"
          checked={query["sampled"] === "1"}
          onChange={(event) =>
            replaceQuery({ sampled: event.currentTarget.checked ? "1" : undefined })
          }
        />{" "}
        also show scores at T = 1
      </label>
      <ChosenLinks chosen={chosen} />
      {chosen.length > 0 && <TagForm {...{ chosen, extras, onDone: onTagged }} />}
    </div>
  );
}

function TagFilter({ all, query, extras }: ToolsProps) {
  const tags = [...new Set(all.flatMap(({ id }) => extras.notes(id)?.tags ?? []))].sort();
  if (tags.length === 0 && query["tag"] === undefined) return null;
  return <FilterSelect name="tag" label="Tag" value={query["tag"]} choices={tags} />;
}

function GroupChoices({ query, splits, paths = [], onColumns }: ToolsProps) {
  const by = query["by"];
  const asked = by?.startsWith(CONFIG_PREFIX) ? [by.slice(CONFIG_PREFIX.length)] : [];
  const fields = [...new Set([...asked, ...paths])].map((path) => ({
    value: `${CONFIG_PREFIX}${path}`,
    text: path,
  }));
  return (
    <>
      {/* The fields of the configuration are loaded once somebody uses the list. */}
      <span onFocusCapture={onColumns} onPointerEnter={onColumns}>
        <FilterSelect
          name="by"
          label="Group by"
          value={by}
          choices={[...GROUPINGS, ...fields]}
          all="nothing"
        />
      </span>
      {by !== undefined && splits.length > 0 && (
        <FilterSelect
          name="score"
          label="Score"
          value={query["score"]}
          choices={splits.map((split) => ({
            value: split,
            text: split.replace("@T1", " at T = 1"),
          }))}
          all="the first column"
        />
      )}
    </>
  );
}

/** Links to the explorer and, for two runs and more, to the comparison. */
function ChosenLinks({ chosen }: { readonly chosen: readonly string[] }) {
  const [first] = chosen;
  if (first === undefined) return <span class="soft">Select runs to explore or compare them.</span>;
  return (
    <>
      <a class="button" href={buildAddress(["explore"], { run: chosen })}>
        Explore {pluralize(chosen.length, "run")}
      </a>
      {chosen.length > 1 && (
        <a class="button" href={buildAddress(["overlay"], { run: chosen })}>
          Compare {chosen.length} runs
        </a>
      )}
    </>
  );
}
