import { Alert, Button, Text } from '@mantine/core';
import { Component, useState, type ReactNode } from 'react';
import { useWords } from '../text/language';
import { isServed } from './release';

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
  const [isUnreachable, setUnreachable] = useState(false);
  const reload = async () => {
    if (await isServed()) window.location.reload();
    else setUnreachable(true);
  };
  return (
    <Alert color="red" title={t.states.failedTitle} role="alert">
      {isUnreachable ? (
        <Text size="sm" mb="sm">
          {t.states.network}
        </Text>
      ) : null}
      <Button size="sm" variant="default" onClick={() => void reload()}>
        {t.states.reload}
      </Button>
    </Alert>
  );
}
