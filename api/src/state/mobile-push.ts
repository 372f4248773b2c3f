import Type from 'typebox';
import { clientDevice, pushDevice } from '../objects/push-device.ts';

export const mobilePushState = {
  push_devices: Type.Optional(Type.Record(Type.String(), pushDevice, { description: 'By push_account_id' })),
  devices: Type.Optional(Type.Record(Type.String(), clientDevice, { description: 'By device_id' })),
};
