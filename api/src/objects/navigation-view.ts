import Type from 'typebox';

/** A place of the app that a user has pinned or hidden, or a place of their own (interface document, "Navigation view"). */
export const navigationView = Type.Object(
  {
    fragment: Type.String({
      description: 'What stands behind the `#` of its address; tells the views of a user apart',
    }),
    is_pinned: Type.Boolean({ description: 'Shown in the sidebar, rather than in the menu of more views' }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Null for built-in views' }),
  },
  { title: 'NavigationView' },
);
