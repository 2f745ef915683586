/**
 * A world around an MCP server of other people: the knowledge graph of `@modelcontextprotocol/server-memory`. Its whole
 * state is one file, so a file starts an episode, and a copy of the folder forks one.
 *
 *   npm install @modelcontextprotocol/server-memory
 *   bowline play --world ./memory.ts
 *   bowline train starter --world ./memory.ts --world.train-scenarios 1000 --warm.demonstrations 4000
 */
import { defineForeignWorld, type ForeignTask, mcpApps, type Rng } from "bowline/world";
import { installedServer } from "./servers.ts";

const NAMES = [
  "Ada",
  "Bo",
  "Cleo",
  "Dan",
  "Eve",
  "Finn",
  "Gus",
  "Hana",
  "Ivo",
  "Juna",
  "Kit",
  "Lea",
];
const CITIES = ["Linz", "Bern", "Oslo", "Porto", "Riga", "Turin"];
/** What an entity may say about a city. A person who lives in a city need not work there. */
const FACTS = ["lives in", "works in", "was born in"];
const NOTES = ["likes tea", "is on leave", "has moved", "plays chess"];

interface Entity {
  readonly name: string;
  readonly observations: readonly string[];
}
type Action = "note" | "delete" | "relate";
/** Pairs of fact and action. The last ones occur in the test splits only. */
const PAIRS = FACTS.flatMap((_, fact) =>
  (["note", "delete", "relate"] as const).map((action) => ({ fact, action })),
);
const UNSEEN = [1, 5];

/** Draws five people. Only one has the wanted fact, and others have another fact about the same city. */
function drawPeople(rng: Rng, fact: number, city: string): Entity[] {
  const names = rng.sample(NAMES, 5);
  const wanted = rng.integer(0, 4);
  return names.map((name, i) => {
    const others = CITIES.filter((other) => other !== city);
    const observations = FACTS.map((text, kind) => {
      const isWanted = kind === fact ? i === wanted : i !== wanted && rng.chance(0.4);
      return `${text} ${isWanted ? city : rng.pick(others)}`;
    });
    return { name, observations };
  });
}

interface Plan {
  readonly ask: string;
  /** The code of the action on the person whose name is in `name`. */
  readonly code: (name: string) => string;
  /** Whether a graph is what the task wants. */
  readonly isDone: (graph: Graph, name: string) => boolean;
}

interface Graph {
  readonly entities: readonly Entity[];
  readonly relations: readonly { readonly from: string; readonly to: string }[];
}

function planAction(action: Action, rng: Rng, people: readonly Entity[], name: string): Plan {
  const note = rng.pick(NOTES);
  const friend = rng.pick(people.filter((person) => person.name !== name)).name;
  if (action === "note") {
    return {
      ask: `note "${note}" about`,
      code: (who) =>
        `apis.memory.addObservations({ observations: [{ entityName: "${who}", contents: ["${note}"] }] })`,
      isDone: ({ entities }) =>
        entities.every((one) => one.observations.includes(note) === (one.name === name)) &&
        entities.length === people.length,
    };
  }
  if (action === "delete") {
    return {
      ask: "delete",
      code: (who) => `apis.memory.deleteEntities({ entityNames: ["${who}"] })`,
      isDone: ({ entities }) =>
        entities.length === people.length - 1 && entities.every((one) => one.name !== name),
    };
  }
  return {
    ask: `relate to ${friend}, as knows,`,
    code: (who) =>
      `apis.memory.createRelations({ relations: [{ from: "${who}", to: "${friend}", relationType: "knows" }] })`,
    isDone: ({ relations }) =>
      relations.length === 1 && relations[0]!.from === name && relations[0]!.to === friend,
  };
}

function drawTask(rng: Rng, pair: (typeof PAIRS)[number]): ForeignTask {
  const { fact, action } = pair;
  const city = rng.pick(CITIES);
  const people = drawPeople(rng, fact, city);
  const phrase = `${FACTS[fact]} ${city}`;
  const { name } = people.find(({ observations }) => observations[fact] === phrase)!;
  const plan = planAction(action, rng, people, name);
  const line = (person: Entity) =>
    JSON.stringify({ type: "entity", entityType: "person", ...person });
  return {
    signature: `${FACTS[fact]!.replaceAll(" ", "-")}.${action}`,
    difficulty: 1,
    instruction: `In the graph, ${plan.ask} the person who ${phrase}.`,
    files: { "memory.jsonl": `${people.map(line).join("\n")}\n` },
    check: async ({ read }) => {
      const graph = (await read("memory", "readGraph")) as Graph;
      return [{ name: `${plan.ask} ${name}`, label: "progress", passed: plan.isDone(graph, name) }];
    },
    *solution({ style }) {
      // A careful agent searches for the whole phrase. A hasty one searches for the city and takes the first person.
      const query = style === "careful" ? phrase : city;
      const { stdout } = yield `let found = await apis.memory.searchNodes({ query: "${query}" });
print(found.entities[0].name);`;
      yield `await ${plan.code(stdout.trim())};`;
      yield "await apis.me.finishTask();";
    },
  };
}

export default defineForeignWorld({
  name: "memory",
  apps: mcpApps({
    memory: {
      ...installedServer("memory"),
      env: { MEMORY_FILE_PATH: "{dir}/memory.jsonl" },
      summary: "A graph of people, what is known about them, and how they are related.",
    },
  }),
  scenarios: { train: 1000, dev: 40, "test-normal": 60 },
  tasks: ({ split, rng }) => {
    const isTest = split === "test-normal";
    const pairs = PAIRS.filter((_, i) => UNSEEN.includes(i) === isTest);
    const pair = rng.pick(pairs);
    return [drawTask(rng, pair), drawTask(rng, pair), drawTask(rng, pair)];
  },
  // The server reads its file at every call, so one process serves one episode after the other.
  isolation: "reset",
  probe: { app: "memory", api: "readGraph", args: {} },
  snapshot: "directory",
});
