import { sql } from 'kysely';
import Type from 'typebox';
import { notExported } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { job } from '../../jobs/kind.ts';
import { gatewayOf } from './running.ts';

/** Mail servers retry for about five days. */
const REMEMBERED_DAYS = 7;

/** Messages by mail: replies to mails about messages, and mails to addresses of channels. */
export const mailGateway: Feature = {
  runs: gatewayOf,
  jobs: () => [
    job(
      {
        name: 'forget-received-mails',
        payload: Type.Object({}),
        maximumAttempts: 1,
        withinSeconds: 60,
        everySeconds: 3600,
      },
      async ({ db }) => {
        await sql`
          DELETE FROM received_mails WHERE received_at < now() - make_interval(days => ${REMEMBERED_DAYS})`.execute(db);
      },
    ),
  ],
  exports: [...notExported('hashes of mails that this server received', 'received_mails')],
};
