import { expect, test } from "vitest";
import { fakeTask } from "../testing/index.ts";
import { MessageTranscript } from "./message-transcript.ts";

test("a policy of messages gets the whole conversation, whose size is a quarter of its characters", async () => {
  const prompts: string[] = [];
  const transcript = new MessageTranscript(
    {
      kind: "messages",
      complete: async (messages) => {
        prompts.push(messages.map(({ content }) => content).join("|"));
        return "1234";
      },
    } as ConstructorParameters<typeof MessageTranscript>[0],
    fakeTask(),
  );
  const observe = (content: string) => ({ role: "user", content }) as const;
  transcript.startRow([observe("old")]);
  transcript.startRow([{ role: "system", content: "12" }, observe("345")]);
  expect(transcript.sizeAfter(observe("678"))).toBe(2);
  expect(transcript.sizeAfter(observe("6789"))).toBe(3);
  expect(await transcript.sampleTurn()).toEqual({ message: "1234" });
  expect(transcript.appendObservation(observe("seen"))).toBe(true);
  await transcript.sampleTurn();
  expect(prompts).toEqual(["12|345", "12|345|1234|seen"]);
  expect(transcript.sizeAfter(observe(""))).toBe(5);
  expect(transcript.decodeSteps).toBe(2);
});
