/** Data exports as tests read them. */
import assert from 'node:assert/strict';
import { fromBufferPromise } from 'yauzl';
import type { Manifest } from '../../features/data-export/manifest.ts';
import type { TestClient } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';
import { open } from '../clients/user-files.ts';
import type { TestServer } from './server.ts';

export interface Exported {
  readonly manifest: Manifest;
  readonly entries: ReadonlyMap<string, Buffer>;
  /** The rows of a table. */
  rows(table: string): readonly Json[];
  /** All entries as one text. */
  readonly text: string;
}

/** Requests an export and returns its archive. */
export async function madeExport(
  { app }: Pick<TestServer, 'app'>,
  administrator: TestClient,
  type: 1 | 2,
): Promise<Exported> {
  const { id } = await administrator.ok('POST', '/export/realm', { export_type: type });
  await app.jobs.settled();
  return downloaded(administrator, id);
}

/** Downloads the archive of a complete export. */
export async function downloaded(administrator: TestClient, id: number): Promise<Exported> {
  const { exports } = await administrator.ok('GET', '/export/realm');
  const { export_url: url } = exports.find((one: Json) => one.id === id);
  assert(url !== null, 'the export has an archive');
  const response = await open('', administrator, url);
  assert.equal(response.status, 200);
  const entries = await unzipped(Buffer.from(await response.arrayBuffer()));
  const textOf = (path: string) => (entries.get(path) ?? assert.fail(`there is no ${path}`)).toString();
  return {
    entries,
    manifest: JSON.parse(textOf('manifest.json')),
    rows: (table) => {
      const lines = textOf(`${table}.jsonl`).split('\n');
      assert.equal(lines.pop(), '');
      return lines.map((line) => JSON.parse(line));
    },
    text: [...entries].map(([path, content]) => `${path}\n${content}`).join('\n'),
  };
}

async function unzipped(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const content = await zip.openReadStreamPromise(entry); // wire name: yauzl's
    entries.set(entry.fileName, Buffer.concat(await content.toArray()));
  }
  return entries;
}
