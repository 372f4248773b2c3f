import type { Change } from '../../directory/organization.ts';
import { settleDevice } from '../../features/mobile-push/introducing.ts';
import { registerDevice } from '../../features/mobile-push/registering.ts';
import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/** Registers a phone, simulates the push service's reply, or adds or removes a client device. */
export type Phoning =
  | { readonly do: 'ring'; readonly who: number; readonly phone: number }
  | { readonly do: 'connect'; readonly who: number; readonly phone: number; readonly isTaken: boolean }
  | { readonly do: 'log in' | 'log out'; readonly who: number };

export function phoning(who: fc.Arbitrary<number>): fc.Arbitrary<Phoning> {
  const phone = fc.nat({ max: 2 });
  return fc.oneof(
    fc.record({ do: fc.constant('ring' as const), who, phone }),
    fc.record({ do: fc.constant('connect' as const), who, phone, isTaken: fc.boolean() }),
    fc.record({ do: fc.constantFrom('log in' as const, 'log out' as const), who }),
  );
}

/** Runs without a push service, and simulates its reply. */
export async function performPhoning(
  phoning: Phoning,
  person: TestClient,
  change: (act: (change: Change) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  switch (phoning.do) {
    case 'ring':
    case 'connect': {
      const device = { userId: person.userId, accountId: String(phoning.phone) };
      await change(async (made) => {
        if (phoning.do === 'connect') {
          await settleDevice(made, device, phoning.isTaken ? { serviceId: 1 } : { errorCode: 'REQUEST_EXPIRED' });
          return;
        }
        const user = made.directory.user(person.userId);
        if (user === undefined) return;
        const forService = { bouncer_public_key: '', encrypted_push_registration: '' };
        await registerDevice(made, user, { ...device, kind: 'fcm', key: Buffer.alloc(33, 0x31), forService });
      });
      break;
    }
    case 'log in':
      await person.call('POST', '/register_client_device');
      break;
    default: {
      const { body } = await person.call('POST', '/register', {
        fetch_event_types: ['device'],
        event_types: ['device'],
      });
      const [first = 0] = Object.keys(body.devices ?? {});
      await person.call('POST', '/remove_client_device', { device_id: first });
    }
  }
}
