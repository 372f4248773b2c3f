import { heartbeatEvent } from './heartbeat.ts';
import { messageEvent } from './message.ts';
import { realmEvent } from './realm.ts';
import { realmUserEvent } from './realm-user.ts';
import { savedSnippetsEvent } from './saved-snippets.ts';
import { defaultStreamsEvent, streamEvent } from './stream.ts';
import { subscriptionEvent } from './subscription.ts';
import { typingEvent } from './typing.ts';
import { updateMessageFlagsEvent } from './update-message-flags.ts';
import { userGroupEvent } from './user-group.ts';

/** Every event that a queue can carry, by its type. */
export const events = {
  default_streams: defaultStreamsEvent,
  heartbeat: heartbeatEvent,
  message: messageEvent,
  realm: realmEvent,
  realm_user: realmUserEvent,
  saved_snippets: savedSnippetsEvent,
  stream: streamEvent,
  subscription: subscriptionEvent,
  typing: typingEvent,
  update_message_flags: updateMessageFlagsEvent,
  user_group: userGroupEvent,
} as const;
