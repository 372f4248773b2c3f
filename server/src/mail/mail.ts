/** What a mail says, and how it looks: as text and as HTML, both made from the same few parts. */
import { html } from '../pages/html.ts';

export interface Mail {
  /** The address alone. */
  readonly to: string;
  readonly title: string;
  /** Whatever is in them is text. */
  readonly paragraphs: readonly string[];
  /** What the reader is to do, after the paragraphs. */
  readonly link?: { readonly label: string; readonly url: string };
  /** After the link. */
  readonly afterwards?: readonly string[];
}

export interface RenderedMail {
  readonly title: string;
  readonly text: string;
  readonly html: string;
}

/** A title is one line, of which programs show no more than this. */
const LONGEST_TITLE = 200;

export function renderMail({ title: given, paragraphs, link, afterwards = [] }: Mail): RenderedMail {
  const title = oneLine(given);
  return {
    title,
    text: `${[...paragraphs, ...(link === undefined ? [] : [`${link.label}:\n${link.url}`]), ...afterwards].join('\n\n')}\n`,
    html: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="font: 16px/1.5 sans-serif; max-width: 36em; margin: 0 auto; padding: 1em">
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}${
  link !== undefined &&
  html`<p><a href="${link.url}" style="font-weight: bold">${link.label}</a></p>
<p>Or open this address: ${link.url}</p>
`
}${afterwards.map((paragraph) => html`<p>${paragraph}</p>\n`)}</body>
</html>
`.toString(),
  };
}

/** A header is one line: names of people and organizations are part of it. */
export function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return [...line].slice(0, LONGEST_TITLE).join('');
}

/**
 * Whether a mail can be sent to the address: one address, of characters that mean nothing else in a header or to a mail server. Stricter
 * than what accounts may have.
 */
export function isMailable(address: string): boolean {
  return address.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u.test(address);
}
