/** Kinds of mails, and how a change queues one. */
import { randomBytes } from 'node:crypto';
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Db, DbTransaction } from '../db/schema.ts';
import { addJobs } from '../jobs/adding.ts';
import type { JobKind } from '../jobs/kind.ts';
import type { Mail } from './mail.ts';

/** A kind of mail. Features use it to queue mails. */
export interface MailKind<Schema extends TSchema = TSchema> {
  /** Unique among all kinds. It is stored in the database, so it must never change. Letters and `-` only. */
  readonly name: string;
  /** The shape of what is stored until the mail is sent: what the mail is about. It never contains secrets. */
  readonly about: Schema;
  /** Whether many of these mails can be queued at once. They then wait in a queue of their own, and delay no other mail. */
  readonly isBulk?: boolean;
}

/** The input for composing a mail. */
export interface MailRequest<About> {
  readonly organizationId: number;
  readonly about: About;
  readonly db: DbTransaction;
}

/** A kind with its function, without the type of `about`. */
export interface Mailing {
  readonly kind: MailKind;
  compose(request: MailRequest<unknown>): Promise<Mail | undefined>;
}

/**
 * Connects a kind to the function that composes its mails. The function runs for each attempt to send.
 * @param compose returns undefined if the mail is no longer necessary
 */
export function mailing<Schema extends TSchema>(
  kind: MailKind<Schema>,
  compose: (request: MailRequest<Static<Schema>>) => Promise<Mail | undefined>,
): Mailing {
  const about = Compile(kind.about);
  return {
    kind,
    async compose(request) {
      if (!about.Check(request.about)) throw new Error('this build does not understand what the mail is about');
      return compose({ ...request, about: request.about as Static<Schema> });
    },
  };
}

const payload = Type.Object({
  mail: Type.String(),
  about: Type.Unknown(),
  /** Identifies the mail, the same in every attempt. */
  token: Type.String(),
});
export type SendMail = Static<typeof payload>;

/**
 * The job that sends mails. Retries follow after 10 seconds, then twice as long each time up to an hour, for three
 * days, as is usual between mail servers. If the mail server hangs, mails block only half of the process's workers.
 */
export const sendMail: JobKind<typeof payload> = {
  name: 'send-mail',
  payload,
  maximumAttempts: 80,
  withinSeconds: 60,
  atOnce: 2,
};

/** The same for bulk mails: one at a time, so that a full queue delays neither other mails nor other jobs. */
export const sendBulkMail: JobKind<typeof payload> = { ...sendMail, name: 'send-bulk-mail', atOnce: 1 };

/** Queues a mail. It is sent after the transaction has committed. Call `jobs.wake()` then. */
export function queueMail<Schema extends TSchema>(
  db: Db | DbTransaction,
  kind: MailKind<Schema>,
  { organizationId, about }: { readonly organizationId: number; readonly about: Static<Schema> },
): Promise<void> {
  return queueMails(db, kind, { organizationId, abouts: [about] });
}

/** Queues many mails at once. */
export function queueMails<Schema extends TSchema>(
  db: Db | DbTransaction,
  kind: MailKind<Schema>,
  { organizationId, abouts }: { readonly organizationId: number; readonly abouts: readonly Static<Schema>[] },
): Promise<void> {
  const payloads = abouts.map((about) => ({ mail: kind.name, about, token: randomBytes(12).toString('hex') }));
  return addJobs(db, kind.isBulk === true ? sendBulkMail : sendMail, { organizationId, payloads });
}
