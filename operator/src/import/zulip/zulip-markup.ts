/** Texts of the reference server: the same Markdown, with the ids and addresses of this organization. */
import { replaceProse } from '@heddle/server/markup/index.ts';
import type { Ids, References } from '../conversion/neutral.ts';
import { addressOf, replaceLinks } from './zulip-links.ts';

export interface ZulipNames {
  /** The key of the group with this name. */
  readonly groupKey: (name: string) => string | undefined;
  /** Whether links to this host lead to the organization of the archive. */
  readonly isOwnHost: (host: string) => boolean;
}

export function markdownOf(text: string, references: References & Ids, names: ZulipNames): string {
  return replaceProse(text, (prose) => linksOf(mentionsOf(prose, references, names), references, names));
}

function mentionsOf(text: string, references: References & Ids, { groupKey }: ZulipNames): string {
  return text
    .replaceAll(/@(_?)\*\*([^*|\n]+)\|(\d+)\*\*/g, (whole, silent: string, _name: string, id: string) => {
      return references.mention(id, silent === '_') ?? whole;
    })
    .replaceAll(/@(_?)\*([^*\n]{1,200})\*(?!\*)/g, (whole, silent: string, name: string) => {
      const key = groupKey(name);
      return (key && references.groupMention(key, silent === '_')) ?? whole;
    })
    .replaceAll(/(#\*\*[^*>\n]+>[^*\n]{0,200})@(\d{1,15})\*\*/g, (_, conversation: string, id: string) => {
      const found = references.messageId(id);
      return found === undefined ? `${conversation}**` : `${conversation}@${found}**`;
    });
}

/** Links of other servers stay. A link without Markdown becomes one, because an address without its host is no link. */
function linksOf(text: string, references: References & Ids, { isOwnHost }: ZulipNames): string {
  return replaceLinks(text, ({ host, target }, isDestination) => {
    if (host !== undefined && !isOwnHost(host)) return undefined;
    const address = addressOf(target, references);
    if (address === undefined || isDestination || host === undefined) return address;
    return `[${target.startsWith('#') ? address : address.slice(address.lastIndexOf('/') + 1)}](${address})`;
  });
}
