/**
 * Habits before and after training: what the policy does, as opposed to its scores. Each number has links to rollouts
 * that show the habit, so that the number can be verified.
 */

import type { BehaviourView } from "../../../src/spec/studio/index.ts";
import { buildAddress, replaceQuery, type ViewProps } from "../lib/address.ts";
import { type Bar, barStyle, placeBars } from "../lib/bar-scale.ts";
import { formatHabitChange, formatHabitName, formatHabitValue } from "../lib/habits.ts";
import { escapeInvisible } from "../lib/invisible-characters.ts";
import { useApi } from "../lib/use-api.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { RecordedText } from "../parts/recorded-text.tsx";
import "../style/behaviour.css";

type Habit = BehaviourView["habits"][number];
type Example = Habit["examplesBefore"][number];

export function BehaviourPage({ address, names }: ViewProps) {
  const run = names["run"]!;
  const loaded = useApi<BehaviourView>(["runs", run, "behaviour"], {
    split: address.query["split"],
  });
  return (
    <div class="behaviour">
      <Crumbs
        crumbs={[
          { name: "Runs", href: "#/" },
          { name: escapeInvisible(run), href: buildAddress(["runs", run]) },
        ]}
      />
      <h1>Behaviour</h1>
      <LoadedContent loaded={loaded}>
        {(view) => (view.split === "" ? <NoEvaluation /> : <Habits run={run} view={view} />)}
      </LoadedContent>
    </div>
  );
}

function NoEvaluation() {
  return (
    <p class="note">
      Habits are counted in evaluations, and this run has none yet. A run is evaluated before and
      after training.
    </p>
  );
}

export function Habits({ run, view }: { readonly run: string; readonly view: BehaviourView }) {
  const shown = view.habits.filter(({ before, after }) => before || after);
  const absent = view.habits.filter(({ before, after }) => !before && !after);
  return (
    <>
      <div class="choose">
        <label>
          Evaluation{" "}
          <select
            value={view.split}
            onChange={({ currentTarget }) => replaceQuery({ split: currentTarget.value })}
          >
            {view.splits.map((split) => (
              <option key={split} value={split}>
                {escapeInvisible(split)}
              </option>
            ))}
          </select>
        </label>
        <p class="legend">
          <span class="before">before</span> <span class="after">after training</span>
        </p>
      </div>
      <ImprovedTask run={run} pair={view.pair} />
      {shown.length > 0 && <HabitTable run={run} habits={shown} />}
      {absent.length > 0 && (
        <p class="note">
          Not observed, neither before nor after training:{" "}
          {absent.map(({ name }) => formatHabitName(name)).join(", ")}.
        </p>
      )}
    </>
  );
}

function HabitTable({ run, habits }: { readonly run: string; readonly habits: readonly Habit[] }) {
  return (
    <div class="scroll">
      <table class="habits">
        <thead>
          <tr>
            <th scope="col">Habit</th>
            <th scope="col" title="The bars of a row begin at zero and are on one scale.">
              Amount, on a scale per row
            </th>
            <th scope="col" class="number">
              Before
            </th>
            <th scope="col" class="number">
              After
            </th>
            <th scope="col" class="number">
              Change
            </th>
            <th scope="col">Rollouts that show it</th>
          </tr>
        </thead>
        <tbody>
          {habits.map((habit) => (
            <HabitRow key={habit.name} run={run} habit={habit} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function HabitRow({ run, habit }: { readonly run: string; readonly habit: Habit }) {
  const { name, meaning, before, after, examplesBefore, examplesAfter } = habit;
  const [barBefore, barAfter] = placeBars([before ?? 0, after ?? 0]);
  return (
    <tr>
      <th scope="row">
        {formatHabitName(name)}
        <span class="meaning">{meaning}</span>
      </th>
      <td>
        <HabitBar when="before" bar={barBefore!} />
        <HabitBar when="after" bar={barAfter!} />
      </td>
      <td class="number">{formatHabitValue(before)}</td>
      <td class="number">{formatHabitValue(after)}</td>
      <td class="number">{formatHabitChange(before, after)}</td>
      <td>
        <Examples run={run} when="before" examples={examplesBefore} />
        <Examples run={run} when="after" examples={examplesAfter} />
      </td>
    </tr>
  );
}

/** A bar for a number. It is hidden from screen readers, because the number is next to it. */
function HabitBar({ when, bar }: { readonly when: "before" | "after"; readonly bar: Bar }) {
  return (
    <div class="bar" aria-hidden="true">
      <div class={when} style={barStyle(bar)} />
    </div>
  );
}

function Examples({
  run,
  when,
  examples,
}: {
  readonly run: string;
  readonly when: "before" | "after";
  readonly examples: readonly Example[];
}) {
  if (examples.length === 0) return null;
  return (
    <p class="examples">
      <span class={when}>{when}</span>
      {examples.map((example) => (
        <a key={`${example.rollout}-${example.turn}`} href={exampleAddress(run, example)}>
          {formatExample(example)}
        </a>
      ))}
    </p>
  );
}

/**
 * Returns the name of an example: its place in the file. The file is that of the column's evaluation, so it is not
 * named.
 */
function formatExample({ file, rollout, turn }: Example): string {
  const place = rollout.startsWith(`${file}/`) ? rollout.slice(file.length + 1) : rollout;
  return escapeInvisible(turn === undefined ? place : `${place}, turn ${turn + 1}`);
}

function ImprovedTask({
  run,
  pair,
}: {
  readonly run: string;
  readonly pair: BehaviourView["pair"];
}) {
  if (pair === null) return null;
  return (
    <section class="card pair" aria-labelledby="pair">
      <h2 id="pair">One task, before and after</h2>
      <blockquote>
        <RecordedText text={pair.instruction} />
      </blockquote>
      <p>
        <a href={exampleAddress(run, pair.before)}>Before training: failed</a>
        <a href={exampleAddress(run, pair.after)}>After training: passed</a>
      </p>
    </section>
  );
}

function exampleAddress(run: string, { file, rollout, turn }: Example): string {
  return buildAddress(["runs", run, "files", file, "rollouts", rollout], { turn });
}
