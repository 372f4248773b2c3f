/** A separate process that sends mails, for tests to kill. */
import { pino } from 'pino';
import { readConfig } from '../../config.ts';
import { Jobs } from '../../jobs/jobs.ts';
import { mailing } from '../../mail/kind.ts';
import { mailJobs } from '../../mail/mailer.ts';
import { composeGreeting, greeting } from '../server/greeting-mail.ts';

const [, , connectionString = ''] = process.argv;
const jobs = new Jobs({ settings: { connectionString }, log: pino({ enabled: false }) });
process.on('disconnect', () => process.exit());
await jobs.start([
  ...mailJobs(readConfig(process.env).config, [
    mailing(greeting, async ({ about: { name } }) => composeGreeting(name)),
  ]),
]);
