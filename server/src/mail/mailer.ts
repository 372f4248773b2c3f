/** Sends the mails that changes have caused, in the background. */
import { join } from 'node:path';
import { type Config, mailSender } from '../config.ts';
import { HopelessError, type Job, job } from '../jobs/kind.ts';
import { fileTransport } from './files.ts';
import { type Mailing, sendMail } from './kind.ts';
import { isMailable, renderMail } from './mail.ts';
import { smtpTransport } from './smtp.ts';
import type { Transport } from './transport.ts';

/**
 * Each mail is handed over at least once, and once unless the process ends in between; then its Message-ID is the same, by which mail
 * programs know it for the same.
 */
export function mailJob(config: Config, mailings: readonly Mailing[]): Job {
  const from = mailSender(config);
  const host = from.address.slice(from.address.lastIndexOf('@') + 1);
  const transport = transportOf(config);
  const known = new Map(mailings.map((one) => [one.kind.name, one]));
  if (known.size < mailings.length) throw new Error('two kinds of mails have one name');
  return job(sendMail, async ({ id, organizationId, db, payload, signal, log }) => {
    const { mail: name, about, token } = payload;
    const found = known.get(name);
    if (found === undefined || organizationId === null) throw new Error(`this build does not know the mail ${name}`);
    const mail = await found.compose({ organizationId, about, db });
    if (mail === undefined) return;
    if (!isMailable(mail.to)) throw new HopelessError('no mail can be sent to the address');
    const outgoing = {
      ...renderMail(mail),
      to: mail.to,
      from,
      messageId: `<${token}@${host}>`,
      fileName: `${String(id).padStart(8, '0')}-${name}-${token.slice(0, 8)}`,
    };
    await transport.send(outgoing, signal);
    log.debug({ mail: name }, 'a mail was handed over');
  });
}

function transportOf({ smtpUrl, dataDirectory }: Config): Transport {
  return smtpUrl === null ? fileTransport(join(dataDirectory, 'mail')) : smtpTransport(smtpUrl);
}
