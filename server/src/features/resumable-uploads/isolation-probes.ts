import * as endpoints from '@heddle/api/endpoints/resumable-uploads.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

/** The tests of uploads cover uploads of another organization. These probes send no headers of the protocol. */
export const isolationProbes: IsolationProbes = () => {
  const upload_id = '0'.repeat(32);
  return [
    probesOf(endpoints.createResumableUpload, { refused: [{}] }),
    probesOf(endpoints.createResumableUploadInDirectory, { refused: [{}] }),
    probesOf(endpoints.getResumableUpload, { refused: [{ upload_id }] }),
    probesOf(endpoints.continueResumableUpload, { refused: [{ upload_id }] }),
    probesOf(endpoints.abandonResumableUpload, { refused: [{ upload_id }] }),
  ];
};
