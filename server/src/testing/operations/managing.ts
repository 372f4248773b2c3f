import type { TestClient } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';
import { fc } from '../random/property.ts';

/** Users are renamed, hide their email addresses or are reactivated; profile fields and values change. */
export interface Managing {
  readonly do: 'rename' | 'veil' | 'rehire' | 'add field' | 'edit field' | 'drop field' | 'profess';
  readonly who: number;
  readonly whom: number;
  /** The number of a name, an address visibility, a field type or a value. */
  readonly choice: number;
  /** The index among the existing fields. */
  readonly field: number;
}

export function managing(who: fc.Arbitrary<number>, whom: fc.Arbitrary<number>): fc.Arbitrary<Managing> {
  const kinds = ['rename', 'veil', 'veil', 'rehire', 'add field', 'edit field', 'drop field', 'profess', 'profess'];
  return fc.record({
    do: fc.constantFrom(...(kinds as Managing['do'][])),
    who,
    whom,
    choice: fc.nat({ max: 4 }),
    field: fc.nat({ max: 2 }),
  });
}

interface People {
  /** Usually a user with the permission. */
  readonly owner: TestClient;
  readonly person: TestClient;
  readonly other: TestClient;
}

/** Performs the operation. Ignores refusals. */
export async function performManaging(operation: Managing, { owner, person, other }: People): Promise<void> {
  const { choice } = operation;
  const fields: Json[] = (await owner.call('GET', '/realm/profile_fields')).body.custom_fields;
  const field = fields[operation.field % Math.max(fields.length, 1)];
  const path = `/realm/profile_fields/${field?.id ?? 0}`;
  switch (operation.do) {
    case 'rename':
      await owner.call('PATCH', `/users/${other.userId}`, { full_name: `Name ${choice}` });
      return;
    case 'veil':
      await person.call('PATCH', '/settings', { email_address_visibility: choice + 1 });
      return;
    case 'rehire':
      await owner.call('POST', `/users/${other.userId}/reactivate`);
      return;
    case 'add field': {
      const options = { a: { text: 'A', order: '1' }, b: { text: 'B', order: '2' } };
      const type = choice === 0 ? { field_type: 3, field_data: options } : { field_type: choice === 4 ? 8 : choice };
      if (fields.length < 3) await owner.call('POST', '/realm/profile_fields', { name: `Field ${choice}`, ...type });
      return;
    }
    case 'edit field': {
      if (choice > 1) {
        await owner.call('PATCH', '/realm/profile_fields', { order: fields.map(({ id }) => id).reverse() });
        return;
      }
      const fewer = { field_data: { b: { text: 'B', order: '1' } } };
      await owner.call('PATCH', path, field?.type === 3 ? fewer : { hint: `Hint ${choice}` });
      return;
    }
    case 'drop field':
      await owner.call('DELETE', path);
      return;
    case 'profess': {
      const value = field?.type === 3 ? ['a', 'b'][choice % 2] : `*Value* ${choice}`;
      if (choice === 4) await person.call('DELETE', '/users/me/profile_data', { data: [field?.id ?? 0] });
      else await person.call('PATCH', '/users/me/profile_data', { data: [{ id: field?.id ?? 0, value }] });
    }
  }
}
