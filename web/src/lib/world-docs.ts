/** Loads the documentation of a world for the cell editor. Each app is requested only once. */
import type { AppView, WorldView } from "../../../src/spec/studio/index.ts";
import { requestJson } from "./api.ts";
import { type WorldPlace, worldApiPath, worldApiQuery } from "./world-address.ts";

export interface WorldDocs {
  loadApps(): Promise<WorldView["apps"]>;
  loadApp(name: string): Promise<AppView>;
}

/** Creates a cached loader. A request that failed is sent again the next time. */
export function createWorldDocs(place: WorldPlace): WorldDocs {
  const cache = new Map<string, Promise<unknown>>();
  const load = <T>(path: readonly string[]): Promise<T> => {
    const key = path.join("/");
    const known = cache.get(key) as Promise<T> | undefined;
    if (known) return known;
    const request = requestJson<T>(worldApiPath(place, path), { query: worldApiQuery(place) });
    cache.set(key, request);
    request.catch(() => cache.delete(key));
    return request;
  };
  return {
    loadApps: async () => (await load<WorldView>([])).apps,
    loadApp: (name) => load<AppView>(["apps", name]),
  };
}
