import Type from 'typebox';

/**
 * The namespaces of `emoji_code`. The last two are the same namespace: clients whose program name starts with `Zulip` receive
 * `zulip_extra_emoji`, other clients `service_extra_emoji`. The server accepts both from all clients.
 */
export const reactionType = Type.Union([
  Type.Literal('unicode_emoji'),
  Type.Literal('realm_emoji'),
  Type.Literal('service_extra_emoji'),
  Type.Literal('zulip_extra_emoji'),
]);

/** The fields of a reaction in messages and in events (interface document, "Reaction"). */
export const reactionEmoji = {
  emoji_name: Type.String(),
  emoji_code: Type.String(),
  reaction_type: reactionType,
  user_id: Type.Integer(),
};

/** A reaction in a message. */
export const reaction = Type.Object(reactionEmoji);
