interface Fields {
  readonly id: number;
  readonly senderId: number;
  readonly content: string;
  readonly timestamp: number;
  readonly topic: string;
  readonly channelId: number;
  readonly channelName: string | undefined;
  readonly flags: readonly string[];
}

/** An object with the same number of fields as a channel message on the wire. */
export function floorMessage({ id, senderId, content, timestamp, topic, channelId, channelName, flags }: Fields) {
  return {
    id,
    sender_id: senderId,
    content,
    recipient_id: 9,
    timestamp,
    client: 'bench',
    subject: topic,
    topic_links: [],
    is_me_message: false,
    reactions: [],
    submessages: [],
    sender_full_name: 'Person 0',
    sender_email: 'person0@bench.invalid',
    sender_realm_str: '',
    display_recipient: channelName,
    type: 'stream',
    stream_id: channelId,
    avatar_url: null,
    content_type: 'text/html',
    flags,
  };
}
