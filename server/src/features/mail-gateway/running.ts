/** The SMTP listener of a process. */
import type { Readable } from 'node:stream';
import type { SMTPServer } from 'smtp-server';
import { timeoutOf } from '../../config/timeout-factor.ts';
import { gatewayDomain } from '../../config.ts';
import { accountOf, targetOf } from '../../domain/notifications/mail-parts/gateway-addresses.ts';
import { type AppContext, oncePerApp } from '../../extension/app-context.ts';
import type { Running } from '../../extension/feature.ts';
import { ListenError } from '../../extension/listen-error.ts';
import { Receiver } from './receiving.ts';
import * as refusals from './refusal.ts';
import { limitSessions } from './session-limit.ts';

/** Of one mail, in bytes, with its attachments as they are encoded. */
const MAX_MAIL_BYTES = 25 * 1024 * 1024;
/** Of all mails that a process receives at the same time. */
const MAX_BYTES_IN_MEMORY = 64 * 1024 * 1024;
/** Of those that count for one account: one large mail, or many small ones. */
const MAX_BYTES_OF_ACCOUNT = 26 * 1024 * 1024;
const MAX_CONNECTIONS = 50;
/** Milliseconds without a byte. */
const IDLE_TIMEOUT_MS = timeoutOf(60_000);
/** Of a connection, in milliseconds. The largest mail needs 85 KB/s. */
const MAX_SESSION_MS = timeoutOf(5 * 60_000);

export interface MailGateway extends Running {
  /** The port, once the process listens. Null if there is no gateway. */
  readonly listening: Promise<number | null>;
}

export const gatewayOf = oncePerApp((app: AppContext): MailGateway => {
  const { mailGateway } = app.config;
  if (mailGateway === null) return { listening: Promise.resolve(null), async start() {}, async stop() {} };
  const { promise: listening, resolve } = Promise.withResolvers<number | null>();
  const receiver = new Receiver(app);
  let server: SMTPServer | undefined;
  return {
    listening,
    async start() {
      const created = await createServer(app, receiver);
      const port = await listen(created, mailGateway);
      server = created;
      created.on('error', (err) => app.log.error({ err }, 'receiving a mail failed'));
      app.log.info({ ...mailGateway, port }, 'receiving mail');
      resolve(port);
    },
    async stop(withinMilliseconds) {
      const { promise: closed, resolve: close } = Promise.withResolvers<void>();
      const timer = setTimeout(close, withinMilliseconds);
      if (server === undefined) close();
      else server.close(close);
      await closed;
      clearTimeout(timer);
      await receiver.stop();
    },
  };
});

/**
 * Resolves with the port.
 * @throws ListenError
 */
async function listen(server: SMTPServer, place: { readonly host: string; readonly port: number }): Promise<number> {
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  const listener = server.listen(place.port, place.host, resolve);
  await listening.catch((error: unknown) => {
    throw new ListenError(place, 'Set HEDDLE_MAIL_GATEWAY.', error);
  });
  server.off('error', reject);
  const bound = listener.address();
  return typeof bound === 'object' && bound !== null ? bound.port : place.port;
}

async function createServer(app: AppContext, receiver: Receiver): Promise<SMTPServer> {
  const { SMTPServer: Server } = await import('smtp-server');
  const memory = new Memory();
  const server = new Server({
    name: gatewayDomain(app.config),
    banner: 'Heddle',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: IDLE_TIMEOUT_MS,
    closeTimeout: 1000,
    // Without a sender it is a report about a mail, or an automatic answer.
    onMailFrom: ({ address }, _session, done) => done(address === '' ? refusals.automaticMail() : undefined),
    onRcptTo({ address }, { envelope: { rcptTo } }, done) {
      if (rcptTo.length > 0) return done(refusals.oneRecipient());
      done(targetOf(app, address) === undefined ? refusals.unknownAddress() : undefined);
    },
    onData(incoming, { envelope: { mailFrom, rcptTo } }, done) {
      const returnAddress = mailFrom === false ? '' : mailFrom.address;
      const target = targetOf(app, rcptTo[0]?.address ?? '');
      const act = async () => {
        if (target === undefined) throw refusals.unknownAddress();
        await memory.with(accountOf(target), incoming, (source) => receiver.receive(target, { source, returnAddress }));
      };
      act().then(
        () => done(),
        (error: unknown) => {
          if (!(error instanceof refusals.MailRefusal)) app.log.warn({ err: error }, 'a mail could not be received');
          done(error instanceof refusals.MailRefusal ? error : refusals.busy());
        },
      );
    },
  });
  limitSessions(server.server, MAX_SESSION_MS);
  return server;
}

/** The bytes of a mail. */
type Incoming = Readable & { readonly sizeExceeded: boolean };

/** Limits the bytes of mails in memory. */
class Memory {
  #bytes = 0;
  readonly #ofAccounts = new Map<string, number>();

  /** Reads the mail, and calls `act` with its pieces. A mail that does not fit is read and dropped. */
  async with(account: string, incoming: Incoming, act: (source: readonly Buffer[]) => Promise<void>): Promise<void> {
    const pieces: Buffer[] = [];
    let own = 0;
    let isTooMuch = false;
    try {
      for await (const piece of incoming as AsyncIterable<Buffer>) {
        if (isTooMuch || incoming.sizeExceeded) continue;
        isTooMuch = !this.#add(account, piece.length);
        if (isTooMuch) {
          // The rest of the mail can take long.
          this.#remove(account, own);
          own = 0;
          pieces.length = 0;
          continue;
        }
        own += piece.length;
        pieces.push(piece);
      }
      if (incoming.sizeExceeded) throw refusals.tooLarge();
      if (isTooMuch) throw refusals.busy();
      await act(pieces);
    } finally {
      this.#remove(account, own);
    }
  }

  #add(account: string, count: number): boolean {
    const ofAccount = (this.#ofAccounts.get(account) ?? 0) + count;
    if (this.#bytes + count > MAX_BYTES_IN_MEMORY || ofAccount > MAX_BYTES_OF_ACCOUNT) return false;
    this.#bytes += count;
    this.#ofAccounts.set(account, ofAccount);
    return true;
  }

  #remove(account: string, count: number): void {
    this.#bytes -= count;
    const rest = (this.#ofAccounts.get(account) ?? 0) - count;
    if (rest > 0) this.#ofAccounts.set(account, rest);
    else this.#ofAccounts.delete(account);
  }
}
