import { Component, type ErrorInfo, type ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { ErrorIcon } from '../design/icons.ts';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** A change of it shows the children again, for example another view. */
  readonly resetKey: string;
  /** The children are the whole app. */
  readonly isWhole?: boolean;
}

interface State {
  readonly error: unknown;
  readonly resetKey: string;
}

/** Keeps the rest of the app alive if a view or a column fails. Around the whole app, it says what to do instead of an empty page. */
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
    if (this.props.isWhole) {
      return (
        <EmptyState
          icon={ErrorIcon}
          title={t('The app does not work')}
          action={<Button onPress={() => window.location.reload()}>{t('Reload')}</Button>}
        >
          {t('Reload the page. What you have written is stored.')}
        </EmptyState>
      );
    }
    return (
      <EmptyState
        icon={ErrorIcon}
        title={t('This part of the app does not work')}
        action={<Button onPress={() => this.setState({ error: undefined })}>{t('Try again')}</Button>}
      >
        {t('The rest of the app works. If this happens again, reload the page.')}
      </EmptyState>
    );
  }
}
