import type { Server } from '../harness/floor.ts';
import { runLoad } from '../harness/generator.ts';
import { channelName } from '../harness/population.ts';
import { quotient, type Run, summarize } from '../harness/result.ts';
import { openSite, upTo } from '../harness/site.ts';
import { alternate } from '../harness/statistics.ts';
import { type Answer, type Call, call, type Login, numberField, requestBytes, textField } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf, spanOf } from './benchmark.ts';

const ALERTS = 3;

/** `size` services report alerts to webhooks of bots with different owners. In place of a floor, the same bots send the same texts as messages. */
export const webhooks: Benchmark = {
  name: 'webhooks',
  about: 'posts to incoming webhooks per second, beside plain sends of the same bots; size: concurrent services',
  async run(settings) {
    const sizes = sizesOf(settings, [8, 32], [4]);
    const people = Math.max(...sizes);
    const site = await openSite({ people, channels: [{ first: 0, count: people }] });
    try {
      return await inTurn(sizes, async (size) => {
        settings.progress(`webhooks: ${size} services`);
        const owners = await site.logins(upTo(size));
        const bots = await inTurn(owners, (login) => newBot(site.server, login, `${owners.indexOf(login)}-${size}`));
        const runs = await alternate(
          settings.repeats,
          () => measure(site.server, bots.map(post), settings),
          () => measure(site.server, bots.map(send), settings),
        );
        const [heddle, floor] = [summarize(runs.left), summarize(runs.right)];
        return {
          name: 'webhooks',
          size: `${size} services`,
          unit: 'posts/s',
          heddle,
          floor,
          ratio: quotient(heddle.rate, floor.rate),
          goal: '',
          met: null,
          notes: ['the other side are plain sends of Heddle'],
        };
      });
    } finally {
      await site.close();
    }
  },
};

async function newBot(server: Server, login: Login, name: string): Promise<Login> {
  const parameters = { full_name: `Bot ${name}`, short_name: `bot-${name}`, bot_type: '1' };
  const answer = await call(server.address, { method: 'POST', path: '/bots', login, parameters });
  const path = `/users/${numberField(answer, 'user_id')}`;
  const { user } = await call(server.address, { method: 'GET', path, login });
  return { email: textField(user as Answer, 'email'), apiKey: textField(answer, 'api_key') };
}

/** What Alertmanager reports, as a form, because the requests of benchmarks are forms. */
function post({ apiKey }: Login, bot: number): Call {
  const alerts = upTo(ALERTS).map((index) => ({
    status: 'firing',
    labels: { alertname: `Disk ${bot}`, severity: 'warning', instance: `node-${index}` },
    annotations: { description: `The disk of node ${index} is almost full: 91 % of 512 GB are in use.` },
    generatorURL: `https://example.com/graph/${bot}/${index}`,
  }));
  const query = new URLSearchParams({ api_key: apiKey, stream: channelName(0), topic: `topic ${bot % 5}` });
  return {
    method: 'POST',
    path: `/external/alertmanager?${query}`,
    parameters: { payload: JSON.stringify({ status: 'firing', alerts }) },
  };
}

function send(login: Login, bot: number): Call {
  const lines = upTo(ALERTS).map(
    (index) =>
      `* [The disk of node ${index} is almost full: 91 % of 512 GB are in use.](https://example.com/graph/${bot}/${index})`,
  );
  const content = `🚨 **FIRING**\n${lines.join('\n')}`;
  const parameters = { type: 'channel', to: channelName(0), topic: `topic ${bot % 5}`, content };
  return { method: 'POST', path: '/messages', login, parameters };
}

async function measure({ address }: Server, calls: readonly Call[], settings: Settings): Promise<Run> {
  const { rate, p50, p99 } = await runLoad('closedLoop', {
    address,
    requests: calls.map((own) => [requestBytes(address, own)]),
    ...spanOf(settings, { warmUp: 1, seconds: 4 }),
    countBodies: false,
  });
  return { rate, p50, p99 };
}
