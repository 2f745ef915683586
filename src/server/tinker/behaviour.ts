/**
 * Lets tests change the behaviour of the server.
 *
 * The shipped server has no switches that simulate other servers. Tests that need those wrap the backend, to change
 * what is computed (reductions, log-probs, stops), or the exchange, to change how it is sent (lost connections, status
 * codes, encodings). See tests/support/tinker-*.ts.
 */
import type { Backend } from "./backend.ts";
import type { Exchange } from "./exchange.ts";

export interface Behaviour {
  wrapBackend?(inner: Backend): Backend;
  wrapExchange?(inner: Exchange): Exchange;
}
