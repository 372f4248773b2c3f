import { runLoad } from '../harness/generator.ts';
import { channelName } from '../harness/population.ts';
import { type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, type Site, upTo } from '../harness/site.ts';
import { median } from '../harness/statistics.ts';
import type { Login } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';

const JUDGED = 10_000;

/** The server is killed and started again, and all waiting clients reconnect at the same time. */
export const restart: Benchmark = {
  name: 'restart',
  about: 'time until all clients have responses after a kill and a restart of the server; size: clients',
  run: (settings) => inTurn(sizesOf(settings, [1000, 5000, JUDGED], [50]), (size) => measureSize(size, settings)),
};

interface Return extends Run {
  readonly half: number;
  readonly triedAgain: number;
}

async function measureSize(clients: number, settings: Settings): Promise<Row> {
  settings.progress(`restart: ${clients} clients`);
  const site = await openSite({ people: clients + 1, channels: [{ first: 0, count: clients + 1 }] });
  try {
    const logins = await site.logins(upTo(clients + 1));
    const runs = await inTurn(upTo(settings.repeats), () => measure(site, logins));
    const heddle = summarize(runs.map(({ rate, p50, p99 }) => ({ rate, p50, p99 })));
    return {
      name: 'restart',
      size: `${clients} clients`,
      unit: 's',
      heddle,
      floor: null,
      ratio: null,
      goal: clients === JUDGED ? '≤ 5 s, no error' : '',
      // The load fails if a client receives an error or no message.
      met: clients === JUDGED && heddle.rate !== null ? heddle.rate.median <= 5 : null,
      notes: [
        `half of them after ${median(runs.map(({ half }) => half)).toFixed(1)} s; ` +
          `${median(runs.map(({ triedAgain }) => triedAgain))} connections had to be tried again`,
      ],
    };
  } finally {
    await site.close();
  }
}

async function measure(site: Site, logins: readonly Login[]): Promise<Return> {
  const [sender, ...pollers] = logins;
  if (sender === undefined) throw new Error('there is no user to send');
  const result = await runLoad(
    'comeBack',
    { address: site.server.address, pollers, sender, channel: channelName(0), patience: 60 },
    () => site.crash(),
  );
  return { rate: result.allAfter, p50: null, p99: null, half: result.halfAfter, triedAgain: result.triedAgain };
}
