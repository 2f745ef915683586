/** Goes through a list in its order, three items a scenario, so that the first scenarios have different items. */
export function drawThreeInOrder<T>(items: readonly T[], scenario: number): [T, T, T] {
  const at = (place: number) => items[(3 * scenario + place) % items.length]!;
  return [at(0), at(1), at(2)];
}
