import { runLoad } from '../harness/generator.ts';
import { channelName } from '../harness/population.ts';
import { quotient, type Row, type Run, type Summary, summarize } from '../harness/result.ts';
import { openSite } from '../harness/site.ts';
import { requestBytes } from '../harness/wire.ts';
import { numberedContent } from '../loads/message-sender.ts';
import { type Benchmark, sizesOf, spanOf } from './benchmark.ts';

const JUDGED = 100_000;

/**
 * One sender sends one message at a time, and no client polls. All channels are in one organization, so that they differ only in the number
 * of subscribers. The smallest channel is the floor of the others.
 */
export const audience: Benchmark = {
  name: 'audience',
  about: 'latency of one send; size: subscribers of the channel',
  async run(settings) {
    const sizes = sizesOf(settings, [10, 1000, JUDGED], [10, 100]);
    settings.progress(`audience: ${sizes.join(', ')} subscribers`);
    const channels = sizes.map((count) => ({ first: 0, count }));
    const site = await openSite({ people: Math.max(...sizes), channels });
    try {
      const [login] = await site.logins([0]);
      if (login === undefined) throw new Error('there is no user to send');
      const { address } = site.server;
      const runs: Run[][] = sizes.map(() => []);
      for (let turn = 0; turn < settings.repeats; turn++) {
        for (const [number] of sizes.entries()) {
          const parameters = {
            type: 'channel',
            to: channelName(number),
            topic: 'picks',
            content: numberedContent(turn),
          };
          const request = requestBytes(address, { method: 'POST', path: '/messages', login, parameters });
          const { rate, p50, p99 } = await runLoad('closedLoop', {
            address,
            requests: [[request]],
            ...spanOf(settings, { warmUp: 1, seconds: 4 }),
            countBodies: false,
          });
          runs[number]?.push({ rate, p50, p99 });
        }
      }
      const summaries = runs.map(summarize);
      return sizes.map((size, number) => row(size, summaries[number], summaries[0]));
    } finally {
      await site.close();
    }
  },
};

function row(size: number, heddle: Summary | undefined, floor: Summary | undefined): Row {
  if (heddle === undefined || floor === undefined) throw new Error('a size was not measured');
  const ratio = quotient(heddle.p50, floor.p50);
  return {
    name: 'audience',
    size: `${size} subscribers`,
    unit: 'sends/s',
    heddle,
    floor: heddle === floor ? null : floor,
    ratio: heddle === floor ? null : ratio,
    goal: size === JUDGED ? 'p50 ≤ 1.3 ×' : '',
    met: size === JUDGED && ratio !== null ? ratio <= 1.3 : null,
    notes: [],
  };
}
