/**
 * Stands for the programs of verifiers, Harbor and tau2-bench: it takes their arguments, asks the model once, and writes
 * their results where they write them. FAKE says which program it is, and FAULT what goes wrong.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const args = process.argv.slice(2);
const { FAKE, FAULT, OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;

function option(name) {
  const at = args.indexOf(name);
  if (at < 0) throw new Error(`expected the argument ${name}, got ${args.join(" ")}`);
  return args[at + 1];
}

async function ask(content, url = OPENAI_BASE_URL, key = OPENAI_API_KEY) {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content }] }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()).choices[0].message.content;
}

function write(path, value) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, FAULT === "garbage" ? "{nonsense" : value);
}

/** verifiers ends with exit code 0 also when its episode failed. */
async function playVerifiers() {
  const said = await ask(option("--select.include.idx"), option("--client.base-url"));
  const ok = FAULT !== "failed";
  const trace = {
    ...{ ok, rewards: ok ? { right: { score: said === "yes" ? 1 : 0, weight: 0.5 } } : {} },
    ...{ metrics: { turns: 1 }, errors: ok ? [] : [{ type: "ProviderError", message: "502" }] },
  };
  const episode = { id: "e", ok, is_timeout: false, errors: [], traces: [trace] };
  const line = `${JSON.stringify(episode)}\n`;
  const text = FAULT === "twice" ? line + line : line;
  write(join(option("--output-dir"), option("--run.dir"), "traces.jsonl"), text);
  console.log(JSON.stringify(episode));
}

async function playHarbor() {
  if (!args.includes(`OPENAI_API_KEY=${OPENAI_API_KEY}`)) throw new Error("no key for the sandbox");
  const said = await ask(option("--path"));
  const failed = FAULT === "failed";
  const exception_info = { exception_type: "AgentTimeoutError", exception_message: "600 s" };
  const result = {
    verifier_result: failed ? null : { rewards: { reward: said === "yes" ? 1 : 0, lint: 0.5 } },
    exception_info: failed ? exception_info : null,
  };
  write(
    join(option("--trials-dir"), option("--trial-name"), "result.json"),
    JSON.stringify(result),
  );
}

async function playTau2() {
  const agent = JSON.parse(option("--agent-llm-args"));
  const user = JSON.parse(option("--user-llm-args"));
  if (user.api_key === agent.api_key) throw new Error("the user has the key of the agent");
  const said = await ask(option("--task-ids"), agent.api_base, agent.api_key);
  const failed = FAULT === "failed";
  const simulation = {
    task_id: option("--task-ids"),
    reward_info: failed ? null : { reward: said === "yes" ? 1 : 0 },
    termination_reason: failed ? "too_many_errors" : "user_stop",
  };
  const name = option("--save-to");
  const folder = join(process.env.TAU2_DATA_DIR, "simulations");
  const path =
    FAULT === "folder" ? join(folder, name, "results.json") : join(folder, `${name}.json`);
  write(path, JSON.stringify({ simulations: [simulation] }));
}

if (FAULT === "dies") process.kill(process.pid, "SIGKILL");
if (FAULT === "exits") process.exit(3);
if (FAULT === "hangs") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
} else if (FAULT !== "silent") {
  await { verifiers: playVerifiers, harbor: playHarbor, tau2: playTau2 }[FAKE]();
}
