import { HeldAnswer, type HeldRequest } from '../../http/requests/route.ts';

/**
 * A response that waits for another server. Meanwhile the request occupies no slot of its account, so the account can send messages
 * although the other server is slow.
 */
export class Later<Given> extends HeldAnswer<Given> {
  readonly #work: () => Promise<Given>;

  constructor(work: () => Promise<Given>) {
    super();
    this.#work = work;
  }

  override begin(request: HeldRequest<Given>): void {
    this.#work().then(
      (given) => request.settle(() => given),
      (error: unknown) =>
        request.settle(() => {
          throw error;
        }),
    );
  }

  /** The work ends by its own timeouts. Others may wait for the same. */
  override hungUp(): void {}
}
