import { expect, test } from "vitest";
import { copyImage } from "./image.ts";
import { SharedInstance } from "./shared-instance.ts";

test("the image of a REPL holds what differs from a fresh context, and a copy does not change with it", async () => {
  const stage = await SharedInstance.create();
  const apps = { mail: ["list", "send"] };
  const [one, other] = [
    await stage.newReplState(apps, 100, 1),
    await stage.newReplState(apps, 100, 2),
  ];
  expect(one.image.base).toBe(other.image.base);
  expect(one.image.blocks).toHaveLength(1);

  const write = (value: number) =>
    stage.withImage(one.image, (instance) => {
      const at = instance.module._malloc(40_000);
      new Uint8Array(instance.memory.buffer).fill(value, at, at + 40_000);
      return { result: at, heldImage: stage.save(instance, one.image) };
    });
  const read = (image: typeof one.image, at: number) =>
    stage.withImage(image, ({ memory }) => {
      const bytes = new Uint8Array(memory.buffer);
      return { result: [bytes[at], bytes[at + 39_999]] };
    });

  const first = await write(7);
  const { blocks, bytes, base } = one.image;
  expect(blocks.length).toBeGreaterThan(35);
  expect(bytes.length).toBeLessThan(base!.length / 2);
  const copy = copyImage(one.image);
  const second = await write(9);
  expect(await read(copy, first)).toEqual([7, 7]);
  expect(await read(copy, second)).not.toContain(9);
  expect(await read(one.image, first)).toEqual([7, 7]);
  expect(await read(one.image, second)).toEqual([9, 9]);
  expect(await read(other.image, first)).not.toContain(7);
});
