/**
 * Types of chat templates. A chat template writes a conversation as the kind of text that a published model was trained
 * with.
 */

/** A message for a chat template. Some templates read further fields: `tool_calls`, `reasoning_content`, `name`. */
export interface ChatMessage {
  readonly role: string;
  /** The text. Some templates also accept structured content, or null with `tool_calls`. */
  readonly content: unknown;
  readonly [field: string]: unknown;
}

/** The input of a chat template in addition to the messages. */
export interface ChatRenderOptions {
  /** JSON schemas of functions, as in `{ type: "function", function: { name, description, parameters } }`. */
  readonly tools?: readonly unknown[];
  /**
   * If true, the text ends with the header of an answer, so that the model continues with an answer. The default is
   * false.
   */
  readonly addGenerationPrompt?: boolean;
  /**
   * The local time for `strftime_now`. Without it, that function does not exist: a template uses a date of its own or
   * cannot be rendered.
   */
  readonly now?: Date;
  /** Variables that only some templates know, such as `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Writes a conversation as one text in the format of a model. */
export interface ChatTemplate {
  /**
   * Returns the text of a conversation with its special tokens, byte for byte as `apply_chat_template` of transformers
   * does. Throws a `checkpoint` error when the template rejects the messages or uses an unsupported construct.
   */
  render(messages: readonly ChatMessage[], options?: ChatRenderOptions): string;
  /** Tells whether the template reads a variable of this name from `ChatRenderOptions.variables`. */
  readsVariable(name: string): boolean;
  /** This is true when the template asks for the date (`strftime_now`). */
  readonly readsDate?: boolean;
}
