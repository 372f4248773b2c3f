/** Recorded requests that show how the messages of an integration look. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Integration } from './integration.ts';

type Headers = Readonly<Record<string, string>>;

interface Sample {
  /** By their names in lower case. */
  readonly headers: Headers;
  /** JSON. */
  readonly body: string;
}

/** The folder of the recorded requests of the integration with this name. */
export function payloadsOf(integration: string): string {
  return join(import.meta.dirname, 'integrations', integration, 'payloads');
}

/** The headers of its recorded requests that name events, by the names of the requests. */
export async function headersOf(integration: string): Promise<Readonly<Record<string, Headers>>> {
  try {
    return JSON.parse(await readFile(join(payloadsOf(integration), 'headers.json'), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

/** What the other service sends about the event that `gallery.sample` names. */
export async function sampleOf({ name, gallery }: Integration): Promise<Sample> {
  const [body, headers] = await Promise.all([
    readFile(join(payloadsOf(name), `${gallery.sample}.json`), 'utf8'),
    headersOf(name),
  ]);
  return { headers: headers[gallery.sample] ?? {}, body };
}
