import Type from 'typebox';
import { gifPicker } from '../objects/gif.ts';
import { organizationPermissions, organizationPolicies, organizationProperties } from '../objects/realm.ts';

/** Settings of the organization changed. Only changed settings are present. */
export const realmUpdateDict = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('realm'),
  op: Type.Literal('update_dict'),
  property: Type.Literal('default'),
  data: Type.Partial(Type.Object({ ...organizationPermissions, ...organizationProperties, ...organizationPolicies })),
});

const source = Type.Union([Type.Literal('G'), Type.Literal('D'), Type.Literal('U')]);

/** The icon or a logo of the organization changed. Only the changed fields are present. */
export const realmUpdatePicture = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('realm'),
  op: Type.Literal('update_dict'),
  property: Type.Union([Type.Literal('icon'), Type.Literal('logo'), Type.Literal('night_logo')]),
  data: Type.Object({
    icon_url: Type.Optional(Type.String()),
    icon_source: Type.Optional(source),
    logo_url: Type.Optional(Type.String()),
    logo_source: Type.Optional(source),
    night_logo_url: Type.Optional(Type.String()),
    night_logo_source: Type.Optional(source),
  }),
});

/** One setting of the organization changed. For historical reasons, some settings use this event and others a dictionary. */
export const realmUpdate = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('realm'),
  op: Type.Literal('update'),
  property: Type.Union(Object.keys(organizationProperties).map((name) => Type.Literal(name))),
  value: Type.Union([Type.String(), Type.Boolean(), Type.Integer(), Type.Null()]),
});

/** The service of GIFs changed. Of Heddle alone, for clients with the capability `gif_picker`. */
export const realmUpdateGifPicker = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('realm'),
  op: Type.Literal('update'),
  property: Type.Literal('gif_picker'),
  value: gifPicker,
});

export const realmEvent = Type.Union([realmUpdateDict, realmUpdatePicture, realmUpdateGifPicker, realmUpdate]);
