import { createBigBlueButtonCall } from '@heddle/client/calls/operations.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { App } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { problemText } from '../../shown/problem-text.ts';
import type { LiveSession } from '../drafts/live-sessions.ts';
import { nameOfPlace } from '../target/place-names.ts';

/** The services that this app can make links for, by the names of the server. */
type Service = 'jitsi_meet' | 'big_blue_button' | 'custom_url';

/** Inserts a link to a new video call. */
export async function insertVideoCall({ model, connection }: App, session: LiveSession): Promise<void> {
  const service = videoServiceOf(model);
  if (service === undefined) return;
  try {
    const { place } = session;
    const name = place === undefined ? model.organization.settings.name : nameOfPlace(place, model);
    const url =
      service === 'big_blue_button'
        ? new URL((await createBigBlueButtonCall(connection, { meeting_name: name })).url, connection.url).href
        : newCallUrl(service, model);
    session.text.insert(`[${t('Join the video call.')}](${url})`);
    // If the user has gone elsewhere, the link is in the draft.
    session.save();
    session.text.focus();
  } catch (error) {
    toasts.show({ kind: 'error', text: problemText(error) });
  }
}

/** The name of a room is secret. */
function newCallUrl(service: 'jitsi_meet' | 'custom_url', { organization }: Model): string {
  const room = crypto.randomUUID().replaceAll('-', '');
  if (service === 'jitsi_meet') return `${organization.jitsiUrl}/${room}`;
  // A parenthesis would end the link.
  return organization.settings.video_chat_url.replaceAll('{room}', room).replaceAll(')', '%29');
}

/** Undefined if the organization has no service for calls. */
export function videoServiceOf({ organization }: Model): Service | undefined {
  const { video_chat_provider: chosen, available_video_chat_providers: available } = organization.settings;
  for (const name of ['jitsi_meet', 'big_blue_button', 'custom_url'] as const) {
    if (available[name]?.id !== chosen) continue;
    if (name === 'jitsi_meet' && organization.jitsiUrl === null) return undefined;
    return name === 'custom_url' && organization.settings.video_chat_url === '' ? undefined : name;
  }
  return undefined;
}
