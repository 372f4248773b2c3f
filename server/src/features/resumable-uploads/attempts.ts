import * as endpoints from '@heddle/api/endpoints/resumable-uploads.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

/** An upload of another organization is tried in the tests of uploads: these here send no headers of the protocol. */
export const resumableUploadAttempts: Attempts = () => {
  const upload_id = '0'.repeat(32);
  return [
    attemptsOn(endpoints.createResumableUpload, { refused: [{}] }),
    attemptsOn(endpoints.createResumableUploadInDirectory, { refused: [{}] }),
    attemptsOn(endpoints.getResumableUpload, { refused: [{ upload_id }] }),
    attemptsOn(endpoints.continueResumableUpload, { refused: [{ upload_id }] }),
    attemptsOn(endpoints.abandonResumableUpload, { refused: [{ upload_id }] }),
  ];
};
