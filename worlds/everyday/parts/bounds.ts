/** Bounds by the names that parts which draw them freely use. */
export {
  drawLowerBound as atLeast,
  drawLowerBoundCents,
  drawSelectiveValue,
  drawUpperBound as atMost,
  drawUpperBoundCents,
} from "bowline/goals";
