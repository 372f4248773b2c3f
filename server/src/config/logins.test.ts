import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { readConfig } from '../config.ts';

const { publicKey } = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const SECRET = 'x'.repeat(32);

const refused: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  ['an LDAP server without a base DN', { HEDDLE_LDAP_URL: 'ldaps://d.example' }, /HEDDLE_LDAP_BASE is not set/],
  ['an LDAP bind DN without a password', { HEDDLE_LDAP_BIND_DN: 'cn=h' }, /HEDDLE_LDAP_BIND_PASSWORD is not set/],
  ['an LDAP filter without {username}', { HEDDLE_LDAP_FILTER: '(uid=ada)' }, /HEDDLE_LDAP_FILTER must be/],
  [
    'an OIDC provider without a client id',
    { HEDDLE_OIDC_ISSUER: 'https://l.example' },
    /HEDDLE_OIDC_CLIENT_ID is not set/,
  ],
  [
    'an OIDC provider on another host with plain HTTP',
    { HEDDLE_OIDC_ISSUER: 'http://l.example' },
    /HEDDLE_OIDC_ISSUER must be/,
  ],
  ['a short secret', { HEDDLE_JWT_KEY: 'short' }, /HEDDLE_JWT_KEY must be .*, but it is not\.$/],
  ['both kinds of algorithms', { HEDDLE_JWT_ALGORITHMS: 'HS256,RS256' }, /HEDDLE_JWT_ALGORITHMS must be/],
  ['the algorithm none', { HEDDLE_JWT_ALGORITHMS: 'none' }, /HEDDLE_JWT_ALGORITHMS must be/],
  ['a public key as a secret', { HEDDLE_JWT_KEY: publicKey, HEDDLE_JWT_ALGORITHMS: 'HS256' }, /does not match/],
  ['a secret as a public key', { HEDDLE_JWT_KEY: SECRET, HEDDLE_JWT_ALGORITHMS: 'RS256' }, /does not match/],
];

for (const [what, environment, message] of refused) {
  test(`login settings: ${what} is refused`, () => {
    assert.throws(() => readConfig(environment), { message });
  });
}

test('a JWT key requires algorithms of its kind', () => {
  assert.equal(readConfig({ HEDDLE_JWT_KEY: SECRET }).config.jwtKey, SECRET);
  const { jwtAlgorithms } = readConfig({ HEDDLE_JWT_KEY: publicKey, HEDDLE_JWT_ALGORITHMS: 'EdDSA, ES256' }).config;
  assert.deepEqual(jwtAlgorithms, ['EdDSA', 'ES256']);
});
