/** A form that starts a run, with the command that does the same in a terminal. */
import { useState } from "preact/hooks";
import type { RunRow, StartedRun, StudioInfo } from "../../../src/spec/studio/index.ts";
import { buildAddress, navigateTo } from "../lib/address.ts";
import { requestJson } from "../lib/api.ts";
import {
  buildStartCommand,
  buildStartRequest,
  defaultRunName,
  type StartChoice,
} from "../lib/start.ts";
import { useApi } from "../lib/use-api.ts";
import { CopyableText } from "./copy.tsx";
import { RecordedText } from "./recorded-text.tsx";

const DEFAULT_CHOICE: StartChoice = {
  setting: "starter",
  method: "loop",
  seed: "1",
  name: "",
  fields: "",
};

export function StartRun({ known }: { readonly known: readonly RunRow[] }) {
  const { value: studio } = useApi<StudioInfo>(["studio"]);
  const [choice, setChoice] = useState(DEFAULT_CHOICE);
  const updateChoice = (changed: Partial<StartChoice>) =>
    setChoice((before) => ({ ...before, ...changed }));
  if (studio === undefined) return null;
  const root = known.some(({ id }) => isOpenedRun(id, studio.root)) ? undefined : studio.root;
  const { cannotStart } = studio;
  return (
    <details class="start">
      <summary>Start a run</summary>
      <StartForm choice={choice} studio={studio} onChange={updateChoice} />
      <p class="note">
        {cannotStart === undefined
          ? "The run trains in a separate process and continues when the studio ends. The same command for a terminal:"
          : `Runs cannot be started here: ${cannotStart}. Run this command in a terminal, in the folder in which the studio was started:`}
      </p>
      <CopyableText label="the command" text={buildStartCommand(withDefaults(choice), root)} />
    </details>
  );
}

/** Replaces empty fields by their defaults. */
function withDefaults(choice: StartChoice): StartChoice {
  const { setting, method, seed } = choice;
  return {
    ...choice,
    setting: setting.trim() || DEFAULT_CHOICE.setting,
    method: method.trim() || DEFAULT_CHOICE.method,
    seed: seed || DEFAULT_CHOICE.seed,
  };
}

/** Returns true if `id` is the run on which the studio was opened. Such a run has the name of its folder. */
function isOpenedRun(id: string, root = ""): boolean {
  return root.split("/").filter(Boolean).at(-1) === id;
}

interface FormProps {
  readonly choice: StartChoice;
  readonly studio: StudioInfo;
  onChange(changed: Partial<StartChoice>): void;
}

function StartForm({ choice, studio, onChange }: FormProps) {
  const { problem, isStarting, start } = useRunStarter();
  const { setting, method, seed, name, fields } = choice;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isStarting) void start(withDefaults(choice));
      }}
    >
      <div class="start-choices">
        <NameField
          label="Setting"
          value={setting}
          onValue={(setting) => onChange({ setting })}
          list={studio.settings}
        />
        <NameField
          label="Method"
          value={method}
          onValue={(method) => onChange({ method })}
          list={studio.methods}
        />
        <label>
          Seed{" "}
          <input
            type="number"
            min={0}
            max={2 ** 32 - 1}
            step={1}
            value={seed}
            onInput={(event) => onChange({ seed: event.currentTarget.value })}
          />
        </label>
        <label>
          Name{" "}
          <input
            value={name}
            placeholder={defaultRunName(withDefaults(choice))}
            onInput={(event) => onChange({ name: event.currentTarget.value })}
          />
        </label>
      </div>
      <label class="start-fields">
        Fields, one per line
        <textarea
          rows={3}
          value={fields}
          spellcheck={false}
          placeholder={"algo.iterations=50\nalgo.groupSize=4"}
          onInput={(event) => onChange({ fields: event.currentTarget.value })}
        />
      </label>
      {studio.cannotStart === undefined && (
        <p class="start-now">
          <button type="submit" class="main" disabled={isStarting}>
            Start
          </button>{" "}
          <span class="soft" role="status">
            {isStarting ? "Starting: the command checks the configuration …" : ""}
          </span>
        </p>
      )}
      {problem !== undefined && (
        <p class="problem" role="alert">
          <RecordedText text={problem} />
        </p>
      )}
    </form>
  );
}

/** Starts a run, and opens its page when it is training. */
function useRunStarter() {
  const [problem, setProblem] = useState<string>();
  const [isStarting, setStarting] = useState(false);
  const start = async (choice: StartChoice) => {
    setStarting(true);
    setProblem(undefined);
    try {
      const body = buildStartRequest(choice);
      const { run } = await requestJson<StartedRun>(["runs"], { method: "POST", body });
      navigateTo(buildAddress(["runs", run]));
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setStarting(false);
    }
  };
  return { problem, isStarting, start };
}

type NamedList = StudioInfo["settings"];

/**
 * A text field for a name, which is taken from a list or is any other name, such as the path of a module. The summary
 * is shown below.
 */
function NameField({
  label,
  value,
  list,
  onValue,
}: {
  readonly label: string;
  readonly value: string;
  readonly list: NamedList;
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
        {list.find(({ name }) => name === value)?.summary ??
          "not built in: start such a run in a terminal"}
      </div>
    </div>
  );
}
