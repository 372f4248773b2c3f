import { setTimeout as delay } from 'node:timers/promises';
import type { Login } from '../harness/wire.ts';
import type { LoadContext, Target } from './load.ts';
import { registerAll } from './long-poll.ts';
import { MessageSender } from './message-sender.ts';
import { PollingClient } from './polling-client.ts';

export interface ComeBackParameters extends Target {
  readonly pollers: readonly Login[];
  readonly sender: Login;
  readonly channel: string;
  /** Timeout of the load after the restart of the server, in seconds. */
  readonly patience: number;
}

export interface ComeBackResult {
  /** Seconds from the reconnection until half of the clients, and all clients, have received the message. */
  readonly halfAfter: number;
  readonly allAfter: number;
  /** Number of connections that broke before the response and were retried. */
  readonly triedAgain: number;
}

/** Pause before a retry after a refused or broken connection, in milliseconds. */
const PAUSE = 100;

/**
 * Polling clients lose their server. At the stage `held` all clients wait; before the stage ends, the server is killed and started again. Then
 * all clients reconnect at the same time with their queues and last event IDs, and one message is sent. Each client must receive it once. Any
 * response except a success fails the load.
 */
export async function comeBack(parameters: ComeBackParameters, context: LoadContext): Promise<ComeBackResult> {
  const { address, pollers, channel, patience } = parameters;
  let failed: (error: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  failure.catch(() => {});
  let isDown = false;
  let isBack = false;
  let triedAgain = 0;
  let lost = 0;
  let allLost = (): void => {};
  const times: number[][] = [[], []];
  let changed = (): void => {};

  const clients = pollers.map((login) => {
    const client: PollingClient = new PollingClient(
      address,
      login,
      2,
      ({ sequence, at }) => {
        times[sequence]?.push(at);
        changed();
      },
      failed,
      (error) => {
        if (isBack) {
          triedAgain += 1;
          setTimeout(() => client.poll(), PAUSE);
        } else if (isDown) {
          lost += 1;
          if (lost === pollers.length) allLost();
        } else {
          failed(error);
        }
      },
    );
    return client;
  });

  async function send(sequence: number): Promise<void> {
    const sender = new MessageSender(address, [parameters.sender], channel, failed);
    try {
      sender.send(sequence);
      const late = delay(patience * 1000).then(() => {
        throw new Error(`message ${sequence} has reached ${times[sequence]?.length} clients after ${patience} s`);
      });
      late.catch(() => {});
      while ((times[sequence]?.length ?? 0) < pollers.length) {
        await Promise.race([new Promise<void>((resolve) => (changed = resolve)), failure, late]);
      }
    } finally {
      sender.close();
    }
  }

  try {
    await registerAll(clients);
    for (const client of clients) client.poll();
    await send(0);
    const everyoneLost = new Promise<void>((resolve) => {
      allLost = resolve;
    });
    isDown = true;
    await Promise.race([context.reached('held'), failure]);
    await Promise.race([everyoneLost, failure]);
    isBack = true;
    const begin = performance.now();
    for (const client of clients) client.poll();
    await send(1);
    const after = (times[1] ?? []).map((at) => (at - begin) / 1000);
    return {
      halfAfter: after[Math.floor(after.length / 2)] ?? Number.NaN,
      allAfter: after.at(-1) ?? Number.NaN,
      triedAgain,
    };
  } finally {
    for (const client of clients) client.close();
  }
}
