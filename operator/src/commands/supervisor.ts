/**
 * Notifies systemd of the state of this process (`Type=notify`, `WatchdogSec=`). Node.js has no datagram sockets of Unix, so systemd's own program
 * sends the messages. Without `NOTIFY_SOCKET`, nothing happens.
 */
import { execFile } from 'node:child_process';
import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';
import type { Logger } from 'pino';

export interface Supervisor {
  /** The server serves. From now on, the watchdog hears of each healthy turn of the event loop. */
  ready(): Promise<void>;
  /** The server stops, which takes at most this long. */
  stopping(withinMilliseconds: number): Promise<void>;
}

/** A message takes milliseconds. A supervisor that does not respond must not stop the server. */
const SEND_TIMEOUT_MS = timeoutOf(5_000);

const NOBODY: Supervisor = { async ready() {}, async stopping() {} };

/** Takes the variables out of the environment, so that PostgreSQL, a child of this process, does not speak for it. */
export function supervisorOf(environment: NodeJS.ProcessEnv, log: Logger): Supervisor {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdog, WATCHDOG_PID: watched } = environment;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete environment[name];
  if (socket === undefined || socket === '') return NOBODY;
  const send = (...states: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      const env = { PATH: environment.PATH ?? '', NOTIFY_SOCKET: socket };
      const args = [`--pid=${process.pid}`, ...states];
      execFile('systemd-notify', args, { env, timeout: SEND_TIMEOUT_MS }, (error) => {
        if (error !== null) log.warn({ err: error }, 'systemd could not be notified');
        resolve();
      });
    });
  const isForUs = watched === undefined || watched === '' || Number(watched) === process.pid;
  // Systemd recommends half of the time.
  const everyMs = isForUs ? Number(watchdog ?? 0) / 2_000 : 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    async ready() {
      await send('READY=1', 'STATUS=Serving');
      if (everyMs > 0) timer = setInterval(() => void send('WATCHDOG=1'), everyMs).unref();
    },
    async stopping(withinMilliseconds) {
      // The stop itself may take longer than the watchdog allows.
      clearInterval(timer);
      await send(
        'STOPPING=1',
        'STATUS=Stopping',
        `EXTEND_TIMEOUT_USEC=${(withinMilliseconds + 1_000) * 1_000}`,
        `WATCHDOG_USEC=${(withinMilliseconds + 1_000) * 1_000}`,
      );
    },
  };
}
