import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from './config/settings.ts';
import { SettingsError } from './config/settings-error.ts';
import { addressWarning, type Config, externalUrl, ownerEmail, readConfig } from './config.ts';

// rules: register-23, register-24
test('an empty environment gives the documented defaults', () => {
  const defaults: Config = {
    host: '127.0.0.1',
    port: 9991,
    metricsHost: '127.0.0.1',
    metricsPort: null,
    dataDirectory: resolve('data'),
    databaseUrl: null,
    standbyReads: false,
    url: null,
    ownerEmail: null,
    ownerPassword: null,
    ownerName: 'Owner',
    organizationName: 'Heddle',
    devLogin: false,
    rateLimits: true,
    webPublicChannels: false,
    gravatar: 'clients',
    pushUrl: null,
    pushId: null,
    pushKey: null,
    jitsiUrl: 'https://meet.jit.si',
    bigBlueButtonUrl: null,
    bigBlueButtonSecret: null,
    webPushPrivateNetworks: [],
    outgoingPrivateNetworks: [],
    outgoingTimeoutSeconds: 10,
    imagePreviews: true,
    imagePrivateNetworks: [],
    giphyUrl: 'https://api.giphy.com',
    tenorUrl: 'https://tenor.googleapis.com',
    maxFileUploadSizeMib: 100,
    maxImportSizeMib: 51_200,
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
    mailGateway: null,
    mailGatewayDomain: null,
    invitationLinkValidityMinutes: 14_400,
    invitationsPerDay: 100,
    webDirectory: null,
    logLevel: 'info',
    slowRequestMilliseconds: 1_000,
    timeoutFactor: 1,
    logFormat: 'auto',
    bus: 'local',
    workers: null,
    drainSeconds: 0,
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
    ['HEDDLE_DATABASE_URL', 'postgresql://a:b@c:1,d/e', { databaseUrl: 'postgresql://a:b@c:1,d/e' }],
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
    ['HEDDLE_BUS', 'nats://a:4222,b', { bus: { servers: ['a:4222', 'b'] } }],
    ['HEDDLE_WORKERS', '4', { workers: 4 }],
    ['HEDDLE_TRUST_PROXY', 'on', { trustProxy: true }],
    ['HEDDLE_TRUST_PROXY', '2', { trustProxy: 2 }],
    ['HEDDLE_TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
  ];
  for (const [variable, text, expected] of cases) {
    const { config } = readConfig({ [variable]: text });
    assert.deepEqual(config, { ...readConfig({}).config, ...expected }, `${variable}=${text}`);
  }
});

test('an invalid value is refused with one sentence: the variable, the accepted values, and the value', () => {
  const origin = 'a URL like https://chat.example.com, without a path, user name or query';
  const directory = 'a URL like https://bbb.example.com/bigbluebutton/, without a user name or query';
  const proxies = 'off, on, a number of proxies from 1 to 10, or a comma-separated list of addresses like 10.0.0.0/8';
  const cases: readonly (readonly [variable: string, text: string, accepted: string])[] = [
    ['HEDDLE_HOST', 'http://localhost', 'an IP address or a host name'],
    ['HEDDLE_HOST', '-dash.example', 'an IP address or a host name'],
    ['HEDDLE_PORT', 'abc', 'a whole number from 0 to 65535'],
    ['HEDDLE_PORT', '65536', 'a whole number from 0 to 65535'],
    ['HEDDLE_PORT', '-1', 'a whole number from 0 to 65535'],
    ['HEDDLE_PORT', '1e3', 'a whole number from 0 to 65535'],
    ['HEDDLE_URL', 'chat.example.com', origin],
    ['HEDDLE_URL', 'ftp://chat.example.com', origin],
    ['HEDDLE_URL', 'https://chat.example.com/chat', origin],
    ['HEDDLE_URL', 'https://user@chat.example.com', origin],
    ['HEDDLE_OWNER_EMAIL', 'ada', 'an email address'],
    ['HEDDLE_OWNER_EMAIL', `${'a'.repeat(251)}@b.c`, 'an email address'],
    ['HEDDLE_OWNER_NAME', ' ', 'a name of at most 100 characters'],
    ['HEDDLE_ORGANIZATION_NAME', 'x'.repeat(41), 'a name of at most 40 characters'],
    ['HEDDLE_DEV_LOGIN', 'true', '1 or 0'],
    ['HEDDLE_RATE_LIMITS', 'yes', 'on or off'],
    ['HEDDLE_RATE_LIMITS', 'constructor', 'on or off'],
    ['HEDDLE_QUEUE_IDLE_SECONDS', '0', 'a whole number from 1 to 604800'],
    ['HEDDLE_HEARTBEAT_SECONDS', '0.5', 'a whole number from 1 to 3600'],
    ['HEDDLE_LOG_LEVEL', 'verbose', 'fatal, error, warn, info, debug, trace or silent'],
    ['HEDDLE_LOG_FORMAT', 'pretty', 'auto, text or json'],
    ['HEDDLE_WORKERS', '0', 'a whole number from 1 to 64'],
    ['HEDDLE_TRUST_PROXY', '0', proxies],
    ['HEDDLE_TRUST_PROXY', '11', proxies],
    ['HEDDLE_TRUST_PROXY', '1e0', proxies],
    ['HEDDLE_TRUST_PROXY', '10.0.0.0/33', proxies],
    ['HEDDLE_TRUST_PROXY', 'proxy.example', proxies],
    ['HEDDLE_BIG_BLUE_BUTTON_URL', 'ftp://bbb.example.com/', directory],
    ['HEDDLE_BIG_BLUE_BUTTON_URL', 'https://user@bbb.example.com/bigbluebutton/', directory],
    ['HEDDLE_BIG_BLUE_BUTTON_URL', 'https://bbb.example.com/?a=b', directory],
  ];
  for (const [variable, text, accepted] of cases) {
    assert.throws(() => readConfig({ [variable]: text }), {
      name: 'SettingsError',
      message: `${variable} must be ${accepted}, but it is ${JSON.stringify(text)}.`,
    });
  }
});

test('an error names all invalid values', () => {
  assert.throws(
    () => readConfig({ HEDDLE_PORT: 'abc', HEDDLE_BUS: 'nats' }),
    (error) => error instanceof SettingsError && error.message.split('\n').length === 2,
  );
});

test('an invalid value does not hide a misspelled variable', () => {
  const message =
    'HEDDLE_LOG_FORMAT must be auto, text or json, but it is "pretty".\nHEDDLE_PROT is not a setting and has no effect. Did you mean HEDDLE_PORT?';
  assert.throws(() => readConfig({ HEDDLE_PROT: '1', HEDDLE_LOG_FORMAT: 'pretty' }), {
    name: 'SettingsError',
    message,
  });
});

test('the URL and the secret of the video server must be set together', () => {
  const url = 'https://bbb.example.com/bigbluebutton';
  const both = { HEDDLE_BIG_BLUE_BUTTON_URL: url, HEDDLE_BIG_BLUE_BUTTON_SECRET: 'x' };
  assert.equal(readConfig(both).config.bigBlueButtonUrl, `${url}/`);
  for (const variable of Object.keys(both)) {
    const given = { [variable]: variable.endsWith('URL') ? url : 'x' };
    assert.throws(() => readConfig(given), { message: /_(URL|SECRET) is not set, but .*_(URL|SECRET) requires it\.$/ });
  }
});

test('a setting that has no effect without another one is refused without it', () => {
  const cases: readonly (readonly [variable: string, text: string, required: string])[] = [
    ['HEDDLE_S3_ENDPOINT', 'https://s3.example.com', 'HEDDLE_S3_BUCKET'],
    ['HEDDLE_S3_REGION', 'us-east-1', 'HEDDLE_S3_BUCKET'],
    ['HEDDLE_S3_ACCESS_KEY_ID', 'x', 'HEDDLE_S3_BUCKET'],
    ['HEDDLE_S3_SECRET_ACCESS_KEY', 'x', 'HEDDLE_S3_BUCKET'],
    ['HEDDLE_PUSH_ID', '6cde5f7a-1f7e-4978-9716-49f69ebfc9fe', 'HEDDLE_PUSH_URL'],
    ['HEDDLE_PUSH_KEY', 'x', 'HEDDLE_PUSH_URL'],
    ['HEDDLE_LDAP_BASE', 'dc=example', 'HEDDLE_LDAP_URL'],
    ['HEDDLE_LDAP_BIND_DN', 'cn=heddle', 'HEDDLE_LDAP_URL'],
    ['HEDDLE_LDAP_BIND_PASSWORD', 'x', 'HEDDLE_LDAP_BIND_DN'],
    ['HEDDLE_LDAP_FILTER', '(mail={username})', 'HEDDLE_LDAP_URL'],
    ['HEDDLE_LDAP_EMAIL_ATTRIBUTE', 'mail', 'HEDDLE_LDAP_URL'],
    ['HEDDLE_LDAP_NAME_ATTRIBUTE', 'cn', 'HEDDLE_LDAP_URL'],
    ['HEDDLE_OIDC_CLIENT_ID', 'x', 'HEDDLE_OIDC_ISSUER'],
    ['HEDDLE_OIDC_CLIENT_SECRET', 'x', 'HEDDLE_OIDC_ISSUER'],
    ['HEDDLE_OIDC_NAME', 'x', 'HEDDLE_OIDC_ISSUER'],
    ['HEDDLE_JWT_ALGORITHMS', 'HS256', 'HEDDLE_JWT_KEY'],
    ['HEDDLE_JWT_SUBDOMAIN', 'x', 'HEDDLE_JWT_KEY'],
  ];
  for (const [variable, text, required] of cases) {
    const problem = `${required} is not set, but ${variable} requires it.`;
    assert.throws(
      () => readConfig({ [variable]: text }),
      (error) => error instanceof SettingsError && error.message.split('\n').includes(problem),
      problem,
    );
  }
});

test('reads from standbys need several hosts', () => {
  const environment = (hosts: string) => ({
    HEDDLE_STANDBY_READS: 'on',
    HEDDLE_DATABASE_URL: `postgresql://heddle@${hosts}/heddle`,
  });
  assert.equal(readConfig(environment('a:5432,b:5432')).config.standbyReads, true);
  const message = 'HEDDLE_STANDBY_READS=on requires HEDDLE_DATABASE_URL to name several hosts.';
  assert.throws(() => readConfig(environment('a:5432')), { message });
  assert.throws(() => readConfig({ HEDDLE_STANDBY_READS: 'on' }), { message });
});

test('an error message does not contain the secret in an invalid value', () => {
  assert.throws(() => readConfig({ HEDDLE_DATABASE_URL: 'mysql://heddle:hunter2@db/heddle' }), {
    name: 'SettingsError',
    message:
      'HEDDLE_DATABASE_URL must be a URL like postgresql://user:password@host:5432/database or ' +
      'postgresql://…@a:5432,b:5432/database?target_session_attrs=read-write, but it is not.',
  });
  assert.throws(() => readConfig({ HEDDLE_BUS: 'nats://heddle:hunter2@a,' }), {
    name: 'SettingsError',
    message: 'HEDDLE_BUS must be local, postgres, or a URL like nats://user:password@a:4222,b:4222, but it is not.',
  });
});

test('development login is refused unless the host is loopback', () => {
  for (const host of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) {
    assert.equal(readConfig({ HEDDLE_DEV_LOGIN: '1', HEDDLE_HOST: host }).config.devLogin, true, host);
  }
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example.com', '128.0.0.1']) {
    assert.throws(() => readConfig({ HEDDLE_DEV_LOGIN: '1', HEDDLE_HOST: host }), {
      message: `HEDDLE_DEV_LOGIN=1 requires HEDDLE_HOST to be 127.0.0.1, ::1 or localhost, but it is "${host}".`,
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
  const expected = Object.values(SETTINGS).map(({ variable, defaultInWords }) => [variable, defaultInWords]);
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
