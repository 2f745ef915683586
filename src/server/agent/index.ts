export * from "./train-agent.ts";
