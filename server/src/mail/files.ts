/** Puts mails into a directory, where there is no mail server: for whoever tries Heddle out, and for tests. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from './smtp.ts';
import type { Transport } from './transport.ts';

/** Files `<directory>/<number>-<kind>-<token>.eml`, which mail programs open. Links in them open accounts: nobody else may read them. */
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
      const path = join(directory, `${mail.fileName}.eml`);
      await writeFile(`${path}.part`, message, { mode: 0o600 });
      await rename(`${path}.part`, path);
    },
  };
}
