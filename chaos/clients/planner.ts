/** A client that plans what happens later: scheduled messages, and mails by invitations. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, type Clients, type Person, pause } from './scene.ts';

const PAUSE_MS = 2_000;

/** A scheduled message is due after so long. A request that takes longer is refused. */
const DELAY_SECONDS = 4;

/** Plans until the signal. */
export async function plan(clients: Clients, person: Person): Promise<void> {
  const [to] = clients.channels.values();
  for (let number = 1; !clients.sending.aborted; number += 1) {
    const name = `planned ${number}`;
    const due = Math.floor(Date.now() / 1_000) + DELAY_SECONDS;
    const scheduled = await ask(clients, person, {
      method: 'POST',
      path: '/scheduled_messages',
      fields: { type: 'channel', to, topic: 'later', content: name, scheduled_delivery_timestamp: due },
    });
    const { recorder } = clients;
    recorder.add({ kind: 'planned', client: person.name, ...scheduled.request, job: 'scheduled message', name });
    const address = `guest${number}@example.com`;
    const invited = await ask(clients, person, {
      method: 'POST',
      path: '/invites',
      fields: { invitee_emails: address, stream_ids: [to] },
    });
    recorder.add({ kind: 'planned', client: person.name, ...invited.request, job: 'mail', name: address });
    await pause(clients, PAUSE_MS);
  }
}

/** How many mails each address got. Without a mail server, mails are files. */
export function mailCounts(dataDirectory: string): ReadonlyMap<string, number> {
  const directory = join(dataDirectory, 'mail');
  const counts = new Map<string, number>();
  for (const name of readdirSync(directory)) {
    const [, address] = /^To: .*?([\w.]+@example\.com)/im.exec(readFileSync(join(directory, name), 'utf8')) ?? [];
    if (address !== undefined) counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return counts;
}
