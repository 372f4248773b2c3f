import { addReaction, removeReaction } from '@heddle/api/endpoints/reactions.ts';
import { type HeddleRoute, route } from '../../../extension/app-context.ts';
import { changeReaction, type ReactionRequest } from './actions.ts';
import { emojiKind } from './emoji.ts';

interface Parameters {
  readonly message_id: number;
  readonly emoji_name: string | undefined;
  readonly emoji_code: string | undefined;
  readonly reaction_type: string | undefined;
}

export function reactionRoutes(): readonly HeddleRoute[] {
  return [
    route(addReaction, {}, async ({ parameters, organization, caller }) => {
      await changeReaction(organization, caller, requestOf('add', parameters));
      return {};
    }),

    route(removeReaction, {}, async ({ parameters, organization, caller }) => {
      await changeReaction(organization, caller, requestOf('remove', parameters));
      return {};
    }),
  ];
}

function requestOf(op: ReactionRequest['op'], parameters: Parameters): ReactionRequest {
  const { message_id: messageId, emoji_name: name, emoji_code: code, reaction_type } = parameters;
  return { op, messageId, emoji: { name, code, kind: emojiKind(reaction_type) } };
}
