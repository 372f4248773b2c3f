/** A separate process that runs jobs, for tests to kill. It reports when it is in the middle of one. */
import { pino } from 'pino';
import { Jobs } from '../../jobs/jobs.ts';
import { job, longJob } from '../../jobs/kind.ts';
import { wordKind, writeWord } from '../database/job-table.ts';

const [, , connectionString = '', mode = ''] = process.argv;
const jobs = new Jobs({ settings: { connectionString }, log: pino({ enabled: false }) });
process.on('disconnect', () => process.exit());
const attempt = async (write: () => Promise<void>): Promise<void> => {
  await write();
  process.send?.('writing');
  if (mode === 'hang') await new Promise(() => undefined);
};
await jobs.start([
  job(wordKind('word'), ({ db, payload }) => attempt(() => writeWord(db, payload.word))),
  longJob({ ...wordKind('long word'), isLong: true }, () => attempt(async () => undefined)),
]);
