/** Names of archives that the API would refuse, as near as possible to what they were. */
import { MAX_CHANNEL_NAME_LENGTH } from '@heddle/api/objects/channel.ts';
import { MAX_FOLDER_NAME_LENGTH } from '@heddle/api/objects/channel-folder.ts';
import { MAX_ORGANIZATION_DESCRIPTION_LENGTH, MAX_ORGANIZATION_NAME_LENGTH } from '@heddle/api/objects/realm.ts';
import { checkedChannelName } from '@heddle/server/domain/channels/names.ts';
import { checkedOrganizationName } from '@heddle/server/domain/organizations/organizations/names.ts';
import { cutTopic } from '@heddle/server/domain/texts/shared/topic-names.ts';
import { checkedGroupText } from '@heddle/server/domain/user-groups/names.ts';
import { checkedEmail, checkedFullName } from '@heddle/server/domain/users/users/names.ts';
import { checkedFolderName } from '@heddle/server/features/channel-folders/names.ts';

const MAX_NAME_LENGTH = 100;
/** Characters that stay free for a number, which makes names different. */
const ROOM_LENGTH = 10;

/** What a validator of the API returns; undefined if it refuses the value. */
export function accepted<Value>(check: () => Value): Value | undefined {
  try {
    return check();
  } catch {
    return undefined;
  }
}

export function mendedOrganizationName(name: string): string {
  const cut = firstOf(name.replaceAll(/\p{C}/gu, ''), MAX_ORGANIZATION_NAME_LENGTH).trim();
  return accepted(() => checkedOrganizationName(name)) ?? accepted(() => checkedOrganizationName(cut)) ?? 'Imported';
}

export function mendedOrganizationDescription(description: string): string {
  return firstOf(description.replaceAll('\0', ''), MAX_ORGANIZATION_DESCRIPTION_LENGTH);
}

/** @param fallback the name if nothing of it is valid */
export function mendedFullName(name: string, fallback: string): string {
  const valid = accepted(() => checkedFullName(name));
  if (valid !== undefined) return valid;
  const cleaned = name
    .replaceAll(/[*`\\>"@|]|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return accepted(() => checkedFullName(firstOf(cleaned, MAX_NAME_LENGTH).trim())) ?? fallback;
}

export function mendedChannelName(name: string, fallback: string): string {
  return mended(name, fallback, { check: checkedChannelName, length: MAX_CHANNEL_NAME_LENGTH });
}

export function mendedFolderName(name: string, fallback: string): string {
  return mended(name, fallback, { check: checkedFolderName, length: MAX_FOLDER_NAME_LENGTH });
}

/** Prefixes of the names of system groups. */
const RESERVED = /^(?:\s|@|(?:role|user|stream|channel):)+/; // wire name: the API reserves it

export function mendedGroupName(name: string, fallback: string): string {
  return mended(name.replace(RESERVED, ''), fallback, { check: checkedGroupText, length: MAX_NAME_LENGTH });
}

function mended(
  name: string,
  fallback: string,
  { check, length }: { readonly check: (name: string) => string; readonly length: number },
): string {
  const valid = accepted(() => check(name));
  if (valid !== undefined) return valid;
  const cleaned = name.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}]/gu, ' ').trim();
  return accepted(() => check(firstOf(cleaned, length - ROOM_LENGTH))) ?? fallback;
}

function firstOf(text: string, characters: number): string {
  return [...text].slice(0, characters).join('');
}

/** A topic that is valid here. */
export function mendedTopic(topic: string): string {
  return cutTopic(topic.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}]/gu, ' ').trim());
}

/** An address that no mail reaches, in place of one that is not valid. */
export function mendedEmail(email: string, id: unknown): string {
  return accepted(() => checkedEmail(email)) ?? `imported-${String(id)}@users.invalid`;
}
