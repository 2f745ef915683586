/** Makes a method, either from its parts or from another method with other preset numbers. */
import type { Section, Shape } from "../core/index.ts";
import type { BaseConfig, Method, SectionValues } from "./method.ts";

type OptionalParts = "preset" | "spends" | "conflict" | "needs" | "usesReference" | "usesSolutions";
type MethodSections = Shape & { readonly algo: Section<BaseConfig["algo"]> };
/** The configuration of a method that has the sections `S`. */
export type MethodConfig<S> = BaseConfig & SectionValues<S>;

type MethodDefinition<S extends MethodSections, State> = { readonly sections: S } & Omit<
  Method<MethodConfig<S>, State>,
  OptionalParts | "sections"
> &
  Partial<Pick<Method<MethodConfig<S>, State>, OptionalParts>>;

/** Makes a method from its parts. A part that is left out is that of plain LOOP. */
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

/** Returns a copy of the method that has another name and other preset numbers. */
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
