import { notExported } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { changePeriod } from './batches.ts';
import { missedMailing } from './composing.ts';
import { MissedMails } from './queueing.ts';
import { missedMailsConsumer } from './reading.ts';

/** Mails about messages that users missed. */
export const missedMails: Feature = {
  consumers: (app) => [missedMailsConsumer(app)],
  scheduled: (app) => [new MissedMails(app)],
  mailings: (app) => [missedMailing(app)],
  hooks: {
    async settingChanged({ db, directory }, userId, { property, value }) {
      if (property !== 'email_notifications_batching_period_seconds') return;
      await changePeriod(db, directory.organization.id, userId, Number(value));
    },
  },
  exports: [...notExported('mails that this server must send', 'missed_batches', 'mail_counts')],
};
