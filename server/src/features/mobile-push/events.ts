import type { Presenter } from '../../directory/presenters.ts';
import type { NewEvent } from '../../log/event.ts';

/** How the registration of a device stands; what `push_device` events carry in the log. */
export interface PushDeviceEvent {
  /** Digits of a number of 64 bits. */
  readonly accountId: string;
  readonly status: 'pending' | 'active' | 'failed';
  readonly errorCode: string | null;
}

/** What `device` events carry. */
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

/** Only their user ever hears of devices. */
export function pushDeviceEvent(userId: number, body: PushDeviceEvent): NewEvent {
  return { type: 'push_device', audience: { to: 'users', users: [userId] }, body };
}

export function clientDeviceEvent(userId: number, body: ClientDeviceEvent): NewEvent {
  return { type: 'device', audience: { to: 'users', users: [userId] }, body };
}
