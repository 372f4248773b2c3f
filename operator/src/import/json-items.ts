/** Reads the lists of a JSON document item by item, so that its size does not matter. */
import { parseJson } from './json.ts';
import { LIMITS } from './limits.ts';
import { ImportError } from './source.ts';

export interface JsonItem {
  /** The name of the list; '' if the document is a list. */
  readonly list: string;
  readonly item: unknown;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** What a document must be. */
export type Form = 'list' | 'object';

/**
 * Reads `[item, …]` or `{"name": [item, …], "other": value}`. A value that is no list counts as a list with one item.
 * @throws ImportError the document is not of this form, or an item is too large or too deep
 */
export async function* readJsonItems(
  content: AsyncIterable<Buffer>,
  path: string,
  form?: Form,
): AsyncGenerator<JsonItem> {
  const splitter = new Splitter(path, form);
  for await (const chunk of content) yield* splitter.items(chunk);
  splitter.end();
}

/** What comes next in the document. */
type Expected = 'document' | 'name' | 'colon' | 'value' | 'item' | 'comma' | 'nothing';

class Splitter {
  readonly #path: string;
  readonly #form: Form | undefined;
  #expected: Expected = 'document';
  #isList = false;
  #inList = false;
  #list = '';
  #position = 0;
  /** The value that is being read. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isReading = false;

  constructor(path: string, form: Form | undefined) {
    this.#path = path;
    this.#form = form;
  }

  *items(chunk: Buffer): Generator<JsonItem> {
    let begin = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const code = chunk[index] ?? 0;
      if (this.#isReading) {
        if (this.#isInString || !this.#endsValue(code)) {
          this.#inside(code);
          continue;
        }
        this.#add(chunk.subarray(begin, index));
        yield* this.#ended();
      }
      if (isSpace(code) || (this.#position + index < 3 && code === BYTE_ORDER_MARK[this.#position + index])) continue;
      if (this.#begins(code)) {
        begin = index;
        this.#isReading = true;
        this.#inside(code);
      }
    }
    if (this.#isReading) this.#add(chunk.subarray(begin));
    this.#position += chunk.length;
  }

  end(): void {
    if (this.#expected !== 'nothing' || this.#isReading) throw this.#invalid('it ends too early');
  }

  /** Whether a value or a name begins here. Otherwise this is a character between them. */
  #begins(code: number): boolean {
    switch (this.#expected) {
      case 'document':
        if (code !== OPEN_LIST && code !== OPEN_OBJECT) throw this.#invalid('it is neither a list nor an object');
        this.#isList = code === OPEN_LIST;
        if (this.#form !== undefined && this.#isList !== (this.#form === 'list'))
          throw new ImportError(`${this.#path} is not ${this.#form === 'list' ? 'a list' : 'an object'}.`);
        this.#inList = this.#isList;
        this.#expected = this.#isList ? 'item' : 'name';
        return false;
      case 'name':
        if (code === CLOSE_OBJECT) this.#expected = 'nothing';
        else if (code !== QUOTE) throw this.#invalid('a name is missing');
        return code === QUOTE;
      case 'colon':
        if (code !== COLON) throw this.#invalid('a colon is missing');
        this.#expected = 'value';
        return false;
      case 'value':
        if (code !== OPEN_LIST) return true;
        this.#inList = true;
        this.#expected = 'item';
        return false;
      case 'item':
        if (code !== CLOSE_LIST) return true;
        this.#closeList();
        return false;
      case 'comma':
        this.#separate(code);
        return false;
      default:
        throw this.#invalid('something follows its end');
    }
  }

  #separate(code: number): void {
    if (code === COMMA) this.#expected = this.#inList ? 'item' : 'name';
    else if (this.#inList && code === CLOSE_LIST) this.#closeList();
    else if (!this.#inList && code === CLOSE_OBJECT) this.#expected = 'nothing';
    else throw this.#invalid('a comma is missing');
  }

  #closeList(): void {
    this.#inList = false;
    this.#expected = this.#isList ? 'nothing' : 'comma';
  }

  #endsValue(code: number): boolean {
    if (this.#depth > 0) return false;
    if (this.#expected === 'name') return code === COLON || isSpace(code);
    return code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT;
  }

  #inside(code: number): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) this.#isInString = false;
    } else if (code === QUOTE) this.#isInString = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      this.#depth += 1;
      if (this.#depth > LIMITS.jsonDepth)
        throw new ImportError(`${this.#path} is nested more than ${LIMITS.jsonDepth} levels deep.`);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.#depth -= 1;
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > LIMITS.lineBytes)
      throw new ImportError(`${this.#path} has an item of more than ${LIMITS.lineBytes} bytes${this.#place()}.`);
    this.#pieces.push(piece);
  }

  *#ended(): Generator<JsonItem> {
    const value = parseJson(Buffer.concat(this.#pieces).toString(), this.#path + this.#place());
    this.#pieces = [];
    this.#bytes = 0;
    this.#isReading = false;
    if (this.#expected === 'name') {
      this.#list = String(value);
      this.#expected = 'colon';
      return;
    }
    this.#expected = 'comma';
    yield { list: this.#list, item: value };
  }

  #place(): string {
    return this.#list === '' ? '' : ` (in ${JSON.stringify(this.#list.slice(0, 100))})`;
  }

  #invalid(reason: string): ImportError {
    return new ImportError(`${this.#path} is not valid JSON: ${reason}${this.#place()}.`);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
