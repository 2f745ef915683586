/**
 * Agents as a process of their own: `node load-clients.mjs < places.json`, where places are `[{ url, key, questions }]`. All
 * of them talk at once, over plain HTTP; odd ones stream. Prints how many answers each one got.
 */
import { readFileSync } from "node:fs";

const places = JSON.parse(readFileSync(0, "utf8"));
const tools = [{ type: "function", function: { name: "lookup", parameters: { type: "object" } } }];

async function ask({ url, key }, messages, stream) {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "m", messages, tools, stream }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return stream ? joined(text) : JSON.parse(text).choices[0].message;
}

function joined(text) {
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

async function talk(place, i) {
  const messages = [{ role: "system", content: "You look things up." }];
  let answers = 0;
  for (let question = 0; question < place.questions; question++) {
    messages.push({ role: "user", content: `Question ${question} of ${i}?` });
    for (;;) {
      const message = await ask(place, messages, i % 2 === 1);
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

console.log(JSON.stringify(await Promise.all(places.map(talk))));
