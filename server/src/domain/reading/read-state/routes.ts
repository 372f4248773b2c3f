import { updateMessageFlags } from '@heddle/api/endpoints/messages.ts';
import * as endpoints from '@heddle/api/endpoints/reading.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { storedTopic } from '../../texts/shared/topic-names.ts';
import { anchorNamed, messageQueries } from '../history/queries.ts';
import { changeFlags } from './actions.ts';
import { markEverythingRead } from './everything.ts';
import { changeFlagsInNarrow, markPlaceRead } from './ranges.ts';
import { visibleReaders } from './receipts.ts';

export function readStateRoutes(app: AppContext): readonly HeddleRoute[] {
  const queries = messageQueries(app);
  return [
    route(updateMessageFlags, {}, async ({ parameters, organization, caller }) => {
      const changed = await changeFlags(organization, caller, {
        flag: parameters.flag,
        op: parameters.op,
        messageIds: parameters.messages,
        hidden: 'refuses',
      });
      return {
        messages: [...changed.messageIds],
        ignored_because_not_subscribed_channels: [...changed.ignoredChannels],
      };
    }),

    route(endpoints.updateMessageFlagsForNarrow, {}, async ({ parameters, organization, caller }) => {
      const { num_before: before, num_after: after, include_anchor: includeAnchor, narrow } = parameters;
      if (before > 0 && after > 0 && !includeAnchor) {
        throw badRequest('The anchor can only be excluded at an end of the range');
      }
      const range = { anchor: anchorNamed(parameters.anchor), before, after, includeAnchor, narrow: narrow ?? [] };
      const flagged = await changeFlagsInNarrow(organization, queries, caller, parameters, range);
      const { messageIds } = flagged;
      return {
        processed_count: messageIds.length,
        updated_count: flagged.updatedIds.length,
        first_processed_id: messageIds[0] ?? null,
        last_processed_id: messageIds.at(-1) ?? null,
        found_oldest: flagged.foundOldest,
        found_newest: flagged.foundNewest,
        ignored_because_not_subscribed_channels: [...flagged.ignoredChannels],
        ...(parameters.include_updated_ids && { updated_ids: [...flagged.updatedIds] }),
      };
    }),

    route(endpoints.getReadReceipts, {}, async ({ parameters, organization, caller }) => ({
      user_ids: [...(await visibleReaders(organization, caller, parameters.message_id))],
    })),

    route(endpoints.markAllAsRead, {}, async ({ organization, caller }) => ({
      complete: await markEverythingRead(organization, caller),
    })),

    route(endpoints.markChannelAsRead, {}, async ({ parameters, organization, caller }) => {
      await markPlaceRead(organization, queries, caller, { channelId: parameters.stream_id });
      return {};
    }),

    route(endpoints.markTopicAsRead, {}, async ({ parameters, organization, caller }) => {
      const place = { channelId: parameters.stream_id, topic: storedTopic(parameters.topic_name) };
      await markPlaceRead(organization, queries, caller, place);
      return {};
    }),
  ];
}
