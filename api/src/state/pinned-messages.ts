import Type from 'typebox';
import { permissionSettings } from '../objects/permission-settings.ts';

/** Clients with the capability `pinned_messages` also get `realm_can_pin_messages_group`. */
export const pinnedMessagesState = {
  max_pinned_messages: Type.Optional(Type.Integer({ description: 'Of a channel, and of a topic' })),
  server_own_permission_settings: Type.Optional(permissionSettings),
};
