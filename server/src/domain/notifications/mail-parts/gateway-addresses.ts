/**
 * Addresses at which the server receives mail. They are signed: whoever knows one may write with it, and nobody can make
 * one up. Nothing is stored. Letters are lower case, because mail servers may change the case.
 */
import { timingSafeEqual } from 'node:crypto';
import { type Config, gatewayDomain } from '../../../config.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../../../directory/records.ts';
import { linkKey } from '../../texts/shared/link-keys.ts';

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
  /** The end of the address, which changes with the API key of the creator. */
  readonly stamp: string;
}

export type GatewayTarget = ReplyTarget | ChannelTarget;

/** The key of the account for which a mail counts: the user who replies, or who got the address of the channel. */
export function accountOf(target: GatewayTarget): string {
  return `${target.organizationId} ${target.kind === 'reply' ? target.userId : target.creatorId}`;
}

interface GatewayContext {
  readonly config: Config;
  readonly secret: Buffer;
}

/** 120 bits. The part of an address before the `@` has at most 64 characters. */
const SIGNATURE_LENGTH = 24;
/** The end of the signature of a channel's address depends on the API key of its creator: 50 bits. */
const STAMP_LENGTH = 10;
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

/** A new API key of the creator ends the address. */
export function channelAddress(
  app: GatewayContext,
  { organization }: Directory,
  { id, name }: Pick<ChannelRecord, 'id' | 'name'>,
  creator: Pick<UserRecord, 'id' | 'apiKeyVersion'>,
  senderId: number,
): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-|-$/g, '');
  const sender = senderId === creator.id ? '' : `.${senderId}`;
  const unsigned = `channel.${organization.id}.${id}.${creator.id}${sender}`;
  const address = addressOf(app, unsigned, stampOf(app.secret, unsigned, creator.apiKeyVersion));
  return slug === '' ? address : `${slug}_${address}`;
}

/** Whether the creator has still the API key with which the address was made. */
export function isCurrent(
  { secret }: GatewayContext,
  { organizationId, channelId, creatorId, senderId, stamp }: ChannelTarget,
  apiKeyVersion: number,
): boolean {
  const sender = senderId === creatorId ? '' : `.${senderId}`;
  const unsigned = `channel.${organizationId}.${channelId}.${creatorId}${sender}`;
  return isEqual(stampOf(secret, unsigned, apiKeyVersion), stamp);
}

/** Undefined if the server has not made the address. An address of a channel may be out of date: see `isCurrent`. */
export function targetOf(app: GatewayContext, address: string): GatewayTarget | undefined {
  const at = address.lastIndexOf('@');
  if (address.slice(at + 1).toLowerCase() !== gatewayDomain(app.config)) return undefined;
  const local = address.slice(0, at).toLowerCase();
  const [, name = '', signature = ''] = /^(?:[a-z\d-]*_)?([a-z]+(?:\.\d{1,15}){3,4})\.([a-z2-7]+)$/.exec(local) ?? [];
  if (name === '' || signature.length !== SIGNATURE_LENGTH) return undefined;
  const [kind, ...parts] = name.split('.');
  const [organizationId = 0, second = 0, third = 0, fourth = third] = parts.map(Number);
  const expected = signatureOf(app.secret, name);
  if (kind === 'reply') {
    return isEqual(expected, signature) ? { kind, organizationId, userId: second, messageId: third } : undefined;
  }
  const [fixed, stamp] = [signature.slice(0, -STAMP_LENGTH), signature.slice(-STAMP_LENGTH)];
  if (!isEqual(expected.slice(0, -STAMP_LENGTH), fixed)) return undefined;
  return { kind: 'channel', organizationId, channelId: second, creatorId: third, senderId: fourth, stamp };
}

function addressOf({ config, secret }: GatewayContext, name: string, stamp = ''): string {
  const signature = signatureOf(secret, name);
  return `${name}.${signature.slice(0, SIGNATURE_LENGTH - stamp.length)}${stamp}@${gatewayDomain(config)}`;
}

function signatureOf(secret: Buffer, name: string): string {
  return linkKey(secret, 'address of the mail gateway', Buffer.from(name)).slice(0, SIGNATURE_LENGTH);
}

function stampOf(secret: Buffer, name: string, apiKeyVersion: number): string {
  return signatureOf(secret, `${name} ${apiKeyVersion}`).slice(0, STAMP_LENGTH);
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
