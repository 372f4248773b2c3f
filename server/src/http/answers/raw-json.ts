/** JSON that is serialized already: in one piece, or in pieces that are sent one after the other. */
export type SerializedJson = string | Buffer | readonly Buffer[];

/** A success body, complete with its envelope, or a field's value. Made by `rawJson`. */
export class RawJson {
  readonly body: SerializedJson;

  constructor(body: SerializedJson) {
    this.body = body;
  }
}

/** Several fields of a response that are serialized together, with commas between. One of their names represents them. */
export class RawFields extends RawJson {
  declare readonly body: string | Buffer;

  /** @param fields at least one */
  constructor(fields: object) {
    super(serializedPiece(JSON.stringify(fields).slice(1, -1)));
  }
}

/** A kept text of at least this many characters becomes a buffer, which is sent without a copy. Copying a shorter one is faster. */
const LONG_TEXT_CHARACTERS = 16_384;

/** A serialized text in the form that is best to keep. */
export function serializedPiece(text: string): string | Buffer {
  return text.length < LONG_TEXT_CHARACTERS ? text : shared(Buffer.from(text));
}

const sharedPieces = new WeakSet<Buffer>();

/**
 * Marks a piece that many responses contain, as the same object. A long response is compressed in stretches then, and this piece once for
 * all of them. Each of a response's shared pieces should have some kilobytes: a stretch refers to nothing before it.
 */
export function shared(piece: Buffer): Buffer {
  sharedPieces.add(piece);
  return piece;
}

export function isShared(piece: Buffer): boolean {
  return sharedPieces.has(piece);
}

/** A value that is serialized already; `value` is only its type. */
export type Serialized<Value> = RawJson & { readonly value?: Value };

/**
 * For hot paths: bytes that are a complete success body, `{"result":"success","msg":"",…}`. The layer sends them as they are. If the
 * request had unknown parameters, it inserts `ignored_parameters_unsupported` before the last brace.
 */
export function rawJson(body: SerializedJson): RawJson {
  return new RawJson(body);
}
