/** Previews of websites in the HTML of messages (public reference: "Message formatting"). They appear some time after the message. */
import { Parser } from 'htmlparser2';
import { escapeAttribute, escapeText } from './html-text.ts';
import { isSafeHtml } from './sanitizer.ts';

/** What a message shows of a website. */
export interface Embed {
  readonly title: string;
  readonly description: string;
  /** A path of this server, or undefined if the website has no image. */
  readonly imagePath: string | undefined;
}

/** A link that can have a preview, and where the preview belongs. */
export interface PreviewableLink {
  readonly url: string;
  /** The end of the paragraph with the link. */
  readonly end: number;
}

/** Links per message that get a preview (public reference). */
const MAX_EMBEDS = 5;

/**
 * The links of a message's HTML that can have a preview: to web addresses, in paragraphs that are not in quotes, lists or spoilers. None if
 * the message has previews of websites already.
 */
export function previewableLinks(html: string): readonly PreviewableLink[] {
  if (!html.includes('<a href="http') || html.includes('class="message_embed"')) return [];
  const found = new Map<string, number>();
  const images = new Set<string>();
  const open: string[] = [];
  let links: string[] = [];
  const parser = new Parser({
    onopentag(name, { href, class: className }) {
      const isInParagraph = open[0] === 'p';
      if (name === 'a' && href !== undefined && /^https?:\/\//.test(href)) {
        if (open.length > 0 && !isInParagraph) images.add(href);
        else if (isInParagraph && className === undefined) links.push(href);
      }
      open.push(name);
    },
    onclosetag(name) {
      open.pop();
      if (name !== 'p' || open.length > 0) return;
      for (const url of links) if (!found.has(url)) found.set(url, parser.endIndex + 1);
      links = [];
    },
  });
  parser.end(html);
  return Array.from(found, ([url, end]) => ({ url, end }))
    .filter(({ url }) => !images.has(url))
    .slice(0, MAX_EMBEDS);
}

/** The HTML with previews below the paragraphs that link to these addresses. */
export function showEmbeds(html: string, embeds: ReadonlyMap<string, Embed>): string {
  let shown = html;
  // From the end, so that the other places stay the same.
  for (const { url, end } of previewableLinks(html).toReversed()) {
    const embed = embeds.get(url);
    if (embed !== undefined) shown = `${shown.slice(0, end)}\n${embedHtml(url, embed)}${shown.slice(end)}`;
  }
  return isSafeHtml(shown) ? shown : html;
}

function embedHtml(url: string, { title, description, imagePath }: Embed): string {
  const href = escapeAttribute(url);
  const image =
    imagePath === undefined
      ? ''
      : `<a class="message_embed_image" href="${href}" style="background-image: url(&quot;${escapeAttribute(imagePath)}&quot;)"></a>`;
  const head =
    title === ''
      ? ''
      : `<div class="message_embed_title"><a href="${href}" title="${escapeAttribute(title)}">${escapeText(title)}</a></div>`;
  const text = description === '' ? '' : `<div class="message_embed_description">${escapeText(description)}</div>`;
  return `<div class="message_embed">${image}<div class="data-container">${head}${text}</div></div>`;
}
