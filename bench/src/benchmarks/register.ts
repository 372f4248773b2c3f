import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Server, startFloor } from '../harness/floor.ts';
import { runLoad } from '../harness/generator.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { removeScratch, scratchDirectory } from '../harness/scratch.ts';
import { openSite, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { type Call, type Login, requestBytes, successful } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf, spanOf } from './benchmark.ts';

const JUDGED = 10_000;
const PEOPLE_A_CHANNEL = 10;
const CALLERS = 16;
/** The content encodings that clients request. */
const CODINGS = ['gzip', 'zstd'];

/** Clients request the whole initial state, one client at a time. */
export const register: Benchmark = {
  name: 'register',
  about: 'POST /register with everything; size: users, a tenth as many channels, up to 50 subscriptions each',
  run: (settings) =>
    inTurn(sizesOf(settings, [100, 1000, JUDGED], [50]), (size) => measureSize(size, settings)).then((rows) =>
      rows.flat(),
    ),
};

async function measureSize(people: number, settings: Settings): Promise<Row[]> {
  settings.progress(`register: ${people} users`);
  const channelCount = Math.max(1, Math.floor(people / PEOPLE_A_CHANNEL));
  const subscriptionsEach = Math.min(50, channelCount);
  // The subscribers of channel c start at user 10c, so that each user has the same number of subscriptions.
  const channels = Array.from({ length: channelCount }, (_, index) => ({
    first: index * PEOPLE_A_CHANNEL,
    count: subscriptionsEach * PEOPLE_A_CHANNEL,
  }));
  const site = await openSite({ people, channels });
  const directory = await scratchDirectory('register');
  try {
    const logins = await site.logins(upTo(Math.min(CALLERS, people)));
    const calls = logins.map((login) => registration(login));
    const sample = await answerBytes(site.server, calls);
    const answerFile = join(directory, 'answer.json');
    await writeFile(answerFile, sample);
    const floor = await startFloor('register', { answerFile });
    try {
      const runs = await alternate(
        settings.repeats,
        () => measure(site.server, calls, settings),
        () => measure(floor, calls, settings),
      );
      const rows = [row(people, runs.left, runs.right, sample.length)];
      for (const coding of CODINGS) rows.push(await measureCompressed(people, site.server, calls, coding, settings));
      return rows;
    } finally {
      await floor.program.stop();
    }
  } finally {
    await removeScratch(directory);
    await site.close();
  }
}

/** Measures clients that accept compressed responses. The floor is clients that do not. */
async function measureCompressed(
  people: number,
  server: Server,
  calls: readonly Call[],
  acceptEncoding: string,
  settings: Settings,
): Promise<Row> {
  const compressed = calls.map((call) => ({ ...call, acceptEncoding }));
  const bytes = await sizeOfAnswer(server, compressed);
  const runs = await alternate(
    settings.repeats,
    () => measure(server, compressed, settings),
    () => measure(server, calls, settings),
  );
  const [withCoding, without] = [summarize(runs.left), summarize(runs.right)];
  return {
    name: 'register',
    size: `${people} users, ${acceptEncoding}`,
    unit: 'registers/s',
    heddle: withCoding,
    floor: without,
    ratio: quotient(withCoding.rate, without.rate),
    goal: '',
    met: null,
    notes: [`${acceptEncoding}: a response has ${Math.round(bytes / 1024)} KB; the floor is uncompressed`],
  };
}

/**
 * Without `event_types` and `fetch_event_types` a client receives the whole state.
 * @param more capabilities of the web app
 */
export function registration(login: Login, more: Readonly<Record<string, boolean>> = {}): Call {
  const capabilities = {
    ...more,
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
  };
  const parameters = {
    apply_markdown: 'true',
    client_gravatar: 'true',
    slim_presence: 'true',
    client_capabilities: JSON.stringify(capabilities),
  };
  return { method: 'POST', path: '/register', login, parameters };
}

async function sizeOfAnswer(server: Server, [first]: readonly Call[]): Promise<number> {
  if (first === undefined) throw new Error('there is no user to register');
  const connection = new HttpConnection(server.address);
  try {
    return (await connection.request(requestBytes(server.address, first))).body.length;
  } finally {
    connection.close();
  }
}

async function answerBytes(server: Server, calls: readonly Call[]): Promise<Buffer> {
  const [first] = calls;
  if (first === undefined) throw new Error('there is no user to register');
  const connection = new HttpConnection(server.address);
  try {
    const { status, body } = await connection.request(requestBytes(server.address, first));
    successful('POST /register', status, body);
    return body;
  } finally {
    connection.close();
  }
}

async function measure(server: Server, calls: readonly Call[], settings: Settings): Promise<Run> {
  const { rate, p50, p99 } = await runLoad('closedLoop', {
    address: server.address,
    requests: [calls.map((each) => requestBytes(server.address, each))],
    ...spanOf(settings, { warmUp: 1.5, seconds: 4 }),
    countBodies: true,
  });
  return { rate, p50, p99 };
}

function row(people: number, heddleRuns: readonly Run[], floorRuns: readonly Run[], bytes: number): Row {
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const ratio = quotient(heddle.rate, floor.rate);
  const judged = people === JUDGED && ratio !== null && heddle.p50 !== null;
  return {
    name: 'register',
    size: `${people} users`,
    unit: 'registers/s',
    heddle,
    floor,
    ratio,
    goal: people === JUDGED ? '≥ 0.4, p50 ≤ 60 ms' : '',
    met: judged && heddle.p50 !== null ? ratio >= 0.4 && heddle.p50.median <= 60 : null,
    notes: [`a response has ${Math.round(bytes / 1024)} KB`],
  };
}
