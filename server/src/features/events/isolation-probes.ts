import { deleteQueue, getEvents, registerQueue } from '@heddle/api/endpoints/events.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({ owner, publicChannel, privateChannel, queueId }) => [
  probesOf(registerQueue, {
    contained: [
      {},
      ...[publicChannel, privateChannel].flatMap(({ id, name }) => [
        { narrow: [['stream', name]] },
        { narrow: [['channel', String(id)]] },
      ]),
      { narrow: [['sender', owner.email]], event_types: ['message'], fetch_event_types: ['message'] },
      {
        all_public_streams: true,
        include_subscribers: true,
        client_capabilities: { archived_channels: true, include_deactivated_groups: true, user_list_incomplete: false },
        client_gravatar: false,
        slim_presence: true,
        presence_history_limit_days: 365,
        apply_markdown: true,
      },
    ],
  }),
  probesOf(getEvents, { refused: [{ queue_id: queueId, last_event_id: 0, dont_block: true }] }),
  probesOf(deleteQueue, { refused: [{ queue_id: queueId }] }),
];
