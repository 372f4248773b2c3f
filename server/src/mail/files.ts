/** Writes mails into a directory if no mail server is configured: to try Heddle out, and for tests. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from './smtp.ts';
import type { OutgoingMail, Transport } from './transport.ts';

/**
 * Writes files `<directory>/<number>-<kind>-<token>.eml`, which mail programs can open. Their links give access to
 * accounts, so only the owner may read them.
 */
export function fileTransport(directory: string): Transport {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer');
      const composer = createTransport({
        streamTransport: true, // wire name: the package's word for one that only composes
        buffer: true,
        newline: 'unix',
      });
      const { message } = await composer.sendMail(messageOf(mail));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const path = mailFile(directory, mail);
      await writeFile(`${path}.part`, message, { mode: 0o600 });
      await rename(`${path}.part`, path);
    },
  };
}

/** Where a mail is. */
export function mailFile(directory: string, { fileName }: Pick<OutgoingMail, 'fileName'>): string {
  return join(directory, `${fileName}.eml`);
}
