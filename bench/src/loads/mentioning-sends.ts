import { Histogram } from '../harness/histogram.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import { personName } from '../harness/population.ts';
import { type Login, numberField, requestBytes, successful } from '../harness/wire.ts';
import type { LoadContext, Target } from './load.ts';
import { numberedContent } from './message-sender.ts';

export interface MentioningSendsParameters extends Target {
  /** Each sends one message after the other. */
  readonly senders: readonly Login[];
  readonly channel: string;
  readonly messages: number;
  readonly messagesPerTopic: number;
  /** Every n-th message mentions a person. */
  readonly mentionEvery: number;
  /** The persons with the numbers below this are mentioned in turn. */
  readonly people: number;
}

export interface Sent {
  readonly messageId: number;
  /** The number of the topic. */
  readonly topic: number;
  /** The person whom it mentions. */
  readonly person: number | null;
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
}

export interface MentioningSendsResult {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly sent: readonly Sent[];
}

/** Sends a number of messages to the topics of a channel, one topic after the other. Some mention a person. Any failed request fails the load. */
export async function mentioningSends(
  parameters: MentioningSendsParameters,
  _: LoadContext,
): Promise<MentioningSendsResult> {
  const { address, senders, channel, messages, messagesPerTopic, mentionEvery, people } = parameters;
  const latencies = new Histogram();
  const sent: Sent[] = [];
  const begun = performance.now();
  let next = 0;
  await Promise.all(
    senders.map(async (login) => {
      const connection = new HttpConnection(address);
      for (let sequence = next++; sequence < messages; sequence = next++) {
        const person = sequence % mentionEvery === 0 ? (sequence / mentionEvery) % people : null;
        const topic = Math.floor(sequence / messagesPerTopic);
        const mention = person === null ? '' : `@**${personName(person)}** `;
        const content = `${mention}${numberedContent(sequence)}`.slice(0, 200);
        const parameters = { type: 'channel', to: channel, topic: `topic ${topic}`, content };
        const request = requestBytes(address, { method: 'POST', path: '/messages', login, parameters });
        const [sentAt, at] = [performance.now(), Date.now()];
        const { status, body } = await connection.request(request);
        const messageId = numberField(successful('POST /messages', status, body), 'id');
        latencies.record(performance.now() - sentAt);
        sent.push({ messageId, topic, person, at });
      }
      connection.close();
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  return { rate: messages / seconds, p50: latencies.quantile(0.5), p99: latencies.quantile(0.99), sent };
}
