/** One task: its instruction and, unless it is hidden for a test split, its goal and solution. */
import { useState } from "preact/hooks";
import type { EpisodeView, OpenEpisodeRequest, TaskView } from "../../../src/spec/studio/index.ts";
import { buildAddress, navigateTo, replaceQuery, type ViewProps } from "../lib/address.ts";
import { type ApiError, requestJson } from "../lib/api.ts";
import { useApi } from "../lib/use-api.ts";
import {
  parseWorldPlace,
  type WorldPlace,
  worldAddress,
  worldApiPath,
  worldApiQuery,
} from "../lib/world-address.ts";
import { Difficulty } from "../parts/difficulty.tsx";
import { ErrorMessage, LoadedContent } from "../parts/loaded-content.tsx";
import { RecordedText } from "../parts/recorded-text.tsx";
import { TaskGoal } from "../parts/task-goal.tsx";
import { WorldCrumbs } from "../parts/world-crumbs.tsx";
import "../style/worlds.css";

export function WorldTaskPage({ address, names }: ViewProps) {
  const place = parseWorldPlace(names["world"]!, address);
  const id = names["task"]!;
  const checks = address.query["checks"] === "1" ? 1 : undefined;
  const task = useApi<TaskView>(worldApiPath(place, ["tasks", id]), {
    ...worldApiQuery(place),
    checks,
  });
  const split = id.split("/")[0]!;
  return (
    <>
      <WorldCrumbs
        place={place}
        more={[{ name: `Tasks of ${split}`, href: worldAddress(place, ["tasks"], { split }) }]}
      />
      <h1>Task {id}</h1>
      <LoadedContent loaded={task}>
        {(view) => (
          <>
            <TaskInstruction view={view} />
            <SolveButton place={place} task={id} />
            {view.checks ? <TaskGoal task={view} /> : <HiddenSolution busy={task.loading} />}
          </>
        )}
      </LoadedContent>
    </>
  );
}

function TaskInstruction({ view }: { readonly view: TaskView }) {
  const { instruction, difficulty, signature } = view.task;
  return (
    <div class="card">
      <p class="asked">
        <RecordedText text={instruction} />
      </p>
      <p class="soft">
        <Difficulty level={difficulty} isLabelled /> · signature{" "}
        <code>
          <RecordedText text={signature} />
        </code>
      </p>
    </div>
  );
}

function SolveButton({ place, task }: { readonly place: WorldPlace; readonly task: string }) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const body: OpenEpisodeRequest = { from: "task", ...place, task };
      const { id } = await requestJson<EpisodeView>(["episodes"], { method: "POST", body });
      navigateTo(buildAddress(["episodes", id]));
    } catch (error) {
      setProblem((error as ApiError).message);
      setBusy(false);
    }
  };
  return (
    <>
      <p class="actions">
        <button type="button" class="main" disabled={busy} onClick={open}>
          {busy ? "Opening …" : "Solve it yourself"}
        </button>
      </p>
      {problem !== undefined && <ErrorMessage text={problem} />}
    </>
  );
}

function HiddenSolution({ busy }: { readonly busy: boolean }) {
  return (
    <p class="note actions">
      <button type="button" disabled={busy} onClick={() => replaceQuery({ checks: 1 })}>
        {busy ? "Loading …" : "Show the checks and the solution"}
      </button>{" "}
      The checks of test splits are hidden, because knowing them could influence how you build and
      tune your agent.
    </p>
  );
}
