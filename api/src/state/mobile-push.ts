import Type from 'typebox';
import { clientDevice, pushDevice } from '../objects/push-device.ts';

export const mobilePushState = {
  push_devices: Type.Optional(Type.Record(Type.String(), pushDevice, { description: 'Keys are `push_account_id`' })),
  devices: Type.Optional(Type.Record(Type.String(), clientDevice, { description: 'Keys are `device_id`' })),
};
