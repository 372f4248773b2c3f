/** Hands mails to a mail server. */
import { connect, type Socket } from 'node:net';
import { HopelessError } from '../jobs/kind.ts';
import type { OutgoingMail, Transport } from './transport.ts';

/** How long the mail server may take, in milliseconds: to be connected to, to say that it is there, and for each answer. */
const WAITS = { connection: 10_000, greeting: 10_000, answer: 20_000 } as const;

/** @param url `smtp://user:password@host:port`, or `smtps://…` where the connection begins with TLS */
export function smtpTransport(url: string): Transport {
  return {
    async send(mail, signal) {
      const { createTransport } = await import('nodemailer');
      let socket: Socket | undefined;
      const cutOff = (): void => void socket?.destroy();
      signal.addEventListener('abort', cutOff);
      try {
        await createTransport({
          url,
          connectionTimeout: WAITS.connection,
          greetingTimeout: WAITS.greeting,
          socketTimeout: WAITS.answer,
          dnsTimeout: WAITS.connection,
          // Nothing in a mail of ours names a file or an address to be fetched.
          disableFileAccess: true,
          disableUrlAccess: true,
          // Ours, so that a server which keeps a connection alive and never comes to an end is left when the attempt is over.
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
        signal.removeEventListener('abort', cutOff);
        cutOff();
      }
    },
  };
}

/** Addresses are given in parts, so that nothing in them is read as another. */
export function messageOf({ to, from, messageId, title, text, html }: OutgoingMail) {
  return {
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    messageId,
    subject: title, // wire name: of a mail's header
    text,
    html,
    // No answers from programs that answer everything (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

/**
 * What went wrong, without the server's own words: they may repeat what they are about, and what is in a mail opens accounts. A refusal
 * for good (RFC 5321, 4.2.1) of this mail is not tried again; one of our login is, since an operator may mend it.
 */
function refusalOf(error: unknown): Error {
  const { code = 'unknown', responseCode, command } = (error ?? {}) as SmtpError;
  const said = [responseCode, command && `after ${command.split(' ')[0]}`].filter(Boolean).join(' ');
  const reason = `the mail server did not take a mail: ${code}${said === '' ? '' : ` (${said})`}`;
  const isForGood = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500;
  return isForGood ? new HopelessError(reason) : new Error(reason);
}
