/** Translated texts that contain elements, such as links. */
import type { Language, Literal, Message } from '../languages/language.ts';
import { type Marked, withValues } from '../languages/marks.ts';
import { type Html, type HtmlValue, html } from './html.ts';

type Values = Readonly<Record<string, string | number | Html>>;
/** Renders each element of the text, by its name. */
type Parts = Readonly<Record<string, (inner: HtmlValue) => Html>>;

/** A translated text as HTML. Elements in the text have names, and `parts` renders them. Values are escaped, and never read as elements. */
export type Rich = <const Text extends string>(text: Literal<Text> | Message, values: Values, parts?: Parts) => Html;

/**
 * @example
 * const rich = richIn(language);
 * rich('Your account: <code>{address}</code>', { address }, { code: (inner) => html`<code>${inner}</code>` });
 */
export function richIn({ marked }: Language): Rich {
  return (text, values, parts = {}) => html`${renderElements(marked<string | Html>(text, values), parts)}`;
}

function renderElements({ text, shown }: Marked<string | Html>, parts: Parts): readonly HtmlValue[] {
  const [, before = '', name = '', inner = '', after = ''] = /^(.*?)<(\w+)>(.*?)<\/\2>(.*)$/s.exec(text) ?? [];
  const make = parts[name];
  if (make === undefined) return withValues({ text, shown });
  return [
    ...withValues({ text: before, shown }),
    make(renderElements({ text: inner, shown }, parts)),
    ...renderElements({ text: after, shown }, parts),
  ];
}
