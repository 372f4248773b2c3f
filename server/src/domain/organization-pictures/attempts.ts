import * as endpoints from '@heddle/api/endpoints/organization-pictures.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

/** The tests of this folder try pictures of another organization, since these attempts send no files. */
export const attempts: Attempts = () => {
  const logos = [{ night: false }, { night: true }];
  const file = `icon-${'0'.repeat(32)}.png`;
  return [
    attemptsOn(endpoints.uploadIcon, { refused: [{}] }),
    attemptsOn(endpoints.deleteIcon, { contained: [{}] }),
    attemptsOn(endpoints.getIcon, { contained: [{}] }),
    attemptsOn(endpoints.uploadLogo, { refused: logos }),
    attemptsOn(endpoints.deleteLogo, { contained: logos }),
    attemptsOn(endpoints.getLogo, { contained: logos }),
    attemptsOn(endpoints.getOrganizationPicture, { refused: [{ organization_id: 2, file }] }),
  ];
};
