import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { hashOfNarrow } from '@heddle/client/model/messages/narrow-hash.ts';
import { topicPlace } from '@heddle/client/model/messages/places.ts';

type Named = Pick<ChannelRecord, 'id' | 'name'>;

/** Characters that would end `#**…**` or change what it means. */
const SPECIAL = /[`>*&[\]]|\$\$/;

/** Whether `#**name**` is a link to what has this name. */
export function isPlainName(name: string): boolean {
  return !SPECIAL.test(name);
}

/** The Markdown of a link to a channel. */
export function channelMarkdown({ id, name }: Named): string {
  if (isPlainName(name)) return `#**${name}**`;
  return link(`#${name}`, hashOfNarrow([{ operator: 'channel', operand: id }], namesOf({ id, name })));
}

/** The Markdown of a link to a topic. */
export function topicMarkdown(channel: Named, topic: string): string {
  if (isPlainName(channel.name) && isPlainName(topic)) return `#**${channel.name}>${topic}**`;
  // The own id matters in direct messages only.
  const narrow = narrowOfPlace(topicPlace(channel.id, topic), 0);
  return link(`#${channel.name} > ${topic}`, hashOfNarrow(narrow, namesOf(channel)));
}

function namesOf({ name }: Named) {
  return { channelName: () => name, userName: () => undefined };
}

function link(label: string, hash: string): string {
  return `[${label.replaceAll(/[`>*&[\]$]/g, (character) => `&#${character.charCodeAt(0)};`)}](${hash})`;
}
