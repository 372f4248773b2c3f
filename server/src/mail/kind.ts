/** What a kind of mail is, and how a change causes one. */
import { randomBytes } from 'node:crypto';
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Db, DbTransaction } from '../db/schema.ts';
import { addJobs } from '../jobs/adding.ts';
import type { JobKind } from '../jobs/kind.ts';
import type { Mail } from './mail.ts';

/** A kind of mail: what features name to cause one. */
export interface MailKind<Schema extends TSchema = TSchema> {
  /** Unique among the kinds, and for ever: it is stored. Letters and `-`. */
  readonly name: string;
  /** What is stored of a mail until it is sent: it names what the mail is about. What is secret is never stored. */
  readonly about: Schema;
}

/** A mail that is about to be composed. */
export interface MailRequest<About> {
  readonly organizationId: number;
  readonly about: About;
  readonly db: DbTransaction;
}

/** A kind with what it says, its subject's type forgotten: what the room takes. */
export interface Mailing {
  readonly kind: MailKind;
  compose(request: MailRequest<unknown>): Promise<Mail | undefined>;
}

/**
 * Ties a kind to what it says.
 * @param compose called when the mail is sent, for each attempt; undefined where nobody needs it any more
 */
export function mailing<Schema extends TSchema>(
  kind: MailKind<Schema>,
  compose: (request: MailRequest<Static<Schema>>) => Promise<Mail | undefined>,
): Mailing {
  const about = Compile(kind.about);
  return {
    kind,
    async compose(request) {
      if (!about.Check(request.about)) throw new Error('what the mail is about is not what this build stores');
      return compose({ ...request, about: request.about as Static<Schema> });
    },
  };
}

const payload = Type.Object({
  mail: Type.String(),
  about: Type.Unknown(),
  /** Names the mail wherever it goes, the same in every attempt. */
  token: Type.String(),
});

/**
 * Ten seconds after the first attempt that failed, then twice as long each time, up to an hour: for three days, as mail servers try among
 * themselves. Where the mail server hangs, that keeps half of the process's workers from other jobs and never all.
 */
export const sendMail: JobKind<typeof payload> = {
  name: 'send-mail',
  payload,
  maximumAttempts: 80,
  withinSeconds: 60,
  atOnce: 2,
};

/** Causes a mail: it is sent if the transaction commits, once it has. Say `jobs.wake()` then. */
export function queueMail<Schema extends TSchema>(
  db: Db | DbTransaction,
  kind: MailKind<Schema>,
  { organizationId, about }: { readonly organizationId: number; readonly about: Static<Schema> },
): Promise<void> {
  return queueMails(db, kind, { organizationId, abouts: [about] });
}

/** Many at once. */
export function queueMails<Schema extends TSchema>(
  db: Db | DbTransaction,
  kind: MailKind<Schema>,
  { organizationId, abouts }: { readonly organizationId: number; readonly abouts: readonly Static<Schema>[] },
): Promise<void> {
  const payloads = abouts.map((about) => ({ mail: kind.name, about, token: randomBytes(12).toString('hex') }));
  return addJobs(db, sendMail, { organizationId, payloads });
}
