import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { exchange, startSample } from '../testing/server/sample-server.ts';

const sample = await startSample();
after(() => sample.server.stop(1000));

test('no malformed request causes a 500', async () => {
  const requests: readonly (string | Buffer)[] = [
    'GET /api/v1/users/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /api/v1/users/%ff%fe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /api/v1/users/%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /api/v1/users/1?%zz=%zz&%ff=%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /api/v1/users/99999999999999999999 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    `GET /api/v1/users/${'x'.repeat(3000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GET /api/v1/users/1 HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    'GET /api/v1/users/1 HTTP/1.1\r\nConnection: close\r\n\r\n',
    'GET //api/v1/users/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET http://[/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'PROPFIND /api/v1/users/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: ;;;\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b',
    'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b',
    Buffer.concat([
      Buffer.from(
        'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\nConnection: close\r\n\r\nusername=',
      ),
      Buffer.from([0xff, 0x00, 0xfe]),
    ]),
    'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b',
    'nonsense\r\n\r\n',
    Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03]),
  ];
  for (const request of requests) {
    const received = await exchange(sample.port, request);
    const shown = request.toString('latin1').slice(0, 120);
    assert.match(received, /^HTTP\/1\.1 (200|302|4\d\d) /, `${shown}\n→ ${received.slice(0, 200)}`);
  }
});

test('malformed HTTP gets an error in JSON', async () => {
  const received = await exchange(sample.port, 'nonsense\r\n\r\n');
  assert.match(received, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(received, /"code":"BAD_REQUEST"/);
  const overflow = await exchange(sample.port, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
  assert.match(overflow, /^HTTP\/1\.1 431 /);
  assert.match(overflow, /"code":"HEADERS_TOO_LARGE"/);
});
