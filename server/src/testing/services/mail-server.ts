/** A real mail server that stores received mails. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type ReadMail, readMail } from '../server/mails.ts';
import type { TestServer } from '../server/server.ts';

export class TestMailServer {
  readonly #server: SMTPServer;
  readonly #received: string[] = [];

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      onData: (stream, _session, done) => {
        const pieces: Buffer[] = [];
        stream.on('data', (piece: Buffer) => pieces.push(piece));
        stream.on('end', () => {
          this.#received.push(Buffer.concat(pieces).toString().replaceAll('\r\n', '\n'));
          done();
        });
      },
    });
  }

  static async start(): Promise<TestMailServer> {
    const started = new TestMailServer();
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server.server, 'listening');
    return started;
  }

  /** The environment of a server that sends its mails here. */
  get environment(): Readonly<Record<string, string>> {
    const { port } = this.#server.server.address() as AddressInfo;
    return { HEDDLE_SMTP_URL: `smtp://127.0.0.1:${port}` };
  }

  /** The mails as they arrived. */
  get received(): readonly string[] {
    return this.#received;
  }

  /**
   * Returns the mails to an address (ignoring case) so far, the oldest first, after the server has sent all pending
   * ones.
   */
  async to(server: TestServer, address: string): Promise<readonly ReadMail[]> {
    await server.app.jobs.settled();
    return this.#received.map(readMail).filter(({ to }) => to.toLowerCase() === address.toLowerCase());
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
