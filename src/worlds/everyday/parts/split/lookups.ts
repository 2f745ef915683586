/** Groups of split by their names. */
import type { Draw, Value } from "../../../../goals/index.ts";
import { type SplitGroup, splitGroups } from "../../apps/split/tables.ts";
import { js } from "../pay/phrases.ts";

/** The name is unique, archived groups included; the cell looks through both lists. */
export function groupNamed(draw: Draw, group: SplitGroup): Value<SplitGroup> {
  const name = draw.variable("g");
  const cell = `var ${name},p=1,r;do{r=apis.split.groups({archived:${group.archived},size:20,page:p++});${name}=${name}??r.items.find(x=>x.name===${js(group.name)})?.id}while(r.more);print(${name})`;
  return { value: group, words: js(group.name), code: name, cells: [cell], apps: ["split"] };
}

/** The groups that go on, whose names say nothing of places or people. */
export const HOUSEHOLDS = [
  "Tuesday lunches",
  "Car share",
  "Garden plot",
  "Studio rent",
  "House upstairs",
] as const;

export function household(draw: Draw, ok = (_: SplitGroup) => true): Value<SplitGroup> | undefined {
  const rows = HOUSEHOLDS.flatMap((name) => draw.db.where(splitGroups, { name, archived: false }));
  const fit = rows.filter(ok);
  return fit.length > 0 ? groupNamed(draw, draw.rng.pick(fit)) : undefined;
}
