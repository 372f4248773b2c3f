/** Translated texts that contain elements, such as links. */
import type { Language, Literal, Message } from '../languages/language.ts';
import { type Html, type HtmlValue, html } from './html.ts';

type Values = Readonly<Record<string, string | number | Html>>;
/** Renders each element of the text, by its name. */
type Parts = Readonly<Record<string, (inner: HtmlValue) => Html>>;

/** A translated text as HTML. Elements in the text have names, and `parts` renders them. Values are escaped, and never read as elements. */
export type Rich = <const Text extends string>(text: Literal<Text> | Message, values: Values, parts?: Parts) => Html;

/** Characters of the private use area stand for the values while the text is formatted. */
const FIRST_MARK_CODE = 0xe000;
const MARK = /([\ue000-\ue0ff])/;

/**
 * @example
 * const rich = richIn(language);
 * rich('Your account: <code>{address}</code>', { address }, { code: (inner) => html`<code>${inner}</code>` });
 */
export function richIn({ t }: Language): Rich {
  return (text, values, parts = {}) => {
    const shown: (string | Html)[] = [];
    const marked = Object.entries(values).map(([name, value]) => {
      if (typeof value === 'number') return [name, value];
      shown.push(value);
      return [name, String.fromCharCode(FIRST_MARK_CODE + shown.length - 1)];
    });
    return html`${renderElements(t(text, Object.fromEntries(marked)), parts, shown)}`;
  };
}

function renderElements(text: string, parts: Parts, shown: readonly (string | Html)[]): readonly HtmlValue[] {
  const [, before = '', name = '', inner = '', after = ''] = /^(.*?)<(\w+)>(.*?)<\/\2>(.*)$/s.exec(text) ?? [];
  const make = parts[name];
  if (make === undefined) return withValues(text, shown);
  return [
    ...withValues(before, shown),
    make(renderElements(inner, parts, shown)),
    ...renderElements(after, parts, shown),
  ];
}

function withValues(text: string, shown: readonly (string | Html)[]): readonly HtmlValue[] {
  return text.split(MARK).map((piece) => (MARK.test(piece) ? shown[piece.charCodeAt(0) - FIRST_MARK_CODE] : piece));
}
