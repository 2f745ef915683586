/** What makes the life in a population of `everyday` possible. `bowline world check --life` tests these rules. */
import type { LifeRule } from "bowline/world";
import { calendarRules } from "./calendar.ts";
import { peopleAndMailRules } from "./people-and-mail.ts";
import { travelRules } from "./travel.ts";
import { varietyRules } from "./variety.ts";

export const lifeRules: readonly LifeRule[] = [
  ...calendarRules,
  ...travelRules,
  ...peopleAndMailRules,
  ...varietyRules,
];
