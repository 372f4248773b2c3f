import { badRequest } from '@heddle/api/errors.ts';

type Step = string | number;

/** Items of a list that are read. */
const MAX_ITEMS = 1000;

/**
 * What a service sent. Nothing in it is trusted: missing values and other types read as empty. A value that a message cannot do without is
 * read with `need`, which refuses the request.
 */
export class Payload {
  readonly #value: unknown;
  readonly #path: string;

  constructor(value: unknown, path = '') {
    this.#value = value;
    this.#path = path;
  }

  /** The value at the path; an empty payload if there is none. */
  at(...path: readonly Step[]): Payload {
    let value = this.#value;
    let name = this.#path;
    for (const step of path) {
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, step)
          ? Reflect.get(value, step)
          : undefined;
      name = name === '' ? `${step}` : `${name}.${step}`;
    }
    return new Payload(value, name);
  }

  get raw(): unknown {
    return this.#value;
  }

  get isMissing(): boolean {
    return this.#value === undefined || this.#value === null;
  }

  get isObject(): boolean {
    return typeof this.#value === 'object' && this.#value !== null && !Array.isArray(this.#value);
  }

  /** The text or number at the path; otherwise ''. Half characters are replaced, which JSON can express and addresses cannot. */
  text(...path: readonly Step[]): string {
    const { raw } = this.at(...path);
    if (typeof raw === 'string') return raw.toWellFormed();
    return typeof raw === 'number' ? String(raw) : '';
  }

  /** The first of these fields that has a text. */
  firstText(...names: readonly string[]): string {
    return names.map((name) => this.text(name)).find((text) => text !== '') ?? '';
  }

  number(...path: readonly Step[]): number | undefined {
    const { raw } = this.at(...path);
    return typeof raw === 'number' && Number.isFinite(raw) ? raw : undefined;
  }

  isTrue(...path: readonly Step[]): boolean {
    return this.at(...path).raw === true;
  }

  /** @throws ApiError `BAD_REQUEST`: there is no text or number at the path */
  need(...path: readonly Step[]): string {
    const text = this.text(...path);
    if (text === '') throw badRequest(`Malformed payload: '${this.at(...path).#path}' is missing`);
    return text;
  }

  /** The object at the path. @throws ApiError `BAD_REQUEST`: there is none */
  needObject(...path: readonly Step[]): Payload {
    const found = this.at(...path);
    if (!found.isObject) throw badRequest(`Malformed payload: '${found.#path}' is missing`);
    return found;
  }

  /** The items of the list at the path. */
  list(...path: readonly Step[]): readonly Payload[] {
    const found = this.at(...path);
    if (!Array.isArray(found.#value)) return [];
    return found.#value.slice(0, MAX_ITEMS).map((item, index) => new Payload(item, `${found.#path}.${index}`));
  }

  /** The number of items of the list at the path. */
  count(...path: readonly Step[]): number {
    const { raw } = this.at(...path);
    return Array.isArray(raw) ? raw.length : 0;
  }

  /** The fields of the object at the path, with their texts. */
  fields(...path: readonly Step[]): readonly (readonly [name: string, text: string])[] {
    const found = this.at(...path);
    if (!found.isObject) return [];
    return Object.keys(found.#value as object)
      .slice(0, MAX_ITEMS)
      .map((name) => [name, found.text(name)] as const);
  }
}
