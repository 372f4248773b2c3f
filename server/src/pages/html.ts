/** Builds HTML from templates. Every value that is not `Html` is escaped, in texts and in quoted attributes. */

/** A piece of HTML that needs no more escaping. Only `html` creates it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** A value in a template. `undefined`, `null` and `false` render nothing, so that `condition && html`…`` works. */
export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[];

/**
 * A piece of HTML. Attributes must be in double quotes.
 *
 * @example
 * html`<p class="${kind}">Hello, ${name}</p>`
 */
export function html(pieces: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = pieces[0] ?? '';
  for (const [index, value] of values.entries()) markup += escaped(value) + (pieces[index + 1] ?? '');
  return new Html(markup);
}

function escaped(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  return value.map(escaped).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
