/** Heddle's own release. */
export const HEDDLE_VERSION = '0.2.0';

/**
 * The version that clients read. They compare its beginning with releases of their own protocol, and refuse versions
 * older than they support. Feature level 421 belongs to release 11.0.
 */
export const SERVER_VERSION = `11.0+heddle-${HEDDLE_VERSION}`;

/** Everything that the interface's changelog lists up to this level works, including deprecated features. */
const FEATURE_LEVEL = 421;

/** Where development left the protocol's official branches. Heddle is not on any of them. */
const MERGE_BASE = '';

/** The version fields that clients receive. */
export interface ServerIdentity {
  readonly version: string;
  readonly mergeBase: string;
  readonly featureLevel: number;
  /** When the process started, in seconds since the epoch. */
  readonly generation: number;
}

/** This process. */
export const THIS_SERVER: ServerIdentity = {
  version: SERVER_VERSION,
  mergeBase: MERGE_BASE,
  featureLevel: FEATURE_LEVEL,
  generation: Math.floor(Date.now() / 1000),
};

/** The version fields under both of their names. */
export function versionFields({ version, mergeBase, featureLevel }: Omit<ServerIdentity, 'generation'>) {
  return {
    zulip_version: version,
    zulip_merge_base: mergeBase,
    zulip_feature_level: featureLevel,
    service_version: version,
    service_merge_base: mergeBase,
    service_feature_level: featureLevel,
  };
}

/** The version fields of this server for `GET /server_settings` and `POST /register`. */
export const VERSION_FIELDS = versionFields(THIS_SERVER);
