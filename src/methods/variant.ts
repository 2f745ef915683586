/** Relatives of a method: the same functions with other numbers. */
import type { BaseConfig, Method } from "./method.ts";

/** The same method under another name, with other numbers. */
export function variant<C extends BaseConfig, S>(
  method: Method<C, S>,
  change: { readonly name: string; readonly summary: string } & Partial<
    Pick<Method, "preset" | "spends">
  >,
): Method<C, S> {
  const sections = Object.keys({ ...method.preset, ...change.preset });
  const preset = Object.fromEntries(
    sections.map((name) => [name, { ...method.preset[name], ...change.preset?.[name] }]),
  );
  return { ...method, ...change, preset };
}
