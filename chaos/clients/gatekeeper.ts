/** A client that gives a reader access to a private channel, takes it away, and sends messages before and after each change. */
import { ask, type Clients, type Person, pause, RETRY_PAUSE_MS } from './scene.ts';

const PAUSE_MS = 700;

interface Gate {
  readonly channel: string;
  readonly id: number;
  readonly reader: Person;
}

/** Changes access until the signal. A change without an outcome can take effect at any time, so the next channel follows it. */
export async function keepGates(clients: Clients, owner: Person, readers: readonly Person[]): Promise<void> {
  for (let number = 1; !clients.sending.aborted; number += 1) {
    const channel = `gate ${number}`;
    const { request, body } = await ask(clients, owner, {
      method: 'POST',
      path: '/channels/create',
      fields: { name: channel, subscribers: [owner.userId], invite_only: true },
    });
    clients.recorder.add({ kind: 'other', client: owner.name, what: 'creation of a channel', ...request });
    const reader = clients.random.pick(readers);
    if (reader === undefined || request.outcome !== 'acknowledged') await pause(clients, RETRY_PAUSE_MS);
    else await keepGate(clients, owner, { channel, id: body.id, reader });
  }
}

/** Changes access to one channel, until a change has no certain outcome. */
async function keepGate(clients: Clients, owner: Person, gate: Gate): Promise<void> {
  for (let number = 1; !clients.sending.aborted; number += 1) {
    const grants = number % 2 === 1;
    const { channel, reader } = gate;
    const path = '/users/me/subscriptions';
    const principals = [reader.userId];
    const { request } = await ask(
      clients,
      owner,
      grants
        ? { method: 'POST', path, fields: { subscriptions: [{ name: channel }], principals } }
        : { method: 'DELETE', path, fields: { subscriptions: [channel], principals } },
    );
    clients.recorder.add({ kind: 'access', client: owner.name, ...request, reader: reader.name, channel, grants });
    if (request.outcome !== 'acknowledged') return;
    for (const part of ['first', 'second']) {
      await sendTo(clients, owner, gate, `${channel} ${number} ${part}`);
      await pause(clients, PAUSE_MS);
    }
  }
}

async function sendTo(clients: Clients, owner: Person, { channel, id: to }: Gate, content: string): Promise<void> {
  const fields = { type: 'channel', to, topic: 'warp', content };
  const { request, body } = await ask(clients, owner, { method: 'POST', path: '/messages', fields });
  const id: number | undefined = body.id;
  clients.recorder.add({
    kind: 'send',
    client: owner.name,
    ...request,
    ...{ channel, content, readers: [owner.name] },
    ...(id !== undefined && { id }),
  });
}
