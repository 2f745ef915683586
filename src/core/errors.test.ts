import { expect, test } from "vitest";
import { z } from "zod";
import { errorMessage } from "./errors.ts";

test("the error of a schema becomes one line with the field of each of three problems", () => {
  const schema = z.object({ a: z.object({ b: z.string() }), c: z.int(), d: z.int(), e: z.int() });
  const { error } = schema.safeParse({ a: { b: 1 }, c: "x", d: null });
  expect(errorMessage(error)).toBe(
    "a.b: Invalid input: expected string, received number; c: Invalid input: expected number, received string; d: Invalid input: expected number, received null; and 1 more",
  );
  expect(errorMessage(z.string().safeParse(1).error)).toBe(
    "Invalid input: expected string, received number",
  );
});

test("a syntax error that quotes several lines becomes one line", () => {
  let message = "";
  try {
    JSON.parse('{"a": 1\n/x\n,"b": 2');
  } catch (error) {
    message = errorMessage(error);
  }
  expect(message).toMatch(/JSON/);
  expect(message).not.toContain("\n");
});
