import { sql } from 'kysely';
import type { Feature } from '../../../extension/feature.ts';
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
      hidden: [
        {
          fields: ['prev_content', 'prev_rendered_content'],
          unless: ({ editHistory }) => sql.lit(editHistory === 'all'),
        },
      ],
      rows: ({ hasMessage, editHistory }) => {
        const isMove = sql`(t.topic IS NOT NULL OR t.channel_id IS NOT NULL)`;
        const isShown = { all: sql.lit(true), moves: isMove, none: sql.lit(false) }[editHistory];
        return sql`${isShown} AND ${hasMessage('message_id')}`;
      },
    },
  ],
};
