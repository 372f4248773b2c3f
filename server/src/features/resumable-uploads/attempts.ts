import * as endpoints from '@heddle/api/endpoints/resumable-uploads.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

/** The tests of uploads cover uploads of another organization. These attempts send no headers of the protocol. */
export const attempts: Attempts = () => {
  const upload_id = '0'.repeat(32);
  return [
    attemptsOn(endpoints.createResumableUpload, { refused: [{}] }),
    attemptsOn(endpoints.createResumableUploadInDirectory, { refused: [{}] }),
    attemptsOn(endpoints.getResumableUpload, { refused: [{ upload_id }] }),
    attemptsOn(endpoints.continueResumableUpload, { refused: [{ upload_id }] }),
    attemptsOn(endpoints.abandonResumableUpload, { refused: [{ upload_id }] }),
  ];
};
