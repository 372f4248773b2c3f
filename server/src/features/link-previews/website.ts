/** What a page says about itself: Open Graph (https://ogp.me), or its title and description. */
import { Parser } from 'htmlparser2';
import { withoutTurns } from '../../http/bodies/directions.ts';
import { turn } from '../../http/limits/turns.ts';

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

/** Characters that are parsed in one turn. */
const PIECE_LENGTH = 16 * 1024;
/** Of a head. The time of the parser grows with the square of the number of open tags. */
const MAX_TAGS = 3000;

/**
 * Reads the head of a page, in turns of a few milliseconds.
 * @param url the address of the page; that of its image can be relative
 */
export async function websiteOf(html: string, url: URL): Promise<Website | undefined> {
  const facts = new Map<string, string>();
  let title = '';
  let isInTitle = false;
  let isOver = false;
  let tags = 0;
  const parser = new Parser({
    onopentag(name, { property, name: metaName, content = '' }) {
      tags += 1;
      isOver ||= name === 'body' || tags > MAX_TAGS;
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
  for (let at = 0; at < html.length && !isOver; at += PIECE_LENGTH) {
    await turn();
    parser.write(html.slice(at, at + PIECE_LENGTH));
  }
  if (!isOver) parser.end();
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
  const line = withoutTurns(text.slice(0, 10 * length).toWellFormed())
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
}
