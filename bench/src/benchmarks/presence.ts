import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Server, startFloor } from '../harness/floor.ts';
import { runLoad } from '../harness/generator.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import { quotient, type Row, type Run, summarize } from '../harness/result.ts';
import { removeScratch, scratchDirectory } from '../harness/scratch.ts';
import { openSite, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { type Call, callAll, type Login, requestBytes, successful } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf, spanOf } from './benchmark.ts';

const JUDGED = 5000;
const AT_ONCE = 32;

/**
 * All users report their presence in turn and request the changes since their last report, which include all users. Clients do so once a
 * minute. The server writes the first reports of a run. The other reports change nothing.
 */
export const presence: Benchmark = {
  name: 'presence',
  about: 'POST /users/me/presence, asking for what changed since the last report; size: people who report',
  run: (settings) => inTurn(sizesOf(settings, [100, 1000, JUDGED], [20]), (size) => measureSize(size, settings)),
};

async function measureSize(people: number, settings: Settings): Promise<Row> {
  settings.progress(`presence: ${people} people`);
  const site = await openSite({ people, channels: [] });
  const directory = await scratchDirectory('presence');
  try {
    const logins = await site.logins(upTo(people));
    const [first, ...others] = logins;
    if (first === undefined) throw new Error('there is no user to report');
    // One user reports before all others and keeps the update ID. Then the others report.
    await callAll(site.server.address, [reporting(first)], 1);
    const since = await lastUpdate(site.server, first);
    await callAll(
      site.server.address,
      others.map((login) => reporting(login)),
      AT_ONCE,
    );
    const calls = logins.map((login) => reporting(login, since));
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
      return row(people, runs.left, runs.right, sample.length);
    } finally {
      await floor.program.stop();
    }
  } finally {
    await removeScratch(directory);
    await site.close();
  }
}

/** @param since the last update ID of the client. Without it the response is empty */
function reporting(login: Login, since?: number): Call {
  const status = { status: 'active', new_user_input: 'true' };
  const parameters =
    since === undefined ? { ...status, ping_only: 'true' } : { ...status, last_update_id: String(since) };
  return { method: 'POST', path: '/users/me/presence', login, parameters };
}

/** The response after the server has written the report of the user. The server writes reports in batches. */
async function lastUpdate(server: Server, login: Login): Promise<number> {
  for (;;) {
    const [answer] = await callAll(server.address, [reporting(login, -1)], 1);
    const { presence_last_update_id: last } = answer as unknown as { readonly presence_last_update_id: number };
    if (last > 0) return last;
  }
}

/** The response after the server has written all reports. */
async function answerBytes(server: Server, calls: readonly Call[]): Promise<Buffer> {
  const [first] = calls;
  if (first === undefined) throw new Error('there is no user to report');
  const connection = new HttpConnection(server.address);
  try {
    for (;;) {
      const { status, body } = await connection.request(requestBytes(server.address, first));
      successful('POST /users/me/presence', status, body);
      const { presences } = JSON.parse(body.toString()) as { readonly presences: object };
      if (Object.keys(presences).length >= calls.length - 1) return body;
    }
  } finally {
    connection.close();
  }
}

async function measure({ address }: Server, calls: readonly Call[], { quick }: Settings): Promise<Run> {
  const requests = upTo(AT_ONCE).map((connection) =>
    calls.filter((_, index) => index % AT_ONCE === connection).map((call) => requestBytes(address, call)),
  );
  const { rate, p50, p99 } = await runLoad('closedLoop', {
    address,
    requests: requests.filter((own) => own.length > 0),
    ...spanOf({ quick }, { warmUp: 1.5, seconds: 4 }),
    countBodies: true,
  });
  return { rate, p50, p99 };
}

function row(people: number, heddleRuns: readonly Run[], floorRuns: readonly Run[], bytes: number): Row {
  const heddle = summarize(heddleRuns);
  const floor = summarize(floorRuns);
  const ratio = quotient(heddle.rate, floor.rate);
  const isJudged = people === JUDGED && ratio !== null;
  return {
    name: 'presence',
    size: `${people} users`,
    unit: 'reports/s',
    heddle,
    floor,
    ratio,
    goal: people === JUDGED ? '≥ 0.4' : '',
    met: isJudged ? ratio >= 0.4 : null,
    notes: [`a response has ${Math.round(bytes / 1024)} KB`],
  };
}
