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

/** The versions under both their names, as `GET /server_settings` and `POST /register` answer them. */
export const VERSION_FIELDS = {
  zulip_version: SERVER_VERSION,
  zulip_merge_base: MERGE_BASE,
  zulip_feature_level: FEATURE_LEVEL,
  service_version: SERVER_VERSION,
  service_merge_base: MERGE_BASE,
  service_feature_level: FEATURE_LEVEL,
} as const;
