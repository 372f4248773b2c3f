import Type from 'typebox';
import { linkifier } from '../objects/linkifier.ts';

export const linkifiersState = {
  realm_linkifiers: Type.Optional(
    Type.Array(linkifier, { description: 'Empty for clients without the capability `linkifier_url_template`' }),
  ),
  realm_filters: Type.Optional(
    Type.Array(Type.Object({}), {
      maxItems: 0,
      deprecated: true,
      description: 'Always empty',
    }),
  ),
};
