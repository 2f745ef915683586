/**
 * The family `borrow-a-thing` of `everyday/live` alone, with demonstrations that are as short as they can be, so that a
 * small model with random weights can imitate them. Tasks, people, checks and the reward are those of `everyday/live`.
 *
 * The splits `train` and `dev` have its three training stories with different people, times and places, and
 * `test-normal` has the story that `everyday/live` keeps for dev. A hasty demonstration asks everybody at once and waits
 * for the last answer only.
 *
 * A run of about 4 million tokens of demonstrations, which has not been made yet (docs/log.md):
 *
 *     npx bowline train starter --world bench/learning/live/one-family.ts --warm.demonstrations 1200 --warm.epochs 4 \
 *       --warm.rows 16 --warm.hasty-share 0.5 --world.train-scenarios 600 --model.context-length 928 \
 *       --scaffold.max-tokens 928 --scaffold.max-turn-tokens 300 --scaffold.max-turns 5 --scaffold.evaluation-turns 5 \
 *       --tokenizer.vocabulary-size 1024 --tokenizer.minimum-count 20 --algo.reward progress \
 *       --evaluation.scores '["dev@T1"]' --out runs/live && npx tsx bench/learning/live/before-after.ts runs/live dev
 */
import { defineWorld, type ScenarioRequest, type Solution, type Task } from "bowline/world";
import { borrowAThing } from "../../../worlds/everyday/live/families/borrow-a-thing.ts";
import { makeLiveTasks } from "../../../worlds/everyday/live/family.ts";
import live from "../../../worlds/everyday/live.ts";

/** What the instruction says, which the cells repeat. */
interface Words {
  readonly title: string;
  readonly question: string;
  readonly thanks: string;
  readonly thing: string;
  readonly list: string;
  readonly day: string;
  readonly dayAfter: string;
  readonly partner: string;
  readonly bad: string;
}

function readWords(instruction: string): Words {
  const find = (pattern: RegExp) => pattern.exec(instruction)![1]!;
  const question = find(/the text message "([^"]+)"/);
  const date = Number(find(/ on (\d+) March\. For that/));
  return {
    ...{ question, day: `2026-03-${date}`, dayAfter: `2026-03-${date + 1}` },
    title: find(/my note "([^"]+)"/),
    thanks: find(/\. Text them "([^"]+)"/),
    thing: find(/borrow your (.+) on \d/),
    list: find(/to my (\w+) list/),
    partner: find(/say no, text (.+?) "/),
    bad: find(/say no, text .+? "([^"]+)"/),
  };
}

const READ = (title: string) =>
  `var { id } = apis.notes.search({ query: "${title}" }).items[0];
var { text } = apis.notes.show({ id }), names = text.match(/(?<=- )[^,]+/g), to, said;
print(names);`;
const ASK = (question: string) => `  to = apis.contacts.find({ name }).items[0].handle;
  var { id } = apis.messages.send({ to, text: "${question}" });
`;
const WAIT = `  do {
    apis.me.wait({ minutes: 420 });
    said = apis.messages.conversation({ person: to }).items.findLast((m) => m.by == "other" && m.id > id);
  } while (!said);
`;

function solve(instruction: string, isHasty: boolean): Solution {
  const { title, question, thanks, thing, list, day, dayAfter, partner, bad } =
    readWords(instruction);
  return function* () {
    yield READ(title);
    const first = isHasty
      ? `for (var name of names) {\n${ASK(question)}}\n{\n${WAIT}}\nprint(name, said.text);`
      : `for (var name of names) {\n${ASK(question)}${WAIT}  print(name, said.text);\n  if (/road/i.test(said.text)) break;\n}`;
    const { stdout } = yield first;
    if (!/road/i.test(stdout)) {
      yield `to = apis.contacts.find({ name: "${partner}" }).items[0].handle;
apis.messages.send({ to, text: "${bad}" });
apis.me.finishTask({ status: "impossible" });`;
      return;
    }
    yield `var [time] = said.text.match(/\\d+:\\d+/), [place] = said.text.match(/\\d+ \\w+ Road/);
var { id } = apis.calendar.add({ title: "Fetch the ${thing} from " + name.split(" ")[0], day: "${day}", time });
apis.calendar.invite({ id, person: to });
apis.calendar.setPlace({ id, place });
apis.calendar.remind({ id, minutes: 60 });
apis.messages.send({ to, text: "${thanks}" });
apis.todo.add({ title: "Bring the ${thing} back", list: "${list}", due: "${dayAfter}" });
apis.me.finishTask({});`;
  };
}

const shorten = (task: Task): Task => ({
  ...task,
  solution: (context) => solve(task.instruction, context.style === "hasty")(context),
});

export default defineWorld({
  ...live,
  name: "everyday/live-borrow-a-thing",
  scenarios: { train: 600, dev: 60, "test-normal": 60 },
  scenario: (request: ScenarioRequest) => {
    const from = { train: "train", dev: "train", "test-normal": "dev" }[request.split as "train"]!;
    const families = [borrowAThing];
    const [one, two, three] = makeLiveTasks(families, {
      ...request,
      split: from as typeof request.split,
    });
    return [shorten(one), shorten(two), shorten(three)];
  },
});
