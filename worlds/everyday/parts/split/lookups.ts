/** Groups of split by their names. */
import {
  type DrawContext,
  drawSelectiveValue,
  jsLiteral,
  type Value,
  wordList,
} from "bowline/goals";
import { type SplitGroup, splitGroups } from "../../apps/split/tables.ts";

/** The name is unique, archived groups included; the cell looks through both lists. */
export function groupNamed(draw: DrawContext, group: SplitGroup): Value<SplitGroup> {
  const name = draw.variable("g");
  const cell = `var ${name},p=1,r;do{r=apis.split.groups({archived:${group.archived},size:20,page:p++});${name}=${name}??r.items.find(x=>x.name===${jsLiteral(group.name)})?.id}while(r.more);print(${name})`;
  return { value: group, words: jsLiteral(group.name), code: name, cells: [cell], apps: ["split"] };
}

/** A group that some of the rows have. */
export function groupOfSome(
  draw: DrawContext,
  ids: readonly number[],
): Value<SplitGroup> | undefined {
  const id = drawSelectiveValue(draw.rng, ids);
  const group = id === undefined ? undefined : draw.db.get(splitGroups, id);
  return group && groupNamed(draw, group);
}

/** The groups that go on, whose names say nothing of places or people. */
const HOUSEHOLDS = wordList(
  "Tuesday lunches | Car share | Garden plot | Studio rent | House upstairs",
);

export function household(
  draw: DrawContext,
  ok = (_: SplitGroup) => true,
): Value<SplitGroup> | undefined {
  const rows = HOUSEHOLDS.flatMap((name) => draw.db.where(splitGroups, { name, archived: false }));
  const fit = rows.filter(ok);
  return fit.length > 0 ? groupNamed(draw, draw.rng.pick(fit)) : undefined;
}
