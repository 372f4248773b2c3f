import type { HeldPoll, PollAnswer } from '../../log/held-poll.ts';

/** The response of a poll, immediate or after it was held. */
export async function answerTo(poll: Promise<PollAnswer | HeldPoll>): Promise<PollAnswer> {
  const answer = await poll;
  if ('whenAnswered' in answer) return new Promise((resolve) => answer.whenAnswered({ take: resolve }));
  return answer;
}
