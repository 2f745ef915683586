/**
 * The kinds of agents for which `bowline init --agent` writes a project: which template files make the project, and
 * which packages the project needs. All kinds share everything but the agent itself, the way to its model, and the way
 * to its tools.
 */

/** What differs between projects of different kinds. */
export interface AgentKind {
  /** What the question says about the kind. */
  readonly summary: string;
  /** The template of each file that differs, by the file's name in the project. */
  readonly templates: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  /** Whether the trained policy can run in the process of the agent, or only behind a server. */
  readonly isInProcess: boolean;
  /** The prefix of the environment variables with the address and the key of a server of models. */
  readonly variables: "OPENAI" | "ANTHROPIC";
}

const AI_SDK = { ai: "^6.0.326", "@ai-sdk/openai-compatible": "^2.0.91" };
const AI_SDK_TEMPLATES = { "model.ts": "model-ai-sdk.ts", "tools.ts": "tools.ts" };
const SERVED_TEMPLATES = {
  "model.ts": "model.ts",
  "served-model.ts": "served-model.ts",
  "tools.ts": "tools.ts",
};
const IN_PROCESS = { isInProcess: true, variables: "OPENAI" } as const;
const SERVED = { isInProcess: false, variables: "OPENAI" } as const;

/** All kinds, by the value of `--agent`. The versions are those with which Bowline is tested. */
export const AGENT_KINDS: Readonly<Record<string, AgentKind>> = {
  "ai-sdk": {
    summary: "the AI SDK",
    templates: { ...AI_SDK_TEMPLATES, "agent.ts": "agent-ai-sdk.ts" },
    dependencies: AI_SDK,
    ...IN_PROCESS,
  },
  mcp: {
    summary: "the AI SDK with tools of an MCP server",
    templates: { ...AI_SDK_TEMPLATES, "agent.ts": "agent-mcp.ts", "tools.ts": "tools-mcp.ts" },
    dependencies: { ...AI_SDK, "@modelcontextprotocol/sdk": "^1.32.2" },
    ...IN_PROCESS,
  },
  openai: {
    summary: "a loop around the openai client",
    templates: { ...SERVED_TEMPLATES, "agent.ts": "agent.ts" },
    dependencies: { openai: "^6.49.0" },
    ...SERVED,
  },
  "openai-agents": {
    summary: "the OpenAI Agents SDK",
    templates: { ...SERVED_TEMPLATES, "agent.ts": "agent-openai-agents.ts" },
    dependencies: { "@openai/agents": "^0.13.3", openai: "^6.49.0" },
    ...SERVED,
  },
  langgraph: {
    summary: "LangGraph",
    templates: { ...SERVED_TEMPLATES, "agent.ts": "agent-langgraph.ts" },
    dependencies: {
      "@langchain/core": "~1.4.0",
      "@langchain/langgraph": "^1.7.3",
      "@langchain/openai": "~1.5.8",
    },
    ...SERVED,
  },
  anthropic: {
    summary: "a loop around Anthropic's client",
    templates: {
      ...SERVED_TEMPLATES,
      "agent.ts": "agent-anthropic.ts",
      "model.ts": "model-anthropic.ts",
    },
    dependencies: { "@anthropic-ai/sdk": "^1.12.0" },
    isInProcess: false,
    variables: "ANTHROPIC",
  },
};

export const AGENT_KIND_NAMES = Object.keys(AGENT_KINDS);

/** The template files that a project of every kind has, in a sensible reading order. */
export const SHARED_TEMPLATES = [
  "desk.ts",
  "tasks.ts",
  "episode.ts",
  "train.ts",
  "eval.ts",
  "handler.ts",
  "app.ts",
  "serverless.ts",
  "agent.test.ts",
  "Dockerfile",
] as const;
