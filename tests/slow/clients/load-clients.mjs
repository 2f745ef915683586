/**
 * Runs agents in a separate process: `node load-clients.mjs < connections.json` reads `[{ url, key, questions }]`. All
 * agents talk at once over plain HTTP, and every second agent streams. Prints the number of answers that each agent
 * got.
 */
import { readFileSync } from "node:fs";

const connections = JSON.parse(readFileSync(0, "utf8"));
const tools = [{ type: "function", function: { name: "lookup", parameters: { type: "object" } } }];

async function requestAnswer({ url, key }, messages, stream) {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "m", messages, tools, stream }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return stream ? joinStream(text) : JSON.parse(text).choices[0].message;
}

function joinStream(text) {
  const message = { role: "assistant", content: "", tool_calls: [] };
  for (const line of text.split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const { content, tool_calls: calls = [] } = JSON.parse(line.slice(6)).choices[0].delta;
    message.content += content ?? "";
    for (const { index, id, function: said } of calls) {
      message.tool_calls[index] ??= {
        id,
        type: "function",
        function: { name: said.name, arguments: "" },
      };
      message.tool_calls[index].function.arguments += said.arguments;
    }
  }
  return message;
}

async function runConversation(connection, i) {
  const messages = [{ role: "system", content: "You look things up." }];
  let answers = 0;
  for (let question = 0; question < connection.questions; question++) {
    messages.push({ role: "user", content: `Question ${question} of ${i}?` });
    for (;;) {
      const message = await requestAnswer(connection, messages, i % 2 === 1);
      answers++;
      messages.push(message);
      const calls = message.tool_calls ?? [];
      if (calls.length === 0) break;
      for (const { id } of calls)
        messages.push({ role: "tool", tool_call_id: id, content: "found" });
    }
  }
  return answers;
}

console.log(JSON.stringify(await Promise.all(connections.map(runConversation))));
