/** Turns tools into APIs: names into identifiers, and schemas and descriptions into documentation. */
import type { JsonSchema } from "../../api/index.ts";
import type { ForeignApi } from "../define.ts";
import { nameTools } from "../identifiers.ts";
import { inlineReferences } from "../inline-references.ts";
import type { McpTool } from "./mcp-client.ts";

/** Returns the tools by their names as APIs. Throws a `world` error when two tools would get the same name. */
export function namesOfTools(
  server: string,
  tools: readonly McpTool[],
): ReadonlyMap<string, McpTool> {
  return nameTools(tools, {
    explain: ({ tool, other, api }) =>
      `MCP server ${server}: the tools ${other} and ${tool} would both be ${server}.${api}; leave one of them out with tools: [...]`,
  });
}

/** Documents tools. */
export function describeTools(
  tools: ReadonlyMap<string, McpTool>,
): Readonly<Record<string, ForeignApi>> {
  return Object.fromEntries([...tools].map(([api, tool]) => [api, describeTool(tool)]));
}

function describeTool(tool: McpTool): ForeignApi {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const text = description ?? title ?? annotations?.title ?? `The tool ${name}.`;
  return {
    summary: text.replace(/\s+/g, " ").trim(),
    params: inlineReferences(inputSchema ?? { type: "object" }),
    ...(outputSchema && { returns: inlineReferences(outputSchema) as JsonSchema }),
    ...(annotations?.readOnlyHint !== undefined && { readOnly: annotations.readOnlyHint }),
  };
}
