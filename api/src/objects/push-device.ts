import Type from 'typebox';

export const pushStatus = Type.Union([Type.Literal('pending'), Type.Literal('active'), Type.Literal('failed')]);

/** The status of the registration of a device with the push service. */
export const pushDevice = Type.Object(
  {
    status: pushStatus,
    error_code: Type.Union([Type.String(), Type.Null()], { description: 'Why the push service rejected the device' }),
  },
  { title: 'PushDevice' },
);

const nothing = Type.Null();

/** A logged-in device. Newer servers also describe its notifications here; Heddle has them only in `push_devices`. */
export const clientDevice = Type.Object(
  {
    push_key_id: nothing,
    push_token_id: nothing,
    pending_push_token_id: nothing,
    push_token_last_updated_timestamp: nothing,
    push_registration_error_code: nothing,
  },
  { title: 'ClientDevice' },
);
