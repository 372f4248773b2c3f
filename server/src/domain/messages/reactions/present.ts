import type { reaction, reactionType } from '@heddle/api/objects/reaction.ts';
import type { Static } from 'typebox';
import type { Emoji, EmojiKind } from './emoji.ts';
import type { Reaction } from './queries.ts';

/**
 * Programs whose name starts like this use the older name of the namespace. Some fail on an unknown value (interface
 * README, "service_extra_emoji").
 */
export function readsOlderNames(client: string): boolean {
  return client.startsWith('Zulip');
}

/** A reaction in the form of messages (interface document, "Reaction"). */
export function presentReaction({ emoji, user }: Reaction, olderNames: boolean): Static<typeof reaction> {
  return { ...presentEmoji(emoji, olderNames), user_id: user.id };
}

export function presentEmoji({ kind, code, name }: Emoji, olderNames: boolean) {
  return { emoji_name: name, emoji_code: code, reaction_type: reactionTypeOf(kind, olderNames) };
}

function reactionTypeOf(kind: EmojiKind, olderNames: boolean): Static<typeof reactionType> {
  switch (kind) {
    case 'unicode':
      return 'unicode_emoji';
    case 'custom':
      return 'realm_emoji';
    case 'extra':
      return olderNames ? 'zulip_extra_emoji' : 'service_extra_emoji';
  }
}
