/**
 * What an exported policy says of itself to other programs and to people: how its text becomes tokens and where it
 * stops (for a policy from scratch, whose tokenizer nobody else knows), and a card that tells how it was prompted.
 */
import { basename } from "node:path";
import type { BaseName } from "../../engine/index.ts";
import type { Tokenizer } from "../../spec/index.ts";
import { createNewModelTextFiles, SPECIAL_TOKENS } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import { scaffoldNeedsModel, scaffoldUsesMarkers } from "../config/scaffolds.ts";
import { newModelText } from "../parts/model-source.ts";
import { readVersions } from "../run/versions.ts";

export interface ExportedPolicy {
  readonly config: Config;
  readonly form: "adapter" | "merged";
  /** Undefined where the weights came from a seed. */
  readonly base: BaseName | undefined;
  /** The tokenizer was made with the policy, so nobody else knows it. */
  readonly isOwn: boolean;
  readonly tokenizer: Tokenizer;
  /** The folder that it is written to. */
  readonly out: string;
}

/** Files by name. A published model's own texts about its tokens come from its folder, not from here. */
export function makeExportTexts(exported: ExportedPolicy): Readonly<Record<string, string>> {
  const { isOwn, config, tokenizer } = exported;
  const card = { "README.md": writeModelCard(exported) };
  if (!isOwn) return card;
  return { ...card, ...createNewModelTextFiles(tokenizer, newModelText(config)) };
}

function writeModelCard(exported: ExportedPolicy): string {
  const { config, form, base, out } = exported;
  const { bowline } = readVersions();
  const from =
    base === undefined ? "from random weights" : base.name === "" ? "" : `from \`${base.name}\``;
  return [
    "---",
    `library_name: ${form === "adapter" ? "peft" : "transformers"}`,
    "pipeline_tag: text-generation",
    ...(base?.isHubId ? [`base_model: ${base.name}`] : []),
    "tags: [bowline, agent, reinforcement-learning]",
    "---",
    "",
    `# ${basename(out)}`,
    "",
    `An agent's policy, trained ${from} by Bowline ${bowline} in the world \`${config.world.name}\`:`.replace(
      / {2,}/g,
      " ",
    ),
    `recipe \`${config.recipe}\` (setting \`${config.setting}\`, method \`${config.method}\`), seed ${config.run.seed}.`,
    ...describeBase(exported),
    "",
    "## How it is prompted",
    "",
    ...describePrompt(exported),
    "",
  ].join("\n");
}

function describeBase({ form, base }: ExportedPolicy): readonly string[] {
  if (form === "merged" || base === undefined || base.isHubId) return [];
  return [
    "",
    `The base is called \`${base.name}\` after its folder, which names no model of the Hugging Face hub. Where it lies elsewhere, set`,
    "`base_model_name_or_path` in `adapter_config.json`.",
  ];
}

const ANSWER_DESCRIPTIONS = {
  fenced:
    "Each answer is one fenced block of JavaScript, which is run; what it prints, or what went wrong, is the next",
  react:
    "Each answer holds thoughts and one fenced block of JavaScript, which is run; what it prints, and the task again, is the next",
  tools:
    "Each answer is one call or several of functions, which are made; their answers are the next",
} as const;

function describePrompt({ config, isOwn, tokenizer }: ExportedPolicy): readonly string[] {
  const { scaffold } = config;
  if (scaffold.name === "agent") {
    return [
      "An agent of its owner's own was trained, in its own words: any program that sends chat messages and tools. Conversations",
      'are written by `chat_template.jinja`; tools are called in Hermes form, `<tool_call>{"name":...,"arguments":{...}}</tool_call>`.',
    ];
  }
  const limits = `At most ${scaffold.maxTurns} turns, ${scaffold.maxTurnTokens} tokens a turn, ${scaffold.maxTokens} tokens in all.`;
  if (scaffoldNeedsModel(scaffold.name)) {
    const make = `${scaffold.name}Scaffold`;
    const answer = ANSWER_DESCRIPTIONS[scaffold.name];
    return [
      `Scaffold \`${scaffold.name}\`: the model's own chat template, and these messages. \`${make}\` of \`bowline/agent\` writes them:`,
      "",
      "```js",
      `import { ${make} } from "bowline/agent";`,
      `const scaffold = ${make}();`,
      'const messages = scaffold.start({ instruction: "..." });',
      "```",
      "",
      answer,
      `message (\`scaffold.observe\`). ${limits}`,
    ];
  }
  if (!scaffoldUsesMarkers(scaffold.name)) {
    return [`Scaffold \`${scaffold.name}\`, a module of the user's own. ${limits}`];
  }
  const ids = SPECIAL_TOKENS.map((name) => `\`${name}\` ${tokenizer.special(name)}`).join(", ");
  const [what, action, answer, language] =
    scaffold.name === "compact"
      ? ["code and what it printed", "CODE", "WHAT IT PRINTED", "JavaScript"]
      : ["calls and their answers", "CALLS", "ANSWERS", 'calls such as `mail.star{"id":1}`'];
  return [
    `Scaffold \`${scaffold.name}\`: nothing but the instruction, ${what}, between markers that are one token each:`,
    "",
    "```",
    `<|task|>INSTRUCTION<|code|>${action}<|run|>${answer}<|code|>${action}<|run|>...`,
    "```",
    "",
    `The model writes ${language} after \`<|code|>\` and ends it with \`<|run|>\`, where sampling stops. Ids: ${ids}.`,
    isOwn
      ? "`chat_template.jinja` writes such rows: the first user message is the instruction, later ones are what was printed."
      : "The base's chat template is not used, and its tokenizer has no such names: put the ids together yourself.",
    limits,
  ];
}
