import { randomBytes } from 'node:crypto';
import { badRequest, resourceNotFound } from '@heddle/api/errors.ts';
import { accountOf } from '../../../access/bots.ts';
import { hasPermission } from '../../../access/organization-settings.ts';
import { checkShare } from '../../../access/shares.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import { emojiByName } from '../../../markup/index.ts';
import { type EmojiRecord, emojiDelta, emojiPart, emojiRecord } from './custom-emoji.ts';
import type { EmojiBody } from './events.ts';
import { checkedEmojiName } from './names.ts';
import type { EmojiPictures } from './pictures.ts';

/**
 * The most emoji in an organization. It includes deactivated ones, which messages may keep forever: clients get all of
 * them.
 */
const MAX_CUSTOM_EMOJI = 5000;

/**
 * Checks that the user may add an emoji with this name. Returns the stored name (public reference: "Upload custom
 * emoji").
 * @throws ApiError `BAD_REQUEST`
 */
export function checkNewEmoji(directory: Directory, user: UserRecord, given: string): string {
  if (user.role >= Role.guest) throw badRequest('Not allowed for guest users');
  const name = checkedEmojiName(given);
  if (!hasPermission(directory, user, 'can_add_custom_emoji_group')) throw badRequest('Insufficient permission');
  if (directory.part(emojiPart).byName(name) !== undefined)
    throw badRequest('A custom emoji with this name already exists.');
  if (emojiByName(name) !== undefined && user.role > Role.administrator) {
    throw badRequest('Only administrators can override default emoji.');
  }
  checkRoom(directory, user);
  return name;
}

/** A user and their bots have one share. */
function checkRoom(directory: Directory, user: UserRecord): void {
  const account = accountOf(user);
  const { all } = directory.part(emojiPart);
  let own = 0;
  for (const { authorId } of all.values()) {
    const author = directory.user(authorId);
    if (author !== undefined && accountOf(author) === account) own += 1;
  }
  const holder = directory.user(account) ?? user;
  checkShare(holder, { what: 'custom emoji', bound: MAX_CUSTOM_EMOJI, all: all.size, own });
}

/**
 * Adds a custom emoji and announces it to everyone.
 * @throws ApiError `BAD_REQUEST`: the user lacks the permission, or the name is invalid or taken
 */
export async function addEmoji(
  change: Change,
  author: UserRecord,
  { name: given, pictures }: { readonly name: string; readonly pictures: EmojiPictures },
): Promise<EmojiRecord> {
  const { db, directory } = change;
  const name = checkNewEmoji(directory, author, given);
  const organizationId = directory.organization.id;
  const row = await db
    .insertInto('custom_emoji')
    .values({
      organization_id: organizationId,
      name,
      author_id: author.id,
      file: randomBytes(16).toString('hex'),
      extension: pictures.extension,
      is_animated: pictures.still !== null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { picture, still } = pictures;
  await db
    .insertInto('custom_emoji_pictures')
    .values({ organization_id: organizationId, emoji_id: row.id, picture, still })
    .execute();
  const emoji = emojiRecord(row);
  announce(change, emoji);
  return emoji;
}

/**
 * Deactivates an emoji. Messages and reactions keep it. Its author and administrators may do this.
 * @throws ApiError `RESOURCE_NOT_FOUND`; `BAD_REQUEST`
 */
export async function deactivateEmoji(change: Change, user: UserRecord, name: string): Promise<void> {
  const { db, directory } = change;
  const emoji = directory.part(emojiPart).byName(name);
  if (emoji === undefined) throw resourceNotFound(`Emoji '${name}' does not exist`);
  if (user.role > Role.administrator && emoji.authorId !== user.id) {
    throw badRequest('Must be an organization administrator or emoji author');
  }
  await db
    .updateTable('custom_emoji')
    .set({ is_deactivated: true })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', emoji.id)
    .execute();
  announce(change, { ...emoji, isDeactivated: true });
}

function announce({ directory, append }: Change, changed: EmojiRecord): void {
  const others = [...directory.part(emojiPart).all.values()].filter(({ id }) => id !== changed.id);
  const all = [...others, changed].sort((a, b) => a.id - b.id);
  const idsOf = (isDeactivated: boolean) =>
    all.filter((emoji) => emoji.isDeactivated === isDeactivated).map(({ id }) => id);
  const body: EmojiBody = { active: idsOf(false), deactivated: idsOf(true) };
  append({ type: 'realm_emoji', audience: { to: 'everyone' }, body, deltas: [emojiDelta(changed)] });
}
