import { getTopics } from '@heddle/api/endpoints/topics.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

export const topicAttempts: Attempts = ({ publicChannel, privateChannel }) => [
  attemptsOn(getTopics, {
    refused: [publicChannel, privateChannel].map(({ id }) => ({ stream_id: id })),
    harmless: ['allow_empty_topic_name'],
  }),
];
