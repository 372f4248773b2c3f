import { messagePath } from '../../markup/index.ts';

/** Markup that links to a message of a channel. Names that would end the link's own markup are left to its address. */
export function messageLink(
  channel: { readonly id: number; readonly name: string },
  topic: string,
  messageId: number,
): string {
  if (/[`*>[\]\\&]|\$\$/.test(channel.name + topic)) {
    return `[message ${messageId}](${messagePath(channel, topic, String(messageId))})`;
  }
  return `#**${channel.name}>${topic}@${messageId}**`;
}
