/** The documentation of one app. */
import { useEffect } from "preact/hooks";
import type { AppView } from "../../../src/spec/studio/index.ts";
import { replaceQuery, type ViewProps } from "../lib/address.ts";
import { parseApiDoc } from "../lib/api-doc.ts";
import { useApi } from "../lib/use-api.ts";
import {
  parseWorldPlace,
  type WorldPlace,
  worldAddress,
  worldApiPath,
  worldApiQuery,
} from "../lib/world-address.ts";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { RecordedText } from "../parts/recorded-text.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { WorldCrumbs } from "../parts/world-crumbs.tsx";
import "../style/worlds.css";

type Api = AppView["apis"][number];

export function WorldAppPage({ address, names }: ViewProps) {
  const place = parseWorldPlace(names["world"]!, address);
  const name = names["app"]!;
  const { find = "", api: at } = address.query;
  const app = useApi<AppView>(worldApiPath(place, ["apps", name]), worldApiQuery(place));
  useEffect(() => {
    if (at !== undefined) document.getElementById(`api-${at}`)?.scrollIntoView();
  }, [at, app.value]);
  return (
    <>
      <WorldCrumbs place={place} />
      <h1>{name}</h1>
      <LoadedContent loaded={app}>
        {({ summary, apis }) => {
          const found = apis.filter((api) => matchesSearch(api, find));
          return (
            <>
              <p class="note">{summary}</p>
              <SearchBox
                label="Find an API"
                value={find}
                onChange={(find) => replaceQuery({ find, api: undefined })}
                found={`${found.length} of ${apis.length} APIs`}
              />
              <div class="docs">
                <ApiLinks apis={found} place={place} app={name} find={find} />
                <div>
                  {found.map((api) => (
                    <ApiEntry key={api.name} app={name} api={api} />
                  ))}
                </div>
              </div>
            </>
          );
        }}
      </LoadedContent>
    </>
  );
}

function matchesSearch(api: Api, find: string): boolean {
  const text = `${api.name} ${api.summary} ${api.text}`.toLowerCase();
  return find
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function ApiLinks(props: {
  readonly apis: readonly Api[];
  readonly place: WorldPlace;
  readonly app: string;
  readonly find: string;
}) {
  const { apis, place, app, find } = props;
  return (
    <nav aria-label="APIs" class="contents">
      <ul class="plain">
        {apis.map(({ name, writes }) => (
          <li key={name}>
            <a href={worldAddress(place, ["apps", app], { find, api: name })}>{name}</a>
            {writes && <span class="soft"> writes</span>}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ApiEntry({ app, api }: { readonly app: string; readonly api: Api }) {
  const { name, summary, parameters, text, writes } = api;
  const { call, returns, example } = parseApiDoc(text);
  return (
    <section class="card api" id={`api-${name}`} aria-labelledby={`title-${name}`}>
      <h2 id={`title-${name}`}>
        <code>
          <RecordedText text={call ?? `apis.${app}.${name}`} />
        </code>
        {writes && <span class="tag">writes</span>}
      </h2>
      <p>
        <RecordedText text={summary} />
      </p>
      {parameters.length > 0 ? (
        <ParameterTable parameters={parameters} />
      ) : (
        <p class="soft">No parameters.</p>
      )}
      {returns !== undefined && (
        <p>
          <span class="soft">Returns</span>{" "}
          <code>
            <RecordedText text={returns} />
          </code>
        </p>
      )}
      {example !== undefined && (
        <p>
          <span class="soft">Example</span>{" "}
          <code>
            <RecordedText text={example} />
          </code>
        </p>
      )}
      <details>
        <summary>The text that agents read</summary>
        <pre>
          <RecordedText text={text} />
        </pre>
      </details>
    </section>
  );
}

function ParameterTable({ parameters }: { readonly parameters: Api["parameters"] }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map(({ name, type, required, description }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
                {!required && <span class="soft"> optional</span>}
              </th>
              <td>
                <code>
                  <RecordedText text={type} />
                </code>
              </td>
              <td>
                <RecordedText text={description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
