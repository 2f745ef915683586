/** One world: the person the agent acts for, the time, the splits of tasks, and the apps with their APIs and tables. */
import type { WorldView } from "../../../src/spec/studio/index.ts";
import { buildAddress, replaceQuery, type ViewProps } from "../lib/address.ts";
import { useApi } from "../lib/use-api.ts";
import {
  parseWorldPlace,
  type WorldPlace,
  worldAddress,
  worldApiPath,
  worldApiQuery,
} from "../lib/world-address.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { RecordedValue } from "../parts/recorded-value.tsx";
import "../style/worlds.css";

export function WorldPage({ address, names }: ViewProps) {
  const place = parseWorldPlace(names["world"]!, address);
  const world = useApi<WorldView>(worldApiPath(place), worldApiQuery(place));
  return (
    <>
      <Crumbs crumbs={[{ name: "Worlds", href: buildAddress(["worlds"]) }]} />
      <h1>{place.world}</h1>
      {place.run === undefined ? <SeedField seed={place.seed} /> : <RunNote run={place.run} />}
      <LoadedContent loaded={world}>
        {(view) => (
          <>
            <OwnerSection view={view} />
            <SplitsSection view={view} place={place} />
            <AppsSection view={view} place={place} />
          </>
        )}
      </LoadedContent>
    </>
  );
}

function RunNote({ run }: { readonly run: string }) {
  return (
    <p class="note">
      Opened with the seed and the dials of run <a href={buildAddress(["runs", run])}>{run}</a>.
    </p>
  );
}

function SeedField({ seed }: { readonly seed: number }) {
  const changeSeed = (text: string) => {
    if (/^\d{1,9}$/.test(text)) replaceQuery({ seed: text === "1" ? undefined : text });
  };
  return (
    <p class="note">
      <label>
        Seed{" "}
        <input
          type="number"
          min="0"
          max="999999999"
          value={seed}
          onChange={(event) => changeSeed(event.currentTarget.value)}
        />
      </label>{" "}
      Another seed gives other data in the same apps.
    </p>
  );
}

function OwnerSection({ view }: { readonly view: WorldView }) {
  return (
    <section aria-labelledby="owner">
      <h2 id="owner">The person the agent acts for</h2>
      <dl class="facts">
        {Object.entries(view.owner).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <RecordedValue value={value} />
            </dd>
          </div>
        ))}
        <div>
          <dt>time in the world</dt>
          <dd>{view.now}</dd>
        </div>
        {view.version !== undefined && (
          <div>
            <dt>version</dt>
            <dd>{view.version}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function SplitsSection({ view, place }: { readonly view: WorldView; readonly place: WorldPlace }) {
  return (
    <section aria-labelledby="splits">
      <h2 id="splits">Tasks</h2>
      <ul class="plain row">
        {view.splits.map(({ split, scenarios }) => (
          <li key={split}>
            <a class="card tile" href={worldAddress(place, ["tasks"], { split })}>
              <b>{split}</b>
              <span class="soft">
                {scenarios * 3} tasks in {scenarios} scenarios
              </span>
            </a>
          </li>
        ))}
      </ul>
      {!view.hasSolutions && <p class="note">The tasks of this world have no solutions.</p>}
    </section>
  );
}

function AppsSection({ view, place }: { readonly view: WorldView; readonly place: WorldPlace }) {
  return (
    <section aria-labelledby="apps">
      <h2 id="apps">Apps</h2>
      <ul class="plain lines">
        {view.apps.map(({ name, summary, apis, login, tables }) => (
          <li key={name} class="app">
            <span>
              <a class="name" href={worldAddress(place, ["apps", name])}>
                {name}
              </a>{" "}
              <span class="soft">{apis} APIs</span>
            </span>
            <span>
              {summary}
              {login && <span class="soft"> Its calls require a login.</span>}
            </span>
            <span>
              {tables.map((table) => (
                <span key={table.name} class="table-link">
                  <a href={worldAddress(place, ["tables", table.name])}>{table.name}</a>{" "}
                  <span class="soft">{table.rows === 1 ? "1 row" : `${table.rows} rows`}</span>
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
