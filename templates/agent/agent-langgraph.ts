/** The agent: an ordinary program of LangGraph. It knows nothing of how its model is trained. */
import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { GraphRecursionError } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { INSTRUCTIONS } from "./desk.ts";
import type { ServedModel } from "./served-model.ts";
import type { Tools } from "./tools.ts";

/** A model behind OpenAI's chat completions: OpenAI itself, or any server of this API. */
export type Model = ServedModel;

/** Answers a customer. Six answers of the model and the results between them are twelve steps of the graph. */
export async function answer(
  request: string,
  tools: Tools,
  { baseURL, apiKey, name }: Model,
  signal?: AbortSignal,
): Promise<string> {
  const llm = new ChatOpenAI({ model: name, apiKey, configuration: { baseURL } });
  const graph = createReactAgent({
    llm,
    prompt: INSTRUCTIONS,
    tools: tools.map(({ name, description, parameters, execute }) =>
      tool(async (args: unknown) => execute(args), { name, description, schema: parameters }),
    ),
  });
  try {
    const { messages } = await graph.invoke(
      { messages: [new HumanMessage(request)] },
      { recursionLimit: 12, ...(signal && { signal }) },
    );
    return messages.at(-1)?.text ?? "";
  } catch (error) {
    if (!(error instanceof GraphRecursionError)) throw error;
    return "I could not finish this.";
  }
}
