/** The people of a run, what they do, and what they find at its end. */
import { newAccount, ownerAccount } from '@heddle/server/testing/faults/command-line-accounts.ts';
import type { Random } from '@heddle/server/testing/random/random.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import type { Recorder } from '../history/recorder.ts';
import { type Message, ofKind } from '../history/records.ts';
import { BALANCER, type Cluster, PASSWORD } from '../processes/cluster.ts';
import { call, type Place } from './calls.ts';
import { follow } from './follower.ts';
import { keepGates } from './gatekeeper.ts';
import { guess } from './guesser.ts';
import { mailCounts, plan } from './planner.ts';
import { read } from './reader.ts';
import { type Clients, type Person, pause, RETRY_PAUSE_MS } from './scene.ts';
import { messagesIn, send, talk } from './talker.ts';

const TALKERS = ['ada', 'ben', 'cleo', 'dora', 'emil', 'fay'];
const CHANNELS = ['loom', 'shed'];
const FAREWELL = 'farewell';

/** Of `GET /messages`. */
const PAGE_SIZE_MESSAGES = 1_000;

export interface RunningClients {
  /** Ends all clients, and records what is stored. */
  finish(): Promise<void>;
}

/** Creates the accounts and channels, and starts the clients. */
export async function startClients(cluster: Cluster, recorder: Recorder, random: Random): Promise<RunningClients> {
  const places: readonly Place[] = [{ name: BALANCER, url: cluster.balancerUrl }, ...cluster.nodes];
  const people = await createPeople(cluster);
  const { owner, planner, follower, talkers } = people;
  const all = [owner, planner, follower, ...talkers];
  const [sending, reading] = [new AbortController(), new AbortController()];
  const [first] = cluster.nodes;
  if (first === undefined) throw new Error('a cluster has processes');
  const channels = new Map<string, number>();
  for (const name of CHANNELS) {
    const fields = { name, subscribers: all.map(({ userId }) => userId) };
    const { body } = await call(recorder, first, owner, { method: 'POST', path: '/channels/create', fields });
    channels.set(name, body.id);
  }
  const clients: Clients = {
    ...{ recorder, random, places, channels },
    readers: all.map(({ name }) => name),
    ...{ sending: sending.signal, reading: reading.signal },
  };
  const readers = [...talkers.map((person) => read(clients, person)), read(clients, owner), follow(clients, follower)];
  const senders = [
    ...talkers.map((person) => talk(clients, person)),
    keepGates(clients, owner, talkers),
    plan(clients, planner),
    guess(clients, talkers),
  ];
  const failed = Promise.all([...readers, ...senders]);
  failed.catch(() => undefined);
  return {
    async finish() {
      sending.abort();
      await Promise.all(senders);
      await untilPlannedIsDone(clients, owner, cluster).catch(() => undefined);
      await sayFarewell(clients, owner);
      await untilFarewellIsRead(clients, [...talkers, owner]).catch(() => undefined);
      reading.abort();
      await Promise.all(readers);
      await recordFindings(clients, owner, cluster);
    },
  };
}

async function createPeople(cluster: Cluster) {
  const urls = cluster.nodes.map(({ url }) => url);
  const servers = { environment: cluster.environment, urls };
  const create = async (name: string, ...more: readonly string[]): Promise<Person> => ({
    ...(await newAccount(servers, name, ...more)),
    name,
  });
  const owner = { ...(await ownerAccount(urls[0] ?? '', PASSWORD)), name: 'owner' };
  const planner = await create('planner', '--role', 'administrator');
  const follower = await create('follower');
  const talkers: Person[] = [];
  for (const name of TALKERS) talkers.push(await create(name));
  return { owner, planner, follower, talkers };
}

/** All messages that the owner can read at a process, the oldest first. */
async function allMessages(clients: Clients, owner: Person, place: Place): Promise<readonly Message[]> {
  const found: Message[] = [];
  await until(async () => {
    const fields = {
      anchor: found.at(-1)?.id ?? 0,
      ...{ include_anchor: false, num_before: 0, num_after: PAGE_SIZE_MESSAGES, apply_markdown: false },
    };
    const { request, body } = await call(clients.recorder, place, owner, { method: 'GET', path: '/messages', fields });
    if (request.outcome !== 'acknowledged') return false;
    found.push(...messagesIn(body));
    return body.found_newest;
  }, `all messages at ${place.name}`);
  return found;
}

async function untilPlannedIsDone(clients: Clients, owner: Person, cluster: Cluster): Promise<void> {
  const [, place] = clients.places;
  if (place === undefined) return;
  const planned = ofKind(clients.recorder.history, 'planned').filter(({ outcome }) => outcome === 'acknowledged');
  await until(async () => {
    const counts = await countsOfJobs(await allMessages(clients, owner, place), cluster);
    await pause(clients, RETRY_PAUSE_MS);
    return planned.every(({ name }) => (counts.get(name) ?? 0) > 0);
  }, 'all planned work');
}

async function countsOfJobs(messages: readonly Message[], cluster: Cluster): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(mailCounts(cluster.environment.HEDDLE_DATA_DIR ?? ''));
  for (const { content } of messages) counts.set(content, (counts.get(content) ?? 0) + 1);
  return counts;
}

/** A queue that has received this has passed everything else. */
async function sayFarewell(clients: Clients, owner: Person): Promise<void> {
  const [[channel, id] = ['', 0]] = clients.channels;
  await until(() => send(clients, owner, { channel, id, content: FAREWELL }), 'the last message');
}

async function untilFarewellIsRead(clients: Clients, people: readonly Person[]): Promise<void> {
  await until(() => {
    const polls = ofKind(clients.recorder.history, 'poll');
    const hasRead = new Set(
      polls
        .filter(({ events }) => events.some(({ message }) => message?.content === FAREWELL))
        .map(({ client }) => client),
    );
    return people.every(({ name }) => hasRead.has(name));
  }, 'all readers to read the last message');
}

async function recordFindings(clients: Clients, owner: Person, cluster: Cluster): Promise<void> {
  const { recorder } = clients;
  let messages: readonly Message[] = [];
  for (const place of cluster.nodes) {
    messages = await allMessages(clients, owner, place);
    recorder.add({ kind: 'stored', at: place.name, messages });
  }
  const counts = await countsOfJobs(messages, cluster);
  for (const { name } of ofKind(recorder.history, 'planned'))
    recorder.add({ kind: 'done', name, times: counts.get(name) ?? 0 });
  const rows = await cluster.databases.primary.query<{ id: string }>('SELECT id FROM events ORDER BY id');
  recorder.add({ kind: 'logged', ids: rows.map(({ id }) => Number(id)) });
}
