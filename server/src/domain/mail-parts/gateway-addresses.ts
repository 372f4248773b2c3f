/**
 * Addresses at which the server receives mail. They are signed: whoever knows one may write with it, and nobody can make
 * one up. Nothing is stored. Letters are lower case, because mail servers may change the case.
 */
import { timingSafeEqual } from 'node:crypto';
import { type Config, gatewayDomain } from '../../config.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { linkKey } from '../shared/link-keys.ts';

/** An address for replies to a message, for one user. */
export interface ReplyTarget {
  readonly kind: 'reply';
  readonly organizationId: number;
  readonly userId: number;
  readonly messageId: number;
}

/** An address of a channel. */
export interface ChannelTarget {
  readonly kind: 'channel';
  readonly organizationId: number;
  readonly channelId: number;
  /** Requested the address. The address works while this user may write in the channel. */
  readonly creatorId: number;
  /** The creator, or a bot. */
  readonly senderId: number;
}

export type GatewayTarget = ReplyTarget | ChannelTarget;

interface GatewayContext {
  readonly config: Config;
  readonly secret: Buffer;
}

/** 120 bits. The part of an address before the `@` has at most 64 characters. */
const SIGNATURE_LENGTH = 24;
/** Of the readable beginning of a channel's address. */
const MAX_SLUG_LENGTH = 10;

/** Undefined if the server receives no mail. */
export function replyAddress(
  app: GatewayContext,
  { organization }: Directory,
  userId: number,
  messageId: number,
): string | undefined {
  if (app.config.mailGateway === null) return undefined;
  return addressOf(app, `reply.${organization.id}.${userId}.${messageId}`);
}

export function channelAddress(
  app: GatewayContext,
  { organization }: Directory,
  { id, name }: Pick<ChannelRecord, 'id' | 'name'>,
  creatorId: number,
  senderId: number,
): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-|-$/g, '');
  const sender = senderId === creatorId ? '' : `.${senderId}`;
  const address = addressOf(app, `channel.${organization.id}.${id}.${creatorId}${sender}`);
  return slug === '' ? address : `${slug}_${address}`;
}

/** Undefined if the server has not made the address. */
export function targetOf(app: GatewayContext, address: string): GatewayTarget | undefined {
  const at = address.lastIndexOf('@');
  if (address.slice(at + 1).toLowerCase() !== gatewayDomain(app.config)) return undefined;
  const local = address.slice(0, at).toLowerCase();
  const [, name = '', signature = ''] = /^(?:[a-z\d-]*_)?([a-z]+(?:\.\d{1,15}){3,4})\.([a-z2-7]+)$/.exec(local) ?? [];
  if (!isSigned(app.secret, name, signature)) return undefined;
  const [kind, ...parts] = name.split('.');
  const [organizationId = 0, second = 0, third = 0, fourth = third] = parts.map(Number);
  return kind === 'reply'
    ? { kind, organizationId, userId: second, messageId: third }
    : { kind: 'channel', organizationId, channelId: second, creatorId: third, senderId: fourth };
}

function addressOf({ config, secret }: GatewayContext, name: string): string {
  return `${name}.${signatureOf(secret, name)}@${gatewayDomain(config)}`;
}

function signatureOf(secret: Buffer, name: string): string {
  return linkKey(secret, 'address of the mail gateway', Buffer.from(name)).slice(0, SIGNATURE_LENGTH);
}

function isSigned(secret: Buffer, name: string, signature: string): boolean {
  const [expected, given] = [Buffer.from(signatureOf(secret, name)), Buffer.from(signature)];
  return name !== '' && expected.length === given.length && timingSafeEqual(expected, given);
}
