import type { SearchFieldProps } from '../design/search-field.tsx';

/**
 * A key in a field. React Aria stops the keys that a handler receives. So a handler calls `continuePropagation` for those
 * that it does not use; otherwise no shortcut works while the field has the focus.
 */
export type FieldKeyboardEvent = Parameters<NonNullable<SearchFieldProps['onKeyDown']>>[0];
