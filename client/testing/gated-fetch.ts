/** A network that a test slows down: requests or responses wait at a gate until the test opens it. */
import { setImmediate as nextTask } from 'node:timers/promises';
import { until } from '../../server/src/testing/server/until.ts';

export type Side = 'requests' | 'responses';

export class GatedFetch {
  readonly #pageDivisor: number;
  readonly #gates: Record<Side, Gate> = { requests: new Gate(), responses: new Gate() };
  #open = 0;
  #begun = 0;
  #isCut = false;
  #lost = 0;
  /** Requests that failed or were refused, for messages of tests. */
  readonly failures: string[] = [];

  /** @param pageDivisor pages are this much smaller than those that the model requests, so that few messages fill several pages */
  constructor(pageDivisor: number) {
    this.#pageDivisor = pageDivisor;
  }

  /** From now on requests do not leave, or responses do not arrive. A response contains what was true when the server made it. */
  hold(side: Side): void {
    this.#gates[side].close();
  }

  /** Lets everything pass that waits, and everything after it. */
  release(): void {
    for (const gate of Object.values(this.#gates)) gate.open();
  }

  /** The page is closed: nothing arrives any more. Resolves when the server has executed what it got. */
  async cut(): Promise<void> {
    this.#isCut = true;
    await until(() => this.#open <= this.#lost, 'the server to execute the open requests');
  }

  /** Resolves when no request is open, and none follows from the last responses. */
  async idle(): Promise<void> {
    await until(async () => {
      const begun = this.#begun;
      if (this.#open > 0) return false;
      for (let turn = 0; turn < 5; turn++) await nextTask();
      return this.#open === 0 && this.#begun === begun;
    }, 'the last response');
  }

  readonly fetch: typeof fetch = async (input, init) => {
    this.#open += 1;
    this.#begun += 1;
    try {
      await this.#gates.requests.passed();
      await this.#unlessCut();
      const url = smaller(String(input), this.#pageDivisor);
      const response = await fetch(url, init).finally(() => this.#unlessCut());
      const body = await response.arrayBuffer();
      if (!response.ok) this.failures.push(`${url}: ${new TextDecoder().decode(body)}`);
      await this.#gates.responses.passed();
      return new Response(body, { status: response.status, headers: response.headers });
    } finally {
      this.#open -= 1;
    }
  };

  /** Never resolves after the cut. */
  async #unlessCut(): Promise<void> {
    if (!this.#isCut) return;
    this.#lost += 1;
    await new Promise(() => undefined);
  }
}

class Gate {
  #opened: PromiseWithResolvers<void> | undefined;

  close(): void {
    this.#opened ??= Promise.withResolvers();
  }

  open(): void {
    this.#opened?.resolve();
    this.#opened = undefined;
  }

  async passed(): Promise<void> {
    await this.#opened?.promise;
  }
}

function smaller(address: string, divisor: number): string {
  const url = new URL(address);
  for (const name of ['num_before', 'num_after']) {
    const wanted = Number(url.searchParams.get(name) ?? 0);
    if (wanted > 0 && wanted < 400) url.searchParams.set(name, String(Math.ceil(wanted / divisor)));
  }
  return url.href;
}
