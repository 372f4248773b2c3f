import { safeLinkUrl } from './link-urls.ts';
import { LinkifierBudget, type LinkifierMatch, type Linkifiers } from './linkifiers.ts';
import { addressesIn } from './parser.ts';

/** A link in the name of a topic. */
export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

/** A cheap test for text that may contain a web address. */
const MAYBE_ADDRESS = /[^\s.]\.[^\s.]|:\/\//;

/** The links in a topic's name, in their order. Where they overlap, linkifiers win over web addresses (interface document, "Message"). */
export function topicLinks(topic: string, linkifiers: Linkifiers | undefined): readonly TopicLink[] {
  if (linkifiers === undefined) return MAYBE_ADDRESS.test(topic) ? linksIn(topic, []) : NONE;
  let known = remembered.get(linkifiers);
  if (known === undefined || known.size >= MAX_REMEMBERED_TOPICS) {
    known = new Map();
    remembered.set(linkifiers, known);
  }
  let links = known.get(topic);
  if (links === undefined) {
    links = linksIn(topic, linkifiers.find(topic, true, new LinkifierBudget()));
    known.set(topic, links);
  }
  return links;
}

/** Topics, for each organization's linkifiers. A page of messages has few. */
const MAX_REMEMBERED_TOPICS = 1000;
const remembered = new WeakMap<Linkifiers, Map<string, readonly TopicLink[]>>();

function linksIn(topic: string, matches: readonly LinkifierMatch[]): readonly TopicLink[] {
  const found = [...matches];
  for (const { index, text, url } of MAYBE_ADDRESS.test(topic) ? addressesIn(topic) : []) {
    const href = safeLinkUrl(url);
    const isFree = !found.some((other) => other.index < index + text.length && index < other.index + other.text.length);
    if (href !== undefined && isFree) found.push({ index, text, href });
  }
  return found.sort((a, b) => a.index - b.index).map(({ text, href }) => ({ text, url: href }));
}

const NONE: readonly TopicLink[] = [];
