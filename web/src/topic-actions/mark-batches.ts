import type { Caller } from '@heddle/client/calls/operation.ts';
import { updateMessageFlagsForNarrow } from '@heddle/client/calls/operations.ts';
import { type Narrow, wireNarrow } from '@heddle/client/model/messages/narrow.ts';

/** How many messages one request marks. The server allows 5,000. */
const MESSAGES_PER_REQUEST = 5_000;

/** The most requests for one narrow. */
const MAX_REQUESTS = 200;

/**
 * The server names only the newest unread messages. This marks all of a narrow as read on the server, in batches: from the oldest message
 * on, or from one message back. Yields the ids of each batch.
 * @throws NetworkError and other errors of a call
 */
export async function* markInBatches(
  connection: Caller,
  narrow: Narrow,
  start: 'oldest' | number,
): AsyncGenerator<readonly number[]> {
  const goesOn = start === 'oldest';
  let anchor = start;
  for (let request = 0; request < MAX_REQUESTS; request += 1) {
    const answer = await updateMessageFlagsForNarrow(connection, {
      narrow: wireNarrow([...narrow, { operator: 'is', operand: 'unread' }]),
      op: 'add',
      flag: 'read',
      anchor,
      include_anchor: request === 0,
      num_before: goesOn ? 0 : MESSAGES_PER_REQUEST,
      num_after: goesOn ? MESSAGES_PER_REQUEST : 0,
      include_updated_ids: true,
    });
    yield answer.updated_ids ?? [];
    const last = goesOn ? answer.last_processed_id : answer.first_processed_id;
    if ((goesOn ? answer.found_newest : answer.found_oldest) || last === null) return;
    anchor = last;
  }
}
