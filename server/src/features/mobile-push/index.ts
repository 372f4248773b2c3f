import { notExported } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { clientDevicePresenter, pushDevicePresenter } from './events.ts';
import { mobilePushRoutes } from './routes.ts';
import { pushOf } from './running.ts';
import { clientDevicesState, pushDevicesState } from './state.ts';

export const mobilePush: Feature = {
  routes: mobilePushRoutes,
  state: () => [pushDevicesState, clientDevicesState],
  presenters: { push_device: pushDevicePresenter, device: clientDevicePresenter },
  runs: pushOf,
  backlogs: { push: 'push_notifications' },
  exports: [
    ...notExported(
      'devices that are registered with this server, and their notifications',
      'push_devices',
      'client_devices',
      'push_notifications',
    ),
  ],
};
