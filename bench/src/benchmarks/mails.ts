import { freePort } from '@heddle/server/testing/services/ports.ts';
import { runLoad } from '../harness/generator.ts';
import { logIn, startHeddle } from '../harness/heddle-server.ts';
import { channelName, personEmail } from '../harness/population.ts';
import { type Row, type Run, summarize } from '../harness/result.ts';
import { removeScratch } from '../harness/scratch.ts';
import { populatedDirectory, upTo } from '../harness/site.ts';
import { call, numberField, textField } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

/** What the gateway accepts for an account in an hour. */
const MAILS_PER_ACCOUNT = 60;

/** `size` connections of a mail server deliver mails to addresses of channels, each of another user. The first mail starts the worker process. */
export const mails: Benchmark = {
  name: 'mails',
  about: 'mails per second that the mail gateway accepts; size: concurrent connections',
  run: (settings) => inTurn(sizesOf(settings, [1, 16], [2]), (size) => measureSize(size, settings)),
};

async function measureSize(size: number, settings: Settings): Promise<Row> {
  settings.progress(`mails: ${size} connections`);
  // One more user receives the first mail.
  const people = size + 1;
  const dataDirectory = await populatedDirectory({ people, channels: [{ first: 0, count: people }] });
  const gateway = { host: '127.0.0.1', port: await freePort() };
  const server = await startHeddle({
    dataDirectory,
    environment: { HEDDLE_MAIL_GATEWAY: `${gateway.host}:${gateway.port}` },
  });
  try {
    const [first = '', ...recipients] = await inTurn(upTo(people), async (number) => {
      const login = await logIn(server, personEmail(number));
      const parameters = { stream: channelName(0) };
      const found = await call(server.address, { method: 'GET', path: '/get_stream_id', login, parameters });
      const path = `/streams/${numberField(found, 'stream_id')}/email_address`;
      return textField(await call(server.address, { method: 'GET', path, login }), 'email');
    });
    const deliver = (to: readonly string[], count: number, run: string) =>
      runLoad('mails', { address: gateway, recipients: to, count, run });
    await deliver([first], 3, 'first');
    const count = settings.quick ? 2 : Math.floor(MAILS_PER_ACCOUNT / settings.repeats);
    const runs: Run[] = await inTurn(upTo(settings.repeats), async (index) => deliver(recipients, count, `${index}`));
    return {
      name: 'mails',
      size: `${size} connections`,
      unit: 'mails/s',
      heddle: summarize(runs),
      floor: null,
      ratio: null,
      goal: '',
      met: null,
      notes: [],
    };
  } finally {
    await server.program.stop();
    await removeScratch(dataDirectory);
  }
}
