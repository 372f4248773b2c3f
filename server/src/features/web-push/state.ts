import { statePart } from '../../extension/initial-state.ts';
import type { VapidIdentity } from './identity.ts';

/** Other clients do not know the field. Spectators are not notified. */
export function webPushState({ publicKey }: VapidIdentity) {
  return statePart({
    types: ['realm'],
    build: ({ settings: { capabilities } }) => (capabilities.webPush ? { web_push_public_key: publicKey } : {}),
  });
}
