/** The bounds of an archive. They are far above real archives, and keep a hostile one from filling memory or the disk. */
export const LIMITS = {
  /** Entries of an archive. */
  entries: 5_000_000,
  /** Bytes of one JSON document that is read whole, such as a day of a channel. */
  documentBytes: 256 * 1024 ** 2,
  /** Bytes of one line of JSON. A row can have pictures. */
  lineBytes: 16 * 1024 ** 2,
  /** Nesting of JSON. */
  jsonDepth: 100,
  /** Bytes of one attached file. */
  fileBytes: 20 * 1024 ** 3,
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
