import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnreadFloorSettings } from '../floors/unread.ts';
import { type Server, startFloor } from '../harness/floor.ts';
import { startFloorDatabase } from '../harness/floor-database.ts';
import { runLoad } from '../harness/generator.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { removeScratch, scratchDirectory } from '../harness/scratch.ts';
import { openSite, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { type Call, requestBytes, successful } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf, spanOf } from './benchmark.ts';

const JUDGED = 50_000;

/** A client registers a queue and requests the unread messages. */
export const unread: Benchmark = {
  name: 'unread',
  about: 'POST /register for messages; size: unread messages in 200 channels',
  async run(settings) {
    const sizes = sizesOf(settings, [1000, 10_000, JUDGED], [100, 500]);
    const channelCount = settings.quick ? 20 : 200;
    const count = Math.max(...sizes) * (settings.quick ? 2 : 8);
    settings.progress(`unread: ${count} messages`);
    const channels = Array.from({ length: channelCount }, () => ({ first: 0, count: sizes.length }));
    const site = await openSite({ people: sizes.length, channels, messages: { count, unread: sizes } });
    const database = await startFloorDatabase();
    const directory = await scratchDirectory('unread');
    try {
      const logins = await site.logins(upTo(sizes.length));
      return await inTurn(
        logins.map((login, number) => ({ login, size: sizes[number] ?? 0 })),
        async ({ login, size }) => {
          settings.progress(`unread: ${size}`);
          const registration: Call = {
            method: 'POST',
            path: '/register',
            login,
            parameters: { event_types: '["message","update_message_flags"]' },
          };
          const sample = await answerOf(site.server, registration);
          const answerFile = join(directory, 'answer.json');
          await writeFile(answerFile, sample);
          const floorSettings: UnreadFloorSettings = {
            database: database.connection,
            answerFile,
            channels: channelCount,
            messages: count,
            unread: size,
          };
          const floor = await startFloor('unread', floorSettings);
          try {
            const runs = await alternate(
              settings.repeats,
              () => measure(site.server, registration, settings),
              () => measure(floor, registration, settings),
            );
            return row(size, runs.left, runs.right, sample.length);
          } finally {
            await floor.program.stop();
          }
        },
      );
    } finally {
      await removeScratch(directory);
      await database.stop();
      await site.close();
    }
  },
};

async function answerOf(server: Server, registration: Call): Promise<Buffer> {
  const connection = new HttpConnection(server.address);
  try {
    const { status, body } = await connection.request(requestBytes(server.address, registration));
    successful('POST /register', status, body);
    return body;
  } finally {
    connection.close();
  }
}

async function measure(server: Server, registration: Call, settings: Settings): Promise<Run> {
  const { rate, p50, p99 } = await runLoad('closedLoop', {
    address: server.address,
    requests: [[requestBytes(server.address, registration)]],
    ...spanOf(settings, { warmUp: 1, seconds: 4 }),
    countBodies: true,
  });
  return { rate, p50, p99 };
}

function row(size: number, heddleRuns: readonly Run[], floorRuns: readonly Run[], bytes: number): Row {
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const ratio = quotient(heddle.rate, floor.rate);
  const judged = size === JUDGED && ratio !== null && heddle.p50 !== null;
  return {
    name: 'unread',
    size: `${size} unread`,
    unit: 'registers/s',
    heddle,
    floor,
    ratio,
    goal: size === JUDGED ? '≥ 0.4, p50 ≤ 30 ms' : '',
    met: judged && heddle.p50 !== null ? ratio >= 0.4 && heddle.p50.median <= 30 : null,
    notes: [`a response has ${Math.round(bytes / 1024)} KB`],
  };
}
