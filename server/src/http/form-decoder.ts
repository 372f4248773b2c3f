import { StringDecoder } from 'node:string_decoder';
import type { Fields } from './fields.ts';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/**
 * Decodes a URL-encoded form piece by piece as it arrives, so a form of several megabytes never blocks the process. The result equals
 * `fieldsOfBody` of the whole form. Percent-encodings that are malformed or not UTF-8 are read as far as possible.
 */
export class FormDecoder {
  readonly #most: number;
  readonly #tooMany: () => Error;
  readonly #fields: Fields = Object.create(null);
  #count = 0;
  /** The current field: its name, once complete, and the text so far of the name or the value. */
  #name: string | undefined;
  #text = '';
  #characters = new StringDecoder('utf8');
  /** Whether anything of a field has arrived since the last one ended. */
  #isBegun = false;
  /** The beginning of a percent-encoding at the end of the previous piece. */
  #rest: Buffer = Buffer.alloc(0);

  /**
   * @param most the maximum of fields; one more is refused as it arrives
   * @param tooMany makes the error
   */
  constructor(most: number, tooMany: () => Error) {
    this.#most = most;
    this.#tooMany = tooMany;
  }

  write(piece: Buffer): void {
    const all = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const cut = endOfWhole(all);
    // A copy, because the piece shares the memory of the socket.
    this.#rest = Buffer.from(all.subarray(cut));
    this.#read(all.subarray(0, cut));
  }

  /** The fields. Call it after the whole form was written. */
  end(): Fields {
    this.#read(this.#rest);
    this.#endField();
    return this.#fields;
  }

  #read(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const found = bytes.indexOf(AMPERSAND, at);
      const end = found < 0 ? bytes.length : found;
      if (end > at) this.#readPart(bytes.subarray(at, end));
      if (found >= 0) this.#endField();
      at = end + 1;
    }
  }

  /** A part of one field. */
  #readPart(part: Buffer): void {
    this.#isBegun = true;
    const equals = this.#name === undefined ? part.indexOf(EQUALS) : -1;
    if (equals >= 0) {
      this.#text += this.#characters.write(decoded(part.subarray(0, equals)));
      this.#name = this.#endText();
    }
    this.#text += this.#characters.write(decoded(part.subarray(equals + 1)));
  }

  #endText(): string {
    const text = this.#text + this.#characters.end();
    this.#text = '';
    return text;
  }

  #endField(): void {
    if (!this.#isBegun) return;
    const text = this.#endText();
    const [name, value] = this.#name === undefined ? [text, ''] : [this.#name, text];
    this.#name = undefined;
    this.#isBegun = false;
    if (++this.#count > this.#most) throw this.#tooMany();
    const before = this.#fields[name];
    if (before === undefined) this.#fields[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else this.#fields[name] = [before, value];
  }
}

/** The position of the last percent-encoding if it may continue after the end; else the end. */
function endOfWhole(bytes: Buffer): number {
  const { length } = bytes;
  for (let at = Math.max(0, length - 2); at < length; at++) if (bytes[at] === PERCENT) return at;
  return length;
}

/** The decoded bytes. Most texts contain nothing to decode, and searching for one byte is fast. */
function decoded(bytes: Buffer): Buffer {
  if (!bytes.includes(PLUS) && !bytes.includes(PERCENT)) return bytes;
  const result = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === PERCENT) {
      const value = digit(bytes[at + 1]) * 16 + digit(bytes[at + 2]);
      result[length++] = value < 0 ? byte : value;
      if (value >= 0) at += 2;
    } else result[length++] = byte === PLUS ? SPACE : byte;
  }
  return result.subarray(0, length);
}

/** The value of a hexadecimal digit. For anything else a number so low that no other digit makes the sum positive. */
function digit(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 0x20;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1000;
}
