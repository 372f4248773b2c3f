import Type from 'typebox';
import { pushStatus } from '../objects/push-device.ts';

export const pushDeviceEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('push_device'),
  push_account_id: Type.String({ description: 'Digits of a 64-bit number' }),
  status: pushStatus,
  error_code: Type.Optional(Type.String({ description: 'Only for failed registrations' })),
});
