import type { Subscribable } from '@heddle/client/model/changes.ts';
import { merged } from '@heddle/client/model/merged.ts';
import type { Model } from '@heddle/client/model/model.ts';

/** What the HTML of a message names, so that it can show the current names. */
export interface References {
  readonly userIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly channelIds: readonly number[];
}

/** Of messages that name nothing. */
export const NO_REFERENCES: References = { userIds: [], groupIds: [], channelIds: [] };

export function referencesOf(html: string): References {
  if (!/ data-(?:user|stream)|class="(?:message-link|topic-mention)/.test(html)) return NO_REFERENCES;
  const ids = (pattern: RegExp) => [
    ...new Set(Array.from(html.matchAll(pattern), (match) => Number(match[1] ?? match[2]))),
  ];
  return {
    userIds: ids(/ data-user-id="(\d{1,10})"/g),
    groupIds: ids(/ data-user-group-id="(\d{1,10})"/g),
    channelIds: ids(/ data-stream-id="(\d{1,10})"| href="[^"#]*#narrow\/(?:channel|stream)\/(\d{1,10})/g),
  };
}

/** What to subscribe to. */
export function changesOfReference(model: Model, { userIds, groupIds, channelIds }: References): Subscribable {
  return merged(
    ...userIds.map((id) => model.users.changesOf.of(id)),
    ...groupIds.map((id) => model.groups.changesOf.of(id)),
    ...channelIds.map((id) => model.channels.changesOf.of(id)),
  );
}
