import { deleteIcon, deleteLogo, uploadIcon, uploadLogo } from '@heddle/client/calls/operations.ts';
import type { ReactNode } from 'react';
import { start } from '../../base/early.ts';
import { t } from '../../base/i18n.ts';
import { FormSection } from '../../design/form.tsx';
import { TextSetting } from '../controls.tsx';
import { ImageSetting } from '../image-setting.tsx';
import { useOrganization } from './use-organization.ts';

/** The maximum lengths, in characters. */
const MAX_NAME_CHARACTERS = 40;
const MAX_DESCRIPTION_CHARACTERS = 1000;

/** The name, the description and the pictures of the organization. */
export function OrganizationProfilePage(): ReactNode {
  const { connection, settings, update, refusal } = useOrganization();
  const logos = [
    { isNight: false, label: t('Logo for light themes'), source: settings.logo_source, src: settings.logo_url },
    {
      isNight: true,
      label: t('Logo for dark themes'),
      source: settings.night_logo_source,
      src: settings.night_logo_url,
    },
  ];
  return (
    <FormSection title={t('Organization profile')} description={t('People see this when they log in or join.')}>
      <TextSetting
        label={t('Name')}
        value={settings.name}
        limit={MAX_NAME_CHARACTERS}
        keptAs="name of the organization"
        isRequired
        refusal={refusal('name')}
        save={(name) => update({ name })}
      />
      <TextSetting
        label={t('Description')}
        value={settings.description}
        limit={MAX_DESCRIPTION_CHARACTERS}
        keptAs="description of the organization"
        isMultiline
        refusal={refusal('description')}
        save={(description) => update({ description })}
      />
      <ImageSetting
        label={t('Icon')}
        name={settings.name}
        src={ownPicture(settings.icon_source, settings.icon_url)}
        refusal={refusal('icon')}
        upload={(file) => uploadIcon(connection, { file })}
        remove={settings.icon_source === 'U' ? () => deleteIcon(connection) : undefined}
      />
      {logos.map(({ isNight, label, source, src }) => (
        <ImageSetting
          key={label}
          label={label}
          name={settings.name}
          src={ownPicture(source, src)}
          refusal={refusal('logo')}
          upload={(file) => uploadLogo(connection, { night: isNight, file })}
          remove={source === 'U' ? () => deleteLogo(connection, { night: isNight }) : undefined}
        />
      ))}
    </FormSection>
  );
}

/** The address of an uploaded picture. Undefined if gravatar would be asked for it and the operator does not allow that. */
function ownPicture(source: string, address: string): string | undefined {
  return source === 'U' || start.gravatar ? address : undefined;
}
