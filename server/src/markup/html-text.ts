const TEXT_SPECIAL = /[&<>]/;
const ATTRIBUTE_SPECIAL = /[&<>"']/;

/** Escapes what is special between tags. Quotes stay as they are, which is what clients of this API are used to. */
export function escapeText(text: string): string {
  if (!TEXT_SPECIAL.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes what is special inside a quoted attribute, and in code, where quotes are escaped too. */
export function escapeAttribute(text: string): string {
  if (!ATTRIBUTE_SPECIAL.test(text)) return text;
  return escapeText(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
