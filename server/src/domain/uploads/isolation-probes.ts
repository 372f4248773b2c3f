import * as endpoints from '@heddle/api/endpoints/uploads.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

/** A file of another organization is tried in the tests of uploads, since these here send no files. */
export const isolationProbes: IsolationProbes = () => {
  const elsewhere = { realm_id_str: 2, filename: `00/${'A'.repeat(24)}/secret.txt` };
  return [
    probesOf(endpoints.uploadFile, { refused: [{}] }),
    probesOf(endpoints.getFile, { refused: [elsewhere] }),
    probesOf(endpoints.downloadFile, { refused: [elsewhere] }),
    probesOf(endpoints.getFileTemporaryUrl, { refused: [elsewhere] }),
    probesOf(endpoints.getTemporaryFile, {
      refused: [{ token: `2.1.9999999999.${'A'.repeat(43)}`, filename: 'secret.txt' }],
    }),
    probesOf(endpoints.getThumbnail, {
      refused: [{ realm_id_str: 2, filename: `00/${'A'.repeat(24)}/secret.png/840x560.webp` }],
    }),
    probesOf(endpoints.getThumbnailStatus, { refused: [elsewhere] }),
    probesOf(endpoints.getLoadingPicture, { contained: [{}] }),
    probesOf(endpoints.getAttachments, { contained: [{}] }),
    probesOf(endpoints.removeAttachment, { refused: [{ attachment_id: 1 }] }),
  ];
};
