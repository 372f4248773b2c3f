import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { ErrorIcon } from '../design/icons.ts';
import { t } from './i18n.ts';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** A change of it shows the children again, for example another view. */
  readonly resetKey: string;
}

interface State {
  readonly error: unknown;
  readonly resetKey: string;
}

/** Keeps the rest of the app alive if a view fails. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { error: undefined, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: State): State | null {
    return resetKey === state.resetKey ? null : { error: undefined, resetKey };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    // biome-ignore lint/suspicious/noConsole: the user sees the notice, a developer needs the cause.
    console.error('a view failed', error, info.componentStack);
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <EmptyState
        icon={ErrorIcon}
        title={t('This view does not work')}
        action={<Button onPress={() => this.setState({ error: undefined })}>{t('Try again')}</Button>}
      >
        {t('The rest of the app works. If this happens again, reload the page.')}
      </EmptyState>
    );
  }
}
