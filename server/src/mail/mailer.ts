/** Sends queued mails in the background. */
import { join } from 'node:path';
import { type Config, mailSender } from '../config.ts';
import { HopelessError, type Job, type JobRun, job } from '../jobs/kind.ts';
import { delivering } from '../measures.ts';
import { fileTransport, mailFile } from './files.ts';
import { type Mailing, type SendMail, sendBulkMail, sendMail } from './kind.ts';
import { isMailable, isUnreachable, type Mail, type MailHeaders, renderMail } from './mail.ts';
import { ownMessageId } from './message-ids.ts';
import { smtpTransport } from './smtp.ts';

/**
 * Each mail is sent at least once. It is sent twice only if the process ends in between. Then its Message-ID is the
 * same, so mail programs recognize it as the same mail.
 */
export function mailJobs(config: Config, mailings: readonly Mailing[]): readonly Job[] {
  const from = mailSender(config);
  const { smtpUrl } = config;
  const directory = mailDirectory(config);
  const transport = smtpUrl === null ? fileTransport(directory) : smtpTransport(smtpUrl);
  const known = new Map(mailings.map((one) => [one.kind.name, one]));
  if (known.size < mailings.length) throw new Error('two kinds of mails have the same name');
  const send = async ({ id, organizationId, db, payload, signal, log }: JobRun<SendMail>): Promise<void> => {
    const { mail: name, about, token } = payload;
    const found = known.get(name);
    if (found === undefined || organizationId === null) throw new Error(`this build does not know the mail ${name}`);
    const mail = await found.compose({ organizationId, about, db });
    if (mail === undefined) return;
    // The address can have changed since the mail was queued.
    if (isUnreachable(mail.to)) return;
    if (!isMailable(mail.to)) throw new HopelessError('the address cannot receive mail');
    const outgoing = {
      ...renderMail(mail),
      ...headersOf(mail),
      to: mail.to,
      from,
      messageId: ownMessageId(token, from),
      fileName: `${String(id).padStart(8, '0')}-${name}-${token.slice(0, 8)}`,
    };
    await delivering('mail', () => transport.send(outgoing, signal));
    if (smtpUrl !== null) log.debug({ mail: name }, 'the mail server has accepted a mail');
    else log.info({ mail: name, file: mailFile(directory, outgoing) }, 'wrote a mail to a file: no mail server is set');
  };
  return [job(sendMail, send), job(sendBulkMail, send)];
}

/** Where mails are files, unless there is a mail server. */
export function mailDirectory({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  return join(dataDirectory, 'mail');
}

function headersOf({ thread, unsubscribe, listId, replyTo }: Mail): MailHeaders {
  return {
    ...(thread !== undefined && { thread }),
    ...(unsubscribe !== undefined && { unsubscribe }),
    ...(listId !== undefined && { listId }),
    ...(replyTo !== undefined && { replyTo }),
  };
}
