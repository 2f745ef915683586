/** Bounds by the names that parts which draw them freely use. */
export {
  centsAtLeast,
  centsAtMost,
  largest as atLeast,
  oneOfSome,
  smallest as atMost,
} from "bowline/goals";
