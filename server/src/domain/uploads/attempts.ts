import * as endpoints from '@heddle/api/endpoints/uploads.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

/** A file of another organization is tried in the tests of uploads, since these here send no files. */
export const attempts: Attempts = () => {
  const elsewhere = { realm_id_str: 2, filename: `00/${'A'.repeat(24)}/secret.txt` };
  return [
    attemptsOn(endpoints.uploadFile, { refused: [{}] }),
    attemptsOn(endpoints.getFile, { refused: [elsewhere] }),
    attemptsOn(endpoints.downloadFile, { refused: [elsewhere] }),
    attemptsOn(endpoints.getFileTemporaryUrl, { refused: [elsewhere] }),
    attemptsOn(endpoints.getTemporaryFile, {
      refused: [{ token: `2.1.9999999999.${'A'.repeat(43)}`, filename: 'secret.txt' }],
    }),
    attemptsOn(endpoints.getThumbnail, {
      refused: [{ realm_id_str: 2, filename: `00/${'A'.repeat(24)}/secret.png/840x560.webp` }],
    }),
    attemptsOn(endpoints.getThumbnailStatus, { refused: [elsewhere] }),
    attemptsOn(endpoints.getLoadingPicture, { contained: [{}] }),
    attemptsOn(endpoints.getAttachments, { contained: [{}] }),
    attemptsOn(endpoints.removeAttachment, { refused: [{ attachment_id: 1 }] }),
  ];
};
