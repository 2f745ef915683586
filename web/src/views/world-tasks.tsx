/** The tasks of one split, in pages. */
import type { TaskList, WorldView } from "../../../src/spec/studio/index.ts";
import type { ViewProps } from "../lib/address.ts";
import { useApi } from "../lib/use-api.ts";
import {
  parseWorldPlace,
  type WorldPlace,
  worldAddress,
  worldApiPath,
  worldApiQuery,
} from "../lib/world-address.ts";
import { Difficulty } from "../parts/difficulty.tsx";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { Pager, parseOffset } from "../parts/pager.tsx";
import { RecordedText } from "../parts/recorded-text.tsx";
import { WorldCrumbs } from "../parts/world-crumbs.tsx";
import "../style/worlds.css";

const PAGE_SIZE = 60;

export function WorldTasksPage({ address, names }: ViewProps) {
  const place = parseWorldPlace(names["world"]!, address);
  const { split = "dev" } = address.query;
  const offset = parseOffset(address.query["offset"], 0);
  const world = useApi<WorldView>(worldApiPath(place), worldApiQuery(place));
  const tasks = useApi<TaskList>(worldApiPath(place, ["tasks"]), {
    ...worldApiQuery(place),
    split,
    offset,
    limit: PAGE_SIZE,
  });
  return (
    <>
      <WorldCrumbs place={place} />
      <h1>Tasks</h1>
      <nav class="splits" aria-label="Splits">
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
      <LoadedContent loaded={tasks}>
        {(list) => (
          <>
            <TaskRows list={list} place={place} />
            <Pager
              offset={offset}
              shown={list.tasks.length}
              total={list.total}
              limit={PAGE_SIZE}
              noun="tasks"
            />
          </>
        )}
      </LoadedContent>
    </>
  );
}

function TaskRows({ list, place }: { readonly list: TaskList; readonly place: WorldPlace }) {
  return (
    <ol class="plain lines">
      {list.tasks.map(({ id, difficulty, signature, instruction }) => (
        <li key={id} class="task">
          <a class="name" href={worldAddress(place, ["tasks", id])}>
            {id}
          </a>
          <Difficulty level={difficulty} />
          <span>
            <RecordedText text={instruction} />
          </span>
          <code class="soft">
            <RecordedText text={signature} />
          </code>
        </li>
      ))}
    </ol>
  );
}
