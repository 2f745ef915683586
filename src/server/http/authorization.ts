/** Reads and compares the keys of requests. */
import { createHash, timingSafeEqual } from "node:crypto";

type Headers = Readonly<Record<string, string | undefined>>;

/** Returns the key of `Authorization: Bearer KEY`. */
export function readBearerKey(headers: Headers): string | undefined {
  return /^Bearer\s+(.+)$/i.exec(headers["authorization"] ?? "")?.[1];
}

/** Compares two keys in a time that does not depend on what they have in common. */
export function isSameKey(received: string | undefined, expected: string): boolean {
  const [one, other] = [received ?? "", expected].map((key) =>
    createHash("sha256").update(key).digest(),
  );
  return timingSafeEqual(one!, other!);
}
