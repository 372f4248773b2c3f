/** Settings of other programs that Heddle uses: the service that brings notifications to phones, and the store of uploaded files. */
import { isAddressRange, oneOf, parseBaseUrl, wholeNumber } from './parsing.ts';
import type { SettingsOf } from './setting.ts';

export interface ServiceConfig {
  /** The service that brings notifications to phones, without a slash at the end. null: there is none. */
  readonly pushUrl: string | null;
  /** What this server is called there, and its key; both are there where the URL is. */
  readonly pushId: string | null;
  readonly pushKey: string | null;
  /** The server of video calls, with a slash at the end. null: there is none. */
  readonly bigBlueButtonUrl: string | null;
  /** The secret that signs requests to it; there where the URL is. */
  readonly bigBlueButtonSecret: string | null;
  /** Networks of the operator's own that outgoing webhooks may lead into, as addresses and ranges. */
  readonly outgoingPrivateNetworks: readonly string[];
  /** For how long the service of an outgoing webhook may take for its whole answer. */
  readonly outgoingTimeoutSeconds: number;
  /** Whether messages show images of other servers, which this server then fetches. */
  readonly imagePreviews: boolean;
  /** Networks of the operator's own from which images may be fetched, as addresses and ranges. */
  readonly imagePrivateNetworks: readonly string[];
  /** Of one file. */
  readonly maxFileUploadSizeMib: number;
  /** Of all files of an organization; null: no bound. */
  readonly uploadQuotaMib: number | null;
  /** null: files are kept in the data directory. */
  readonly s3Bucket: string | null;
  /** null: the provider's own, by its region. */
  readonly s3Endpoint: string | null;
  readonly s3Region: string;
  /** Both or neither null; then they are looked for where the provider's programs find theirs. */
  readonly s3AccessKeyId: string | null;
  readonly s3SecretAccessKey: string | null;
}

export const SERVICE_SETTINGS: SettingsOf<ServiceConfig> = {
  pushUrl: {
    variable: 'HEDDLE_PUSH_URL',
    default: null,
    defaultInWords: 'none',
    accepted: 'a URL like https://push.example.com, without a path, user name or query',
    parse: parseBaseUrl,
  },
  pushId: {
    variable: 'HEDDLE_PUSH_ID',
    default: null,
    defaultInWords: 'none',
    accepted: 'what the push service calls this server, without a colon',
    parse: (text) => (text.includes(':') ? undefined : text),
  },
  pushKey: {
    variable: 'HEDDLE_PUSH_KEY',
    default: null,
    defaultInWords: 'none',
    accepted: 'the key that the push service has given this server',
    isSecret: true,
    parse: (text) => text,
  },
  bigBlueButtonUrl: {
    variable: 'HEDDLE_BIG_BLUE_BUTTON_URL',
    default: null,
    defaultInWords: 'none',
    accepted: 'a URL like https://bbb.example.com/bigbluebutton/, without a user name or query',
    parse: parseUrlOfDirectory,
  },
  bigBlueButtonSecret: {
    variable: 'HEDDLE_BIG_BLUE_BUTTON_SECRET',
    default: null,
    defaultInWords: 'none',
    accepted: 'the secret that bbb-conf --secret shows',
    isSecret: true,
    parse: (text) => text,
  },
  outgoingPrivateNetworks: {
    variable: 'HEDDLE_OUTGOING_PRIVATE_NETWORKS',
    default: 'none',
    accepted: 'none, or a comma-separated list of addresses like 10.0.0.0/8,::1',
    parse: parseNetworks,
  },
  outgoingTimeoutSeconds: {
    variable: 'HEDDLE_OUTGOING_TIMEOUT_SECONDS',
    default: '10',
    accepted: 'a whole number from 1 to 60',
    parse: wholeNumber(1, 60),
  },
  imagePreviews: {
    variable: 'HEDDLE_IMAGE_PREVIEWS',
    default: 'on',
    accepted: 'on or off',
    parse: oneOf({ on: true, off: false }),
  },
  imagePrivateNetworks: {
    variable: 'HEDDLE_IMAGE_PRIVATE_NETWORKS',
    default: 'none',
    accepted: 'none, or a comma-separated list of addresses like 10.0.0.0/8,::1',
    parse: parseNetworks,
  },
  maxFileUploadSizeMib: {
    variable: 'HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB',
    default: '100',
    accepted: 'a whole number from 0 to 10240',
    parse: wholeNumber(0, 10_240),
  },
  uploadQuotaMib: {
    variable: 'HEDDLE_UPLOAD_QUOTA_MIB',
    default: null,
    defaultInWords: 'no bound',
    accepted: 'a whole number from 0 to 1000000000',
    parse: wholeNumber(0, 1_000_000_000),
  },
  s3Bucket: {
    variable: 'HEDDLE_S3_BUCKET',
    default: null,
    defaultInWords: 'files are in the data directory',
    accepted: 'the name of a bucket',
    parse: (text) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? text : undefined),
  },
  s3Endpoint: {
    variable: 'HEDDLE_S3_ENDPOINT',
    default: null,
    defaultInWords: "the provider's own",
    accepted: 'a URL like https://s3.example.com, without a path, user name or query',
    parse: parseBaseUrl,
  },
  s3Region: {
    variable: 'HEDDLE_S3_REGION',
    default: 'us-east-1',
    accepted: 'the name of a region',
    parse: (text) => (/^[a-z0-9-]{1,64}$/.test(text) ? text : undefined),
  },
  s3AccessKeyId: {
    variable: 'HEDDLE_S3_ACCESS_KEY_ID',
    default: null,
    defaultInWords: "as the provider's own programs find it",
    accepted: 'a key id',
    parse: (text) => text,
  },
  s3SecretAccessKey: {
    variable: 'HEDDLE_S3_SECRET_ACCESS_KEY',
    default: null,
    defaultInWords: "as the provider's own programs find it",
    accepted: 'a secret key',
    isSecret: true,
    parse: (text) => text,
  },
};

/** With a slash at the end, whether it was given or not. */
function parseUrlOfDirectory(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

function parseNetworks(text: string): readonly string[] | undefined {
  if (text === 'none') return [];
  const networks = text.split(',').map((network) => network.trim());
  return networks.every(isAddressRange) ? networks : undefined;
}

/** What is wrong with several of them together. */
export function problemsWithServices(config: ServiceConfig): readonly string[] {
  const problems: string[] = [];
  if (config.pushUrl !== null && (config.pushId === null || config.pushKey === null)) {
    problems.push('HEDDLE_PUSH_URL needs HEDDLE_PUSH_ID and HEDDLE_PUSH_KEY');
  }
  if ((config.bigBlueButtonUrl === null) !== (config.bigBlueButtonSecret === null)) {
    problems.push('HEDDLE_BIG_BLUE_BUTTON_URL and HEDDLE_BIG_BLUE_BUTTON_SECRET are set together or not at all');
  }
  if ((config.s3AccessKeyId === null) !== (config.s3SecretAccessKey === null)) {
    problems.push('HEDDLE_S3_ACCESS_KEY_ID and HEDDLE_S3_SECRET_ACCESS_KEY are set together or not at all');
  }
  return problems;
}
