/** The command that starts a run, composed from three choices. The studio only reads: it starts no process. */
import { useState } from "preact/hooks";
import type { RunRow, StudioInfo } from "../../../src/spec/studio/index.ts";
import { startCommand } from "../lib/command.ts";
import { choices } from "../lib/run-table.ts";
import { useApi } from "../lib/use-api.ts";
import { Copy } from "./copy.tsx";

export function StartRun({ known }: { readonly known: readonly RunRow[] }) {
  const { value: studio } = useApi<StudioInfo>(["studio"]);
  const [setting, setSetting] = useState("starter");
  const [method, setMethod] = useState("loop");
  const [seed, setSeed] = useState("1");
  const isOneRun = known.some(({ id }) => id === ".");
  const root = isOneRun ? undefined : studio?.root;
  return (
    <details class="start">
      <summary>Start a run</summary>
      <p class="note">
        The studio reads runs and starts no processes itself. Type this command in a terminal, in
        the folder in which the studio was started; the run appears above by itself.
      </p>
      <div class="start-choices">
        <Named
          label="Setting"
          value={setting}
          onValue={setSetting}
          list={["starter", "smoke", ...choices(known, "setting")]}
        />
        <Named
          label="Method"
          value={method}
          onValue={setMethod}
          list={["loop", ...choices(known, "method")]}
        />
        <label>
          Seed{" "}
          <input
            type="number"
            min={0}
            step={1}
            value={seed}
            onInput={(event) => setSeed(event.currentTarget.value)}
          />
        </label>
      </div>
      <Copy
        label="the command"
        text={startCommand({
          setting: setting || "starter",
          method: method || "loop",
          seed: seed || "1",
          root,
        })}
      />
    </details>
  );
}

/** A name that may be one of a list, or any other. */
function Named({
  label,
  value,
  list,
  onValue,
}: {
  readonly label: string;
  readonly value: string;
  readonly list: readonly string[];
  onValue(value: string): void;
}) {
  const id = `start-${label.toLowerCase()}`;
  return (
    <label>
      {label}{" "}
      <input list={id} value={value} onInput={(event) => onValue(event.currentTarget.value)} />
      <datalist id={id}>
        {[...new Set(list)].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
