/** The signature of a part of an answer. Clients send it back unchanged, so it carries the id of the answer. */

const MARK = "bowline:";

export function createSignature(answer: string): string {
  return Buffer.from(MARK + answer).toString("base64");
}

/** Returns the answer's id, or undefined when the signature is not ours. */
export function readAnswerId(signature: string): string | undefined {
  const text = Buffer.from(signature, "base64").toString();
  return text.startsWith(MARK) ? text.slice(MARK.length) : undefined;
}
