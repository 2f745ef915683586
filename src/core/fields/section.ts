/**
 * Sections of configuration fields, some of which exist only where a choice was made.
 *
 * A leaf is a zod schema with a default. What it depends on is said by where it stands, not by a rule about it:
 *
 *   section({ name: leaf, ... }, choice("kind", { a: section({ x: leaf }), b: section({}) }))    x exists where kind is a
 *   off(section({ ... }))                                                                        null until it is switched on
 *
 * So a field that nothing would read cannot be written down. Types follow: a choice is a discriminated union, a group
 * that may be off is nullable.
 */
import { z } from "zod";

declare const VALUE: unique symbol;

/** A leaf, or a group of fields. */
export type Field = z.ZodType | Section<unknown>;
export type Shape = { readonly [name: string]: Field };

/** A group of fields. `T`: its value once it is parsed. */
export interface Section<T> {
  readonly kind: "section";
  readonly shape: Shape;
  readonly choices: readonly Choice<unknown>[];
  /** May be null, and is by default where it is `off`; null is what `false`, `off` and `none` say on a command line. */
  readonly nullable: false | "off" | "on";
  /** One line. */
  readonly description: string;
  readonly [VALUE]?: T;
}

/** A field whose value decides which others there are. */
export interface Choice<T> {
  readonly on: string;
  /** The field itself: one of the cases, or with `otherwise` any text. */
  readonly leaf: z.ZodType;
  readonly cases: { readonly [value: string]: Section<unknown> };
  /** Where the value is none of the cases. */
  readonly otherwise: Section<unknown> | undefined;
  readonly [VALUE]?: T;
}

export type ValueOf<F> = F extends Section<infer T> ? T : F extends z.ZodType ? z.output<F> : never;
type ValuesOf<S> = { readonly [K in keyof S]: ValueOf<S[K]> };
type CaseOf<On extends string, Cases> = {
  [V in keyof Cases]: { readonly [K in On]: V } & ValueOf<Cases[V]>;
}[keyof Cases];

/** Fields, and choices that add more. */
export function section<S extends Shape, A = unknown, B = unknown, C = unknown>(
  shape: S,
  ...choices:
    | readonly []
    | readonly [Choice<A>]
    | readonly [Choice<A>, Choice<B>]
    | readonly [Choice<A>, Choice<B>, Choice<C>]
): Section<ValuesOf<S> & A & B & C> {
  return { kind: "section", shape, choices, nullable: false, description: "" };
}

/** The same under a one-line description. */
export function described<T>(description: string, group: Section<T>): Section<T> {
  return { ...group, description } as Section<T>;
}

/** A group that is null until it is switched on: by any of its fields, or by `true`. */
export function off<T>(description: string, group: Section<T>): Section<T | null> {
  return { ...group, nullable: "off", description } as Section<T | null>;
}

/** A group that can be switched off, by `false`. */
export function on<T>(description: string, group: Section<T>): Section<T | null> {
  return { ...group, nullable: "on", description } as Section<T | null>;
}

/** The first case is the default, unless another is named. */
export function choice<
  const On extends string,
  Cases extends { readonly [value: string]: Section<unknown> },
>(
  on: On,
  description: string,
  cases: Cases,
  standard: keyof Cases & string = Object.keys(cases)[0]!,
): Choice<CaseOf<On, Cases>> {
  const names = Object.keys(cases) as [string, ...string[]];
  const leaf = z.enum(names).default(standard).describe(description);
  return { on, leaf, cases, otherwise: undefined };
}

/** A choice among named cases or something of one's own, such as the path of a module. */
export function openChoice<
  const On extends string,
  Cases extends { readonly [value: string]: Section<unknown> },
  Other,
>(
  on: On,
  description: string,
  cases: Cases,
  otherwise: Section<Other>,
): Choice<CaseOf<On, Cases> | ({ readonly [K in On]: `${string}.${string}` } & Other)> {
  const [standard = ""] = Object.keys(cases);
  const leaf = z
    .string()
    .min(1)
    .default(standard)
    .describe(description)
    .meta({
      expected: `one of ${Object.keys(cases).join(", ")}, or the path of a module`,
    });
  return { on, leaf, cases, otherwise };
}

/** Cases that have the same fields. */
export function same<const N extends string, T>(
  names: readonly N[],
  group: Section<T>,
): { readonly [K in N]: Section<T> } {
  return Object.fromEntries(names.map((name) => [name, group])) as { [K in N]: Section<T> };
}

export function isSection(field: Field): field is Section<unknown> {
  return "kind" in field && field.kind === "section";
}

/** What a section holds where these choices are made: its own fields, those of the cases, and the choices themselves. */
export function activeFields(
  group: Section<unknown>,
  chosen: (choice: Choice<unknown>) => string,
): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const choice of group.choices) {
    fields.set(choice.on, choice.leaf);
    const inner = caseOf(choice, chosen(choice));
    if (inner) for (const entry of activeFields(inner, chosen)) fields.set(...entry);
  }
  for (const [name, field] of Object.entries(group.shape)) fields.set(name, field);
  return fields;
}

/** The choices that are made there, those inside of the cases among them. */
export function activeChoices(
  group: Section<unknown>,
  chosen: (choice: Choice<unknown>) => string,
): Choice<unknown>[] {
  return group.choices.flatMap((choice) => {
    const inner = caseOf(choice, chosen(choice));
    return [choice, ...(inner ? activeChoices(inner, chosen) : [])];
  });
}

function caseOf({ cases, otherwise }: Choice<unknown>, value: string) {
  return Object.hasOwn(cases, value) ? cases[value] : otherwise;
}
