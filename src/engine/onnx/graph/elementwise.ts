/** Elementwise operations with NumPy broadcasting, and their derivatives. */
import { assert } from "../../../core/index.ts";
import { type DType, ELEMENT_TYPE } from "../proto/index.ts";
import { unbroadcast } from "./broadcast.ts";
import type { Value } from "./graph.ts";
import { broadcastShapes, isSameShape } from "./shapes.ts";

function emitBinary(type: string, a: Value, b: Value, dtype: DType = a.dtype): Value {
  assert(a.dtype === b.dtype, `${type} of ${a.dtype} and ${b.dtype}`);
  return a.graph.emit(type, [a, b], [{ dtype, shape: broadcastShapes(a.shape, b.shape) }])[0]!;
}

function emitUnary(type: string, x: Value): Value {
  return x.graph.emit(type, [x], [x])[0]!;
}

export function add(a: Value, b: Value): Value {
  const y = emitBinary("Add", a, b);
  a.graph.defineGradient([a, b], [y], ([dy]) => [
    unbroadcast(dy!, a.shape),
    unbroadcast(dy!, b.shape),
  ]);
  return y;
}

export function sub(a: Value, b: Value): Value {
  const y = emitBinary("Sub", a, b);
  a.graph.defineGradient([a, b], [y], ([dy]) => [
    unbroadcast(dy!, a.shape),
    unbroadcast(neg(dy!), b.shape),
  ]);
  return y;
}

export function mul(a: Value, b: Value): Value {
  const y = emitBinary("Mul", a, b);
  a.graph.defineGradient([a, b], [y], ([dy]) => [
    unbroadcast(mul(dy!, b), a.shape),
    unbroadcast(mul(dy!, a), b.shape),
  ]);
  return y;
}

export function div(a: Value, b: Value): Value {
  const y = emitBinary("Div", a, b);
  a.graph.defineGradient([a, b], [y], ([dy]) => {
    const da = div(dy!, b);
    return [unbroadcast(da, a.shape), unbroadcast(neg(mul(da, y)), b.shape)];
  });
  return y;
}

export function neg(x: Value): Value {
  const y = emitUnary("Neg", x);
  x.graph.defineGradient([x], [y], ([dy]) => [neg(dy!)]);
  return y;
}

export function exp(x: Value): Value {
  const y = emitUnary("Exp", x);
  x.graph.defineGradient([x], [y], ([dy]) => [mul(dy!, y)]);
  return y;
}

export function log(x: Value): Value {
  const y = emitUnary("Log", x);
  x.graph.defineGradient([x], [y], ([dy]) => [div(dy!, x)]);
  return y;
}

export function sqrt(x: Value): Value {
  const y = emitUnary("Sqrt", x);
  x.graph.defineGradient([x], [y], ([dy]) => [div(dy!, mul(x.graph.scalar(2), y))]);
  return y;
}

export function sigmoid(x: Value): Value {
  const y = emitUnary("Sigmoid", x);
  x.graph.defineGradient([x], [y], ([dy]) => [mul(dy!, mul(y, sub(x.graph.scalar(1), y)))]);
  return y;
}

export function tanh(x: Value): Value {
  const y = emitUnary("Tanh", x);
  x.graph.defineGradient([x], [y], ([dy]) => [mul(dy!, sub(x.graph.scalar(1), mul(y, y)))]);
  return y;
}

/** Computes max(x, 0). Its derivative at 0 is 0. */
export function relu(x: Value): Value {
  const y = emitUnary("Relu", x);
  x.graph.defineGradient([x], [y], ([dy]) => {
    const zero = x.graph.scalar(0);
    return [where(less(zero, x), dy!, zero)];
  });
  return y;
}

/** Picks elements of `a` where the bool `condition` is true, else of `b`. */
export function where(condition: Value, a: Value, b: Value): Value {
  const shape = broadcastShapes(condition.shape, broadcastShapes(a.shape, b.shape));
  const y = a.graph.emit("Where", [condition, a, b], [{ dtype: a.dtype, shape }])[0]!;
  a.graph.defineGradient([a, b], [y], ([dy]) => {
    const zero = a.graph.scalar(0);
    return [
      unbroadcast(where(condition, dy!, zero), a.shape),
      unbroadcast(where(condition, zero, dy!), b.shape),
    ];
  });
  return y;
}

/** Converts to another type, without a derivative. */
export function cast(x: Value, dtype: DType): Value {
  if (x.dtype === dtype) return x;
  const code = ELEMENT_TYPE[dtype];
  return x.graph.emit("Cast", [x], [{ dtype, shape: x.shape }], {
    attributes: { to: { int: code } },
  })[0]!;
}

export function less(a: Value, b: Value): Value {
  return emitBinary("Less", a, b, "bool");
}

export function lessOrEqual(a: Value, b: Value): Value {
  return emitBinary("LessOrEqual", a, b, "bool");
}

export function equal(a: Value, b: Value): Value {
  return emitBinary("Equal", a, b, "bool");
}

/**
 * SwiGLU's nonlinearity: silu(gate) * up, elementwise over equal shapes. One derivative for the whole function saves
 * passes over memory: with s = sigmoid(gate) and d(up) = dy silu(gate), d(gate) = dy up (s + silu(gate) (1 - s)) = up
 * (s (dy - d(up)) + d(up)).
 */
export function swiglu(gate: Value, up: Value): Value {
  assert(isSameShape(gate.shape, up.shape), "swiglu of different shapes");
  const silu = gate.graph.emit("QuickGelu", [gate], [gate], {
    domain: "com.microsoft",
    attributes: { alpha: { float: 1 } },
  })[0]!;
  const y = emitBinary("Mul", silu, up);
  gate.graph.defineGradient([gate, up], [y], ([dy]) => {
    const dup = mul(dy!, silu);
    const dgate = mul(up, add(mul(emitUnary("Sigmoid", gate), sub(dy!, dup)), dup));
    return [dgate, dup];
  });
  return y;
}
