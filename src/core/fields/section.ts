/**
 * Sections of configuration fields. Some fields exist only under a certain choice.
 *
 * A leaf is a zod schema with a default. Its place in the section says what it depends on:
 *
 *   section({}, choice("kind", "", { a: section({ x: leaf }), b: section({}) }))   x exists if kind is a
 *   offByDefault("", section({ ... }))                                             null until it is switched on
 *
 * So nobody can set a field that no code would read. The types match: a choice is a discriminated union, and a group
 * that may be off is nullable.
 */
import { z } from "zod";

declare const VALUE: unique symbol;

/** A configuration field: a leaf, or a group of fields. */
export type Field = z.ZodType | Section<unknown>;
/** The fields of a section by name. */
export type Shape = { readonly [name: string]: Field };

/** A group of fields. `T` is the type of its parsed value. */
export interface Section<T> {
  readonly kind: "section";
  readonly shape: Shape;
  readonly choices: readonly Choice<unknown>[];
  /** Whether the group may be null (`false`, `off` or `none` on a command line), and if so, what its default is. */
  readonly nullable: false | "off" | "on";
  /** A description of one line. */
  readonly description: string;
  readonly [VALUE]?: T;
}

/** A field whose value decides which other fields exist. */
export interface Choice<T> {
  readonly fieldName: string;
  /** The schema of the field itself: the name of a case, or any text if there is an `otherCase`. */
  readonly leaf: z.ZodType;
  readonly cases: { readonly [value: string]: Section<unknown> };
  /** The fields that exist when the value is not the name of a case but, for example, the path of a module. */
  readonly otherCase: Section<unknown> | undefined;
  readonly [VALUE]?: T;
}

/** The type of a field's parsed value. */
export type FieldValue<F> =
  F extends Section<infer T> ? T : F extends z.ZodType ? z.output<F> : never;
type FieldValues<S> = { readonly [K in keyof S]: FieldValue<S[K]> };
type CaseValue<Name extends string, Cases> = {
  [V in keyof Cases]: { readonly [K in Name]: V } & FieldValue<Cases[V]>;
}[keyof Cases];

/** Declares a section from its fields and from choices that add further fields. */
export function section<S extends Shape, A = unknown, B = unknown, C = unknown>(
  shape: S,
  ...choices:
    | readonly []
    | readonly [Choice<A>]
    | readonly [Choice<A>, Choice<B>]
    | readonly [Choice<A>, Choice<B>, Choice<C>]
): Section<FieldValues<S> & A & B & C> {
  return { kind: "section", shape, choices, nullable: false, description: "" };
}

/** Returns the section with a one-line description. */
export function withDescription<T>(description: string, group: Section<T>): Section<T> {
  return { ...group, description } as Section<T>;
}

/** Declares a group that is null until `true` or one of its fields switches it on. */
export function offByDefault<T>(description: string, group: Section<T>): Section<T | null> {
  return { ...group, nullable: "off", description } as Section<T | null>;
}

/** Declares a group that is on unless `false` switches it off. */
export function onByDefault<T>(description: string, group: Section<T>): Section<T | null> {
  return { ...group, nullable: "on", description } as Section<T | null>;
}

/** Declares a choice between named cases. The first case is the default unless `defaultCase` names another. */
export function choice<
  const Name extends string,
  Cases extends { readonly [value: string]: Section<unknown> },
>(
  fieldName: Name,
  description: string,
  cases: Cases,
  defaultCase: keyof Cases & string = Object.keys(cases)[0]!,
): Choice<CaseValue<Name, Cases>> {
  const names = Object.keys(cases) as [string, ...string[]];
  const leaf = z.enum(names).default(defaultCase).describe(description);
  return { fieldName, leaf, cases, otherCase: undefined };
}

/**
 * Declares a choice between named cases and the path of a user's own module. With a module, the fields `moduleFields`
 * exist.
 */
export function choiceOrModulePath<
  const Name extends string,
  Cases extends { readonly [value: string]: Section<unknown> },
  Other,
>(
  fieldName: Name,
  description: string,
  cases: Cases,
  moduleFields: Section<Other>,
): Choice<CaseValue<Name, Cases> | ({ readonly [K in Name]: `${string}.${string}` } & Other)> {
  const [defaultCase = ""] = Object.keys(cases);
  const leaf = z
    .string()
    .min(1)
    .default(defaultCase)
    .describe(description)
    .meta({
      expected: `one of ${Object.keys(cases).join(", ")}, or the path of a module`,
    });
  return { fieldName, leaf, cases, otherCase: moduleFields };
}

/** Returns cases for `choice` that all have the same fields. */
export function casesWithSameFields<const N extends string, T>(
  names: readonly N[],
  group: Section<T>,
): { readonly [K in N]: Section<T> } {
  return Object.fromEntries(names.map((name) => [name, group])) as { [K in N]: Section<T> };
}

export function isSection(field: Field): field is Section<unknown> {
  return "kind" in field && field.kind === "section";
}

/**
 * Returns all fields that exist under the given choices: the choices themselves, the fields of their chosen cases, and
 * all other fields.
 */
export function collectActiveFields(
  group: Section<unknown>,
  getChosenCase: (choice: Choice<unknown>) => string,
): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const choice of group.choices) {
    fields.set(choice.fieldName, choice.leaf);
    const inner = findCase(choice, getChosenCase(choice));
    if (inner) for (const entry of collectActiveFields(inner, getChosenCase)) fields.set(...entry);
  }
  for (const [name, field] of Object.entries(group.shape)) fields.set(name, field);
  return fields;
}

/** Returns the choices of a section, including those inside the cases that are chosen. */
export function collectActiveChoices(
  group: Section<unknown>,
  getChosenCase: (choice: Choice<unknown>) => string,
): Choice<unknown>[] {
  return group.choices.flatMap((choice) => {
    const inner = findCase(choice, getChosenCase(choice));
    return [choice, ...(inner ? collectActiveChoices(inner, getChosenCase) : [])];
  });
}

function findCase({ cases, otherCase }: Choice<unknown>, value: string) {
  return Object.hasOwn(cases, value) ? cases[value] : otherCase;
}
