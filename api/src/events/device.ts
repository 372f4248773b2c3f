import Type from 'typebox';

const common = { id: Type.Integer(), type: Type.Literal('device'), device_id: Type.Integer() };

export const deviceEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('add') }),
  Type.Object({ ...common, op: Type.Literal('remove') }),
]);
