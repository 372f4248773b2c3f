/** The emoji of reactions: three namespaces, the codes in each, and the present names. */

import { badRequest } from '@heddle/api/errors.ts';
import type { Directory } from '../../../directory/directory.ts';
import { emojiByCode, emojiByName } from '../../../markup/index.ts';
import { emojiPart } from '../../texts/emoji/custom-emoji.ts';

/** Unicode, the organization's own, or the one that is built into clients. */
export type EmojiKind = 'unicode' | 'custom' | 'extra';

export interface Emoji {
  readonly kind: EmojiKind;
  /** Code points, the custom emoji's id, or the extra emoji's name. */
  readonly code: string;
  readonly name: string;
}

/** An emoji as a request names it, possibly incomplete. */
export interface AskedEmoji {
  readonly name: string | undefined;
  readonly code: string | undefined;
  readonly kind: EmojiKind | undefined;
}

/** The only emoji of its namespace; its name and its code. */
const EXTRA = 'zulip';

const KINDS: ReadonlyMap<string, EmojiKind> = new Map([
  ['unicode_emoji', 'unicode'],
  ['realm_emoji', 'custom'],
  ['service_extra_emoji', 'extra'],
  ['zulip_extra_emoji', 'extra'],
]);

/**
 * The namespace that `reaction_type` names.
 * @throws ApiError `BAD_REQUEST`
 */
export function emojiKind(reactionType: string | undefined): EmojiKind | undefined {
  if (reactionType === undefined) return undefined;
  const kind = KINDS.get(reactionType);
  if (kind === undefined) throw badRequest('Invalid emoji type.');
  return kind;
}

/**
 * Returns the namespace and code of a request. Missing parts follow from the present meaning of the name. This does not
 * check that the emoji exists.
 * @throws ApiError `BAD_REQUEST`: no emoji has this name, or the request names none
 */
export function meantEmoji(directory: Directory, { name, code, kind }: AskedEmoji): Pick<Emoji, 'kind' | 'code'> {
  if (code !== undefined && kind !== undefined) return { kind, code };
  if (name === undefined) {
    if (code !== undefined) return { kind: 'unicode', code };
    throw badRequest('At least one of the following arguments must be present: emoji_name, emoji_code');
  }
  const named = namedEmoji(directory, name);
  return { kind: kind ?? named.kind, code: code ?? named.code };
}

/** The organization's own emoji have priority. */
function namedEmoji(directory: Directory, name: string): Pick<Emoji, 'kind' | 'code'> {
  const custom = directory.part(emojiPart).byName(name);
  if (custom !== undefined) return { kind: 'custom', code: String(custom.id) };
  if (name === EXTRA) return { kind: 'extra', code: EXTRA };
  const unicode = emojiByName(name);
  if (unicode !== undefined) return { kind: 'unicode', code: unicode.code };
  throw badRequest(`Emoji '${name}' does not exist`);
}

/**
 * Checks an emoji that is new on the message: it must exist, be active and have this name.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkEmoji(directory: Directory, { kind, code, name }: Emoji): void {
  switch (kind) {
    case 'custom': {
      const custom = /^[1-9]\d{0,15}$/.test(code) ? directory.part(emojiPart).all.get(Number(code)) : undefined;
      if (custom === undefined) throw badRequest('Invalid custom emoji.');
      if (custom.name !== name) throw badRequest('Invalid custom emoji name.');
      if (custom.isDeactivated) throw badRequest('This custom emoji has been deactivated.');
      return;
    }
    case 'extra':
      if (code !== EXTRA) throw badRequest('Invalid emoji code.');
      if (name !== EXTRA) throw badRequest('Invalid emoji name.');
      return;
    case 'unicode':
      if (emojiByCode(code) === undefined) throw badRequest('Invalid emoji code.');
      if (emojiByName(name)?.code !== code) throw badRequest('Invalid emoji name.');
      return;
  }
}
