import type { MessageSnapshot } from '@heddle/client/calls/types.ts';

interface Change<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** What changed in a version. Undefined for what stayed. */
export interface VersionChanges {
  readonly content: Change<string> | undefined;
  readonly topic: Change<string> | undefined;
  readonly channel: Change<number> | undefined;
}

export function changesOf(version: MessageSnapshot): VersionChanges {
  const { prev_content, content, prev_topic, topic, prev_stream, stream } = version;
  return {
    content: prev_content === undefined ? undefined : { before: prev_content, after: content },
    topic: prev_topic === undefined || prev_topic === topic ? undefined : { before: prev_topic, after: topic },
    channel: prev_stream === undefined || stream === undefined ? undefined : { before: prev_stream, after: stream },
  };
}
