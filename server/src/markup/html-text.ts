const TEXT_SPECIAL = /[&<>]/;
const ATTRIBUTE_SPECIAL = /[&<>"']/;

/** Escapes what is special between tags. Quotes stay as they are: clients of this API expect that. */
export function escapeText(text: string): string {
  if (!TEXT_SPECIAL.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes what is special inside a quoted attribute, and in code, where clients expect escaped quotes. */
export function escapeAttribute(text: string): string {
  if (!ATTRIBUTE_SPECIAL.test(text)) return text;
  return escapeText(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
