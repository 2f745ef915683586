/** The filters and tests of Jinja 3.1 by name, with `tojson` as transformers replaces it. */
import { bindArguments } from "../python/arguments.ts";
import { textOf } from "../python/compare.ts";
import { type NamedValues, PythonError, UnsupportedError, type Value } from "../python/values.ts";
import type { Filter } from "./define-filter.ts";
import { LIST_FILTERS } from "./list-filters.ts";
import { NUMBER_FILTERS } from "./number-filters.ts";
import { createSelectionFilters } from "./selection-filters.ts";
import { TESTS } from "./tests.ts";
import { TEXT_FILTERS } from "./text-filters.ts";

/** Filters of Jinja that are refused by name: their results depend on chance or are made for HTML or for people. */
const MISSING_FILTERS = ["pprint", "random", "striptags", "urlize", "wordwrap"];

const FILTERS: Readonly<Record<string, Filter>> = {
  ...TEXT_FILTERS,
  ...NUMBER_FILTERS,
  ...LIST_FILTERS,
  ...createSelectionFilters(callFilter, callTest),
};

/** Tests that ask for the names in this file. */
const NAME_TESTS: Readonly<Record<string, (name: string) => boolean>> = {
  filter: isFilter,
  test: isTest,
};

/** Tells whether Jinja has a filter of this name. */
export function isFilter(name: string): boolean {
  return Object.hasOwn(FILTERS, name) || MISSING_FILTERS.includes(name);
}

/** Tells whether Jinja has a test of this name. */
export function isTest(name: string): boolean {
  return Object.hasOwn(TESTS, name) || Object.hasOwn(NAME_TESTS, name);
}

export function callFilter(
  name: string,
  input: Value,
  args: readonly Value[],
  named: NamedValues,
): Value {
  if (MISSING_FILTERS.includes(name)) throw new UnsupportedError(`the filter ${name}`);
  if (!Object.hasOwn(FILTERS, name))
    throw new PythonError("TemplateRuntimeError", `No filter named '${name}' found.`);
  return FILTERS[name]!(input, args, named);
}

export function callTest(
  name: string,
  value: Value,
  args: readonly Value[],
  named: NamedValues,
): boolean {
  if (Object.hasOwn(NAME_TESTS, name)) return NAME_TESTS[name]!(textOf(value) ?? "");
  if (!Object.hasOwn(TESTS, name))
    throw new PythonError("TemplateRuntimeError", `No test named '${name}' found.`);
  const { parameters, run } = TESTS[name]!;
  return run(value, bindArguments(name, parameters, args, named));
}
