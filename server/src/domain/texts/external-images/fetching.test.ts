import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { Networks, resolver } from '../../../outbound/networks.ts';
import { until } from '../../../testing/server/until.ts';
import { TestImageServer } from '../../../testing/services/image-server.ts';
import { startNameServer } from '../../../testing/services/name-server.ts';
import { ImageFetcher, MAX_IMAGE_BYTES, NoImageError } from './fetching.ts';

let server: TestImageServer;
let png: Buffer;
before(async () => {
  server = await TestImageServer.start();
  png = await image().png().toBuffer();
});
after(() => server.stop());

function image() {
  return sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } });
}

function fetcher(allowed = ['127.0.0.1'], nameServers?: readonly string[], timeoutMilliseconds = 60_000): ImageFetcher {
  return new ImageFetcher({ networks: new Networks(allowed), resolve: resolver(nameServers), timeoutMilliseconds });
}

/** Returns the reason why there is no image. Fails if there is one. */
async function refusal(url: string, fetching = fetcher()): Promise<string> {
  const error = await fetching.fetch(url).then(
    ({ contentType }) => assert.fail(`the fetch returned an image: ${contentType}`),
    (thrown: unknown) => thrown,
  );
  assert(error instanceof NoImageError, String(error));
  return error.cause instanceof Error && error.message !== 'timeout' ? error.cause.name : error.message;
}

describe('accepted images', () => {
  test('have a format that browsers show, and get the content type of their bytes', async () => {
    for (const [type, bytes] of [
      ['image/png', png],
      ['image/jpeg', await image().jpeg().toBuffer()],
      ['image/gif', await image().gif().toBuffer()],
      ['image/webp', await image().webp().toBuffer()],
      ['image/avif', await image().avif().toBuffer()],
    ] as const) {
      // The other server may declare a wrong image type.
      const fetched = await fetcher().fetch(server.serveImage('/a.png', bytes, 'image/x-anything'));
      assert.deepEqual([fetched.contentType, fetched.bytes], [type, bytes]);
    }
  });

  test('are requested without cookies, credentials and user data', async () => {
    let headers: Record<string, unknown> = {};
    const url = server.serve('/headers.png', (request, response) => {
      headers = request.headers;
      response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    });
    await fetcher().fetch(url.replace('//', '//somebody:secret@'));
    assert.deepEqual(Object.keys(headers).sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  });

  test('follow three redirects, also relative ones, but not four', async () => {
    server.serveImage('/end.png', png, 'image/png');
    server.redirect('/3', 'end.png', 303);
    server.redirect('/2', '/3', 307);
    const third = server.redirect('/1', `http://127.0.0.1:${server.port}/2`, 308);
    const fourth = server.redirect('/0', '/1', 301);
    assert.equal((await fetcher().fetch(third)).contentType, 'image/png');
    assert.equal(await refusal(fourth), 'too many redirects');
    assert.equal(await refusal(server.redirect('/loop', '/loop')), 'too many redirects');
  });
});

describe('refused fetches', () => {
  const ELSEWHERE = [
    'http://127.0.0.2/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0x7f000002/',
    'http://224.0.0.1/',
    'https://192.168.0.1/',
  ];

  test('of private, loopback, link-local and multicast addresses, in every notation', async () => {
    for (const url of ELSEWHERE) assert.equal(await refusal(`${url}a.png`), 'ForbiddenAddressError', url);
    const { length } = server.asked;
    for (const host of ['127.0.0.1', 'localhost', '127.1', '2130706433', '[::ffff:127.0.0.1]']) {
      assert.equal(await refusal(`http://${host}:${server.port}/a.png`, fetcher([])), 'ForbiddenAddressError', host);
    }
    assert.equal(server.asked.length, length);
  });

  // rules: files-10
  test('of redirects to such addresses', async () => {
    for (const [index, url] of ELSEWHERE.entries()) {
      assert.equal(await refusal(server.redirect(`/to-${index}`, url)), 'ForbiddenAddressError', url);
    }
    // A redirect to the loopback address from a server elsewhere.
    const names = await startNameServer(() => ['127.0.0.1']);
    const target = server.serveImage('/secret.png', png, 'image/png');
    const alias = `http://images.example.com:${server.port}`;
    server.redirect('/from-outside', target.replace('127.0.0.1', '127.0.0.3'));
    const asked = server.asked.length;
    assert.equal(
      await refusal(`${alias}/from-outside`, fetcher(['127.0.0.1'], [names.address])),
      'ForbiddenAddressError',
    );
    assert.deepEqual(server.asked.slice(asked), ['/from-outside']);
    await names.stop();
  });

  test('of names that resolve to such addresses, also if only the second lookup does', async () => {
    const names = await startNameServer(() => ['10.0.0.1']);
    const inside = 'http://inside.example.com/a.png';
    assert.equal(await refusal(inside, fetcher(['127.0.0.1'], [names.address])), 'ForbiddenAddressError');
    await names.stop();
    const rebinding = await startNameServer((question) => (question === 0 ? ['127.0.0.1'] : ['10.0.0.1']));
    const fetching = fetcher(['127.0.0.1'], [rebinding.address]);
    server.redirect('/again', `http://rebinding.example.com:${server.port}/a.png`);
    const asked = server.asked.length;
    assert.equal(await refusal(`http://rebinding.example.com:${server.port}/again`, fetching), 'ForbiddenAddressError');
    assert.deepEqual([rebinding.asked, server.asked.length - asked], [2, 1]);
    await rebinding.stop();
  });

  test('of other URL schemes, also behind a redirect', async () => {
    for (const url of ['ftp://127.0.0.1/a.png', 'file:///etc/passwd', 'data:image/png;base64,AA==', 'a.png', '']) {
      assert.equal(await refusal(url), 'no web address', url);
    }
    assert.equal(await refusal(server.redirect('/to-file', 'file:///etc/passwd')), 'no web address');
    assert.equal(await refusal(`http://127.0.0.1:22/a.png`), 'ForbiddenAddressError');
  });

  test('of bodies beyond the size limit, with and without a content length', async () => {
    const piece = Buffer.concat([png, Buffer.alloc(256 * 1024)]);
    const url = server.serve('/endless.png', (request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      const more = () => {
        while (!request.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    });
    assert.equal(await refusal(url), 'too large');
    const said = server.serve('/said.png', (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': MAX_IMAGE_BYTES + 1 }).write(png);
    });
    assert.equal(await refusal(said), 'too large');
  });

  test('from a slow server: in its headers, in its body, byte by byte', async () => {
    const fetching = fetcher(['127.0.0.1'], undefined, 300);
    const silent = server.serve('/silent.png', () => undefined);
    const dripping = server.serve('/dripping.png', (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).write(png.subarray(0, 20));
      const drip = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(drip));
    });
    for (const url of [silent, dripping, server.redirect('/slow', '/silent.png')]) {
      assert.equal(await refusal(url, fetching), 'timeout', url);
    }
    const names = await startNameServer(() => []);
    const unresolved = fetcher([], [names.address], 300);
    assert.equal(await refusal('http://slow.example.com/a.png', unresolved), 'timeout');
    await names.stop();
  });

  test('with an error status, another content type, or a compressed body', async () => {
    const status = server.serve('/500.png', (_, response) =>
      response.writeHead(500, { 'content-type': 'image/png' }).end(png),
    );
    assert.equal(await refusal(status), 'status 500');
    assert.equal(await refusal(server.serveImage('/page.png', png, 'text/html')), 'no image, or a compressed one');
    const packed = server.serve('/packed.png', (_, response) =>
      response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' }).end(png),
    );
    assert.equal(await refusal(packed), 'no image, or a compressed one');
  });

  test('of content that is not a raster image, whatever its declared type', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const tiff = await image().tiff().toBuffer();
    for (const [name, bytes] of Object.entries({
      svg,
      tiff,
      html: Buffer.from('<!doctype html><script>alert(1)</script>'),
      empty: Buffer.alloc(0),
      broken: Buffer.concat([png.subarray(0, 8), Buffer.alloc(100)]),
      pdf: Buffer.from('%PDF-1.7'),
    })) {
      assert.equal(await refusal(server.serveImage(`/${name}.png`, bytes, 'image/png')), 'ApiError', name);
    }
    assert.equal(await refusal(server.serveImage('/a.svg', svg, 'image/svg+xml')), 'ApiError');
  });

  test('of images that are huge when decoded', async () => {
    const url = server.serveImage('/bomb.png', bomb(100_000, 100_000), 'image/png');
    assert.equal(await refusal(url), 'ApiError');
    assert.equal(
      (await fetcher().fetch(server.serveImage('/large.png', bomb(7000, 7000), 'image/png'))).contentType,
      'image/png',
    );
  });

  test('leave no connection open', async () => {
    await until(() => server.connections === 0, 'all connections to be closed');
  });
});

/** A PNG whose header claims a size. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
