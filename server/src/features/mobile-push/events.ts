import type { Presenter } from '../../directory/presenters.ts';
import type { NewEvent } from '../../log/event.ts';

/** The state of a device's registration, as `push_device` events in the log contain it. */
export interface PushDeviceEvent {
  /** The digits of a 64-bit number. */
  readonly accountId: string;
  readonly status: 'pending' | 'active' | 'failed';
  readonly errorCode: string | null;
}

/** What `device` events contain. */
export interface ClientDeviceEvent {
  readonly op: 'add' | 'remove';
  readonly id: number;
}

export const pushDevicePresenter: Presenter = {
  present(event) {
    const { accountId, status, errorCode } = event.body as PushDeviceEvent;
    return {
      type: 'push_device',
      push_account_id: accountId,
      status,
      ...(errorCode !== null && { error_code: errorCode }),
    };
  },
};

export const clientDevicePresenter: Presenter = {
  present(event) {
    const { op, id } = event.body as ClientDeviceEvent;
    return { type: 'device', op, device_id: id };
  },
};

/** The audience is only the owner of the device. */
export function pushDeviceEvent(userId: number, body: PushDeviceEvent): NewEvent {
  return { type: 'push_device', audience: { to: 'users', users: [userId] }, body };
}

export function clientDeviceEvent(userId: number, body: ClientDeviceEvent): NewEvent {
  return { type: 'device', audience: { to: 'users', users: [userId] }, body };
}
