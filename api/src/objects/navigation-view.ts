import Type from 'typebox';

/** A built-in view that a user pinned or hid, or a custom view (interface document, "Navigation view"). */
export const navigationView = Type.Object(
  {
    fragment: Type.String({
      description: 'The part of the URL after `#`. It is unique per user',
    }),
    is_pinned: Type.Boolean({ description: 'True: in the sidebar, false: in the menu' }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Null for built-in views' }),
  },
  { title: 'NavigationView' },
);
