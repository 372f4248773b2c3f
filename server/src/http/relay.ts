import { Readable } from 'node:stream';

/** A stream that gives on what another one gives, as fast as it is read. It can be destroyed, and the other one stays as it is. */
export class Relay extends Readable {
  readonly #source: Readable;
  readonly #onData: (chunk: Buffer) => void;
  readonly #onEnd: () => void;
  #taken = 0;

  /**
   * @param look is told how many bytes have come, before each piece is given on; what it throws destroys this stream
   * @param atEnd when it resolves this stream ends, and where it rejects fails
   */
  constructor(source: Readable, look: (taken: number) => void, atEnd: () => Promise<void> = async () => undefined) {
    super();
    this.#source = source;
    this.#onData = (chunk) => {
      this.#taken += chunk.length;
      try {
        look(this.#taken);
      } catch (error) {
        this.destroy(error as Error);
        return;
      }
      if (!this.push(chunk)) source.pause();
    };
    this.#onEnd = () => {
      atEnd().then(
        () => this.push(null),
        (error: Error) => this.destroy(error),
      );
    };
    source.on('data', this.#onData);
    source.once('end', this.#onEnd);
  }

  /** Bytes that have come so far. */
  get taken(): number {
    return this.#taken;
  }

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#source.off('data', this.#onData);
    this.#source.off('end', this.#onEnd);
    this.#source.pause();
    done(error);
  }
}
