/** Conversations in the words that published models were trained with: what a chat template is given and gives. */

/** A message as chat templates know it. Further fields (`tool_calls`, `reasoning_content`, `name`) are the template's. */
export interface ChatMessage {
  readonly role: string;
  /** Text; some templates also take null beside `tool_calls`, or structured content. */
  readonly content: unknown;
  readonly [field: string]: unknown;
}

/** What a chat template may be told beside the messages. */
export interface ChatRenderOptions {
  /** JSON schemas of functions, as in `{ type: "function", function: { name, description, parameters } }`. */
  readonly tools?: readonly unknown[];
  /** Ends with the header of an answer, so that the model writes it. Default false. */
  readonly addGenerationPrompt?: boolean;
  /**
   * The local time that `strftime_now` tells. Absent: the template finds no such function and takes a date of its own,
   * so that equal runs have equal prompts.
   */
  readonly now?: Date;
  /** Variables of one family's templates, such as `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A model's own way of writing a conversation as one text. */
export interface ChatTemplate {
  /**
   * The text of a conversation, special tokens written out: byte for byte what `apply_chat_template` of transformers
   * gives. Throws a `checkpoint` error when the template refuses the messages or uses what cannot be run.
   */
  render(messages: readonly ChatMessage[], options?: ChatRenderOptions): string;
}
