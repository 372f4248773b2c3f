import { getMessageHistory, updateMessage } from '@heddle/api/endpoints/editing.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { serializedList } from '../../../http/answers/serialized-list.ts';
import { presentAttachment } from '../../uploads/present.ts';
import { editMessage } from './actions.ts';
import { presentSnapshot } from './present.ts';
import { messageHistory, type Snapshot } from './queries.ts';

export function editingRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(updateMessage, {}, async ({ parameters, organization, caller }) => {
      const detached = await editMessage(app, organization, caller, {
        messageId: parameters.message_id,
        content: parameters.content,
        previousHash: parameters.prev_content_sha256,
        topic: parameters.topic,
        channelId: parameters.stream_id,
        propagation: parameters.propagate_mode,
        noticeInOldThread: parameters.send_notification_to_old_thread,
        noticeInNewThread: parameters.send_notification_to_new_thread,
      });
      return { detached_uploads: detached.map(presentAttachment) };
    }),

    route(getMessageHistory, {}, async ({ parameters, organization, caller }) => {
      const snapshots = await organization.read(caller, (reading) => messageHistory(reading, parameters.message_id));
      const present = (snapshot: Snapshot) => presentSnapshot(snapshot, parameters.allow_empty_topic_name);
      return { message_history: await serializedList(snapshots.toReversed(), present) };
    }),
  ];
}
