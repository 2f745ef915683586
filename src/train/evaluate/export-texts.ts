/**
 * Writes the texts of an exported policy. A card says how the policy was prompted. For a policy with its own tokenizer,
 * further files describe tokens and stop ids to other programs.
 */
import { basename } from "node:path";
import type { BaseName } from "../../engine/index.ts";
import type { Tokenizer } from "../../spec/index.ts";
import { createNewModelTextFiles, SPECIAL_TOKENS } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import { scaffoldNeedsModel, scaffoldUsesMarkers } from "../config/scaffolds.ts";
import { chatFormatOfNewModel } from "../parts/model-source.ts";
import { readVersions } from "../run/versions.ts";

/** What the texts of an export are made from. */
export interface ExportedPolicy {
  readonly config: Config;
  readonly form: "adapter" | "merged";
  /** The base model; undefined if training began from random weights. */
  readonly base: BaseName | undefined;
  /** True if the policy has a tokenizer of its own, trained for it. */
  readonly isOwn: boolean;
  /** True for the policy of a run; false for a model or an adapter that was only converted. */
  readonly isTrained: boolean;
  readonly tokenizer: Tokenizer;
  /** The folder that the export is written to. */
  readonly out: string;
}

/**
 * Returns the texts by file name. For a published model, the tokenizer's files are copied from the model's folder
 * instead.
 */
export function makeExportTexts(exported: ExportedPolicy): Readonly<Record<string, string>> {
  const { isOwn, config, tokenizer } = exported;
  const card = { "README.md": writeModelCard(exported) };
  if (!isOwn) return card;
  return { ...card, ...createNewModelTextFiles(tokenizer, chatFormatOfNewModel(config)) };
}

function writeModelCard(exported: ExportedPolicy): string {
  const { form, base, out } = exported;
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
    ...describeOrigin(exported),
    ...describeBase(exported),
    "",
    ...(exported.isTrained ? ["## How it is prompted", "", ...describePrompt(exported), ""] : []),
  ].join("\n");
}

function describeOrigin({ config, base, isTrained, form }: ExportedPolicy): readonly string[] {
  const { bowline } = readVersions();
  const name = base?.name ? `\`${base.name}\`` : "a model without a name";
  if (!isTrained) {
    return [
      form === "adapter"
        ? `An adapter of ${name}, converted by Bowline ${bowline}.`
        : `${name}, converted by Bowline ${bowline}.`,
    ];
  }
  const from =
    base === undefined ? "from random weights" : base.name === "" ? "" : `from \`${base.name}\``;
  return [
    `An agent's policy, trained ${from} by Bowline ${bowline} in the world \`${config.world.name}\`:`.replace(
      / {2,}/g,
      " ",
    ),
    `recipe \`${config.recipe}\` (setting \`${config.setting}\`, method \`${config.method}\`), seed ${config.run.seed}.`,
  ];
}

function describeBase({ form, base }: ExportedPolicy): readonly string[] {
  if (form === "merged" || base === undefined || base.isHubId) return [];
  return [
    "",
    `The base is called \`${base.name}\` after its folder, which is not the name of a model on the Hugging Face hub. If your copy has`,
    "another path, set `base_model_name_or_path` in `adapter_config.json`.",
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
      "The policy was trained with its owner's own agent, a program that sends chat messages and tools. `chat_template.jinja` writes",
      'conversations; tools are called in Hermes form, `<tool_call>{"name":...,"arguments":{...}}</tool_call>`.',
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
    return [`Scaffold \`${scaffold.name}\`, which is the owner's own module. ${limits}`];
  }
  const ids = SPECIAL_TOKENS.map((name) => `\`${name}\` ${tokenizer.special(name)}`).join(", ");
  const [what, action, answer, language] =
    scaffold.name === "compact"
      ? ["code and what it printed", "CODE", "WHAT IT PRINTED", "JavaScript"]
      : ["calls and their answers", "CALLS", "ANSWERS", 'calls such as `mail.star{"id":1}`'];
  return [
    `Scaffold \`${scaffold.name}\`: only the instruction, ${what}, between markers of one token each:`,
    "",
    "```",
    `<|task|>INSTRUCTION<|code|>${action}<|run|>${answer}<|code|>${action}<|run|>...`,
    "```",
    "",
    `The model writes ${language} after \`<|code|>\` and ends it with \`<|run|>\`, where sampling stops. Ids: ${ids}.`,
    isOwn
      ? "`chat_template.jinja` writes such rows: the first user message is the instruction, later ones are what was printed."
      : "The base's chat template is not used, and its tokenizer does not know the markers: concatenate the ids yourself.",
    limits,
  ];
}
