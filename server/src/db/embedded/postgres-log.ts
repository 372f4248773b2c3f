import { closeSync, copyFileSync, fstatSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs';
import type { Place } from './place.ts';

const rotationBytes = 16 * 1024 * 1024;

/**
 * Moves a log that has grown large to `postgres.log.1`. PostgreSQL keeps the file open for appending, so it is emptied, not
 * replaced; lines written in that moment may be lost. On a full disk the old lines are given up to make room.
 */
export function rotateLog(place: Place): void {
  const status = statSync(place.logFile, { throwIfNoEntry: false });
  if (status === undefined || status.size <= rotationBytes) return;
  const previous = `${place.logFile}.1`;
  try {
    copyFileSync(place.logFile, previous);
  } catch {
    rmSync(previous, { force: true });
  }
  truncateSync(place.logFile);
}

/** What was written to the log from an offset on; of much, the last 8 KiB. */
export function readLog(place: Place, offset: number): string {
  const descriptor = openSync(place.logFile, 'r');
  try {
    const buffer = Buffer.alloc(8 * 1024);
    const start = Math.max(offset, fstatSync(descriptor).size - buffer.length);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, start));
  } finally {
    closeSync(descriptor);
  }
}
