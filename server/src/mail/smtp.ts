/** Sends mails through a mail server. */
import { connect, type Socket } from 'node:net';
import { timeoutOf } from '../config/timeout-factor.ts';
import { HopelessError } from '../jobs/kind.ts';
import type { OutgoingMail, Transport } from './transport.ts';

/** Timeouts of the mail server, in milliseconds: for the connection, for its greeting, and for each reply. */
const WAITS = {
  connection: timeoutOf(10_000),
  greeting: timeoutOf(10_000),
  answer: timeoutOf(20_000),
} as const;

/** @param url `smtp://user:password@host:port`, or `smtps://…` for TLS from the beginning */
export function smtpTransport(url: string): Transport {
  return {
    async send(mail, signal) {
      const { createTransport } = await import('nodemailer');
      let socket: Socket | undefined;
      const destroySocket = (): void => void socket?.destroy();
      signal.addEventListener('abort', destroySocket);
      try {
        await createTransport({
          url,
          connectionTimeout: WAITS.connection,
          greetingTimeout: WAITS.greeting,
          socketTimeout: WAITS.answer,
          dnsTimeout: WAITS.connection,
          // Our mails never refer to files or addresses that must be fetched.
          disableFileAccess: true,
          disableUrlAccess: true,
          // Our own socket: at the end of the attempt it is destroyed, even if the server keeps the connection open and
          // never finishes.
          getSocket: ({ host, port }, done) => {
            socket = connect({ host: host ?? 'localhost', port: Number(port) });
            socket.setTimeout(WAITS.connection, () => socket?.destroy(new Error('no connection')));
            socket.once('error', (error) => done(error, undefined));
            socket.once('connect', () => {
              socket?.setTimeout(0);
              done(null, { connection: socket });
            });
          },
        }).sendMail(messageOf(mail));
      } catch (error) {
        throw refusalOf(error);
      } finally {
        signal.removeEventListener('abort', destroySocket);
        destroySocket();
      }
    },
  };
}

/** Name and address are separate values, so that no part of one is parsed as an address. */
export function messageOf(mail: OutgoingMail) {
  const { to, from, messageId, title, text, html, replyTo, thread } = mail;
  const root =
    thread === undefined ? undefined : `<${thread}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`;
  return {
    from,
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    // Nobody receives the root of a thread. Mail programs group by its id.
    ...(root !== undefined && { inReplyTo: root, references: root }),
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    messageId,
    subject: title, // wire name: of a mail's header
    text,
    html,
    // Prevents automatic replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', ...listHeaders(mail) },
  };
}

/** Mail programs show a button for the first two (RFC 8058). */
function listHeaders({ unsubscribe, listId }: OutgoingMail) {
  return {
    ...(unsubscribe !== undefined && {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
    ...(listId !== undefined && { 'List-Id': `<${listId}>` }),
  };
}

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

/**
 * Returns the reason without the server's own words, which may repeat the mail: its links give access to accounts. A
 * permanent refusal of this mail (RFC 5321, 4.2.1) is not retried. A refused login is retried, because an operator may
 * correct it.
 */
function refusalOf(error: unknown): Error {
  const { code = 'unknown', responseCode, command } = (error ?? {}) as SmtpError;
  const details = [responseCode, command && `after ${command.split(' ')[0]}`].filter(Boolean).join(' ');
  const reason = `the mail server did not accept a mail: ${code}${details === '' ? '' : ` (${details})`}`;
  const isForGood = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500;
  return isForGood ? new HopelessError(reason) : new Error(reason);
}
