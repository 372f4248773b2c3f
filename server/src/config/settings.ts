import type { TSchema } from 'typebox';
import * as is from './kinds.ts';

/** A setting of the server. */
export interface Setting<Schema extends TSchema = TSchema, Default extends string | null = string | null> {
  readonly variable: string;
  /** The text that stands for an unset variable. null: the value is then null. */
  readonly default: Default;
  /** The default as `docs/settings.md` calls it. */
  readonly defaultInWords: string;
  /** Checks and decodes the text of the variable. */
  readonly schema: Schema;
}

function setting<S extends TSchema>(variable: string, fallback: string, schema: S): Setting<S, string> {
  return { variable, default: fallback, defaultInWords: fallback, schema };
}

function optional<S extends TSchema>(variable: string, defaultInWords: string, schema: S): Setting<S, null> {
  return { variable, default: null, defaultInWords, schema };
}

/** All settings, in the order of `docs/settings.md`, which explains each. */
export const SETTINGS = {
  host: setting('HEDDLE_HOST', '127.0.0.1', is.host),
  /** 0: the system picks a free one. */
  port: setting('HEDDLE_PORT', '9991', is.integer(0, 65_535)),
  /** The address for the metrics. */
  metricsHost: setting('HEDDLE_METRICS_HOST', '127.0.0.1', is.host),
  /** null: there are no metrics. 0: the system picks a free one. */
  metricsPort: optional('HEDDLE_METRICS_PORT', 'no metrics', is.integer(0, 65_535)),
  /** An absolute path. */
  dataDirectory: setting('HEDDLE_DATA_DIR', './data', is.path),
  /** null: the embedded PostgreSQL in the data directory. */
  databaseUrl: optional('HEDDLE_DATABASE_URL', 'the embedded PostgreSQL', is.databaseUrl),
  /** Whether standbys serve searches and old history. */
  standbyReads: setting('HEDDLE_STANDBY_READS', 'off', is.onOrOff),
  /** The base URL for clients, without a slash at the end. null: see `externalUrl`. */
  url: optional('HEDDLE_URL', 'http://localhost:<port>', is.origin('https://chat.example.com')),
  /** null: see `ownerEmail`. */
  ownerEmail: optional('HEDDLE_OWNER_EMAIL', 'owner@<host of HEDDLE_URL>', is.email),
  /** null: generated on first start. */
  ownerPassword: optional('HEDDLE_OWNER_PASSWORD', 'generated and printed once', is.secret('a password')),
  ownerName: setting('HEDDLE_OWNER_NAME', 'Owner', is.nameUpTo(100)),
  organizationName: setting('HEDDLE_ORGANIZATION_NAME', 'Heddle', is.nameUpTo(40)),
  /** Whether `POST /dev_fetch_api_key` returns keys without a password. Only possible on a loopback host. */
  devLogin: setting('HEDDLE_DEV_LOGIN', '0', is.oneOrZero),
  rateLimits: setting('HEDDLE_RATE_LIMITS', 'on', is.onOrOff),
  /** Whether organizations may have channels that are readable without an account. */
  webPublicChannels: setting('HEDDLE_WEB_PUBLIC_CHANNELS', 'off', is.onOrOff),
  /** Who asks gravatar for the pictures of users without an uploaded one. Gravatar then learns who views whom. */
  gravatar: setting('HEDDLE_GRAVATAR', 'clients', is.oneOf('on', 'clients', 'off')),
  /** The service that delivers notifications to phones, without a slash at the end. */
  pushUrl: optional('HEDDLE_PUSH_URL', 'none', is.origin('https://push.example.com')),
  /** The id of this server at that service. */
  pushId: optional('HEDDLE_PUSH_ID', 'none', is.pushId),
  pushKey: optional('HEDDLE_PUSH_KEY', 'none', is.secret('the key of this server')),
  /** Private networks in which a push service of browsers may be. */
  webPushPrivateNetworks: setting('HEDDLE_WEB_PUSH_PRIVATE_NETWORKS', 'none', is.networks),
  /** The Jitsi server of organizations that name no other; null for none. */
  jitsiUrl: setting('HEDDLE_JITSI_URL', 'https://meet.jit.si', is.jitsiUrl),
  /** The server for video calls, with a slash at the end. */
  bigBlueButtonUrl: optional('HEDDLE_BIG_BLUE_BUTTON_URL', 'none', is.bigBlueButtonUrl),
  /** Signs requests to that server. */
  bigBlueButtonSecret: optional('HEDDLE_BIG_BLUE_BUTTON_SECRET', 'none', is.secret('a secret')),
  /** Private networks that outgoing webhooks may call. */
  outgoingPrivateNetworks: setting('HEDDLE_OUTGOING_PRIVATE_NETWORKS', 'none', is.networks),
  /** The timeout for the complete response to an outgoing webhook. */
  outgoingTimeoutSeconds: setting('HEDDLE_OUTGOING_TIMEOUT_SECONDS', '10', is.integer(1, 60)),
  /** Whether messages show images of other servers, which this server then fetches. */
  imagePreviews: setting('HEDDLE_IMAGE_PREVIEWS', 'on', is.onOrOff),
  /** Private networks from which images may be fetched. */
  imagePrivateNetworks: setting('HEDDLE_IMAGE_PRIVATE_NETWORKS', 'none', is.networks),
  /** Where the service of GIFs is, without a slash at the end. */
  giphyUrl: setting('HEDDLE_GIPHY_URL', 'https://api.giphy.com', is.origin('https://api.giphy.com')),
  tenorUrl: setting('HEDDLE_TENOR_URL', 'https://tenor.googleapis.com', is.origin('https://tenor.googleapis.com')),
  /** Of one file. */
  maxFileUploadSizeMib: setting('HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB', '100', is.integer(0, 10_240)),
  /** Of an archive that an owner uploads; 0: nobody can. */
  maxImportSizeMib: setting('HEDDLE_MAX_IMPORT_SIZE_MIB', '51200', is.integer(0, 10_485_760)),
  /** Of all files of an organization. */
  uploadQuotaMib: optional('HEDDLE_UPLOAD_QUOTA_MIB', 'no bound', is.integer(0, 1_000_000_000)),
  /** null: files are in the data directory. */
  s3Bucket: optional('HEDDLE_S3_BUCKET', 'files are in the data directory', is.bucket),
  /** null: the provider's own, by its region. */
  s3Endpoint: optional('HEDDLE_S3_ENDPOINT', "the provider's own", is.origin('https://s3.example.com')),
  s3Region: setting('HEDDLE_S3_REGION', 'us-east-1', is.text('the name of a region', '^[a-z0-9-]{1,64}$')),
  /** null, together with the secret: found where the provider's own programs find it. */
  s3AccessKeyId: optional('HEDDLE_S3_ACCESS_KEY_ID', "as the provider's own programs find it", is.text('a key id')),
  s3SecretAccessKey: optional(
    'HEDDLE_S3_SECRET_ACCESS_KEY',
    "as the provider's own programs find it",
    is.secret('a secret key'),
  ),
  queueIdleSeconds: setting('HEDDLE_QUEUE_IDLE_SECONDS', '600', is.integer(1, 604_800)),
  heartbeatSeconds: setting('HEDDLE_HEARTBEAT_SECONDS', '60', is.integer(1, 3600)),
  /** null: mails are files in the data directory. */
  smtpUrl: optional('HEDDLE_SMTP_URL', 'mails are files in the data directory', is.smtpUrl),
  /** null: see `mailSender`. */
  mailFrom: optional('HEDDLE_MAIL_FROM', 'noreply@<host of HEDDLE_URL>', is.mailSender),
  /** Where the server receives mail. null: it receives none. */
  mailGateway: optional('HEDDLE_MAIL_GATEWAY', 'no mail is received', is.listeningAddress),
  /** The domain of the addresses of the gateway. null: see `gatewayDomain`. */
  mailGatewayDomain: optional('HEDDLE_MAIL_GATEWAY_DOMAIN', '<host of HEDDLE_URL>', is.host),
  /** Of an invitation whose inviter did not choose a time. */
  invitationLinkValidityMinutes: setting('HEDDLE_INVITATION_LINK_VALIDITY_MINUTES', '14400', is.integer(1, 5_256_000)),
  /** By mail, per organization. */
  invitationsPerDay: setting('HEDDLE_INVITATIONS_PER_DAY', '100', is.integer(1, 100_000)),
  /** The build of the web app. null: the newest build in `web/dist`. */
  webDirectory: optional('HEDDLE_WEB_DIR', 'the newest build of npm start', is.path),
  logLevel: setting('HEDDLE_LOG_LEVEL', 'info', is.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
  /** A request that takes longer is logged with the stages of its time. */
  slowRequestMilliseconds: setting('HEDDLE_SLOW_REQUEST_MS', '1000', is.integer(1, 600_000)),
  /** Multiplies all timeouts of the database and of requests, see `timeout-factor.ts`. */
  timeoutFactor: setting('HEDDLE_TIMEOUT_FACTOR', '1', is.integer(1, 100)),
  /** `auto`: text if standard error is a terminal, else JSON. */
  logFormat: setting('HEDDLE_LOG_FORMAT', 'auto', is.oneOf('auto', 'text', 'json')),
  /** How server processes wake each other: `local` for one process; for several on one database `postgres`, or the servers of NATS. */
  bus: setting('HEDDLE_BUS', 'local', is.bus),
  /** How many processes serve, on one port. null: see `operator/src/workers/count.ts`. */
  workers: optional('HEDDLE_WORKERS', 'by the number of cores', is.integer(1, 64)),
  /** How long the server still serves after a request to stop, while it says that it is not ready. */
  drainSeconds: setting('HEDDLE_DRAIN_SECONDS', '0', is.integer(0, 300)),
  /** Which proxies may set `X-Forwarded-*` headers: none, all, the given number of hops, or these addresses. */
  trustProxy: setting('HEDDLE_TRUST_PROXY', 'off', is.trustedProxies),
  ldapUrl: optional('HEDDLE_LDAP_URL', 'no directory', is.ldapUrl),
  /** The part of the directory with the people. */
  ldapBase: optional('HEDDLE_LDAP_BASE', 'none, and HEDDLE_LDAP_URL needs one', is.distinguishedName),
  /** The name of this server in the directory. null: it does not log in there. */
  ldapBindDn: optional('HEDDLE_LDAP_BIND_DN', 'nobody', is.distinguishedName),
  ldapBindPassword: optional(
    'HEDDLE_LDAP_BIND_PASSWORD',
    'none, and HEDDLE_LDAP_BIND_DN needs one',
    is.secret('a password'),
  ),
  /** Finds a person. `{username}` is what they typed. */
  ldapFilter: setting('HEDDLE_LDAP_FILTER', '(uid={username})', is.ldapFilter),
  ldapEmailAttribute: setting('HEDDLE_LDAP_EMAIL_ATTRIBUTE', 'mail', is.ldapAttribute),
  ldapNameAttribute: setting('HEDDLE_LDAP_NAME_ATTRIBUTE', 'cn', is.ldapAttribute),
  /** null: there is no single sign-on. */
  oidcIssuer: optional('HEDDLE_OIDC_ISSUER', 'no single sign-on', is.issuer),
  oidcClientId: optional('HEDDLE_OIDC_CLIENT_ID', 'none, and HEDDLE_OIDC_ISSUER needs one', is.text('an id')),
  oidcClientSecret: optional(
    'HEDDLE_OIDC_CLIENT_SECRET',
    'none, and HEDDLE_OIDC_ISSUER needs one',
    is.secret('a secret'),
  ),
  /** The provider's name on pages and in apps. */
  oidcName: setting('HEDDLE_OIDC_NAME', 'OpenID Connect', is.nameUpTo(100)),
  /** A secret, or a public key in PEM. null: the server accepts no tokens. */
  jwtKey: optional('HEDDLE_JWT_KEY', 'no tokens are taken', is.jwtKey),
  jwtAlgorithms: setting('HEDDLE_JWT_ALGORITHMS', 'HS256', is.jwtAlgorithms),
  /** The organization of the tokens. null: the one at the root domain. */
  jwtSubdomain: optional('HEDDLE_JWT_SUBDOMAIN', 'the root domain', is.subdomain),
};
