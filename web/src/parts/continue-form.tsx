/**
 * The form that starts continuations, with their number, the temperature and the seed. The same seed gives the same
 * continuations.
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ContinueRequest } from "../../../src/spec/studio/index.ts";

export function ContinueForm({
  running,
  ready,
  children,
  onStart,
  onStop,
}: {
  readonly running: boolean;
  /** True if a policy is chosen. */
  readonly ready: boolean;
  /** Additional fields of the form. */
  readonly children: ComponentChildren;
  readonly onStart: (request: ContinueRequest) => void;
  readonly onStop: () => void;
}) {
  const [rollouts, setRollouts] = useState(4);
  const [temperature, setTemperature] = useState(1);
  const [seed, setSeed] = useState(1);
  const [wasRun, setWasRun] = useState(false);
  const start = (seed: number) => {
    setWasRun(true);
    setSeed(seed);
    onStart({ rollouts, temperature, seed });
  };
  return (
    <form
      class="row continue-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!running && ready) start(seed);
      }}
    >
      {children}
      <NumberField
        label="Continuations"
        value={rollouts}
        min={1}
        max={32}
        step={1}
        onChange={setRollouts}
      />
      <NumberField
        label="Temperature"
        value={temperature}
        min={0}
        max={2}
        step={0.1}
        onChange={setTemperature}
      />
      <NumberField
        label="Seed"
        value={seed}
        min={0}
        max={999_999_999}
        step={1}
        onChange={setSeed}
      />
      <button type="submit" class="main" disabled={running || !ready}>
        {running ? "Running …" : "Continue"}
      </button>
      <button type="button" disabled={!running} onClick={onStop}>
        Stop
      </button>
      {wasRun && (
        <button type="button" disabled={running} onClick={() => start(seed + 1)}>
          Repeat with another seed
        </button>
      )}
    </form>
  );
}

function NumberField(props: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}) {
  const { label, value, min, max, step, onChange } = props;
  return (
    <label>
      {label}{" "}
      <input
        type="number"
        required
        value={value}
        min={min}
        max={max}
        step={step}
        onInput={(event) => {
          const { valueAsNumber } = event.currentTarget;
          if (Number.isFinite(valueAsNumber)) onChange(valueAsNumber);
        }}
      />
    </label>
  );
}
