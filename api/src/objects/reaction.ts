import Type from 'typebox';

/**
 * The namespaces of `emoji_code`. The last two are one: clients whose program's name begins with `Zulip` read `zulip_extra_emoji`, others
 * `service_extra_emoji`; both are taken from everybody.
 */
export const reactionType = Type.Union([
  Type.Literal('unicode_emoji'),
  Type.Literal('realm_emoji'),
  Type.Literal('service_extra_emoji'),
  Type.Literal('zulip_extra_emoji'),
]);

/** What a reaction is in messages and in events (interface document, "Reaction"). */
export const reactionEmoji = {
  emoji_name: Type.String(),
  emoji_code: Type.String(),
  reaction_type: reactionType,
  user_id: Type.Integer(),
};

/** A reaction as a message has it. */
export const reaction = Type.Object({
  ...reactionEmoji,
  user: Type.Object({ id: Type.Integer(), email: Type.String(), full_name: Type.String() }, { deprecated: true }),
});
