import { Readable } from 'node:stream';

/** A stream that passes on another stream, as fast as it is read. Destroying it leaves the other stream as it is. */
export class Relay extends Readable {
  readonly #source: Readable;
  readonly #onData: (chunk: Buffer) => void;
  readonly #onEnd: () => void;
  #taken = 0;

  /**
   * @param look gets the number of bytes so far, before each piece is passed on; what it throws destroys this stream
   * @param atEnd this stream ends when it resolves, and fails when it rejects
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

  /** The bytes that have arrived so far. */
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
