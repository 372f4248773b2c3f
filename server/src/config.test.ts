import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { addressWarning, type Config, externalUrl, ownerEmail, readConfig, SettingsError, settings } from './config.ts';

// rules: register-23, register-24
test('an empty environment gives the documented defaults', () => {
  const defaults: Config = {
    host: '127.0.0.1',
    port: 9991,
    dataDirectory: resolve('data'),
    databaseUrl: null,
    url: null,
    ownerEmail: null,
    ownerPassword: null,
    ownerName: 'Owner',
    organizationName: 'Heddle',
    devLogin: false,
    rateLimits: true,
    webPublicChannels: false,
    gravatar: true,
    pushUrl: null,
    pushId: null,
    pushKey: null,
    bigBlueButtonUrl: null,
    bigBlueButtonSecret: null,
    outgoingPrivateNetworks: [],
    outgoingTimeoutSeconds: 10,
    imagePreviews: true,
    imagePrivateNetworks: [],
    maxFileUploadSizeMib: 100,
    uploadQuotaMib: null,
    s3Bucket: null,
    s3Endpoint: null,
    s3Region: 'us-east-1',
    s3AccessKeyId: null,
    s3SecretAccessKey: null,
    queueIdleSeconds: 600,
    heartbeatSeconds: 60,
    smtpUrl: null,
    mailFrom: null,
    invitationLinkValidityMinutes: 14_400,
    invitationsPerDay: 100,
    logLevel: 'info',
    logFormat: 'auto',
    bus: 'local',
    trustProxy: false,
    ldapUrl: null,
    ldapBase: null,
    ldapBindDn: null,
    ldapBindPassword: null,
    ldapFilter: '(uid={username})',
    ldapEmailAttribute: 'mail',
    ldapNameAttribute: 'cn',
    oidcIssuer: null,
    oidcClientId: null,
    oidcClientSecret: null,
    oidcName: 'OpenID Connect',
    jwtKey: null,
    jwtAlgorithms: ['HS256'],
    jwtSubdomain: null,
  };
  assert.deepEqual(readConfig({}), { config: defaults, warnings: [] });
  assert.deepEqual(readConfig({ HEDDLE_PORT: '', HEDDLE_URL: '' }).config, defaults);
});

test('every accepted spelling is read', () => {
  const cases: readonly (readonly [string, string, Partial<Config>])[] = [
    ['HEDDLE_HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HEDDLE_HOST', '::', { host: '::' }],
    ['HEDDLE_HOST', 'chat.internal', { host: 'chat.internal' }],
    ['HEDDLE_PORT', '0', { port: 0 }],
    ['HEDDLE_PORT', '65535', { port: 65_535 }],
    ['HEDDLE_DATA_DIR', '/var/lib/heddle', { dataDirectory: '/var/lib/heddle' }],
    ['HEDDLE_DATABASE_URL', 'postgres://a:b@c/d', { databaseUrl: 'postgres://a:b@c/d' }],
    ['HEDDLE_DATABASE_URL', 'postgresql:///d?host=/run', { databaseUrl: 'postgresql:///d?host=/run' }],
    ['HEDDLE_URL', 'https://chat.example.com/', { url: 'https://chat.example.com' }],
    ['HEDDLE_URL', 'http://10.0.0.1:9991', { url: 'http://10.0.0.1:9991' }],
    ['HEDDLE_OWNER_EMAIL', 'ada@example.com', { ownerEmail: 'ada@example.com' }],
    ['HEDDLE_OWNER_PASSWORD', ' spaces count ', { ownerPassword: ' spaces count ' }],
    ['HEDDLE_OWNER_NAME', ' Ada ', { ownerName: 'Ada' }],
    ['HEDDLE_ORGANIZATION_NAME', 'Analysts', { organizationName: 'Analysts' }],
    ['HEDDLE_DEV_LOGIN', '1', { devLogin: true }],
    ['HEDDLE_RATE_LIMITS', 'off', { rateLimits: false }],
    ['HEDDLE_WEB_PUBLIC_CHANNELS', 'on', { webPublicChannels: true }],
    ['HEDDLE_QUEUE_IDLE_SECONDS', '5', { queueIdleSeconds: 5 }],
    ['HEDDLE_HEARTBEAT_SECONDS', '1', { heartbeatSeconds: 1 }],
    ['HEDDLE_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['HEDDLE_LOG_FORMAT', 'text', { logFormat: 'text' }],
    ['HEDDLE_BUS', 'postgres', { bus: 'postgres' }],
    ['HEDDLE_TRUST_PROXY', 'on', { trustProxy: true }],
    ['HEDDLE_TRUST_PROXY', '2', { trustProxy: 2 }],
    ['HEDDLE_TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
  ];
  for (const [variable, text, expected] of cases) {
    const { config } = readConfig({ [variable]: text });
    assert.deepEqual(config, { ...readConfig({}).config, ...expected }, `${variable}=${text}`);
  }
});

test('a bad value is refused with the variable, the value and what is accepted', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['HEDDLE_HOST', 'http://localhost'],
    ['HEDDLE_HOST', '-dash.example'],
    ['HEDDLE_PORT', 'abc'],
    ['HEDDLE_PORT', '65536'],
    ['HEDDLE_PORT', '-1'],
    ['HEDDLE_PORT', '1e3'],
    ['HEDDLE_URL', 'chat.example.com'],
    ['HEDDLE_URL', 'ftp://chat.example.com'],
    ['HEDDLE_URL', 'https://chat.example.com/chat'],
    ['HEDDLE_URL', 'https://user@chat.example.com'],
    ['HEDDLE_OWNER_EMAIL', 'ada'],
    ['HEDDLE_OWNER_NAME', ' '],
    ['HEDDLE_ORGANIZATION_NAME', 'x'.repeat(41)],
    ['HEDDLE_DEV_LOGIN', 'true'],
    ['HEDDLE_RATE_LIMITS', 'yes'],
    ['HEDDLE_RATE_LIMITS', 'constructor'],
    ['HEDDLE_QUEUE_IDLE_SECONDS', '0'],
    ['HEDDLE_HEARTBEAT_SECONDS', '0.5'],
    ['HEDDLE_LOG_LEVEL', 'verbose'],
    ['HEDDLE_LOG_FORMAT', 'pretty'],
    ['HEDDLE_BUS', 'nats'],
    ['HEDDLE_TRUST_PROXY', '0'],
    ['HEDDLE_TRUST_PROXY', '10.0.0.0/33'],
    ['HEDDLE_BIG_BLUE_BUTTON_URL', 'ftp://bbb.example.com/'],
    ['HEDDLE_BIG_BLUE_BUTTON_URL', 'https://user@bbb.example.com/bigbluebutton/'],
    ['HEDDLE_BIG_BLUE_BUTTON_URL', 'https://bbb.example.com/?a=b'],
    ['HEDDLE_TRUST_PROXY', 'proxy.example'],
  ];
  for (const [variable, text] of cases) {
    const setting = Object.values(settings).find((candidate) => candidate.variable === variable);
    assert.ok(setting);
    assert.throws(() => readConfig({ [variable]: text }), {
      name: 'SettingsError',
      message: `${variable} is ${JSON.stringify(text)}; accepted is ${setting.accepted}`,
    });
  }
});

test('all bad values are named at once', () => {
  assert.throws(
    () => readConfig({ HEDDLE_PORT: 'abc', HEDDLE_BUS: 'nats' }),
    (error) => error instanceof SettingsError && error.message.split('\n').length === 2,
  );
});

test('a bad value does not hide that another variable is misspelled', () => {
  const message =
    'HEDDLE_BUS is "nats"; accepted is local or postgres\nHEDDLE_PROT is not a setting and has no effect. Did you mean HEDDLE_PORT?';
  assert.throws(() => readConfig({ HEDDLE_PROT: '1', HEDDLE_BUS: 'nats' }), { name: 'SettingsError', message });
});

test('the address and the secret of the video server are set together', () => {
  const url = 'https://bbb.example.com/bigbluebutton';
  const both = { HEDDLE_BIG_BLUE_BUTTON_URL: url, HEDDLE_BIG_BLUE_BUTTON_SECRET: 'x' };
  assert.equal(readConfig(both).config.bigBlueButtonUrl, `${url}/`);
  for (const variable of Object.keys(both)) {
    assert.throws(() => readConfig({ [variable]: variable.endsWith('URL') ? url : 'x' }), /set together or not at all/);
  }
});

test('an error message does not show the secret in a bad value', () => {
  assert.throws(
    () => readConfig({ HEDDLE_DATABASE_URL: 'mysql://heddle:hunter2@db/heddle' }),
    (error) => error instanceof SettingsError && !error.message.includes('hunter2'),
  );
});

test('login without a password is refused unless the host is loopback', () => {
  for (const host of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) {
    assert.equal(readConfig({ HEDDLE_DEV_LOGIN: '1', HEDDLE_HOST: host }).config.devLogin, true, host);
  }
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example.com', '128.0.0.1']) {
    assert.throws(() => readConfig({ HEDDLE_DEV_LOGIN: '1', HEDDLE_HOST: host }), {
      message: `HEDDLE_DEV_LOGIN=1 requires HEDDLE_HOST to be 127.0.0.1, ::1 or localhost, but it is ${host}`,
    });
  }
});

test('a variable that looks like a setting causes a warning with the most similar setting', () => {
  const environment = { HEDDLE_PROT: '1', HEDDLE_COLOUR: 'red', HEDDLE_TEST_DATABASE_URL: 'x', PATH: '/bin' };
  assert.deepEqual(readConfig(environment).warnings, [
    'HEDDLE_PROT is not a setting and has no effect. Did you mean HEDDLE_PORT?',
    'HEDDLE_COLOUR is not a setting and has no effect.',
  ]);
});

test('the external URL is localhost with the actual port, unless set', () => {
  assert.equal(externalUrl(readConfig({ HEDDLE_PORT: '0' }).config, 4321), 'http://localhost:4321');
  assert.equal(externalUrl(readConfig({ HEDDLE_URL: 'https://a.example' }).config, 4321), 'https://a.example');
});

test("the owner's address is at the server's host, unless set", () => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{}, 'owner@localhost'],
    [{ HEDDLE_URL: 'https://chat.example.com' }, 'owner@chat.example.com'],
    [{ HEDDLE_URL: 'http://10.0.0.1:9991' }, 'owner@localhost'],
    [{ HEDDLE_URL: 'http://[::1]:9991' }, 'owner@localhost'],
    [{ HEDDLE_OWNER_EMAIL: 'ada@example.com' }, 'ada@example.com'],
  ];
  for (const [environment, email] of cases) assert.equal(ownerEmail(readConfig(environment).config), email);
});

test('docs/settings.md lists exactly the existing settings, with their defaults, in the same order', async () => {
  const text = await readFile(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| `(HEDDLE_\w+)` \| `?([^|`]+)`? \|/gm)].map(([, name, value]) => [
    name,
    value?.trim(),
  ]);
  const expected = Object.values(settings).map((setting) => [
    setting.variable,
    setting.default ?? setting.defaultInWords,
  ]);
  assert.deepEqual(documented, expected);
});

test('if other machines may reach the server and no URL is set, the log has a warning', () => {
  const warning = (environment: Readonly<Record<string, string>>) =>
    addressWarning(readConfig(environment).config, 9991);
  const others = [{ HEDDLE_HOST: '0.0.0.0' }, { HEDDLE_SMTP_URL: 'smtp://mail.example.com' }];
  for (const environment of others) {
    assert.match(warning(environment) ?? '', /HEDDLE_URL is not set: .* http:\/\/localhost:9991,/);
    assert.equal(warning({ ...environment, HEDDLE_URL: 'https://chat.example.com' }), undefined);
  }
  assert.equal(warning({}), undefined);
});
