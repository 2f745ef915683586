/** Imports a user's module by URL, TypeScript included, in any thread and from source or `dist/`. */
let registered = false;

export async function loadModule(url: string): Promise<Record<string, unknown>> {
  if (url.endsWith(".ts") && !import.meta.url.endsWith(".ts") && !registered) {
    const { register } = await import("tsx/esm/api");
    register();
    registered = true;
  }
  return (await import(url)) as Record<string, unknown>;
}
