/**
 * Tokens of temporary addresses. They open a file without credentials: the server signs one for a user who can open the
 * file.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds for which a token is valid. */
const ADDRESS_LIFETIME_SECONDS = 60;

export interface TemporaryAccess {
  readonly organizationId: number;
  readonly attachmentId: number;
}

/** @param now milliseconds since the epoch */
export function temporaryToken(secret: Buffer, { organizationId, attachmentId }: TemporaryAccess, now: number): string {
  const until = Math.floor(now / 1000) + ADDRESS_LIFETIME_SECONDS;
  const text = `${organizationId}.${attachmentId}.${until}`;
  return `${text}.${signature(secret, text)}`;
}

/** What the token opens; undefined if it is invalid or expired. */
export function accessBy(secret: Buffer, token: string, now: number): TemporaryAccess | undefined {
  const [, text, organizationId, attachmentId, until, signed] =
    /^((\d+)\.(\d+)\.(\d+))\.([\w-]{43})$/.exec(token) ?? [];
  if (text === undefined || signed === undefined) return undefined;
  const ours = Buffer.from(signature(secret, text));
  if (!timingSafeEqual(ours, Buffer.from(signed)) || Number(until) * 1000 < now) return undefined;
  return { organizationId: Number(organizationId), attachmentId: Number(attachmentId) };
}

function signature(secret: Buffer, text: string): string {
  return createHmac('sha256', secret).update(`heddle: temporary address of a file\n${text}`).digest('base64url');
}
