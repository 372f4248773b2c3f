import { ofMessages } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { messageUpdatePresenter } from './events.ts';
import { editingJobs } from './jobs.ts';
import { editingRoutes } from './routes.ts';

export const editing: Feature = {
  routes: editingRoutes,
  presenters: { update_message: messageUpdatePresenter },
  jobs: editingJobs,
  exports: [
    {
      table: 'message_edits',
      fields: [
        'message_id',
        'number',
        'user_id',
        'edited_at',
        'prev_content',
        'prev_rendered_content',
        'prev_topic',
        'topic',
        'prev_channel_id',
        'channel_id',
      ],
      rows: ofMessages,
    },
  ],
};
