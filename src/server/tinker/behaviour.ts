/**
 * The one place where a server can be made to differ from what it is.
 *
 * The shipped server is honest, and it has no switches for the faults and habits of other servers. Tests that need
 * those wrap one of its two halves: the backend (what is computed: reductions, log-probs, stops) or the exchange (how it
 * is told: lost connections, status codes, encodings). See tests/support/tinker-*.ts.
 */
import type { Backend } from "./backend.ts";
import type { Exchange } from "./exchange.ts";

export interface Behaviour {
  wrapBackend?(inner: Backend): Backend;
  wrapExchange?(inner: Exchange): Exchange;
}
