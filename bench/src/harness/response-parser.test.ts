import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ParsedResponse, ResponseParser } from './response-parser.ts';

const answers: Record<string, { wire: string; status: number; body: string }> = {
  'a body with a length': {
    wire: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello',
    status: 200,
    body: 'hello',
  },
  'an empty body': { wire: 'HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n', status: 400, body: '' },
  'no body': { wire: 'HTTP/1.1 204 No Content\r\n\r\n', status: 204, body: '' },
  'a chunked body': {
    wire: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\n, my world\r\n0\r\n\r\n',
    status: 200,
    body: 'hello, my world',
  },
};

for (const [name, { wire, status, body }] of Object.entries(answers)) {
  test(`${name} is read wherever the wire is cut, twice on one connection`, () => {
    for (let size = 1; size <= wire.length; size++) {
      const parser = new ResponseParser('keep');
      for (let turn = 0; turn < 2; turn++) {
        const responses: ParsedResponse[] = [];
        for (let at = 0; at < wire.length; at += size) {
          const response = parser.push(Buffer.from(wire.slice(at, at + size)));
          if (response !== null) responses.push(response);
        }
        assert.equal(responses.length, 1);
        assert.equal(responses[0]?.status, status);
        assert.equal(responses[0]?.head, wire.slice(0, wire.indexOf('\r\n\r\n')));
        assert.equal(responses[0]?.body.toString(), body);
        assert.equal(responses[0]?.bodyBytes, body.length);
      }
    }
  });
}

test('a counting parser keeps no bytes', () => {
  const response = new ResponseParser('count').push(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'));
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5';
  assert.deepEqual(response, { status: 200, head, body: Buffer.alloc(0), bodyBytes: 5 });
});

test('bytes after a response and invalid responses are errors', () => {
  assert.throws(() => new ResponseParser('keep').push(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc')));
  assert.throws(() => new ResponseParser('keep').push(Buffer.from('SSH-2.0-x\r\n\r\n')));
});
