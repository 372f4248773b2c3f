/** Mattermost's Markdown with the mentions of Heddle. */
import { replaceProse } from '@heddle/server/markup/index.ts';
import type { References } from '../conversion/neutral.ts';

const WILDCARDS = new Set(['all', 'channel', 'here']);

/** @param channelKey the key of the channel with this name in its address */
export function markdownOf(
  text: string,
  references: References,
  channelKey: (name: string) => string | undefined,
): string {
  return replaceProse(text, (prose) => withMentions(prose, references, channelKey));
}

function withMentions(text: string, references: References, channelKey: (name: string) => string | undefined): string {
  return text
    .replaceAll(/(^|[^\w@/.])@([a-z0-9][a-z0-9._-]{0,63})/gi, (whole, before: string, name: string) => {
      if (WILDCARDS.has(name.toLowerCase())) return `${before}@**all**`;
      const plain = name.replace(/[._-]+$/, '');
      const mention = references.mentionByName(name);
      if (mention !== undefined) return before + mention;
      const shorter = references.mentionByName(plain);
      return shorter === undefined ? whole : before + shorter + name.slice(plain.length);
    })
    .replaceAll(/(^|[\s(])~([a-z0-9][a-z0-9_-]{0,63})/g, (whole, before: string, name: string) => {
      const key = channelKey(name);
      const link = key === undefined ? undefined : references.channel(key);
      return link === undefined ? whole : before + link;
    });
}
