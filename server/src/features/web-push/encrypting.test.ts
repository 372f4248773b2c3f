import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { test } from 'node:test';
import { MAX_WEB_PUSH_PAYLOAD_BYTES } from '@heddle/api/objects/web-push-payload.ts';
import { encryptFor, parseAuthSecret, parseBrowserKey } from './encrypting.ts';
import { VapidIdentity } from './identity.ts';

/** RFC 8291, section 5 and appendix A. */
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  publicKey: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  authSecret: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

const bytes = (text: string) => Buffer.from(text, 'base64url');
const keys = () => ({ publicKey: bytes(EXAMPLE.publicKey), authSecret: bytes(EXAMPLE.authSecret) });

// rules: web-push-5
test('the example of RFC 8291 is encrypted byte by byte as there', () => {
  const given = { salt: bytes(EXAMPLE.salt), privateKey: bytes(EXAMPLE.privateKey) };
  const body = encryptFor(keys(), Buffer.from(EXAMPLE.text), given);
  assert.equal(body.toString('base64url'), EXAMPLE.body);
});

// rules: web-push-5
test('the longest payload fills the 4,096 bytes that a push service must accept, and no two bodies are equal', () => {
  const payload = Buffer.alloc(MAX_WEB_PUSH_PAYLOAD_BYTES, 'x');
  const [one, other] = [encryptFor(keys(), payload), encryptFor(keys(), payload)];
  assert.equal(one.length, 4096);
  assert.notDeepEqual(one.subarray(0, 16), other.subarray(0, 16));
  assert.notDeepEqual(one.subarray(21, 86), other.subarray(21, 86));
});

// rules: web-push-2
test('only points of the curve are keys, and only 16 bytes are a secret', () => {
  assert.deepEqual(parseBrowserKey(EXAMPLE.publicKey), bytes(EXAMPLE.publicKey));
  const point = bytes(EXAMPLE.publicKey);
  point[64] = (point[64] ?? 0) ^ 1;
  const compressed = Buffer.concat([Buffer.of(2), point.subarray(1, 33)]).toString('base64url');
  for (const wrong of [point.toString('base64url'), compressed, '', 'not base64!', EXAMPLE.authSecret]) {
    assert.equal(parseBrowserKey(wrong), undefined, wrong);
  }
  assert.deepEqual(parseAuthSecret(EXAMPLE.authSecret), bytes(EXAMPLE.authSecret));
  for (const wrong of ['', 'AAAA', `${EXAMPLE.authSecret}AA`, 'BTBZMqHH6r4Tts7J+aSIgg']) {
    assert.equal(parseAuthSecret(wrong), undefined, wrong);
  }
});

// rules: web-push-4
test('the key follows from the secret of the server, and signs tokens for one push service each', () => {
  const secret = randomBytes(32);
  const identity = new VapidIdentity(secret, 'mailto:ada@example.com');
  assert.equal(new VapidIdentity(secret, 'mailto:bo@example.com').publicKey, identity.publicKey);
  assert.notEqual(new VapidIdentity(randomBytes(32), '').publicKey, identity.publicKey);
  const endpoint = new URL('https://push.example.com:8443/a/secret?path');
  const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(identity.authorization(endpoint)) ?? [];
  assert.equal(key, identity.publicKey);
  const [header = '', claims = '', signature = ''] = token.split('.');
  const { aud, sub } = JSON.parse(bytes(claims).toString());
  assert.deepEqual([aud, sub], ['https://push.example.com:8443', 'mailto:ada@example.com']);
  const point = bytes(key);
  const coordinates = { x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) };
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', ...coordinates } });
  const signed = Buffer.from(`${header}.${claims}`);
  assert(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes(signature)));
  assert.equal(
    identity.authorization(endpoint),
    identity.authorization(new URL('https://push.example.com:8443/other')),
  );
});
