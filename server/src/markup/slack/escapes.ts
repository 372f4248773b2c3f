/** Texts as mrkdwn. Slack itself knows three entities only; our Markdown knows all of them. */

/** Between these characters of a mrkdwn text is Markdown, which stays as it is. */
export const MARKDOWN_BEGIN = '\ue003';
export const MARKDOWN_END = '\ue004';

/** Decodes Slack's entities: a text in which they have no other meaning. */
export function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** As `decoded`, for Markdown: what would become another entity there stays escaped. */
export function decodedProse(text: string): string {
  return text.replaceAll(/&(?:lt|gt|amp(?!;#?\w{1,31};));/g, decoded);
}

/** A text that shows exactly as it is. */
export function literal(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll(/[<>*[\]`~$|\ue003\ue004]|(?<![\p{L}\p{N}])_/gu, (character) => `&#${character.charCodeAt(0)};`);
}

/** A text in one line that shows exactly as it is. */
export function literalLine(text: string): string {
  return literal(text.replaceAll(/\s+/g, ' ').trim());
}

export function bold(text: string): string {
  const line = literalLine(text);
  return line === '' ? '' : `*${line}*`;
}

export function markdown(text: string): string {
  return `${MARKDOWN_BEGIN}${text.replaceAll(/[\ue003\ue004]/g, '')}${MARKDOWN_END}`;
}

/** The label alone if the address is no link. */
export function linked(label: string, url: string): string {
  if (!/^(?:https?:\/\/|mailto:)[^\s]/i.test(url)) return literalLine(label);
  const inner = [url.replaceAll(/[\s|]/g, encodeURIComponent), label.replaceAll(/\s+/g, ' ').trim() || url];
  return `<${inner.map((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')).join('|')}>`;
}
