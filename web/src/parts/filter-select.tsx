/** A select box for a filter. The choice is kept in the address under `name`; no choice means all. */
import { replaceQuery } from "../lib/address.ts";
import { escapeInvisible } from "../lib/invisible-characters.ts";

export function FilterSelect({
  name,
  label,
  value,
  choices,
  all = "all",
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly (string | { readonly value: string; readonly text: string })[];
  readonly all?: string;
}) {
  return (
    <label>
      {label}{" "}
      <select
        value={value ?? ""}
        onChange={(event) => replaceQuery({ [name]: event.currentTarget.value || undefined })}
      >
        <option value="">{all}</option>
        {choices.map((choice) => {
          const { value, text } =
            typeof choice === "string" ? { value: choice, text: choice } : choice;
          return (
            <option key={value} value={value}>
              {escapeInvisible(text)}
            </option>
          );
        })}
      </select>
    </label>
  );
}
