import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { Histogram } from '../harness/histogram.ts';
import type { LoadContext, Target } from './load.ts';

export interface MailsParameters extends Target {
  /** The recipient of each connection. */
  readonly recipients: readonly string[];
  /** Mails per connection. */
  readonly count: number;
  /** Part of the ids of the mails. */
  readonly run: string;
}

export interface MailsResult {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

/** Delivers mails like a mail server that relays them: one connection per recipient, and one mail at a time on each. */
export async function mails(
  { address, recipients, count, run }: MailsParameters,
  _: LoadContext,
): Promise<MailsResult> {
  const latencies = new Histogram();
  const begun = performance.now();
  await Promise.all(
    recipients.map(async (recipient, index) => {
      const socket = connect(address.port, address.host);
      const say = dialog(socket);
      await say(undefined, 220);
      await say('EHLO bench.invalid', 250);
      for (let mail = 0; mail < count; mail++) {
        const sentAt = performance.now();
        await say('MAIL FROM:<alerts@bench.invalid>', 250);
        await say(`RCPT TO:<${recipient}>`, 250);
        await say('DATA', 354);
        await say(`${mailOf(recipient, `${run}.${index}.${mail}`)}\r\n.`, 250);
        latencies.record(performance.now() - sentAt);
      }
      socket.destroy();
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  return { rate: latencies.count / seconds, p50: latencies.quantile(0.5), p99: latencies.quantile(0.99) };
}

/** Sends a command and resolves with the response. Any other code than the expected one fails the load. */
function dialog(socket: Socket): (command: string | undefined, expected: number) => Promise<void> {
  const lines = createInterface(socket)[Symbol.asyncIterator]();
  return async (command, expected) => {
    if (command !== undefined) socket.write(`${command}\r\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('the server closed the connection');
      if (value[3] === '-') continue;
      if (value.startsWith(String(expected))) return;
      throw new Error(`${command?.slice(0, 50)}: ${value}`);
    }
  };
}

/** A typical mail: text and HTML, 5 KB. */
function mailOf(recipient: string, id: string): string {
  const text = `Build ${id} is up. All tests are green, so we ship after lunch unless somebody objects.`;
  const html = `<html><body>${`<p style="margin: 0">${text} <a href="https://example.com/${id}">The log</a></p>\r\n`.repeat(20)}</body></html>`;
  return [
    'From: Alerts <alerts@bench.invalid>',
    `To: <${recipient}>`,
    `Subject: Build ${id}`,
    `Message-ID: <${id}@bench.invalid>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `${text}\r\n`.repeat(20),
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '--b--',
  ].join('\r\n');
}
