import Type from 'typebox';
import { navigationView } from '../objects/navigation-view.ts';

const common = { id: Type.Integer(), type: Type.Literal('navigation_view') };
const { is_pinned, name } = navigationView.properties;

export const navigationViewEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('add'), navigation_view: navigationView }),
  Type.Object({
    ...common,
    op: Type.Literal('update'),
    fragment: Type.String(),
    data: Type.Partial(Type.Object({ is_pinned, name }), { description: 'The changed fields' }),
  }),
  Type.Object({ ...common, op: Type.Literal('remove'), fragment: Type.String() }),
]);
