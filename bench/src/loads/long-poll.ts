import { Histogram } from '../harness/histogram.ts';
import type { Login } from '../harness/wire.ts';
import type { LoadContext, Target } from './load.ts';
import { MessageSender } from './message-sender.ts';
import { PollingClient, type Received } from './polling-client.ts';

export interface LongPollParameters extends Target {
  /** One client per login. It registers a queue for messages and polls it over a separate connection. */
  readonly pollers: readonly Login[];
  /** The senders take turns, because the server processes at most two requests of one account at once. */
  readonly senders: readonly Login[];
  readonly channel: string;
  /** Number of messages before the measurement, which are sent and awaited one by one. */
  readonly warmUpMessages: number;
  readonly messages: number;
  /** Messages per second. The sends do not wait for deliveries. */
  readonly messagesPerSecond: number;
  /** Timeout of the last deliveries in seconds. */
  readonly patience: number;
}

export interface LongPollResult {
  /** Number of received events, and their rate from the first send to the last receipt. */
  readonly deliveries: number;
  readonly deliveriesPerSecond: number;
  /** Latency per message: from the send to the receipt by the last client. */
  readonly lastReceiptP50: number;
  readonly lastReceiptP99: number;
  /** Latency per delivery: from the send to the receipt by a client. */
  readonly receiptP50: number;
  readonly receiptP99: number;
  /** The text of one delivered event. */
  readonly sampleEvent: string;
}

const REGISTERING_AT_ONCE = 32;

/**
 * Clients poll, and senders send at a fixed rate. Each client must receive each message once and in the same order. A repeated or missing
 * message, or another ID, fails the load. Stages:
 * - `registered`: queues exist, but no client polls yet.
 * - `held`: all clients received the warm-up and poll again.
 * - `delivered`: all clients received all messages.
 */
export async function longPoll(parameters: LongPollParameters, context: LoadContext): Promise<LongPollResult> {
  const total = parameters.warmUpMessages + parameters.messages;
  const sentAt = new Float64Array(total);
  const missing = new Uint32Array(total).fill(parameters.pollers.length);
  const eventIds = new Float64Array(total);
  const lastReceipt = new Histogram();
  const receipt = new Histogram();
  let finishedAt = 0;
  let sampleEvent: string | null = null;
  let changed: () => void = () => {};
  let failed: (error: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  failure.catch(() => {});

  function received({ sequence, eventId, at, event }: Received): void {
    // IDs increase at each client. If the clients receive the same IDs, they also receive the same order.
    eventIds[sequence] ||= eventId;
    if (eventIds[sequence] !== eventId)
      failed(new Error(`message ${sequence} has the ids ${eventIds[sequence]}, ${eventId}`));
    sampleEvent ??= event();
    const left = (missing[sequence] ?? 0) - 1;
    missing[sequence] = left;
    if (sequence >= parameters.warmUpMessages) {
      const latency = at - (sentAt[sequence] ?? at);
      receipt.record(latency);
      if (left === 0) {
        lastReceipt.record(latency);
        finishedAt = at;
      }
    }
    if (left === 0) changed();
  }

  async function everyoneHas(through: number): Promise<void> {
    const late = setTimeout(() => {
      const absent = missing.subarray(0, through + 1).reduce((sum, left) => sum + left, 0);
      failed(new Error(`${absent} deliveries are missing after ${parameters.patience} s`));
    }, parameters.patience * 1000);
    try {
      while (missing.subarray(0, through + 1).some((left) => left > 0)) {
        await Promise.race([new Promise<void>((resolve) => (changed = resolve)), failure]);
      }
    } finally {
      clearTimeout(late);
    }
  }

  const clients = parameters.pollers.map(
    (login) => new PollingClient(parameters.address, login, total, received, failed),
  );
  const sender = new MessageSender(parameters.address, parameters.senders, parameters.channel, failed);
  try {
    await registerAll(clients);
    await context.reached('registered');
    for (const client of clients) client.poll();
    for (let sequence = 0; sequence < parameters.warmUpMessages; sequence++) {
      sentAt[sequence] = sender.send(sequence);
      await everyoneHas(sequence);
    }
    await Promise.race([context.reached('held'), failure]);

    const interval = 1000 / parameters.messagesPerSecond;
    const begin = performance.now();
    for (let index = 0; index < parameters.messages; index++) {
      const sequence = parameters.warmUpMessages + index;
      await Promise.race([until(begin + index * interval), failure]);
      sentAt[sequence] = sender.send(sequence);
    }
    await everyoneHas(total - 1);
    await Promise.race([context.reached('delivered'), failure]);
    if (sampleEvent === null) throw new Error('no event');
    return {
      deliveries: receipt.count,
      deliveriesPerSecond: (receipt.count * 1000) / (finishedAt - begin),
      lastReceiptP50: lastReceipt.quantile(0.5),
      lastReceiptP99: lastReceipt.quantile(0.99),
      receiptP50: receipt.quantile(0.5),
      receiptP99: receipt.quantile(0.99),
      sampleEvent,
    };
  } finally {
    for (const client of clients) client.close();
    sender.close();
  }
}

export async function registerAll(clients: readonly PollingClient[]): Promise<void> {
  let next = 0;
  async function worker(): Promise<void> {
    for (let client = clients[next++]; client !== undefined; client = clients[next++]) await client.register();
  }
  await Promise.all(Array.from({ length: REGISTERING_AT_ONCE }, worker));
}

function until(moment: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, moment - performance.now())));
}
