import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { answer, floorSettings, serveFloor } from './floor-server.ts';

// `upload` and `download`: the floor writes bodies to the disk and reads files from it, without authentication and without parsing forms. It
// syncs the bytes and the directory entry of a file, like Heddle. Heddle also stores the owner, which is part of the measured work.

export interface TransferFloorSettings {
  readonly directory: string;
}

const { directory } = floorSettings<TransferFloorSettings>();
let made = 0;

serveFloor(async (request, response) => {
  const url = request.url ?? '';
  if (request.method === 'POST') {
    const name = `${made++}`;
    // `flush` syncs the file before it is closed.
    await pipeline(request, createWriteStream(join(directory, name), { flush: true }));
    const named = await open(directory);
    await named.sync();
    await named.close();
    answer(response, `{"result":"success","msg":"","url":"/${name}?${new URL(url, 'http://floor').searchParams}"}`);
    return;
  }
  const { pathname, searchParams } = new URL(url, 'http://floor');
  const path = join(directory, pathname);
  // Excludes the bytes of the form around the file.
  const start = Number(searchParams.get('before'));
  const size = (await stat(path)).size - start - Number(searchParams.get('after'));
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
  await pipeline(createReadStream(path, { start, end: start + size - 1 }), response);
});
