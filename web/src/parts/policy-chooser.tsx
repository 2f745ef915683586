/** Chooses the policy that continues: a run that was trained in this world, and one of its checkpoints. */
import { useEffect } from "preact/hooks";
import type { ContinueRequest, RunDetail, RunList } from "../../../src/spec/studio/index.ts";
import { escapeInvisible } from "../lib/invisible-characters.ts";
import { useApi } from "../lib/use-api.ts";

export type PolicyChoice = Pick<ContinueRequest, "run" | "checkpoint">;

/** Checkpoints in the order in which the server chooses one: the newest first. */
const CHECKPOINTS = ["final", "latest", "warm"] as const;

export function PolicyChooser({
  world,
  ownRun,
  choice,
  onChange,
}: {
  readonly world: string;
  /** The run to which the episode belongs. */
  readonly ownRun: string | undefined;
  readonly choice: PolicyChoice;
  readonly onChange: (choice: PolicyChoice) => void;
}) {
  const runs = (useApi<RunList>(["runs"]).value?.runs ?? []).filter((run) => run.world === world);
  const detail = useApi<RunDetail>(choice.run === undefined ? null : ["runs", choice.run]).value;
  const checkpoints = CHECKPOINTS.filter((name) => detail?.checkpoints.includes(name));
  useEffect(() => {
    const first = runs[0];
    if (ownRun === undefined && choice.run === undefined && first) onChange({ run: first.id });
  }, [runs.length]);
  if (runs.length === 0) return null;
  return (
    <>
      <label>
        Run{" "}
        <select
          value={choice.run}
          onChange={(event) => onChange({ run: event.currentTarget.value })}
        >
          {runs.map(({ id }) => (
            <option key={id} value={id}>
              {escapeInvisible(id)}
            </option>
          ))}
        </select>
      </label>
      {checkpoints.length > 0 && (
        <label>
          Checkpoint{" "}
          <select
            value={choice.checkpoint ?? checkpoints[0]}
            onChange={(event) => {
              const checkpoint = checkpoints.find((name) => name === event.currentTarget.value);
              onChange({ run: choice.run, ...(checkpoint && { checkpoint }) });
            }}
          >
            {checkpoints.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
