/**
 * A fake of AppWorld's environment server, with the behaviour that its documentation and users describe, and with
 * invented tasks: `node fake-appworld.mjs serve environment --port P --root R --no-show-usage`. FAKE_APPWORLD chooses the
 * dialect, 0.1.3.post1 or 0.2.0. It has one world, handles one request after the other, and forgets the world of a task
 * when another one begins.
 *
 * Its Python is a handful of lines: `x = 5`, `print(x)`, `print("text")`, `box.append("cup")`, `print(box)`, a call of
 * `complete_task`, and lines that make the server hang, die, answer garbage, fail, or answer differently each time.
 */
import { appendFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const version = process.env.FAKE_APPWORLD ?? "0.1.3.post1";
const isOld = version.startsWith("0.1");
const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const root = argument("--root");
const startDelayMs = Number(process.env.FAKE_START_MS ?? 0);

/** What a line does to this server is done once in an installation, so that a second try succeeds. */
function happensFirst(what) {
  const path = join(root, `happened-${what}`);
  if (existsSync(path)) return false;
  appendFileSync(path, "");
  return true;
}

/** Tells whether code has a line such as `die()` or `die(7)` that happens now. */
function happensIn(code, what) {
  const [, which] = new RegExp(`^${what}\\((\\d*)\\)$`, "m").exec(code) ?? [];
  return which !== undefined && happensFirst(what + which);
}

let world;
const count = (name) => appendFileSync(join(root, "requests.log"), `${name}\n`);

const taskInfo = (id) => ({
  task_id: id,
  instruction: `Put a ${id.startsWith("aa") ? "cup" : "pen"} into the box.`,
  supervisor: {
    first_name: "Ada",
    last_name: "Low",
    email: "ada@example.com",
    phone_number: "555",
  },
  datetime: "2023-05-18T12:00:00",
});
const isTask = (id) => /^[a-f0-9]{7}_[1-3]$/.test(id);

class Reply extends Error {
  constructor(status, body) {
    super(String(status));
    Object.assign(this, { status, body });
  }
}
/** A refusal that 0.2 answers with 400 and a detail, and 0.1 with 500. */
const refuse = (detail) =>
  isOld ? new Reply(500, "Internal Server Error") : new Reply(400, { detail });

function requireWorld(id) {
  if (!world) throw refuse("AppWorld has not been initialized.");
  if (world.id !== id) throw refuse(`The active task world is ${world.id}.`);
  return world;
}

function initialize(body) {
  if (!isTask(body.task_id)) throw new Reply(500, "Internal Server Error");
  const output = join(root, "experiments", body.experiment_name);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  world = { id: body.task_id, vars: {}, box: [], status: undefined, turns: 0 };
  return taskInfo(body.task_id);
}

const failed = (text) =>
  `Execution failed. Traceback:\n  File "<python-input>", line 1, in <module>\n${text}`;

/** Runs one line. Returns what it prints, or throws a text for an error of the agent's code. */
function runLine(line, now) {
  const [, name, number] = /^(\w+) = (\d+)$/.exec(line) ?? [];
  if (name) now.vars[name] = Number(number);
  else if (/^print\("(.*)"\)$/.test(line)) return `${/"(.*)"/.exec(line)[1]}\n`;
  else if (line === "print(box)") return `${JSON.stringify(now.box)}\n`;
  else if (line === "print(chance())") return `${Math.random()}\n`;
  else if (/^print\((\w+)\)$/.test(line)) {
    const [, asked] = /\((\w+)\)/.exec(line);
    if (!(asked in now.vars)) throw `NameError: name '${asked}' is not defined`;
    return `${now.vars[asked]}\n`;
  } else if (/^box\.append\("(\w+)"\)$/.test(line)) now.box.push(/"(\w+)"/.exec(line)[1]);
  else if (line.startsWith("apis.supervisor.complete_task(")) now.status = "success";
  else if (line === "sleep_past_limit()") throw "Exception: Execution timed out after 1 seconds.";
  else if (line !== "") throw `Syntax error in line:\n${line}\nMessage: invalid syntax`;
  return "";
}

async function execute(body) {
  const now = requireWorld(body.task_id);
  const { code } = body;
  if (code.includes("hang()")) await new Promise(() => {});
  if (happensIn(code, "die")) process.exit(3);
  if (code.includes("always_die()")) process.exit(3);
  if (happensIn(code, "garbage")) throw new Reply(200, "<html>");
  if (code.includes("wrong_shape()")) return 7;
  if (happensIn(code, "closed")) {
    return failed("(sqlite3.ProgrammingError) Cannot operate on a closed database.");
  }
  const lines = code.split("\n").filter((line) => !/^(die|garbage|closed)\(\d*\)$/.test(line));
  let printed = "";
  try {
    for (const line of lines) printed += runLine(line.trim(), now);
  } catch (error) {
    if (typeof error !== "string") throw error;
    return failed(error);
  }
  return printed === "" ? "Execution successful." : printed;
}

function evaluate(body) {
  const now = requireWorld(body.task_id);
  const wanted = taskInfo(now.id).instruction.includes("cup") ? "cup" : "pen";
  const tests = [
    {
      requirement: `the box has a ${wanted}`,
      label: "no_op_fail",
      passed: now.box.includes(wanted),
    },
    {
      requirement: "the box has nothing else",
      label: "no_op_pass",
      passed: now.box.every((thing) => thing === wanted),
    },
  ];
  const passes = tests.filter(({ passed }) => passed);
  const failures = tests.filter(({ passed }) => !passed);
  return {
    success: failures.length === 0,
    difficulty: null,
    num_tests: tests.length,
    passes: passes.map(({ requirement, label }) => ({ requirement, label })),
    [isOld ? "failures" : "fails"]: failures.map(({ requirement, label }) => ({
      ...{ requirement, label, trace: "AssertionError" },
    })),
  };
}

const POSTS = {
  "/initialize": initialize,
  "/execute": execute,
  "/task_completed": (body) => requireWorld(body.task_id).status !== undefined,
  "/evaluate": evaluate,
  "/close_all": (body) => {
    if (isOld && body.task_id === undefined) throw new Reply(422, { detail: [] });
    world = undefined;
    return null;
  },
};

async function answer(method, path, body) {
  if (path === "/openapi.json") return { info: { version } };
  if (method === "GET" && path.startsWith("/tasks/")) {
    const id = path.slice("/tasks/".length);
    if (!isTask(id)) throw new Reply(500, "Internal Server Error");
    return { output: taskInfo(id) };
  }
  const handler = method === "POST" ? POSTS[path] : undefined;
  if (!handler) throw new Reply(404, { detail: "Not Found" });
  count(path);
  return { output: await handler(body) };
}

/** The request before the present one: nothing is answered while a cell runs. */
let before = Promise.resolve();
const server = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => {
    text += part;
  });
  request.on("end", () => {
    before = before.then(async () => {
      let reply;
      try {
        const body = text === "" ? {} : JSON.parse(text);
        reply = { status: 200, body: await answer(request.method, request.url, body) };
      } catch (error) {
        if (!(error instanceof Reply)) throw error;
        reply = error;
      }
      const isText = typeof reply.body === "string";
      response.writeHead(reply.status, { "content-type": "application/json" });
      response.end(isText ? reply.body : JSON.stringify(reply.body));
    });
  });
});
setTimeout(() => server.listen(Number(argument("--port")), "127.0.0.1"), startDelayMs);
