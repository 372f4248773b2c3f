/** Links to meetings. The server signs them: a changed link does not open other meetings of the same BigBlueButton server. */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { badRequest } from '@heddle/api/errors.ts';

export interface Meeting {
  readonly organizationId: number;
  /** The id at the BigBlueButton server. */
  readonly id: string;
  readonly name: string;
  readonly isVoiceOnly: boolean;
  /** The user who asked for the meeting. */
  readonly moderatorId: number;
}

/** An id that is hard to guess, in the form that the reference uses. */
export function newMeetingId(): string {
  return `zulip-${randomInt(100_000_000_000, 281_474_976_710_655)}`;
}

export function signedMeeting(secret: Buffer, meeting: Meeting): string {
  const { organizationId, id, name, isVoiceOnly, moderatorId } = meeting;
  const text = Buffer.from(JSON.stringify([organizationId, id, name, isVoiceOnly, moderatorId])).toString('base64url');
  return `${text}.${signatureOf(secret, text).toString('base64url')}`;
}

/** @throws ApiError `BAD_REQUEST`: this server has not signed it for this organization */
export function meetingOf(secret: Buffer, organizationId: number, signed: string): Meeting {
  const [text = '', signature = ''] = signed.split('.');
  const expected = signatureOf(secret, text);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw badRequest('Invalid signature.');
  // We have signed it, so it has our format.
  const [organization, id, name, isVoiceOnly, moderatorId] = JSON.parse(
    Buffer.from(text, 'base64url').toString(),
  ) as readonly [number, string, string, boolean, number];
  if (organization !== organizationId) throw badRequest('Invalid signature.');
  return { organizationId, id, name, isVoiceOnly, moderatorId };
}

function signatureOf(secret: Buffer, text: string): Buffer {
  return createHmac('sha256', secret).update(`heddle: link to a BigBlueButton meeting\n${text}`).digest();
}
