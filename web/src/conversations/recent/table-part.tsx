import type { HTMLAttributes, ReactNode } from 'react';

/** A part of a table of which most rows do not exist, so that it cannot be a `<table>`. */
export function TablePart(props: HTMLAttributes<HTMLDivElement>): ReactNode {
  return <div {...props} />;
}
