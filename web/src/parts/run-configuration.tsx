/** A run's configuration field by field, its versions of software and its checkpoints. */
import type { RunDetail } from "../../../src/spec/studio/index.ts";
import { replaceQuery } from "../lib/address.ts";
import { pluralize } from "../lib/format.ts";
import { RecordedText } from "./recorded-text.tsx";
import { SearchBox } from "./search-box.tsx";

export function RunConfiguration({
  detail: { config, versions, checkpoints },
  find,
}: {
  readonly detail: RunDetail;
  readonly find: string;
}) {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const found = config.filter(({ path, value }) => {
    const text = `${path} ${value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const how = found.length === config.length ? "" : `${found.length} of `;
  return (
    <>
      <h2>Configuration</h2>
      <SearchBox
        label="Filter"
        value={find}
        found={`${how}${pluralize(config.length, "field")}`}
        onChange={(q) => replaceQuery({ q })}
      />
      <NameValueTable
        names={["Field", "Value"]}
        rows={found.map(({ path, value }) => [path, value] as const)}
      />
      <h2>Versions</h2>
      <NameValueTable names={["Package", "Version"]} rows={Object.entries(versions)} />
      <h2>Checkpoints</h2>
      <p>{checkpoints.length === 0 ? "none yet" : checkpoints.join(", ")}</p>
    </>
  );
}

function NameValueTable({
  names,
  rows,
}: {
  readonly names: readonly [string, string];
  readonly rows: readonly (readonly [string, string])[];
}) {
  if (rows.length === 0) return <p class="note">none</p>;
  return (
    <div class="scroll card pairs">
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">
                <code>
                  <RecordedText text={name} />
                </code>
              </th>
              <td>
                <code>
                  <RecordedText text={value} />
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
