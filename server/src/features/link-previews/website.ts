/** What a page says about itself: Open Graph (https://ogp.me), or its title and description. */
import { Parser } from 'htmlparser2';

export interface Website {
  readonly title: string;
  readonly description: string;
  readonly imageUrl: string | undefined;
}

const MAX_TITLE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 400;
const MAX_IMAGE_URL_LENGTH = 2000;

/** By the fields of `meta` elements, the first that exists. */
const NAMES = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'twitter:description', 'description'],
  image: ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image'],
} as const;

/**
 * Reads the beginning of a page.
 * @param url the address of the page; that of its image can be relative
 */
export function websiteOf(html: string, url: URL): Website | undefined {
  const facts = new Map<string, string>();
  let title = '';
  let isInTitle = false;
  let isOver = false;
  const parser = new Parser({
    onopentag(name, { property, name: metaName, content = '' }) {
      isOver ||= name === 'body';
      if (isOver) return;
      isInTitle = name === 'title' && title === '';
      const key = (property ?? metaName ?? '').toLowerCase();
      if (name === 'meta' && content !== '' && !facts.has(key)) facts.set(key, content);
    },
    ontext(text) {
      if (isInTitle) title += text;
    },
    onclosetag(name) {
      isInTitle = false;
      isOver ||= name === 'head';
    },
  });
  parser.end(html);
  const fact = (names: readonly string[]) => names.map((name) => facts.get(name)).find((text) => text !== undefined);
  return website(
    { title: fact(NAMES.title) ?? title, description: fact(NAMES.description), image: fact(NAMES.image) },
    url,
  );
}

interface Given {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly image: string | undefined;
}

/** With bounded texts; undefined for a website that says nothing. */
export function website({ title = '', description = '', image }: Given, url: URL): Website | undefined {
  const found = {
    title: shortened(title, MAX_TITLE_LENGTH),
    description: shortened(description, MAX_DESCRIPTION_LENGTH),
    imageUrl: image === undefined ? undefined : imageUrl(image, url),
  };
  return found.title === '' && found.description === '' ? undefined : found;
}

function imageUrl(given: string, base: URL): string | undefined {
  const url = URL.parse(given.slice(0, MAX_IMAGE_URL_LENGTH), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > MAX_IMAGE_URL_LENGTH) return undefined;
  return url.href;
}

function shortened(text: string, length: number): string {
  const line = text
    .slice(0, 10 * length)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
}
