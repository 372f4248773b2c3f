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
  /** How long all of it may take after the server is there again, in seconds, before the load fails. */
  readonly patience: number;
}

export interface ComeBackResult {
  /** From when all come back to when half of them, and the last, has what was sent meanwhile; in seconds. */
  readonly halfAfter: number;
  readonly allAfter: number;
  /** Connections that broke before their request was answered, and were tried again. */
  readonly triedAgain: number;
}

/** Before a client whose connection was refused or broke tries again, in milliseconds. */
const PAUSE = 100;

/**
 * Clients that poll lose their server. Stage `held`: all of them wait; when it is released, the server has been killed and is there
 * again. Then all come back in the same moment, with their queues and where they were, and one message is sent. It must reach each once;
 * any answer but a success fails the load.
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
