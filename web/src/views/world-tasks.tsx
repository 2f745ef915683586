/** The tasks of one split, page by page. */
import type { TaskList, WorldView } from "../../../src/spec/studio/index.ts";
import type { ViewProps } from "../lib/address.ts";
import { useApi } from "../lib/use-api.ts";
import { type WorldPlace, worldAddress, worldPath, worldPlace } from "../lib/world-address.ts";
import { Difficulty } from "../parts/difficulty.tsx";
import { Pager, wholeNumber } from "../parts/pager.tsx";
import { Recorded } from "../parts/recorded.tsx";
import { Shown } from "../parts/shown.tsx";
import { WorldCrumbs } from "../parts/world-crumbs.tsx";
import "../style/worlds.css";

const LIMIT = 60;

export function WorldTasks({ address, names }: ViewProps) {
  const place = worldPlace(names["world"]!, address);
  const { split = "dev" } = address.query;
  const offset = wholeNumber(address.query["offset"], 0);
  const { seed } = place;
  const world = useApi<WorldView>(worldPath(place), { seed });
  const tasks = useApi<TaskList>(worldPath(place, ["tasks"]), {
    seed,
    split,
    offset,
    limit: LIMIT,
  });
  return (
    <>
      <WorldCrumbs place={place} />
      <h1>Tasks</h1>
      <nav class="tabs" aria-label="Splits">
        {(world.value?.splits ?? []).map((one) => (
          <a
            key={one.split}
            href={worldAddress(place, ["tasks"], { split: one.split })}
            aria-current={one.split === split ? "page" : undefined}
          >
            {one.split}
          </a>
        ))}
      </nav>
      <Shown of={tasks}>
        {(list) => (
          <>
            <Rows list={list} place={place} />
            <Pager
              offset={offset}
              shown={list.tasks.length}
              total={list.total}
              limit={LIMIT}
              of="tasks"
            />
          </>
        )}
      </Shown>
    </>
  );
}

function Rows({ list, place }: { readonly list: TaskList; readonly place: WorldPlace }) {
  return (
    <div class="scroll">
      <table class="tasks">
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Difficulty</th>
            <th scope="col">Instruction</th>
            <th scope="col">Made of</th>
          </tr>
        </thead>
        <tbody>
          {list.tasks.map(({ id, difficulty, signature, instruction }) => (
            <tr key={id}>
              <th scope="row">
                <a href={worldAddress(place, ["tasks", id])}>{id}</a>
              </th>
              <td>
                <Difficulty of={difficulty} />
              </td>
              <td>
                <Recorded text={instruction} />
              </td>
              <td>
                <code>
                  <Recorded text={signature} />
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
