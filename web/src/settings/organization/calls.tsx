import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { FormSection } from '../../design/form.tsx';
import { SelectSetting, TextSetting } from '../controls.tsx';
import { useOrganization } from './use-organization.ts';

/** The ids of video_chat_provider. */
const NO_CALLS_ID = 0;
const JITSI_ID = 1;
const CUSTOM_URL_ID = 100;

/** Which service the button for calls uses. */
export function Calls(): ReactNode {
  const { model, settings, update, refusal } = useOrganization();
  const providers = Object.values(settings.available_video_chat_providers ?? {});
  const usual = model.organization.server.jitsi_server_url;
  return (
    <FormSection title={t('Calls')}>
      <SelectSetting
        label={t('Service for calls')}
        value={String(settings.video_chat_provider)}
        options={providers.map(({ id, name }) => ({ key: String(id), label: labelOf(id, name) }))}
        refusal={refusal('video_chat_provider')}
        save={(key) => update({ video_chat_provider: Number(key) })}
      />
      {settings.video_chat_provider === JITSI_ID && (
        <TextSetting
          label={t('URL of the Jitsi server')}
          type="url"
          value={settings.jitsi_server_url ?? ''}
          {...(usual !== null && {
            placeholder: usual,
            description: t('Leave it empty to use the server of the operator.'),
          })}
          refusal={refusal('jitsi_server_url')}
          save={(url) => update({ jitsi_server_url: url === '' ? 'default' : url })}
        />
      )}
      {settings.video_chat_provider === CUSTOM_URL_ID && (
        <TextSetting
          label={t('URL of calls')}
          type="url"
          value={settings.video_chat_url}
          description={t('{room} stands for a random name. Without it, all calls have the same URL.', {
            room: '{room}',
          })}
          refusal={refusal('video_chat_url')}
          save={(video_chat_url) => update({ video_chat_url })}
        />
      )}
    </FormSection>
  );
}

function labelOf(id: number, name: string): string {
  if (id === NO_CALLS_ID) return t('No calls');
  return id === CUSTOM_URL_ID ? t('Custom URL') : name;
}
