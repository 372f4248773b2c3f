import Type from 'typebox';

/** The values that a permission accepts, for clients that show a form. */
export const permissionSetting = Type.Object({
  require_system_group: Type.Boolean(),
  allow_internet_group: Type.Boolean(),
  allow_nobody_group: Type.Boolean(),
  allow_everyone_group: Type.Boolean(),
  default_group_name: Type.String(),
  default_for_system_groups: Type.Union([Type.String(), Type.Null()]),
  allowed_system_groups: Type.Array(Type.String()),
});

/** By the name of the permission. */
export const permissionSettings = Type.Record(Type.String(), permissionSetting);
