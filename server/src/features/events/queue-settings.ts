import type { Parameters } from '@heddle/api/contract.ts';
import type { registerQueue } from '@heddle/api/endpoints/events.ts';
import type { DirectoryPresenters } from '../../directory/presenters.ts';
import { readsOlderNames } from '../../domain/messages/reactions/present.ts';
import type { QueueSettings } from '../../log/queue.ts';
import { eventNarrow } from './narrow.ts';

/**
 * The settings of a queue, from the parameters of `POST /register`. Unknown event types are ignored.
 * @throws ApiError for a narrow that cannot be applied to events
 */
export function queueSettings(
  parameters: Parameters<typeof registerQueue>,
  client: string,
  presenters: Pick<DirectoryPresenters, 'has'>,
): QueueSettings {
  const capabilities = parameters.client_capabilities;
  const types = parameters.event_types?.filter((type) => presenters.has(type));
  return {
    eventTypes: types === undefined ? null : [...new Set(types)].sort(),
    narrow: eventNarrow(parameters.narrow),
    allPublicChannels: parameters.all_public_streams,
    applyMarkdown: parameters.apply_markdown,
    clientGravatar: parameters.client_gravatar ?? true,
    slimPresence: parameters.slim_presence,
    ...(parameters.presence_history_limit_days !== undefined && {
      presenceHistoryDays: parameters.presence_history_limit_days,
    }),
    includeSubscribers: parameters.include_subscribers === 'partial' ? 'partial' : `${parameters.include_subscribers}`,
    readsOlderNames: readsOlderNames(client),
    capabilities: {
      notificationSettingsNull: capabilities.notification_settings_null ?? false,
      bulkMessageDeletion: capabilities.bulk_message_deletion ?? false,
      userAvatarUrlFieldOptional: capabilities.user_avatar_url_field_optional ?? false,
      channelTypingNotifications: capabilities.stream_typing_notifications ?? false,
      userSettingsObject: capabilities.user_settings_object ?? false,
      linkifierUrlTemplate: capabilities.linkifier_url_template ?? false,
      userListIncomplete: capabilities.user_list_incomplete ?? false,
      includeDeactivatedGroups: capabilities.include_deactivated_groups ?? false,
      archivedChannels: capabilities.archived_channels ?? false,
      emptyTopicName: capabilities.empty_topic_name ?? false,
      simplifiedPresenceEvents: capabilities.simplified_presence_events ?? false,
      pinnedMessages: capabilities.pinned_messages ?? false,
      gifPicker: capabilities.gif_picker ?? false,
      webPush: capabilities.web_push ?? false,
      quietHours: capabilities.quiet_hours ?? false,
      briefUsers: capabilities.brief_users ?? false,
    },
  };
}
