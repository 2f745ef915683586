/** Finds groups of split by their names. */
import {
  type DrawContext,
  drawSelectiveValue,
  jsLiteral,
  type Value,
  wordList,
} from "bowline/goals";
import { type SplitGroup, splitGroups } from "../../apps/split/tables.ts";

/**
 * Makes a value for a group. The cell finds the group by its name, in the list of active groups and in that of archived
 * groups. No two groups have the same name.
 */
export function makeGroupValue(draw: DrawContext, group: SplitGroup): Value<SplitGroup> {
  const name = draw.variable("g");
  const cell = `var ${name},p=1,r;do{r=apis.split.groups({archived:${group.archived},size:20,page:p++});${name}=${name}??r.items.find(x=>x.name===${jsLiteral(group.name)})?.id}while(r.more);print(${name})`;
  return { value: group, words: jsLiteral(group.name), code: name, cells: [cell], apps: ["split"] };
}

/** Draws a group to which some of the rows belong. */
export function drawSelectiveGroup(
  draw: DrawContext,
  ids: readonly number[],
): Value<SplitGroup> | undefined {
  const id = drawSelectiveValue(draw.rng, ids);
  const group = id === undefined ? undefined : draw.db.get(splitGroups, id);
  return group && makeGroupValue(draw, group);
}

/** The lasting groups, whose names mention no places or people. */
const HOUSEHOLDS = wordList(
  "Tuesday lunches | Car share | Garden plot | Studio rent | House upstairs",
);

export function drawHousehold(
  draw: DrawContext,
  isAcceptable = (_: SplitGroup) => true,
): Value<SplitGroup> | undefined {
  const rows = HOUSEHOLDS.flatMap((name) => draw.db.where(splitGroups, { name, archived: false }));
  const acceptable = rows.filter(isAcceptable);
  return acceptable.length > 0 ? makeGroupValue(draw, draw.rng.pick(acceptable)) : undefined;
}
