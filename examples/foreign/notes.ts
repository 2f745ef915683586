/** A world around an HTTP API: the operations of its OpenAPI document are the agent's APIs. */
import { defineForeignWorld, type ForeignTask, httpApps } from "bowline/world";

const THINGS = ["milk", "bread", "tea", "salt", "rice", "soap"];

/** Asks for a note, and looks into the notes at the end. */
function createTask(thing: string): ForeignTask {
  return {
    signature: "note",
    difficulty: 1,
    instruction: `Write a note that says ${thing}, and no other.`,
    async check({ read }) {
      const notes = (await read("notes", "listNotes")) as { readonly text: string }[];
      return [
        { name: "the note", label: "progress", passed: notes.some(({ text }) => text === thing) },
        { name: "no other", label: "guard", passed: notes.every(({ text }) => text === thing) },
      ];
    },
    *solution() {
      yield `apis.notes.addNote({ text: "${thing}" }); apis.me.finishTask({})`;
    },
  };
}

export default defineForeignWorld({
  name: "notes",
  apps: httpApps({
    notes: {
      url: "http://127.0.0.1:8133",
      // Every episode has a session of its own, so episodes do not see each other's notes.
      headers: { "x-session": "{session}" },
    },
  }),
  scenarios: { train: 20, dev: 5 },
  tasks: ({ rng }) => {
    const [first, second, third] = rng.sample(THINGS, 3) as [string, string, string];
    return [createTask(first), createTask(second), createTask(third)];
  },
});
