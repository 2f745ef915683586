/** Proves that the examples in the documentation work: each API's example is run as the first call of an episode. */
import { errorMessage } from "../../core/index.ts";
import { findAccount } from "../api/index.ts";
import type { WorldInstance } from "../episode/index.ts";

/**
 * Lists the APIs of the world's own apps that have no example, or whose example throws or fails in the population. If
 * an app needs a session, a login is made first.
 */
export function apisWithoutExample(
  world: WorldInstance,
): { readonly api: string; readonly why: string }[] {
  return world.definition.apps.flatMap((app) =>
    Object.keys(app.apis).flatMap((api) => {
      const why = findExampleProblem(world, app.name, api);
      return why === undefined ? [] : [{ api: `${app.name}.${api}`, why }];
    }),
  );
}

function findExampleProblem(world: WorldInstance, app: string, api: string): string | undefined {
  const { dispatcher, owner } = world;
  const session = { state: world.copyPopulation(), calls: 0 };
  if (dispatcher.appsWithLogin.has(app)) {
    const { password } = findAccount(session.state, app)!;
    dispatcher.call(session, owner, app, "login", { password });
  }
  try {
    const args = dispatcher.example(app, api, session.state);
    if (!args) return "it has no example";
    const result = dispatcher.call(session, owner, app, api, args);
    return "message" in result ? `${result.status} ${result.message}` : undefined;
  } catch (error) {
    return `its example throws: ${errorMessage(error)}`;
  }
}
