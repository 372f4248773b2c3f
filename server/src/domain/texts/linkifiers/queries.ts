import type { Directory } from '../../../directory/directory.ts';
import type { LinkifierRecord } from '../../../directory/records.ts';
import { Linkifiers, type TopicLink, topicLinks } from '../../../markup/index.ts';

/** The linkifiers in the order of matching. */
export function linkifiersOf({ organization }: Directory): readonly LinkifierRecord[] {
  return organization.linkifiers ?? NONE;
}

const NONE: readonly LinkifierRecord[] = [];

const ready = new WeakMap<readonly LinkifierRecord[], Linkifiers>();

/** The compiled linkifiers for rendering; undefined if there are none. */
export function markupLinkifiers({ organization: { linkifiers } }: Directory): Linkifiers | undefined {
  if (linkifiers === undefined || linkifiers.length === 0) return undefined;
  let compiled = ready.get(linkifiers);
  if (compiled === undefined) {
    compiled = new Linkifiers(linkifiers);
    ready.set(linkifiers, compiled);
  }
  return compiled;
}

/** The links in a topic name, with the current linkifiers. */
export function linksInTopic(directory: Directory, topic: string): readonly TopicLink[] {
  return topicLinks(topic, markupLinkifiers(directory));
}
