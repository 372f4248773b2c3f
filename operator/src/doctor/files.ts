/** The data directory, its disk, and the storage of uploaded files. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { diskLimits, type Space, spaceOf } from '@heddle/embedded-postgres/reserve.ts';
import type { Config } from '@heddle/server/config.ts';
import { openStorage } from '@heddle/server/storage/open.ts';
import { newKey } from '@heddle/server/storage/storage.ts';
import { adviceOn, type DoctorCheck, failed, ok, reasonOf, skipped, warning } from './check.ts';

/** Uploads stop below the first. Below the second, it is time to act. Bytes. */
const MIN_FREE_BYTES = 512 * 1024 * 1024;
const LOW_FREE_BYTES = 2 * 1024 * 1024 * 1024;

export interface Disk extends Space {
  /** Where its file system begins. */
  readonly mountPoint: string;
  /** Whether an embedded PostgreSQL there refuses changes. */
  readonly refusesChanges: boolean;
}

export async function diskOf(directory: string): Promise<Disk> {
  const space = spaceOf(directory);
  return {
    ...space,
    mountPoint: await mountPointOf(directory),
    refusesChanges: space.freeBytes < diskLimits(space).refuseBytes,
  };
}

/** The highest directory on the same file system. */
async function mountPointOf(directory: string): Promise<string> {
  const path = resolve(directory);
  const { dev } = await stat(path);
  const above = dirname(path);
  return above === path || (await stat(above)).dev !== dev ? path : await mountPointOf(above);
}

export function fullDiskAdvice({ mountPoint }: Disk): string {
  return `Free space on the disk ${mountPoint}: other programs or the files there have filled it. Changes return by themselves.`;
}

export function diskCheck({ dataDirectory, databaseUrl }: Config): DoctorCheck {
  return {
    name: 'disk',
    async run() {
      const found = await stat(dataDirectory).catch(() => undefined);
      if (found === undefined) {
        return failed(
          `the data directory ${dataDirectory} does not exist`,
          'Start the server once, or set HEDDLE_DATA_DIR.',
        );
      }
      if (!found.isDirectory())
        return failed(`the data directory ${dataDirectory} is not a directory`, 'Set HEDDLE_DATA_DIR to a directory.');
      try {
        await access(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK);
      } catch (error) {
        const advice = 'Give the directory to the user of the server, or mount its disk writable.';
        return failed(`the data directory cannot be written: ${reasonOf(error)}`, advice);
      }
      const disk = await diskOf(dataDirectory);
      const { freeBytes: free, totalBytes, mountPoint } = disk;
      const message = `${sizeOf(free)} of ${sizeOf(totalBytes)} free on the disk ${mountPoint}, which has ${dataDirectory}`;
      if (disk.refusesChanges && databaseUrl === null)
        return failed(`${message}: almost nothing, so changes are refused`, fullDiskAdvice(disk));
      if (free < MIN_FREE_BYTES)
        return failed(message, 'Free space or use a larger disk: uploads are refused below 512 MiB.');
      if (free < LOW_FREE_BYTES) return warning(message, 'Free space soon: uploads are refused below 512 MiB.');
      return ok(message);
    },
  };
}

const DISK_ADVICE: readonly (readonly [RegExp, string])[] = [
  [/read-only/, 'Mount the disk writable. A faulty disk becomes read-only: see the log of the system.'],
  [/no space/, 'Free space, as the check of the disk says.'],
];
const OTHER_DISK_ADVICE = 'Check HEDDLE_DATA_DIR. The directory and all in it must belong to the user of the server.';
const S3_ADVICE = 'Check HEDDLE_S3_…: the key, its rights for the bucket, the endpoint and the region.';

/** Whether there is certainly nothing. A path that cannot be looked at is not absent. */
export async function isAbsent(path: string): Promise<boolean> {
  return await stat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/** Whether no server was started with this data directory. */
async function isUnused(dataDirectory: string): Promise<boolean> {
  return (await isAbsent(join(dataDirectory, 'secret'))) && (await isAbsent(join(dataDirectory, 'files')));
}

export function storageCheck(config: Config): DoctorCheck {
  return {
    name: 'storage',
    async run() {
      // The first file would create the directory, and doctor creates nothing that stays.
      if (config.s3Bucket === null && (await isUnused(config.dataDirectory)))
        return skipped('no server was started with the data directory yet');
      const { storage } = openStorage(config);
      const where = config.s3Bucket === null ? 'the data directory' : `the bucket ${config.s3Bucket}`;
      const key = newKey();
      const content = randomBytes(1024);
      try {
        await storage.check();
        await storage.put(key, Readable.from([content]));
        const read = await buffer(await storage.get(key, { start: 0, end: content.length - 1 }));
        if (!read.equals(content)) {
          return failed(`${where} returned other bytes than it was given`, 'Check the disk or the store.');
        }
      } catch (error) {
        const reason = statusOf(error) ?? reasonOf(error);
        const advice = config.s3Bucket === null ? adviceOn(reason, DISK_ADVICE, OTHER_DISK_ADVICE) : S3_ADVICE;
        return failed(`${where} cannot be used: ${reason}`, advice);
      } finally {
        await storage.remove(key).catch(() => undefined);
      }
      return ok(`wrote, read and deleted a file in ${where}`);
    },
  };
}

/** A response without a body, as to `HEAD`, has only its status as a reason. */
function statusOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.message !== 'UnknownError' || !('$metadata' in error)) return undefined;
  const { httpStatusCode } = error.$metadata as { readonly httpStatusCode?: number };
  return `the store responded with status ${httpStatusCode}`;
}

export function sizeOf(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(power < 2 ? 0 : 1)} ${units[power]}`;
}
