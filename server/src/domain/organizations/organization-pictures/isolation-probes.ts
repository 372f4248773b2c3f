import * as endpoints from '@heddle/api/endpoints/organization-pictures.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

/** The tests of this folder try pictures of another organization, since these probes send no files. */
export const isolationProbes: IsolationProbes = () => {
  const logos = [{ night: false }, { night: true }];
  const file = `icon-${'0'.repeat(32)}.png`;
  return [
    probesOf(endpoints.uploadIcon, { refused: [{}] }),
    probesOf(endpoints.deleteIcon, { contained: [{}] }),
    probesOf(endpoints.getIcon, { contained: [{}] }),
    probesOf(endpoints.uploadLogo, { refused: logos }),
    probesOf(endpoints.deleteLogo, { contained: logos }),
    probesOf(endpoints.getLogo, { contained: logos }),
    probesOf(endpoints.getOrganizationPicture, { refused: [{ organization_id: 2, file }] }),
  ];
};
