import type { MailSender } from '../config/kinds.ts';

/** Mail programs of members use the domain of the sender too, so the domain alone does not tell who made a mail. */
const PREFIX = 'heddle.';

/** The Message-ID of a mail of this server. Equal tokens give equal ids. */
export function ownMessageId(token: string, from: MailSender): string {
  return `<${PREFIX}${token}@${hostOf(from)}>`;
}

export function isOwnMessageId(messageId: string, from: MailSender): boolean {
  const id = messageId.toLowerCase();
  return id.startsWith(`<${PREFIX}`) && id.endsWith(`@${hostOf(from).toLowerCase()}>`);
}

function hostOf({ address }: MailSender): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
