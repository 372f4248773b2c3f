import { BOT_TYPES } from '@heddle/client/model/permissions/permissions.ts';
import { type Message, msg, t } from '../../base/i18n.ts';

/** The types of bots that the server supports. */
export const BOT_TYPE_NAMES: readonly (readonly [type: number, name: Message, explanation: Message])[] = [
  [BOT_TYPES.generic, msg('Generic bot'), msg('It reads and writes like a member, through the API.')],
  [BOT_TYPES.incomingWebhook, msg('Incoming webhook'), msg('It can only send messages.')],
  [
    BOT_TYPES.outgoingWebhook,
    msg('Outgoing webhook'),
    msg('The server sends mentions of the bot and direct messages to a URL. The bot posts the response.'),
  ],
];

/** The formats in which a service receives messages. */
const SERVICE_FORMATS: readonly (readonly [format: number, name: string])[] = [
  [1, 'Zulip'],
  [2, 'Slack'],
];

export function botTypeName(type: number | null): string {
  const name = BOT_TYPE_NAMES.find(([one]) => one === type)?.[1];
  return name === undefined ? t('Bot') : t(name);
}

export function formatOptions() {
  return SERVICE_FORMATS.map(([format, name]) => ({ key: String(format), label: name }));
}

/** The part of an address that a bot of this name suggests: `Build Bot` becomes `build`. */
export function suggestedShortName(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .replace(/(?:-bot)?-*$/, '');
}

/** Whether the text can be the address of a service. */
export function isServiceUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
