import { closeSync, copyFileSync, fstatSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs';
import type { Place } from './place.ts';

const MAX_LOG_BYTES = 16 * 1024 * 1024;

/**
 * Copies a large log to `postgres.log.1` and empties it, because PostgreSQL keeps the file open. Lines that it writes meanwhile may be lost.
 * If the disk is full, the old lines are lost.
 */
export function rotateLog(place: Place): void {
  const status = statSync(place.logFile, { throwIfNoEntry: false });
  if (status === undefined || status.size <= MAX_LOG_BYTES) return;
  const previous = `${place.logFile}.1`;
  try {
    copyFileSync(place.logFile, previous);
  } catch {
    rmSync(previous, { force: true });
  }
  truncateSync(place.logFile);
}

/** The log from an offset on, at most the last 8 KiB. */
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
