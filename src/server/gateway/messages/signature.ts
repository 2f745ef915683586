/** The signature of a thought: clients send it back untouched, so it is where the id of an answer travels. */

const MARK = "bowline:";

export function createSignature(answer: string): string {
  return Buffer.from(MARK + answer).toString("base64");
}

/** Undefined where the signature is another maker's. */
export function readAnswerId(signature: string): string | undefined {
  const text = Buffer.from(signature, "base64").toString();
  return text.startsWith(MARK) ? text.slice(MARK.length) : undefined;
}
