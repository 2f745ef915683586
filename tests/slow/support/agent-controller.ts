/**
 * A program that a test starts and kills: `agent-controller.ts SERVER OUT` trains an agent and prints the session of
 * each episode.
 */
import { trainAgent } from "../../../src/server/index.ts";
import { createAgentOptions } from "../../support/tinker-agent.ts";

const [url, out] = process.argv.slice(2) as [string, string];
await trainAgent(createAgentOptions(url, out, {}, (session) => console.log(session)));
console.log("done");
