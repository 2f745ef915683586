/**
 * Imports a module by URL in any thread, from source and from `dist/` alike. A user's own TypeScript is run by tsx;
 * our own modules are named by their source URL (`./starter.ts`) and are found built when we run built.
 */
const FROM_SOURCE = import.meta.url.endsWith(".ts");
const OWN_ROOT = new URL("..", import.meta.url).href;
let registered = false;

/** The URL that exists: in `dist/`, our own `.ts` was compiled to `.js`. */
export function builtUrl(url: string): string {
  return !FROM_SOURCE && url.startsWith(OWN_ROOT) ? url.replace(/\.ts$/, ".js") : url;
}

export async function loadModule(url: string): Promise<Record<string, unknown>> {
  const target = builtUrl(url);
  if (target.endsWith(".ts") && !FROM_SOURCE && !registered) {
    const { register } = await import("tsx/esm/api");
    register();
    registered = true;
  }
  return (await import(target)) as Record<string, unknown>;
}
