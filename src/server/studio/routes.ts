/** Routes of the studio's API. A route is a method, a pattern of path segments, and a function that answers. */
import type { StudioApi, StudioCall, StudioReply } from "./http.ts";
import { StudioError } from "./studio-error.ts";

/** A route. Its function receives the path segments that match `:name` segments of the pattern. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** A pattern such as `runs/:run/files/:file`. */
  readonly pattern: string;
  answer(
    call: StudioCall,
    names: Readonly<Record<string, string>>,
  ): Promise<StudioReply> | StudioReply;
}

/** Answers with the first matching route. Throws 404 if no route has the path, and 400 if none has the method. */
export function createApi(routes: readonly Route[]): StudioApi {
  const parsed = routes.map((route) => ({ route, parts: route.pattern.split("/") }));
  return async (call) => {
    const fitting = parsed.filter(({ parts }) => matchesPattern(parts, call.path));
    if (fitting.length === 0) throw new StudioError(404, `there is no /api/${call.path.join("/")}`);
    const found = fitting.find(({ route }) => route.method === call.method);
    if (!found)
      throw new StudioError(400, `/api/${call.path.join("/")} does not accept ${call.method}`);
    const names = Object.fromEntries(
      found.parts.flatMap((part, i) =>
        part.startsWith(":") ? [[part.slice(1), call.path[i]!] as const] : [],
      ),
    );
    return found.route.answer(call, names);
  };
}

function matchesPattern(parts: readonly string[], path: readonly string[]): boolean {
  return (
    parts.length === path.length &&
    parts.every((part, i) => (part.startsWith(":") ? path[i] !== "" : part === path[i]))
  );
}
