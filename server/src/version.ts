/** Heddle's own release. */
export const HEDDLE_VERSION = '0.1.0';

/**
 * What clients read as the server's version: those of this interface compare its beginning with releases of their own protocol, and
 * refuse what looks older than they support. 11.0 is the release that feature level 421 was made for.
 */
export const SERVER_VERSION = `11.0+heddle-${HEDDLE_VERSION}`;

/** All that the interface's changelog lists up to this level works, and so does what is deprecated. */
export const FEATURE_LEVEL = 421;

/** Where development parted from the protocol's official branches: Heddle is on none. */
export const MERGE_BASE = '';

/** What clients know a server by. */
export interface ServerIdentity {
  readonly version: string;
  readonly mergeBase: string;
  readonly featureLevel: number;
  /** When its process began, in seconds since the epoch. */
  readonly generation: number;
}

/** This process. */
export const THIS_SERVER: ServerIdentity = {
  version: SERVER_VERSION,
  mergeBase: MERGE_BASE,
  featureLevel: FEATURE_LEVEL,
  generation: Math.floor(Date.now() / 1000),
};

/** The versions under both their names. */
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

/** This server's, as `GET /server_settings` and `POST /register` answer them. */
export const VERSION_FIELDS = versionFields(THIS_SERVER);
