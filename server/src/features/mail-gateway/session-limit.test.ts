import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { limitSessions } from './session-limit.ts';

test('a client that never ends its mail loses the connection, and the mail is given up', async () => {
  let receiving: Promise<unknown> | undefined;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (mail) => {
      receiving = mail.toArray();
      receiving.catch(() => undefined);
    },
  });
  server.on('error', () => undefined);
  limitSessions(server.server, 1_000);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const client = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  // The write after the end fails.
  client.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
  const commands = ['EHLO x', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA'];
  client.on('data', () => client.write(`${commands.shift() ?? 'more'}\r\n`));
  // Never silent, so no other timeout applies.
  const drip = setInterval(() => commands.length === 0 && client.write('more\r\n'), 20);
  await closed;
  clearInterval(drip);
  // On a very busy machine, the time is over before the mail begins.
  if (receiving !== undefined) await assert.rejects(receiving);
  await new Promise<void>((resolve) => server.close(resolve));
});
