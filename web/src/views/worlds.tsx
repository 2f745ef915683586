/** The list of worlds: the built-in ones and those that runs name. */
import type { WorldList } from "../../../src/spec/studio/index.ts";
import { buildAddress } from "../lib/address.ts";
import { useApi } from "../lib/use-api.ts";
import { LoadedContent } from "../parts/loaded-content.tsx";
import "../style/worlds.css";

export function WorldsPage() {
  const worlds = useApi<WorldList>(["worlds"]);
  return (
    <>
      <h1>Worlds</h1>
      <p class="note">
        A world is a set of apps with their APIs and data, and the tasks on which agents are
        trained.
      </p>
      <LoadedContent loaded={worlds}>
        {({ worlds }) => (
          <ul class="plain cards">
            {worlds.map(({ name, summary, problem }) => (
              <li key={name} class="card">
                {problem === undefined ? (
                  <a class="name" href={buildAddress(["worlds", name])}>
                    {name}
                  </a>
                ) : (
                  <span class="name">{name}</span>
                )}
                <p>{summary}</p>
                {problem !== undefined && (
                  <p class="problem">This world cannot be opened: {problem}</p>
                )}
              </li>
            ))}
          </ul>
        )}
      </LoadedContent>
    </>
  );
}
