import type { Json } from '../clients/json.ts';
import { fc } from '../random/property.ts';

/** Operations on read state and topic settings, a part of `operations.ts`. */
export type ReadingOperation = { readonly who: number } & (
  | {
      readonly do: 'flag all';
      readonly op: 'add' | 'remove';
      readonly flag: 'read' | 'starred';
      readonly narrow: readonly Json[];
    }
  | { readonly do: 'read channel'; readonly channel: number; readonly topic: string | undefined }
  | { readonly do: 'read all' }
  | { readonly do: 'see topic'; readonly channel: number; readonly topic: string; readonly policy: number }
);

/** @param who the number of a user; @param channel the number of a channel */
export function readingOperations(who: fc.Arbitrary<number>, channel: fc.Arbitrary<number>) {
  const flagAll: fc.Arbitrary<ReadingOperation> = fc.record({
    do: fc.constant('flag all' as const),
    who,
    op: fc.constantFrom('add' as const, 'remove' as const),
    flag: fc.constantFrom('read' as const, 'starred' as const),
    narrow: fc.constantFrom<readonly Json[]>(
      [],
      [{ operator: 'is', operand: 'muted' }],
      [{ operator: 'is', operand: 'followed' }],
      [{ operator: 'is', operand: 'mentioned' }],
    ),
  });
  const readChannel: fc.Arbitrary<ReadingOperation> = fc.record({
    do: fc.constant('read channel' as const),
    who,
    channel,
    topic: fc.option(fc.constantFrom('', 'one'), { nil: undefined }),
  });
  const readAll: fc.Arbitrary<ReadingOperation> = fc.record({ do: fc.constant('read all' as const), who });
  const seeTopic: fc.Arbitrary<ReadingOperation> = fc.record({
    do: fc.constant('see topic' as const),
    who,
    channel,
    topic: fc.constantFrom('', 'one', 'ONE', 'two'),
    policy: fc.nat({ max: 3 }),
  });
  return [
    { weight: 2, arbitrary: flagAll },
    { weight: 2, arbitrary: readChannel },
    { weight: 1, arbitrary: readAll },
    { weight: 5, arbitrary: seeTopic },
  ];
}

/** The request of the operation. */
export function readingRequest(operation: ReadingOperation, stream_id: number): { path: string; fields: Json } {
  switch (operation.do) {
    case 'flag all': {
      const { op, flag, narrow } = operation;
      const fields = { anchor: 'newest', num_before: 10, num_after: 0, narrow, op, flag };
      return { path: '/messages/flags/narrow', fields };
    }
    case 'read channel': {
      const { topic: topic_name } = operation;
      if (topic_name === undefined) return { path: '/mark_stream_as_read', fields: { stream_id } };
      return { path: '/mark_topic_as_read', fields: { stream_id, topic_name } };
    }
    case 'read all':
      return { path: '/mark_all_as_read', fields: {} };
    case 'see topic': {
      const { topic, policy: visibility_policy } = operation;
      return { path: '/user_topics', fields: { stream_id, topic, visibility_policy } };
    }
  }
}
