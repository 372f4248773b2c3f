import { StringDecoder } from 'node:string_decoder';
import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import type { Fields } from './fields.ts';

/** The limits of a part's header. Clients use two or three lines. Bytes. */
const MOST_LINES = 10;
const LONGEST_OPENING = 4096;

const BOUNDARY = /;\s*boundary=(?:"([^"]*)"|([^\s;"]*))/i;
/** As in the standard: no spaces, and nothing that needs escaping. */
const BOUNDARY_CHARACTERS = /^[\w'()+,./:=?-]{1,100}$/;

const LINE_END = Buffer.from('\r\n');
const OPENING_END = Buffer.from('\r\n\r\n');
const LAST = Buffer.from('--');

const LINE = /^([\w!#$%&'*+.^`|~-]+)[ \t]*:[ \t]*(.*)$/;
const DISPOSITION = /^form-data[ \t]*(?=;|$)/i;
const PARAMETER = /;[ \t]*([\w-]+)\*?=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/y;
/** How browsers escape what a name cannot contain (the HTML standard, "multipart form data"). */
const ESCAPED = /%(?:22|0A|0D)/gi;
const AS_IT_IS = /^(?:7bit|8bit|binary)$/i;

type Place = 'before a part' | 'opening' | 'field' | 'file' | 'end';

/**
 * Decodes the fields of a multipart form piece by piece as it arrives, and skips its files. A form of several megabytes never blocks the
 * process, and the headers of parts are bounded as they arrive. Texts are UTF-8.
 */
export class MultipartDecoder {
  readonly #most: number;
  readonly #tooMany: () => Error;
  readonly #delimiter: Buffer;
  readonly #fields: Fields = Object.create(null);
  #place: Place = 'before a part';
  #parts = 0;
  #name = '';
  #text = '';
  readonly #characters = new StringDecoder('utf8');
  /** The bytes that may belong to something that continues in the next piece. A form begins as if after the end of a line. */
  #rest: Buffer = LINE_END;

  /**
   * @param contentType the header of the request
   * @param most the maximum of fields and files; one more is refused as it arrives
   * @param tooMany makes the error
   * @throws ApiError `BAD_REQUEST` if the header names no boundary
   */
  constructor(contentType: string, most: number, tooMany: () => Error) {
    const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
    const boundary = quoted ?? plain ?? '';
    if (!BOUNDARY_CHARACTERS.test(boundary)) throw malformed();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#most = most;
    this.#tooMany = tooMany;
  }

  /** @throws ApiError `BAD_REQUEST` if it is no such form */
  write(piece: Buffer): void {
    if (this.#place === 'end') return;
    const bytes = Buffer.concat([this.#rest, piece]);
    let at = 0;
    for (let next = this.#step(bytes, at); next !== undefined; next = this.#step(bytes, at)) at = next;
    const mayGoOn = this.#delimiter.length + LAST.length - 1;
    const kept = this.#place === 'opening' ? at : Math.max(at, bytes.length - mayGoOn);
    this.#take(bytes.subarray(at, kept));
    // A copy, so that the whole piece need not stay in memory.
    this.#rest = Buffer.from(bytes.subarray(kept));
  }

  /**
   * The fields. Call it after the whole form was written.
   * @throws ApiError `BAD_REQUEST` if the form has no end
   */
  end(): Fields {
    if (this.#place !== 'end') throw malformed();
    return this.#fields;
  }

  /** Reads through the next delimiter, or through the header of a part. @returns where that ends; undefined if it has not arrived yet */
  #step(bytes: Buffer, at: number): number | undefined {
    if (this.#place === 'end') return undefined;
    return this.#place === 'opening' ? this.#readOpening(bytes, at) : this.#readDelimiter(bytes, at);
  }

  #readDelimiter(bytes: Buffer, at: number): number | undefined {
    const found = bytes.indexOf(this.#delimiter, at);
    const after = found + this.#delimiter.length;
    if (found < 0 || after + LAST.length > bytes.length) return undefined;
    this.#take(bytes.subarray(at, found));
    if (this.#place === 'field') this.#endField();
    const following = bytes.subarray(after, after + LAST.length);
    if (following.equals(LAST)) {
      this.#place = 'end';
      return after;
    }
    if (!following.equals(LINE_END)) throw malformed();
    this.#parts += 1;
    if (this.#parts > this.#most) throw this.#tooMany();
    this.#place = 'opening';
    return after;
  }

  /** It begins with the end of the delimiter's line. */
  #readOpening(bytes: Buffer, at: number): number | undefined {
    const window = bytes.subarray(at, at + LONGEST_OPENING);
    const end = window.indexOf(OPENING_END);
    if (end < 0 && window.length < LONGEST_OPENING) return undefined;
    if (end < LINE_END.length) throw malformed();
    const { name, isFile } = partOpenedBy(window.toString('utf8', LINE_END.length, end));
    this.#name = name;
    this.#place = isFile ? 'file' : 'field';
    return at + end + OPENING_END.length;
  }

  #take(content: Buffer): void {
    if (this.#place === 'field') this.#text += this.#characters.write(content);
  }

  #endField(): void {
    this.#fields[this.#name] = this.#text + this.#characters.end();
    this.#text = '';
  }
}

function partOpenedBy(opening: string): { readonly name: string; readonly isFile: boolean } {
  const lines = opening.split('\r\n');
  if (lines.length > MOST_LINES) throw malformed();
  let disposition: ReadonlyMap<string, string> | undefined;
  for (const line of lines) {
    const [, header, value = ''] = LINE.exec(line) ?? [];
    if (header === undefined) throw malformed();
    if (/^content-disposition$/i.test(header)) disposition = parametersOf(value);
    // Without this check, base64 would be taken for the text.
    if (/^content-transfer-encoding$/i.test(header) && !AS_IT_IS.test(value.trim())) throw malformed();
  }
  const name = disposition?.get('name');
  if (disposition === undefined || name === undefined) throw malformed();
  return { name: name.replace(ESCAPED, decodeURIComponent), isFile: disposition.has('filename') };
}

/** The names in lower case, without the `*` of encoded ones. */
function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  let at = DISPOSITION.exec(disposition)?.[0].length ?? Number.NaN;
  while (at !== disposition.length) {
    PARAMETER.lastIndex = at;
    const [all, name, quoted, plain] = PARAMETER.exec(disposition) ?? [];
    if (all === undefined || name === undefined) throw malformed();
    parameters.set(name.toLowerCase(), quoted ?? plain ?? '');
    at += all.length;
  }
  return parameters;
}

function malformed(): ApiError {
  return badRequest('Malformed multipart/form-data');
}
