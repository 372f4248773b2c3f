import { messagePath } from '../../../markup/index.ts';

/**
 * Markup for a link to a channel message. If a name contains characters that would end this markup, the link uses the
 * address.
 */
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
