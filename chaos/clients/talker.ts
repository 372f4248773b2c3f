/** A client that sends messages, reads the newest ones, and changes small things. */
import type { Json } from '@heddle/server/testing/clients/json.ts';
import type { Message } from '../history/records.ts';
import { ask, askOther, type Clients, type Person, pause } from './scene.ts';

/** Below the limit of 200 requests a minute, also with the retries of a minute without responses. */
const PAUSE_MS = 600;

/** So many newest messages. */
const MAX_READ_MESSAGES = 50;

/** `newest` is read from the primary. A page before a message may come from a standby, and before this one it has the same messages. */
const ANCHORS = ['newest', '1000000000'];

/** A read or a change comes after so many messages. */
const MESSAGES_PER_READ = 4;

/** Talks until the signal. */
export async function talk(clients: Clients, person: Person): Promise<void> {
  for (let number = 1; !clients.sending.aborted; number += 1) {
    const [channel, id] = clients.random.pick([...clients.channels]) ?? ['', 0];
    const sent = await send(clients, person, { channel, id, content: `${person.name} ${number}` });
    if (number % MESSAGES_PER_READ === 0) await readNewest(clients, person, channel, id);
    if (number % MESSAGES_PER_READ === 2) await change(clients, person, number, sent);
    await pause(clients, PAUSE_MS);
  }
}

interface Target {
  readonly channel: string;
  readonly id: number;
  readonly content: string;
}

/** Sends a message that all people can read. Returns its id if it was acknowledged. */
export async function send(
  clients: Clients,
  person: Person,
  { channel, id: to, content }: Target,
): Promise<number | undefined> {
  const fields = { type: 'channel', to, topic: 'warp', content };
  const { request, body } = await ask(clients, person, { method: 'POST', path: '/messages', fields });
  const id: number | undefined = body.id;
  const { readers } = clients;
  clients.recorder.add({
    kind: 'send',
    client: person.name,
    ...request,
    ...{ channel, content, readers },
    ...(id !== undefined && { id }),
  });
  return id;
}

async function readNewest(clients: Clients, person: Person, channel: string, id: number): Promise<void> {
  const fields = {
    anchor: clients.random.pick(ANCHORS) ?? '',
    num_before: MAX_READ_MESSAGES,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'channel', operand: id }],
  };
  const { request, body } = await ask(clients, person, { method: 'GET', path: '/messages', fields });
  clients.recorder.add({ kind: 'read', client: person.name, ...request, channel, messages: messagesIn(body) });
}

/** The messages of a response of `GET /messages`. */
export function messagesIn({ messages = [] }: Json): readonly Message[] {
  return messages.map((message: Json) => ({
    id: message.id,
    channel: message.display_recipient,
    content: message.content,
  }));
}

async function change(clients: Clients, person: Person, number: number, messageId: number | undefined): Promise<void> {
  const { random } = clients;
  const changes = [
    { what: 'status', method: 'POST', path: '/users/me/status', fields: { status_text: `weaving ${number}` } },
    ...(messageId === undefined
      ? []
      : [
          {
            what: 'star',
            method: 'POST',
            path: '/messages/flags',
            fields: { messages: [messageId], op: 'add', flag: 'starred' },
          },
          {
            what: 'reaction',
            method: 'POST',
            path: `/messages/${messageId}/reactions`,
            fields: { emoji_name: 'tada' },
          },
        ]),
  ];
  const chosen = random.pick(changes);
  if (chosen !== undefined) await askOther(clients, person, chosen.what, chosen);
}
