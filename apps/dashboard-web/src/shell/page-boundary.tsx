import { Alert, Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useWords } from '../text/language';

interface BoundaryProps {
  /** Another place is tried again. */
  readonly place: string;
  readonly children: ReactNode;
}

/**
 * A page that cannot be shown, for instance because its files did not arrive, leaves header and navigation in place.
 */
export class PageBoundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidUpdate({ place }: BoundaryProps) {
    if (this.state.hasFailed && place !== this.props.place) this.setState({ hasFailed: false });
  }

  override render() {
    return this.state.hasFailed ? <Failed /> : this.props.children;
  }
}

function Failed() {
  const { t } = useWords();
  return (
    <Alert color="red" title={t.states.failedTitle} role="alert">
      <Button size="sm" variant="default" onClick={() => window.location.reload()}>
        {t.states.reload}
      </Button>
    </Alert>
  );
}
