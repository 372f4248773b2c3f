import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { answer, floorSettings, serveFloor } from './floor-server.ts';

// `upload` and `download`: bodies go to the disk as they come, and files from there. Nobody is authenticated, no form is read. What is
// durable is what Heddle's disk must keep: the bytes, and the directory that names the file. Whose it is Heddle writes down besides, which
// is a part of what it is measured for.

export interface TransferFloorSettings {
  readonly directory: string;
}

const { directory } = floorSettings<TransferFloorSettings>();
let made = 0;

serveFloor(async (request, response) => {
  const url = request.url ?? '';
  if (request.method === 'POST') {
    const name = `${made++}`;
    // `flush`: synced before it is closed.
    await pipeline(request, createWriteStream(join(directory, name), { flush: true }));
    const named = await open(directory);
    await named.sync();
    await named.close();
    answer(response, `{"result":"success","msg":"","url":"/${name}?${new URL(url, 'http://floor').searchParams}"}`);
    return;
  }
  const { pathname, searchParams } = new URL(url, 'http://floor');
  const path = join(directory, pathname);
  // The form's own bytes around the file are no part of it.
  const start = Number(searchParams.get('before'));
  const size = (await stat(path)).size - start - Number(searchParams.get('after'));
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
  await pipeline(createReadStream(path, { start, end: start + size - 1 }), response);
});
