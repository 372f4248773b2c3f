import { getTopics } from '@heddle/api/endpoints/topics.ts';
import { updateMutedTopic, updateUserTopic } from '@heddle/api/endpoints/user-topics.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({ publicChannel, privateChannel }) => [
  probesOf(getTopics, {
    refused: [publicChannel, privateChannel].map(({ id }) => ({ stream_id: id })),
    harmless: ['allow_empty_topic_name'],
  }),
  probesOf(updateUserTopic, {
    refused: [publicChannel, privateChannel].flatMap(({ id }) =>
      [0, 1].map((visibility_policy) => ({ stream_id: id, topic: 'theirs', visibility_policy })),
    ),
  }),
  probesOf(updateMutedTopic, {
    refused: [publicChannel, privateChannel].flatMap(({ id, name }) =>
      [{ stream_id: id }, { stream: name }].flatMap((channel) =>
        ['add', 'remove'].map((op) => ({ ...channel, topic: 'theirs', op })),
      ),
    ),
  }),
];
