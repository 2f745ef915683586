/** Documentation of a world for whoever writes cells in it: asked for app by app, once each. */
import type { AppView, WorldView } from "../../../src/spec/studio/index.ts";
import { requestJson } from "./api.ts";
import { type WorldPlace, worldPath, worldQuery } from "./world-address.ts";

export interface WorldDocs {
  loadApps(): Promise<WorldView["apps"]>;
  app(name: string): Promise<AppView>;
}

/** A failed answer is asked for again the next time. */
export function cellDocs(place: WorldPlace): WorldDocs {
  const kept = new Map<string, Promise<unknown>>();
  const ask = <T>(path: readonly string[]): Promise<T> => {
    const key = path.join("/");
    const known = kept.get(key) as Promise<T> | undefined;
    if (known) return known;
    const asked = requestJson<T>(worldPath(place, path), { query: worldQuery(place) });
    kept.set(key, asked);
    asked.catch(() => kept.delete(key));
    return asked;
  };
  return {
    loadApps: async () => (await ask<WorldView>([])).apps,
    app: (name) => ask<AppView>(["apps", name]),
  };
}
