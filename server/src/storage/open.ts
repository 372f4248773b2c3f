import { join } from 'node:path';
import type { Config } from '../config.ts';
import { DiskStorage } from './disk.ts';
import { PiecewiseDisk, type PiecewiseStorage } from './resumable.ts';
import { PiecewiseS3 } from './resumable-s3.ts';
import { S3Storage } from './s3.ts';
import type { Storage } from './storage.ts';

/** Opens the storage that the settings name. Nothing is opened before the first file. */
export function openStorage(config: Config): { readonly storage: Storage; readonly piecewise: PiecewiseStorage } {
  const { s3Bucket: bucket, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (bucket === null) {
    const disk = new DiskStorage(join(config.dataDirectory, 'files'));
    return { storage: disk, piecewise: new PiecewiseDisk(disk) };
  }
  const credentials = accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey };
  const s3 = new S3Storage({ bucket, endpoint: config.s3Endpoint, region: config.s3Region, credentials });
  return { storage: s3, piecewise: new PiecewiseS3(s3) };
}
