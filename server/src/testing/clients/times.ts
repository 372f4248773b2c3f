/** When this process began, in whole seconds. */
const BEGUN_AT = Math.floor(Date.now() / 1000);

/**
 * Whether this process of tests caused something at this time. The bounds depend on nothing that a slow machine changes.
 * @param timestamp in seconds; the server may round it up
 */
export function isFromNow(timestamp: number): boolean {
  return timestamp >= BEGUN_AT && timestamp <= Date.now() / 1000 + 1;
}
