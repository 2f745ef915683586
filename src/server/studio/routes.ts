/** Paths of the studio's API, each with what answers it. A route is a method, a pattern of segments and a function. */
import type { StudioApi, StudioCall, StudioReply } from "./http.ts";
import { StudioError } from "./studio-error.ts";

/** `:name` segments of the pattern are handed over by name. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** Such as `runs/:run/files/:file`. */
  readonly pattern: string;
  answer(
    call: StudioCall,
    names: Readonly<Record<string, string>>,
  ): Promise<StudioReply> | StudioReply;
}

/** Answers by the first route that fits; 404 where none has the path, 400 where none has the method. */
export function createApi(routes: readonly Route[]): StudioApi {
  const parsed = routes.map((route) => ({ route, parts: route.pattern.split("/") }));
  return async (call) => {
    const fitting = parsed.filter(({ parts }) => matchesPattern(parts, call.path));
    if (fitting.length === 0) throw new StudioError(404, `there is no /api/${call.path.join("/")}`);
    const found = fitting.find(({ route }) => route.method === call.method);
    if (!found) throw new StudioError(400, `${call.method} is not for /api/${call.path.join("/")}`);
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
