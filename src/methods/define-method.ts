/** How a method is made: of its parts, or of another method with other numbers. */
import type { Section, Shape } from "../core/index.ts";
import type { BaseConfig, Method, Values } from "./method.ts";

type Optional = "preset" | "spends" | "conflict" | "needs" | "usesReference" | "usesSolutions";
type Sections = Shape & { readonly algo: Section<BaseConfig["algo"]> };
/** The configuration that a method with these sections sees. */
export type ConfigOf<S> = BaseConfig & Values<S>;

type Definition<S extends Sections, State> = { readonly sections: S } & Omit<
  Method<ConfigOf<S>, State>,
  Optional | "sections"
> &
  Partial<Pick<Method<ConfigOf<S>, State>, Optional>>;

/** A method from its parts; what is left out is what plain LOOP does without. */
export function defineMethod<const S extends Sections, State = object>(
  definition: Definition<S, State>,
): Method<ConfigOf<S>, State> {
  return {
    preset: {},
    spends: "iterations",
    conflict: () => undefined,
    needs: () => [],
    usesReference: () => false,
    usesSolutions: () => false,
    ...definition,
  };
}

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
