/** A process of Heddle at a host of its own. */
import { beginHeddle, type HeddleStart } from '@heddle/server/testing/faults/heddle-process.ts';
import type { Network } from '../network/network.ts';
import { waitFor } from '../waiting.ts';

const HEDDLE_PORT = 9991;

export class HeddleNode {
  readonly name: string;
  readonly url: string;
  /** How often it ended although nobody stopped it. */
  crashes = 0;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #command: readonly string[];
  #process: HeddleStart | undefined;
  #starting: Promise<void> | undefined;
  /** What all of its processes wrote. */
  #log = '';

  constructor(name: string, network: Network, environment: Readonly<Record<string, string>>) {
    const address = network.addressOf(name);
    this.name = name;
    this.url = `http://${address}:${HEDDLE_PORT}`;
    this.#command = network.commandAt(name);
    this.#environment = { ...environment, HEDDLE_HOST: address, HEDDLE_PORT: String(HEDDLE_PORT) };
  }

  /** The address and the port. */
  get host(): string {
    return new URL(this.url).host;
  }

  /** Starts it as a supervisor does: again and again until it listens. */
  async start(): Promise<void> {
    this.#starting ??= waitFor(() => this.#begin(), `the process ${this.name} to listen`)
      .then(() => undefined)
      .finally(() => {
        this.#starting = undefined;
      });
    await this.#starting;
  }

  /** Resolves when it is ready. */
  async isReady(): Promise<void> {
    const ask = async () =>
      fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(1_000) }).then(
        async (response) => (await response.arrayBuffer()) && response.ok,
        () => false,
      );
    await waitFor(ask, `the process ${this.name} to be ready`);
  }

  /** Sends the signal, and waits for the end of the process. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    ending?.child.kill(signal);
    await ending?.ended;
  }

  log(): string {
    return this.#log;
  }

  pause(): void {
    this.#process?.child.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.child.kill('SIGCONT');
  }

  async #begin(): Promise<boolean> {
    const begun = beginHeddle(this.#environment, { command: this.#command });
    begun.child.stderr?.on('data', (chunk: Buffer | string) => {
      this.#log += chunk;
    });
    void begun.ended.then(({ code, signal }) => {
      this.#log += `the process ended with ${signal ?? `code ${code}`}\n`;
      if (this.#process !== begun) return;
      this.crashes += 1;
      this.start().catch(() => undefined);
    });
    return begun.listening.then(
      () => {
        this.#process = begun;
        return true;
      },
      () => false,
    );
  }
}
