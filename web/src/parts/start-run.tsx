/** The command that starts a run, composed from three choices. The studio only reads: it starts no process. */
import { useState } from "preact/hooks";
import type { RunRow, StudioInfo } from "../../../src/spec/studio/index.ts";
import { startCommand } from "../lib/command.ts";
import { useApi } from "../lib/use-api.ts";
import { Copy } from "./copy.tsx";

export function StartRun({ known }: { readonly known: readonly RunRow[] }) {
  const { value: studio } = useApi<StudioInfo>(["studio"]);
  const [setting, setSetting] = useState("starter");
  const [method, setMethod] = useState("loop");
  const [seed, setSeed] = useState("1");
  const root = known.some(({ id }) => isItself(id, studio?.root)) ? undefined : studio?.root;
  return (
    <details class="start">
      <summary>Start a run</summary>
      <p class="note">
        The studio reads runs and starts no processes itself. Type this command in a terminal, in
        the folder in which the studio was started; the run appears above by itself.
      </p>
      <div class="start-choices">
        <Named label="Setting" value={setting} onValue={setSetting} list={studio?.settings ?? []} />
        <Named label="Method" value={method} onValue={setMethod} list={studio?.methods ?? []} />
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

/** The studio was opened on one run, which goes by its folder's name. */
function isItself(id: string, root = ""): boolean {
  return root.split("/").filter(Boolean).at(-1) === id;
}

type List = StudioInfo["settings"];

/** A name that may be one of a list, or any other (the path of a module); below it what the list says of it. */
function Named({
  label,
  value,
  list,
  onValue,
}: {
  readonly label: string;
  readonly value: string;
  readonly list: List;
  onValue(value: string): void;
}) {
  const id = `start-${label.toLowerCase()}`;
  return (
    <div>
      <label>
        {label}{" "}
        <input
          list={id}
          value={value}
          aria-describedby={`${id}-said`}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      </label>
      <datalist id={id}>
        {list.map(({ name, summary }) => (
          <option key={name} value={name}>
            {summary}
          </option>
        ))}
      </datalist>
      <div id={`${id}-said`} class="soft start-said">
        {list.find(({ name }) => name === value)?.summary ?? "a name of your own"}
      </div>
    </div>
  );
}
