/** A list of resources that were opened one after the other and are closed in reverse order. */
export class OpenedResources {
  readonly #closings: (() => unknown)[] = [];

  /** Adds a resource and returns it. `close` is the function that closes it. */
  add<T>(resource: T, close: (resource: T) => unknown): T {
    this.#closings.push(() => close(resource));
    return resource;
  }

  /**
   * Closes all resources, the last one first. If closing one fails, the others are still closed, and then the first
   * error is thrown.
   */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = this.#closings.pop(); close !== undefined; close = this.#closings.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
