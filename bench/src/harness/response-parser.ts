const HEAD_END = Buffer.from('\r\n\r\n');
const EMPTY = Buffer.alloc(0);

export interface ParsedResponse {
  readonly status: number;
  /** The status line and the header. */
  readonly head: string;
  /** Empty if the parser only counts bytes. */
  readonly body: Buffer;
  /** Bytes of the body on the wire, without chunk framing. */
  readonly bodyBytes: number;
}

/** Whether the parser keeps a body or only counts its bytes. Counting is for large responses that the load does not read. */
export type BodyUse = 'keep' | 'count';

/**
 * Parses consecutive HTTP/1.1 responses from the chunks of a socket. Supports only what the tested servers send: bodies with `content-length`
 * or chunked encoding, and 1xx, 204 and 304 without a body. Bytes after a complete response are an error, because the generator never
 * pipelines.
 */
export class ResponseParser {
  readonly #use: BodyUse;
  #state: 'head' | 'length' | 'chunk-size' | 'chunk-data' | 'trailer' = 'head';
  #rest: Buffer = EMPTY;
  #status = 0;
  #head = '';
  #remaining = 0;
  #pieces: Buffer[] = [];
  #bodyBytes = 0;

  constructor(use: BodyUse) {
    this.#use = use;
  }

  /**
   * Parses the next chunk. Returns the response if it is complete, or else null.
   *
   * @throws Error for malformed input
   */
  push(piece: Buffer): ParsedResponse | null {
    let data = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    this.#rest = EMPTY;
    for (;;) {
      if (this.#state === 'length' || this.#state === 'chunk-data') {
        const taken = Math.min(this.#remaining, data.length);
        this.#take(data.subarray(0, this.#state === 'length' ? taken : Math.min(taken, this.#payloadLeft())));
        this.#remaining -= taken;
        data = data.subarray(taken);
        if (this.#remaining > 0) return null;
        if (this.#state === 'length') return this.#complete(data);
        this.#state = 'chunk-size';
        continue;
      }
      const end = this.#state === 'head' ? data.indexOf(HEAD_END) : data.indexOf('\r\n');
      if (end === -1) {
        this.#rest = data;
        return null;
      }
      const text = data.toString('latin1', 0, end);
      data = data.subarray(end + (this.#state === 'head' ? 4 : 2));
      if (this.#state === 'head') {
        if (this.#beginBody(text)) return this.#complete(data);
      } else if (this.#state === 'chunk-size') {
        const size = Number.parseInt(text, 16);
        if (!Number.isFinite(size)) throw new Error(`not a chunk size: ${JSON.stringify(text.slice(0, 40))}`);
        this.#remaining = size + 2;
        this.#state = size === 0 ? 'trailer' : 'chunk-data';
      } else if (text === '') {
        return this.#complete(data);
      }
    }
  }

  /** The last two bytes of a chunk are framing. */
  #payloadLeft(): number {
    return Math.max(0, this.#remaining - 2);
  }

  /** Parses the status and the framing of a head. Returns true if no body follows. */
  #beginBody(head: string): boolean {
    if (!head.startsWith('HTTP/1.1 ')) throw new Error(`not an HTTP response: ${JSON.stringify(head.slice(0, 60))}`);
    this.#head = head;
    this.#status = Number(head.slice(9, 12));
    if (this.#status === 204 || this.#status === 304) return true;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    if (length !== null) {
      this.#remaining = Number(length[1]);
      this.#state = 'length';
      return this.#remaining === 0;
    }
    if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`a body without a length: ${head}`);
    this.#state = 'chunk-size';
    return false;
  }

  #take(bytes: Buffer): void {
    this.#bodyBytes += bytes.length;
    if (this.#use === 'keep' && bytes.length > 0) this.#pieces.push(bytes);
  }

  #complete(surplus: Buffer): ParsedResponse {
    if (surplus.length > 0) throw new Error(`${surplus.length} bytes follow a complete response`);
    const first = this.#pieces[0] ?? EMPTY;
    const body = this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : first;
    const response = { status: this.#status, head: this.#head, body, bodyBytes: this.#bodyBytes };
    this.#state = 'head';
    this.#pieces = [];
    this.#bodyBytes = 0;
    return response;
  }
}
