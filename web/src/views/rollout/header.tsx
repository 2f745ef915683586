/** The head of a rollout: its instruction, its outcome, the policy's version, and links to other rollouts. */
import type { Rollout } from "../../../../src/spec/rollout.ts";
import type { RolloutView } from "../../../../src/spec/studio/index.ts";
import { formatDecimals, pluralize } from "../../lib/format.ts";
import { getReport } from "../../lib/report.ts";
import { groupAddress, type RolloutPlace, rolloutAddress } from "../../lib/rollout-place.ts";
import { taskAddress } from "../../lib/task-address.ts";
import { OutcomeBadge } from "../../parts/outcome.tsx";
import { RecordedText } from "../../parts/recorded-text.tsx";

interface HeaderProps {
  readonly place: RolloutPlace;
  readonly view: RolloutView;
}

export function RolloutHeader({ place, view }: HeaderProps) {
  const { row, rollout } = view;
  return (
    <>
      <p class="instruction">
        <RecordedText text={rollout.task.instruction} />
      </p>
      <dl class="facts">
        <div>
          <dt>outcome</dt>
          <dd>
            <OutcomeBadge row={row} />
          </dd>
        </div>
        <div>
          <dt>task</dt>
          <dd>
            <TaskLink run={place.run} task={rollout.task.id} />
          </dd>
        </div>
        {listFacts(view).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {rollout.failure && (
        <p class="problem">
          The rollout failed in the {rollout.failure.boundary} ({rollout.failure.code}):{" "}
          <RecordedText text={rollout.failure.message} />
        </p>
      )}
      <NeighbourLinks place={place} view={view} />
    </>
  );
}

/** Leads to the page of the task. A report has no such page. */
function TaskLink({ run, task }: { readonly run: string; readonly task: string }) {
  if (getReport() !== undefined) return <RecordedText text={task} />;
  return (
    <a href={taskAddress([run], task)}>
      <RecordedText text={task} />
    </a>
  );
}

const decimals = (value: number | undefined, digits: number) =>
  value === undefined ? undefined : formatDecimals(value, digits);

function listFacts({ row, rollout }: RolloutView): [string, string][] {
  const { policyVersion, temperature, branch, prefix, chain, role, cast, memory, session } =
    rollout;
  const facts: [string, string | undefined][] = [
    ["reward", decimals(row.reward, 2) ?? "none"],
    ["return, with further terms", decimals(row.return, 2)],
    ["advantage", decimals(row.advantage, 3) ?? "not recorded"],
    ["turns", String(row.turns)],
    ["sampled tokens", row.sampled.toLocaleString("en")],
    ["policy version", policyVersion < 0 ? "none" : String(policyVersion)],
    ["temperature", temperature === 0 ? "0 (greedy)" : String(temperature)],
    ["difficulty", `${rollout.task.difficulty} of 3`],
    ["role", role],
    ["the policy also played", cast?.map(({ role }) => role).join(", ")],
    ["remembered", memory && pluralize(memory.length, "item")],
    ["conversations", session && describeSession(session)],
    ["forked from", branch && `${branch.parent}, before turn ${branch.turn + 1}`],
    ["begins with", prefix && `${prefix.turns} turns of ${prefix.from}`],
    ["chain", chain && `${chain.name}, link ${chain.position + 1}`],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

function describeSession({
  answers,
  roots,
  branches,
  edits,
}: NonNullable<Rollout["session"]>): string {
  const more = [
    branches > 0 && `${branches} branched off`,
    edits > 0 && pluralize(edits, "edit"),
  ].filter((words) => words !== false);
  return [`${roots}, with ${pluralize(answers, "answer")}`, ...more].join(", ");
}

function NeighbourLinks({ place, view: { previous, next, group, rollout } }: HeaderProps) {
  const rolloutHref = (id: string) => rolloutAddress({ ...place, rollout: id });
  return (
    <nav class="beside-links" aria-label="Other rollouts">
      {previous !== null && <a href={rolloutHref(previous)}>← {previous}</a>}
      {next !== null && <a href={rolloutHref(next)}>{next} →</a>}
      {getReport() === undefined && (
        <a href={groupAddress(place, rollout.task.id)}>
          {group.length === 0
            ? "its group"
            : `its group, with ${pluralize(group.length, "other rollout")}`}
        </a>
      )}
    </nav>
  );
}
