/** Delivers mails like another mail server, with little processor time of its own. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

export interface Envelope {
  readonly from: string;
  readonly to: string;
}

/** Of one write. Larger ones would make the stream copy more at once. */
const PIECE_BYTES = 64 * 1024;

export interface Delivery {
  /** The code of the response: 250, or that of the refusal. 0 if the server closed the connection. */
  readonly code: Promise<number>;
  /** Closes the connection without waiting for the response. */
  close(): void;
}

/**
 * Sends a mail, whose lines end with CRLF and do not begin with a dot. Resolves when everything is sent, or when the server has refused it.
 */
export async function beginDelivery(port: number, { from, to }: Envelope, source: Buffer): Promise<Delivery> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  socket.on('error', () => undefined);
  const lines = createInterface(socket)[Symbol.asyncIterator]();
  const response = async () => {
    const next = () => lines.next().catch(() => ({ value: '', done: true }));
    for (let line = await next(); !line.done; line = await next())
      if (line.value[3] !== '-') return Number(line.value.slice(0, 3));
    return 0;
  };
  const close = () => socket.destroy();
  const ended = (code: number): Delivery => {
    close();
    return { code: Promise.resolve(code), close };
  };
  const greeting = await response();
  if (greeting !== 220) return ended(greeting);
  for (const command of ['EHLO example.org', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) {
    socket.write(`${command}\r\n`);
    const code = await response();
    if (code >= 400 || code === 0) return ended(code);
  }
  for (let at = 0; at < source.length && !socket.destroyed; at += PIECE_BYTES) {
    if (!socket.write(source.subarray(at, at + PIECE_BYTES)))
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
  socket.write('\r\n.\r\n');
  return { code: response().finally(close), close };
}

/** @returns 250, or the code of the refusal; 0 if the server closed the connection */
export async function deliverMail(port: number, envelope: Envelope, source: Buffer): Promise<number> {
  return (await beginDelivery(port, envelope, source).catch(() => undefined))?.code ?? 0;
}
