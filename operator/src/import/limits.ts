/** The bounds of an archive. They are far above real archives, and keep a hostile one from filling memory or the disk. */
export const LIMITS = {
  /** Entries of an archive. Their paths are in memory: about 500 bytes per entry. */
  entries: 1_000_000,
  /** Characters of a path. */
  pathLength: 1000,
  /** Bytes of one JSON document that is read whole, such as a manifest. */
  documentBytes: 256 * 1024 ** 2,
  /** Bytes of one line or one item of JSON. A row can have pictures. */
  lineBytes: 16 * 1024 ** 2,
  /** Objects that an import holds in memory, as the server does later. Everything else is read item by item. */
  users: 500_000,
  channels: 100_000,
  groups: 50_000,
  groupMembers: 2_000_000,
  subscriptions: 5_000_000,
  conversations: 1_000_000,
  emoji: 50_000,
  /** Nesting of JSON. */
  jsonDepth: 100,
  /** Bytes of one attached file. */
  fileBytes: 20 * 1024 ** 3,
  /** Bytes that stay free on the disk where an archive is unpacked. */
  freeBytes: 1024 ** 3,
  /** Uncompressed bytes of all entries together. */
  totalBytes: 4 * 1024 ** 4,
  /**
   * How many times larger an entry can be than its compressed bytes. Deflate reaches 1032. Rows of equal fields reach about 60, and only
   * entries above `ratioFromBytes` are checked.
   */
  ratio: 250,
  ratioFromBytes: 16 * 1024 ** 2,
} as const;

/** Larger ids would use up the ids of the whole server, because all organizations share them. */
export const MAX_IMPORTED_ID = 1_000_000_000;
