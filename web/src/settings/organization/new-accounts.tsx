import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { FormSection } from '../../design/form.tsx';
import { SelectSetting, TextSetting } from '../controls.tsx';
import { languageHint, languageOptions } from '../languages.ts';
import { useOrganization } from './use-organization.ts';

/** The maximum length of the welcome message, in characters. */
const MAX_WELCOME_MESSAGE_CHARACTERS = 8000;

/** What new users find. */
export function NewAccounts(): ReactNode {
  const { settings, update, refusal } = useOrganization();
  return (
    <FormSection title={t('New accounts')}>
      <SelectSetting
        label={t('Language of new accounts')}
        value={settings.default_language}
        description={languageHint()}
        options={languageOptions()}
        refusal={refusal('default_language')}
        save={(default_language) => update({ default_language })}
      />
      <TextSetting
        label={t('Welcome message')}
        description={t('The welcome bot sends this text to new users.')}
        value={settings.welcome_message_custom_text}
        limit={MAX_WELCOME_MESSAGE_CHARACTERS}
        isMultiline
        refusal={refusal('welcome_message_custom_text')}
        save={(welcome_message_custom_text) => update({ welcome_message_custom_text })}
      />
    </FormSection>
  );
}
