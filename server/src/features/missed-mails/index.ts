import { notExported } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { changePeriod, release } from './batches.ts';
import { missedMailing } from './composing.ts';
import { MissedMails } from './queueing.ts';
import { missedMailsConsumer } from './reading.ts';

const PERIOD = 'email_notifications_batching_period_seconds';

/** Mails about messages that users missed. */
export const missedMails: Feature = {
  consumers: (app) => [missedMailsConsumer(app)],
  scheduled: (app) => [new MissedMails(app)],
  mailings: (app) => [missedMailing(app)],
  hooks: {
    async settingChanged({ db, directory }, userId, { property, value }) {
      if (property === PERIOD) await changePeriod(db, directory.organization.id, userId, Number(value));
      else if (property === 'quiet_hours' || property === 'timezone')
        await release(db, directory.organization.id, userId);
    },
  },
  exports: [...notExported('mails that this server must send', 'missed_batches', 'mail_counts')],
};
