/** How a method is made: of its parts, or of another method with other numbers. */
import type { Section, Shape } from "../core/index.ts";
import type { BaseConfig, Method, SectionValues } from "./method.ts";

type OptionalParts = "preset" | "spends" | "conflict" | "needs" | "usesReference" | "usesSolutions";
type MethodSections = Shape & { readonly algo: Section<BaseConfig["algo"]> };
/** The configuration that a method with these sections sees. */
export type MethodConfig<S> = BaseConfig & SectionValues<S>;

type MethodDefinition<S extends MethodSections, State> = { readonly sections: S } & Omit<
  Method<MethodConfig<S>, State>,
  OptionalParts | "sections"
> &
  Partial<Pick<Method<MethodConfig<S>, State>, OptionalParts>>;

/** A method from its parts; what is left out is what plain LOOP does without. */
export function defineMethod<const S extends MethodSections, State = object>(
  definition: MethodDefinition<S, State>,
): Method<MethodConfig<S>, State> {
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
export function defineVariant<C extends BaseConfig, S>(
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
