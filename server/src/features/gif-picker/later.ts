import { HeldAnswer, type HeldRequest } from '../../http/requests/route.ts';

/**
 * A response that waits for another server. Meanwhile the request occupies no slot of its account, so the account can send messages
 * although the other server is slow.
 */
export class Later<Given> extends HeldAnswer<Given> {
  readonly #work: (signal: AbortSignal) => Promise<Given>;
  readonly #hangUp = new AbortController();

  /** @param work gets a signal that ends its wait for a slot when the client has hung up */
  constructor(work: (signal: AbortSignal) => Promise<Given>) {
    super();
    this.#work = work;
  }

  override begin(request: HeldRequest<Given>): void {
    this.#work(this.#hangUp.signal).then(
      (given) => request.settle(() => given),
      (error: unknown) =>
        request.settle(() => {
          throw error;
        }),
    );
  }

  /** Work that has begun ends by its own timeouts. Others may wait for the same. */
  override hungUp(): void {
    this.#hangUp.abort();
  }
}
