import assert from 'node:assert/strict';
import type { TestClient } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';
import { tryUpload } from '../clients/user-files.ts';
import { fc } from '../random/property.ts';

/**
 * A user uploads a file and links it in a message to themselves, links one again, or deletes one. Files are given by
 * number, the newest first.
 */
export interface Filing {
  readonly do: 'file' | 'show file' | 'unfile';
  readonly who: number;
  readonly which: number;
}

export function filing(who: fc.Arbitrary<number>): fc.Arbitrary<Filing> {
  return fc.record({
    do: fc.constantFrom('file' as const, 'show file' as const, 'show file' as const, 'unfile' as const),
    who,
    which: fc.nat({ max: 2 }),
  });
}

/** Performs the operation. Ignores refusals. */
export async function performFiling({ do: what, which }: Filing, url: string, person: TestClient): Promise<void> {
  if (what === 'file') {
    await tryUpload(url, person, 'a file');
    return;
  }
  const { body } = await person.call('GET', '/attachments');
  const file = body.attachments?.[which];
  if (what === 'unfile') await person.call('DELETE', `/attachments/${file?.id ?? 0}`);
  else {
    const content = `[file](/user_uploads/${file?.path_id ?? 0})`;
    await person.call('POST', '/messages', { type: 'direct', to: [person.userId], content });
  }
}

/** The files of the user that a client knows from events. */
export class KnownFiles {
  readonly #files = new Map<number, Json>();
  readonly #gone = new Set<number>();

  apply({ op, attachment }: Json): void {
    if (op === 'add') assert(!this.#files.has(attachment.id), 'a file was added twice');
    if (op !== 'remove') this.#files.set(attachment.id, attachment);
    else {
      this.#files.delete(attachment.id);
      this.#gone.add(attachment.id);
    }
  }

  /** Compares the known files with those that the server lists. */
  async compare(client: TestClient): Promise<void> {
    if (this.#files.size === 0 && this.#gone.size === 0) return;
    const { attachments } = await client.ok('GET', '/attachments');
    const listed = new Map<number, Json>(attachments.map((one: Json) => [one.id, one]));
    for (const [id, file] of this.#files) assert.deepEqual(file, listed.get(id));
    for (const id of this.#gone) assert(!listed.has(id), 'a file that is gone is listed');
  }
}
